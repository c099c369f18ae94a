"""The experiments behind Figures 5.3 to 5.7: what is asked of `plumb prob`, and what the text says about the curves."""
from dataclasses import dataclass

import trends

INITIAL = {1: "mixed", 2: "low", 3: "medium", 4: "high"}


@dataclass
class Experiment:
    """One run of `plumb prob`. Ranges are LOW:STEP:HIGH. `small` takes minutes, `full` is the text's size
    and may be empty: not run then."""
    name: str                 # of its files
    model: str
    x: str                    # the constant of the horizontal axis
    figures: dict             # the figure of each property
    small: str
    full: str
    props: tuple = ()         # beside those of the model's own file

    def constants(self, is_full):
        return self.full if is_full else self.small


# The reduced sizes keep what a trend is about and shrink the rest: the cell (channels and calls alike), the queue, the
# ports, the length of the trading.
EXPERIMENTS = [
    Experiment("multi", "er_multi", "rec_router", {"failure": "5.3"},
               small="mttf_router=25000:25000:200000,rec_router=12:12:60",
               full="mttf_router=25000:25000:200000,rec_router=12:12:60"),
    Experiment("single_failure", "er_single", "tRecRouter", {"failure": "5.4", "cell_part": None},
               small="nLocal=10:10:50,tRecRouter=12:12:60,load=0.25,max_queue=1,nPorts=2",
               full="nLocal=40:40:200,tRecRouter=12:12:60",
               props=('"cell_part": S=? [ "disconnected" ];',)),
    Experiment("single_operations", "er_single", "T", {"operations": "5.5"},
               small="nLocal=4:4:20,T=0:2000:10000,load=0.1,max_queue=3,nPorts=2",
               full="nLocal=40:40:200,T=0:2000:10000"),
    Experiment("trade_beta1", "er_trade", "gamma", {"least_cost": "5.6a", "most_loss": "5.7a"},
               small="initial=1:4,gamma=0.5:0.1:1.5,beta=1,max_time=16,k=8",
               full="initial=1:4,gamma=0.5:0.1:1.5,beta=1"),
    Experiment("trade_beta3", "er_trade", "gamma", {"least_cost": "5.6b", "most_loss": "5.7b"},
               small="initial=1:4,gamma=0.5:0.1:1.5,beta=3,max_time=16,k=8",
               full="initial=1:4,gamma=0.5:0.1:1.5,beta=3"),
    # No figure: what the curves of beta 3 are if the requester may withdraw at any price.
    Experiment("trade_free", "er_trade", "gamma", {"least_cost": None, "most_loss": None},
               small="initial=1:4,gamma=0.5:0.1:1.5,beta=3,max_time=16,k=8,free_withdrawal=true", full=""),
]


class Table:
    """Numbers of one property over two constants."""

    def __init__(self, rows, x, curve):
        self.x, self.curve = x, curve
        self.values = {(float(row[curve]), float(row[x])): float(row["value"]) for row in rows}
        self.curves = sorted({c for c, _ in self.values})
        self.xs = sorted({v for _, v in self.values})

    def along_x(self, curve):
        return [self.values[curve, x] for x in self.xs]

    def across(self, x):
        return [self.values[curve, x] for curve in self.curves]

    def name(self, curve):
        return INITIAL[int(curve)] if self.curve == "initial" else f"{self.curve} {curve:g}"


def judge_multi(failure):
    """Figure 5.3. Curves are MTTFs, x is the recovery time."""
    beyond = []
    for x in failure.xs:
        values = dict(zip(failure.curves, failure.across(x)))
        first, last = values[failure.curves[0]], values[failure.curves[-1]]
        share = (values[100000.0] - last) / (first - last)
        beyond.append((f"recovery {x:g}", trends.Verdict(
            share <= 0.25, f"{share:.0%} of the fall from {failure.curves[0]:g} to {failure.curves[-1]:g} hours")))
    return [
        ("5.3", "the failure probability goes down with a larger MTTF",
         trends.every((f"recovery {x:g}", trends.falls(failure.across(x))) for x in failure.xs)),
        ("5.3", "and with a faster recovery",
         trends.every((failure.name(c), trends.rises(failure.along_x(c))) for c in failure.curves)),
        ("5.3", "an MTTF larger than 100,000 hours provides limited contribution", trends.every(beyond)),
    ]


def judge_failure(failure, cell_part):
    """Figure 5.4. Curves are numbers of channels, x is the router's recovery time."""
    shares = {key: cell_part.values[key] / value for key, value in failure.values.items()}
    least = min(shares, key=shares.get)
    return [
        ("5.4", "the local cell contributes the major part of the failure",
         trends.Verdict(shares[least] > 0.5, f"at least {shares[least]:.1%} of it, at nLocal {least[0]:g}")),
        ("5.4", "higher cell channel capacity results in lower failure probability",
         trends.every((f"recovery {x:g}", trends.falls(failure.across(x))) for x in failure.xs)),
        ("5.4", "faster recovery results in lower failure probability",
         trends.every((failure.name(c), trends.rises(failure.along_x(c))) for c in failure.curves)),
    ]


def judge_operations(operations):
    """Figure 5.5. Curves are numbers of channels, x is the time."""
    last = operations.across(operations.xs[-1])
    return [
        ("5.5", "a linear increment of the number of operations over time",
         trends.every((operations.name(c), trends.is_linear(operations.xs, operations.along_x(c)))
                      for c in operations.curves)),
        ("5.5", "an increment with more local channels", trends.rises(last)),
        ("5.5", "the operation number saturates when nLocal is large enough", trends.saturates(last)),
    ]


def judge_cost(low, high):
    """Figures 5.6a and 5.6b: beta 1 and 3. Curves are initial trusts, x is gamma."""
    earlier, is_earlier_once = [], False
    for c in low.curves:
        first, second = (trends.first_drop(t.xs, t.along_x(c)) for t in (low, high))
        is_earlier_once |= second is not None and (first is None or second < first)
        earlier.append((low.name(c), trends.Verdict(
            second is not None and (first is None or second <= first),
            f"at gamma {first or 'never'} for beta 1, {second or 'never'} for beta 3")))
    verdict = trends.every(earlier)
    if verdict.seen and not is_earlier_once:
        verdict = trends.Verdict(False, "never earlier, always at the same gamma; " + verdict.words)
    late = [(low.name(c), trends.saturates(high.along_x(c))) for c in low.curves]
    return [
        *((figure, f"a higher gamma results in smaller cost (beta {beta})",
           trends.every((t.name(c), trends.falls(t.along_x(c))) for c in t.curves))
          for figure, beta, t in (("5.6a", 1, low), ("5.6b", 3, high))),
        ("5.6", "the cost starts to drop earlier when beta increases", verdict),
        ("5.6b", "the cost starts to saturate when beta is large (beta 3)", trends.every(late)),
    ]


def judge_loss(low, high):
    """Figures 5.7a and 5.7b: beta 1 and 3."""
    others = [c for c in high.curves if INITIAL[int(c)] in ("mixed", "medium")]
    by_name = {INITIAL[int(c)]: c for c in high.curves}
    ends = [low.along_x(c)[-1] / low.along_x(c)[0] - 1 for c in low.curves]
    small = [x for x in high.xs if x <= 0.7]
    high_from = [x for x in high.xs if x >= 1]
    return [
        ("5.7a", "small beta: all four trust settings increase with gamma",
         trends.every((low.name(c), trends.rises(low.along_x(c))) for c in low.curves)),
        ("5.7a", "and do so in a similar way",
         trends.Verdict(min(ends) > 0 and max(ends) <= 2 * min(ends),
                        "by " + ", ".join(f"{e:.0%} ({low.name(c)})" for c, e in zip(low.curves, ends)))),
        ("5.7b", "large beta: low initial trust follows the same strategy regardless of gamma",
         trends.is_flat(high.along_x(by_name["low"]))),
        ("5.7b", "mixed and medium: a constant high loss for small gamma (up to 0.7)",
         trends.every((high.name(c), trends.is_flat([high.values[c, x] for x in small])) for c in others)),
        ("5.7b", "mixed and medium: it gradually increases when gamma is high (from 1)",
         trends.every((high.name(c), trends.rises([high.values[c, x] for x in high_from])) for c in others)),
        ("5.7b", "all high initial trusts: the same regardless of gamma",
         trends.is_flat(high.along_x(by_name["high"]))),
    ]


def judge_free(cost, loss):
    """Beta 3 without the rule that only a high price may be declined: what it explains."""
    low = next(c for c in loss.curves if INITIAL[int(c)] == "low")
    small = [x for x in loss.xs if x < 1.5]
    return [
        ("5.6b", "withdrawal at any price: a higher gamma results in smaller cost",
         trends.every((cost.name(c), trends.falls(cost.along_x(c))) for c in cost.curves)),
        ("5.7b", "withdrawal at any price: low initial trust does not depend on gamma (below 1.5)",
         trends.is_flat([loss.values[low, x] for x in small])),
    ]
