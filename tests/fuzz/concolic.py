#!/usr/bin/env python3
"""Holds `plumb test` against random programs of concolic_program.py.

    concolic.py PLUMB --count 500 --seed 1 --jobs 2 --keep DIR

Each program is explored with regions off, with regions on, and in a way that the seed chooses; every run is checked against its own
formulas (--check-traces). The native build has probes at its branches. Then
  - a written test natively covers what it is said to cover first, and all tests together cover exactly what plumb says;
  - no run goes elsewhere than its formula says, and nothing fails, crashes or is called a defect;
  - ways of exploring that come to an end cover the same branches;
  - of programs with one or two small inputs all inputs are run natively: if plumb says that it explored every path, they cover just
    what its tests cover.
What disagrees is kept in DIR with the command that repeats it."""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from concolic_program import BYTES, RANGED, Generator

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS = 60
BUDGET = "10"
WAYS = [["--regions", "auto"], ["--strategy", "dfs"], ["--strategy", "dfs", "--regions", "off"], ["--strategy", "generational"],
        ["--strategy", "coverage"], ["--strategy", "random-path"], ["--jobs", "2"], ["--solver", "z3"], ["--depth", "40"]]

PRELUDE = """\
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#ifdef __PLUMB__
#include <plumb/plumb.h>
#define B(condition) (condition)
#define S(value, ...) (value)
#define BLOCK(memory, size, name) plumb_symbolic(memory, size, name)
#define PURE __attribute__((pure, noinline))
#define CONST __attribute__((const, noinline))
#else
#include <setjmp.h>
#include <stdio.h>
#define PURE
#define CONST
static jmp_buf run_over;
static unsigned char now[LINES][8], total[LINES][8];
static long long names[LINES][8];
static unsigned char given[4096];
static size_t at;
static void BLOCK(void *memory, size_t size, const char *name) {
  (void)name;
  memcpy(memory, given + at, size);
  at += size;
}
static void plumb_assume(int condition) {
  if (!condition) longjmp(run_over, 1);
}
static int probe(int line, int value) { return now[line][value] = 1, value; }
static void probe_switch(int line, long long value, int count, const long long *cases) {
  int k = 0;
  while (k < count && cases[k] != value) ++k;
  now[line][k < count ? k + 1 : 0] = 1;
  names[line][k < count ? k + 1 : 0] = value;
}
#define B(condition) probe(__LINE__, (condition) != 0)
#define S(value, count, ...) ({ __typeof__(value) v_ = (value); probe_switch(__LINE__, v_, count, (long long[]){__VA_ARGS__}); v_; })
#endif
"""

NATIVE_MAIN = """\
#ifdef __PLUMB__
int main(void) { return program(); }
#else
static void run(void) {
  at = 0;
  memset(now, 0, sizeof now);
  if (setjmp(run_over) != 0) return;
  program();
  for (int line = 0; line < LINES; ++line)
    for (int k = 0; k < 8; ++k) total[line][k] |= now[line][k];
}
static void tell(void) {
  for (int line = 0; line < LINES; ++line)
    for (int k = 0; k < 8; ++k) {
      if (!total[line][k]) continue;
      if (!IS_SWITCH(line)) printf("%d:%s\\n", line, k ? "true" : "false");
      else if (k) printf("%d:case %lld\\n", line, names[line][k]);
      else printf("%d:default\\n", line);
    }
  puts("end");
  memset(total, 0, sizeof total);
}
static void enumerate(int input, size_t offset) {
  static const long long space[][3] = {SPACES {0, 0, 0}};
  if (space[input][0] == 0) return run();
  for (long long value = space[input][1]; value < space[input][1] + space[input][2]; ++value) {
    memcpy(given + offset, &value, space[input][0]);
    enumerate(input + 1, offset + space[input][0]);
  }
}
int main(int count, char **arguments) {
  for (int k = 1; k < count; ++k) {
    const char *text = arguments[k];
    if (strcmp(text, "all") == 0) {
      enumerate(0, 0);
    } else {
      for (size_t byte = 0; text[2 * byte]; ++byte) sscanf(text + 2 * byte, "%2hhx", &given[byte]);
      run();
    }
    tell();
  }
  return 0;
}
#endif
"""


class Program:
    """Source, native build, and what both are asked."""

    def __init__(self, seed, directory):
        source = random.Random(seed)
        self.is_small = source.randrange(100) < 70
        self.flags = ["-m32"] if source.randrange(100) < 25 else []
        self.ways = [["--regions", "off"], ["--regions", "on"], source.choice(WAYS)]
        self.until = source.choice(["all-branches", "time"])
        text, spaces = Generator(source, self.is_small).program()
        inputs = []
        for kind, name in RANGED + BYTES:
            prefix = source.choice(["plumb_nondet_", "__VERIFIER_nondet_"])
            inputs.append(f"#ifdef __PLUMB__\nextern {kind} {prefix}{name}(void);\n#define INPUT_{name} {prefix}{name}\n#else")
            inputs.append(f"static {kind} INPUT_{name}(void) {{ {kind} value; BLOCK(&value, sizeof value, 0); return value; }}\n#endif")
        text = "\n".join([PRELUDE, *inputs, text])
        lines = text.splitlines()
        switches = [f"(line) == {number}" for number, line in enumerate(lines, 1) if " S(" in line or "(S(" in line]
        self.probes = {number for number, line in enumerate(lines, 1) if re.search(r"\b[BS]\((?!condition|value, \.)", line)}
        space = "".join(f"{{{size}, {low}, {count}}}, " for size, low, count in spaces or [])
        text += NATIVE_MAIN.replace("SPACES", space)
        header = f"-DLINES={len(lines) + 1}", f"-DIS_SWITCH(line)=({' || '.join(switches) or 0})"
        self.source, self.executable = directory / "program.c", directory / "native"
        self.source.write_text(text)
        subprocess.run(["clang-19", "-w", "-O1", *self.flags, *header, str(self.source), "-o", str(self.executable)], check=True, timeout=SECONDS)

    def native(self, arguments):
        """Sets of branches, one an argument."""
        sets, text = [], subprocess.run([str(self.executable), *arguments], capture_output=True, check=True, timeout=SECONDS).stdout.decode()
        for part in text.split("end\n")[:-1]:
            sets.append({(int(line), name) for line, name in (entry.split(":", 1) for entry in part.splitlines())})
        return sets

    def command(self, plumb, way, out):
        return [str(plumb), "test", str(self.source), *self.flags, "--json", "-q", "--check-traces", "--timeout", BUDGET, "--until", self.until,
                "--out", str(out), *way]


def explore(plumb, program, way, out):
    """What plumb says, as a dictionary, or a complaint."""
    done = subprocess.run(program.command(plumb, way, out), capture_output=True, timeout=SECONDS)
    if done.returncode not in (0, 20):
        return f"exit code {done.returncode}: {(done.stderr or done.stdout).decode(errors='replace')[:400]}"
    return json.loads(done.stdout)


def branches(entries, program):
    return {(entry["line"], entry["branch"]) for entry in entries if entry.get("file", "").endswith(program.source.name)}


def check_way(program, result, out):
    """Complaints, the branches that are covered, and the lines that have any."""
    complaints = []
    tests = [json.loads(path.read_text()) for path in sorted((out / "tests").glob("*.json"))]
    first = [branches(test["covers_first"], program) for test in tests]
    covered = set().union(*first)
    lines = {line for line, _ in covered | branches(result["coverage"]["branches"]["uncovered"], program)} & program.probes
    if result["defects"] or result["unconfirmed"] or any(test["end"] != "exit" for test in tests):
        complaints.append(f"an error is told of: {result['defects']} {result['unconfirmed']}")
    # Symbolic arguments of a variadic function go on as concrete without a pin.
    is_exact = not any(entry["reason"] == "unsupported instruction" for entry in result["stats"]["lost_precision"])
    if result["stats"]["divergences"] and is_exact:
        complaints.append(f"{result['stats']['divergences']} runs diverged")
    if set(result["stats"]["ends"]) - {"exit", "assume-failed", "depth-limit"}:
        complaints.append(f"runs ended otherwise: {result['stats']['ends']}")
    natively = program.native(["".join(entry["bytes"] for entry in test["inputs"]) or "00" for test in tests]) if tests else []
    for number, (claimed, taken) in enumerate(zip(first, natively), 1):
        if wrong := {b for b in claimed if b[0] in program.probes} - taken:
            complaints.append(f"test {number} does not natively cover {sorted(wrong)}")
    told = {b for b in covered if b[0] in lines}
    taken = {b for b in set().union(*natively) if b[0] in lines}
    if told != taken:
        complaints.append(f"told, not native: {sorted(told - taken)}; native, not told: {sorted(taken - told)}")
    return complaints, told, lines


def check(plumb, seed, directory):
    program = Program(seed, directory)
    complaints, ended, notes = [], {}, Counter()
    oracle = program.native(["all"])[0] if program.is_small else None
    for number, way in enumerate(program.ways):
        name, out = " ".join(way), directory / f"out{number}"
        result = explore(plumb, program, way, out)
        if isinstance(result, str):
            complaints.append(f"{name}: {' '.join(program.flags)} {result}")
            continue
        found, covered, lines = check_way(program, result, out)
        complaints += [f"{name}: {text}" for text in found]
        coverage = result["coverage"]["branches"]
        is_end = coverage["exhaustive"] or coverage["covered"] == coverage["total"]
        notes["finished" if is_end else result["reason"].split(",")[0]] += 1
        notes.update({"runs": result["stats"]["runs"], "region visits": result["stats"]["regions"]["encoded"],
                      "queries": result["stats"]["queries"]["total"], "branches": coverage["total"],
                      "branches not covered": coverage["total"] - coverage["covered"]})
        notes.update({f"lost: {entry['reason']} {entry.get('function', '')}": 1 for entry in result["stats"]["lost_precision"]})
        if is_end:
            ended[name] = covered
            if oracle is not None and covered != (all_inputs := {b for b in oracle if b[0] in lines}):
                complaints.append(f"{name}: said to be all, but not covered: {sorted(all_inputs - covered)}, not taken by any input: {sorted(covered - all_inputs)}")
    if len(set(map(frozenset, ended.values()))) > 1:
        complaints.append(f"ways that came to an end differ: { {name: sorted(covered) for name, covered in ended.items()} }")
    if complaints:
        complaints.append("by " + " ".join(program.command(plumb, [], "DIR")))
    return complaints, notes


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb", type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()

    def examine(seed):
        with tempfile.TemporaryDirectory() as directory:
            try:
                complaints, notes = check(options.plumb, seed, pathlib.Path(directory))
            except (subprocess.SubprocessError, ValueError, KeyError, OSError) as error:
                complaints, notes = [f"{type(error).__name__}: {error}"], {}
            if complaints and options.keep:
                options.keep.mkdir(parents=True, exist_ok=True)
                shutil.copy(pathlib.Path(directory) / "program.c", options.keep / f"seed-{seed}.c")
                (options.keep / f"seed-{seed}.txt").write_text("\n".join(complaints) + "\n")
            return seed, complaints, notes

    failed, counts = 0, Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        for seed, complaints, notes in pool.map(examine, range(options.seed, options.seed + options.count)):
            failed += bool(complaints)
            counts.update(notes)
            for text in complaints:
                print(f"seed {seed}: {text}", flush=True)
    print(f"{options.count} programs, {failed} failed")
    for note, count in counts.most_common():
        print(f"  {count} {note}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
