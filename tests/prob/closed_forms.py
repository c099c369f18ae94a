"""Expected results of models/classic, from closed forms or from the definition of the model in question, in fractions or
in decimals of sixty digits. Nothing here knows plumb. Run with --write, it puts the numbers behind the RESULT comments of
the property files; tests/prob/run.py checks that they are there."""

import decimal
import itertools
import math
import pathlib
import re
import sys
from fractions import Fraction

decimal.getcontext().prec = 60
MODELS = pathlib.Path(__file__).resolve().parents[2] / "models" / "classic"
INFINITY = "inf"


# --- Linear algebra over fractions ---

def passage(rows, cost, targets):
    """Expected cost until a target is reached, by state: rows[s] is a dict of probabilities. States are eliminated one
    by one, so that rows stay sparse."""
    rows = {s: dict(row) for s, row in rows.items() if s not in targets}
    cost = {s: Fraction(cost[s]) for s in rows}
    into = {s: set() for s in rows}
    for s, row in rows.items():
        for t in row:
            if t in into:
                into[t].add(s)
    order = sorted(rows, key=lambda s: len(rows[s]) * len(into[s]))
    steps = []
    for s in order:
        stay = rows[s].pop(s, Fraction(0))
        into[s].discard(s)
        factor = 1 / (1 - stay)
        row = {t: w * factor for t, w in rows[s].items()}
        cost[s] *= factor
        steps.append((s, row))
        for p in into[s]:
            weight = rows[p].pop(s)
            cost[p] += weight * cost[s]
            for t, w in row.items():
                rows[p][t] = rows[p].get(t, 0) + weight * w
                if t in into:
                    into[t].add(p)
        for t in row:
            if t in into:
                into[t].discard(s)
        rows[s] = row
        del into[s]
    value = {}
    for s, row in reversed(steps):
        value[s] = cost[s] + sum(w * value.get(t, 0) for t, w in row.items())
    return value


def stationary(rates):
    """Of an irreducible chain of rates: rates[s] is a dict. The balance of flows, with the weight of one state set to
    one: weight(t) total(t) = sum over s of weight(s) rate(s,t)."""
    home = next(iter(rates))
    total = {s: sum(row.values()) for s, row in rates.items()}
    inflow = {s: {} for s in rates}
    for s, row in rates.items():
        for t, rate in row.items():
            inflow[t][s] = Fraction(rate) / total[t]
    constant = {t: inflow[t].pop(home, Fraction(0)) for t in rates}
    weight = solve_inflow({t: inflow[t] for t in rates if t != home}, constant)
    weight[home] = Fraction(1)
    norm = sum(weight.values())
    return {s: w / norm for s, w in weight.items()}


def solve_inflow(rows, constant):
    """x = constant + rows x."""
    order = sorted(rows, key=lambda s: len(rows[s]))
    rows = {s: {t: w for t, w in row.items() if t in rows} for s, row in rows.items()}
    constant = {s: Fraction(constant[s]) for s in rows}
    done = []
    left = set(rows)
    for s in order:
        factor = 1 / (1 - rows[s].pop(s, Fraction(0)))
        row = {t: w * factor for t, w in rows[s].items()}
        constant[s] *= factor
        left.discard(s)
        for p in left:
            weight = rows[p].pop(s, None)
            if weight is None:
                continue
            constant[p] += weight * constant[s]
            for t, w in row.items():
                rows[p][t] = rows[p].get(t, 0) + weight * w
        done.append((s, row))
    value = {}
    for s, row in reversed(done):
        value[s] = constant[s] + sum(w * value[t] for t, w in row.items())
    return value


# --- The models ---

def gamblers_ruin(N, start, p, k):
    q = 1 - p
    r = q / p
    rich = Fraction(start, N) if r == 1 else (1 - r**start) / (1 - r**N)
    rounds = start * (N - start) if r == 1 else start / (q - p) - N / (q - p) * rich
    now = {start: Fraction(1)}
    for _ in range(k):
        later = {}
        for x, w in now.items():
            for y, share in ((x, 1),) if x in (0, N) else ((x + 1, p), (x - 1, q)):
                later[y] = later.get(y, 0) + w * share
        now = later
    return {
        "rich": rich, "never_rich": 1 - rich, "poor_until_ruin": 1 - rich, "rich_in_the_end": rich, "rounds": rounds,
        "gain": N * rich - start, "rounds_to_riches": INFINITY, "ruined_soon": now.get(0, Fraction(0)),
    }


def knuth_yao_die(k):
    pair = Fraction(3, 4)
    return {
        "number": Fraction(1, 6), "at_most": Fraction(k, 6), "flips": 1 + 2 / pair, "flips_in_all": 1 + 2 / pair,
        "soon": pair, "later": 1 - (1 - pair)**2, "fair": True,
    }


def weights_of_queue(up, down):
    """Of a birth-death chain: up[n] from n to n+1, down[n] from n+1 to n."""
    weights = [Fraction(1)]
    for birth, death in zip(up, down):
        weights.append(weights[-1] * birth / death)
    norm = sum(weights)
    return [w / norm for w in weights]


def birth_death(N, **rates):
    birth, death = rates["lambda"], rates["mu"]
    p = weights_of_queue([birth] * N, [death] * N)
    # The passage from k to k+1 takes 1/birth, and again with each death before it.
    step = Fraction(0)
    time = Fraction(0)
    for k in range(N):
        step = 1 / birth + (death / birth * step if k else 0)
        time += step
    r = death / birth
    return {
        "full": p[N], "empty": p[0], "mean": sum(n * w for n, w in enumerate(p)), "births": birth * (1 - p[N]),
        "passage": time, "up_before_down": Fraction(1, N) if r == 1 else (1 - r) / (1 - r**N),
    }


def mmck(c, K, **rates):
    arrival, service = rates["lambda"], rates["mu"]
    p = weights_of_queue([arrival] * K, [min(n + 1, c) * service for n in range(K)])
    return {
        "full": p[K], "all_busy": sum(p[c:]), "customers": sum(n * w for n, w in enumerate(p)),
        "waiting": sum((n - c) * w for n, w in enumerate(p) if n > c), "lost": arrival * p[K],
        "served": arrival * (1 - p[K]), "loss": p[K],
    }


def poisson(mean, k):
    mean = decimal.Decimal(mean.numerator) / decimal.Decimal(mean.denominator)
    return (-mean).exp() * mean**k / math.factorial(k) if mean or k else decimal.Decimal(1)


def erlang(phases, rate_of_phase, T, k):
    def over(n, t):  # n phases are over at t
        return 1 - sum(poisson(rate_of_phase * t, i) for i in range(n))

    ticks = sum(over(n, T) for n in range(1, phases + 1))
    rate = decimal.Decimal(rate_of_phase.numerator) / rate_of_phase.denominator
    return {
        "over": over(phases, T), "not_over": 1 - over(phases, T), "k_over": poisson(rate_of_phase * T, k),
        "between": over(phases, T) - over(phases, T / 2), "after": 1 - over(phases, T), "mean": phases / rate_of_phase,
        "mean_within": ticks / rate, "ticks_within": ticks, "working_at": 1 - over(phases, T),
    }


def tandem(c, d, mu1, mu2, **rates):
    arrival = rates["lambda"]
    chain = {}
    for x, y in itertools.product(range(c + 1), range(d + 1)):
        row = {}
        if x < c:
            row[x + 1, y] = arrival
        if x > 0 and y < d:
            row[x - 1, y + 1] = mu1
        if y > 0:
            row[x, y - 1] = mu2
        chain[x, y] = row
    p = stationary(chain)
    jump = {s: {t: r / sum(row.values()) for t, r in row.items()} for s, row in chain.items()}
    stay = {s: 1 / sum(row.values()) for s, row in chain.items()}
    time = passage(jump, stay, {(c, d)})
    # Through x<c to y=d: where x=c first it is missed.
    hit = {s: sum(w for t, w in row.items() if t[1] == d) for s, row in jump.items()}
    through = {s: {t: w for t, w in row.items() if t[1] != d and t[0] < c} for s, row in jump.items()}
    reach = passage(through, hit, {s for s in chain if s[0] == c or s[1] == d})
    return {
        "full": p[c, d], "customers": sum((x + y) * w for (x, y), w in p.items()),
        "throughput": mu2 * sum(w for (x, y), w in p.items() if y > 0), "time_to_full": time[0, 0],
        "second_fills_first": reach[0, 0],
    }


def cyclic(n, mu1, mu2, mu3):
    weight = {(x, y): mu1**-x * mu2**-y * mu3**-(n - x - y) for x in range(n + 1) for y in range(n + 1 - x)}
    norm = sum(weight.values())
    idle = sum(w for (x, _), w in weight.items() if x == 0) / norm
    return {"one_is_idle": idle, "in_one": sum(x * w for (x, _), w in weight.items()) / norm, "rounds": mu1 * (1 - idle)}


def repair():
    fail, mend = Fraction(1, 87600), Fraction(1)
    down = fail / (fail + mend)
    step, time = Fraction(0), Fraction(0)
    for k in range(3):  # from k down to k+1 down
        birth, death = (3 - k) * fail, k * mend
        step = 1 / birth + (death / birth * step if k else 0)
        time += step
    # From one down: two, before none; then three, before one again and so on.
    first = 2 * fail / (2 * fail + mend)
    second = fail / (fail + 2 * mend)
    return {
        "all_down": down**3, "some_down": 1 - (1 - down)**3, "mean_down": 3 * down, "years": time,
        "before_repair": first * second / (1 - first * (1 - second)),
    }


def leader(N, K, rounds):
    lucky = sum(1 for picks in itertools.product(range(K), repeat=N) if any(picks.count(v) == 1 for v in picks))
    p = Fraction(lucky, K**N)
    return {
        "elected": Fraction(1 if p else 0), "soon": 1 - (1 - p)**rounds, "rounds": 1 / p if p else INFINITY,
    }


def consensus_coin(N, K):
    most, low, high = 2 * (K + 1) * N, N, 2 * (K + 1) * N - N

    def moves(state):
        counter, processes = state
        result = []
        for i, (at, coin) in enumerate(processes):
            def to(at_, coin_, counter_=counter):
                return counter_, processes[:i] + ((at_, coin_),) + processes[i + 1:]
            if at == 0:
                result.append({to(1, 0): Fraction(1, 2), to(1, 1): Fraction(1, 2)})
            elif at == 1:
                result.append({to(2, 0, counter + (1 if coin else -1)): Fraction(1)})
            elif at == 2:
                side = (3, 0) if counter <= low else (3, 1) if counter >= high else (0, 0)
                result.append({to(*side): Fraction(1)})
        return result

    start = ((K + 1) * N, ((0, 0),) * N)
    choices, work = {}, [start]
    while work:
        state = work.pop()
        if state in choices:
            continue
        choices[state] = moves(state)
        work.extend(t for choice in choices[state] for t in choice)
    done = {s for s, options in choices.items() if not options}

    def best(sign, end, step):
        """Strategy iteration; every strategy ends almost surely, so each can be evaluated."""
        picked = {s: options[0] for s, options in choices.items() if options}
        while True:
            cost = {s: step + sum(w * end(t) for t, w in row.items() if t in done) for s, row in picked.items()}
            value = passage(picked, cost, done)

            def worth(row):
                return step + sum(w * (end(t) if t in done else value[t]) for t, w in row.items())
            better = {}
            for s in picked:
                choice = max(choices[s], key=lambda row: sign * worth(row))
                if sign * worth(choice) > sign * value[s]:
                    better[s] = choice
            if not better:
                return value[start]
            picked.update(better)

    coins = lambda t: [coin for _, coin in t[1]]
    return {
        "ends": Fraction(1), "up_at_least": best(-1, lambda t: Fraction(all(coins(t))), 0),
        "disagree_at_most": best(1, lambda t: Fraction(len(set(coins(t))) > 1), 0),
        "steps_at_least": best(-1, lambda t: Fraction(0), 1), "steps_at_most": best(1, lambda t: Fraction(0), 1),
        "promise": True,
    }


def dining_cryptographers(N):
    pattern = Fraction(1, 2**(N - 1))
    return {"correct": True, "least": pattern, "greatest": pattern, "master": pattern, "wrong_parity": Fraction(0)}


FORMS = {
    "knuth_yao_die": knuth_yao_die,
    "gamblers_ruin": gamblers_ruin,
    "birth_death": birth_death,
    "mmck": mmck,
    "erlang": erlang,
    "tandem": tandem,
    "cyclic": cyclic,
    "repair": repair,
    "leader_sync3": lambda **constants: leader(3, **constants),
    "leader_sync4": lambda **constants: leader(4, **constants),
    "consensus_coin2": lambda K: consensus_coin(2, K),
    "dining_cryptographers3": lambda: dining_cryptographers(3),
    "dining_cryptographers4": lambda: dining_cryptographers(4),
}
WHOLE = {"k", "N", "start", "c", "K", "d", "n", "phases", "rounds"}
_known = {}


def constants_of(text):
    """The constants of "(a=1,b=0.5)"."""
    items = [item.split("=") for item in text.strip("() ").split(",") if item]
    return {name.strip(): int(value) if name.strip() in WHOLE else Fraction(value) for name, value in items}


def expected(model, name, constants_text):
    """The result as it is written in a property file."""
    key = model, constants_text
    if key not in _known:
        _known[key] = FORMS[model](**constants_of(constants_text))
    value = _known[key][name]
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, decimal.Decimal):
        return f"{value:.24e}"
    value = Fraction(value)
    if len(str(value)) <= 48:
        return str(value)
    return f"{decimal.Decimal(value.numerator) / decimal.Decimal(value.denominator):.24e}"


RESULT = re.compile(r"^// RESULT \((.*)\): (.*)$")
PROPERTY = re.compile(r'^"(\w+)":')


def cases(text):
    """(line number, constants, result as written, name of the property) of a property file."""
    waiting = []
    for i, line in enumerate(text.splitlines()):
        if found := RESULT.match(line):
            waiting.append((i, found[1], found[2]))
        elif found := PROPERTY.match(line):
            yield from ((n, constants, result, found[1]) for n, constants, result in waiting)
            waiting = []


def write():
    for path in sorted(MODELS.glob("*.props")):
        lines = path.read_text().splitlines()
        for i, constants, _, name in cases(path.read_text()):
            lines[i] = f"// RESULT ({constants}): {expected(path.stem, name, constants)}"
        path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__" and sys.argv[1:] == ["--write"]:
    write()
