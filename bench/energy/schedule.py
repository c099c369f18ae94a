#!/usr/bin/env python3
"""Figures 5.8a and 5.8b of the energy router's scheduling: revenue of the providers and line loss in dollars over the expected
price factor, for beta of 1 to 3 and for time-based pricing.

    schedule.py PLUMB [--out DIR] [--replications N] [--quick]

Writes schedule.csv, figure_5_8a.svg and figure_5_8b.svg into DIR (build/bench/energy) and prints Markdown: the tables, whether
each trend that the text reports is seen, and the same question for other choices of the constants that the text leaves open
(not with --quick). A trend that is not seen is a finding and no failure."""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
from trends import Verdict, every, falls, number, rises  # noqa: E402

SCENARIO = HERE.parent.parent / "models" / "energy" / "scenarios" / "five_days.toml"
BETA, FACTOR = "trust.beta", "loads.expected_price_factor"
TIME = "pricing.scheme=time"
# Where the text sees the revenue change.
CHANGES = {1: 1.3, 2: 1.6, 3: 1.9}
NEAR = 0.15  # half the distance between two of them: what is nearer to its own place than to that of another beta is around it
STEPS = {"paid": 0.01, "unpaid": 0.02, "unpaid_expensive": 0.04, "threshold_paid": 0.01, "threshold_unpaid": 0.02,
         "threshold_expensive": 0.04}


def steps(factor):
    return [f"trust.{name}={value * factor:g}" for name, value in STEPS.items()]


# Other values of what the text does not give: name, settings.
OTHERS = [
    ("as in the file", []),
    ("another seed of distances", ["lines.distance.seed=1"]),
    ("another seed of distances", ["lines.distance.seed=2"]),
    ("price by trust level", ["trust.price_basis=level"]),
    ("trust that never moves", steps(0)),
    ("steps of trust 5 times as large", steps(5)),
    ("steps of trust 100 times as large", steps(100)),
    ("initial trust 5, D = 10", ["trust.initial=5", "trust.neutral=10"]),
    ("initial trust 5, D = 5", ["trust.initial=5"]),
    ("D = 10", ["trust.neutral=10"]),
]


class Curves:
    """Means of the totals by beta and factor, and of the baseline."""

    def __init__(self, results):
        self.points, self.base = {}, None
        for entry in results:
            if "baseline" in entry:
                self.base = entry["total"]
            else:
                self.points[entry["parameters"][BETA], entry["parameters"][FACTOR]] = entry["total"]
        self.betas = sorted({beta for beta, _ in self.points})
        self.factors = sorted({factor for _, factor in self.points})

    def curve(self, beta, metric):
        return [self.points[beta, factor][metric]["mean"] for factor in self.factors]

    def baseline(self, metric):
        return self.base[metric]["mean"]

    def half(self, beta, factor, metric):
        value = self.points[beta, factor][metric]
        return value["mean"] - value["low"]


def simulate(plumb, replications, settings, *files):
    command = [plumb, "energy", str(SCENARIO), "--json", "--quiet", "--replications", str(replications),
               "--sweep", f"{BETA}=1:1:3", "--sweep", f"{FACTOR}=1:0.1:2", "--baseline", TIME, *files]
    for setting in settings:
        command += ["--set", setting]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()[:500]}")
    found = json.loads(done.stdout)
    return Curves(found["results"]), found["stats"]


def half_way(factors, values):
    """Where the curve has come half of the way from its first value to its last, on straight lines between the points.

    >>> half_way([1, 2, 3], [5, 5, 9])
    2.5
    """
    middle = (values[0] + values[-1]) / 2
    for a, b, x, y in zip(factors, factors[1:], values, values[1:]):
        if x != y and min(x, y) <= middle <= max(x, y):
            return a + (b - a) * (middle - x) / (y - x)
    return factors[-1]


def judge_change(curves, beta):
    values = curves.curve(beta, "revenue")
    rise = rises(values)
    place = half_way(curves.factors, values)
    words = f"{values[-1] / values[0] - 1:+.1%}, half of it at {place:.2f}"
    return Verdict(rise.seen and abs(place - CHANGES[beta]) <= NEAR, words)


def judge_against_time(curves, beta):
    values, base = curves.curve(beta, "revenue"), curves.baseline("revenue")
    above = sum(value > base for value in values)
    return Verdict(above == len(values), f"{above} of {len(values)} factors above {number(base)}, "
                                         f"{min(values) / base - 1:+.1%} to {max(values) / base - 1:+.1%}")


def judge(curves):
    """(figure, what the text says, verdict)."""
    last = curves.factors[-1]
    return [
        ("5.8a", "trust raises the revenue above that of time-based pricing",
         every((f"beta {b:g}", judge_against_time(curves, b)) for b in curves.betas)),
        ("5.8a", "higher beta, higher revenue",
         every((f"factor {f:g}", rises([curves.points[b, f]["revenue"]["mean"] for b in curves.betas]))
               for f in (curves.factors[0], last))),
        ("5.8a", "revenue rises around a factor of 1.3, 1.6, 1.9 for beta 1, 2, 3",
         every((f"beta {b:g}", judge_change(curves, b)) for b in curves.betas)),
        ("5.8b", "higher beta, higher line loss",
         every((f"factor {f:g}", rises([curves.points[b, f]["line_loss"]["mean"] for b in curves.betas]))
               for f in (curves.factors[0], last))),
        ("5.8b", "a higher factor lowers line loss",
         every((f"beta {b:g}", falls(curves.curve(b, "line_loss"))) for b in curves.betas)),
        ("5.8b", "beta 1 has less line loss than time-based pricing where the factor is high",
         Verdict(curves.curve(1, "line_loss")[-1] < curves.baseline("line_loss"),
                 f"{number(curves.curve(1, 'line_loss')[-1])} against {number(curves.baseline('line_loss'))}")),
    ]


def show(curves, figure, metric, title):
    print(f"\n### Figure {figure}: {title}, millions of dollars\n")
    print("| factor | " + " | ".join(f"beta = {b:g}" for b in curves.betas) + " | time-based |")
    print("|---:|" + "---:|" * (len(curves.betas) + 1))
    for i, factor in enumerate(curves.factors):
        cells = [f"{curves.curve(b, metric)[i] / 1e6:.3f} ± {curves.half(b, factor, metric) / 1e6:.3f}" for b in curves.betas]
        print(f"| {factor:g} | " + " | ".join(cells) + f" | {curves.baseline(metric) / 1e6:.3f} |")


def show_others(plumb, replications):
    """Which trends survive other values of the open constants."""
    print("\n### The same with other values of the constants that the text leaves open\n")
    header = None
    for name, settings in OTHERS:
        verdicts = judge(simulate(plumb, replications, settings)[0])
        if header is None:
            header = [claim for _, claim, _ in verdicts]
            print("| | " + " | ".join(header) + " |\n|---|" + "---|" * len(header))
        print(f"| {name} | " + " | ".join("seen" if verdict.seen else "not seen" for _, _, verdict in verdicts) + " |")
        sys.stdout.flush()


def run(plumb, out, replications=500, is_quick=False):
    """Prints everything and writes the files."""
    out.mkdir(parents=True, exist_ok=True)
    curves, stats = simulate(plumb, replications, [], "--csv", str(out / "schedule.csv"), "--metric", "revenue", "--plot",
                             str(out / "figure_5_8a.svg"))
    simulate(plumb, replications, [], "--metric", "line_loss", "--plot", str(out / "figure_5_8b.svg"))
    print(f"\n## Scheduling: {stats['loads']} loads, {stats['providers']} providers, {stats['windows']} windows, means of "
          f"{replications} replications with confidence intervals of 95 %")
    show(curves, "5.8a", "revenue", "revenue of all providers")
    show(curves, "5.8b", "line_loss", "line loss")
    print(f"\n{len(curves.points) + 1} scenarios, {replications} replications each, {stats['events']:,} events in "
          f"{stats['seconds']:.1f} s")
    print("\n### What the text reports\n\n| figure | trend | |\n|---|---|---|")
    for figure, claim, verdict in judge(curves):
        print(f"| {figure} | {claim} | {verdict} |")
    sys.stdout.flush()
    if not is_quick:
        show_others(plumb, max(2, replications // 5))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench/energy"))
    parser.add_argument("--replications", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="without other values of the open constants")
    arguments = parser.parse_args()
    run(arguments.plumb, arguments.out, arguments.replications, arguments.quick)
    return 0


if __name__ == "__main__":
    sys.exit(main())
