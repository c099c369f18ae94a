#!/usr/bin/env python3
"""Holds the defects that `plumb test` finds against random programs whose inputs are all tried.

    defects.py PLUMB --count 200 --seed 1 --keep DIR

A program has two inputs of a byte and arrays of all sorts (global, local, on the heap, in structs, in two dimensions) that it reads
and writes at indices which depend on them. Built as its own oracle it counts for every access whether it is ever out of bounds, over
all inputs; a bad read gives zero and a bad write does nothing, as in plumb's runs. Then
  - plumb reports no line that no input makes wrong;
  - if it says that it explored every path, it reports every line that some input makes wrong;
  - no run goes elsewhere than its formulas say (--check-traces).
What disagrees is kept in DIR."""
import argparse
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60
BUDGET = "10"

HEAD = """\
#include <plumb/plumb.h>
#include <stdio.h>
#include <stdlib.h>
struct outer { int a[4]; int z[4]; };
struct inner { int b[3]; int c; };
struct nested { int x; struct inner in[2]; };
int global[5];
int matrix[4][4];
#ifdef ORACLE
static unsigned char was_bad[1000];
static int inside(int access, long index, long first, long end) {
  if (index >= first && index < end) return 1;
  was_bad[access] = 1;
  return 0;
}
#define READ(access, array, index, first, end) (inside(access, index, first, end) ? array[index] : 0)
#define WRITE(access, array, index, first, end, value) \\
  (inside(access, index, first, end) ? (void)(array[index] = value) : (void)0)
#define ROW(access, array, index, end, column) (inside(access, index, 0, end) ? array[index][column] : 0)
#else
#define READ(access, array, index, first, end) array[index]
#define WRITE(access, array, index, first, end, value) array[index] = value
#define ROW(access, array, index, end, column) array[index][column]
#endif
static int body(int v0, int v1) {
  int v2 = 1, v3 = 0, local[7] = {3, 1, 4, 1, 5, 9, 2};
  struct outer member = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  struct nested deep = {0};
  int *heap = malloc(24), *middle = local + 2;
  for (int i = 0; i < 6; i++) heap[i] = i * 3;
  for (int i = 0; i < 5; i++) global[i] = i + 1;
"""
TAIL = """
  free(heap);
  return v0 + v1 + v2 + v3 + local[0] + global[0] + member.z[0] + middle[0] + deep.x;
}
#ifdef ORACLE
int main(void) {
  volatile int sum = 0;
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++) sum += body(a, b);
  for (int i = 0; i < 1000; i++)
    if (was_bad[i]) printf("%d\\n", i);
  return 0;
}
#else
int main(void) {
  unsigned char a = 0, b = 0;
  plumb_symbolic(&a, 1, "a");
  plumb_symbolic(&b, 1, "b");
  body(a, b);
  return 0;
}
#endif
"""
# Name, lowest index, end. Behind a heap object there is room that a checked build sees as such, but not without end.
ARRAYS = [("global", 0, 5), ("local", 0, 7), ("member.a", 0, 4), ("middle", -2, 5), ("deep.in[1].b", 0, 3), ("heap", 0, 6)]


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 0
        self.accesses = []  # lines, by number

    def text(self):
        for _ in range(2):
            self.block(3)
        first = HEAD.count("\n") + 1
        return HEAD + "\n".join(self.lines) + TAIL, [first + line for line in self.accesses]

    def emit(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def variable(self):
        return f"v{self.random.randrange(4)}"

    def index(self):
        v, r = self.variable(), self.random
        return r.choice([v, f"{v} + {r.randrange(1, 4)}", f"{v} - {r.randrange(1, 4)}", f"({v} & {r.choice([1, 3, 7, 15])})",
                         f"{v} % {r.randrange(2, 9)}", f"{v} / {r.choice([8, 16, 32])}", f"{v} * 2"])

    def inner(self, depth):
        self.depth += 1
        self.block(depth)
        self.depth -= 1

    def block(self, depth):
        for _ in range(self.random.randrange(1, 4)):
            self.statement(depth)

    def statement(self, depth):
        r, kind = self.random, self.random.randrange(12)
        if kind < 3 and depth > 0:
            self.emit(f"if ({self.variable()} {r.choice(['<', '>', '==', '!='])} {r.choice([0, 1, 2, 3, 5, 9, 40, 200])}) {{")
            self.inner(depth - 1)
            if r.randrange(2):
                self.emit("} else {")
                self.inner(depth - 1)
            self.emit("}")
        elif kind == 3 and depth > 0:
            self.emit(f"for (int i{depth} = 0; i{depth} < {r.randrange(2, 4)}; i{depth}++) {{")
            self.inner(depth - 1)
            self.emit("}")
        elif kind < 5:
            other = r.choice([self.variable(), str(r.randrange(20))])
            self.emit(f"{self.variable()} = ({self.variable()} {r.choice('+^&|')} {other}) & 255;")
        else:
            self.access()

    def access(self):
        number, r = len(self.accesses), self.random
        self.accesses.append(len(self.lines))
        if r.randrange(7) == 0:
            row = r.choice(["(v0 & 3)", self.index()])
            self.emit(f"{self.variable()} = ROW({number}, matrix, {row}, 4, (v1 & 3)) & 255;")
            return
        name, low, end = r.choice(ARRAYS)
        index = self.index()
        if name == "heap":
            index = f"(({index}) & 7)"
        if r.randrange(2):
            self.emit(f"{self.variable()} = READ({number}, {name}, {index}, {low}, {end}) & 255;")
        else:
            self.emit(f"WRITE({number}, {name}, {index}, {low}, {end}, {self.variable()});")


def bad_lines(source, lines, directory):
    oracle = directory / "oracle"
    subprocess.run(["cc", "-O1", "-w", "-DORACLE", f"-I{ROOT / 'include'}", source, "-o", oracle], check=True, timeout=SECONDS)
    printed = subprocess.run([oracle], capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    return {lines[int(number)] for number in printed.split()}


def disagreement(plumb, seed, directory):
    text, lines = Generator(seed).text()
    source = directory / f"defects-{seed}.c"
    source.write_text(text)
    wanted = bad_lines(source, lines, directory)
    way = [[], ["--regions", "on"], ["--regions", "off"], ["--strategy", "dfs"]][seed % 4]
    command = [plumb, "test", str(source), "--out", str(directory / "out"), "--json", "-q", "--until", "time", "--timeout", BUDGET,
               "--check-traces", *way]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if run.returncode not in (0, 10, 20):
        return f"exit code {run.returncode}: {run.stderr[-500:]}"
    report = json.loads(run.stdout)
    found = {defect["line"] for defect in report["defects"]}
    if found - wanted:
        return f"lines {sorted(found - wanted)} are reported and never wrong"
    if report["unconfirmed"]:
        return f"not confirmed: {report['unconfirmed']}"
    if report["campaign"]["stop"] == "complete" and wanted - found:
        return f"lines {sorted(wanted - found)} are wrong and not reported"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    failures = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as directory:
            problem = disagreement(options.plumb, seed, pathlib.Path(directory))
            if problem is None:
                continue
            failures += 1
            print(f"seed {seed}: {problem}", flush=True)
            if options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(pathlib.Path(directory) / f"defects-{seed}.c", options.keep)
    print(f"{options.count - failures} of {options.count} programs agree")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
