#!/usr/bin/env python3
"""Holds `plumb run --checks uninitialised` against Valgrind on random programs.

    uninitialised.py PLUMB --count 200 --seed 1 --jobs 2 --keep DIR

The programs are those of undefined.py, with variables, elements, bit-fields and heap objects of which some are never set, copied as
wholes now and then. Plumb may not report anything that comes before Valgrind's first report, nor anything where Valgrind is silent.
It need not report all that Valgrind does: a conditional move is no decision here. Divisors, which Valgrind does not look at, are left
out."""
import argparse
import pathlib
import random
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from undefined import TYPES, Program
from program_run import execute, plumb_command, run_by_plumb

ELEMENTS = ["a[0]", "a[1]", "a[2]", "a[3]", "s.x", "s.y", "s.z", "h[0]", "h[1]"]


class PartlySet(Program):
    """The text of a program in which not all variables are set."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        numbers = [f"v{i}" for i in range(6)]
        self.variables = numbers + ELEMENTS
        self.lines = ["#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>",
                      "struct S { unsigned x : 5; int y : 9; unsigned short z; };", "int main(void) {",
                      "  struct S s, t;", "  int *h = malloc(16);", f"  {self.random.choice(TYPES)} a[4];", "  memcpy(&t, &s, sizeof t);"]
        for name in numbers:
            start = f" = {self.number()}" if self.random.random() < 0.8 else ""
            self.lines.append(f"  {self.random.choice(TYPES)} {name}{start};")
        for name in ELEMENTS:
            if self.random.random() < 0.7:
                self.lines.append(f"  {name} = {self.number()};")
        for _ in range(self.random.randint(4, 25)):
            self.lines += ["  " + line for line in self.step()]
        for name in self.variables:
            self.lines.append(f"  if ({name} == 3) putchar('.');")
        self.lines += ["  free(h);", "  return 0;", "}"]

    def step(self):
        match self.random.randrange(16):
            case 0:
                return ["memcpy(&t, &s, sizeof s);"]
            case 1:
                return ["s = t;"]
            case 2:
                return ["h = realloc(h, 32);"]
            case 3:
                return [f"memset(a, {self.random.randint(0, 9)}, {self.random.choice(['sizeof a', '2', '1'])});"]
            case _:
                return self.statement()

    def expression(self, depth):
        return super().expression(depth).replace("/", "&").replace("%", "|")


def native_line(source, directory):
    """Of Valgrind's first report; None if there is none. Text: the program cannot be compared."""
    executable = directory / "native"
    code, _, error = execute(["clang-19", "-O0", "-w", "-gdwarf-4", str(source), "-o", str(executable)], b"", 120)
    if code != 0:
        return f"clang: {error.decode()}"
    code, _, error = execute(["valgrind", "-q", str(executable)], b"", 120)
    if code is None or code != 0:
        return f"valgrind: {code}"
    report = re.search(r"program\.c:(\d+)\)", error.decode(errors="replace"))
    return int(report[1]) if report else None


def check(plumb, seed, keep):
    """What is wrong, and whether both say the same line."""
    with tempfile.TemporaryDirectory() as made:
        directory = pathlib.Path(made)
        source = directory / "program.c"
        source.write_text(PartlySet(seed).text())
        native = native_line(source, directory)
        ours = run_by_plumb(plumb_command(plumb, [source], [], options=["--checks=uninitialised"]))
        line = ours.defects[0].get("line") if ours.end == "defect" else None
        if ours.end not in ("exit", "defect") or isinstance(native, str):
            return f"seed {seed}: {native}, {ours}", False
        if line is None or (native is not None and native <= line):
            return "", native == line
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, keep / f"uninitialised-{seed}.c")
        return f"seed {seed}: by Valgrind line {native}, by plumb {ours}", False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    if shutil.which("valgrind") is None:
        sys.exit("valgrind is not installed")
    plumb = options.plumb.resolve()
    wrong, same = 0, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for complaint, is_same in pool.map(lambda s: check(plumb, s, options.keep), range(options.seed, options.seed + options.count)):
            same += is_same
            wrong += bool(complaint)
            if complaint:
                print(complaint, flush=True)
    print(f"{options.count} programs, {same} with Valgrind's line, {wrong} wrong")
    sys.exit(1 if wrong or same < options.count * 3 // 4 else 0)


if __name__ == "__main__":
    main()
