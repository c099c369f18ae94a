#!/usr/bin/env python3
"""Figures 5.3 to 5.8 of the energy router: plots, tables, and in words which of the trends that the text reports are seen.

    run.py PLUMB [--out DIR] [--full] [--only NAME]… [--timeout TIME]

Writes into DIR (build/bench/energy) for every experiment its numbers (NAME.csv) and its plots (figure_5_3.svg, …), and
prints Markdown. Without --full models are reduced and all takes minutes; --full has the text's sizes and takes days
(README.md). --only picks experiments: multi, single_failure, single_operations, trade_beta1, trade_beta3, trade_free,
schedule.
Exit code 1 if a number is missing. A trend that is not seen is a finding and no failure."""
import argparse
import csv
import pathlib
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
import figures  # noqa: E402
import trends  # noqa: E402

MODELS = HERE.parent.parent / "models" / "energy"


class Failure(Exception):
    pass


def run(experiment, arguments):
    """Asks plumb and returns the rows of its table by property."""
    table = arguments.out / f"{experiment.name}.csv"
    plot = arguments.out / f"{experiment.name}.svg"
    command = [arguments.plumb, "prob", str(MODELS / f"{experiment.model}.prism"), str(MODELS / f"{experiment.model}.props"),
               "--quiet", "--const", experiment.constants(arguments.full), "--csv", str(table), "--plot", str(plot),
               "--x", experiment.x]
    for text in experiment.props:
        command += ["--prop", text]
    for name in experiment.figures:
        command += ["--property", name]
    if arguments.timeout:
        command += ["--timeout", arguments.timeout]
    table.unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if not table.exists():
        raise Failure(f"{experiment.name}: exit code {done.returncode}: {done.stderr.strip()[:500]}")
    with table.open(newline="") as file:
        rows = list(csv.DictReader(file))
    missing = [row for row in rows if not row["value"]]
    if missing:
        raise Failure(f"{experiment.name}: {len(missing)} of {len(rows)} numbers are missing: {missing[0]['reason']}")
    name_plots(experiment, plot)
    return {name: [row for row in rows if row["property"] == name] for name in experiment.figures}


def name_plots(experiment, plot):
    """Gives plots the names of their figures."""
    for name, figure in experiment.figures.items():
        made = plot if len(experiment.figures) == 1 else plot.with_name(f"{plot.stem}-{name}.svg")
        if figure is None:
            made.unlink(missing_ok=True)
        elif made.exists():
            made.replace(plot.with_name(f"figure_{figure.replace('.', '_')}.svg"))


def other_constant(experiment):
    """That which tells the curves apart."""
    names = [part.split("=")[0] for part in experiment.small.split(",") if ":" in part]
    return next(name for name in names if name != experiment.x)


def show(experiment, name, table, rows):
    sizes = [int(row["states"]) for row in rows]
    print(f"\n### Figure {experiment.figures[name]}: `{name}` of {experiment.model}, "
          f"{min(sizes):,} to {max(sizes):,} states\n")
    print(f"| {table.x} | " + " | ".join(table.name(c) for c in table.curves) + " |")
    print("|---:|" + "---:|" * len(table.curves))
    for x in table.xs:
        print(f"| {x:g} | " + " | ".join(trends.number(table.values[c, x]) for c in table.curves) + " |")


def judge(tables):
    """(figure, what the text says, verdict) for everything that was run."""
    found = []
    if "failure" in tables.get("multi", {}):
        found += figures.judge_multi(tables["multi"]["failure"])
    if "single_failure" in tables:
        found += figures.judge_failure(tables["single_failure"]["failure"], tables["single_failure"]["cell_part"])
    if "single_operations" in tables:
        found += figures.judge_operations(tables["single_operations"]["operations"])
    if "trade_beta1" in tables and "trade_beta3" in tables:
        one, three = tables["trade_beta1"], tables["trade_beta3"]
        found += figures.judge_cost(one["least_cost"], three["least_cost"])
        found += figures.judge_loss(one["most_loss"], three["most_loss"])
    if "trade_free" in tables:
        found += figures.judge_free(tables["trade_free"]["least_cost"], tables["trade_free"]["most_loss"])
    return found


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench/energy"))
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--timeout", help="of each experiment, as plumb takes it: 30s, 10m, 2h")
    arguments = parser.parse_args()
    known = [e.name for e in figures.EXPERIMENTS] + ["schedule"]
    for name in arguments.only:
        if name not in known:
            parser.error(f"there is no experiment '{name}'; there are {', '.join(known)}")
    return arguments


def main():
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    wanted = lambda name: not arguments.only or name in arguments.only
    print(f"## Energy router: {'the sizes of the text' if arguments.full else 'reduced sizes'}")
    tables, failures = {}, []
    for experiment in figures.EXPERIMENTS:
        if not wanted(experiment.name) or not experiment.constants(arguments.full):
            continue
        start = time.monotonic()
        try:
            rows = run(experiment, arguments)
        except Failure as failure:
            failures.append(str(failure))
            continue
        curve = other_constant(experiment)
        tables[experiment.name] = {name: figures.Table(rows[name], experiment.x, curve) for name in rows}
        for name, figure in experiment.figures.items():
            if figure:
                show(experiment, name, tables[experiment.name][name], rows[name])
        print(f"\n{sum(len(each) for each in rows.values())} numbers in {time.monotonic() - start:.0f} s "
              f"(`{experiment.constants(arguments.full)}`)")
        sys.stdout.flush()
    print("\n### What the text reports\n\n| figure | trend | |\n|---|---|---|")
    for figure, claim, verdict in judge(tables):
        print(f"| {figure} | {claim} | {verdict} |")
    sys.stdout.flush()
    if wanted("schedule"):
        command = [sys.executable, str(HERE / "schedule.py"), arguments.plumb, "--out", str(arguments.out)]
        done = subprocess.run(command, check=False)
        if done.returncode:
            failures.append(f"schedule: exit code {done.returncode}")
    for failure in failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
