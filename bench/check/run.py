#!/usr/bin/env python3
"""`plumb check` on the tasks of tests/tasks, as Markdown.

    run.py PLUMB [--engines auto,circuit,bmc] [--timeout 60] [--memory 4G] [--jobs 1] [--family F]… [--only tasks|witnesses|locks|large]…

tasks: a table by family and engine; witnesses: the counterexample of each unsafe task, whose witness is validated natively by
tests/system/check/witness_validator.py; locks: the 15 locks and the other programs of Noureddine's table 6.4 with their bars; large:
the amalgamation of SQLite with an assertion, which nobody decides, under limits that have to hold (its source package is fetched
at run time). Tasks without an expected verdict (floats) count as correct if they are refused. Exit code 1 for a wrong verdict, a
failure or a missed bar."""
import argparse
import json
import pathlib
import resource
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "tasks"))
sys.path.insert(0, str(ROOT / "tests" / "system" / "check"))
sys.path.insert(0, str(ROOT / "bench" / "lowering"))
from packages import Apt, run as run_to_end  # noqa: E402
from runs import Table, check, execute, judged  # noqa: E402
from validate import all_tasks  # noqa: E402
from witness_validator import Invalid, validate  # noqa: E402

PARTS = ("tasks", "witnesses", "locks", "large")
BARS = (("locks/locks_15_safe", 3), ("arrays/invert_string_safe", 60), ("loop_invariants/count_up_down_safe", 60))
DECIDED = 0.85  # of all tasks with an expected verdict, by the first engine
LARGE_LIMIT, LARGE_MEMORY = 60, 2 << 30
ASSERTION = """
#undef NDEBUG
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char text[16] = {0};
  for (int i = 0; i < 15; i++) text[i] = __VERIFIER_nondet_char();
  sqlite3 *database = 0;
  sqlite3_open(":memory:", &database);
  assert(sqlite3_exec(database, text, 0, 0, 0) != SQLITE_CORRUPT);
  return 0;
}
"""


def tasks_of(options):
    """Those with threads are for bench/explore, and here only if they are asked for."""
    return [task for task in all_tasks(options.family or ()) if options.family or not task.has_threads]


def run_tasks(options):
    """The table; gives complaints."""
    tasks, table, complaints = tasks_of(options), Table(), []
    engines = options.engines.split(",")
    pairs = [(task, engine) for engine in engines for task in tasks]

    def one(pair):
        task, engine = pair
        return check(options.plumb, task, engine, options)
    decided = expected = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for (task, engine), run in zip(pairs, pool.map(one, pairs)):
            kind = judged(task, run)
            table.add(task.family, engine, kind, run.seconds)
            if kind in ("wrong", "crash"):
                complaints.append(f"{task.family}/{task.name} with {engine}: {kind}: {run.verdict}, {run.detail}")
            if kind in ("wrong", "crash", "unknown") or options.verbose:
                print(f"{task.family}/{task.name} {engine}: {kind}: {run.verdict} in {run.seconds:.1f} s, {run.detail}", file=sys.stderr, flush=True)
            if engine == engines[0] and task.expected is not None:
                expected += 1
                decided += kind.startswith("correct")
    table.print(engines)
    print(f"{engines[0]}: {decided} of {expected} decided, {100 * decided / max(expected, 1):.1f} % ({100 * DECIDED:g} % are wanted)\n")
    if not options.family and decided < DECIDED * expected:
        complaints.append(f"{decided} of {expected} decided by {engines[0]}")
    return complaints


def run_witnesses(options):
    """Unsafe tasks whose violation witness leads a native run to the error."""
    complaints, decided, accepted = [], 0, 0
    tasks = [task for task in tasks_of(options) if task.expected is False]
    for task in tasks:
        with tempfile.TemporaryDirectory() as directory:
            command = [options.plumb, "check", str(task.definition), "--timeout", str(options.timeout), "--memory", options.memory,
                       "--out", directory, "-q"]
            if execute(command, options.timeout)[0] != 10:
                continue
            decided += 1
            for witness in pathlib.Path(directory).glob("witness*.yml"):
                try:
                    validate(witness, task.source)
                    accepted += 1
                except Invalid as problem:
                    complaints.append(f"{task.family}/{task.name}: the witness is not valid: {problem}")
    print(f"witnesses: {accepted} accepted of {decided} violations, of {len(tasks)} unsafe tasks\n", flush=True)
    return complaints


def run_bars(options):
    complaints = []
    print("| task | engine | verdict | seconds | bar |\n|---|---|---|---:|---:|")
    for name, bar in BARS:
        (task,) = all_tasks([name])
        for engine in ("circuit", "auto"):
            run = check(options.plumb, task, engine, options)
            print(f"| {name} | {engine} | {run.verdict} | {run.seconds:.2f} | {bar} |", flush=True)
            if judged(task, run) != "correct safe" or run.seconds >= bar:
                complaints.append(f"{name} with {engine}: {run.verdict} in {run.seconds:.2f} s, proved in {bar} s is wanted: {run.detail}")
    print()
    return complaints


def amalgamation(directory):
    """sqlite3.c of Debian's source package."""
    source = Apt(directory).source("sqlite3", directory / "log")
    found = list(source.rglob("sqlite3.c"))
    if not found:
        run_to_end(["sh", "-c", "./configure --disable-tcl && make sqlite3.c"], source, directory / "log")
        found = [source / "sqlite3.c"]
    return found[0]


def run_large(options):
    """Limits hold on a program that is far too large."""
    kept = ROOT / "build" / "bench" / "check"
    kept.mkdir(parents=True, exist_ok=True)
    source = kept / "sqlite3.c"
    if not source.exists():
        with tempfile.TemporaryDirectory() as directory:
            text = amalgamation(pathlib.Path(directory)).read_text()
        source.write_text(text + ASSERTION)
    complaints = []
    print("| program | engine | verdict | seconds | peak memory | reason |\n|---|---|---|---:|---:|---|")
    for engine in options.engines.split(","):
        command = [options.plumb, "check", str(source), "--engine", engine, "--timeout", str(LARGE_LIMIT), "--memory", str(LARGE_MEMORY), "--json", "-q"]
        code, output, error, seconds, peak = execute(command, LARGE_LIMIT)
        try:
            result = json.loads(output)
            verdict, reason = result["verdict"], (result.get("properties") or [{}])[0].get("reason", "")
        except (ValueError, KeyError):
            verdict, reason = "crash", f"exit code {code}: {(output + error)[-300:]}"
        print(f"| SQLite {source.stat().st_size / 1e6:.1f} MB | {engine} | {verdict} | {seconds:.1f} | {peak / 2**20:.0f} MiB | {reason} |", flush=True)
        if verdict != "unknown" or not reason or code != 20:
            complaints.append(f"SQLite with {engine}: {verdict} (exit code {code}), unknown with a reason is wanted: {reason}")
        if seconds > LARGE_LIMIT + 5 or peak > LARGE_MEMORY * 1.1:
            complaints.append(f"SQLite with {engine}: {seconds:.1f} s and {peak / 2**20:.0f} MiB, {LARGE_LIMIT} s and {LARGE_MEMORY >> 20} MiB are allowed")
    print()
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--engines", default="auto,circuit,bmc")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--family", action="append", help="a family or FAMILY/NAME")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("-v", "--verbose", action="store_true", help="each run on standard error")
    options = parser.parse_args()
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    complaints = []
    for part, run in zip(PARTS, (run_tasks, run_witnesses, run_bars, run_large)):
        if part in (options.only or (["tasks"] if options.family else PARTS)):
            complaints += run(options)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{usage.ru_utime + usage.ru_stime:.0f} s of processor time")
    for complaint in complaints:
        print(f"COMPLAINT: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
