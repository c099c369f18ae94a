#!/usr/bin/env python3
"""`plumb test` says what its runs did not follow, and claims no absence over it.

    test_run.py PLUMB            all scenarios
    test_run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim. For each of these programs "no defect" was once said, or a defect that was none."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

INPUT = "#include <plumb/plumb.h>\n#include <assert.h>\n"


def test(files, source, *arguments, code):
    files("program.c", source)
    done = subprocess.run([PLUMB, "test", "program.c", *map(str, arguments), "--timeout", "20", "--json", "-q"],
                          capture_output=True, timeout=SECONDS, cwd=files.path)
    check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return result_object(done.stdout)


def is_unknown_for(result, kind, *words):
    """The verdict is unknown for a gap of the kind whose text has the words, and no branch is called infeasible."""
    check(result["verdict"] == "unknown", str(result))
    found = [gap for gap in result["gaps"] if gap["kind"] == kind and all(word in gap["text"] for word in words)]
    check(found, f"no gap '{kind}' with {words}: {result['gaps']}")
    check(words[0] in result["reason"], result["reason"])
    branches = result["coverage"]["branches"]
    check(not branches["exhaustive"] and not any("infeasible" in edge for edge in branches["uncovered"]), str(branches))


def what_longjmp_hands_over_is_a_gap(files):
    """The assertion fails for x = 77, which reaches it by longjmp() alone."""
    source = INPUT + ("#include <setjmp.h>\nstatic jmp_buf b;\nint main(void) {\n  int x = plumb_symbolic_int(\"x\");\n"
                      "  int r = setjmp(b);\n  if (!r) longjmp(b, x);\n  assert(r != 77);\n  return 0;\n}\n")
    is_unknown_for(test(files, source, code=20), "unsupported", "longjmp")


def orders_of_threads_are_a_gap(files):
    """Another order loses one of the two increments; and an input that a thread copies is not followed."""
    race = ("#include <assert.h>\n#include <pthread.h>\nstatic int c;\nstatic void *w(void *a) {\n  int v = c;\n  c = v + 1;\n  return a;\n}\n"
            "int main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, w, 0);\n  pthread_create(&u, 0, w, 0);\n"
            "  pthread_join(t, 0);\n  pthread_join(u, 0);\n  if (c > 2) assert(0);\n  return 0;\n}\n")
    is_unknown_for(test(files, race, code=20), "schedule", "orders of threads")
    copy = INPUT + ("#include <pthread.h>\nstatic int g, h;\nstatic void *w(void *a) {\n  h = g;\n  return a;\n}\nint main(void) {\n"
                    "  g = plumb_symbolic_int(\"g\");\n  pthread_t t;\n  pthread_create(&t, 0, w, 0);\n  pthread_join(t, 0);\n"
                    "  assert(h != 77);\n  return 0;\n}\n")
    is_unknown_for(test(files, copy, code=20), "schedule", "other threads")


def pointers_of_an_entry_are_a_gap(files):
    """No object is made for a pointer parameter, so what it leads to is not infeasible."""
    source = "int f(int *p, int n) {\n  if (n > 3) return 2;\n  if (p == 0) return 0;\n  if (*p == n) return 1;\n  return 0;\n}\n"
    result = test(files, source, "--entry", "f", "--checks", "none", code=10)
    check(any("'p'" in gap["text"] for gap in result["gaps"]), str(result["gaps"]))
    check(not any("infeasible" in edge for edge in result["coverage"]["branches"]["uncovered"]), str(result["coverage"]))


def what_the_world_decides_is_a_gap(files):
    """rand(), time(), getenv(), the arguments of main(): a run has one of their values; strlen() has no other."""
    source = "#include <stdlib.h>\nint a[11];\nint main(void) { return a[rand() % 11]; }\n"
    is_unknown_for(test(files, source, code=20), "pinned", "rand()")
    source = "#include <time.h>\nint main(void) { return time(0) == 5 ? 1 : 0; }\n"
    is_unknown_for(test(files, source, code=20), "pinned", "time()")
    source = "#include <stdlib.h>\nint main(void) { return getenv(\"X\") != 0; }\n"
    is_unknown_for(test(files, source, code=20), "pinned", "getenv()")
    is_unknown_for(test(files, "int a[3];\nint main(int c, char **v) { return a[c - 1]; }\n", code=20), "pinned", "arguments")
    source = "#include <math.h>\n#include <stdio.h>\n#include <string.h>\nint main(int c, char **v) {\n  puts(\"x\");\n  return (int)strlen(\"ab\") + (int)sin(0.0);\n}\n"
    check(test(files, source, code=0)["gaps"] == [], "none")


def operands_of_assembly_are_a_gap(files):
    """Inputs are not followed through memory that inline assembly copies."""
    source = INPUT + ("int main(void) {\n  int x = plumb_symbolic_int(\"x\"), y = 0;\n"
                      "  __asm__ volatile(\"movl %1,%%eax; movl %%eax,%0\" : \"=m\"(y) : \"m\"(x) : \"eax\");\n  assert(y != 77);\n  return 0;\n}\n")
    is_unknown_for(test(files, source, code=20), "unsupported", "assembly")


def runs_that_are_cut_off_are_gaps(files):
    """A program that never ends has not been seen to its end, all branches covered or not."""
    source = INPUT + "int main(void) {\n  int x = plumb_symbolic_int(\"x\");\n  if (x == 5) for (;;);\n  return 0;\n}\n"
    is_unknown_for(test(files, source, code=20), "ended-run", "timeout")


def threads_that_all_wait_are_a_deadlock(files):
    """A mutex that is locked twice."""
    source = ("#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nint main(void) {\n"
              "  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&m);\n  return 0;\n}\n")
    (defect,) = test(files, source, code=10)["defects"]
    check(defect["kind"] == "deadlock" and defect["line"] == 5, str(defect))


def addresses_of_the_map_are_the_runtimes_own(files):
    """What lies at these addresses under test is the runtime's map, and nothing is there natively."""
    for address in ("0xdeadbeef", "0x90000000", "0x100000000"):
        for access in (f"return *(volatile char *){address};", f"*(volatile char *){address} = 1; return 0;"):
            (defect,) = test(files, f"int main(void) {{\n  {access}\n}}\n", code=10)["defects"]
            check(defect["kind"] == "invalid-pointer" and defect["line"] == 2, str(defect))


def the_environment_is_no_leak(files):
    """Arguments that a run leaves out, and names of variables, are not the program's to free."""
    source = ("#include <stdio.h>\n#include <stdlib.h>\nint main(int c, char **v) {\n  if (c > 1 && v[1][0] == 'a') puts(\"x\");\n"
              "  char *p = getenv(\"FOO\");\n  if (p && p[0] == 'a') puts(\"y\");\n  return 0;\n}\n")
    for options in (("--sym-args", 0, 2, 3), ("--sym-env", "FOO", 3)):
        files("program.c", source)
        done = subprocess.run([PLUMB, "test", "program.c", *map(str, options), "--json", "-q", "--timeout", "20"],
                              capture_output=True, timeout=SECONDS, cwd=files.path)
        result = result_object(done.stdout)
        check(result["unconfirmed"] == [] and result["defects"] == [], shown(done))


def failures_without_standard_error_are_confirmed(files):
    """The replay's word about an assertion does not depend on descriptors that the program closes."""
    source = INPUT + "#include <unistd.h>\nint main(void) {\n  int x = plumb_symbolic_int(\"x\");\n  close(2);\n  assert(x != 77);\n  return 0;\n}\n"
    (defect,) = test(files, source, code=10)["defects"]
    check(defect["kind"] == "assertion" and defect["line"] == 7, str(defect))


def a_run_that_is_killed_is_a_gap(files):
    """Whether the kernel, the program or somebody else sent SIGKILL is not known, so it is not called a limit."""
    source = "#include <signal.h>\nint main(void) {\n  raise(SIGKILL);\n  return 0;\n}\n"
    is_unknown_for(test(files, source, code=20), "ended-run", "killed")


def a_replay_has_the_sandbox_of_the_campaign(files):
    """A program that writes elsewhere does so again in the replay, unless another sandbox is asked for."""
    mark = files.path / "mark"
    source = f'#include <stdio.h>\nint main(void) {{\n  FILE *f = fopen("{mark}", "w");\n  if (!f) return 4;\n  fclose(f);\n  return 3;\n}}\n'
    test(files, source, "--sandbox", "off", "--out", "out", code=20)
    for sandbox, code in (((), (0,)), (("--sandbox", "off"), (0,)), (("--sandbox", "on"), (20, 2))):
        done = subprocess.run([PLUMB, "replay", "out", "-q", "--no-files", *sandbox], capture_output=True, timeout=SECONDS, cwd=files.path)
        check(done.returncode in code, f"{sandbox}: {shown(done)}")


def a_copy_that_overflows_is_one_defect(files):
    """What such a copy would have written counts as written."""
    source = ("#include <stdio.h>\n#include <string.h>\nint main(void) {\n  char s[16] = \"0123456789abcde\", t[8];\n  memcpy(t, s, 12);\n"
              "  if (t[0] == '0') puts(\"y\");\n  return 0;\n}\n")
    (defect,) = test(files, source, "--checks", "all", code=10)["defects"]
    check(defect["kind"] == "array-pointer-out-of-bounds" and defect["line"] == 5, str(defect))


def precision_that_is_lost_is_a_gap(files):
    """Floating point is computed with the values of a run, and the branch that it decides is not infeasible."""
    source = INPUT + "int main(void) {\n  int x = plumb_symbolic_int(\"x\");\n  double d = x;\n  assert(d * 1.5 != 115.5);\n  return 0;\n}\n"
    is_unknown_for(test(files, source, code=20), "pinned", "floating point")


def pointer_arithmetic_is_followed_in_one_run_of_each_path(files):
    """The interpreter repeats one run of a path, so that other inputs of it are a gap of this check."""
    source = INPUT + "int a[9];\nint main(void) {\n  unsigned x = plumb_symbolic_int(\"x\");\n  int *p = &a[x & 7];\n  return p == a;\n}\n"
    result = test(files, source, "--checks", "none,pointer-arithmetic", code=20)
    check(result["verdict"] == "unknown" and "pointer arithmetic" in result["reason"], str(result))
    check([gap["kind"] for gap in result["gaps"] if "pointer arithmetic" in gap["text"]] == ["skipped"], str(result["gaps"]))


SCENARIOS = [precision_that_is_lost_is_a_gap, pointer_arithmetic_is_followed_in_one_run_of_each_path, what_longjmp_hands_over_is_a_gap, orders_of_threads_are_a_gap, pointers_of_an_entry_are_a_gap,
             what_the_world_decides_is_a_gap, operands_of_assembly_are_a_gap, runs_that_are_cut_off_are_gaps,
             threads_that_all_wait_are_a_deadlock, addresses_of_the_map_are_the_runtimes_own, the_environment_is_no_leak,
             failures_without_standard_error_are_confirmed, a_run_that_is_killed_is_a_gap,
             a_replay_has_the_sandbox_of_the_campaign, a_copy_that_overflows_is_one_defect]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
