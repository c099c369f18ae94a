#!/usr/bin/env python3
"""`plumb check --engine explore` on programs with threads and without, as Markdown.

    run.py PLUMB [--timeout 60] [--memory 4G] [--quick] [--jobs 1] [--family F]… [--only tasks|fibonacci|weak|cost|races|litmus|ltl]…

tasks: those of tests/tasks in the families of the tables of SymDIVINE, by family; fibonacci: the two-thread race, each within its bar;
weak: programs that explicit control is weak at (weak/), as in the paper, by default, and beside the other engines;
cost: states a second and bytes a state beside SPIN on the same models (models/); races: programs beside ThreadSanitizer over many
runs; litmus: what is allowed under sequential consistency and, where the command knows it, TSO; ltl: formulas on models beside
SPIN. --quick gives each task 10 s and ThreadSanitizer 20 runs. Exit code 1 for a wrong verdict, a failure or a missed bar."""
import argparse
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench" / "check"))
sys.path.insert(0, str(ROOT / "tests" / "tasks"))
from runs import Run, Table, check, execute, judged  # noqa: E402
from validate import CLANG, all_tasks  # noqa: E402

FAMILIES = ("bitvector", "eca", "locks", "loops", "ssh_like", "systemc_like", "pthread", "recursion")
DECIDED = 0.92  # of all tasks
FIBONACCI_BAR = 30
STATES_A_SECOND, BYTES_A_STATE = 300000, 200
# Tasks about something else that are asked for races, too: whether there is one.
MORE_RACES = {"counter_2_safe": False, "counter_2_unsafe": True, "wrong_lock_safe": False, "wrong_lock_unsafe": True, "readers_writer_lock_safe": False,
              "readers_writer_lock_unsafe": True, "transfer_safe": False, "transfer_unsafe": False, "lost_update_input_safe": False,
              "lost_update_input_unsafe": True, "message_passing_safe": False, "message_passing_unsafe": True, "double_checked_safe": False,
              "double_checked_unsafe": True, "ticket_2_safe": False, "ticket_2_unsafe": True, "semaphore_turns_safe": False,
              "semaphore_turns_unsafe": False, "barrier_safe": False, "barrier_unsafe": True}
INPUTS = """
#include <stdlib.h>
#include <sys/random.h>
unsigned char __VERIFIER_nondet_uchar(void) { unsigned char c = 0; getrandom(&c, 1, 0); return c; }
"""


def say(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def run_tasks(options):
    """The table; gives complaints."""
    tasks, table, complaints, correct = all_tasks(options.family or FAMILIES), Table(), [], 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for task, run in zip(tasks, pool.map(lambda task: check(options.plumb, task, "explore", options), tasks)):
            kind = judged(task, run)
            table.add(task.family, "explore", kind, run.seconds)
            correct += kind.startswith("correct")
            if kind in ("wrong", "crash"):
                complaints.append(f"{task.family}/{task.name}: {kind}: {run.verdict}, {run.detail}")
            if kind in ("wrong", "crash", "unknown") or options.verbose:
                print(f"{task.family}/{task.name}: {kind}: {run.verdict} in {run.seconds:.1f} s, {run.detail}", file=sys.stderr, flush=True)
    table.print(["explore"])
    print(f"{correct} of {len(tasks)} decided, {100 * correct / max(len(tasks), 1):.1f} % ({100 * DECIDED:g} % are wanted)\n")
    if not options.family and correct < DECIDED * len(tasks):
        complaints.append(f"{correct} of {len(tasks)} tasks decided")
    return complaints


def run_fibonacci(options):
    complaints = []
    say("task", "verdict", "seconds", "bar")
    say("---", "---", "---:", "---:")
    for rounds in (5, 6, 11):
        for twin in ("safe", "unsafe"):
            (task,) = all_tasks([f"pthread/fibonacci_{rounds}_{twin}"])
            run = check(options.plumb, task, "explore", options)
            say(task.name, run.verdict, f"{run.seconds:.2f}", FIBONACCI_BAR)
            if judged(task, run) != f"correct {twin}" or run.seconds > FIBONACCI_BAR:
                complaints.append(f"{task.name}: {run.verdict} in {run.seconds:.1f} s, {FIBONACCI_BAR} s are the bar: {run.detail}")
    print()
    return complaints


def run_weak(options):
    complaints = []
    ways = {"as in the paper": ["explore", "--reduction", "tau"], "explore": ["explore"], "auto": ["auto"]}
    say("program", *ways)
    say("---", *["---"] * len(ways))
    for source in sorted((HERE / "weak").glob("*.c")):
        cells = []
        for way, (engine, *flags) in ways.items():
            command = [options.plumb, "check", str(source), "--engine", engine, *flags, "--timeout", str(options.timeout), "--json", "-q"]
            code, output, error, seconds, _ = execute(command, options.timeout)
            verdict = json.loads(output)["verdict"] if code in (0, 10, 20) else f"exit code {code}"
            cells.append(f"{verdict}, {seconds:.1f} s")
            if verdict not in ("holds", "holds up to", "unknown"):
                complaints.append(f"weak: {source.stem}, {way}: {verdict} {error.strip()[-400:]}")
        say(source.stem, *cells)
    print()
    return complaints


def explored(options, source, property, *more):
    """Verdict and statistics of a program; `property` may be None."""
    asked = ["--property", property] if property else []
    command = [options.plumb, "check", str(source), "--engine", "explore", *asked, "--timeout", str(options.timeout), "--memory", options.memory,
               "--json", "-q", *more]
    code, output, error, seconds, _ = execute(command, options.timeout)
    try:
        result = json.loads(output)
        reason = " ".join(p.get("reason", "") for p in result.get("properties", []))
        return Run(result["verdict"], seconds, reason), result["stats"].get("exploration", {})
    except (ValueError, KeyError):
        return Run("crash", seconds, f"exit code {code}: {(output + error)[-300:]}"), {}


class Spin:
    """Its verdict and figures of a model; nothing is shared between models."""

    def __init__(self, model, flags=(), is_fair=False):
        with tempfile.TemporaryDirectory() as directory:
            self.run(["spin", "-a", str(model)], directory)
            self.run(["gcc", "-O2", "-w", *flags, "-o", "pan", "pan.c"], directory)
            self.text = self.run(["./pan", "-m1000000", "-w22", *(["-a"] if "-DSAFETY" not in flags else []), *(["-f"] if is_fair else [])], directory)
        self.has_error = self.number(r"errors: (\d+)") > 0
        self.states, self.megabytes = self.number(r"(\d+) states, stored"), self.number(r"([\d.]+)\s+actual memory usage for states")
        if not self.megabytes:
            self.megabytes = self.number(r"([\d.]+)\s+equivalent memory usage for states")
        self.seconds = self.number(r"elapsed time ([\d.e+-]+) seconds")

    @staticmethod
    def run(command, directory):
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=600)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}: {done.stdout[-500:]}{done.stderr[-500:]}")
        return done.stdout

    def number(self, pattern):
        match = re.search(pattern, self.text)
        return float(match[1]) if match else 0.0


def rate(states, seconds):
    return f"{states / seconds / 1000:.0f}" if seconds > 0 else "–"


def run_cost(options):
    """Each access is a step, as it is in SPIN; and with the reductions of both."""
    complaints, best, least = [], 0.0, float("inf")
    print("Thousand states a second and bytes a state; both without reduction and with it.\n")
    say("model", "reduction", "states", "k/s", "bytes", "SPIN: states", "k/s", "bytes", "ratio of rates", "verdicts")
    say("---", "---", *["---:"] * 7, "---")
    for source in sorted((HERE / "models").glob("*.c")):
        property = re.search(r"^// Property: (.*)$", source.read_text(), re.M)[1]
        for reduction, flags in (("none", ["-DNOREDUCE"]), ("dpor", [])):
            spin = Spin(source.with_suffix(".pml"), ["-DSAFETY", *flags])
            run, figures = explored(options, source, property, "--reduction", reduction)
            states, seconds = figures.get("states", 0), figures.get("seconds", 0.0)
            spin_bytes = 1e6 * spin.megabytes / max(spin.states, 1)
            ratio = f"{states / seconds / (spin.states / spin.seconds):.2f}" if seconds and spin.seconds else "–"
            say(source.stem, reduction, states, rate(states, seconds), f"{figures.get('bytes_per_state', 0):.0f}", int(spin.states), rate(spin.states, spin.seconds),
                f"{spin_bytes:.0f}", ratio, f"{run.verdict}, SPIN: {'violated' if spin.has_error else 'holds'}")
            if run.verdict not in ("unknown", "violated" if spin.has_error else "holds"):
                complaints.append(f"{source.stem}: {run.verdict}, and SPIN has {int(spin.has_error)} errors: {run.detail}")
            if run.verdict == "crash":
                complaints.append(f"{source.stem}: {run.detail}")
            if states > 10000:
                best, least = max(best, states / seconds), min(least, figures.get("bytes_per_state", least))
    print()
    if best < STATES_A_SECOND:
        complaints.append(f"cost: {best:.0f} states a second, {STATES_A_SECOND} are wanted")
    if least > BYTES_A_STATE:
        complaints.append(f"cost: {least:.0f} bytes a state, {BYTES_A_STATE} are wanted")
    return complaints


def races_of_sanitizer(task, runs):
    """Runs of `runs` in which ThreadSanitizer reports a race."""
    with tempfile.TemporaryDirectory() as directory:
        inputs, program = pathlib.Path(directory, "inputs.c"), pathlib.Path(directory, "program")
        inputs.write_text(INPUTS)
        subprocess.run([CLANG, "-w", "-g", "-O1", "-fsanitize=thread", str(task.source), str(inputs), "-o", str(program)], check=True, capture_output=True)
        seen = 0
        for _ in range(runs):
            try:
                done = subprocess.run([str(program)], capture_output=True, text=True, timeout=10, env=dict(os.environ) | {"TSAN_OPTIONS": "report_thread_leaks=0 symbolize=0"})
                seen += "WARNING: ThreadSanitizer: data race" in done.stderr
            except subprocess.TimeoutExpired as late:  # in a deadlock
                seen += b"WARNING: ThreadSanitizer: data race" in (late.stderr or b"")
                break
        return seen


def run_races(options):
    complaints = []
    expected = {task.name: (task, task.expected is False) for task in all_tasks(["pthread"]) if task.property == "no-data-race"}
    others = {task.name: task for task in all_tasks(["pthread"])}
    expected |= {name: (others[name], is_racy) for name, is_racy in MORE_RACES.items()}
    runs = 20 if options.quick else 200
    right = unknown = found_by_sanitizer = 0
    for name, (task, is_racy) in sorted(expected.items()):
        seen = races_of_sanitizer(task, runs)
        run, _ = explored(options, task.source, "data-race")
        found_by_sanitizer += seen > 0
        wanted = "violated" if is_racy else "holds"
        right += run.verdict == wanted or (run.verdict == "vacuous" and not is_racy)
        unknown += run.verdict == "unknown"
        if options.verbose or run.verdict != wanted:
            print(f"{name}: {run.verdict}, {wanted} is wanted; ThreadSanitizer: {seen} of {runs} runs: {run.detail}", file=sys.stderr, flush=True)
        if run.verdict not in (wanted, "unknown") and not (run.verdict == "vacuous" and not is_racy):
            complaints.append(f"races: {name}: {run.verdict}, {wanted} is wanted: {run.detail}")
        if seen and not is_racy:
            complaints.append(f"races: {name} is said to have none, and ThreadSanitizer sees one")
        if seen and run.verdict != "violated":
            complaints.append(f"races: {name}: ThreadSanitizer sees a race, and the answer is {run.verdict}: {run.detail}")
    racy = sum(is_racy for _, is_racy in expected.values())
    print(f"races: {len(expected)} programs, {racy} with a race: {right} right, {unknown} unknown; ThreadSanitizer finds {found_by_sanitizer} in {runs} runs each\n", flush=True)
    return complaints


def knows(options, option):
    return option in subprocess.run([options.plumb, "check", "--help"], capture_output=True, text=True).stdout


def run_litmus(options):
    """Each ends with an assertion that the outcome in question is not there."""
    complaints, models = [], ["sc"]
    if knows(options, "--memory-model"):
        models.append("tso")
    else:
        print("litmus: --memory-model is not known to this plumb: only sequential consistency is asked for.\n")
    say("test", *(f"{model}: answer | expected" for model in models))
    say("---", *["---"] * 2 * len(models))
    for source in sorted((HERE / "litmus").glob("*.c")):
        allowed = dict(word.split("=") for word in re.search(r"^// Allowed: (.*)$", source.read_text(), re.M)[1].split())
        cells = []
        for model in models:
            run, _ = explored(options, source, "assertions", *(["--memory-model", model] if len(models) > 1 else []))
            wanted = "violated" if allowed[model] == "yes" else "holds"
            cells += [{"violated": "allowed", "holds": "forbidden"}.get(run.verdict, run.verdict), "allowed" if wanted == "violated" else "forbidden"]
            if run.verdict != wanted:
                complaints.append(f"litmus: {source.stem} under {model}: {run.verdict}, {wanted} is wanted: {run.detail}")
        say(source.stem, *cells)
    print()
    return complaints


def run_ltl(options):
    complaints = []
    is_known = knows(options, "--ltl")
    if not is_known:
        print("ltl: --ltl is not known to this plumb: the side of C is left out.\n")
    say("model", "formula", "SPIN", "plumb", "seconds")
    say("---", "---", "---", "---", "---:")
    for source in sorted((HERE / "ltl").glob("*.c")):
        text = source.read_text()
        formula, expected = (re.search(rf"^// {word}: (.*)$", text, re.M)[1] for word in ("Formula", "Expected"))
        is_fair = "// Fairness: weak" in text
        spin = Spin(source.with_suffix(".pml"), is_fair=is_fair)
        verdict = "violated" if spin.has_error else "holds"
        if verdict != expected:
            complaints.append(f"ltl: {source.stem}: SPIN says {verdict}, and {expected} is expected")
        run = Run("–", 0, "")
        if is_known:
            run, _ = explored(options, source, None, "--ltl", formula, *(["--fairness", "weak"] if is_fair else []))
            if run.verdict != verdict:
                complaints.append(f"ltl: {source.stem}: {run.verdict}, and SPIN says {verdict}: {run.detail}")
        say(source.stem, f"`{formula}`", verdict, run.verdict, f"{run.seconds:.2f}")
    print()
    return complaints


PARTS = {"tasks": run_tasks, "fibonacci": run_fibonacci, "weak": run_weak, "cost": run_cost, "races": run_races, "litmus": run_litmus, "ltl": run_ltl}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--memory", default="4G")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--family", action="append", help="a family or FAMILY/NAME")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("-v", "--verbose", action="store_true", help="each run on standard error")
    options = parser.parse_args()
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    options.timeout = options.timeout or (10 if options.quick else 60)
    complaints = []
    for part, run in PARTS.items():
        if part in (options.only or (["tasks"] if options.family else PARTS)):
            complaints += run(options)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{usage.ru_utime + usage.ru_stime:.0f} s of processor time")
    for complaint in complaints:
        print(f"COMPLAINT: {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
