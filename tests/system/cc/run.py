#!/usr/bin/env python3
"""Builds with `plumb cc` as a user would, holds it against plain clang, and takes the programs to the other commands.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

CLANG = "clang-19"


class Work(Files):
    def run(self, *words, code=0, **keywords):
        keywords.setdefault("cwd", self.path)
        result = subprocess.run([str(word) for word in words], capture_output=True, timeout=SECONDS, **keywords)
        check(code is None or result.returncode == code, f"expected exit code {code}\n{shown(result)}")
        return result

    def cc(self, *words, **keywords):
        result = self.run(PLUMB, "cc", *words, **keywords)
        check(result.returncode != 0 or not result.stderr, f"nothing should be said\n{shown(result)}")
        return result

    def ends_as_natively(self, program, **keywords):
        """Runs the program natively, instrumented and in the interpreter; the exit code is the same."""
        native = self.run(f"./{program}", code=None, **keywords)
        result = self.run(PLUMB, "test", program, "--json", "--out", f"out-{program}", code=None, **keywords)
        check(result.returncode in (0, 20), shown(result))
        codes = [json.loads(path.read_text())["code"] for path in sorted((self.path / f"out-{program}" / "tests").iterdir())]
        check(codes == [native.returncode], f"{codes} should be [{native.returncode}]\n{shown(result)}")
        ran = self.run(PLUMB, "run", program, code=None, **keywords)
        check(ran.returncode in (0, 10) and f"exit code {native.returncode}" in ran.stderr.decode(), shown(ran))
        return native.returncode


# --- The same as clang ---

SOURCES = {
    "good.c": '#include <stdio.h>\n#include "part.h"\nint main(void) { printf("%d %s\\n", part(2), __FILE__); return 0; }\n',
    "part.h": "int part(int x);\n",
    "part.c": '#include "part.h"\nint part(int x) { return x * FACTOR; }\n',
    "error.c": "int main(void) { return unknown; }\n",
    "warning.c": "int f(void) { int unused; return 1; }\n",
    "missing.c": '#include "nowhere.h"\n',
    "undefined.c": "int nowhere(void); int main(void) { return nowhere(); }\n",
    "plain.txt": "int f(void) { return 1; }\n",
    "start.S": ".globl start\nstart: ret\n.section .note.GNU-stack,\"\",@progbits\n",
    "words.rsp": "-c 'part.c' -DFACTOR=3\n-o \"from words.o\"\n",
}

COMMANDS = """
--version
-dumpmachine
-dumpversion
-print-search-dirs
-print-prog-name=ld
-print-file-name=libc.so
-v

-c good.c
-c good.c -o new/out.o
-c part.c -DFACTOR=3 -O2 -g -fPIC -Wall -Wextra -pipe
-c part.c good.c -DFACTOR=3
-c part.c good.c -DFACTOR=3 -o both.o
-c warning.c -Wall
-c warning.c -Wall -Werror
-c error.c
-c missing.c
-c nothing_there.c
-c good.c -no-such-flag
-c good.c -o /dev/null
-c start.S
-c -x c plain.txt
-x c -c plain.txt -o plain.o
-c @words.rsp
-c @no_such_words.rsp
-E good.c
-E -dM good.c
-S part.c -DFACTOR=3
-S -emit-llvm part.c -DFACTOR=3
-M good.c
-MM good.c
-c good.c -MD
-c good.c -MMD -MP -MF deps/good.Tpo -MT good.o
-c good.c -MD -MF good.dep -o good.o
-c good.c -Wp,-MD,good.pp
-fsyntax-only good.c
-c part.c -DFACTOR=3 -save-temps
good.c part.c -DFACTOR=3
good.c part.c -DFACTOR=3 -o prog
good.c part.c -DFACTOR=3 -o prog -MD
good.c part.c -DFACTOR=3 -o prog -save-temps
-x c good.c -x c part.c -x none -DFACTOR=3 -o prog -lm
good.c -o prog
undefined.c -o prog
error.c part.c -DFACTOR=3 -o prog
good.c part.c start.S -DFACTOR=3 -static -o prog
-shared -fPIC part.c -DFACTOR=3 -o libpart.so
-r -nostdlib part.c -DFACTOR=3 -o part.o
good.c part.c -DFACTOR=3 -o /dev/null
-x c-header part.h -o part.h.pch
""".strip("\n").split("\n")


def neutral(text):
    return re.sub(rb"/tmp/[^ :'\n]*", b"TMP", text)


def listing(path):
    return sorted(str(entry.relative_to(path)) for entry in path.rglob("*") if entry.is_file())


def same_as_clang(files):
    """Exit code, standard streams and the files that are made are clang's own, whatever is asked."""
    for line in COMMANDS:
        results = []
        for compiler in ([CLANG], [PLUMB, "cc"]):
            shutil.rmtree(files.path / "work", ignore_errors=True)
            for name, content in SOURCES.items():
                files(f"work/{name}", content)
            (files.path / "work/deps").mkdir()
            (files.path / "work/new").mkdir()
            work = files.path / "work"
            done = files.run(*compiler, *line.split(), code=None, cwd=work)
            said = [done.returncode, neutral(done.stdout), neutral(done.stderr) if line != "-v" else b"", listing(work)]
            for name in listing(work):
                if name.endswith((".d", ".Tpo", ".dep", ".pp", ".i", ".s", ".ll")):
                    said.append(neutral((work / name).read_bytes()))
            if (work / "prog").exists():
                said.append(files.run("./prog", cwd=work).stdout)
            results.append(said)
        check(results[0] == results[1], f"`{line}` differs:\n{results[0]}\n{results[1]}")


def standard_input_is_compiled(files):
    """What comes on standard input is compiled as clang does it."""
    for words in (["-c", "-x", "c", "-", "-o", "x.o"], ["-E", "-"], ["-x", "c", "-", "-o", "x"]):
        results = [files.run(*compiler, *words, input=b"int main(void) { return 3; }\n", code=None) for compiler in ([CLANG], [PLUMB, "cc"])]
        check(results[0].returncode == results[1].returncode and results[0].stdout == results[1].stdout, shown(results[1]))


# --- A project with a configure script ---

PROJECT = {
    "configure": """#!/bin/sh
try() { echo "$2" > conftest.c; if $CC $3 conftest.c -o conftest 2> conftest.err; then echo "#define $1 1"; else echo "/* no $1 */"; fi; rm -f conftest*; }
{ try HAVE_STDIO '#include <stdio.h>
int main(void) { return 0; }'
try HAVE_NONSENSE '#include <nonsense.h>
int main(void) { return 0; }'
try HAVE_COS 'double cos(double); int main(int c, char **v) { return cos(c) > 2; }' -lm
try HAVE_NO_FUNCTION 'int no_such_function(void); int main(void) { return no_such_function(); }'
} > config.h
echo "CC = $CC" > config.mk
""",
    "Makefile": """include config.mk
CFLAGS = -O2 -Wall -MMD -MP -I.
all: prog
prog: main.o start.o libstat.a libshared.so
	$(CC) $(CFLAGS) -o $@ main.o start.o -L. -lstat -lshared -Wl,-rpath,'$$ORIGIN' -lm
libstat.a: one.o two.o unused.o
	ar cr $@ $^ && ranlib $@
libshared.so: shared.lo
	$(CC) -shared -o $@ $^ -Wl,-soname,libshared.so
%.lo: %.c
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<
%.o: %.S
	$(CC) $(CFLAGS) -c -o $@ $<
-include $(wildcard *.d)
""",
    "main.c": """#include <stdio.h>
#include "config.h"
int one(int); int two(int); int shared(int); int start(int);
int main(int argc, char **argv) {
#ifndef HAVE_NONSENSE
  int result = one(argc) + two(argc) * 10 + shared(argc) + start(argc);
  printf("%d %d\\n", result, argc);
  return result & 127;
#endif
}
""",
    "one.c": "static int helper(int x) { return x + 1; }\nint one(int x) { return helper(x); }\n",
    "two.c": "static int helper(int x) { return x + 2; }\nint two(int x) { return helper(x); }\n",
    "unused.c": "int never_called(int x) { return x; }\n",
    "shared.c": 'int helper(int x) { return x * 7; }\n__attribute__((visibility("default"))) int shared(int x) { return helper(x); }\n',
    "start.S": '.globl start\n.type start, @function\nstart: leal 5(%rdi), %eax\n ret\n.section .note.GNU-stack,"",@progbits\n',
}


def configured_project_builds_and_is_tested(files):
    """configure && make -j works; the program does the same natively, instrumented and interpreted; what the linker left out is not part of it."""
    outputs = []
    for name, compiler in (("plain", CLANG), ("plumb", f"{PLUMB} cc")):
        for file, content in PROJECT.items():
            files(f"{name}/{file}", content)
        work = files.path / name
        files.run("sh", "configure", cwd=work, env={**os.environ, "CC": compiler})
        made = files.run("make", "-j4", cwd=work)
        check(not made.stderr, shown(made))
        ran = files.run("./prog", cwd=work, code=None)
        outputs.append([(work / "config.h").read_text(), sorted(path.name for path in work.iterdir()), ran.returncode, ran.stdout,
                        (work / "main.d").read_text()])
    check(outputs[0] == outputs[1], f"{outputs[0]}\n{outputs[1]}")
    work = files.path / "plumb"
    again = files.run("make", cwd=work)
    check(b"Nothing to be done" in again.stdout, shown(again))
    for path in [*work.glob("*.o"), *work.glob("*.a"), *work.glob("*.lo"), *work.glob("*.c")]:
        path.unlink()
    files.path = work
    files.run(PLUMB, "test", "prog", "--out", "out", code=20)  # the executable and its library are enough; its arguments are pinned
    check(json.loads(next((work / "out/tests").iterdir()).read_text())["code"] == outputs[0][2], "it should end as natively")
    text = files.run(PLUMB, "ir", "prog", "--entry", "one").stdout.decode()
    check("one" in text and "never_called" not in text, "members that the linker left out should not be loaded")


# --- Names ---

def names_mean_what_they_mean_to_the_linker(files):
    """Static, weak, common, aliased, resolved, renamed and constructed: the first definition counts, as natively."""
    files("a.c", """
static int local = 1; static int helper(void) { return local; }
int common; __attribute__((weak)) int chosen(void) { return 100; }
__attribute__((weak)) int absent(void);
int b(void); int renamed(void) __asm__("other_name"); int aliased(void); int resolved(int); extern int constructed;
inline int inlined(int x); extern int thread_value(void);
int main(void) {
  common = 2;
  return helper() + b() + chosen() + (absent ? absent() : 4) + renamed() + aliased() + resolved(1) + constructed + thread_value();
}
""")
    files("b.c", """
static int local = 10; static int helper(void) { return local; }
extern int common; int common_of_b; int chosen(void) { return 20; }
int b(void) { return helper() + common; }
int other_name(void) { return 3; }
static int target(void) { return 5; }
int aliased(void) __attribute__((alias("target")));
static int plus(int x) { return x + 6; }
static int (*choose(void))(int) { return plus; }
int resolved(int) __attribute__((ifunc("choose")));
int constructed = 0;
__attribute__((constructor(200))) static void second(void) { constructed = constructed * 2 + 1; }
__attribute__((constructor(150))) static void first(void) { constructed += 3; }
static __thread int mine = 9; int thread_value(void) { return mine++; }
""")
    files.cc("-fcommon", "-O2", "-c", "a.c", "b.c")
    files.cc("a.o", "b.o", "-o", "prog")
    native = files.run("./prog", code=None).returncode
    result = files.run(PLUMB, "test", "prog", "--out", "out", code=None)
    check(result.returncode in (0, 20), shown(result))
    check(json.loads(next((files.path / "out/tests").iterdir()).read_text())["code"] == native, f"should be {native}\n{shown(result)}")


def shared_libraries_keep_their_own_names(files):
    """What a library does not export is its own, what the program defines too is the program's, and a library's library is followed."""
    files("deep.c", "int helper(void) { return 1; }\nint deep(void) { return helper(); }\n")
    files("lib.c", """#define SHOWN __attribute__((visibility("default")))
int helper(void) { return 10; }
int deep(void);
SHOWN int overridden(void) { return 50; }
SHOWN int lib(void) { return helper() + deep() + overridden(); }
""")
    files("deep.map", "{ global: deep; local: *; };\n")
    files("main.c", "int helper(void) { return 3; }\nint overridden(void) { return 60; }\nint lib(void);\nint main(void) { return helper() + lib(); }\n")
    (files.path / "lib").mkdir()
    files.cc("-shared", "-fPIC", "deep.c", "-Wl,--version-script=deep.map", "-o", "lib/libdeep.so")
    files.cc("-shared", "-fPIC", "-fvisibility=hidden", "lib.c", "-Llib", "-ldeep", "-Wl,-rpath,$ORIGIN", "-o", "lib/liblib.so")
    files.cc("main.c", "-Llib", "-llib", "-Wl,-rpath,$ORIGIN/lib", "-o", "prog")
    check(files.ends_as_natively("prog") == 74, "3 + 10 + 1 + 60")


def libtool_script_leads_to_its_program(files):
    """The script that libtool puts in a program's place is taken for the program."""
    files("main.c", "int main(void) { return 5; }\n")
    (files.path / ".libs").mkdir()
    files.cc("main.c", "-o", ".libs/prog")
    files("prog", "#! /bin/bash\n\n# prog - temporary wrapper script for .libs/prog\n# Generated by libtool (GNU libtool) 2.4.7\nexit 5\n").chmod(0o755)
    files.ends_as_natively("prog")


def objects_that_a_verbose_link_names_are_there_afterwards(files):
    """libtool asks for them once and names them in later commands."""
    files("a.c", "int main(void) { return 0; }\n")
    files.cc("-c", "a.c")
    said = files.run(PLUMB, "cc", "-v", "a.o", "-o", "a").stderr.decode()
    objects = [word for word in said.replace('"', " ").split() if word.endswith((".o", ".lo"))]
    check("a.o" in objects, said)
    check(all((files.path / word).exists() for word in objects), f"{objects}")


def cxx_programs_are_linked_with_their_library(files):
    """`plumb c++` makes programs of C++, also of files that are called .c; templates of several units are one."""
    files("a.cc", "#include <string>\ntemplate <class T> T twice(T x) { static int calls; ++calls; return x + x; }\n"
          "std::string b(); int main() { return static_cast<int>((twice(std::string(\"ab\")) + b()).size()); }\n")
    files("b.c", "#include <string>\ntemplate <class T> T twice(T x) { static int calls; ++calls; return x + x; }\nstd::string b() { return twice(std::string(\"c\")); }\n")
    files.run(PLUMB, "c++", "-w", "-O1", "-c", "a.cc")
    files.run(PLUMB, "c++", "-w", "-O1", "-c", "b.c")
    files.run(PLUMB, "c++", "a.o", "b.o", "-o", "prog")
    native = files.run("./prog", code=None).returncode
    result = files.run(PLUMB, "test", "prog", "--out", "out", code=None)
    check(result.returncode in (0, 20), shown(result))
    check(json.loads(next((files.path / "out/tests").iterdir()).read_text())["code"] == native == 6, shown(result))


# --- What can go wrong ---

def unit_without_bitcode_costs_a_warning(files):
    """The build goes on, and the program is linked with the unit's native code."""
    files("odd.c", "#ifdef __PLUMB__\n#error not for plumb\n#endif\nint odd(void) { return 7; }\n")
    files("main.c", "int odd(void); int main(void) { return odd(); }\n")
    made = files.run(PLUMB, "cc", "-c", "odd.c")
    check(b"odd.c: carries no bitcode" in made.stderr and b"not for plumb" in made.stderr, shown(made))
    check(not files.run(PLUMB, "cc", "-c", "odd.c", env={**os.environ, "PLUMB_CC": "quiet"}).stderr, "quiet is quiet")
    files.cc("main.c", "odd.o", "-o", "prog")
    (files.path / "odd.o").unlink()
    result = files.run(PLUMB, "test", "prog", "--out", "out", code=None)
    check(result.returncode in (0, 20), shown(result))
    check(json.loads(next((files.path / "out/tests").iterdir()).read_text())["code"] == 7, shown(result))
    made = files.run(PLUMB, "cc", "main.c", "odd.c", "-o", "prog2")
    check(b"odd.c: carries no bitcode" in made.stderr, shown(made))
    files.run(PLUMB, "test", "prog2", "--out", "out", code=20)  # what the native unit gives is pinned


def programs_without_code_are_refused(files):
    """Exit code 2 and a remedy for a program of another compiler, or one that llvm-strip has been at; GNU strip is harmless."""
    files("main.c", "int main(void) { return 5; }\n")
    files.run(CLANG, "main.c", "-o", "plain")
    for command in ("test", "run", "ir"):
        result = files.run(PLUMB, command, "plain", code=2)
        check(b"carries no bitcode" in result.stderr and b'CC="plumb cc"' in result.stderr, shown(result))
    files.cc("main.c", "-o", "prog")
    files.run("strip", "prog")
    files.ends_as_natively("prog")
    damaged = bytearray((files.path / "prog").read_bytes())
    at = damaged.index(b"BC\xc0\xde") + 100
    damaged[at] ^= 0x11
    (files.path / "damaged").write_bytes(damaged)
    check(b"damaged" in files.run(PLUMB, "test", "damaged", code=2).stderr, "damage should be told")


def variable_turns_it_off(files):
    """PLUMB_CC=off makes it a plain clang."""
    files("main.c", "int main(void) { return 5; }\n")
    files.cc("main.c", "-o", "prog", env={**os.environ, "PLUMB_CC": "off"})
    files.run(PLUMB, "test", "prog", code=2)


def optimisation_by_the_linker_is_left_out(files):
    """Objects of -flto are native ones, and carry code."""
    files("a.c", "int b(void); int main(void) { return b(); }\n")
    files("b.c", "int b(void) { return 8; }\n")
    files.cc("-O2", "-flto", "-c", "a.c", "b.c")
    files.run("ar", "rcs", "libb.a", "b.o")
    files.cc("-O2", "-flto", "a.o", "libb.a", "-o", "prog")
    files.ends_as_natively("prog")


def objects_and_archives_are_programs_too(files):
    """Objects and archives can be given themselves, together with an entry."""
    files("a.c", "int twice(int x) { return x > 5 ? 2 * x : 0; }\n")
    files.cc("-c", "a.c")
    files.run("ar", "rcs", "liba.a", "a.o")
    for file in ("a.o", "liba.a"):
        check(b"2 of 2 branches" in files.run(PLUMB, "test", file, "--entry", "twice", "--out", "out").stdout, file)


def compilation_database_needs_no_plumb_cc(files):
    """A compile_commands.json is enough, with commands as build systems write them."""
    files("src/main.c", '#include "limit.h"\nint part(int); int main(void) { return part(LIMIT); }\n')
    files("inc/limit.h", "#define LIMIT 4\n")
    files("src/part.c", "int part(int x) { return x * SCALE; }\n")
    files("compile_commands.json", json.dumps([
        {"directory": str(files.path / "src"), "file": "main.c", "command": "cc -I ../inc -O2 -MD -MF main.d -o main.o -c main.c"},
        {"directory": str(files.path), "file": "src/part.c", "arguments": ["gcc", "-DSCALE=3", "-Wall", "-flto", "-osrc/part.o", "-c", "src/part.c"]}]))
    result = files.run(PLUMB, "test", "compile_commands.json", "--out", "out", code=0)
    check(json.loads(next((files.path / "out/tests").iterdir()).read_text())["code"] == 12, shown(result))


def functions_of_optimised_code_are_there(files):
    """Inline functions without a definition elsewhere keep their body; code that is there for optimisers alone is there."""
    files("a.c", """inline int twice(int x) { return 2 * x; }
int only_without_optimiser(void);
int main(void) {
#ifdef __OPTIMIZE__
  return twice(4);
#else
  return only_without_optimiser();
#endif
}
""")
    files.cc("-O2", "a.c", "-o", "prog")
    files.ends_as_natively("prog")


def switches_of_small_functions_keep_their_cases(files):
    """clang leads a case that only breaks to where the default goes; with a function that is copied to its call such cases were lost."""
    files("cases.c", "struct two { void *a, *b; };\nstatic struct two table[2];\n"
               "static void put(int x, struct two *to) { switch (x) { case 1: *to = table[1]; break; case 2: break; case 3: break; "
               "case 8: *to = table[0]; } }\n"
               "static int one(int x) { switch (x) { case 4: return 1; } return 0; }\n"
               "int main(int argc, char **argv) { struct two q = {argv, 0}; if (argc == 2) put(argv[1][0], &q); return q.a == 0 ? 2 : one(argv[1][0]); }\n")
    files.cc("-O1", "-g", "cases.c", "-o", "cases")
    result = files.run(PLUMB, "test", "cases", "--json", "--sym-arg", "1", code=None)
    check(result.returncode in (0, 20), shown(result))
    branches = json.loads(result.stdout)["coverage"]["branches"]
    check((branches["covered"], branches["total"]) == (10, 11), shown(result))


def runs_that_need_what_the_program_lacks_count_for_nothing(files):
    """The carried code calls a function that the native program was linked without; a run that comes to it is no test."""
    files("a.c", "int lost(int);\nint main(int argc, char **argv) {\n  (void)argv;\n  if (argc <= 1) return 5;\n"
                 "#ifdef __PLUMB__\n  return lost(argc);\n#else\n  return 6;\n#endif\n}\n")
    files.cc("-O2", "a.c", "-o", "a")
    result = files.run(PLUMB, "test", "a", "--sym-args", "0", "1", "1", "--json", "--out", "out", code=20)
    found = result_object(result.stdout)
    codes = [json.loads(path.read_text())["code"] for path in (files.path / "out/tests").iterdir()]
    check(set(codes) == {5} and found["stats"]["ends"].get("missing-code", 0) > 0, f"{codes} {found['stats']['ends']}")
    check(found["coverage"]["branches"]["covered"] == 1 and not found["coverage"]["branches"]["exhaustive"], f"{found['coverage']}")


def many_at_once(files):
    """Many compilations in one directory at the same time do not disturb each other."""
    for i in range(24):
        files(f"u{i}.c", f"int u{i}(void) {{ return {i}; }}\n")
    files("main.c", "".join(f"int u{i}(void);\n" for i in range(24)) + "int main(void) { return (" + "+".join(f"u{i}()" for i in range(24)) + ") & 127; }\n")
    files("Makefile", f"prog: main.o $(patsubst %,u%.o,$(shell seq 0 23))\n\t$(CC) -o $@ $^\nCC = {PLUMB} cc\n")
    files.run("make", "-j8")
    files.ends_as_natively("prog")
    left = [path.name for path in files.path.iterdir() if "plumb-" in path.name]
    check(not left, f"{left} should not stay behind")


def help_has_an_example(files):
    """The help says what it is for; everything else goes to clang."""
    result = files.run(PLUMB, "cc", "--help")
    check(b'CC="plumb cc"' in result.stdout, shown(result))
    check(b"no input files" in files.run(PLUMB, "cc", code=1).stderr, "without arguments clang complains")


# --- For a board ---

BOARDS = {"arm-linux-gnueabihf": "qemu-arm", "aarch64-linux-gnu": "qemu-aarch64", "riscv64-linux-gnu": "qemu-riscv64", "s390x-linux-gnu": "qemu-s390x"}


def programs_for_boards_run_once_without_a_server(files):
    """A make-like build for each machine; under emulation the program does what it does natively, the exit code included."""
    files("part.c", "int part(int x) { int sum = 0; for (int i = 0; i <= x; ++i) sum += i & 1 ? i : -i; return sum; }\n")
    files("spare.c", "int spare(void) { return 1; }\n")
    files("main.c", '#include <plumb/plumb.h>\n#include <stdio.h>\nint part(int);\n'
                    'int main(int argc, char **argv) {\n  unsigned char x = 0;\n  plumb_symbolic(&x, sizeof x, "x");\n'
                    '  printf("%s %d %d\\n", argv[argc - 1], part(7), x > 3);\n  return argc;\n}\n')
    for machine, emulator in BOARDS.items():
        cc = (PLUMB, "cc", "--target", machine, "-O2", "-g")
        for unit in ("part", "spare", "main"):
            files.run(*cc, "-c", f"{unit}.c", "-o", f"{unit}-{machine}.o")
        files.run("ar", "rcs", f"lib-{machine}.a", f"part-{machine}.o", f"spare-{machine}.o")
        files.run(*cc, f"main-{machine}.o", f"lib-{machine}.a", "-Wl,--gc-sections", "-o", f"prog-{machine}")
        result = files.run(emulator, "-L", f"/usr/{machine}", f"./prog-{machine}", "word", code=2)
        check(result.stdout == b"word 4 0\n", shown(result))


def static_programs_for_boards_need_no_library(files):
    """-static holds for the instrumented program too."""
    files("a.c", '#include <stdio.h>\nint main(void) { puts("here"); return 3; }\n')
    files.run(PLUMB, "cc", "--target=arm-linux-gnueabihf", "-static", "a.c", "-o", "a")
    check(files.run("qemu-arm", "./a", code=3).stdout == b"here\n", "it prints what it prints")


def wrong_words_for_boards_are_told(files):
    """Each with exit code 2 (clang's own code for the user's own errors), the name of what is wrong, and a remedy."""
    files("a.c", "int nowhere(int); int main(int n, char **v) { return v[0] ? nowhere(n) : 0; }\n")
    files("good.c", "int main(void) { return 0; }\n")
    files("error.c", "int main(void) { return unknown; }\n")
    arm = ("--target", "arm-linux-gnueabihf")
    for words, code, told in [(("--target", "abacus-linux-gnu", "good.c"), 2, "abacus"), ((*arm, "a.c"), 2, "nowhere"),
                              ((*arm, "--plumb-entry=nine", "good.c"), 2, "--plumb-entry=FUNCTION"), ((*arm, "error.c"), 1, "unknown"),
                              ((*arm, "--plumb-nothing", "good.c"), 2, "--plumb-nothing"), ((*arm, "--plumb-checks=some", "good.c"), 2, "some"),
                              ((*arm, "--plumb-token-file=good.c", "good.c"), 2, "bare metal"), (("--plumb-arena=64K", "good.c"), 2, "--target"),
                              (("--target", "arm-none-eabi", "--plumb-linker=no-such", "good.c"), 2, "no-such"),
                              (("--target", "arm-none-eabi", "--plumb-target-program"), 2, "plumb-target")]:
        result = files.run(PLUMB, "cc", *words, "-o", "out", code=code)
        check(told in result.stderr.decode(), f"{words} should tell of {told}\n{shown(result)}")
        check("/tmp/plumb-" not in result.stderr.decode(), f"no file of ours is named\n{shown(result)}")
        check(not (files.path / "out").exists(), f"{words} should make nothing")


SCENARIOS = [same_as_clang, standard_input_is_compiled, configured_project_builds_and_is_tested, names_mean_what_they_mean_to_the_linker,
             shared_libraries_keep_their_own_names, libtool_script_leads_to_its_program, objects_that_a_verbose_link_names_are_there_afterwards,
             cxx_programs_are_linked_with_their_library,
             unit_without_bitcode_costs_a_warning, programs_without_code_are_refused, variable_turns_it_off, optimisation_by_the_linker_is_left_out,
             objects_and_archives_are_programs_too, compilation_database_needs_no_plumb_cc, functions_of_optimised_code_are_there,
             switches_of_small_functions_keep_their_cases,
             runs_that_need_what_the_program_lacks_count_for_nothing, many_at_once, help_has_an_example,
             programs_for_boards_run_once_without_a_server, static_programs_for_boards_need_no_library, wrong_words_for_boards_are_told]


if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Work))
