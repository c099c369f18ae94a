#!/usr/bin/env python3
"""Runs plumb, z3 and cvc5 on a generated solver benchmark and prints the comparison as Markdown.

Every tool gets the same time, memory and core. A problem counts as solved if each of its queries was answered sat or unsat. PAR-2
is the time of a solved problem and twice the limit of any other. Answers that contradict each other, or the answer that the
generator knows, are printed on standard error and make the exit code 1."""

import argparse
import csv
import json
import os
import queue
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NATIVE, OTHERS = "plumb", ("z3", "cvc5")
QUICK = 5  # problems a family


@dataclass
class Run:
    family: str
    problem: str
    tool: str
    seconds: float
    end: str  # "done", "timeout" or the reason of a failure
    answers: list
    queries: int

    @property
    def solved(self):
        return self.end == "done" and len(self.answers) == self.queries and "unknown" not in self.answers


def command(tool, problem, path, plumb):
    if tool == "plumb":
        return [plumb, "solve", "--backend", "native", str(path)]
    if tool == "cvc5":
        return ["cvc5"] + (["--incremental"] if problem["incremental"] else []) + [str(path)]
    return [tool, str(path)]


def kill_group(child):
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def execute(arguments, limit, memory, core):
    """Wall time, how it ended, and the answers printed until then."""

    def confine():
        os.sched_setaffinity(0, {core})
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    with tempfile.TemporaryFile() as output:
        start = time.monotonic()
        child = subprocess.Popen(arguments, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                                 start_new_session=True, preexec_fn=confine)
        timed_out = threading.Event()

        def stop():
            timed_out.set()
            kill_group(child)

        timer = threading.Timer(limit, stop)
        timer.start()
        child.wait()
        seconds = time.monotonic() - start
        timer.cancel()
        timer.join()
        kill_group(child)  # what the tool may have started itself
        output.seek(0)
        lines = output.read().decode(errors="replace").splitlines()
    answers = [line for line in lines if line in ("sat", "unsat", "unknown")]
    errors = [line for line in lines if "error" in line.lower()]
    if timed_out.is_set() or seconds > limit:
        return limit, "timeout", answers
    if child.returncode < 0:
        return seconds, f"signal {-child.returncode}", answers
    return seconds, errors[0][:200] if errors else "done", answers


def run_all(problems, options):
    """All runs, in the order of problems and tools. With several jobs each worker keeps a core of its own."""
    work = queue.Queue()
    for problem in problems:
        for tool in options.tools:
            work.put((problem, tool))
    runs, total, lock = {}, work.qsize(), threading.Lock()

    def worker(core):
        while True:
            try:
                problem, tool = work.get_nowait()
            except queue.Empty:
                return
            arguments = command(tool, problem, options.directory / problem["file"], options.plumb)
            seconds, end, answers = execute(arguments, options.timeout, options.memory << 20, core)
            run = Run(problem["family"], problem["name"], tool, round(seconds, 4), end, answers, problem["queries"])
            with lock:
                runs[problem["family"], problem["name"], tool] = run
                if options.verbose:
                    state = "solved" if run.solved else run.end if run.end != "done" else "unknown"
                    answer = answers[0] if run.solved and run.queries == 1 else f"{len(answers)} of {run.queries}"
                    print(f"[{len(runs)}/{total}] {run.family}/{run.problem} {tool}: {state}, {answer}, {seconds:.2f} s",
                          file=sys.stderr, flush=True)

    cores = sorted(os.sched_getaffinity(0))[-options.jobs:]
    threads = [threading.Thread(target=worker, args=(core,)) for core in cores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [runs[p["family"], p["name"], tool] for p in problems for tool in options.tools]


def disagreements(problems, runs):
    found = []
    by_problem = {}
    for run in runs:
        by_problem.setdefault((run.family, run.problem), []).append(run)
    for problem in problems:
        for index in range(problem["queries"]):
            said = {r.tool: r.answers[index] for r in by_problem[problem["family"], problem["name"]] if index < len(r.answers)}
            if problem["expected"]:
                said["generator"] = problem["expected"]
            if {"sat", "unsat"} <= set(said.values()):
                found.append(f"{problem['file']}, query {index + 1}: " + ", ".join(f"{t} says {a}" for t, a in said.items()))
    return found


# --- The report ------------------------------------------------------------------------------------------------------


def par2(runs, limit): return sum(r.seconds if r.solved else 2 * limit for r in runs)


def rate(runs): return sum(len(r.answers) for r in runs) / max(sum(r.seconds for r in runs), 1e-9)


def of(runs, tool, family=None): return [r for r in runs if r.tool == tool and family in (None, r.family)]


def report(runs, families, options):
    tools = options.tools
    print(f"Limits: {options.timeout:g} s and {options.memory} MiB a problem, {options.jobs} at a time.\n")
    print("| family | problems |" + "".join(f" {t} solved | {t} PAR-2 |" for t in tools))
    print("|---|---:|" + "---:|---:|" * len(tools))
    for family in families + [None]:
        cells = [of(runs, t, family) for t in tools]
        print(f"| {family or '**total**'} | {len(cells[0])} |" + "".join(
            f" {sum(r.solved for r in c)} | {par2(c, options.timeout):.1f} |" for c in cells))
    print()
    if "paths" in families:
        print("Queries per second on paths: " + ", ".join(f"{t} {rate(of(runs, t, 'paths')):.0f}" for t in tools) + ".\n")
    if NATIVE in tools:
        bars(runs, families, options)


def bars(runs, families, options):
    others = [t for t in OTHERS if t in options.tools]
    rows = []

    def row(bar, measured, met): rows.append(f"| {bar} | {measured} | {'met' if met else 'MISSED'} |")

    for family in families:
        own = sum(r.solved for r in of(runs, NATIVE, family))
        best = max((sum(r.solved for r in of(runs, t, family)) for t in others), default=0)
        row(f"{family}: solves at least as many as the better of the others", f"{own} against {best}", own >= best)
    total = par2(of(runs, NATIVE), options.timeout)
    for tool, factor, text in (("z3", 0.5, "total PAR-2 at most half of z3's"), ("cvc5", 1.0, "total PAR-2 below cvc5's")):
        if tool in others:
            ratio = total / max(par2(of(runs, tool), options.timeout), 1e-9)
            row(text, f"{ratio:.2f} of it", ratio <= factor if tool == "z3" else ratio < factor)
    if "paths" in families and "z3" in others:
        speed = rate(of(runs, NATIVE, "paths")) / max(rate(of(runs, "z3", "paths")), 1e-9)
        row("paths: at least 10 times z3's queries per second", f"{speed:.1f} times", speed >= 10)
    print("| bar | measured | |\n|---|---|---|\n" + "\n".join(rows) + "\n")


def save(runs, path):
    rows = [asdict(r) | {"solved": r.solved} for r in runs]
    if path.suffix == ".csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, [k for k in rows[0] if k != "answers"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    else:
        path.write_text(json.dumps(rows, indent=1) + "\n")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=Path, help="what generate.py wrote")
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} problems a family, spread over it")
    parser.add_argument("--family", action="append", help="only this family (may be repeated)")
    parser.add_argument("--timeout", type=float, default=20, help="seconds a problem (20)")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of address space a problem (4096)")
    parser.add_argument("--jobs", type=int, default=1, help="problems at a time, each pinned to a core (1)")
    parser.add_argument("--tools", type=lambda s: s.split(","), default=[NATIVE, *OTHERS], help="plumb,z3,cvc5")
    parser.add_argument("--plumb", default=str(ROOT / "build/release/bin/plumb"), help="the plumb to measure")
    parser.add_argument("--out", type=Path, help="raw times and answers, as JSON, or CSV by suffix")
    parser.add_argument("-v", "--verbose", action="store_true", help="a line a run on standard error")
    options = parser.parse_args()
    if unknown := set(options.tools) - {NATIVE, *OTHERS}:
        parser.error(f"unknown tools: {', '.join(sorted(unknown))}")
    if not 1 <= options.jobs <= len(os.sched_getaffinity(0)):
        parser.error(f"--jobs should be between 1 and the {len(os.sched_getaffinity(0))} cores at hand")
    if not (options.directory / "manifest.json").exists():
        parser.error(f"{options.directory} has no manifest.json; run generate.py first")
    return options


def main():
    options = parse_arguments()
    problems = json.loads((options.directory / "manifest.json").read_text())["problems"]
    families = list(dict.fromkeys(p["family"] for p in problems if not options.family or p["family"] in options.family))
    if not families:
        raise SystemExit(f"no problems of {', '.join(options.family)} in {options.directory}")
    chosen = []
    for family in families:
        own = [p for p in problems if p["family"] == family]
        chosen += own[:: max(1, len(own) // QUICK)][:QUICK] if options.quick else own
    runs = run_all(chosen, options)
    if options.out:
        save(runs, options.out)
    report(runs, families, options)
    found = disagreements(chosen, runs)
    if found:
        print("=" * 80 + "\nANSWERS DISAGREE\n" + "\n".join(found[:50]) + "\n" + "=" * 80, file=sys.stderr)
        print(f"{len(found)} answers disagree: the figures above mean nothing until this is explained.")
        return 1
    print("All answers agree.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
