#!/usr/bin/env python3
"""Runs `plumb test` as a user would: results and files, bad input, and programs that do their worst.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402


BRANCHES = """#include <plumb/plumb.h>
int main(void) {
  int a = plumb_symbolic_int("a");
  unsigned char b = plumb_symbolic_uchar("b");
  if (a == 123456) {
    if (b > 200) return 1;
    return 2;
  }
  switch (b) {
    case 7: return 3;
    case 9: return 4;
  }
  return 0;
}
"""

DEFECT = """#include <assert.h>
#include <plumb/plumb.h>
static void check(int speed, const char *mode) {
  if (mode[0] == 'x')
    assert(speed < 4000);
}
int main(void) {
  int speed = plumb_symbolic_int("speed");
  char mode[3];
  plumb_symbolic(mode, sizeof mode, "mode");
  if (speed < 0 || speed > 5000) return 1;
  check(speed, mode);
  return 0;
}
"""

HASH = """#include <plumb/plumb.h>
int main(void) {
  unsigned x = plumb_symbolic_uint("x"), y = plumb_symbolic_uint("y"), h = 1;
  for (int i = 0; i < 40; i++) h = (h ^ x) * 0x9e3779b1u + (h >> 15) * y + (h >> 7);
  if (h == 0x12345678) return 1;
  return 0;
}
"""

LEXER = """#include <plumb/plumb.h>
int main(void) {
  int state = 0;
  for (;;) {
    unsigned char c = plumb_nondet_uchar();
    if (c == 'a' && state == 0) state = 1;
    if (c == 'b' && state == 1) state = 2;
    if (c == 'c' && state == 2) state = 3;
    if (state == 3 && c == 'z') return 1;
  }
}
"""


def plumb(*arguments, **keywords):
    return subprocess.run([PLUMB, "test", *map(str, arguments)], capture_output=True, timeout=SECONDS, start_new_session=True, **keywords)


class Work(Files):
    def test(self, source, *arguments, **keywords):
        """Result and object; the results go to `out`."""
        result = plumb(source, "--json", "--out", self.path / "out", *arguments, cwd=self.path, **keywords)
        try:
            return result, result_object(result.stdout)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{shown(result)}") from error

    def tests(self, out="out"):
        return {path.name: json.loads(path.read_text()) for path in sorted((self.path / out / "tests").iterdir())}


# --- Scenarios. The docstring is the claim. ---

def all_branches_are_covered(files):
    """Every branch gets a test; the summary says so and the exit code is 0."""
    result = plumb(files("b.c", BRANCHES), cwd=files.path)
    expect(result, 0, "7 of 7 branches covered", "all 7 branches covered", "queries (", " building, ")
    check(len(files.tests("plumb-out")) >= 4, "a test a way through the program should be in plumb-out/tests")


def object_has_the_documented_shape(files):
    """With --json one object is printed, and the same one is in result.json."""
    result, found = files.test(files("b.c", BRANCHES))
    expect(result, 0)
    check(json.loads((files.path / "out" / "result.json").read_text()) == found, "result.json should be the printed object")
    for key in ("plumb", "command", "inputs", "verdict", "reason", "defects", "unconfirmed", "tests", "coverage", "assumptions", "stats"):
        check(key in found, f"the object should have {key!r}: {found}")
    check(found["verdict"] == "no-defect" and found["command"] == "test", f"{found['verdict']}")
    check(found["coverage"]["branches"]["covered"] == found["coverage"]["branches"]["total"] == 7, f"{found['coverage']}")
    check(found["tests"]["count"] == len(files.tests()), f"{found['tests']}")
    for key in ("runs", "paths", "regions", "queries", "divergences", "lost_precision", "seconds", "milestones"):
        check(key in found["stats"], f"stats should have {key!r}")


def tests_are_files_that_other_commands_read(files):
    """A test has its inputs by name, and the interpreter runs it to the same end."""
    source = files("b.c", BRANCHES)
    expect(plumb(source, "--out", files.path / "out"), 0)
    for name, test in files.tests().items():
        check([entry["name"] for entry in test["inputs"]] == ["a", "b"], f"{name}: {test}")
        ran = subprocess.run([PLUMB, "run", str(source), "--input", str(files.path / "out" / "tests" / name), "--json"], capture_output=True, timeout=SECONDS)
        check(result_object(ran.stdout)["exit_code"] == test["code"], f"{name}: {test} ends otherwise in the interpreter")


def input_without_bytes_is_none(files):
    """The interpreter fails on the test that was found, although the program asks for an input of no bytes before."""
    source = files("e.c", "#include <assert.h>\n#include <plumb/plumb.h>\nint main(void) {\n  char b[1];\n  int x;\n  plumb_symbolic(b, 0, \"e\");\n"
                   "  plumb_symbolic(&x, sizeof x, \"x\");\n  assert(x != 12345);\n}\n")
    result, found = files.test(source)
    expect(result, 10)
    test = files.path / "out" / found["defects"][0]["test"]
    ran = subprocess.run([PLUMB, "run", str(source), "--input", str(test)], capture_output=True, timeout=SECONDS)
    check(ran.returncode == 10 and b"x != 12345" in ran.stderr, f"the test should fail in the interpreter\n{shown(ran)}")


def defect_has_place_stack_and_input(files):
    """A failed assertion is confirmed natively and told with its place, its call stack and its shortest input; exit code 10."""
    source = files("d.c", DEFECT)
    result, found = files.test(source, "--until", "error")
    expect(result, 10)
    check(found["verdict"] == "defect" and len(found["defects"]) == 1, f"{found['defects']}")
    defect = found["defects"][0]
    check((defect["kind"], defect["line"], defect["function"]) == ("assertion", 5, "check"), f"{defect}")
    check([frame["function"] for frame in defect["stack"]][-2:] == ["check", "main"], f"{defect['stack']}")
    check("native replay" in defect["confirmed_by"], f"{defect}")
    values = {entry["name"]: entry for entry in defect["failing_inputs"]}
    check(4000 <= values["speed"]["value"] <= 5000 and values["mode"]["bytes"].startswith("78"), f"{values}")
    saved = json.loads(pathlib.Path(defect["test"]).read_text())
    check(saved["inputs"] == defect["failing_inputs"] and saved["defect"]["line"] == 5, f"{saved}")
    expect(plumb(source, "--out", files.path / "text"), 10, "defect: assertion at ", "d.c:5:", "#0 ", "#1 main ", "speed = ", "confirmed by a native replay")


def division_by_zero_is_found(files):
    """A divisor that an input makes zero is a defect, though no branch tests it."""
    result, found = files.test(files("z.c", """#include <plumb/plumb.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  return 100 / (x * 3 - 36) > 4;
}
"""))
    expect(result, 10)
    check([(d["kind"], d["line"]) for d in found["defects"]] == [("division-by-zero", 4)], f"{found['defects']}")


def what_the_interpreter_alone_sees_is_not_all_looked_at(files):
    """Of pointer arithmetic one run of each path is looked at, so that nothing is claimed of the others."""
    source = files("p.c", """#include <plumb/plumb.h>
int main(void) {
  static char room[200];
  unsigned char x = plumb_nondet_uchar();
  const char *volatile p = room + x;
  return p == 0;
}
""")
    result, found = files.test(source, "--checks", "undefined")
    check(found["verdict"] in ("unknown", "defect"), f"{found['verdict']}")
    check("pointer arithmetic in all but one run of each path" in [gap["text"] for gap in found["gaps"]], f"{found['gaps']}")
    expect(files.test(source)[0], 0)


def crash_is_a_defect(files):
    """A null pointer on some paths is told with its kind and line."""
    result, found = files.test(files("n.c", """#include <plumb/plumb.h>
#include <stddef.h>
static int values[2] = {3, 4};
static int *find(unsigned char key) { return key < 2 ? &values[key] : NULL; }
int main(void) {
  unsigned char key = plumb_symbolic_uchar("key");
  if (key == 77)
    return *find(key);
  return 0;
}
"""))
    expect(result, 10)
    check([(d["kind"], d["line"]) for d in found["defects"]] == [("null-dereference", 8)], f"{found['defects']}")


def error_functions_of_others(files):
    """reach_error, abort and __VERIFIER_assert are errors of their own kinds."""
    result, found = files.test(files("e.c", """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 11) reach_error();
  if (x == 22) abort();
  __VERIFIER_assert(x != 33);
  return 0;
}
"""), "--until", "time", "--timeout", "10")
    expect(result, 10)
    lines = sorted((d["line"], d["kind"]) for d in found["defects"])
    check([line for line, _ in lines] == [7, 8, 9], f"{lines}")
    check([kind for _, kind in lines] == ["error-reached", "abort", "assertion"], f"{lines}")


def budget_over(files):
    """When time ends first, the exit code is 20 and the message says how far it came."""
    result = plumb(files("h.c", HASH), "--timeout", "3", "--query-timeout", "1", "--out", files.path / "out")
    expect(result, 20, " of ", "not covered: ", "h.c:5:", "no defect found so far")
    _, found = files.test(files("h.c", HASH), "--timeout", "2")
    check(found["verdict"] == "unknown" and found["reason"], f"{found}")


def first_test_alone_is_explained(files):
    """Without a second test the reason is told: no input, no branch on it, or a call that takes it."""
    expect(plumb(files("a.c", "int main(int argc, char **argv) { (void)argv; return argc > 3; }\n"), cwd=files.path), (0, 20), "never asked for an input")
    expect(plumb(files("b.c", '#include <plumb/plumb.h>\nint main(void) { return plumb_symbolic_int("x"); }\n'), cwd=files.path), 0, "no branch depends on an input")
    expect(plumb(files("c.c", """#include <math.h>
#include <plumb/plumb.h>
#include <sys/types.h>
#include <unistd.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  return getpgid(x) == -1;
}
"""), cwd=files.path), (0, 20), "getpgid")


def same_seed_same_tests(files):
    """With one worker the tests depend on the seed alone."""
    source = files("l.c", LEXER)
    contents = []
    for out in ("one", "two"):
        expect(plumb(source, "--out", files.path / out, "--seed", "5", "--timeout", "20"), (0, 20))
        contents.append(files.tests(out))
    check(contents[0] == contents[1], f"{contents[0].keys()} and {contents[1].keys()} should be the same tests")


def every_strategy_works(files):
    """Each way to search, each use of regions and several workers cover a small program."""
    source = files("b.c", BRANCHES)
    for extra in (["--strategy", s] for s in ("interleaved", "dfs", "generational", "coverage", "random-path")):
        expect(plumb(source, "--out", files.path / "out", *extra), 0, "7 of 7 branches")
    for extra in (["--regions", "off"], ["--regions", "on"], ["--jobs", "3"], ["--solver", "z3"], ["--depth", "50", "--loop", "5"]):
        expect(plumb(source, "--out", files.path / "out", *extra), 0, "7 of 7 branches")


def seeds_are_run_first(files):
    """A given test covers what it covers from the start."""
    seed = files("seed.json", '{"inputs": [{"name": "x", "value": 1, "width": 32}, {"name": "y", "value": 2, "width": 32}]}')
    source = files("h.c", """#include <plumb/plumb.h>
int main(void) {
  unsigned x = plumb_symbolic_uint("x"), y = plumb_symbolic_uint("y"), h = 1;
  for (int i = 0; i < 40; i++) h = (h ^ x) * 0x9e3779b1u + (h >> 15) * y + (h >> 7);
  if (h == %du) return 1;
  return 0;
}
""" % native_hash(1, 2))
    expect(plumb(source, "--input", seed, "--out", files.path / "out", "--timeout", "20"), 0, "4 of 4 branches")


def native_hash(x, y):
    h = 1
    for _ in range(40):
        h = ((h ^ x) * 0x9e3779b1 + (h >> 15) * y + (h >> 7)) & 0xffffffff
    return h


def earlier_results_are_replaced(files):
    """Tests of an earlier run go, with a word about it; anything else in the way is refused and left alone."""
    source, out = files("b.c", BRANCHES), files.path / "out"
    expect(plumb(source, "--out", out), 0)
    old = files("out/tests/test-000999.json", "{}")
    expect(plumb(source, "--out", out), 0, err="of an earlier run")
    check(not old.exists(), "a test of an earlier run should be gone")
    mine = files("out/tests/notes.txt", "mine")
    before = sorted(p.name for p in (out / "tests").iterdir())
    expect(plumb(source, "--out", out), 2, err=["notes.txt", "--out"])
    check(mine.read_text() == "mine" and sorted(p.name for p in (out / "tests").iterdir()) == before, "nothing should be touched")
    expect(plumb(source, "--out", files("plain", "x")), 2, err="plain")
    result = plumb(files("bad.c", "int main( {\n"), "--out", files.path / "none")
    expect(result, 2)


def bad_input(files):
    """What is wrong is told with its place, and the exit code is 2."""
    good = files("g.c", "int main(void) { return 0; }\n")
    cases = [
        ([files.path / "missing.c"], "missing.c"),
        ([files("e.c", "")], "e.c"),
        ([files("s.c", "int main(void) { return x; }\n")], "s.c:1:"),
        ([files("n.c", "int f(void) { return 0; }\n")], "main"),
        ([files("u.c", "int nowhere(int); int main(void) { return nowhere(3); }\n")], "nowhere"),
        ([files.path], str(files.path)),
        ([good, "--regions", "maybe"], "--regions"),
        ([good, "--strategy", "best"], "--strategy"),
        ([good, "--until", "monday"], "--until"),
        ([good, "--jobs", "0"], "--jobs"),
        ([good, "--timeout", "soon"], "soon"),
        ([good, "--run-memory", "much"], "much"),
        ([good, "--solver", "no-such-solver"], "no-such-solver"),
        ([good, "--input", files.path / "no.json"], "no.json"),
        ([good, "--input", files("b.json", "[")], "b.json:1:"),
        ([good, "--nonsense"], "--nonsense"),
        ([], "FILE"),
    ]
    for arguments, word in cases:
        result = plumb(*arguments, cwd=files.path)
        expect(result, 2, err=word)
        check(b"internal error" not in result.stderr, shown(result))
    result = plumb(files("s2.c", "int main(void) { return x; }\n"), "--json", cwd=files.path)
    check(result_object(result.stdout)["verdict"] == "error", shown(result))


def robust(files, text, *arguments, codes=(0, 10, 20), word=None):
    """The tool reports and survives; nothing of the program stays behind."""
    start = time.monotonic()
    result, found = files.test(files("r.c", text), "--timeout", "10", *arguments)
    expect(result, codes)
    check(b"internal error" not in result.stderr, shown(result))
    check(time.monotonic() - start < 45, f"took {time.monotonic() - start:.0f} s")
    if word is not None:
        check(word in json.dumps(found), f"expected {word!r} in {json.dumps(found)[:3000]}")
    return found


def crashes_at_once(files):
    """A program that crashes before it asks for anything has that as its defect."""
    found = robust(files, "int main(void) { *(volatile int *)8 = 1; return 0; }\n", codes=(10,))
    check(found["tests"]["count"] >= 1 and len(found["defects"]) == 1, f"{found}")


def never_ends(files):
    """A run that does not end is cut off, counted, and its branches count."""
    robust(files, '#include <plumb/plumb.h>\nint main(void) { int x = plumb_symbolic_int("x"); volatile int i = 0; if (x == 5) return 1; for (;;) i = i + 1; }\n',
           "--run-timeout", "200ms", codes=(0, 20), word="timeout")


def recursion_without_end(files):
    """A stack that overflows is a defect."""
    robust(files, '#include <plumb/plumb.h>\nstatic int f(int n) { volatile int a[100]; a[0] = n; return f(n + 1) + a[0]; }\n'
           'int main(void) { if (plumb_symbolic_int("x") == 9) return f(1); return 0; }\n', codes=(10,), word="stack-overflow")


def forks_without_end(files):
    """Processes are limited, and none is left. (Children wait, so that not even a tool without limits is swamped here.)"""
    marker = f"left-{os.getpid()}-{time.monotonic_ns()}"
    source = files("f.c", """#include <plumb/plumb.h>
#include <unistd.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  if (x == 3) return 0;
  for (;;) {
    if (fork() == 0) {
      execlp("sleep", "%s", "20", (char *)0);
      _exit(0);
    }
    usleep(2000);
  }
}
""" % marker)
    expect(plumb(source, "--timeout", "6", "--run-timeout", "300ms", "--out", files.path / "out"), (0, 20))
    time.sleep(0.5)
    check(not processes_named(marker), "no process of the program should be left")


def processes_named(word):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if word.encode() in (entry / "cmdline").read_bytes():
                    found.append(entry.name)
            except OSError:
                pass
    return found


def closes_all_descriptors(files):
    """Closed descriptors do not cut the engine off."""
    found = robust(files, '#include <unistd.h>\n#include <plumb/plumb.h>\nint main(void) { for (int i = 0; i < 1024; i++) close(i); '
                   'if (plumb_symbolic_int("x") == 12345) return 1; return 0; }\n', codes=(0,))
    check(found["coverage"]["branches"]["covered"] == found["coverage"]["branches"]["total"], f"{found['coverage']}")


def writes_ten_gigabytes(files):
    """Files are limited, and what was written is gone afterwards."""
    robust(files, """#include <stdio.h>
#include <string.h>
#include <plumb/plumb.h>
int main(void) {
  static char block[1 << 20];
  memset(block, 'x', sizeof block);
  FILE *file = fopen("huge", "w");
  if (file != NULL) {
    for (int i = 0; i < 10240; i++) fwrite(block, sizeof block, 1, file);
    fclose(file);
  }
  return plumb_symbolic_int("x") == 4;
}
""", "--run-file-size", "4M", codes=(0, 20))
    check(not (files.path / "huge").exists(), "the program should run in a directory of its own")


def takes_all_memory(files):
    """Memory is limited."""
    robust(files, """#include <stdlib.h>
#include <string.h>
#include <plumb/plumb.h>
int main(void) {
  for (;;) {
    char *p = malloc(1 << 24);
    if (p == NULL) break;
    memset(p, 1, 1 << 24);
  }
  return plumb_symbolic_int("x") == 4;
}
""", "--run-memory", "256M", codes=(10, 20))  # what it takes it leaks


def scribbles_over_the_runtime(files):
    """Writes all over the address space end as a crash or as nonsense that is told; nothing else fails."""
    robust(files, """#include <stdio.h>
#include <string.h>
#include <plumb/plumb.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  FILE *maps = fopen("/proc/self/maps", "r");
  unsigned long ranges[256][2], from, to;
  char mode[8], line[512];
  int count = 0;
  while (maps != NULL && count < 256 && fgets(line, sizeof line, maps) != NULL)
    if (sscanf(line, "%lx-%lx %7s", &from, &to, mode) == 3 && mode[1] == 'w' && strstr(line, "[stack]") == NULL) {
      ranges[count][0] = from;
      ranges[count++][1] = to;
    }
  if (x == 1) return 1;
  for (int i = 0; i < count; i++)
    for (unsigned long at = ranges[i][0]; at < ranges[i][1]; at += 64) *(volatile unsigned *)at = 0xdeadbeefu;
  if (x == 2) return 2;
  return 0;
}
""")


def kills_its_parent(files):
    """A program that signals its parent, its group and all it can reach does not stop the tool."""
    robust(files, """#include <signal.h>
#include <unistd.h>
#include <plumb/plumb.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  if (x == 77) { kill(getppid(), SIGKILL); return 1; }
  if (x == 78) { kill(0, SIGKILL); return 2; }
  if (x == 79) { raise(SIGSTOP); return 3; }
  return 0;
}
""")


def reads_no_input(files):
    """A program without inputs is run once and that is said."""
    found = robust(files, "int main(void) { return 3; }\n", codes=(0,))
    check("never asked" in found["tests"]["why_alone"] and found["tests"]["count"] == 1, f"{found['tests']}")


def asks_without_end(files):
    """Inputs without end are limited, and the branches among them covered."""
    robust(files, '#include <plumb/plumb.h>\nint main(void) { int n = 0; for (;;) { if (plumb_nondet_int() == 7) n++; if (n == 3) return 1; } }\n', codes=(0,))


def interrupt(files):
    """Ctrl-C ends it within two seconds with exit code 130; the tests so far are there, and nothing keeps running."""
    source = files("l.c", HASH)
    process = subprocess.Popen([PLUMB, "test", str(source), "--until", "time", "--out", str(files.path / "out")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.monotonic() + 20
    while not list((files.path / "out" / "tests").glob("*.json") if (files.path / "out" / "tests").exists() else []) and time.monotonic() < deadline:
        time.sleep(0.1)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    process.communicate(timeout=20)
    check(process.returncode == 130, f"expected exit code 130, got {process.returncode}")
    check(time.monotonic() - start < 2, f"it took {time.monotonic() - start:.1f} s to end")
    check(len(files.tests()) >= 1, "the tests so far should be there")
    check(not list((files.path / "out").rglob("*.tmp*")), "no half-written file should be there")


def nothing_stays_behind(files):
    """Temporary files are gone after good runs and bad ones, and the program's files never reach the user's directory."""
    temporary = files.path / "tmp"
    temporary.mkdir()
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(temporary)}
    source = files("w.c", '#include <stdio.h>\n#include <plumb/plumb.h>\nint main(void) { FILE *f = fopen("trace.txt", "w"); if (f) { fputs("x", f); fclose(f); } return plumb_symbolic_int("x") == 3; }\n')
    expect(plumb(source, cwd=files.path, env=environment), (0, 20))
    expect(plumb(files("bad.c", "int main(\n"), cwd=files.path, env=environment), 2)
    check(list(temporary.iterdir()) == [], f"left behind: {list(temporary.rglob('*'))}")
    check(not (files.path / "trace.txt").exists(), "the program should run in a directory of its own")


def several_files_and_flags(files):
    """Files, include directories, macros and the entry are given as to the other commands."""
    files("inc/limits_of_ours.h", "#define LIMIT 321\n")
    part = files("part.c", '#include "limits_of_ours.h"\nint above(int x) { return x > LIMIT; }\n')
    main_file = files("main.c", '#include <plumb/plumb.h>\nint above(int);\nint main(void) { if (above(plumb_symbolic_int("x")) && EXTRA) return 1; return 0; }\n')
    expect(plumb(main_file, part, "-I", files.path / "inc", "-DEXTRA=1", "--out", files.path / "out"), (0, 20), " branches covered")
    entry = files("entry.c", "int check(int a, unsigned char b) { if (a == 1000 && b == 7) return 1; return 0; }\n")
    expect(plumb(entry, "--entry", "check", "--out", files.path / "out"), 0, "4 of 4 branches")


def help_has_an_example(files):
    """The help names every option and shows an example."""
    result = plumb("--help")
    expect(result, 0, "plumb test lexer.c", "--regions", "--strategy", "--until", "--jobs", "--run-timeout", "--query-timeout", "plumb-out", "Exit code 10")


SCENARIOS = [all_branches_are_covered, object_has_the_documented_shape, tests_are_files_that_other_commands_read,
             input_without_bytes_is_none, defect_has_place_stack_and_input,
             division_by_zero_is_found, what_the_interpreter_alone_sees_is_not_all_looked_at, crash_is_a_defect, error_functions_of_others, budget_over, first_test_alone_is_explained, same_seed_same_tests,
             every_strategy_works, seeds_are_run_first, earlier_results_are_replaced, bad_input, crashes_at_once, never_ends, recursion_without_end,
             forks_without_end, closes_all_descriptors, writes_ten_gigabytes, takes_all_memory, scribbles_over_the_runtime, kills_its_parent,
             reads_no_input, asks_without_end, interrupt, nothing_stays_behind, several_files_and_flags, help_has_an_example]


if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Work))
