#!/usr/bin/env python3
"""Holds `plumb check` against random loop programs of check_program.py, whose answers are known by enumeration.

    check.py PLUMB --count 500 --seed 1 --jobs 1 --engines circuit,bmc,auto --keep DIR

No engine may call an assertion proved that fails in some run, violated if it fails in none, or vacuous if a run comes to it. The
inputs of a counterexample lead to the error here, too. What no engine decides is counted. What disagrees is kept in DIR."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from check_program import Flat, Printer, random_program

SECONDS = 20
OPTIONS = {"bmc": ["--unwind", "12"], "paths": ["--unwind", "12"]}


def inputs_of(result):
    """The bytes of the counterexample, in order."""
    for property in result["properties"]:
        for goal in property["goals"]:
            if "counterexample" in goal:
                return [value["value"] & 0xFF for value in goal["counterexample"]["failing_inputs"]]
    return None


def check(plumb, path, engine):
    command = [plumb, "check", str(path), "--engine", engine, "--property", "assertions", "--timeout", str(SECONDS), "--memory", "2G", "--json", "-q", *OPTIONS.get(engine, [])]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS + 30)
        result = json.loads(done.stdout)
        if done.returncode in (0, 10, 20):
            return result, ""
        return None, f"exit code {done.returncode}: {done.stdout[-600:]}{done.stderr[-600:]}"
    except subprocess.TimeoutExpired:
        return None, f"no end {SECONDS + 30} s after its start, {SECONDS} s were given"
    except ValueError:
        return None, f"exit code {done.returncode}, no object: {done.stdout[-300:]}{done.stderr[-600:]}"


def complaint_about(result, flat, fails, is_reached):
    verdict = result["verdict"]
    if verdict in ("holds", "vacuous", "holds up to") and verdict != "holds up to" and fails:
        return f"'{verdict}', but the assertion fails in some run"
    if verdict == "vacuous" and is_reached:
        return "'vacuous', but a run comes to the assertion"
    if verdict == "violated" and not fails:
        return "'violated', but the assertion fails in no run"
    if verdict == "violated":
        inputs = inputs_of(result)
        if inputs is None:
            return "'violated' without inputs"
        if not flat.run(inputs):
            return f"the inputs {inputs} do not lead to the error"
    return ""


def examine(seed, options):
    """Verdicts by engine and complaints."""
    program, fails, is_reached = random_program(seed)
    flat, text = Flat(program), Printer(program).text()
    expected = "violated" if fails else "holds" if is_reached else "not reached"
    found, complaints = {}, []
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, f"random_{seed}.c")
        path.write_text(text)
        for engine in options.engines.split(","):
            result, failure = check(options.plumb, path, engine)
            found[engine] = result["verdict"] if result else "failed"
            if options.verbose:
                reasons = [g.get("reason", "") for p in result["properties"] for g in p["goals"]] if result else []
                print(f"seed {seed} {engine}: {found[engine]} {reasons}", flush=True)
            complaint = failure or complaint_about(result, flat, fails, is_reached)
            if complaint:
                complaints.append(f"seed {seed} (expected: {expected}), {engine}: {complaint}")
        if complaints and options.keep:
            pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
            pathlib.Path(options.keep, path.name).write_text("".join(f"// {c}\n".replace("\n// ", " ") for c in complaints) + text)
    return expected, found, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--engines", default="circuit,bmc,auto")
    parser.add_argument("--keep")
    parser.add_argument("-v", "--verbose", action="store_true", help="each run")
    options = parser.parse_args()
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    counts, wrong = Counter(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for expected, found, complaints in pool.map(lambda k: examine(k, options), range(options.seed, options.seed + options.count)):
            for engine, verdict in found.items():
                counts[engine, expected, verdict] += 1
            wrong += bool(complaints)
            for complaint in complaints:
                print(complaint, flush=True)
    for (engine, expected, verdict), count in sorted(counts.items()):
        print(f"{engine:8} {expected:12} {verdict:12} {count}")
    print(f"{options.count - wrong} of {options.count} programs agree with enumeration")
    return 1 if wrong or options.count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
