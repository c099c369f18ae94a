#!/usr/bin/env python3
"""Holds `plumb run --checks overflow,shift` against UndefinedBehaviorSanitizer on random programs.

    undefined.py PLUMB --count 500 --seed 1 --jobs 2 --keep DIR

A program is one function of statements over signed and unsigned numbers of all widths, one statement a line, with values that often
overflow. Built natively with -fsanitize=signed-integer-overflow,shift-exponent it ends at its first report; plumb has to end at the
same line with the same kind, and where there is no report both have to end with the same output."""
import argparse
import pathlib
import random
import re
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from program_run import execute, plumb_command, run_by_plumb  # noqa: E402

SANITIZER = ["-fsanitize=signed-integer-overflow,shift-exponent", "-fno-sanitize-recover=all"]
TYPES = ["signed char", "short", "int", "int", "long", "long long", "unsigned char", "unsigned short", "unsigned", "unsigned long"]
NUMBERS = ["0", "1", "2", "3", "7", "-1", "-2", "31", "32", "63", "100", "255", "32767", "65535", "46341", "2147483647",
           "(-2147483647 - 1)", "4294967295u", "9223372036854775807l", "(-9223372036854775807l - 1)", "3037000500l", "65536l"]


class Program:
    """The text of one."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = [f"v{i}" for i in range(8)]
        self.lines = ["#include <stdio.h>", "int main(void) {"]
        for name in self.variables:
            self.lines.append(f"  {'volatile ' if self.random.random() < 0.3 else ''}{self.random.choice(TYPES)} {name} = {self.number()};")
        for _ in range(self.random.randint(4, 30)):
            self.lines += ["  " + line for line in self.statement()]
        for name in self.variables:
            self.lines.append(f'  printf("%llx ", (long long){name});')
        self.lines += ["  return 0;", "}"]

    def text(self):
        return "\n".join(self.lines) + "\n"

    def number(self):
        return self.random.choice(NUMBERS) if self.random.random() < 0.5 else str(self.random.randint(-300, 300))

    def variable(self):
        return self.random.choice(self.variables)

    def expression(self, depth):
        """With a variable in it: clang folds what has none, and then nothing is left to report."""
        if depth == 0 or self.random.random() < 0.2:
            return self.variable()
        a = self.expression(depth - 1)
        b = self.expression(depth - 1) if self.random.random() < 0.7 else self.number()
        if self.random.random() < 0.3:
            a, b = b, a
        match self.random.randrange(12):
            case 0 | 1 | 2:
                return f"({a} + {b})"
            case 3 | 4:
                return f"({a} - {b})"
            case 5:
                return f"({a} * {b})"
            case 6:
                return f"({a} {self.random.choice(['/', '%'])} ({b} | 1))"
            case 7:
                return f"({a} {self.random.choice(['<<', '>>'])} (int)({b}{self.random.choice(['', ' & 15', ' & 31', ' & 63'])}))"
            case 8:
                return f"({self.random.choice(['- ', '~', '!'])}{self.expression(depth - 1)})"
            case 9:
                return f"({a} {self.random.choice(['<', '==', '>='])} {b} ? {a} : {b})"
            case 10:
                return f"({self.random.choice(TYPES)})({self.expression(depth - 1)})"
            case _:
                return f"({a} {self.random.choice(['&', '|', '^', '&&', '||'])} {b})"

    def statement(self):
        name = self.variable()
        match self.random.randrange(8):
            case 0:
                return [f"{self.random.choice(['++', '--'])}{name};"]
            case 1:
                return [f"{name} {self.random.choice(['+=', '-=', '*='])} {self.expression(1)};"]
            case 2:
                return [f"{name} {self.random.choice(['<<=', '>>='])} {self.expression(1)} & 31;"]
            case 3:
                return [f"if ({self.expression(2)})", f"  {name} = {self.expression(2)};"]
            case 4:
                return [f"for (int i = 0; i < {self.random.randint(2, 40)}; ++i)", f"  {name} += {self.expression(1)};"]
            case _:
                return [f"{name} = {self.expression(3)};"]


def native_end(source, directory):
    """(kind, line) of the first report, or the output."""
    executable = directory / "native"
    command = ["clang-19", "-O0", "-w", "-g", *SANITIZER, str(source), "-o", str(executable)]
    code, _, error = execute(command, b"", 120)
    if code != 0:
        return f"clang: {error.decode()}"
    code, output, error = execute([str(executable)], b"", 60)
    report = re.search(r":(\d+):\d+: runtime error: (\w+)", error.decode(errors="replace"))
    if report:
        return ("shift-out-of-range" if report[2] == "shift" else "signed-overflow", int(report[1]))
    return output.decode() if code == 0 else f"signal {-code}"


def plumb_end(plumb, source):
    ours = run_by_plumb(plumb_command(plumb, [source], [], options=["--checks=overflow,shift"]))
    if ours.end == "defect":
        return (ours.defects[0]["kind"], ours.defects[0].get("line"))
    return ours.output if ours.end == "exit" else str(ours)


def check(plumb, seed, keep):
    """What is wrong, and whether there was a report."""
    with tempfile.TemporaryDirectory() as made:
        directory = pathlib.Path(made)
        source = directory / "program.c"
        source.write_text(Program(seed).text())
        native, ours = native_end(source, directory), plumb_end(plumb, source)
        if native == ours:
            return "", isinstance(native, tuple)
        if keep:
            keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, keep / f"undefined-{seed}.c")
        return f"seed {seed}: natively {native}, by plumb {ours}", True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    plumb = options.plumb.resolve()
    wrong, reports = 0, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for complaint, has_report in pool.map(lambda s: check(plumb, s, options.keep), range(options.seed, options.seed + options.count)):
            reports += has_report
            wrong += bool(complaint)
            if complaint:
                print(complaint, flush=True)
    print(f"{options.count} programs, {reports} with a report, {wrong} disagree")
    is_idle = options.count >= 20 and not 0 < reports < options.count  # both ends have to be in the sample
    sys.exit(1 if wrong or is_idle else 0)


if __name__ == "__main__":
    main()
