#!/usr/bin/env python3
"""Runs `plumb ir`, `plumb run` and `plumb doctor FILE` as a user would.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import json
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 120

HELLO = """#include <stdio.h>
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) printf("%s\\n", argv[i]);
  fprintf(stderr, "done\\n");
  return 3;
}
"""

OVERFLOW = """#include <stdlib.h>
static void fill(int *a, int n) {
  for (int i = 0; i <= n; i++)
    a[i] = i;
}
int main(void) {
  int *a = malloc(10 * sizeof(int));
  fill(a, 10);
  free(a);
  return 0;
}
"""

INPUTS = """extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  int a = __VERIFIER_nondet_int();
  unsigned char b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(a != 13);
  if (a == -3 && b == 200) reach_error();
  return a == 7 ? 7 : 0;
}
"""

VOCABULARY = """#include <klee/klee.h>
#include <plumb/plumb.h>
#include <stdio.h>

int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);

int main(void) {
  int a = 5, b = 6;
  unsigned char bytes[3] = {1, 2, 3};
  klee_make_symbolic(&a, sizeof a, "a");
  mksymbol_int(b);
  plumb_symbolic(bytes, sizeof bytes, "bytes");
  int c = __VERIFIER_nondet_int() + klee_range(-3, 4, "c") + klee_int("d");
  __VERIFIER_assume(c == 10);
  klee_assume(a < 1);
  plumb_assume(b >= 0);
  klee_assert(a == -1);
  plumb_check(bytes[0] + bytes[1] + bytes[2] == 24);
  printf("%d %d %d %d\\n", a, b, c, plumb_symbolic_range(0, 9, "e"));
  return 0;
}
"""

ENDLESS = "volatile int x; int main(void) { for (;;) x = x + 1; }\n"


def plumb(*arguments, text=None, **keywords):
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run([PLUMB, *map(str, arguments)], input=data, capture_output=True, timeout=SECONDS, **keywords)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def expect(result, code, out=None, err=()):
    shown = f"exit {result.returncode}\nstdout: {result.stdout[-3000:].decode(errors='replace')}\nstderr: {result.stderr[-3000:].decode(errors='replace')}"
    check(result.returncode == code, f"expected exit code {code}\n{shown}")
    check(out is None or result.stdout.decode(errors="replace") == out, f"expected output {out!r}\n{shown}")
    for part in [err] if isinstance(err, str) else err:
        check(part in result.stderr.decode(errors="replace"), f"expected {part!r} on standard error\n{shown}")


def expect_parts(result, code, *parts):
    expect(result, code)
    for part in parts:
        check(part in result.stdout.decode(errors="replace"), f"expected {part!r} in\n{result.stdout.decode(errors='replace')[-3000:]}")


class Files:
    """A directory with the files of one scenario."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.directory.name)

    def __call__(self, name, content=""):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def clang(self, source, name, *flags):
        subprocess.run(["clang-19", "-emit-llvm", "-c", *flags, source, "-o", self.path / name], check=True, timeout=SECONDS)
        return self.path / name


def of_other_version(bitcode, old="LLVM19", new="LLVM17"):
    """The bitcode with another version in its identification string, whose characters stand at any bit, in 8 or 6 bits each."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"
    bits = "".join(f"{byte:08b}"[::-1] for byte in bitcode)
    for encode in (lambda c: f"{alphabet.index(c):06b}"[::-1], lambda c: f"{ord(c):08b}"[::-1], lambda c: f"{ord(c):07b}"[::-1]):
        pattern, replacement = ("".join(map(encode, word)) for word in (old, new))
        if pattern in bits:
            bits = bits.replace(pattern, replacement, 1)
            return bytes(int(bits[i:i + 8][::-1], 2) for i in range(0, len(bits), 8))
    raise AssertionError("the bitcode has no identification string")


# --- Scenarios. The docstring is the claim. ---

def output_is_passed_on(files):
    """The program's output, arguments and exit code are what they are natively; plumb's own word is on standard error."""
    source = files("hello.c", HELLO)
    expect(plumb("run", source, "--arg", "one", "--arg=-two"), 0, "one\n-two\n", ["done\n", "plumb: exit code 3 after "])
    quiet = plumb("run", source, "--arg", "one", "-q")
    expect(quiet, 0, "one\n")
    check(quiet.stderr == b"done\n", quiet.stderr)


def standard_input_is_ours(files):
    """The program reads our standard input, to its end."""
    source = files("count.c", "#include <stdio.h>\nint main(void) { int n = 0, c; while ((c = getchar()) != EOF) n++; printf(\"%d\\n\", n); return 0; }\n")
    expect(plumb("run", source, text="x" * 70_000), 0, "70000\n")
    expect(plumb("run", source, text=""), 0, "0\n")


def defect_is_reported_like_by_a_sanitizer(files):
    """A fault names its kind, place, object and call stack; exit code 10."""
    source = files("overflow.c", OVERFLOW)
    expect(plumb("run", source), 10, "", ["pointer-out-of-bounds at ", "overflow.c:4:", " in fill", "#0 fill ", "#1 main ", "overflow.c:8:3",
                                          "heap object of 40 bytes", "heap object allocated here", "overflow.c:7:"])


def defect_as_json(files):
    """The JSON object has the defect with place, stack and object, and nothing else is on standard output."""
    source = files("overflow.c", OVERFLOW)
    result = plumb("run", source, "--json")
    expect(result, 10)
    found = result_object(result.stdout)
    check(found["plumb"] == "2.0" and found["command"] == "run" and found["verdict"] == "defect", found)
    (defect,) = found["defects"]
    check(defect["kind"] == "pointer-out-of-bounds" and defect["line"] == 4 and defect["function"] == "fill", defect)
    check([frame["function"] for frame in defect["stack"]] == ["fill", "main"], defect)
    check(defect["object"]["kind"] == "heap" and defect["object"]["size"] == 40, defect)
    check(found["stats"]["instructions"] > 0 and found["assumptions"] == [], found)


def deep_stack_is_cut(files):
    source = files("deep.c", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n")
    result = plumb("run", source, "--json")
    check(len(result.stdout) < 10000, "an endless recursion should be told in few words")
    defect = result_object(result.stdout)["defects"][0]
    check(defect["kind"] == "stack-overflow" and defect["stack"][-1]["function"] == "main", defect)
    check(defect["stack_left_out"]["count"] > 1000, defect)
    expect(plumb("run", source), 10, err=[" more\n", " main "])


def output_as_json(files):
    """With --json the program's output is in the object."""
    result = plumb("run", files("hello.c", HELLO), "--arg", "a", "--json", "--out", files.path / "out")
    expect(result, 0)
    found = result_object(result.stdout)
    check(found["output"] == {"stdout": "a\n", "stderr": "done\n"} and found["exit_code"] == 3, found)
    check(found["verdict"] == "no-defect", found)
    check(json.loads((files.path / "out" / "result.json").read_text()) == found, "result.json is the same object")


def inputs_from_a_test(files):
    """Inputs come from the test, in order; what is missing is 0 and said; an assumption that fails is no verdict."""
    source = files("inputs.c", INPUTS)
    expect(plumb("run", source), 0, "", ["2 inputs without a test were taken as 0", "exit code 0"])
    short = files("short.json", '{"inputs": [7]}')
    expect(plumb("run", source, "--input", short), 0, "", ["1 input beyond the test", "exit code 7"])
    failing = files("failing.json", '{"inputs": [{"name": "int", "bytes": "fdffffff", "value": -3}, {"name": "unsigned char", "value": 200, "width": 8}]}')
    expect(plumb("run", source, "--input", failing), 10, "", ["error-reached at ", "inputs.c:9:"])
    outside = files("outside.json", '{"inputs": [13, 0]}')
    expect(plumb("run", source, "--input", outside), 20, "", "the input does not satisfy an assumption")
    broken = files("broken.json", '{"inputs": [\n {"bytes": "0g"}]}')
    expect(plumb("run", source, "--input", broken), 2, "", ["broken.json:2:2: error: ", "hexadecimal"])
    expect(plumb("run", source, "--input", files.path / "none.json"), 2, "", "none.json")


def vocabulary_of_other_verifiers(files):
    source = files("words.c", VOCABULARY)
    test = files("test.json", json.dumps({"inputs": [-1, 6, {"name": "bytes", "bytes": "070809"}, 7, 2, 1, 3]}))
    expect(plumb("run", source, "--input", test), 0, "-1 6 10 3\n")
    expect(plumb("run", source, "--input", files("bad.json", '{"inputs": [-2, 6, 0, 7, 2, 1, 3]}')), 10, err="a == -1")
    expect(plumb("run", source, "--input", files("out.json", '{"inputs": [-1, 6, 0, 7, 9, 1, 3]}')), 20, err="assumption")
    expect(plumb("run", files("entry.c", "int f(int a, char b) { return a - b; }\n"), "--entry", "f", "--input",
                 files("two.json", '{"inputs": [50, 8]}')), 0, err="exit code 42")


def directory_of_tests(files):
    """A directory of tests gives a line each and a summary; the worst one decides the exit code."""
    source = files("inputs.c", INPUTS)
    for name, inputs in (("1", "[7, 1]"), ("2", "[-3, 200]"), ("3", "[13, 0]")):
        files(f"tests/{name}.json", f'{{"inputs": {inputs}}}')
    result = plumb("run", source, "--input", files.path / "tests")
    expect_parts(result, 10, "1.json: exit code 7\n", "2.json: error-reached at ", "3.json: the input does not satisfy",
                 "3 of 3 tests run: 1 without a defect, 1 with one, 1 unknown\n")
    found = result_object(plumb("run", source, "--input", files.path / "tests", "--json").stdout)
    check([r["verdict"] for r in found["results"]] == ["no-defect", "defect", "unknown"], found)
    check(found["defects"][0]["test"].endswith("2.json"), found)
    (files.path / "nothing").mkdir()
    expect(plumb("run", source, "--input", files.path / "nothing"), 2, "", "has no tests")


def inputs_can_be_replayed(files):
    """The inputs of a run, as --out writes them, are a test that runs the same way."""
    source = files("inputs.c", INPUTS)
    test = files("t.json", '{"inputs": [7, 255]}')
    expect(plumb("run", source, "--input", test, "--out", files.path / "out"), 0)
    again = plumb("run", source, "--input", files.path / "out" / "inputs.json", "--json")
    found = result_object(again.stdout)
    check(found["exit_code"] == 7 and found["assumptions"] == [], found)


def undefined_function(files):
    """A function without a body is unknown by default, named; nondet takes inputs and says so."""
    source = files("u.c", "int frobnicate(int);\nint main(void) {\n  return frobnicate(1);\n}\n")
    expect(plumb("run", source), 20, "", ["frobnicate", "u.c:3:10"])
    result = plumb("run", source, "--undefined", "nondet")
    expect(result, 0, "", ["exit code 0", "frobnicate"])
    native = files("n.c", "int toascii(int);\nint main(void) { return toascii(200) != 72; }\n")
    expect(plumb("run", native, "--undefined", "native"), 0, "", ["exit code 0"])
    expect(plumb("run", source, "--undefined", "maybe"), 2, "")


def many_files_and_flags(files):
    """Several files, -I, -D, -std, -O, flags after --, --m32 and another entry all reach the compiler."""
    files("include/h.h", "int f(int);\n")
    main = files("main.c", "#include <h.h>\n#ifndef EXTRA\n#error no EXTRA\n#endif\nint main(void) { return f(X) + (int)sizeof(void *); }\n")
    other = files("f.c", "int f(int x) { return x + (__STDC_VERSION__ == 199901L); }\nint start(void) { return 9; }\n")
    flags = [main, other, "-I", files.path / "include", "-DX=20", "-std=c99", "--", "-DEXTRA"]
    expect(plumb("run", *flags), 0, "", "exit code 29 ")
    expect(plumb("run", "--m32", *flags), 0, "", "exit code 25 ")
    expect(plumb("run", "-O2", *flags), 0, "", "exit code 29 ")
    expect(plumb("run", "--entry", "start", *flags), 0, "", "exit code 9 ")


def compile_commands(files):
    """A compile_commands.json is a program."""
    files("a.c", "int f(void); int main(void) { return f() + X; }\n")
    files("b.c", "int f(void) { return 1; }\n")
    commands = files("compile_commands.json", json.dumps([
        {"directory": str(files.path), "command": "gcc -O2 -DX=4 -MD -c a.c -o a.o", "file": "a.c"},
        {"directory": str(files.path), "arguments": ["gcc", "-c", "b.c", "-o", "b.o"], "file": "b.c"}]))
    expect(plumb("run", commands), 0, "", "exit code 5 ")


def bitcode_and_assembly(files):
    """Bitcode and LLVM assembly are programs too, alone and together with C."""
    main = files("main.c", "int f(void); int main(void) { return f(); }\n")
    other = files("f.c", "int f(void) { return 6; }\n")
    expect(plumb("run", files.clang(main, "main.bc"), files.clang(other, "f.ll", "-S")), 0, "", "exit code 6 ")
    expect(plumb("run", main, files.clang(other, "f32.bc", "-m32")), 0, "", "exit code 6 ")


def bad_input(files):
    """Whatever is not a program ends with a located message and exit code 2, for each command."""
    good = files("good.c", "int main(void) { return 0; }\n")
    bitcode = files.clang(good, "good.bc", "-g").read_bytes()
    cases = [
        ([files.path / "missing.c"], ["missing.c: error: there is no such file"]),
        ([files("bad.c", "hello, I am no program\n")], ["bad.c:1:1: error: ", "type specifier missing"]),
        ([files("garbage.c", bytes((i * 7919) % 256 for i in range(50_000)))], ["garbage.c:", "error: "]),
        ([files("picture.png", "PNG")], ["picture.png: error: this kind of file is not known", ".c, .i, .cpp"]),
        ([files("empty.c")], ["empty.c: error: the file is empty"]),
        ([files("empty.bc")], ["empty.bc: error: the file is empty"]),
        ([files.path], [f"{files.path}: error: this is a directory"]),
        ([files("half.bc", bitcode[:len(bitcode) // 2])], ["half.bc: error: the bitcode is damaged or cut off"]),
        ([files("text.bc", "no bitcode")], ["text.bc: error: this is not LLVM bitcode"]),
        ([files("other.bc", of_other_version(bitcode))], ["other.bc: error: ", "made by LLVM 17.", "reads LLVM 19.", "hint: compile it again with clang-19"]),
        ([files("newer.bc", of_other_version(bitcode, new="LLVM21"))], ["newer.bc: error: ", "made by LLVM 21."]),
        ([files("bad.ll", "define i32 @main() {\n  ret i33 0\n}\n")], ["bad.ll:2:7: error: "]),
        ([good, files("again.c", "\nint main(void) { return 1; }\n")], ["again.c:2: error: 'main' is defined twice", "good.c:1"]),
        ([files("bad.json", "[{]")], ["bad.json:1:3: error: "]),
        ([files.clang(good, "arm.bc", "--target=aarch64-linux-gnu")], ["arm.bc: error: ", "aarch64"]),
        ([good, files.clang(good, "m32.bc", "-m32"), "--m64"], ["m32.bc: error: this is 32-bit code"]),
    ]
    for arguments, parts in cases:
        for command in ("run", "ir", "doctor"):
            expect(plumb(command, *arguments), 2, "", parts)
    for command in ("run", "doctor"):
        expect(plumb(command, files("none.c", "int start(void) { return 0; }\n")), 2, "", ["none.c: error: there is no function 'main'", "--entry", "start"])
    result = plumb("run", files.path / "missing.c", "--json")
    expect(result, 2)
    check(result_object(result.stdout)["error"]["message"] == "there is no such file", result.stdout)
    expect(plumb("run"), 2, "")
    expect(plumb("ir", good, "--function", "mian"), 2, "", ["there is no function 'mian'", "main"])


def warnings_only_when_asked_for(files):
    """Warnings of the compiler show with -v alone."""
    source = files("w.c", "int main(void) { int unused; return 0; }\n")
    check(b"warning" not in plumb("run", source, "--", "-Wall").stderr, "no warning by default")
    expect(plumb("run", source, "-v", "--", "-Wall"), 0, "", "-Wunused-variable")


def program_as_text(files):
    """ir shows blocks and source lines; --function one function alone."""
    source = files("f.c", "int g(int x) {\n  return x * 2;\n}\nint main(void) { return g(4); }\n")
    result = plumb("ir", source)
    expect_parts(result, 0, "main", "mul", "return", "f.c")
    one = plumb("ir", source, "--function", "g")
    expect_parts(one, 0, "mul")
    check(b"main" not in one.stdout, one.stdout)
    found = result_object(plumb("ir", source, "--json").stdout)
    check(found["text"] == result.stdout.decode() and found["verdict"] == "complete", found)


def program_as_graph(files):
    """--dot writes Graphviz."""
    source = files("f.c", "int f(int x) { if (x > 3) x = 1; else x = 2; return x; }\n")
    result = plumb("ir", source, "--function", "f", "--dot")
    expect_parts(result, 0, "digraph")
    found = result_object(plumb("ir", source, "--dot", "--json").stdout)
    check("digraph" in found["dot"], found)


def statistics(files):
    """--stats counts functions, blocks, instructions and governors, in text and as JSON alike."""
    source = files("f.c", "int f(int x) { int y; if (x > 3) y = 1; else y = 2; return y; }\nint main(void) { return f(4); }\n")
    expect_parts(plumb("ir", source, "--stats"), 0, "functions ", "blocks ", "instructions_branch", "governors ", "load_seconds")
    stats = result_object(plumb("ir", source, "--stats", "--json").stdout)["stats"]
    check(stats["functions"] == 2 and stats["instructions_branch"] == 1 and stats["unsupported"] == 0, stats)
    check(stats["blocks"] >= 5 and stats["load_seconds"] > 0, stats)
    check(4 <= stats["blocks_of_largest_function"] < stats["blocks"], stats)
    check(0 < stats["governors_seconds_at_worst"] < stats["governors_seconds"], stats)


def unsupported_is_listed(files):
    """--unsupported lists each construct with its place, exit code 20; without one exit code 0. The rest still runs."""
    source = files("asm.c", "int main(int argc, char **argv) {\n  if (argc > 1)\n    __asm__ volatile(\"hlt\");\n  return 4;\n}\n")
    result = plumb("ir", source, "--unsupported")
    expect_parts(result, 20, "asm.c:3:5: ", "(in main)")
    found = result_object(plumb("ir", source, "--unsupported", "--json").stdout)
    check(found["verdict"] == "incomplete" and found["results"][0]["line"] == 3, found)
    expect(plumb("run", source), 0, "", "exit code 4 ")
    expect(plumb("run", source, "--arg", "x"), 20, "", ["cannot go on", "asm.c:3:5"])
    expect(plumb("ir", files("good.c", "int main(void) { return 0; }\n"), "--unsupported"), 0, "Everything is supported.\n")


def forecast(files):
    """doctor FILE says what is missing, unbounded, recursive, floating, indirect, and where input comes in."""
    source = files("d.c", """#include <stdio.h>
int missing(int);
int depth(int n) { return n ? depth(n - 1) + 1 : 0; }
double half(double x) { return x / 2; }
int unused(void) { return 1; }
int (*pointer)(int) = depth;
int main(int argc, char **argv) {
  char line[20];
  int sum = 0;
  for (int i = 0; i < 10; i++) sum += i;
  while (sum > argc) sum -= argc;
  if (fgets(line, 20, stdin)) sum++;
  if (sum == 77) missing(1);
  return pointer(sum) + (int)half(3);
}
""")
    result = plumb("doctor", source)
    expect_parts(result, 20, "Functions that are missing: 1", f"{source}:13:18: missing (in main)", "Loops without a constant bound: 1", "d.c:11:",
                 "Recursion: 1", "depth", "Calls through pointers: 1", "Floating point: 2", "fgets", "parameters of main")
    found = result_object(plumb("doctor", source, "--json").stdout)
    kinds = {r["kind"] for r in found["results"]}
    check(kinds >= {"missing-function", "unbounded-loop", "recursion", "indirect-call", "floating-point", "input"}, kinds)
    check(found["stats"]["unused_functions"] == 1, found["stats"])
    clear = plumb("doctor", files("clear.c", "int main(void) { int s = 0; for (int i = 0; i < 4; i++) s += i; return s; }\n"))
    expect_parts(clear, 0, "Nothing is missing and everything is supported.")


def time_limit(files):
    """A timeout ends an endless program with exit code 20 and a reason; so does a limit on instructions."""
    source = files("endless.c", ENDLESS)
    start = time.monotonic()
    expect(plumb("run", source, "--timeout", "1s"), 20, "", "out of time")
    check(time.monotonic() - start < 10, "it took too long")
    expect(plumb("run", source, "--max-instructions", "10000"), 20, "", "stopped: ")


def interrupt(files):
    """Ctrl-C and SIGTERM end an endless program within a second, with exit code 130; also one that waits for input."""
    endless = files("endless.c", ENDLESS)
    waiting = files("waiting.c", "#include <stdio.h>\nint main(void) { return getchar(); }\n")
    for source, signal_number in ((endless, signal.SIGINT), (endless, signal.SIGTERM), (waiting, signal.SIGINT)):
        process = subprocess.Popen([PLUMB, "run", str(source)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2)
        start = time.monotonic()
        process.send_signal(signal_number)
        code = process.wait(timeout=SECONDS)
        check(code == 130, f"exit code {code}")
        check(time.monotonic() - start < 3, "it took too long")
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def files_are_copies(files):
    """What the program writes is gone after the run, and the user's file as it was; with --files real it is written."""
    kept = files("kept.txt", "one\n")
    source = files("append.c", f"""#include <stdio.h>
int main(void) {{
  FILE *f = fopen("{kept}", "a");
  fputs("two\\n", f);
  fclose(f);
  f = fopen("{kept}", "r");
  for (int c; (c = fgetc(f)) != EOF;) putchar(c);
  return fclose(f);
}}
""")
    for _ in range(2):
        expect(plumb("run", source), 0, "one\ntwo\n")
        check(kept.read_text() == "one\n", f"kept.txt is now {kept.read_text()!r}")
    expect(plumb("run", source, "--files", "real"), 0, "one\ntwo\n")
    check(kept.read_text() == "one\ntwo\n", f"kept.txt is now {kept.read_text()!r}")


def closed_pipe(files):
    """A reader that goes away ends the run quietly."""
    source = files("yes.c", "#include <stdio.h>\nint main(void) { for (;;) puts(\"yes\"); }\n")
    process = subprocess.Popen([PLUMB, "run", str(source)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.readline()
    process.stdout.close()
    code = process.wait(timeout=SECONDS)
    check(code == 141, f"exit code {code}")
    check(process.stderr.read() == b"", "standard error should be empty")
    process.stderr.close()


def help_has_an_example(files):
    """--help of each command shows an example and the exit codes."""
    for command in ("ir", "run", "doctor"):
        expect_parts(plumb(command, "--help"), 0, "Example", f"plumb {command} ", "xit code")


def no_files_stay_behind(files):
    """Temporary files are gone after good runs, bad ones and interrupted ones."""
    good = files("good.c", "int main(void) { return 0; }\n")
    bad = files("bad.c", "int main(\n")
    (files.path / "tmp").mkdir()
    environment = {"PATH": "/usr/bin:/bin", "TMPDIR": str(files.path / "tmp")}
    expect(plumb("run", good, env=environment), 0)
    expect(plumb("run", bad, env=environment), 2)
    check(list((files.path / "tmp").iterdir()) == [], "nothing should be left in the temporary directory")


def header_of_ours(files):
    """<plumb/plumb.h> is found without any flag, and its functions mean something."""
    source = files("h.c", """#include <plumb/plumb.h>
int main(void) {
  int x = 0;
  plumb_symbolic(&x, sizeof x, "x");
  plumb_assume(x != 5);
  plumb_check(x < 100);
  return x;
}
""")
    expect(plumb("run", source, "--input", files("a.json", '{"inputs": [42]}')), 0, "", "exit code 42 ")
    expect(plumb("run", source, "--input", files("b.json", '{"inputs": [100]}')), 10, "", ["assertion at ", "h.c:6:"])
    expect(plumb("run", source, "--input", files("c.json", '{"inputs": [5]}')), 20, "", "assumption")


SCENARIOS = [output_is_passed_on, standard_input_is_ours, defect_is_reported_like_by_a_sanitizer, defect_as_json, deep_stack_is_cut, output_as_json, inputs_from_a_test, vocabulary_of_other_verifiers,
             directory_of_tests, inputs_can_be_replayed, undefined_function, many_files_and_flags, compile_commands, bitcode_and_assembly, bad_input,
             warnings_only_when_asked_for, program_as_text, program_as_graph, statistics, unsupported_is_listed, forecast, time_limit, interrupt,
             files_are_copies, closed_pipe, help_has_an_example, no_files_stay_behind, header_of_ours]


def main():
    words = sys.argv[2:]
    failed = 0
    for scenario in SCENARIOS:
        if words and not any(word in scenario.__name__ for word in words):
            continue
        try:
            scenario(Files())
            print(f"{scenario.__name__}: passed", flush=True)
        except (AssertionError, subprocess.SubprocessError, ValueError, KeyError) as error:
            failed += 1
            print(f"{scenario.__name__}: FAILED\n{error}\n", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
