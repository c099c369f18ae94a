#!/usr/bin/env python3
"""The programs of the paper on backjumping, by `plumb check`, as Markdown.

    run.py PLUMB [--only PART]… [--engines paths,bmc,circuit] [--timeout 60] [--memory 4G] [--quick] [--processor]

table1 to table4: those of Collavizza, Vinh, Ponsini, Rueher and Rollet, "Constraint-based BMC: a backjumping strategy", beside what
our engines take for the same: properties 1, 3b and 4 of the Flasher Manager (examples/flasher) and binary search; beyond: the
properties that no tool of the paper decided, and runs without an end; small: its small programs, right and wrong; arrays: searches
with all engines together. An engine that misses the limit at a size is not asked about greater ones. Engines that this plumb does
not have are left out, with their bars. --quick: 10 s each and the smaller sizes, no bars. --processor: seconds of processor time, all
threads and processes together, for a machine that is busy. Exit code 1 for a wrong verdict or a missed bar."""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench" / "check"))
from runs import execute  # noqa: E402

FLASHER, PROGRAMS = ROOT / "examples" / "flasher", HERE / "programs"
WANTED = ("paths", "bmc", "circuit")
LATE = "T.O."
# The paper's seconds, which has ten minutes for each; of table 1 at ten unfoldings.
TABLE1 = {10: {"CBMC": 1.12, "CBMC z3": 3.55, "DPVS": 3.97, "DPVS z3": 4.23}}
TABLE2 = {10: {"CBMC": 0.56, "CBMC z3": 0.7, "DPVS": 3.04, "DPVS z3": 3.44},
          50: {"CBMC": 6.56, "CBMC z3": 7.11, "DPVS": 16.59, "DPVS z3": 21.02},
          100: {"CBMC": 44.71, "CBMC z3": 53.72, "DPVS": 37.47, "DPVS z3": 55.92},
          200: {"CBMC": 202.18, "CBMC z3": 288.76, "DPVS": 94.8, "DPVS z3": 155.33},
          300: {"CBMC": 510.91, "CBMC z3": LATE, "DPVS": 152.88, "DPVS z3": 307.65},
          400: {"CBMC": LATE, "CBMC z3": LATE, "DPVS": 248.31, "DPVS z3": 576.18}}
TABLE3 = {10: {"CBMC": 0.99, "DPVS": 2.11}, 50: {"CBMC": 20.8, "DPVS": 7.69}, 100: {"CBMC": 154.73, "DPVS": 16.01},
          200: {"CBMC": LATE, "DPVS": 50.69}, 400: {"CBMC": LATE, "DPVS": 87.64}, 800: {"CBMC": LATE, "DPVS": 227.5},
          1600: {"CBMC": LATE, "DPVS": 558.02}, 6400: {}}
TABLE4 = {4: {"CBMC": 5.732, "DPVS": 0.529, "CPBPV": 0.107}, 8: {"CBMC": 110.081, "DPVS": 35.074, "CPBPV": 0.298},
          16: {"CBMC": LATE, "DPVS": LATE, "CPBPV": 1.149}, 32: {"CBMC": LATE, "DPVS": LATE, "CPBPV": 5.357},
          64: {"CBMC": LATE, "DPVS": LATE, "CPBPV": 27.714}, 128: {"CBMC": LATE, "DPVS": LATE, "CPBPV": 153.646}}
QUICK_SIZE = 100


@dataclass
class Case:
    name: str
    sources: list
    flags: list
    expected: str
    bar: tuple = ()  # engine ("any": whichever is first) and seconds


def flasher(property, cycles, expected, bar=()):
    flags = [f"-DCYCLES={cycles}"] if cycles else []
    return Case(f"property {property}, {f'{cycles} cycles' if cycles else 'endless'}", [FLASHER / f"prop{property}.c", FLASHER / "flasher.c"], flags, expected, bar)


def program(name, expected, *flags, bar=()):
    return Case(" ".join([name, *flags]), [PROGRAMS / f"{name}.c"], list(flags), expected, bar)


def processor_seconds():
    """Of all processes that this one has run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@dataclass
class Run:
    verdict: str  # "crash" for anything but a verdict
    seconds: float
    detail: str


class Bench:
    def __init__(self, options):
        self.options, self.complaints, self.bars = options, [], []
        known = subprocess.run([options.plumb, "check", "--help"], capture_output=True, text=True).stdout
        listed = re.search(r"side by side. Programs: ([^;]*);", " ".join(known.split()))[1].split(", ")
        self.engines = [engine for engine in options.engines.split(",") if engine in listed]
        for engine in options.engines.split(","):
            if engine not in listed:
                print(f"This plumb has no engine {engine}.\n")

    def check(self, case, engine):
        """One run of the command; a wrong verdict is a complaint."""
        command = [self.options.plumb, "check", *map(str, case.sources), *case.flags, "--engine", engine, "--timeout", str(self.options.timeout),
                   "--memory", self.options.memory, "--json", "-q"]
        used = processor_seconds()
        code, output, error, seconds, _ = execute(command, self.options.timeout)
        if self.options.processor:
            seconds = processor_seconds() - used
        try:
            result = json.loads(output)
            properties = result.get("properties") or [{}]
            run = Run(result["verdict"], seconds, f"{properties[0].get('engine', '')} {properties[0].get('reason', '')}")
        except (ValueError, KeyError):
            run = Run("crash", seconds, f"exit code {code}: {(output + error)[-300:]}")
        if run.verdict not in (case.expected, "unknown", "holds up to"):
            self.complaints.append(f"{case.name} with {engine}: {run.verdict} instead of {case.expected}: {run.detail}")
        return run

    def judge(self, case, runs):
        """Holds the bar of a case, if it has one, against its runs by engine."""
        if not case.bar or self.options.quick:
            return
        engine, bar = case.bar
        asked = {name: run for name, run in runs.items() if engine in (name, "any")}
        if not asked:
            return
        best = min((run.seconds for run in asked.values() if run.verdict == case.expected), default=None)
        measured = f"{best:.2f} s" if best is not None else f"not in {self.options.timeout:g} s"
        is_met = best is not None and best <= bar
        self.bars.append((f"{case.name} by {'some engine' if engine == 'any' else engine} in {bar:g} s", measured, "met" if is_met else "missed"))
        if not is_met:
            self.complaints.append(f"{case.name}: {measured}, {bar:g} s are wanted of {engine}")

    def run_case(self, case, engines):
        runs = {engine: self.check(case, engine) for engine in engines}
        self.judge(case, runs)
        return runs

    def table(self, title, first, cases, paper):
        """A row per case (by the number in its first column) with the paper's columns and those of our engines."""
        columns = list(dict.fromkeys(column for row in paper.values() for column in row))
        print(f"### {title}\n")
        head(first, *(f"{column} (paper)" for column in columns), *self.engines)
        late = set()
        for number, case in cases.items():
            if self.options.quick and number > QUICK_SIZE:
                break
            runs = self.run_case(case, [engine for engine in self.engines if engine not in late or engine in case.bar])
            late |= {engine for engine, run in runs.items() if run.verdict != case.expected}
            say(number, *(paper.get(number, {}).get(column, "") for column in columns), *(cell(case, runs.get(engine)) for engine in self.engines))
        print()

    def plain(self, title, cases, engines):
        print(f"### {title}\n")
        head("program", "expected", *engines)
        for case in cases:
            runs = self.run_case(case, engines)
            say(case.name, case.expected, *(cell(case, run) for run in runs.values()))
        print()


def say(*cells):
    print("| " + " | ".join(str(each) for each in cells) + " |", flush=True)


def head(*cells):
    say(*cells)
    print("|---" + "|---:" * (len(cells) - 1) + "|")


def cell(case, run):
    if run is None:
        return ""
    return f"{run.seconds:.2f}" if run.verdict == case.expected else "–" if run.verdict in ("unknown", "holds up to") else f"**{run.verdict}**"


def table1(bench):
    cases = {10: flasher("1", 10, "violated", ("paths", 0.3))}
    bench.table("Table 1: property 1, seconds", "cycles", cases, TABLE1)


def table2(bench):
    cases = {cycles: flasher("3b", cycles, "holds", ("paths", 1) if cycles == 400 else ()) for cycles in TABLE2}
    bench.table("Table 2: property 3b, seconds", "cycles", cases, TABLE2)


def table3(bench):
    bars = {1600: ("paths", 3), 6400: ("paths", 15)}
    cases = {cycles: flasher("4", cycles, "violated", bars.get(cycles, ())) for cycles in TABLE3}
    bench.table("Table 3: property 4, seconds", "cycles", cases, TABLE3)


def table4(bench):
    cases = {size: program("binary_search", "holds", f"-DN={size}", bar=("paths", 10) if size == 128 else ()) for size in TABLE4}
    bench.table("Table 4: binary search in 16-bit integers, seconds", "elements", cases, TABLE4)


def beyond(bench):
    limit = bench.options.timeout
    cases = [flasher("2", 10, "holds", ("any", limit)), flasher("3a", 120, "holds", ("any", limit)), flasher("3a", 200, "holds", ("any", limit)),
             flasher("2", None, "holds", ("any", limit)), flasher("3a", None, "holds", ("any", limit)), flasher("3b", None, "holds", ("any", limit))]
    bench.plain("What the paper left open, seconds", cases, bench.engines)


def small(bench):
    cases = [program("foo", "violated"), program("tritype", "holds", bar=("any", 0.2)), program("tritype", "violated", "-DWRONG", bar=("any", 0.2)),
             program("advisory", "holds", bar=("any", 0.2)), program("advisory", "violated", "-DWRONG", bar=("any", 0.2))]
    bench.plain("Small programs, seconds", cases, bench.engines)


def arrays(bench):
    cases = [program("linear_search", "holds", "-DN=127", bar=("auto", 3)), program("binary_search", "holds", "-DN=31", "-DT=int", bar=("auto", 10)),
             program("binary_search", "holds", "-DN=63", "-DT=int", bar=("auto", 60)), program("linear_search", "holds", "-DN=255", "-DT=char")]
    bench.plain("Searches in arrays, seconds", cases, ["auto", *bench.engines])


PARTS = {"table1": table1, "table2": table2, "table3": table3, "table4": table4, "beyond": beyond, "small": small, "arrays": arrays}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--engines", default=",".join(WANTED))
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--processor", action="store_true")
    options = parser.parse_args()
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    options.timeout = options.timeout or (10 if options.quick else 60)
    bench = Bench(options)
    for name, part in PARTS.items():
        if name in (options.only or PARTS):
            part(bench)
    if bench.bars:
        print("| bar | measured | |\n|---|---|---|")
        for row in bench.bars:
            say(*row)
    for complaint in bench.complaints:
        print(f"COMPLAINT: {complaint}")
    return 1 if bench.complaints else 0


if __name__ == "__main__":
    sys.exit(main())
