#!/usr/bin/env python3
"""Holds `plumb check` against random programs that read values which nothing set.

    unset.py PLUMB --count 300 --seed 1 --jobs 1 --engines circuit,bmc --keep DIR

Locals, elements, fields, heap objects and variables of loops and callees are partly set; all reads take two bits. An interpreter here
runs each program on all inputs and all values of what it reads unset: one for each object created, the same until it is written. No
engine may call the error call unreachable that some run reaches, or reached if none does, and a counterexample is confirmed by
replays that set those values. What no engine decides is counted."""
import argparse
import pathlib
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from check import check

MOST_RUNS = 6000


class Run:
    """One run; `choices` are two bits each, extended by zeros."""

    def __init__(self, choices):
        self.choices, self.next = choices, 0

    def choose(self):
        if self.next == len(self.choices):
            self.choices.append(0)
        self.next += 1
        return self.choices[self.next - 1]


class Cell:
    """A byte, maybe unset."""

    def __init__(self, value=None):
        self.value = value

    def read(self, run):
        if self.value is None:
            self.value = run.choose()
        return self.value


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0
        self.has_heap = self.random.random() < 0.6
        self.places = ["u0", "u1", "u2", "a[0]", "a[1]", "a[2]", "s.x", "s.y"] + (["h[0]", "h[1]"] if self.has_heap else [])
        self.starts = {name: self.random.randrange(4) for name in ("u0", "u1", "u2") if self.random.random() < 0.4}
        self.leaf = (self.condition(["n"]), self.expression(["n"], 1), self.random.random() < 0.3)
        self.body = self.block(self.places, 3, self.random.randint(2, 6))
        self.goal = self.condition(self.places, 2)

    def expression(self, places, depth):
        kind = self.random.randrange(6)
        if kind == 0:
            return ("constant", self.random.randrange(4))
        if kind == 1 and self.random.random() < 0.3:
            return ("input",)
        if kind < 5 or depth == 0:
            return ("read", self.random.choice(places))
        return (self.random.choice("+^&"), self.expression(places, depth - 1), self.expression(places, depth - 1))

    def condition(self, places, depth=1):
        return (self.random.choice(["==", "!=", "<"]), self.expression(places, depth), self.expression(places, depth))

    def block(self, places, depth, count):
        return [self.statement(places, depth) for _ in range(count)]

    def statement(self, places, depth):
        kind = self.random.randrange(10)
        if kind < 2 and depth > 0:
            return ("if", self.condition(places), self.block(places, depth - 1, self.random.randint(1, 2)),
                    self.block(places, depth - 1, self.random.randint(0, 1)))
        if kind == 2 and depth > 1:
            self.loops += 1
            name = f"t{self.loops}"
            start = self.expression(places, 1) if self.random.random() < 0.2 else None
            return ("loop", name, self.random.randint(2, 3), start, self.block([*places, name], depth - 2, self.random.randint(1, 3)))
        place = self.random.choice(places)
        if kind == 3:
            return ("set", place, self.expression(places, 1), self.expression(places, 1))
        if kind == 4:
            return ("call", place, self.expression(places, 1))
        if kind == 5 and self.has_heap:
            return ("grow",)
        return ("assign", place, self.expression(places, 2))

    # The text

    def text_of(self, e):
        if e[0] == "constant":
            return str(e[1])
        if e[0] == "input":
            return "(__VERIFIER_nondet_uchar() & 3)"
        if e[0] == "read":
            return f"({e[1]} & 3)"
        inside = f"{self.text_of(e[1])} {e[0]} {self.text_of(e[2])}"
        return f"(({inside}) & 3)" if e[0] in "+^&" else inside

    def lines(self, block, indent):
        for s in block:
            pad = "  " * indent
            if s[0] == "if":
                yield f"{pad}if ({self.text_of(s[1])}) {{"
                yield from self.lines(s[2], indent + 1)
                yield f"{pad}}} else {{"
                yield from self.lines(s[3], indent + 1)
                yield f"{pad}}}"
            elif s[0] == "loop":
                yield f"{pad}for (int i_{s[1]} = 0; i_{s[1]} < {s[2]}; i_{s[1]}++) {{"
                yield f"{pad}  unsigned char {s[1]}" + (f" = {self.text_of(s[3])};" if s[3] else ";")
                yield from self.lines(s[4], indent + 1)
                yield f"{pad}}}"
            elif s[0] == "set":
                yield f"{pad}set(&{s[1]}, {self.text_of(s[2])}, {self.text_of(s[3])});"
            elif s[0] == "call":
                yield f"{pad}{s[1]} = leaf({self.text_of(s[2])});"
            elif s[0] == "grow":
                yield f"{pad}h = realloc(h, size += 1);"
                yield f"{pad}if (h[size - 1] & 1) h[0] = 2;"
            else:
                yield f"{pad}{s[1]} = {self.text_of(s[2])};"

    def text(self):
        condition, value, is_array = self.leaf
        w = "w[1]" if is_array else "w"
        out = ["#include <stdlib.h>", "extern unsigned char __VERIFIER_nondet_uchar(void);", "extern void reach_error(void);",
               "struct S { unsigned char x; int z; unsigned char y; };",
               "static void set(unsigned char *p, unsigned char a, unsigned char b) { if (a & 1) *p = b; }",
               f"static unsigned char leaf(unsigned char n) {{ unsigned char w{'[2]' if is_array else ''}; "
               f"if ({self.text_of(condition)}) {w} = {self.text_of(value)}; return {w} & 3; }}",
               "int main(void) {", "  unsigned char a[3];", "  struct S s;"]
        out += [f"  unsigned char {name}" + (f" = {self.starts[name]};" if name in self.starts else ";") for name in ("u0", "u1", "u2")]
        if self.has_heap:
            out += ["  unsigned long size = 2;", "  unsigned char *h = malloc(size);"]
        out += self.lines(self.body, 1)
        out += [f"  if ({self.text_of(self.goal)}) reach_error();", "  return 0;", "}"]
        return "\n".join(out) + "\n"

    # The meaning

    def value(self, e, run, cells):
        if e[0] == "constant":
            return e[1]
        if e[0] == "input":
            return run.choose()
        if e[0] == "read":
            return cells[e[1]].read(run)
        x, y = self.value(e[1], run, cells), self.value(e[2], run, cells)
        return {"+": (x + y) & 3, "^": x ^ y, "&": x & y, "==": x == y, "!=": x != y, "<": x < y}[e[0]]

    def execute(self, block, run, cells):
        for s in block:
            if s[0] == "if":
                self.execute(s[2] if self.value(s[1], run, cells) else s[3], run, cells)
            elif s[0] == "loop":
                for _ in range(s[2]):
                    cells[s[1]] = Cell(self.value(s[3], run, cells) if s[3] else None)
                    self.execute(s[4], run, cells)
            elif s[0] == "set":
                a, b = self.value(s[2], run, cells), self.value(s[3], run, cells)
                if a & 1:
                    cells[s[1]].value = b
            elif s[0] == "call":
                inner = {"n": Cell(self.value(s[2], run, cells))}
                w = Cell()
                if self.value(self.leaf[0], run, inner):
                    w.value = self.value(self.leaf[1], run, inner)
                cells[s[1]].value = w.read(run)
            elif s[0] == "grow":
                if Cell().read(run) & 1:
                    cells["h[0]"].value = 2
            else:
                cells[s[1]].value = self.value(s[2], run, cells)

    def is_reached(self):
        """None: there are too many runs."""
        choices = []
        for _ in range(MOST_RUNS):
            run = Run(choices)
            cells = {name: Cell(self.starts.get(name)) for name in self.places}
            self.execute(self.body, run, cells)
            if self.value(self.goal, run, cells):
                return True
            choices = choices[:run.next]
            while choices and choices[-1] == 3:
                choices.pop()
            if not choices:
                return False
            choices[-1] += 1
        return None


def program_of(seed):
    """The first of those of the seed that have few runs, half of them safe."""
    for k in range(200):
        program = Program(seed * 1000 + k)
        is_reached = program.is_reached()
        if is_reached is not None and is_reached == (seed % 2 == 1):
            return program, is_reached
    raise RuntimeError(f"seed {seed} has no program")


def uses_unset(result):
    return any("uninitialised" in goal.get("counterexample", {}) for p in result["properties"] for goal in p["goals"])


def examine(seed, options):
    program, is_reached = program_of(seed)
    expected = "violated" if is_reached else "holds"
    found, complaints = {}, []
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, f"unset_{seed}.c")
        path.write_text(program.text())
        for engine in options.engines.split(","):
            result, failure = check(options.plumb, path, engine)
            verdict = result["verdict"] if result else "failed"
            if failure or (verdict in ("holds", "vacuous", "violated") and (verdict == "violated") != is_reached):
                complaints.append(f"seed {seed} (expected: {expected}), {engine}: {failure or verdict}")
            if options.verbose:
                print(f"seed {seed} {engine}: {verdict}", [g.get("reason", "") for p in result["properties"] for g in p["goals"]] if result else "", flush=True)
            found[engine] = verdict + (" by values never set" if verdict == "violated" and uses_unset(result) else "")
        if complaints and options.keep:
            pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
            pathlib.Path(options.keep, path.name).write_text("".join(f"// {c}\n" for c in complaints) + program.text())
    return expected, found, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--engines", default="circuit,bmc")
    parser.add_argument("--keep")
    parser.add_argument("-v", "--verbose", action="store_true", help="each run")
    options = parser.parse_args()
    options.plumb = str(pathlib.Path(options.plumb).resolve())
    counts, wrong, decided = Counter(), 0, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for expected, found, complaints in pool.map(lambda k: examine(k, options), range(options.seed, options.seed + options.count)):
            for engine, verdict in found.items():
                counts[engine, expected, verdict] += 1
            decided += any(verdict.split()[0] == expected or verdict == "vacuous" for verdict in found.values())
            wrong += bool(complaints)
            for complaint in complaints:
                print(complaint, flush=True)
    for (engine, expected, verdict), count in sorted(counts.items()):
        print(f"{engine:8} {expected:10} {verdict:30} {count}")
    print(f"{options.count} programs, {decided} decided, {wrong} wrong")
    return 1 if wrong or decided < options.count * 9 // 10 else 0


if __name__ == "__main__":
    sys.exit(main())
