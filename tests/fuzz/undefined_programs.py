#!/usr/bin/env python3
"""Holds `plumb check` and `plumb test` against random programs with undefined behaviour whose inputs are all tried.

    undefined_programs.py PLUMB --count 200 --seed 1 --jobs 2 --ways all --keep DIR

A program has one or two inputs of 2 to 4 bits, and places where it may do what C leaves undefined: out of bounds in every storage class,
null, use after free, scope and return, bad frees, leaks, calls through bad pointers, division by zero, overflow, shifts, arrays of
no positive size, values that were never set. Built as its own oracle with AddressSanitizer and UndefinedBehaviorSanitizer it runs on
all inputs, a process each, and says before each such place that it is about to go wrong there. A report of a sanitizer where
the program said nothing is a mistake of this script and a failure. What the program said counts where sanitizers see nothing. Then
  - `plumb check` says of no property that it holds which some input violates, and no property is violated, at no line, that none does;
  - `plumb test` reports no defect for an input that does nothing wrong, and if it says that it is complete it missed no place.
A way is an engine and what it is asked for; seeds take turns, or each goes all ways. What disagrees is kept in DIR."""
import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 120
SANITIZERS = ["-fsanitize=address,undefined,function", "-fno-sanitize=alignment,pointer-overflow", "-fno-sanitize-recover=all",
              # An address out of range is no end of the run; an access there is, by END() or AddressSanitizer.
              "-fsanitize-recover=signed-integer-overflow,shift,array-bounds"]

# What an event is a violation of, by its kind.
MEMORY = {"bounds": {"bounds"}, "null": {"null"}, "use-after-free": {"freed"}, "use-after-return": {"scope", "returned"}}
ACCESSES = set().union(*MEMORY.values())
SINGLE = {**MEMORY, "free": {"free"}, "leak": {"leak"}, "division": {"division"}, "overflow": {"overflow", "quotient"}, "shift": {"shift"},
          "call": {"call"}, "vla": {"vla"}, "pointer-arithmetic": {"pointer"}}
PROPERTIES = {**SINGLE, "memsafety": ACCESSES | {"free", "leak", "call"},
              "undefined": ACCESSES | {"free", "division", "overflow", "quotient", "shift", "call", "vla", "pointer"}}
# Runs end there whatever is asked for.
FINAL = ACCESSES | {"free", "division", "quotient", "call", "vla"}
ORACLE = """\
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int inputs_[2], next_, ends_;
static unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)inputs_[next_++]; }
static void say_(const char *kind, int line, int is_final) {
  fflush(stderr);
  dprintf(2, "\\nEVENT %s %d\\n", kind, line);
  if (is_final) ends_ = 1;
}
#define UB(kind, is_final, condition) ((condition) ? say_(kind, __LINE__, is_final) : (void)0)
#define END() do { if (ends_) { _exit(0); } } while (0)
"""
PLAIN = """\
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
#define UB(kind, is_final, condition) ((void)0)
#define END() ((void)0)
"""
COMMON = """\
struct pair { int a[4]; int b; };
static int sink, global_array[5];
static int more(int x) { return (x & 7) + 1; }
static int less(int x) { return (x & 7) - 1; }
static int wide(long long x) { return (int)(x & 3); }
static int pick(int *p, int i) { return p[i]; }
static void put(int *p, int i) { p[i] = 1; }
static int *of_local(int *p, int is_local) { int l = 3; int *q = p; if (is_local) q = &l; return q; }
"""


class Program:
    """The text of one; inputs are a and b, and `r` is what it computes."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bits = [self.random.randint(2, 4) for _ in range(self.random.randint(1, 2))]
        self.lines = []
        self.depth = 1
        self.loops = []
        self.count = 0
        for _ in range(self.random.randint(2, 4)):
            self.statement(2)

    def text(self):
        names = ["a", "b"][:len(self.bits)]
        declared = [f"  int {name} = __VERIFIER_nondet_uchar() & {(1 << bits) - 1};" for name, bits in zip(names, self.bits)]
        if len(names) == 1:
            declared.append("  int b = 1;")
        body = ["static int run(void) {", *declared, "  int r = 0;", *self.lines, "  return r + a + b;", "}"]
        return "\n".join(body) + "\n"

    def whole(self):
        sizes = [1 << bits for bits in self.bits] + [1]
        main = f"""\
#ifdef ORACLE
int main(void) {{
  for (int x = 0; x < {sizes[0]}; x++)
    for (int y = 0; y < {sizes[1]}; y++) {{
      dprintf(2, "\\nINPUT %d %d\\n", x, y);
      pid_t child = fork();
      if (child == 0) {{ inputs_[0] = x; inputs_[1] = y; alarm(20); sink = run(); _exit(0); }}
      int status = 0;
      waitpid(child, &status, 0);
      if (WIFSIGNALED(status)) dprintf(2, "\\nSIGNAL %d\\n", WTERMSIG(status));
    }}
  return 0;
}}
#else
int main(void) {{ run(); return 0; }}
#endif
"""
        return "#ifdef ORACLE\n" + ORACLE + "#else\n" + PLAIN + "#endif\n" + COMMON + self.text() + main

    def emit(self, text):
        self.lines.append("  " * self.depth + text)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def term(self):
        r = self.random
        choices = ["a", "b", "a", "r & 7", str(r.randint(0, 4)), *self.loops, *self.loops]
        return r.choice(choices)

    def number(self):
        """A small number, often near 0 or above the usual sizes. With a variable in it: clang folds what has none, and then nothing is
        left to report."""
        r = self.random
        x, y = r.choice(["a", "b", "r & 7", *self.loops]), self.term()
        return r.choice([f"({x} - {r.randint(1, 4)})", f"(({x}) + ({y}))", f"(({x}) ^ {r.randint(1, 5)})", f"(({x}) - ({y}))", f"({x})",
                         f"(({x}) * {r.randint(1, 3)} - {r.randint(0, 5)})"])

    def condition(self):
        r = self.random
        return f"({self.term()}) {r.choice(['==', '!=', '<', '>', '=='])} {r.randint(0, 7)}"

    def statement(self, depth):
        r = self.random
        kind = r.randrange(10)
        if kind < 2 and depth > 0:
            self.emit(f"if ({self.condition()}) {{")
            self.inner(depth)
            if r.randrange(2):
                self.emit("} else {")
                self.inner(depth)
            self.emit("}")
        elif kind == 2 and depth > 0 and len(self.loops) < 1:
            i = self.name("i")
            self.emit(f"for (int {i} = 0; {i} < {r.choice(['3', '4', '(a & 3)'])}; {i}++) {{")
            self.loops.append(i)
            self.inner(depth)
            self.loops.pop()
            self.emit("}")
        elif kind == 3:
            self.emit(f"r = ({self.number()}) & 15;")
        else:
            r.choice([self.division, self.overflow, self.shift, self.vla, self.call, self.array, self.array, self.null, self.heap,
                      self.free, self.scope, self.returned, self.uninitialised, self.pointer])()

    def inner(self, depth):
        self.depth += 1
        for _ in range(self.random.randint(1, 2)):
            self.statement(depth - 1)
        self.depth -= 1

    def ub(self, kind, condition, text):
        self.emit(f'UB("{kind}", {int(kind in FINAL)}, {condition}); {text} END();')

    # --- What may go wrong ---

    def division(self):
        x = self.number()
        self.ub("division", f"{x} == 0", f"r = (r + {self.random.choice(['7 /', '7 %', 'a /', '100 %'])} {x}) & 15;")

    def overflow(self):
        r, x = self.random, self.number()
        form = r.randrange(4)
        if form == 0:
            near = 2147483647 - r.randint(0, 9)
            self.ub("overflow", f"(long long){near} + {x} > 2147483647ll", f"sink = {near} + {x};")
        elif form == 1:
            near = 2147483647 - r.randint(0, 9)
            self.ub("overflow", f"-(long long){near} - {x} < -2147483648ll", f"sink = -{near} - {x};")
        elif form == 2:
            factor = r.choice([536870912, 715827883, 1073741824])
            self.ub("overflow", f"(long long){factor} * {x} > 2147483647ll || (long long){factor} * {x} < -2147483648ll",
                    f"sink = {factor} * {x};")
        else:
            self.ub("quotient", f"{x} == 0", f"r = ((-2147483647 - 1) / ({x} == 0 ? -1 : 3) == 0) + r;")

    def shift(self):
        x = self.number()
        factor = self.random.choice([4, 8, 11])
        self.ub("shift", f"{x} * {factor} < 0 || {x} * {factor} > 31", f"sink = (int)(1u {self.random.choice(['<<', '>>'])} ({x} * {factor}));")

    def vla(self):
        x, v = self.number(), self.name("v")
        self.emit("{")
        self.depth += 1
        self.emit(f'UB("vla", 1, {x} <= 0); char {v}[{x}]; END();')
        self.emit(f"{v}[0] = 1;")
        if self.random.randrange(2):
            i = self.number()
            self.element(f"{i}", x, f"{v}[{i}] = 2;")
        self.emit(f"r = (r + {v}[0]) & 15;")
        self.depth -= 1
        self.emit("}")

    def call(self):
        f, c, bad = self.name("f"), self.condition(), self.random.choice(["0", "(int (*)(int))wide", "0"])
        self.emit(f"int (*{f})(int) = {self.random.choice(['more', 'less'])};")
        self.emit(f"if ({c}) {f} = {bad};")
        self.ub("call", f"{f} == (int (*)(int)){bad if bad != '0' else '0'}", f"r = {f}(r) & 15;")

    def array(self):
        r = self.random
        kind = r.choice(["global", "static", "local", "heap", "member", "argument", "parameter"])
        i, n = self.number(), r.randint(2, 6)
        v = self.name("v")
        bad = f"{i} < 0 || {i} >= "
        way = r.randrange(2)
        if kind == "global":
            self.ub("bounds", bad + "5", f"r = (r + global_array[{i}]) & 15;" if way else f"global_array[{i}] = 1;")
        elif kind == "static":
            self.emit(f"static int {v}[{n}];")
            self.ub("bounds", bad + str(n), f"r = (r + {v}[{i}]) & 15;" if way else f"{v}[{i}] = 1;")
        elif kind == "local":
            self.emit(f"int {v}[{n}] = {{0}};")
            self.ub("bounds", bad + str(n), f"r = (r + {v}[{i}]) & 15;" if way else f"{v}[{i}] = 1;")
        elif kind == "heap":
            self.emit(f"int *{v} = calloc({n}, sizeof(int));")
            self.element(i, n, f"r = (r + {v}[{i}]) & 15;" if way else f"{v}[{i}] = 1;")
            self.emit(f"free({v});")
        elif kind == "member":
            self.emit(f"struct pair {v} = {{{{0}}, 0}};")
            self.ub("bounds", bad + "4", f"r = (r + {v}.a[{i}]) & 15;" if way else f"{v}.a[{i}] = 1;")
        elif kind == "argument":
            self.emit(f"int {v}[{n}] = {{0}};")
            self.element(i, n, f"r = (r + pick({v}, {i})) & 15;" if way else f"put({v}, {i});")
        else:
            self.emit(f"int {v}[{n}] = {{0}};")
            self.emit(f"int *p{v} = {v} + 1;")
            self.element(f"({i} + 1)", n, f"r = (r + p{v}[{i}]) & 15;" if way else f"p{v}[{i}] = 1;")

    def element(self, i, n, text):
        """Through a pointer: an index beyond the place just past the end is wrong before it is accessed."""
        self.emit(f'UB("pointer", 0, {i} < 0 || {i} > {n}); UB("bounds", 1, {i} < 0 || {i} >= {n}); {text} END();')

    def pointer(self):
        p, i = self.name("p"), self.number()
        if self.random.randrange(2):
            self.ub("pointer", f"{i} < 0 || {i} > 5", f"sink = global_array + {i} == global_array;")
            return
        self.emit(f"char *{p} = malloc(4);")
        self.ub("pointer", f"{i} < 0 || {i} > 4", f"sink = {p} + {i} == {p};")
        self.emit(f"free({p});")

    def null(self):
        p = self.name("p")
        self.emit(f"int *{p} = &sink;")
        self.emit(f"if ({self.condition()}) {p} = 0;")
        self.ub("null", f"{p} == 0", self.random.choice([f"*{p} = 1;", f"r = (r + (*{p} & 0)) & 15;"]))

    def heap(self):
        p, d = self.name("p"), self.name("d")
        self.emit(f"int *{p} = calloc(2, sizeof(int)); int {d} = 0;")
        self.emit(f"if ({self.condition()}) {{ free({p}); {d} = 1; }}")
        self.ub("freed", d, self.random.choice([f"{p}[1] = 1;", f"r = (r + {p}[0]) & 15;"]))
        self.emit(f"free({p});")

    def free(self):
        r, p, c = self.random, self.name("p"), self.condition()
        form = r.randrange(4)
        if form == 0:
            self.emit(f"char *{p} = malloc(8); int d{p} = 0;")
            self.emit(f"if ({c}) {{ free({p}); d{p} = 1; }}")
            self.ub("free", f"d{p}", f"free({p});")
        elif form == 1:
            self.emit(f"char *{p} = malloc(8); int d{p} = ({c});")
            self.ub("free", f"d{p}", f"free(d{p} ? {p} + 4 : {p});")
        elif form == 2:
            self.emit(f"int v{p} = 1; void *{p} = malloc(4); void *q{p} = {p};")
            self.emit(f"if ({c}) q{p} = {r.choice([f'&v{p}', 'global_array'])};")
            self.ub("free", f"q{p} != {p}", f"free(q{p});")
        else:
            self.emit(f"char *{p} = malloc(3); int d{p} = ({c});")
            self.ub("leak", f"d{p}", f"if (!d{p}) free({p}); {p} = 0;")

    def scope(self):
        p, d, l = self.name("p"), self.name("d"), self.name("l")
        self.emit(f"int *{p} = &sink, {d} = 0;")
        self.emit(f"if ({self.condition()}) {{ int {l} = 2; {p} = &{l}; {d} = 1; }}")
        self.ub("scope", d, self.random.choice([f"*{p} = 1;", f"r = (r + (*{p} & 0)) & 15;"]))

    def returned(self):
        p, d = self.name("p"), self.name("d")
        self.emit(f"int {d} = ({self.condition()}); int *{p} = of_local(&sink, {d});")
        self.ub("returned", d, self.random.choice([f"*{p} = 1;", f"r = (r + (*{p} & 0)) & 15;"]))

    def uninitialised(self):
        u, d = self.name("u"), self.name("d")
        self.emit(f"int {u}, {d} = 1;")
        self.emit(f"if ({self.condition()}) {{ {u} = 1; {d} = 0; }}")
        self.ub("uninitialised", d, f"if ({u} == 5) sink = 0;")


class Oracle:
    """Of every input, what goes wrong in its order."""

    def __init__(self, source, bits, directory):
        self.masks = [(1 << each) - 1 for each in bits]
        binary = directory / "oracle"
        subprocess.run(["clang-19", "-O0", "-g", "-w", "-DORACLE", *SANITIZERS, str(source), "-o", str(binary)], check=True, timeout=SECONDS)
        options = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:handle_segv=1", "UBSAN_OPTIONS": "symbolize=0"}
        run = subprocess.run([str(binary)], capture_output=True, timeout=SECONDS, env={**os.environ, **options}, check=False)
        self.events = {}  # by input: (kind, line)
        self.problems = []
        self.seen = 0     # events that a sanitizer saw
        log, said = None, False
        for line in run.stderr.decode(errors="replace").splitlines():
            if match := re.fullmatch(r"INPUT (\d+) (\d+)", line):
                log, said = self.events.setdefault((int(match[1]), int(match[2])), []), False
            elif match := re.fullmatch(r"EVENT ([a-z]+) (\d+)", line):
                log.append((match[1], int(match[2])))
                said = True
            elif "runtime error:" in line or line.startswith("SIGNAL") or "ERROR: AddressSanitizer" in line:
                if said:
                    self.seen += 1
                elif not log or log[-1][0] not in FINAL:
                    self.problems.append(f"{line} after {log}")
                said = False
        # What is lost counts at the end of the program, which such a run does not come to.
        for inputs, log in self.events.items():
            if any(event[0] in FINAL for event in log):
                self.events[inputs] = [event for event in log if event[0] != "leak"]
        if run.returncode != 0:
            self.problems.append(f"the oracle ends with {run.returncode}")

    def violations(self, property):
        """The places, a (kind, line) each, at which some input violates it; and whether there may be more, since C does not say what
        an array of no positive size is if that alone is not asked for."""
        found, is_all = set(), True
        for log in self.events.values():
            for event in log:
                if event[0] in PROPERTIES[property]:
                    found.add(event)
                    break
                if event[0] in FINAL:
                    is_all = is_all and event[0] != "vla"
                    break
        return found, is_all


    def log_of(self, values):
        """Of a run with these bytes as inputs."""
        values = [*values, 0, 0]
        return self.events[tuple([value & mask for value, mask in zip(values, self.masks)] + [0] * (2 - len(self.masks)))]


def run_plumb(command):
    run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    if run.returncode not in (0, 10, 20):
        return None, f"exit code {run.returncode}: {run.stdout[-300:]}{run.stderr[-800:]}"
    return json.loads(run.stdout), ""


def check(plumb, source, oracle, engine, name, seconds):
    """(verdict, what is wrong)."""
    wanted, is_all = oracle.violations(name)
    result, problem = run_plumb([plumb, "check", str(source), "--property", name, "--engine", engine, "--timeout", str(seconds), "--memory", "2G",
                                 "--json", "-q"])
    if problem:
        return "failed", problem
    verdict = result["verdict"]
    if verdict in ("holds", "vacuous") and wanted:
        return verdict, f"'{verdict}', but {sorted(wanted)} go wrong"
    for property in result["properties"] if is_all else []:
        for goal in property["goals"]:
            if goal["verdict"] != "violated":
                continue
            line = goal["counterexample"]["failure"]["line"] if "failure" in goal["counterexample"] else property["line"]
            if name != "leak" and not any(line == each[1] for each in wanted) and not any(each[0] == "leak" for each in wanted):
                if not is_in_helper(source, line):
                    return verdict, f"'violated' at line {line}, but only {sorted(wanted)} go wrong"
            if not wanted:
                return verdict, "'violated', but nothing goes wrong"
    return ("violated, " if wanted else "safe, ") + verdict, ""


def is_in_helper(source, line):
    """pick() and put() go wrong for their callers."""
    return bool(re.search(r"static (int pick|void put)", source.read_text().splitlines()[line - 1]))


def test(plumb, source, oracle, directory, seconds):
    # Whether pointer arithmetic goes wrong in another run of a path is not looked at: a gap, and nothing would be complete.
    checks = "all,-alignment,-pointer-arithmetic"
    result, problem = run_plumb([plumb, "test", str(source), "--out", str(directory / "out"), "--json", "-q", "--checks", checks, "--timeout",
                                 str(seconds)])
    if problem:
        return "failed", problem
    reported = set()
    for defect in result["defects"]:
        values = [int(value["value"]) for value in defect["failing_inputs"]]
        if not oracle.log_of(values):
            return "failed", f"{defect['kind']} in line {defect.get('line')} for {values}, which does nothing wrong"
        reported.add(defect.get("line"))
    looked_for = ([event for event in log if event[0] != "pointer"] for log in oracle.events.values())
    first = {log[0] for log in looked_for if log}
    is_complete = result["campaign"]["stop"] == "complete" and not result["unconfirmed"] and not result.get("gaps")
    missed = {event for event in first if event[1] not in reported and not is_seen_elsewhere(source, event, reported)}
    if is_complete and missed:
        return "failed", f"complete, but {sorted(missed)} are not reported"
    return ("defects, " if first else "clean, ") + ("complete" if is_complete else "open"), ""


def is_seen_elsewhere(source, event, reported):
    text = source.read_text().splitlines()
    if event[0] == "leak":  # at its allocation
        return any("malloc" in text[line - 1] or "calloc" in text[line - 1] for line in reported if line)
    calls = "pick(" in text[event[1] - 1] or "put(" in text[event[1] - 1]
    return calls and any(is_in_helper(source, line) for line in reported if line)


def ways_of(seed, choice):
    single = random.Random(seed).choice(sorted(set(PROPERTIES) - {"undefined"}))
    ways = [("circuit", "undefined"), ("bmc", "undefined"), ("auto", single), ("test", ""), ("bmc", single), ("circuit", single)]
    if choice == "all":
        return ways
    if choice in ("circuit", "bmc", "auto", "test"):
        return [way for way in ways if way[0] == choice]
    return [ways[seed % 4]]


def examine(seed, options):
    """Counts, what is wrong, and how many events sanitizers saw and there were."""
    found, complaints = [], []
    with tempfile.TemporaryDirectory() as made:
        directory = pathlib.Path(made)
        source = directory / f"undefined_{seed}.c"
        program = Program(seed)
        source.write_text(program.whole())
        oracle = Oracle(source, program.bits, directory)
        complaints += [f"seed {seed}: oracle: {problem}" for problem in oracle.problems]
        for engine, name in [] if complaints else ways_of(seed, options.ways):
            try:
                if engine == "test":
                    outcome, problem = test(options.plumb, source, oracle, directory, options.seconds)
                else:
                    outcome, problem = check(options.plumb, source, oracle, engine, name, options.seconds)
            except (subprocess.TimeoutExpired, ValueError, KeyError) as error:
                outcome, problem = "failed", f"{type(error).__name__}: {error}"
            found.append((f"{engine} {name}".strip(), "wrong" if problem else outcome))
            if options.verbose:
                print(f"seed {seed} {engine} {name}: {outcome}", flush=True)
            if problem:
                complaints.append(f"seed {seed}: {engine} {name}: {problem}")
        if complaints and options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, options.keep)
    events = sum(len(log) for log in oracle.events.values())
    return found, complaints, oracle.seen, events


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=8, help="for each command of plumb")
    parser.add_argument("--ways", default="turns", choices=["turns", "all", "circuit", "bmc", "auto", "test"])
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("-v", "--verbose", action="store_true", help="each run")
    options = parser.parse_args()
    options.plumb = str(options.plumb.resolve())
    counts, wrong, seen, events = Counter(), 0, 0, 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for found, complaints, seen_here, events_here in pool.map(lambda s: examine(s, options), range(options.seed, options.seed + options.count)):
            counts.update(found)
            seen += seen_here
            events += events_here
            wrong += bool(complaints)
            for complaint in complaints:
                print(complaint, flush=True)
    for (way, outcome), count in sorted(counts.items()):
        print(f"{way:24} {outcome:24} {count}")
    print(f"{events} times something goes wrong, {seen} times a sanitizer sees it")
    print(f"{options.count - wrong} of {options.count} programs agree with their runs on all inputs")
    return 1 if wrong or options.count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
