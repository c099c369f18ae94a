#!/usr/bin/env python3
"""Tests the programs of this folder with `plumb test` and holds what it says against the programs themselves.

    run.py PLUMB            all programs
    run.py PLUMB NAME…      those whose name contains one of the words

programs/ are run with regions off, on and auto and with each way to search. Their branches tell what they do in a native
build (probe.h), which gets the
inputs of the written tests through the environment (plumb.h): each test must natively take the branches that it is said to
cover first, all tests together those that are said to be covered, and all ways of exploring the same ones. lexer/ and
examples/lexer.c must reach the assertion behind their label.

Leading comments of a program say what it is for and what is to be found:

    // purpose: one sentence
    // expect: all                         every branch is covered
    // expect: infeasible 10:true 14:case 3    all but these, which are called infeasible
    // defect: assertion 14                kind and line
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "support"))
from program_run import headings  # noqa: E402
from result_object import result_object  # noqa: E402

SECONDS = 120
MODES = {
    "regions-off": ["--regions", "off"],
    "regions-on": ["--regions", "on"],
    "regions-auto": ["--regions", "auto"],
    "depth-first": ["--strategy", "dfs"],
    "generational": ["--strategy", "generational"],
    "coverage": ["--strategy", "coverage"],
    "random-path": ["--strategy", "random-path"],
    "two-workers": ["--jobs", "2"],
}


def run_plumb(plumb, source, out, *arguments):
    """Exit code and the object that was printed."""
    command = [plumb, "test", source, "--json", "-q", "--out", out, *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=SECONDS)
    if done.returncode not in (0, 10, 20):
        raise AssertionError(f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    return done.returncode, result_object(done.stdout)


def branch(entry):
    return entry["line"], entry["branch"]


def expected_infeasible(found):
    words = found.get("expect", [""])[0].split(None, 1)
    if words == ["all"]:
        return set()
    if not words or words[0] != "infeasible":
        raise AssertionError("the heading 'expect' should be 'all' or 'infeasible …'")
    places = re.findall(r"(\d+):(true|false|default|case -?\d+)", words[1])
    return {(int(line), name) for line, name in places}


class Native:
    """The program with its probes."""

    def __init__(self, source, directory):
        self.executable, self.log = directory / "native", directory / "log"
        self.lines = {number for number, line in enumerate(source.read_text().splitlines(), 1) if re.search(r"\b[BS]\(", line)}
        subprocess.run(["clang-19", "-w", "-O1", f"-I{ROOT / 'include'}", str(source), "-o", str(self.executable)], check=True, timeout=SECONDS)

    def outcomes(self, test):
        """(line, value) of all probes in a run with these inputs. An assumption that fails ends it quietly."""
        environment = {"PATH": os.environ["PATH"], "PROBE": str(self.log)}
        for entry in test["inputs"]:
            environment["PLUMB_" + entry["name"]] = "hex:" + entry["bytes"]
        self.log.write_text("")
        subprocess.run([str(self.executable)], env=environment, capture_output=True, timeout=SECONDS)
        return {tuple(map(int, line.split())) for line in self.log.read_text().splitlines()}


def native_branches(outcomes, known):
    """Outcomes as branches; `known`: all that plumb has named, which tells the cases of a switch."""
    found = set()
    for line, value in outcomes:
        names = {name for at, name in known if at == line}
        if names & {"true", "false"}:
            found.add((line, "true" if value else "false"))
        else:
            found.add((line, f"case {value}" if f"case {value}" in names else "default"))
    return found


def check_mode(plumb, source, native, mode, directory):
    """Complaints, and the branches that are covered."""
    found, out = headings(source), directory / mode
    code, result = run_plumb(plumb, source, out, *MODES[mode], "--timeout", "30", "--until", "time" if "defect" in found else "all-branches")
    complaints = []
    tests = [json.loads(path.read_text()) for path in sorted((out / "tests").glob("*.json"))]
    missing = result["coverage"]["branches"]["uncovered"]
    first = [{branch(entry) for entry in test["covers_first"] if entry.get("file", "").endswith(source.name)} for test in tests]
    covered = set().union(*first)
    known = covered | {branch(entry) for entry in missing}
    if len(tests) != result["tests"]["count"]:
        complaints.append(f"{len(tests)} tests were written, {result['tests']['count']} are told of")
    wanted = expected_infeasible(found)
    if {branch(entry) for entry in missing} != wanted:
        complaints.append(f"not covered: {sorted(map(branch, missing))}, expected {sorted(wanted)}")
    if {branch(entry) for entry in missing if entry.get("infeasible")} != wanted:
        complaints.append(f"called infeasible: {sorted(branch(e) for e in missing if e.get('infeasible'))}, expected {sorted(wanted)}")
    natively = set()
    for number, (test, claimed) in enumerate(zip(tests, first), 1):
        taken = native_branches(native.outcomes(test), known)
        natively |= taken
        wrong = {b for b in claimed if b[0] in native.lines} - taken
        if wrong:
            complaints.append(f"test {number} does not cover {sorted(wrong)} natively")
    probed = {b for b in covered if b[0] in native.lines}
    if natively != probed:
        complaints.append(f"natively covered but not told {sorted(natively - probed)}, told but not natively covered {sorted(probed - natively)}")
    complaints += check_defects(found, code, result)
    return [f"{mode}: {text}" for text in complaints], covered


def check_defects(found, code, result):
    defects = {(d["kind"], d.get("line")) for d in result["defects"]}
    wanted = {(kind, int(line)) for kind, line in map(str.split, found.get("defect", []))}
    if defects != wanted:
        return [f"defects {sorted(defects)}, expected {sorted(wanted)}; unconfirmed: {result['unconfirmed']}"]
    if code != (10 if wanted else 0):
        return [f"exit code {code}: {result['reason']}"]
    for defect in result["defects"]:
        if not defect["stack"] or defect["stack"][-1]["function"] != "main" or not pathlib.Path(defect["test"]).is_file():
            return [f"a defect without stack or test: {defect}"]
    return []


def check_program(plumb, source, directory):
    native = Native(source, directory)
    complaints, covered = [], {}
    for mode in MODES:
        found, covered[mode] = check_mode(plumb, source, native, mode, directory)
        complaints += found
    if len({frozenset(branches) for branches in covered.values()}) != 1:
        complaints.append("not all ways of exploring cover the same branches")
    return complaints


def check_lexer(plumb, source, directory):
    """The assertion stands behind the label, so that finding it means to have been there."""
    code, result = run_plumb(plumb, source, directory / "out", "--until", "error", "--timeout", "60")
    lines = source.read_text().splitlines()
    kinds = {(d["kind"], "assert(" in lines[d.get("line", 1) - 1]) for d in result["defects"]}
    if code != 10 or kinds != {("assertion", True)}:
        return [f"exit code {code}, defects {result['defects']}, {result['reason']}"]
    return []


def main():
    plumb, words = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    cases = [(path, check_program) for path in sorted((HERE / "programs").glob("*.c"))]
    cases += [(path, check_lexer) for path in [ROOT / "examples" / "lexer.c", *sorted((HERE / "lexer").glob("*.c"))]]
    failed = 0
    for path, check in cases:
        if words and not any(word in path.stem for word in words):
            continue
        with tempfile.TemporaryDirectory() as directory:
            try:
                complaints = check(plumb, path, pathlib.Path(directory))
            except (AssertionError, subprocess.SubprocessError, ValueError, KeyError) as error:
                complaints = [f"{type(error).__name__}: {error}"]
        print(f"{path.stem}: {'FAILED' if complaints else 'passed'}", flush=True)
        for text in complaints:
            print(f"  {text}", flush=True)
        failed += bool(complaints)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
