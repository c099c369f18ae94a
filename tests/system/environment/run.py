#!/usr/bin/env python3
"""Programs with a symbolic environment: each reads in one way and ends with an exit code for each of its branches, some
of which only the right meaning of the data finds. `plumb test` must find all of them, and every test must end in the
same way when the program, compiled by itself, is started as the test says.

    run.py PLUMB            all programs
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 120

HEAD = r"""#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
static int judge(const unsigned char* p, long n) {
  if (n == 0) return 1;
  if (n < 4) return 2;
  if (p[0] == 'P' && p[1] == 'K') {
    if (p[2] == p[3] + 7) return 4;
    return 3;
  }
  return 0;
}
#define IF(condition, code) if (condition) return code
static unsigned char b[4096];
"""
FILE = ["--sym-files", "1", "4"]
STDIN = ["--sym-stdin", "4"]
JUDGED = {0, 1, 2, 3, 4}

# name: (code, options, exit codes that tests must reach)
PROGRAMS = {
    "read": ("int main(void) { int d = open(\"A\", O_RDONLY); return judge(b, read(d, b, sizeof b)); }", FILE, JUDGED),
    "read_exactly": ("int main(void) { int d = open(\"A\", O_RDONLY); long n = 0, r; while (n < 4 && (r = read(d, b + n, 1)) > 0) n += r;"
                     " return judge(b, n); }", FILE, JUDGED),
    "pread": ("int main(void) { int d = open(\"A\", O_RDONLY); long n = pread(d, b + 2, 2, 2); if (n < 2) return 2;"
              " if (pread(d, b, 2, 0) != 2) return 9; return judge(b, 4); }", FILE, {0, 2, 3, 4}),
    "readv": ("int main(void) { int d = open(\"A\", O_RDONLY); struct iovec v[2] = {{b, 3}, {b + 3, 100}};"
              " return judge(b, readv(d, v, 2)); }", FILE, JUDGED),
    "lseek": ("int main(void) { int d = open(\"A\", O_RDONLY); long n = lseek(d, 0, SEEK_END); lseek(d, 0, SEEK_SET);"
              " if (read(d, b, n) != n) return 9; return judge(b, n); }", FILE, JUDGED),
    "fstat": ("int main(void) { int d = open(\"A\", O_RDONLY); struct stat s; fstat(d, &s);"
              " if (read(d, b, s.st_size) != s.st_size) return 9; return judge(b, s.st_size); }", FILE, JUDGED),
    "mmap": ("int main(void) { int d = open(\"A\", O_RDONLY); struct stat s; fstat(d, &s); if (s.st_size == 0) return 1;"
             " unsigned char* p = mmap(0, s.st_size, PROT_READ, MAP_PRIVATE, d, 0); return judge(p, s.st_size); }", FILE, JUDGED),
    "fread": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); return judge(b, fread(b, 1, sizeof b, f)); }", FILE, JUDGED),
    "fread_items": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); return judge(b, 2 * fread(b, 2, 2, f)); }", FILE, JUDGED),
    "fgets": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); char l[9]; if (!fgets(l, 9, f)) return 1;"
              " if (strcmp(l, \"hi\\n\") == 0) { IF(fgets(l, 9, f) && l[0] == '!', 3); return 2; } return 0; }", FILE, {0, 1, 2, 3}),
    "getc": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); int c, n = 0; while ((c = getc(f)) != EOF) b[n++] = c; return judge(b, n); }",
             FILE, JUDGED),
    "getc_unlocked": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); int c, n = 0; while ((c = getc_unlocked(f)) != EOF) {"
                      " if (c == 'q') { puts(\"q\"); exit(3); } ++n; } if (n == 2) { puts(\"two\"); exit(2); } return 0; }",
                      FILE + ["-O", "1"], {0, 2, 3}),
    "unbuffered": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); setvbuf(f, 0, _IONBF, 0); int c, n = 0; while ((c = getc(f)) != EOF) b[n++] = c;"
                   " return judge(b, n); }", FILE, JUDGED),
    "ungetc": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); int c = getc(f); if (c == EOF) return 1; ungetc(c, f);"
               " int e = getc(f); if (e != c) return 9; ungetc('q', f); if (getc(f) != 'q') return 9; int g = getc(f);"
               " if (e == 'z' && g == 'y') return 3; return 0; }", FILE, {0, 1, 3}),
    "getline": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); char* l = 0; size_t z = 0; long n = getline(&l, &z, f); if (n < 0) return 1;"
                " if (n == 3 && l[2] == '\\n' && l[0] == 'o') { IF(getline(&l, &z, f) == 1, 3); return 2; } return 0; }", FILE, {0, 1, 2, 3}),
    "getdelim": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); char* l = 0; size_t z = 0; long n = getdelim(&l, &z, ';', f);"
                 " IF(n < 0, 1); IF(n == 2 && l[0] == 'k', 3); return 0; }", FILE, {0, 1, 3}),
    "fseek": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); fseek(f, 0, SEEK_END); long n = ftell(f); rewind(f);"
              " if (fread(b, 1, n, f) != (size_t)n) return 9; return judge(b, n); }", FILE, JUDGED),
    "stdin_getchar": ("int main(void) { int c, n = 0; while ((c = getchar()) != EOF) b[n++] = c; return judge(b, n); }", STDIN, JUDGED),
    "stdin_dup": ("int main(void) { int d = dup(0); close(0); return judge(b, read(d, b, 100)); }", STDIN, JUDGED),
    "dev_stdin": ("int main(void) { FILE* f = fopen(\"/dev/stdin\", \"r\"); return judge(b, fread(b, 1, 100, f)); }", STDIN, JUDGED),
    "stdin_fdopen": ("int main(void) { FILE* f = fdopen(0, \"r\"); return judge(b, fread(b, 1, 100, f)); }", STDIN, JUDGED),
    "freopen": ("int main(void) { if (!freopen(\"A\", \"r\", stdin)) return 9; return judge(b, fread(b, 1, 100, stdin)); }", FILE, JUDGED),
    "arguments": ("int main(int c, char** v) { if (c == 1) return 1; if (c == 3 && strcmp(v[1], \"-x\") == 0 && v[2][0] == 'y' && !v[2][1]) return 3;"
                  " IF(strlen(v[1]) == 2, 2); return 0; }", ["--sym-args", "0", "2", "2"], {0, 1, 2, 3}),
    "plain_arguments": ("int main(int c, char** v) { if (c != 4 || strcmp(v[1], \"-n\") || strcmp(v[3], \"\")) return 9;"
                        " IF(atoi(v[2]) == 42, 3); return 0; }", ["--arg", "-n", "--sym-arg", "3", "--arg", ""], {0, 3}),
    "file_by_argument": ("int main(int c, char** v) { if (c < 2) return 9; int d = open(v[1], O_RDONLY); if (d < 0) return 5;"
                         " return judge(b, read(d, b, 100)); }", ["--sym-arg", "2"] + FILE, JUDGED | {5}),
    "two_files": ("int main(void) { FILE* f = fopen(\"A\", \"r\"); FILE* g = fopen(\"B\", \"r\"); int x = getc(f), y = getc(g);"
                  " if (x == EOF || y == EOF) { IF(x == y, 1); return 2; } IF(x == y + 1, 3); return 0; }", ["--sym-files", "2", "1"], {0, 1, 2, 3}),
    "getenv": ("int main(void) { char* e = getenv(\"MODE\"); if (!e) return 9; if (!*e) return 1; IF(strcmp(e, \"on\") == 0, 3); return 0; }",
               ["--sym-env", "MODE", "3"], {0, 1, 3}),
    "written_file": ("int main(void) { FILE* f = fopen(\"A\", \"w\"); fputs(\"hey\", f); fclose(f); f = fopen(\"A\", \"r\");"
                     " IF(getc(f) == 'h', 3); return 9; }", FILE, {3}),
    "own_inputs_too": ("#include <plumb/plumb.h>\nint main(void) { int x = plumb_symbolic_int(\"x\"); int c = getchar(); IF(c == 'a' && x == 77, 3); return 0; }",
                       STDIN, {0, 3}),
    "m32": ("int main(int c, char** v) { FILE* f = fopen(\"A\", \"r\"); int n = fread(b, 1, 100, f); IF(c == 2 && v[1][0] == 'k', 7); return judge(b, n); }",
            FILE + ["--sym-arg", "1", "-m32"], JUDGED | {7}),
}


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def plumb(*arguments):
    return subprocess.run([PLUMB, "test", *map(str, arguments)], capture_output=True, timeout=SECONDS, start_new_session=True)


def tests_of(directory):
    return [json.loads(path.read_text()) for path in sorted((directory / "tests").glob("*.json"))]


def text_of(value):
    return value.encode() if isinstance(value, str) else bytes.fromhex(value["bytes"])


def run_as(test, executable, directory):
    """The program by itself, started as the test says; gives its exit code."""
    environment = test.get("environment", {})
    with tempfile.TemporaryDirectory(dir=directory) as scratch:
        for file in environment.get("files", []):
            (pathlib.Path(scratch) / file["name"]).write_bytes(bytes.fromhex(file["bytes"]))
        variables = {name.encode(): text_of(value) for name, value in environment.get("variables", {}).items()}
        with tempfile.TemporaryFile(dir=directory) as stdin:
            stdin.write(bytes.fromhex(environment.get("stdin", "")))
            stdin.seek(0)
            arguments = [text_of(argument) for argument in environment.get("arguments", [])]
            return subprocess.run([bytes(executable), *arguments], cwd=scratch, env=variables, stdin=stdin, capture_output=True,
                                  timeout=SECONDS).returncode


def check_program(name, directory):
    code, options, wanted = PROGRAMS[name]
    source = directory / "program.c"
    source.write_text(HEAD + code + "\n")
    out = directory / "out"
    result = plumb(source, *options, "--timeout", "30s", "--out", out, "--until", "all-branches")
    check(result.returncode in (0, 20), f"exit code {result.returncode}: {result.stderr.decode()}")
    tests = tests_of(out)
    found = {test["code"] for test in tests if test["end"] == "exit"}
    check(wanted <= found, f"exit codes {sorted(wanted - found)} are not reached: {result.stdout.decode()}")
    check(9 not in found, f"a test claims what cannot be: {[t for t in tests if t['code'] == 9]}")
    if "plumb.h" in code:
        return
    executable = directory / "program"
    word_size = ["-m32"] if "-m32" in options else []
    subprocess.run(["clang-19", "-w", *word_size, source, "-o", executable], check=True)
    for test in tests:
        code = run_as(test, executable, directory)
        check(test["end"] != "exit" or code == test["code"], f"the program ends with {code} on {test}")


FAILING = HEAD + r"""#include <assert.h>
int main(void) {
  int d = open("A", O_RDONLY);
  if (d < 0) return 1;
  long n = read(d, b, 4);
  if (n < 0) return 2;
  if (n == 2 && read(d, b + 2, 2) == 2) { assert(b[0] != 'e' || b[3] != 'f'); return 3; }
  if (close(d) != 0) return 4;
  FILE* f = fopen("A", "r");
  if (!f) return 5;
  if (fread(b, 1, 4, f) < 4 && ferror(f)) return 6;
  if (fclose(f) != 0) return 7;
  return 0;
}
"""


def scenario_failing_calls(directory):
    """Every failure of a call is found, and the error that needs one is confirmed without instrumentation."""
    source = directory / "failing.c"
    source.write_text(FAILING)
    out = directory / "out"
    result = plumb(source, *FILE, "--fail-io", "1", "--timeout", "30s", "--out", out, "--until", "time", "--json")
    check(result.returncode == 10, f"exit code {result.returncode}: {result.stderr.decode()}")
    report = result_object(result.stdout)
    check([defect["kind"] for defect in report["defects"]] == ["assertion"], report["defects"])
    found = {test["code"] for test in tests_of(out) if test["end"] == "exit"}
    check({0, 1, 2, 3, 4, 5, 6, 7} <= found, f"found only {sorted(found)}")
    without = plumb(source, *FILE, "--timeout", "10s", "--out", out)
    codes = {test["code"] for test in tests_of(out) if test["end"] == "exit"}
    check(without.returncode != 10 and not codes & {1, 4, 5, 6, 7}, f"calls fail that nobody asked for: {codes}")


def scenario_sent_signals(directory):
    """A signal that a program sends itself is no defect, a crash with the same signal is one."""
    source = directory / "signals.c"
    source.write_text(HEAD + "#include <signal.h>\nint main(int c, char** v) { if (v[1][0] == 'k') kill(getpid(), SIGBUS); if (v[1][0] == 'a') raise(SIGFPE);\n"
                      " if (v[1][0] == 'm') *(volatile int*)8 = 1;\n return 0; }\n")
    result = plumb(source, "--sym-arg", "1", "--timeout", "30s", "--out", directory / "out", "--json")
    check(result.returncode == 10, f"exit code {result.returncode}: {result.stderr.decode()}")
    lines = [defect["line"] for defect in result_object(result.stdout)["defects"]]
    wanted = source.read_text().splitlines().index(" if (v[1][0] == 'm') *(volatile int*)8 = 1;") + 1
    check(lines == [wanted], f"defects at lines {lines}, expected {wanted}")


def scenario_seeds(directory):
    """A seed is run first, larger ones make room, and a corpus is read whole."""
    source = directory / "seeds.c"
    source.write_text(HEAD + 'int main(void) { long n = fread(b, 1, 64, stdin); return n == 9 && !memcmp(b, "signature", 9) ? 3 : 0; }\n')
    corpus = directory / "corpus"
    corpus.mkdir()
    (corpus / "one").write_bytes(b"x")
    (corpus / "two").write_bytes(b"signature")
    out = directory / "out"
    for options in (["--seed-input", corpus / "two"], ["--corpus", corpus]):
        result = plumb(source, "--sym-stdin", "4", *options, "--timeout", "20s", "--out", out)
        check(result.returncode in (0, 20), result.stderr.decode())
        check(any(test["code"] == 3 and bytes.fromhex(test["environment"]["stdin"]) == b"signature" for test in tests_of(out)), "the seed is not a test")
        check("9 bytes" in result.stderr.decode() + result.stdout.decode(), "nothing says that standard input has grown")


def scenario_bad_options(directory):
    """What cannot be is refused with exit code 2 before anything is built."""
    source = directory / "bad.c"
    source.write_text("int main(void) { return 0; }\n")
    for options, word in ((["--sym-args", "3", "2", "1"], "MIN"), (["--sym-args", "1", "x", "1"], "number"), (["--sym-arg", "9999"], "number"),
                          (["--sym-files", "27", "1"], "26"), (["--sym-env", "A=B", "1"], "name"), (["--sym-stdin", "0"], "--sym-stdin"),
                          (["--seed-input", source], "seeds"), (["--corpus", "/nowhere", "--sym-stdin", "1"], "/nowhere"),
                          (["--fail-io", "-1"], "--fail-io"), (["--sym-env", "FOO"], "2 words"), (["--sym-args", "1", "2"], "3 words")):
        result = plumb(source, *options, "--out", directory / "out")
        check(result.returncode == 2, f"{options}: exit code {result.returncode}")
        check(word in result.stderr.decode(), f"{options}: {result.stderr.decode()}")
        check(not (directory / "out" / "tests").exists(), f"{options}: something was written")


def main():
    words = sys.argv[2:]
    scenarios = {f"program_{name}": (lambda directory, name=name: check_program(name, directory)) for name in PROGRAMS}
    scenarios |= {name.removeprefix("scenario_"): each for name, each in globals().items() if name.startswith("scenario_")}
    failures = 0
    for name, scenario in scenarios.items():
        if words and not any(word in name for word in words):
            continue
        with tempfile.TemporaryDirectory() as directory:
            try:
                scenario(pathlib.Path(directory))
                print(f"ok    {name}", flush=True)
            except (AssertionError, KeyError, subprocess.SubprocessError) as problem:
                failures += 1
                print(f"FAIL  {name}: {problem}", flush=True)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
