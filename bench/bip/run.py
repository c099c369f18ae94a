#!/usr/bin/env python3
"""The BIP{I} tables: `plumb bip` beside Noureddine's figures, as Markdown.

    run.py PLUMB [--quick] [--only atm|quorum]… [--timeout SECONDS] [--engines NAMES] [--provers NAMES] [NAME…]

Tables 7.1 (deadlock freedom of the ATM) and 7.2 (both invariants of the Quorum protocol) and sizes beyond, with each engine of
BIP: two-cycle, which is Noureddine's, one-cycle, parallel. NAME picks models: 'ATM 4', '4-2-v'. An engine that does not decide a
model within the limit (3600 s; --quick: 60 s, and no models beyond Noureddine's) is not asked about larger ones of its kind. Bars hold for the
best engine. Exit code 1 for a wrong verdict or a missed bar."""
import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import cases

PARTS = ("atm", "quorum")
ENGINES = ("two-cycle", "one-cycle", "parallel")
SIZES_LIMIT = 20  # seconds for ABC to reduce a circuit whose proof did not wait for it


def processor_seconds():
    """Of all processes that this one has run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass
class Run:
    verdict: str  # of all properties; "unknown" if the limit came first
    seconds: float
    cpu: float  # of all its processes
    provers: str
    steps: int | None  # of the longest counterexample
    result: dict


class Bench:
    def __init__(self, plumb, limit, provers):
        self.plumb, self.limit, self.provers, self.complaints, self.bars = plumb, limit, provers, [], []

    def run(self, case, engine, limit=None, *arguments):
        """One run of the command, and its wall time."""
        limit = limit or self.limit
        provers = ["--provers", self.provers] if self.provers and "--provers" not in arguments else []
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "model.bip")
            path.write_text(case.text)
            command = [str(self.plumb), "bip", str(path), "--engine", engine, *case.arguments,
                       "--json", "-q", "--timeout", str(limit), *provers, *arguments]
            start, used = time.monotonic(), processor_seconds()
            done = subprocess.run(command, capture_output=True, text=True)
            seconds, used = time.monotonic() - start, processor_seconds() - used
        if done.returncode not in (0, 10, 20):
            raise RuntimeError(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr[-1500:]}")
        result = json.loads(done.stdout)
        found = result["properties"]
        provers = {p["engine"] for p in found if p.get("engine")}
        steps = max((p["bound"] for p in found if p["verdict"] == "violated"), default=None)
        run = Run(result["verdict"], seconds, used, ", ".join(sorted(provers)), steps, result)
        if run.verdict not in (case.expected, "unknown", "holds up to"):
            self.complaints.append(f"{case.name}, {engine}: {run.verdict} instead of {case.expected}")
        return run

    def check_bar(self, case, runs):
        if case.bar is None or not runs:
            return
        decided = [run.seconds for run in runs if run.verdict == case.expected]
        measured = f"{min(decided):.2f} s" if decided else f"not in {self.limit:g} s"
        met = bool(decided) and min(decided) < case.bar
        self.bars.append((f"{case.name} in {case.bar:g} s", measured, "met" if met else "missed"))
        if not met:
            self.complaints.append(f"{case.name}: {measured}, {case.bar:g} s are wanted")


def sizes(result):
    """Latches, ands and levels before and after reduction, of the largest circuit; empty if no answer waited for ABC."""
    found = [p["reduction"] for p in result["properties"] if p.get("reduction") and p["reduction"]["steps"]]
    if not found:
        return (), ()
    largest = max(found, key=lambda r: r["before"]["and"])
    return tuple(tuple(largest[when][part] for part in ("lat", "and", "lev")) for when in ("before", "after"))


def size_text(size):
    return " ".join(f"{number:,}" for number in size) if size else ""


def seconds_text(seconds):
    return "" if seconds is None else f"{seconds:,g}"


def ratio_text(case, run):
    if case.paper.seconds is None or run.verdict != case.expected:
        return ""
    ratio = case.paper.seconds / run.seconds
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2f}"


def measure(bench, found, engines):
    print("Sizes are latches, ands and levels. The paper's and NuSMV's seconds are those that Noureddine (2014) prints, with its two-cycle engine.\n")
    print("| model | engine | before | paper | after | paper | verdict | prover | steps | seconds | processor | paper's seconds | paper/ours | NuSMV |")
    print("|---|---|---|---|---|---|---|---|---:|---:|---:|---:|---:|---:|", flush=True)
    out = set()  # what met the limit: (engine, expected verdict)
    for case in found:
        runs = []
        for engine in engines:
            if (engine, case.expected) in out:
                continue
            run = bench.run(case, engine)
            runs.append(run)
            before, after = sizes(run.result)
            if not after:
                before, after = sizes(bench.run(case, engine, SIZES_LIMIT, "--provers", "abc pdr").result)
            if run.verdict != case.expected:
                out.add((engine, case.expected))
            print(f"| {case.name} | {engine} | {size_text(before)} | {size_text(case.paper.before)} | {size_text(after)} | {size_text(case.paper.after)} "
                  f"| {run.verdict} | {run.provers} | {'' if run.steps is None else run.steps} | {run.seconds:.2f} | {run.cpu:.2f} "
                  f"| {seconds_text(case.paper.seconds)} | {ratio_text(case, run)} | {seconds_text(case.paper.nusmv)} |", flush=True)
        bench.check_bar(case, runs)
    print()


def print_bars(bars):
    if bars:
        print("| bar | measured | |\n|---|---|---|")
        for row in bars:
            print(f"| {' | '.join(row)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--provers", default="")
    options = parser.parse_intermixed_args()
    bench = Bench(options.plumb.resolve(), options.timeout or (60 if options.quick else 3600), options.provers)
    parts = {"atm": cases.atm_cases(), "quorum": cases.quorum_cases()}
    for name, found in parts.items():
        chosen = [c for c in found if not (options.quick and c.is_long) and (not options.names or any(n in c.name for n in options.names))]
        if chosen and (not options.only or name in options.only):
            measure(bench, chosen, options.engines.split(","))
    print_bars(bench.bars)
    for text in bench.complaints:
        print(text, file=sys.stderr)
    sys.exit(1 if bench.complaints else 0)


if __name__ == "__main__":
    main()
