#!/usr/bin/env python3
"""Three ways to find defects side by side (Table 3.4), as Markdown.

    run.py PLUMB [--rounds N] [--valgrind COMMAND] [NAME…]

Random inputs under Valgrind (N rounds, 20); the tests that `plumb test --checks none` makes, each under Valgrind; `plumb test`
alone. A defect is a class and a line: A an access out of bounds, B a leak, C a double free, D another one. Of Valgrind's
leaks those count that nothing points to (what hangs on them goes with them); an access where nothing is counts as out of
bounds, below 64 KiB as a null pointer. Valgrind cannot know why an address is wrong: what it calls A or D counts as found
if plumb reports A or D at that line. Uninitialised values are no part of the comparison, as plumb does not look for them
by default.

The bar: plumb alone finds all that our tests under Valgrind find, in at most half the time, summed over the programs;
single programs that take more than half (those with two or three tests do) are named. Exit code 1 if it is missed."""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CLASSES = "ABCD"
SECONDS = 30  # for one search
OVERFLOWS = ("array-out-of-bounds", "pointer-out-of-bounds", "array-pointer-out-of-bounds")
NULL_END = 1 << 16


class Scheme:
    """What was found in which time."""

    def __init__(self):
        self.found, self.runs, self.start, self.seconds = set(), 0, time.monotonic(), 0.0

    def finish(self):
        self.seconds = time.monotonic() - self.start
        return self

    def counts(self):
        return " | ".join(str(len({line for kind, line in self.found if kind == letter})) for letter in CLASSES)


def class_of(kind):
    return "A" if kind in OVERFLOWS else {"leak": "B", "double-free": "C"}.get(kind, "D")


def plumb_test(plumb, source, out, *arguments):
    command = [str(plumb), "test", str(source), "--json", "-q", "--out", str(out), "--timeout", f"{SECONDS}s", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=4 * SECONDS)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr.decode(errors='replace')[-1500:]}")
    return json.loads(done.stdout)


def inputs_of(path):
    return [(one["name"], bytes.fromhex(one["bytes"])) for one in json.loads(path.read_text())["inputs"]]


class Valgrind:
    """The program as anybody would compile it, whose inputs are variables of the environment."""

    def __init__(self, command, source, directory):
        # Valgrind 3.19, which Debian 12 has, does not read all of DWARF 5.
        self.command, self.source, self.executable, self.directory = command, source, directory / "program", directory
        subprocess.run(["clang-19", "-gdwarf-4", "-O0", "-w", f"-I{ROOT / 'include'}", str(source), "-o", str(self.executable)], check=True)

    def run(self, inputs):
        """The defects of one run."""
        log = self.directory / "log.xml"
        variables = {f"PLUMB_{name}": f"hex:{content.hex()}" for name, content in inputs}
        subprocess.run([self.command, "-q", "--xml=yes", f"--xml-file={log}", "--leak-check=full", "--show-leak-kinds=definite",
                        "--undef-value-errors=no", str(self.executable)], env={**os.environ, **variables}, capture_output=True, timeout=60)
        text = log.read_text(errors="replace")
        if "</valgrindoutput>" not in text:
            raise RuntimeError(f"{self.source.name}: Valgrind did not finish: {text[-500:]}")
        found = set()
        for error in xml.fromstring(text).iter():
            if error.tag in ("error", "fatal_signal"):
                found |= self.read(error)
        # What a run that crashed had not yet given back is no leak.
        return {one for one in found if one[0] != "B"} if "<fatal_signal>" in text else found

    def read(self, error):
        lines = [int(frame.findtext("line", "0")) for stack in error.findall("stack")[:1] for frame in stack.findall("frame")
                 if pathlib.Path(frame.findtext("file", "")).name == self.source.name]
        if not lines:
            return set()
        kind, about = error.findtext("kind", ""), " ".join(part.text or "" for part in error.findall("auxwhat"))
        if error.tag == "fatal_signal":
            return {("D", lines[0])} if error.findtext("signame") == "SIGFPE" else set()  # others are told as accesses
        if kind.startswith("Leak_"):
            return {("B", lines[0])}
        if kind == "InvalidFree":
            return {("C" if "free'd" in about else "D", lines[0])}
        address = re.search(r"Address 0x([0-9a-f]+)", about)
        if kind not in ("InvalidRead", "InvalidWrite") or "free'd" in about.replace("(recently) free'd", "") or "stack pointer" in about:
            return {("D", lines[0])}
        return {("D" if address and int(address.group(1), 16) < NULL_END else "A", lines[0])}


def with_random_inputs(valgrind, sizes, rounds):
    scheme, dice = Scheme(), random.Random(valgrind.source.stem)
    for _ in range(rounds):
        scheme.found |= valgrind.run([(name, dice.randbytes(size)) for name, size in sizes])
        scheme.runs += 1
    return scheme.finish()


def with_our_tests(plumb, valgrind, directory):
    scheme, out = Scheme(), directory / "tests-only"
    plumb_test(plumb, valgrind.source, out, "--checks", "none")
    sizes = {}
    for path in [*sorted(out.glob("tests/*.json")), *sorted(out.glob("errors/*.json"))]:
        inputs = inputs_of(path)
        sizes.update({name: len(content) for name, content in inputs})
        scheme.found |= valgrind.run(inputs)
        scheme.runs += 1
    return scheme.finish(), sorted(sizes.items())


def alone(plumb, source, directory):
    scheme = Scheme()
    result = plumb_test(plumb, source, directory / "alone")
    scheme.finish()
    scheme.runs = result["stats"]["runs"]
    scheme.found = {(class_of(defect["kind"]), defect.get("line")) for defect in result.get("defects", [])}
    return scheme


def is_found(one, found):
    letter, line = one
    return one in found or (letter in "AD" and bool({("A", line), ("D", line)} & found))


def compare(plumb, valgrind, source, rounds, complaints):
    """The three schemes on one program; prints their rows."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        native = Valgrind(valgrind, source, directory)
        tests, sizes = with_our_tests(plumb, native, directory)
        schemes = [with_random_inputs(native, sizes, rounds), tests, alone(plumb, source, directory)]
    seeded = re.search(r"^// seeded: (.*)$", source.read_text(), re.MULTILINE).group(1)
    for label, scheme in zip(("random + Valgrind", "our tests + Valgrind", "plumb"), schemes):
        print(f"| {source.stem} ({seeded}) | {label} | {scheme.counts()} | {scheme.runs} | {scheme.seconds:.2f} |", flush=True)
    for letter, line in sorted(one for one in tests.found if not is_found(one, schemes[2].found)):
        complaints.append(f"{source.stem}: plumb does not find {letter} at line {line}, which a test shows under Valgrind")
    return schemes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--valgrind", default="valgrind")
    options = parser.parse_intermixed_args()
    table = ["array", "leak", "ptr_arr", "ptr_over"]
    sources = sorted((HERE / "programs").glob("*.c"), key=lambda path: (path.stem not in table, path.stem))
    sources = [source for source in sources if not options.names or source.stem in options.names]
    complaints, slow, totals = [], [], [0.0, 0.0, 0.0]
    print("| program (seeded) | scheme | A | B | C | D | runs | s |\n|---|---|--:|--:|--:|--:|--:|--:|")
    for source in sources:
        schemes = compare(options.plumb.resolve(), options.valgrind, source, options.rounds, complaints)
        totals = [total + scheme.seconds for total, scheme in zip(totals, schemes)]
        if 2 * schemes[2].seconds > schemes[1].seconds:
            slow.append(f"{source.stem} ({schemes[2].seconds:.2f} s of {schemes[1].seconds:.2f} s)")
    if 2 * totals[2] > totals[1]:
        complaints.append(f"plumb takes {totals[2]:.1f} s in all, our tests under Valgrind {totals[1]:.1f} s; at most half is wanted")
    print(f"\nIn all {totals[0]:.1f} s, {totals[1]:.1f} s and {totals[2]:.1f} s. "
          f"Bar (plumb finds all that our tests under Valgrind find, in at most half the time): {'missed' if complaints else 'met'}.")
    if slow:
        print(f"More than half the time for {', '.join(slow)}.")
    for complaint in complaints:
        print(f"- {complaint}")
    return 1 if complaints or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
