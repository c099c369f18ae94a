#!/usr/bin/env python3
"""What is not followed exactly is a gap, and no claim of absence is made over it.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim. Each program was once called safe, or its violation confirmed by a run that had
replaced the function in question."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402

ENGINES = ("circuit", "bmc", "auto")


def plumb(files, *arguments):
    return subprocess.run([PLUMB, "check", *map(str, arguments), "--timeout", "20"], capture_output=True, timeout=SECONDS,
                          cwd=files.path)


def answer(files, source, *arguments, code=None):
    files("program.c", source)
    done = plumb(files, "program.c", *arguments, "--json", "-q")
    if code is not None:
        check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return result_object(done.stdout)


def gap_kinds(result):
    return {gap["kind"] for gap in result["gaps"]}


def dropped_code_hides_goals(files):
    """Behind inline assembly there may be anything: memory safety is unknown, although no access is left to look at."""
    source = 'int main(void) {\n  int a[2], i = 5;\n  __asm__ volatile("nop");\n  a[i] = 1;\n}\n'
    for engine in ENGINES:
        result = answer(files, source, "--property", "memsafety", "--engine", engine, code=20)
        check(gap_kinds(result) == {"unsupported"} and result["gaps"][0]["line"] == 3, str(result["gaps"]))


# The address of a variable of a block leaves the block, or a jump seems to leave it, and no use is wrong.
IN_SCOPE = (
    "int x = 1, *q = &x; if (n) { int l = 2; q = &l; x = *q; } q = &x; return *q;",
    "int s = 0, *q; for (int i = 0; i < 3; i++) { int l = i; q = &l; if (n == i) continue; if (n > 3) break; s += *q; } return s;",
    "int *q = 0; if (n) { again:; if (q && *q > 2) return *q; int l = n & 3; q = &l; l++; n++; if (n < 9) goto again; } return 0;",
    "int *q; switch (n) { case 0:; int l; case 1: l = 1; q = &l; break; default: q = &n; if (n != 2) break; l = 3; q = &l; return *q; } return n;",
    "int *q = 0, i = 0; if (n == 1) goto in; while (i++ < 2) { int l = 3; in: l = n; q = &l; if (*q > 5) goto out; } return 0; out: return n;",
    "int *q = 0, i = 0; while (1) { again: if (q && i == 1) return *q; int l = n; q = &l; if (!i++) goto again; q = 0; if (i > 2) break; } return 0;",
    "void *t[] = {&&a, &&b}; int *q; { int l = n; q = &l; goto *t[n & 1]; a: return *q; } b: q = &n; return *q;",
    "int *q, s = 0; for (int i = 0; i < 2; i++) { q = (int[]){i, n}; s += q[1]; } q = &(int){s}; return *q;",
    "int *q; n = ({ int l = n; q = &l; if (n > 3) goto out; *q; }); out: q = &n; return *q;",
    "int x = 3, *q = &x; { int l = n; q = &l; if (l == 1) goto out; *q = 2; } q = &x; out: return n == 1 ? 0 : *q;",
    "int x = 0; do { int l[2] = {n, 1}, *q = l; if (n > 4) { int m = q[1]; q = &m; x += *q; break; } x += q[1]; } while (n++ < 2); return x;",
)


def a_variable_dies_with_its_block(files):
    """Used behind its block a variable is gone: run, test and check say so, and what is used in time is safe."""
    prelude = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int();\n"
    source = prelude + "  int x = 1, *q = &x;\n  if (n == 5) {\n    int l = 2;\n    q = &l;\n  }\n  return *q;\n}\n"
    for engine in ENGINES:
        result = answer(files, source, "--property", "memsafety", "--engine", engine, code=10)
        found = result["properties"][0]
        check(found["line"] == 9 and "'l' of 4 bytes after its scope was left" in found["message"], str(found))
    tested = subprocess.run([PLUMB, "test", "program.c", "--timeout", "20"], capture_output=True, timeout=SECONDS, cwd=files.path)
    expect(tested, 10, "use-after-scope", "program.c:9")
    for body in IN_SCOPE:
        for engine in ENGINES:
            answer(files, prelude + f"  if (n < 0 || n > 9) return 0;\n  {body}\n}}\n", "--property", "memsafety", "--engine", engine,
                   code=0)


# Ways out of a block, and a use behind it.
LEFT = {
    "goto": "if (n) { int l = n; q = &l; if (n > 3) goto out; n = 0; } return 0; out: return *q;",
    "goto-back": "if (n) { again:; int l = n; q = &l; if (l > 3) { n = 1; goto again; } } else { q = &n; } return *q;",
    "goto-into": "if (n) goto in; { int l = 0; in: l = n; q = &l; } return *q;",
    "switch": "switch (n) { case 0: return 0; case 1:; int l = 1; q = &l; break; default: l = 2; q = &l; } return *q;",
    "switch-first": "switch (n) { int l; case 0: return 0; default: l = 2; q = &l; } return *q;",
    "next-round": "int i = 0; while (1) { if (q) return *q; again:; int l = n; if (l == i++) goto again; q = &l; }",
    "computed-goto": "void *t[] = {&&a, &&b}; { int l = n; q = &l; goto *t[n & 1]; } a: return *q; b: return 0;",
    "expression": "n = ({ int l = n; q = &l; l; }); return *q;",
    "expression-goto": "n = ({ int l = n; q = &l; if (n > 3) goto out; l; }); return 0; out: return *q;",
    "literal": "if (n) { q = (int[]){n, 1}; } else { q = &n; } return *q;",
    "literal-of-if": "if (n) q = &(int){n}; else q = &n; return *q;",
    "longjmp": "if (!_setjmp(b)) { int l = n; g = &l; longjmp(b, 1); } return *g;",
    "longjmp-into": "volatile int i = 0; { int l = n; g = &l; if (_setjmp(b)) l = 2; } if (!i++) longjmp(b, 1); return *g;",
    "temporary": "q = give().a; return *q;",
}
# Of them those whose end is not known.
LOST = {"switch-first", "longjmp-into", "temporary"}


def a_variable_dies_however_its_block_is_left(files):
    """A use behind the block is a violation, or where it is not known a gap, for run, test and check."""
    for name, body in LEFT.items():
        files("program.c", "#include <setjmp.h>\n#include <plumb/plumb.h>\njmp_buf b;\nint *g;\nstruct S { int a[3]; };\n"
              "struct S give(void) { return (struct S){{1, 2, 3}}; }\nint main(void) {\n  int n = plumb_symbolic_int(\"n\"), *q = 0;\n"
              f"  if (n < 0 || n > 9) return 0;\n  {body}\n}}\n")
        for engine in ENGINES:
            done = plumb(files, "program.c", "--property", "memsafety", "--engine", engine, "--json", "-q")
            result = result_object(done.stdout)
            if engine == "auto" and name == "longjmp":
                check(result["verdict"] == "violated", f"{name}\n{shown(done)}")
            elif name in LOST or name == "longjmp":
                check(result["verdict"] == "unknown" and gap_kinds(result) & {"skipped", "unsupported"}, f"{name} {engine}\n{shown(done)}")
            else:
                check(result["verdict"] == "violated" and "after its scope was left" in done.stdout.decode(), f"{name} {engine}\n{shown(done)}")
        done = subprocess.run([PLUMB, "test", "program.c", "--timeout", "20", "--json", "-q"], capture_output=True, timeout=SECONDS, cwd=files.path)
        result = result_object(done.stdout)
        if name in LOST:
            check("the scope of" in str(result["gaps"]), f"{name}\n{shown(done)}")
        else:
            check([d["kind"] for d in result["defects"]] == ["use-after-scope"], f"{name}\n{shown(done)}")


def bitcode_without_scopes_is_a_gap(files):
    """Modules that others compiled have no markers: of plain code the blocks are known, of optimised code they are not."""
    files("program.c", "void use(int *p) { *p = 1; }\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), x = 1, *q = &x;\n"
          "  if (n == 5) {\n    int l = 2;\n    use(&l);\n    q = &l;\n  }\n  return *q;\n}\n")
    for engine in ENGINES:
        for flags, words in ((["-g"], ("after its scope was left",)), (["-O1", "-fno-inline", "-Xclang", "-disable-llvm-passes"], ("skipped", "the scope of"))):
            subprocess.run(["clang-19", "-c", "-emit-llvm", *flags, "program.c", "-o", "program.bc"], check=True, cwd=files.path)
            done = plumb(files, "program.bc", "--property", "memsafety", "--engine", engine)
            text = (done.stdout + done.stderr).decode()
            check(all(word in text for word in words), f"{flags} {engine}\n{shown(done)}")


def accepted_gaps_are_named(files):
    """With --accept-gaps the verdict stands, and its reason names what it is not about."""
    files("program.c", '#include <assert.h>\nint sensor(void);\nint main(void) {\n  int x = sensor();\n  if (x > 10) x = 10;\n'
          '  assert(x <= 10);\n  return 0;\n}\n')
    for engine in ENGINES:
        expect(plumb(files, "program.c", "--engine", engine), 20, "unknown", "missing-body", "program.c:4", "sensor")
        expect(plumb(files, "program.c", "--engine", engine, "--accept-gaps"), 0, "holds", "except behind: missing-body", "sensor")


def calls_with_other_arguments_are_followed(files):
    """A function that is called with more arguments than it has runs; so does one that is called with fewer."""
    more = ("#include <assert.h>\nvoid *foo(void) { assert(0); return 0; }\nvoid call(void *(*r)(void *), void *a) { r(a); }\n"
            "int main(void) { call((void *(*)(void *))foo, 0); }\n")
    result = answer(files, more, code=10)
    check(result["properties"][0]["line"] == 2, str(result["properties"]))
    fewer = "int a[2], i;\nvoid set(x) int x; {\n  a[i] = x;\n}\nint main(void) {\n  i = 5;\n  set();\n  return 0;\n}\n"
    result = answer(files, fewer, "--property", "memsafety", code=10)
    check(result["properties"][0]["line"] == 3, str(result["properties"]))


def calls_through_null_are_memory_defects(files):
    """A call through a pointer that may be null violates memory safety; one that cannot be holds."""
    source = ("extern int __VERIFIER_nondet_int(void);\nint g(int x) { return x; }\nint main(void) {\n  int (*f)(int) = %s;\n"
              "  if (__VERIFIER_nondet_int()) f = g;\n  return f(1);\n}\n")
    for engine in ENGINES:
        result = answer(files, source % "0", "--property", "memsafety", "--engine", engine, code=10)
        check(result["properties"][0]["line"] == 6, str(result["properties"]))
        answer(files, source % "g", "--property", "memsafety", "--engine", engine, code=0)


# Of an environment that is empty, or has nothing but what the program set.
ENVIRONMENTS = (
    ("void", "extern char **environ; assert(environ[0] == 0);"),
    ("void", "extern char **__environ; assert(*__environ == 0);"),
    ("int c, char **v, char **e", "assert(e[0] == 0);"),
    ("int c, char **v, char **e", "assert(c == 1 && e == v + 2);"),
    ("void", "extern char ***where; assert(**where == 0);"),
    ("void", "extern char **environ; setenv(\"A\", \"1\", 1); assert(environ[1] == 0);"),
    ("void", "extern char **environ; assert((getenv(\"PATH\") == 0) == (environ[0] == 0));"),
    ("void", "clearenv(); extern char **environ; assert(environ != 0);"),
    ("int c, char **v, char **e", "assert(getenv(\"PATH\") != 0 || e[0] == 0);"),
)


def the_environment_is_the_worlds(files):
    """However a program comes to the environment, no proof and no exhaustive search rests on the one that plumb has."""
    for parameters, body in ENVIRONMENTS:
        source = ("#include <assert.h>\n#include <stdlib.h>\nextern char **environ;\nchar ***where = &environ;\n" if "where" in body
                  else "#define _GNU_SOURCE\n#include <assert.h>\n#include <stdlib.h>\n") + f"int main({parameters}) {{\n  {body}\n  return 0;\n}}\n"
        for engine in ENGINES:
            result = answer(files, source, "--engine", engine)
            check(result["verdict"] in ("unknown", "violated"), f"{body} {engine}: {result}")
            check(result["verdict"] == "violated" or "not confirmed" in str(result) or "what the environment has" in str(result["gaps"]), f"{body} {engine}: {result}")
        tested = subprocess.run([PLUMB, "test", "program.c", "--timeout", "20", "--json", "-q"], capture_output=True, timeout=SECONDS, cwd=files.path)
        result = result_object(tested.stdout)
        check(result["verdict"] == "violated" or "environment" in str(result["gaps"]) or "getenv" in str(result["gaps"]) or
              "without arguments" in str(result["gaps"]), f"{body}: {shown(tested)}")
    answer(files, "#include <assert.h>\nint main(int c, char **v, char **e) { assert(c == 1); return 0; }\n", code=0)


def the_real_library_confirms(files):
    """A function of the C library that has no model is a gap, and the native run that confirms calls the real one."""
    source = ("#include <assert.h>\n#include <fenv.h>\nint main(void) {\n  volatile float one = 1.0f, little = 1e-10f;\n"
              "  fesetround(FE_UPWARD);\n  assert(one + little %s 1.0f);\n}\n")
    check("missing-body" in gap_kinds(answer(files, source % "==", code=20)), "==")
    (goal,) = answer(files, source % "!=", code=20)["properties"][0]["goals"]
    check("but the native run with exit code 0" in goal["reason"], str(goal))


def engines_that_read_memory_differently_prove_nothing(files):
    """A pointer made of a number that is the address of an object: no proof stands beside another engine's counterexample."""
    source = ("#include <assert.h>\n#include <stdint.h>\nextern unsigned long __VERIFIER_nondet_ulong(void);\nchar b[2];\n"
              "int main(void) {\n  uintptr_t u = __VERIFIER_nondet_ulong();\n  if (u == (uintptr_t)b) {\n    *(char *)u = 3;\n"
              "    assert(b[0] == 0);\n  }\n  return 0;\n}\n")
    check(answer(files, source)["verdict"] != "holds", "assertions")


def faults_that_were_not_asked_about_are_premises(files):
    """Where runs may end in a fault that is no goal, a proof says so with its place; where all of them do, it is vacuous."""
    may = ("#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint a[4];\nint main(void) {\n"
           "  int i = __VERIFIER_nondet_int();\n  a[i] = 1;\n  assert(i >= 0);\n  return 0;\n}\n")
    must = "#include <assert.h>\nint main(void) {\n  int *p = 0;\n  *p = 1;\n  assert(0);\n  return 0;\n}\n"
    never = may.replace("a[i] = 1", "if (i < 0 || i > 3) return 0; a[i] = 1")
    for engine in ENGINES:
        premises = answer(files, may, "--engine", engine, code=0)["properties"][0]["assuming"]
        check([p["line"] for p in premises] == [6], str(premises))
        expect(plumb(files, "program.c", "--engine", engine), 0, "assuming no", "program.c:6")
        check(answer(files, must, "--engine", engine, code=20)["verdict"] == "vacuous", engine)
        check("assuming" not in answer(files, never, "--engine", engine, code=0)["properties"][0], engine)


def what_output_reads_is_looked_at(files):
    """printf of memory that was freed is a defect or unknown, never safe; numbers are safe to print."""
    freed = ('#include <stdio.h>\n#include <stdlib.h>\nint main(void) {\n  char *p = malloc(4);\n  if (p == 0) return 0;\n  p[0] = 0;\n'
             '  free(p);\n  printf("%s", p);\n  return 0;\n}\n')
    for engine in ENGINES:
        check(answer(files, freed, "--property", "memsafety", "--engine", engine)["verdict"] in ("violated", "unknown"), engine)
    answer(files, '#include <stdio.h>\nint main(void) {\n  int a[2] = {1, 2};\n  printf("%d %5.2f\\n", a[1], 1.5);\n  return 0;\n}\n',
           "--property", "memsafety", code=0)


def without_assertions_one_answer(files):
    """Without an assertion the verdict is vacuous however it was asked for, and the reason is true."""
    for source, words in (("// ERROR: nothing\nint main(void) { return 0; }\n", "there is no assertion"),
                          ("#include <assert.h>\nint main(void) { assert(1); return 0; }\n", "left out all assertions")):
        files("program.c", source)
        for arguments in ((), ("--property", "assertions")):
            expect(plumb(files, "program.c", *arguments), 20, "vacuous", words)


def an_unsupported_property_costs_its_own_answer(files):
    """Of a property file, a line that is not supported is unknown; the others are answered. One of such lines alone is refused."""
    files("program.c", "int main(void) { int a[2] = {0}; return a[1]; }\n")
    files("some.prp", "CHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(F end) )\n")
    files("none.prp", "CHECK( init(main()), LTL(F end) )\n")
    result = result_object(expect(plumb(files, "program.c", "--property", "some.prp", "--json"), 20).stdout)
    check([p["verdict"] for p in result["properties"]] == ["holds", "unknown"], str(result["properties"]))
    expect(plumb(files, "program.c", "--property", "none.prp"), 2, err="none.prp:1:1")


def assertions_of_other_checkers_count(files):
    """What CBMC and ESBMC call assertions and assumptions are such, and so is assert() without its header."""
    source = ("extern int __VERIFIER_nondet_int(void);\nextern void __CPROVER_assume(_Bool), __CPROVER_assert(_Bool, const char *);\n"
              "extern void __ESBMC_assume(_Bool), __ESBMC_assert(_Bool, const char *);\nextern int assert();\nint main(void) {\n"
              "  int x = __VERIFIER_nondet_int();\n  %s_assume(x > 2);\n  %s;\n  return 0;\n}\n")
    for word in ("__CPROVER", "__ESBMC"):
        for call in (f'{word}_assert(x > %d, "x")', "assert(x > %d)"):
            answer(files, source % (word, call % 2), code=0)
            answer(files, source % (word, call % 3), code=10)


# LLVM's own text: clang makes no such value for this machine.
SCALABLE = """target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
declare i32 @__VERIFIER_nondet_int()
define i32 @f(i32 %n) {
entry:
  %is_large = icmp sgt i32 %n, 3
  br i1 %is_large, label %one, label %two
one:
  br label %two
two:
  %p = phi <vscale x 4 x i32> [ zeroinitializer, %entry ], [ zeroinitializer, %one ]
  ret i32 %n
}
define i32 @main() {
  %c = call i32 @__VERIFIER_nondet_int()
  %r = call i32 @f(i32 %c)
  ret i32 %r
}
"""


def a_function_with_values_that_no_program_has_is_a_gap(files):
    """Where such a value comes to a block from others, the whole function is left out, and said to be."""
    files("program.ll", SCALABLE)
    for engine in ENGINES:
        done = plumb(files, "program.ll", "--property", "memsafety", "--engine", engine, "--json", "-q")
        result = result_object(done.stdout)
        check(result["verdict"] == "unknown" and gap_kinds(result) == {"unsupported"}, f"{engine}\n{shown(done)}")
        check("vscale" in result["gaps"][0]["text"], str(result["gaps"]))


SCENARIOS = [a_function_with_values_that_no_program_has_is_a_gap, assertions_of_other_checkers_count, an_unsupported_property_costs_its_own_answer, dropped_code_hides_goals,
             a_variable_dies_with_its_block, a_variable_dies_however_its_block_is_left, bitcode_without_scopes_is_a_gap,
             the_environment_is_the_worlds,
             accepted_gaps_are_named, calls_with_other_arguments_are_followed,
             calls_through_null_are_memory_defects, the_real_library_confirms, engines_that_read_memory_differently_prove_nothing,
             faults_that_were_not_asked_about_are_premises, what_output_reads_is_looked_at, without_assertions_one_answer]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
