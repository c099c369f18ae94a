"""Programs for the boards, each built once, and what `plumb test` finds in them on the host."""
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

from boards import MACHINES, ROOT, SECONDS, check, compile_with, defects_of, tests_of

BUGTEST = ROOT / "examples" / "bugtest.c"
# Table 3.3.
BUGTEST_DEFECTS = {("array-out-of-bounds", 11), ("array-out-of-bounds", 15), ("pointer-out-of-bounds", 13),
                   ("array-pointer-out-of-bounds", 14), ("array-pointer-out-of-bounds", 15), ("leak", 4), ("leak", 6), ("double-free", 21)}

# 256 paths, one of them wrong. PAUSE makes a run last, without using a core.
STEPS = """#include <assert.h>
#include <plumb/plumb.h>
#ifdef PAUSE
#include <time.h>
#endif
#define STEP(i) \\
  if (s[i] == 'a') r += 1; \\
  else if (s[i] == 'b') r += 2; \\
  else if (s[i] == 'c') r += 3;
int main(void) {
  unsigned char s[4];
  int r = 0;
#ifdef PAUSE
  struct timespec pause = {0, PAUSE};
  nanosleep(&pause, 0);
#endif
  plumb_symbolic(s, sizeof s, "s");
  STEP(0)
  STEP(1)
  STEP(2)
  STEP(3)
  assert(r != 11);
  if (r == 12) return 1;
  return 0;
}
"""
STEPS_OPTIONS = ["--jobs", "1", "--regions", "off", "--until", "time", "--seed", "5", "--timeout", "100s"]

# Inputs of every size, and what a machine makes of them as bytes, as numbers and through pointers.
SIZES = """#include <assert.h>
#include <plumb/plumb.h>
#include <stdint.h>
#include <string.h>
struct record { uint8_t kind; uint16_t port; uint32_t address; uint64_t serial; int16_t values[3]; };
static int sum(const int16_t* values, int count) {
  int all = 0;
  for (int i = 0; i < count; i++) all += values[i];
  return all;
}
int main(void) {
  struct record r;
  uint64_t serial = 0;
  int16_t values[3] = {0};
  memset(&r, 0, sizeof r);
  r.kind = plumb_symbolic_uchar("kind");
  r.port = plumb_symbolic_ushort("port");
  r.address = plumb_symbolic_uint("address");
  plumb_symbolic(&serial, sizeof serial, "serial");
  r.serial = serial;
  plumb_symbolic(values, sizeof values, "values");
  memcpy(r.values, values, sizeof values);
  int found = 0;
  if (r.port == 0x1234) found |= 1;
  if (r.address >> 24 == 0xc0 && (r.address & 0xff) == 7) found |= 2;
  if (r.serial == 0x0102030405060708ull) found |= 4;
  switch (r.kind) {
    case 1: if (sum(r.values, 3) == 1000) found |= 8; break;
    case 2: if (r.values[r.port % 3] == -5) found |= 16; break;
    case 200: if (r.port * 3u == r.address + 1) found |= 32; break;
  }
  assert(found != (2 | 8));
  return found;
}
"""

# More symbolic data than the smallest arenas hold.
BIG = """#include <plumb/plumb.h>
static unsigned char data[1024];
int main(void) {
  unsigned char in[400];
  plumb_symbolic(in, sizeof in, "in");
  for (int i = 0; i < 1024; i++) data[i] = in[i % 400];
  if (data[5] == 7) return 1;
  if (data[1020] == 11) return 2;
  return 0;
}
"""

_directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
_built = {}


def once(key, make):
    """What `make` gives for a path of the key's own, remembered."""
    if key not in _built:
        path = pathlib.Path(_directory.name) / "-".join(map(str, key)).replace("/", "_").replace(" ", "")
        make(path)
        _built[key] = path
    return _built[key]


def source(name):
    if name == "bugtest":
        return BUGTEST
    path = pathlib.Path(_directory.name) / f"{name}.c"
    path.write_text({"steps": STEPS, "sizes": SIZES, "big": BIG}[name])
    return path


def program(plumb, board, name, *flags):
    """The instrumented program for the board."""
    return once((board, name, *flags), lambda path: MACHINES[board].build(plumb, source(name), path, *flags))


def target_program(plumb, board):
    machine = MACHINES[board]
    return once((board, "plumb-target"), lambda path: compile_with(plumb, [*machine.flags(), "--plumb-target-program", "-o", str(path)]))


def on_host(plumb, name, word_flag, *options):
    """Result object and tests of `plumb test` on the host."""

    def search(out):
        done = subprocess.run([str(plumb), "test", str(source(name)), word_flag, *options, "--json", "-q", "--out", str(out)],
                              capture_output=True, timeout=SECONDS)
        check(done.returncode in (0, 10, 20), f"plumb test {name}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")

    out = once(("host", name, word_flag, *options), search)
    return result_object((out / "result.json").read_text()), tests_of(out)


def same_as_on_host(plumb, name, word_flag, options, result, tests):
    """Holds a board's result against that of the host."""
    expected, expected_tests = on_host(plumb, name, word_flag, *options)
    check(defects_of(result) == defects_of(expected), f"{name}: defects on the host {sorted(defects_of(expected), key=str)}, on the board "
          f"{sorted(defects_of(result), key=str)}")
    check(result["coverage"]["branches"]["covered"] == expected["coverage"]["branches"]["covered"],
          f"{name}: branches on the host {expected['coverage']['branches']}, on the board {result['coverage']['branches']}")
    different = [key for key in sorted(expected_tests | tests) if expected_tests.get(key) != tests.get(key)]
    check(not different, f"{name}: {len(expected_tests)} tests on the host, {len(tests)} on the board; those that differ: "
          f"{[(key, expected_tests.get(key), tests.get(key)) for key in different[:3]]}")
