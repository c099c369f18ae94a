#!/usr/bin/env python3
"""For each place where an engine stops following a program, one that comes to it: nothing is claimed absent behind it.

    places.py PLUMB            all programs
    places.py PLUMB NAME…      those whose name contains one of the words

Each program ends with an assertion that holds if nothing was dropped before, or for memory safety uses no memory wrongly. So
what keeps it from being proved is the gap, or the bound, that is expected. tests/mutants/gaps.py asks whether every place
that records has such a program."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

PRELUDE = """#define _GNU_SOURCE
#include <assert.h>
#include <fenv.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void klee_make_symbolic(void *, size_t, const char *);
#define any_int __VERIFIER_nondet_int
#define any_ulong __VERIFIER_nondet_ulong
"""
ALL = ("bmc", "circuit", "explore")
MEMORY = ("--property", "memsafety")
LARGE = "static char big[65536], b[2097152];"
MANY = " ".join(f"static int o{i};" for i in range(70))
TOUCH = " ".join(f"o{i} = c;" for i in range(70))
LOCKS = "static pthread_mutex_t m[6]; for (int i = 0; i < 6; i++) pthread_mutex_lock(&m[i]);"
# By name: engines, options, what stands before main, what main does with the input c; one of the words is said.
PROGRAMS = {
    # Code that is not there, or has no meaning here.
    "assembly": (ALL, (), "", '__asm__ volatile("nop");', "inline assembly"),
    "missing": (ALL, (), "int sensor(void);", "c = sensor();", "'sensor' has no body"),
    "missing-alone": (ALL, (*MEMORY, "--no-tail"), "int sensor(void);", "c = sensor();", "'sensor' has no body"),
    "missing-pointer": (ALL, ("--property", "overflow", "--no-tail"), "int sensor(void); int (*f)(void) = sensor;", "c = f();", "'sensor' has no body"),
    "missing-of-several": (ALL, (), "int sensor(void); int other(void) { return 1; }", "int (*f)(void) = c ? sensor : other; c = f();", "sensor"),
    "fewer": (ALL, (), "static int kept; void set(x) int x; { kept = x; }", "set();", "fewer arguments"),
    "fewer-of-several": (("bmc", "circuit"), (), "static int kept; void set(x) int x; { kept = x; } void plain(void) {}",
                         "void (*f)() = c ? (void (*)())set : (void (*)())plain; f();", "fewer arguments"),
    "outside": (ALL, (), "", 'if (getenv("A")) c = 1;', "what the environment has"),
    "at-exit": (ALL, (), "static void f(void) { exit(1); }", "atexit(f);", "what is called at the end"),
    "set-jump": (ALL, (), "static jmp_buf b;", "if (_setjmp(b)) c = 1;", "set-jump"),
    "output-alone": (ALL, (*MEMORY, "--no-tail"), "#include <wchar.h>", 'wprintf(L"%ls", (wchar_t *)8);', "what 'wprintf' reads"),
    "output": (ALL, MEMORY, "#include <wchar.h>\nstatic wchar_t text[4];", 'int *p = &c; *p = 1; wprintf(L"%ls", text);', "what 'wprintf' reads"),
    "printf": (("circuit",), MEMORY, "static char text[4];", 'text[c & 1] = 0; printf("%s", text);', "what 'printf' reads"),
    "printf-result": (("circuit",), (), "static char text[4];", 'text[c & 1] = 0; if (printf("%s", text) < 0) c = 1;', "what 'printf' gives"),
    "rounding": (ALL, (), "", "double d = c; d = d * 1.1; c = d > 3;", "floating point arithmetic"),
    "library-pointer": (ALL, (), "extern void _Unwind_Resume(void *); static void (*f)(void *) = _Unwind_Resume;", "if (c == 7) f(0);", "C++ exceptions"),
    "bitint": (ALL, (), "static int f(__float128 x) { return x > 1; }", "c = f(c);", ""),
    # Objects and pointers.
    "declared": (ALL, MEMORY, "extern int table[];", "table[c & 3] = 1;", ("'table'", "only declared")),
    "declared-pointer": (ALL, MEMORY, "extern int table[];", "int *p = table; *p = 1;", ("'table'", "only declared")),
    "number": (("bmc", "explore"), MEMORY, MANY, f"{TOUCH} char *p = (char *)any_ulong(); *p = 1;", "could lead to too many objects"),
    "number-call": (("bmc",), (), "", "int (*f)(void) = (int (*)(void))any_ulong(); c = f();", "of which nothing is known"),
    "fill-to": (("explore",), (), "static char a[5000];", "if (c < 0 || c > 3000) return 0; memset(a + c, 1, 2000);", "a fill of a place that is not known"),
    "copy-number": (("explore",), MEMORY, MANY + " static char a[4];", f"{TOUCH} memcpy((char *)any_ulong(), a, 4);", "could lead to too many objects"),
    "fill-number": (("explore",), MEMORY, MANY, f"{TOUCH} memset((char *)any_ulong(), 1, 4);", "could lead to too many objects"),
    "input-number": (("explore",), MEMORY, MANY, f'{TOUCH} klee_make_symbolic((void *)any_ulong(), 4, "a");', "could lead to too many objects"),
    "heap-again-number": (("explore",), MEMORY, MANY, f"{TOUCH} free(realloc((void *)any_ulong(), 10));", "could lead to too many objects"),
    "heap-free-number": (("explore",), MEMORY, MANY, f"{TOUCH} free((void *)any_ulong());", "could lead to too many objects"),
    "output-number": (("explore",), MEMORY, "#include <unistd.h>\n" + MANY, f"{TOUCH} write(1, (char *)any_ulong(), 1);", "could lead to too many objects"),
    "output-size": (("explore",), MEMORY, "#include <unistd.h>\nstatic char a[5000];", "unsigned long n = any_ulong(); if (n > 5000) return 0; write(1, a, n);",
                    "of a size that is not known"),
    "thread-number": (("explore",), MEMORY, MANY + " static void *f(void *a) { return a; }", f"{TOUCH} pthread_create((pthread_t *)any_ulong(), 0, f, 0);",
                      "could lead to too many objects"),
    "join-number": (("explore",), MEMORY, MANY + " static void *f(void *a) { return a; }",
                    f"{TOUCH} pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, (void **)any_ulong());", "could lead to too many objects"),
    "heap-again-room": (("explore",), ("--m32", *MEMORY), "static char *kept[260];",
                        "for (int i = 0; i < 260; i++) { kept[i] = malloc(1); kept[i] = realloc(kept[i], 1 << 24); }", "no room"),
    "exit-thread": (("explore",), (), "static void *f(void *a) { exit(0); } __attribute__((destructor)) static void late(void) { puts(\"\"); }",
                    "pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);", "exit() in another thread"),
    "list-unknown": (("explore",), (), "#include <stdarg.h>\nstatic int f(int n, ...) { va_list l[2]; va_start(l[n & 1], n); int r = va_arg(l[n & 1], int); return r; }",
                     "c = f(c, 1);", "va_start of a list that is not known"),
    "copy-size": (("bmc", "circuit", "explore"), (), "static char a[5000], b[5000];", "unsigned long n = any_ulong(); if (n > 5000) return 0; memcpy(a, b, n);", "copy"),
    "fill-size": (("bmc", "circuit", "explore"), (), "static char a[5000];", "unsigned long n = any_ulong(); if (n > 5000) return 0; memset(a, 1, n);", "fill"),
    "copy-from": (("bmc", "explore"), (), "static char a[5000], b[5000];", "if (c < 0 || c > 3000) return 0; memcpy(a, b + c, 2000);", ("at an offset that is not known", "a copy from or to a place that is not known")),
    "copy-to": (("bmc", "explore"), (), "static char a[5000], b[5000];", "if (c < 0 || c > 3000) return 0; memcpy(a + c, b, 2000);", ("to an offset that is not known", "a copy from or to a place that is not known")),
    "large": (("circuit",), MEMORY, LARGE, "big[c & 65535] = 1; b[any_ulong() & 2097151] = big[c & 7];", "bytes of memory"),
    "large-copy": (("circuit",), MEMORY, LARGE, "b[any_ulong() & 2097151] = 1; memcpy(big, b, 4);", "bytes of memory"),
    "large-input": (("circuit",), MEMORY, LARGE, 'b[any_ulong() & 2097151] = 1; klee_make_symbolic(b, 4, "b");', "bytes of memory"),
    "large-lock": (("circuit",), MEMORY, "static struct { pthread_mutex_t m; char a[2097152]; } s;", "s.a[any_ulong() & 2097151] = 1; pthread_mutex_lock(&s.m);", "bytes of memory"),
    "large-heap": (("circuit",), MEMORY, "", "char *p = malloc(2097152); p[any_ulong() & 2097151] = 1; free(p);", "bytes of memory"),
    "large-array": (("circuit",), MEMORY, "", "int n = 2097152; { char v[n]; v[any_ulong() & 2097151] = 1; }", "bytes of memory"),
    "heap-size": (("circuit", "explore"), MEMORY, "", "unsigned long n = any_ulong(); char *p = malloc(n); if (p && n) p[0] = 1; free(p);", "object"),
    "heap-behind": (("bmc",), MEMORY, "", "unsigned long n = any_ulong(); char *p = malloc(n); if (p && n > 4000000) memset(p + 3000000, 1, 16); free(p);", "behind the first"),
    "heap-copy-behind": (("bmc",), MEMORY, "static char a[16];", "unsigned long n = any_ulong(); char *p = malloc(n); if (p && n > 4000000) memcpy(p + 3000000, a, 16); free(p);",
                         "behind the first"),
    "heap-again": (("circuit", "explore"), MEMORY, "", "unsigned long n = any_ulong(); char *p = malloc(8); p = realloc(p, n); free(p);", "object"),
    "heap-copy": (("circuit",), MEMORY, "", "unsigned i = any_int() & 511; char *p = malloc(1000); p[i] = 1; p = realloc(p, 2000); int a[2] = {0}; c = a[p[i] == 1]; free(p);", "a copy of so many bytes"),
    "heap-count": (("circuit",), MEMORY, "", "for (int i = 0; i < 20; i++) { char *p = malloc(1); free(p); }", "heap objects"),
    "heap-room": (("bmc", "explore"), ("--m32", *MEMORY), "", " ".join(f"char *p{i} = malloc(1 << 24); if (p{i}) p{i}[0] = 1;" for i in range(260)) +
                  " ".join(f"free(p{i});" for i in range(260)), "no room"),
    "alignment": (ALL, (), "", "unsigned long n = any_ulong(); char *p = aligned_alloc(n, 16); free(p);", "an alignment that is not known"),
    "array-size": (("explore",), MEMORY, "", "unsigned n = any_int(); if (n == 0 || n > 100000) return 0; char v[n]; v[0] = 1;", "size that is not known"),
    "recursion": (("circuit",), (), "static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }", "if (c < 0 || c > 100) return 0; c = f(c) - c;", "--stack"),
    "recursion-deep": (("explore",), (), "static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }", "c = f(5000) > 1;", "open calls"),
    # Inputs, ends, threads.
    "input-size": (ALL, (), "static char a[64];", 'unsigned long n = any_ulong(); if (n > 64) return 0; klee_make_symbolic(a, n, "a");', "size"),
    "input-large": (ALL, (), "static char a[1100000];", 'klee_make_symbolic(a, sizeof a, "a");', "1100000 bytes"),
    "input-beyond": (("circuit",), MEMORY, "static char a[4];", 'klee_make_symbolic(a, 2000000, "a");', "2000000 bytes"),
    "input-name": (ALL, (), 'static char a[4], name[] = "a";', "name[0] = c; klee_make_symbolic(a, 4, name);", "name is not known"),
    "exit": (ALL, (), "__attribute__((destructor)) static void late(void) { exit(0); }", "if (c == 7) exit(0);", "what is called at the end"),
    "exit-shared": (("circuit",), (), "static void f(int n) { if (n > 3) exit(0); if (n > 0) f(n - 1); } __attribute__((destructor)) static void late(void) { f(1); }",
                    "f(c & 7);", "what is called at the end"),
    "locks": (("bmc", "circuit"), (), "", LOCKS, "mutexes"),
    "lock-declared": (("circuit",), MEMORY, "extern struct lock { pthread_mutex_t m; } table[];", "pthread_mutex_lock(&table[1].m);", "no definition"),
    "lock-unknown": (("explore",), (), "static pthread_mutex_t m[100];", "pthread_mutex_lock(&m[(unsigned)c % 100]);", "not known"),
    "threads": (("explore",), (), "static void *f(void *a) { return a; }", "pthread_t t; for (int i = 0; i < 300; i++) pthread_create(&t, 0, f, 0);", "threads"),
    "thread-missing": (("explore",), (), "void *f(void *a);", "pthread_t t; pthread_create(&t, 0, f, 0);", "no body"),
    "join-unknown": (("explore",), (), "", "pthread_join(any_ulong(), 0);", "a thread that is not known"),
    # Lives of variables.
    "scope": (ALL, MEMORY, "", "int *q = &c; switch (c) { int l; case 0: break; default: l = 2; q = &l; } c = q == &c;", "the scope of"),
    "scope-jump": (ALL, MEMORY, "static void f(int *p) { *p &= 1; }", "void *t[] = {&&a, &&b}; if (c) goto *t[c & 1]; { int l; a: f(&l); goto *t[l & 1]; } b: c = 1;", "the scope of 'l'"),
    "stack-room": (("bmc", "explore"), ("--m32", *MEMORY), "static void f(char *p) { p[0] = 1; }", "for (int i = 0; i < 70; i++) f(__builtin_alloca(1 << 26));", "no room"),
}


def scenario(name, engine):
    engines, options, before, body, words = PROGRAMS[name]

    def run(files):
        tail = "" if "--no-tail" in options else "  if (c > 5) c = 5;\n  assert(c <= 5);\n"
        files("program.c", f"{PRELUDE}{before}\nint main(void) {{\n  int c = any_int();\n  {body}\n{tail}  return 0;\n}}\n")
        done = subprocess.run([PLUMB, "check", "program.c", *(o for o in options if o != "--no-tail"), "--engine", engine, "--timeout", "30", "--json", "-q"],
                              capture_output=True, timeout=SECONDS, cwd=files.path)
        result = result_object(done.stdout)
        check(result["verdict"] not in ("holds", "violated"), f"{result['verdict']}\n{shown(done)}")
        said = [gap["text"] for gap in result["gaps"]] + [goal.get("reason", "") for each in result["properties"] for goal in each.get("goals", [])]
        check(any(part in text for text in said for part in ([words] if isinstance(words, str) else words)), f"{words!r} is not said: {said}")

    run.__name__ = f"{name}_{engine}_is_said"
    run.__doc__ = f"What stands behind '{name}' is not claimed by {engine}."
    return run


SCENARIOS = [scenario(name, engine) for name in PROGRAMS for engine in PROGRAMS[name][0]]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
