#!/usr/bin/env python3
"""Checks Verilog designs with `plumb check`, and replays every counterexample in Icarus Verilog.

    run.py PLUMB            all designs
    run.py PLUMB NAME…      those whose name contains one of the words

A design's leading comments say what is expected:

    // purpose: one sentence
    // expect: PROPERTY holds            (all properties, in any order)
    // expect: PROPERTY violated [STEP]  (the step of a shortest counterexample, which bmc alone must find)
    // note: a part of a note            (optional)
    // replay: no, and why               (optional)

The testbench drives the inputs of the trace, sets registers to the values they start with, and must see the assertion
fail in the last step and not before. The top module is the last one of a file.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 600  # many times what a design takes on an idle machine
ENGINES = ["bmc", "k-induction", "guess", "abc pdr", "abc int"]


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def expectations(path):
    wanted = {"purpose": [], "expect": [], "note": [], "replay": []}
    for line in path.read_text().splitlines():
        if not line.startswith("// ") or ":" not in line:
            break
        key, value = line[3:].split(":", 1)
        check(key in wanted, f"unknown heading {key!r}")
        wanted[key].append(value.strip())
    check(wanted["purpose"] and wanted["expect"], "a design should say its purpose and what is expected")
    return wanted


def run_check(path, *arguments, timeout=300):
    result = subprocess.run([PLUMB, "check", str(path), "--json", "--full-trace", "--timeout", str(timeout), *arguments],
                            capture_output=True, timeout=SECONDS)
    check(result.returncode in (0, 10, 20), f"exit {result.returncode}\n{result.stdout.decode()}\n{result.stderr.decode()}")
    found = result_object(result.stdout)
    wanted_code = {"holds": 0, "violated": 10}.get(found["verdict"], 20)
    check(result.returncode == wanted_code, f"exit {result.returncode} for {found['verdict']}")
    return found


def literal(value):
    return value.replace("0x", "'h") if isinstance(value, str) else f"64'd{value}"


def testbench(text, trace, has_clock):
    top = re.findall(r"^module\s+(\w+)", text, re.M)[-1]
    inputs = list(trace["inputs"][0])
    lines = ["module testbench;"]
    lines += [f"  reg [63:0] in_{name} = 0;" for name in inputs]
    lines += [f"  {top} dut ({', '.join(f'.{name}(in_{name})' for name in inputs)});", "  initial begin", "    #1;"]
    for name, value in trace["initial"].items():
        if re.fullmatch(r"state\d+", name):
            continue
        for target, word in [(f"{name}[{i}]", w) for i, w in enumerate(value)] if isinstance(value, list) else [(name, value)]:
            lines.append(f"    dut.{target} = {literal(word)};")
    lines.append("    #1;")
    clocks = [name for name in inputs if name.startswith("clk")]
    # What a latch holds is a register without its name; its wire has the value.
    latches = [] if has_clock else [(name, value) for name, value in trace["signals"][0].items() if name not in inputs and
                                    re.search(rf"\breg\b[^;),\n]*\b{re.escape(name)}\b", text)]
    for step, chosen in enumerate(trace["inputs"]):
        lines.append(f'    $display("STEP {step}");')
        # Data change behind the edge, as a register sees what was there before it.
        for group in ([] if has_clock else clocks), [name for name in inputs if name not in clocks]:
            lines += [f"    in_{name} = {literal(chosen[name])};" for name in group]
            if step == 0 and group is not clocks:
                lines += [f"    dut.{name} = {literal(value)};" for name, value in latches]
            lines.append("    #1;")
        if has_clock:
            lines += [f"    in_{name} = 1; #1; in_{name} = 0; #1;" for name in clocks]
    lines += ["    $finish;", "  end", "endmodule"]
    return "\n".join(lines) + "\n"


def replay(path, found, answer):
    """The place of the assertion is among those that fail in the last step, and not among those before."""
    text = path.read_text()
    # The simulator knows no labels of assertions; lines stay where they are.
    plain = re.sub(r"\b\w+(\s*:\s*)assert\b", "assert", text)
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        (directory / "design.sv").write_text(plain)
        has_clock = not any("clocks" in note for note in found["assumptions"])
        (directory / "testbench.sv").write_text(testbench(text, answer["trace"], has_clock))
        subprocess.run(["iverilog", "-g2012", "-s", "testbench", "-o", "run", "design.sv", "testbench.sv"], cwd=directory, check=True,
                       capture_output=True, timeout=SECONDS)
        printed = subprocess.run(["vvp", "run"], cwd=directory, check=False, capture_output=True, timeout=SECONDS).stdout.decode()
    steps = printed.split("STEP ")[1:]
    check(len(steps) == answer["trace"]["steps"], f"the simulation should have {answer['trace']['steps']} steps:\n{printed}")
    failing = [step for step, part in enumerate(steps) if f"design.sv:{answer['line']}:" in part]
    # Without a clock of its own, an assertion sees the registers of the last step from the edge before it on.
    blocks = re.findall(r"always\s*@\s*(\*|\([^)]*\))", "\n".join(text.splitlines()[:answer["line"]]))
    first = len(steps) - 1 - (blocks[-1] in ("*", "(*)") and has_clock)
    check(failing and first <= failing[0] and failing[-1] == len(steps) - 1,
          f"line {answer['line']} should fail in step {len(steps) - 1} alone:\n{printed}")


def run_design(path):
    wanted = expectations(path)
    found = run_check(path)
    verdicts = {answer["name"]: answer for answer in found["properties"]}
    expected = [line.split() for line in wanted["expect"]]
    check(sorted(verdicts) == sorted(e[0] for e in expected), f"properties {sorted(verdicts)}")
    for name, verdict, *step in expected:
        answer = verdicts[name]
        check(answer["verdict"] == verdict, f"{name} should be {verdict}: {answer}")
        source = path.read_text().splitlines()[answer["line"] - 1]
        check("assert" in source[answer["column"] - 1:], f"{name} should stand at an assertion, not at {source!r}")
        if step:
            alone = run_check(path, "--engine", "bmc", "--property", name, "--bound", "64")["properties"][0]
            check(alone["bound"] == int(step[0]), f"{name} should be violated in step {step[0]}, not {alone['bound']}")
        if verdict == "violated" and not wanted["replay"]:
            check(shutil.which("iverilog") is not None, "Icarus Verilog should be installed")
            replay(path, found, answer)
            # Which engine wins is not known, so the counterexamples of all are replayed.
            for engine in ENGINES:
                alone = run_check(path, "--engine", engine, "--property", name, timeout=10)["properties"][0]
                check(alone["verdict"] in ("violated", "unknown"), f"{engine} says of {name}: {alone['verdict']}")
                if alone["verdict"] == "violated":
                    replay(path, found, alone)
    for note in wanted["note"]:
        check(any(note in text for text in found["assumptions"]), f"expected the note {note!r}: {found['assumptions']}")


def main():
    words = sys.argv[2:]
    failures = 0
    for path in sorted([*HERE.glob("*.sv"), *HERE.glob("*.v")]):
        if words and not any(word in path.name for word in words):
            continue
        try:
            run_design(path)
            print(f"passed   {path.name}")
        except (AssertionError, subprocess.SubprocessError) as error:
            failures += 1
            print(f"FAILED   {path.name}: {error}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
