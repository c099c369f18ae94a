#!/usr/bin/env python3
"""The {P}S{Q} tables: `plumb prove` beside Noureddine's figures, as Markdown.

    run.py PLUMB [--quick] [--only standard|engines|bugs|competition]… [--limit SECONDS] [--engines NAMES] [NAME…]

standard: tables 6.1 and 6.2 of Noureddine (2014) and widths beyond, with sizes and the portfolio's time; engines: each engine's own time on
the same; bugs: the same programs with a bug; competition: table 6.4. NAME picks programs. A program's widths end at the
first that no engine decides within the limit (120 s; --quick: 10 s, and no widths beyond Noureddine's). Bars of the standard
programs and of 15 locks are checked. Exit code 1 for a wrong verdict or a missed bar."""
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

PARTS = ("standard", "engines", "bugs", "competition")
SIZES_LIMIT = 20  # seconds for ABC to reduce a circuit whose proof did not wait for it


def processor_seconds():
    """Of all processes that this one has run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass
class Run:
    verdict: str  # "unknown" if the limit came first
    seconds: float
    cpu: float  # of all its processes
    engine: str
    result: dict


class Bench:
    def __init__(self, plumb, limit):
        self.plumb, self.limit, self.complaints, self.bars = plumb, limit, [], []

    def prove(self, case, limit=None, *arguments):
        """One run of the command, and its wall time."""
        limit = limit or self.limit
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "program.tiny")
            path.write_text(case.text)
            size = ["--array", str(case.array)] if case.array else []
            command = [str(self.plumb), "prove", str(path), "-b", str(case.bits), *size, "--json", "-q", "--timeout", str(limit), *arguments]
            start, used = time.monotonic(), processor_seconds()
            done = subprocess.run(command, capture_output=True, text=True)
            seconds, used = time.monotonic() - start, processor_seconds() - used
        if done.returncode not in (0, 10, 20):
            raise RuntimeError(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr[-1500:]}")
        result = json.loads(done.stdout)
        engines = {p["engine"] for p in result["properties"] if p.get("engine")}
        run = Run(result["verdict"], seconds, used, ", ".join(sorted(engines)), result)
        if run.verdict not in (case.expected, "unknown", "holds up to"):
            self.complaints.append(f"{case.name} at {case.bits} bits: {run.verdict} instead of {case.expected} {' '.join(arguments)}")
        return run

    def engines(self, case):
        """All that run by default."""
        return list(dict.fromkeys(engine["name"] for each in self.prove(case).result["properties"] for engine in each["engines"]))

    def decided(self, case, run):
        return run.verdict == case.expected

    def check_bar(self, case, run):
        if case.bar is None:
            return
        measured = f"{run.seconds:.2f} s" if self.decided(case, run) else f"not in {self.limit:g} s"
        met = self.decided(case, run) and run.seconds < case.bar
        self.bars.append((f"{case.name} at {case.bits} bits in {case.bar:g} s", measured, "met" if met else "missed"))
        if not met:
            self.complaints.append(f"{case.name} at {case.bits} bits: {measured}, {case.bar:g} s are wanted")


def by_name(found):
    """Cases in groups of one program, by width."""
    groups = {}
    for case in found:
        groups.setdefault(case.name, []).append(case)
    return groups.values()


def size_text(size):
    return " ".join(f"{number:,}" for number in size) if size else ""


def sizes(result):
    """Latches, ands and levels before and after reduction; empty if the answer did not wait for ABC."""
    reduction = result["stats"].get("reduction")
    if not reduction or not reduction["steps"]:
        return (), ()
    return tuple(tuple(reduction[when][part] for part in ("lat", "and", "lev")) for when in ("before", "after"))


def paper_seconds(figures):
    if figures is None or figures.seconds is None:
        return ""
    return f"{figures.seconds:,g}" + ("" if figures.proved else " (not proved)")


def ratio_text(case, run, decided):
    if case.paper is None or case.paper.seconds is None or not decided:
        return ""
    return f"{'' if case.paper.proved else '> '}{case.paper.seconds / run.seconds:,.1f}"


def measure_standard(bench, groups):
    print("Sizes are latches, ands and levels. CBMC's seconds are Noureddine's.\n")
    print("| program | b | elements | before | paper | after | paper | verdict | engine | seconds | processor | paper's seconds | paper/ours | CBMC |")
    print("|---|---:|---:|---|---|---|---|---|---|---:|---:|---:|---:|---:|", flush=True)
    for group in groups:
        for case in group:
            run = bench.prove(case)
            before, after = sizes(run.result)
            if not after:
                before, after = sizes(bench.prove(case, SIZES_LIMIT, "--engine", "abc pdr").result)
            paper = case.paper or cases.Figures()
            decided = bench.decided(case, run)
            print(f"| {case.name} | {case.bits} | {case.elements} | {size_text(before)} | {size_text(paper.before)} | {size_text(after)} | {size_text(paper.after)} "
                  f"| {run.verdict} | {run.engine} | {run.seconds:.2f} | {run.cpu:.2f} | {paper_seconds(case.paper)} | {ratio_text(case, run, decided)} "
                  f"| {'' if paper.cbmc is None else paper.cbmc} |", flush=True)
            bench.check_bar(case, run)
            if not decided:
                break
    print()


def measure_engines(bench, groups, engines):
    print(f"Seconds of each engine alone, at most {bench.limit:g}.\n")
    print(f"| program | b | elements | {' | '.join(engines)} |\n|---|---:|---:|{'---:|' * len(engines)}", flush=True)
    for group in groups:
        out = set()  # engines that met the limit at a smaller width
        for case in group:
            cells = []
            for engine in engines:
                if engine in out:
                    cells.append("")
                    continue
                run = bench.prove(case, None, "--engine", engine)
                if not bench.decided(case, run):
                    out.add(engine)
                cells.append(f"{run.seconds:.2f}" if bench.decided(case, run) else "–")
            print(f"| {case.name} | {case.bits} | {case.elements} | {' | '.join(cells)} |", flush=True)
            if len(out) == len(engines):
                break
    print()


def measure_bugs(bench, found):
    print("| program and bug | b | violated | steps | engine | seconds |\n|---|---:|---|---:|---|---:|", flush=True)
    for case in found:
        run = bench.prove(case)
        violated = [p for p in run.result["properties"] if p["verdict"] == "violated"]
        print(f"| {case.name} | {case.bits} | {', '.join(p['name'] for p in violated) or run.verdict} "
              f"| {min((p['bound'] for p in violated), default='')} | {run.engine} | {run.seconds:.2f} |", flush=True)
        if not violated:
            bench.complaints.append(f"{case.name}: the bug is not found ({run.verdict})")
    print()


def measure_competition(bench, found):
    print("Gold, silver and bronze are the three best tools of SV-COMP 2013 by Noureddine's account.\n")
    print("| program | verdict | engine | seconds | paper | paper/ours | gold | silver | bronze |\n|---|---|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for case in found:
        run = bench.prove(case)
        decided = bench.decided(case, run)
        others = " | ".join(f"{seconds:g}" for seconds in cases.COMPETITION[case.name][1:])
        print(f"| {case.name} | {run.verdict} | {run.engine} | {run.seconds:.2f} | {paper_seconds(case.paper)} | {ratio_text(case, run, decided)} | {others} |", flush=True)
        bench.check_bar(case, run)
        if not decided:
            bench.complaints.append(f"{case.name}: {run.verdict}, {case.expected} is right")
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
    parser.add_argument("--limit", type=float)
    parser.add_argument("--engines", help="separated by commas; all that run by default")
    options = parser.parse_intermixed_args()
    bench = Bench(options.plumb.resolve(), options.limit or (10 if options.quick else 120))

    def chosen(found):
        found = [c for c in found if not options.names or any(name in c.name for name in options.names)]
        return [c for c in found if c.paper] if options.quick and found and found[0].expected == "holds" else found

    standard = list(by_name(chosen(cases.standard_cases())))
    parts = {
        "standard": lambda: standard and measure_standard(bench, standard),
        "engines": lambda: standard and measure_engines(bench, standard, options.engines.split(",") if options.engines else bench.engines(standard[0][0])),
        "bugs": lambda: measure_bugs(bench, chosen(cases.bug_cases())),
        "competition": lambda: measure_competition(bench, chosen(cases.competition_cases())),
    }
    for name, part in parts.items():
        if not options.only or name in options.only:
            part()
    print_bars(bench.bars)
    for text in bench.complaints:
        print(text, file=sys.stderr)
    sys.exit(1 if bench.complaints else 0)


if __name__ == "__main__":
    main()
