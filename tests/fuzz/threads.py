#!/usr/bin/env python3
"""Holds `plumb check --engine explore` against random programs with threads of threads_program.py, all of whose runs are known.

    threads.py PLUMB --count 1000 --seed 1 --jobs 1 --reductions none,tau,dpor,merge,contexts --properties assertions,deadlock,data-race --keep DIR
    threads.py native --count 100 --seed 1 [--runs 400] [--mutate KIND]

With each reduction nothing may be said to hold that is violated in some run, nor violated that is in none. What is not decided is
counted, and so are the counterexamples that a native run in the same order showed, too, beside the interpreter; with --all-native
one that it did not is a disagreement (races do nothing natively). Disagreements are kept in DIR. `native` holds the enumeration itself against native runs in orders that tests/tasks/threads.c
draws: what they come to has to be known. --mutate makes the enumeration wrong, which has to be seen. Exit code 1 if something disagrees."""
import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tasks"))

from threads_program import MUTATIONS, Oracle, Printer, random_program  # noqa: E402
from validate import FOUND, TOO_LONG, Task, build  # noqa: E402

MERGE = "merge"  # among the reductions: dpor with states merged from the start
CONTEXTS = "contexts"  # among the reductions: the engine that unrolls threads, which knows assertions alone
PROPERTY_FILES = {"assertions": "assertions", "deadlock": "no-deadlock", "data-race": "no-data-race"}


def answers(oracle):
    """Whether each property is violated in some run."""
    return {"assertions": oracle.fails, "deadlock": oracle.deadlocks, "data-race": oracle.races}


def check(plumb, path, property, reduction, seconds):
    engine = ["--engine", "explore", "--reduction", reduction]
    if reduction == CONTEXTS:
        engine = ["--engine", "contexts"]
    if reduction == MERGE:
        engine = ["--engine", "explore", "--merge-after", "0"]
    command = [plumb, "check", str(path), *engine, "--property", property, "--timeout", str(seconds), "--memory", "2G", "--json", "-q"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30)
        result = json.loads(done.stdout)
        if done.returncode in (0, 10, 20):
            return result, ""
        return None, f"exit code {done.returncode}: {done.stdout[-600:]}{done.stderr[-600:]}"
    except subprocess.TimeoutExpired:
        return None, f"no end {seconds + 30} s after its start, {seconds} s were given"
    except ValueError:
        return None, f"exit code {done.returncode}, no object: {done.stdout[-300:]}{done.stderr[-600:]}"


def reason_of(result):
    return " ".join(p.get("reason", "") for p in result["properties"])


def confirmed_by(result):
    """Of a violated property: "interpreter and native run", or the interpreter and why alone."""
    return next((goal["counterexample"]["confirmed_by"] for p in result["properties"] for goal in p.get("goals", []) if "counterexample" in goal), "")


def complaint_about(result, is_violated, needs_native=False):
    verdict = result["verdict"]
    if verdict == "unknown" and "counterexample" in reason_of(result):
        return f"a counterexample that was not confirmed: {reason_of(result)}"
    if verdict in ("holds", "vacuous") and is_violated:
        return f"'{verdict}', but some run violates it"
    if verdict == "violated" and not is_violated:
        return "'violated', but no run violates it"
    if verdict == "violated" and needs_native and confirmed_by(result) != "interpreter and native run" and "sandbox" not in confirmed_by(result):
        return f"confirmed by {confirmed_by(result)}"
    return ""


def kept(options, path, complaints, text):
    if complaints and options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
        pathlib.Path(options.keep, path.name).write_text("".join("// " + " ".join(c.split()) + "\n" for c in complaints) + text)


def asked(program, options):
    """Properties. Whether what is done in an atomic section races with what is not is left open."""
    return [p for p in options.properties.split(",") if not (p == "data-race" and program.has_sections)]


def examine(seed, options):
    """What was found, as (property, reduction, expected, verdict), and complaints."""
    program, oracle = random_program(seed)
    found, complaints = [], []
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, f"threads_{seed}.c")
        for property in asked(program, options):
            # What is unrelated to assertions may race.
            unrelated = random.Random(seed) if seed % 2 and property != "data-race" else None
            text = Printer(program, unrelated).text()
            path.write_text(text)
            is_violated = answers(oracle)[property]
            for reduction in options.reductions.split(","):
                if reduction == CONTEXTS and property != "assertions":
                    continue
                result, failure = check(options.plumb, path, property, reduction, options.seconds)
                verdict = result["verdict"] if result else "failed"
                if verdict == "violated" and property != "data-race":
                    verdict += " natively" if confirmed_by(result) == "interpreter and native run" else " interpreted"
                found.append((property, reduction, "violated" if is_violated else "holds", verdict))
                if options.verbose:
                    print(f"seed {seed} {property} {reduction}: {verdict} {reason_of(result) if result else failure}", flush=True)
                complaint = failure or complaint_about(result, is_violated, options.all_native and property != "data-race")
                if complaint:
                    complaints.append(f"seed {seed}, {property}, {reduction}: {complaint}")
            kept(options, path, complaints, text)
    return found, complaints


def examine_natively(seed, options):
    """The same against native runs."""
    program, oracle = random_program(seed)
    if options.mutate:
        oracle = Oracle(program, mutation=options.mutate)
    text = Printer(program).text()
    found, complaints = [], []
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, f"threads_{seed}.c")
        path.write_text(text)
        executable = None
        for property in asked(program, options):
            task = Task(path, path, PROPERTY_FILES[property], None, 64)
            executable, environment = build(task, directory) if executable is None else (executable, environment | {"TASK_PROPERTY": task.property})
            done = subprocess.run([str(executable), "random", str(seed), str(options.runs)], capture_output=True, text=True, env=environment)
            if done.returncode not in (0, FOUND, TOO_LONG):
                complaints.append(f"seed {seed}, {property}: exit code {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
            is_seen = done.returncode == FOUND
            is_violated = answers(oracle)[property]
            found.append((property, "native", "violated" if is_violated else "holds", "seen" if is_seen else "not seen"))
            if is_seen and not is_violated:
                complaints.append(f"seed {seed}, {property}: a native run violates it: {done.stdout}")
        kept(options, path, complaints, text)
    return found, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", help="the command, or `native`")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--reductions", default=f"none,tau,dpor,{MERGE},{CONTEXTS}")
    parser.add_argument("--properties", default="assertions,deadlock,data-race")
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--runs", type=int, default=400, help="native ones")
    parser.add_argument("--mutate", choices=MUTATIONS)
    parser.add_argument("--all-native", action="store_true", help="the native run has to show each failure and deadlock")
    parser.add_argument("--keep")
    parser.add_argument("-v", "--verbose", action="store_true", help="each run")
    options = parser.parse_args()
    one = examine_natively if options.plumb == "native" else examine
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    counts, wrong = Counter(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for found, complaints in pool.map(lambda k: one(k, options), range(options.seed, options.seed + options.count)):
            counts.update(found)
            wrong += bool(complaints)
            for complaint in complaints:
                print(complaint, flush=True)
    for (property, reduction, expected, verdict), count in sorted(counts.items()):
        print(f"{property:10} {reduction:6} {expected:8} {verdict:20} {count}")
    print(f"{options.count - wrong} of {options.count} programs agree with enumeration")
    return 1 if wrong or options.count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
