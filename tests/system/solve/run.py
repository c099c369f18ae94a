#!/usr/bin/env python3
"""Runs `plumb solve` as a user would.

    run.py PLUMB            all case files and all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A case is a script under cases/ whose leading comments say what is expected:

    ; purpose: one sentence
    ; arguments: --backend z3      (optional)
    ; backends: native z3 cvc5     (optional: run with each of these that is installed)
    ; needs: z3                    (optional: skipped where this program is missing)
    ; exit: 0                      (0 if absent)
    ; expect: one line of output   (all lines, in order)
    ; stderr: a part of what is on standard error
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 60

HARD = """(declare-const a (_ BitVec 96))(declare-const b (_ BitVec 96))
(assert (and (bvugt a (_ bv1 96)) (bvugt b (_ bv1 96)) (not (bvumulo a b)) (= (bvmul a b) (_ bv9912209032882918604340732869 96))))
(check-sat)
"""


def plumb(*arguments, text=None, **keywords):
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run([PLUMB, *arguments], input=data, capture_output=True, timeout=SECONDS, **keywords)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def expect(result, code, out=None, err=None):
    shown = f"exit {result.returncode}\nstdout: {result.stdout[-2000:]!r}\nstderr: {result.stderr[-2000:]!r}"
    check(result.returncode == code, f"expected exit code {code}\n{shown}")
    check(out is None or result.stdout.decode(errors="replace") == out, f"expected output {out!r}\n{shown}")
    check(err is None or err in result.stderr.decode(errors="replace"), f"expected {err!r} on standard error\n{shown}")


def run_case(path):
    wanted = {"purpose": [], "arguments": [], "backends": [], "needs": [], "exit": [], "expect": [], "stderr": []}
    for line in path.read_text(errors="replace").splitlines():
        if not line.startswith("; ") or ":" not in line:
            break
        key, value = line[2:].split(":", 1)
        check(key in wanted, f"unknown heading {key!r}")
        wanted[key].append(value[1:])
    check(wanted["purpose"], "a case should say its purpose")
    for program in wanted["needs"]:
        if shutil.which(program) is None:
            return "skipped, no " + program
    arguments = " ".join(wanted["arguments"]).split()
    runs = [["--backend", name] for name in " ".join(wanted["backends"]).split() if name not in ("z3", "cvc5") or shutil.which(name)]
    for backend in runs or [[]]:
        result = plumb("solve", str(path), *arguments, *backend)
        expect(result, int((wanted["exit"] or ["0"])[0]), "".join(line + "\n" for line in wanted["expect"]))
        for part in wanted["stderr"]:
            expect(result, result.returncode, err=part)
    return "passed"


# --- Scenarios: what a case file cannot hold. The docstring is the claim. ---

def ten_megabytes_of_parentheses():
    """Unbalanced input of any depth is a located error."""
    expect(plumb("solve", "-", text="(" * 10_000_000), 2, "", "<stdin>:1:2: error: expected a command")
    expect(plumb("solve", "-", text="(assert " + "(not " * 2_000_000), 2, "", "<stdin>:1:10000009: error: unexpected end of file")


def deep_let():
    """A let nested 200,000 deep is nothing special."""
    depth = 200_000
    text = "(declare-const p Bool)(assert " + "(let ((p (not p))) " * depth + "p" + ")" * depth + ")(check-sat)"
    expect(plumb("solve", "-", text=text), 0, "sat\n")


def million_bit_constant():
    """A constant beyond the widest bit-vector is a located error."""
    expect(plumb("solve", "-", text="(assert (= #b" + "1" * 1_000_000 + " #b1))"), 2, "", "<stdin>:1:12: error: a constant of 1000000 bits")
    expect(plumb("solve", "-", text="(assert (= (_ bv" + "9" * 1_000_000 + " 64) #b1))"), 2, "", "does not fit in 64 bits")


def binary_garbage():
    """Bytes that are no text are an error, whatever they are."""
    garbage = bytes((i * 7919 + (i >> 3)) % 256 for i in range(100_000))
    expect(plumb("solve", "-", text=garbage), 2, "", "error:")
    expect(plumb("solve", "-", text=b"\x7fELF\x02\x01\x01\x00"), 2, "", "<stdin>:1:1: error: unexpected byte 0x7f")


def missing_file():
    """A missing file, a directory and bad options end with exit code 2 and a reason."""
    expect(plumb("solve", "/nonexistent.smt2"), 2, "", "/nonexistent.smt2")
    expect(plumb("solve", str(HERE)), 2, "")
    expect(plumb("solve", "-", "--timeout", "soon", text=""), 2, "", "'soon' is not a time")
    expect(plumb("solve", "-", "--memory", "much", text=""), 2, "", "'much' is not a size")
    expect(plumb("solve", "-", "--backend", "no-such-solver", text="(check-sat)"), 2, "", "no-such-solver")
    expect(plumb("solve"), 2, "")
    expect(plumb("frobnicate"), 2, "")
    expect(plumb(), 2, "", "solve")


def empty_input():
    """Nothing asked, nothing answered."""
    expect(plumb("solve", "-", text=""), 0, "", "")


def json_output():
    """--json prints one object and nothing else, for answers and for errors."""
    text = "(declare-const x (_ BitVec 4))(assert (= x #x7))(check-sat)\n(get-value (x))(assert false)(check-sat)"
    result = plumb("solve", "-", "--json", "--stats", text=text)
    expect(result, 0)
    found = result_object(result.stdout)
    check(found["plumb"] == "2.0" and found["command"] == "solve" and found["inputs"] == ["-"], found)
    check(found["verdict"] == "mixed" and found["stats"]["sat"] == 1 and found["stats"]["unsat"] == 1, found)
    check([r["result"] for r in found["results"]] == ["sat", "((x #x7))", "unsat"], found)
    check([r["line"] for r in found["results"]] == [1, 2, 2], found)
    result = plumb("solve", "-", "--json", text=b"(check-sat)(assert |\xff|)")
    expect(result, 2)
    found = result_object(result.stdout)
    check(found["verdict"] == "error" and found["error"]["line"] == 1 and len(found["results"]) == 1, found)


def out_directory():
    """--out writes the answers and the object beside what is printed."""
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "a" / "b"
        expect(plumb("solve", "-", "--out", str(out), text="(check-sat)"), 0, "sat\n")
        check((out / "answers.txt").read_text() == "sat\n", "answers.txt")
        check(json.loads((out / "result.json").read_text())["verdict"] == "sat", "result.json")
        check(sorted(p.name for p in out.iterdir()) == ["answers.txt", "result.json"], "no other files")


def dumped_queries():
    """Each query is written as a script that gives the same answer by itself."""
    text = """(declare-const x (_ BitVec 8))(declare-const p Bool)(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
    (assert (bvult x #x10))(check-sat)(push 1)(assert (bvugt x #x20))(check-sat)(pop 1)
    (check-sat-assuming (p (= (select a x) #x01) (bvsmulo x #x40)))(check-sat-assuming (p (not p)))"""
    with tempfile.TemporaryDirectory() as directory:
        result = plumb("solve", "-", "--dump-queries", directory, text=text)
        expect(result, 0, "sat\nunsat\nsat\nunsat\n")
        files = sorted(pathlib.Path(directory).iterdir())
        check([f.name for f in files] == [f"query-{i:06}.smt2" for i in range(1, 5)], files)
        again = [plumb("solve", str(f)).stdout.decode().strip() for f in files]
        check(again == ["sat", "unsat", "sat", "unsat"], again)
        if shutil.which("z3"):
            other = [subprocess.run(["z3", f], capture_output=True, timeout=SECONDS).stdout.decode().strip() for f in files]
            check(other == again, other)


def closed_pipe():
    """A reader that goes away ends the run quietly."""
    many = "(echo \"" + "x" * 100 + "\")\n"
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as script:
        script.write(many * 20_000)
        script.flush()
        process = subprocess.Popen([PLUMB, "solve", script.name], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdout.readline()
        process.stdout.close()
        code = process.wait(timeout=SECONDS)
        check(code == 141, f"exit code {code}")
        check(process.stderr.read() == b"", "standard error should be empty")
        process.stderr.close()


def full_disk():
    """Output that cannot be written is an error with a reason."""
    with open("/dev/full", "wb") as full:
        result = subprocess.run([PLUMB, "solve", "-"], input=b"(check-sat)", stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
        check(result.returncode == 2 and b"No space left" in result.stderr, result)
        result = subprocess.run([PLUMB, "--version"], stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
        check(result.returncode == 2, result)


def interrupt():
    """Ctrl-C and SIGTERM end a long check within a second, with exit code 130."""
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([PLUMB, "solve", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(HARD.encode())
        process.stdin.close()
        time.sleep(0.7)
        start = time.monotonic()
        process.send_signal(signal_number)
        code = process.wait(timeout=SECONDS)
        check(code == 130, f"exit code {code}")
        check(time.monotonic() - start < 2, "it took too long")
        process.stdout.close()
        process.stderr.close()


def time_limit():
    """A timeout covers the whole run; every check that is left is unknown."""
    start = time.monotonic()
    result = plumb("solve", "-", "--timeout", "500ms", text=HARD + "(check-sat)")
    expect(result, 20, "unknown\nunknown\n")
    check(time.monotonic() - start < 10, "it took too long")


def statistics():
    """--stats goes to standard error and leaves the answers alone."""
    result = plumb("solve", "-", "--stats", text="(declare-const x (_ BitVec 8))(assert (bvult x #x05))(check-sat)")
    expect(result, 0, "sat\n", "solver_seconds")


def version_and_help():
    """--version and --help say what there is."""
    result = plumb("--version")
    expect(result, 0)
    check(result.stdout.startswith(b"plumb ") and b"QF_ABV" in result.stdout, result.stdout)
    for command in ([], ["solve"], ["doctor"]):
        result = plumb(*command, "--help")
        expect(result, 0, err="")
        check(b"plumb" in result.stdout, result.stdout)


def doctor():
    """doctor lists what is there, in text and as JSON alike."""
    result = plumb("doctor", "--json")
    check(result.returncode in (0, 20), result)
    found = result_object(result.stdout)
    names = [r["name"] for r in found["results"]]
    check("z3" in names and "clang-19" in names, names)
    text = plumb("doctor")
    check(text.returncode == result.returncode, text)
    missing = [r for r in found["results"] if not r["found"]]
    check(all(r["package"] in found["install"] for r in missing if "package" in r), found["install"])
    empty = subprocess.run([PLUMB, "doctor"], capture_output=True, timeout=SECONDS, env={**os.environ, "PATH": "/nonexistent"})
    check(empty.returncode in (0, 20) and b"apt-get install" in empty.stdout, empty)


SCENARIOS = [ten_megabytes_of_parentheses, deep_let, million_bit_constant, binary_garbage, missing_file, empty_input, json_output,
             out_directory, dumped_queries, closed_pipe, full_disk, interrupt, time_limit, statistics, version_and_help, doctor]


def main():
    words = sys.argv[2:]
    tests = [(path.stem, lambda path=path: run_case(path)) for path in sorted((HERE / "cases").glob("*.smt2"))]
    tests += [(scenario.__name__, lambda scenario=scenario: scenario() or "passed") for scenario in SCENARIOS]
    failed = 0
    for name, test in tests:
        if words and not any(word in name for word in words):
            continue
        try:
            print(f"{name}: {test()}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
            failed += 1
            print(f"{name}: FAILED\n{error}\n", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
