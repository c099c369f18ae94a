#!/usr/bin/env python3
"""Runs `plumb prove` on each program of this folder and compares the verdict with the one that the program names.

    run.py PLUMB            all programs
    run.py PLUMB NAME…      those whose name contains one of the words

The first lines of a program are what is expected, a case a line:

    // holds -b 4,8 --signed: what the case is for
    // violated (overflow, index) -b 3 --array 5: the kinds of all properties that are violated; the others hold
    // vacuous -b 3: nothing is violated, but no run comes to the end
    // error -b 3: a program that is refused (exit code 2); the sentence is part of the message

Each case runs at each of its widths, with blocks and with statements as steps."""
import pathlib
import re
import subprocess
import sys
import time
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
CASE = re.compile(r"// (holds|violated|vacuous|error)(?: \(([a-z, ]+)\))? -b ([0-9,]+)((?: +[^ :]+)*): (.+)")
EXIT_CODES = {"holds": 0, "violated": 10, "vacuous": 20, "error": 2}
STEPS = ("block", "statement")
LIMIT = 60  # seconds a run; none should come near it


@dataclass
class Case:
    verdict: str
    kinds: set
    widths: list
    options: list
    purpose: str


def cases_of(path):
    cases = []
    for line in path.read_text().splitlines():
        found = CASE.fullmatch(line)
        if not found:
            break
        verdict, kinds, widths, options, purpose = found.groups()
        cases.append(Case(verdict, set(kinds.split(", ")) if kinds else set(), widths.split(","), options.split(), purpose))
    if not cases:
        raise ValueError(f"{path.name}: the first line should be a case, such as `// holds -b 4: purpose`")
    if any((case.verdict == "violated") != bool(case.kinds) for case in cases):
        raise ValueError(f"{path.name}: kinds belong to `violated`, and to it alone")
    return cases


def complaint(case, code, output, error):
    """What is not as expected, or nothing."""
    if code != EXIT_CODES[case.verdict]:
        return f"exit code {code} instead of {EXIT_CODES[case.verdict]}: {(error or output).strip()[-800:]}"
    if case.verdict == "error":
        return None if case.purpose in error else f"{case.purpose!r} should be part of the message: {error.strip()}"
    result = result_object(output)
    if result["verdict"] != case.verdict:
        return f"verdict {result['verdict']} instead of {case.verdict}"
    violated = {p["kind"] for p in result["properties"] if p["verdict"] == "violated"}
    others = {p["verdict"] for p in result["properties"]} - {"violated", "holds", "vacuous"}
    if violated != case.kinds:
        return f"violated: {', '.join(sorted(violated)) or 'nothing'}; expected: {', '.join(sorted(case.kinds)) or 'nothing'}"
    return f"properties without a verdict: {', '.join(sorted(others))}" if others else None


def check(plumb, path):
    """Complaints and the number of runs."""
    complaints, runs = [], 0
    for case in cases_of(path):
        for width in case.widths:
            for steps in STEPS:
                command = [str(plumb), "prove", str(path), "-b", width, "--steps", steps, "--json", "-q", "--timeout", str(LIMIT), *case.options]
                done = subprocess.run(command, capture_output=True, text=True, timeout=2 * LIMIT)
                runs += 1
                problem = complaint(case, done.returncode, done.stdout, done.stderr)
                if problem:
                    complaints.append(f"{path.name} ({' '.join(command[3:7] + case.options)}; {case.purpose}): {problem}")
    return complaints, runs


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    plumb, names = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    paths = [p for p in sorted((HERE / "programs").glob("*.tiny")) if not names or any(name in p.stem for name in names)]
    if not paths:
        sys.exit("no such program")
    start, failed, total = time.monotonic(), 0, 0
    for path in paths:
        complaints, runs = check(plumb, path)
        total += runs
        failed += len(complaints)
        for text in complaints:
            print(text, flush=True)
    print(f"{len(paths)} programs, {total} runs, {failed} wrong, {time.monotonic() - start:.0f} s")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
