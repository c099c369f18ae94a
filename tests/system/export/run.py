#!/usr/bin/env python3
"""Runs `plumb export` as a user would, and reads what it writes with other readers: a reader of .ktest of our own written
from the format's description, Python's zipfile, xmllint with the DTDs, gcc.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent))
import ktest_reader  # noqa: E402
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402

STRICT = ["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]

VERIFIER = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  double d = __VERIFIER_nondet_double();
  __VERIFIER_assume(x > -1000);
  if (x == 77 && c > 200) reach_error();
  if (d > 1.5) return 2;
  if (__VERIFIER_nondet_bool()) return 3;
  return x < 0 ? 4 : 5;
}
"""

NAMED = """#include <assert.h>
#include <plumb/plumb.h>
int main(void) {
  int speed = plumb_symbolic_int("speed");
  char mode[3];
  plumb_symbolic(mode, sizeof mode, "mode \\"&<\\"");
  if (speed < 0) return 1;
  if (mode[0] == 'x') assert(speed < 4000);
  if (mode[2] == '\\n') return 3;
}
"""

# Says what it was started with in its exit code.
ENVIRONMENT = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  FILE *a = fopen("A", "rb");
  int sum = argc, c;
  const char *colour = getenv("COLOUR");
  for (int i = 1; i < argc; i++)
    for (const char *s = argv[i]; *s; s++) sum = sum * 3 + (unsigned char)*s;
  while ((c = getchar()) != EOF) sum = sum * 5 + c;
  if (a)
    while ((c = getc(a)) != EOF) sum = sum * 7 + c;
  if (colour) sum = sum * 11 + (int)strlen(colour);
  return sum & 127;
}
"""


def plumb(*arguments, **keywords):
    return subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, timeout=SECONDS, **keywords)


class Work(Files):
    def test(self, source, *options, codes=(0, 10, 20), seconds=20):
        """Tests of the program, in `run`."""
        expect(plumb("test", source, "--out", "run", "--timeout", seconds, *options, cwd=self.path), codes)

    def export(self, form, out, *options, codes=0, run="run", **keywords):
        return expect(plumb("export", run, "--format", form, "--out", out, *options, cwd=self.path, **keywords), codes)

    def recorded(self, run="run"):
        """The tests by number, with their inputs as bytes."""
        tests = {}
        for path in sorted((self.path / run / "tests").glob("*.json")):
            test = json.loads(path.read_text())
            test["inputs"] = [(i["name"], bytes.fromhex(i["bytes"])) for i in test["inputs"]]
            tests[int(path.stem.split("-")[1])] = test
        return tests

    def run_by_hand(self, tests, source, run="run"):
        """A run directory as older versions made it: JSON files alone."""
        for number, test in enumerate(tests, 1):
            self(f"{run}/tests/test-{number:06}.json", json.dumps({"plumb": "1.0", **test}))
        self(f"{run}/result.json", json.dumps({"plumb": "1.0", "command": "test", "inputs": [source]}))


def validate(dtd, path):
    return subprocess.run(["xmllint", "--nonet", "--noout", "--dtdvalid", str(HERE / dtd), str(path)], capture_output=True, timeout=SECONDS)


def names(directory):
    return sorted(path.name for path in directory.iterdir())


ENVIRONMENT_TESTS = [
    {"inputs": [], "environment": {"arguments": ["-n", ""], "stdin": "6162ff00", "files": [{"name": "A", "bytes": "0001"}, {"name": "B", "bytes": "2020"}]}},
    {"inputs": [], "environment": {"arguments": [{"bytes": "ff22"}], "variables": {"COLOUR": "red"}}},
    {"inputs": [], "environment": {"files": [{"name": "A", "bytes": "61620a"}]}},
    {"inputs": []},
]


def exit_codes(tests):
    """What ENVIRONMENT ends with, computed here."""
    for test in tests:
        given = test.get("environment", {})
        arguments = [bytes.fromhex(a["bytes"]) if isinstance(a, dict) else a.encode() for a in given.get("arguments", [])]
        total = 1 + len(arguments)
        for byte in b"".join(arguments):
            total = total * 3 + byte
        for byte in bytes.fromhex(given.get("stdin", "")):
            total = total * 5 + byte
        for byte in b"".join(bytes.fromhex(f["bytes"]) for f in given.get("files", []) if f["name"] == "A"):
            total = total * 7 + byte
        if "COLOUR" in given.get("variables", {}):
            total = total * 11 + len(given["variables"]["COLOUR"])
        yield {**test, "end": "exit", "code": total & 127}


# --- Scenarios. The docstring is the claim. ---

def testcomp_suite_is_valid(files):
    """Metadata and tests are valid by the DTDs, values are those of the tests, errors are marked and the hash is the program's."""
    files.test(files("v.c", VERIFIER))
    files.export("testcomp", "suite")
    suite = files.path / "suite"
    expect(validate("test-metadata.dtd", suite / "metadata.xml"), 0)
    metadata = (suite / "metadata.xml").read_text()
    check(hashlib.sha256(VERIFIER.encode()).hexdigest() in metadata, metadata)
    check("<architecture>64bit</architecture>" in metadata and "@DECISIONEDGE" in metadata, metadata)
    tests = files.recorded()
    errors = 0
    for number, test in tests.items():
        path = suite / f"testcase-{number:06}.xml"
        expect(validate("testcase.dtd", path), 0)
        text = path.read_text()
        x = int.from_bytes(test["inputs"][0][1], "little", signed=True)
        c = test["inputs"][1][1][0]
        check(f'<input type="int">{x}</input>\n  <input type="unsigned char">{c}</input>' in text, f"{test}\n{text}")
        check(('coversError="true"' in text) == (test["end"] == "error"), f"{test}\n{text}")
        errors += test["end"] == "error"
    check(errors > 0, "one test should reach the error")
    check(len(names(suite)) == len(tests) + 1, f"{names(suite)}")


def the_dtds_can_refuse(files):
    """A suite that is not of the format is not valid: the check above can fail."""
    files("m.xml", "<test-metadata><producer>p</producer></test-metadata>")
    check(validate("test-metadata.dtd", files.path / "m.xml").returncode != 0, "elements are missing")
    files("t.xml", '<testcase coversError="maybe"><input>1</input></testcase>')
    check(validate("testcase.dtd", files.path / "t.xml").returncode != 0, "maybe is no value")


def zipped_suite_is_the_directory(files):
    """The zip file has the files of the directory, byte for byte, and Python's reader finds its sums right."""
    files.test(files("n.c", NAMED))
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    files.export("testcomp", "suite", env=environment)
    files.export("testcomp", "suite.zip", "--zip", env=environment)
    with zipfile.ZipFile(files.path / "suite.zip") as archive:
        check(archive.testzip() is None, "a sum is wrong")
        check(sorted(archive.namelist()) == names(files.path / "suite"), f"{archive.namelist()}")
        for name in archive.namelist():
            check(archive.read(name) == (files.path / "suite" / name).read_bytes(), name)
    for path in (files.path / "suite").glob("testcase*"):
        expect(validate("testcase.dtd", path), 0)
    first = (files.path / "suite.zip").read_bytes()
    files.export("testcomp", "suite.zip", "--zip", env=environment)
    check(first == (files.path / "suite.zip").read_bytes(), "the same tests at the same time are the same file")


def ktest_files_have_the_inputs(files):
    """The independent reader finds the name and the bytes of every input, in order."""
    files.test(files("n.c", NAMED))
    files.export("ktest", "klee")
    tests = files.recorded()
    for number, test in tests.items():
        version, arguments, objects = ktest_reader.read(files.path / "klee" / f"test{number:06}.ktest")
        check((version, arguments) == (3, [b"n.c"]), f"{version} {arguments}")
        check(objects == test["inputs"], f"{objects} for {test['inputs']}")
    listed = [line.split(" ", 2)[1:] for line in (files.path / "klee" / "tests.txt").read_text().splitlines()]
    ends = {("exit", code): f"exit code {code}" for code in range(256)} | {("error", 1): "error: assertion"}
    check(listed[:len(tests)] == [[f"test{n:06}.ktest", ends[t["end"], t["code"]]] for n, t in tests.items()], f"{listed}")


def ktest_environment_is_what_klee_asks_for(files):
    """Arguments, standard input and files come back as KLEE's runtime would take them out of the file."""
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")
    result = files.export("ktest", "klee")
    check(b"1 test: variables of the environment" in result.stdout, shown(result))
    taken = [ktest_reader.environment(files.path / "klee" / f"test{n:06}.ktest") for n in (1, 2, 3)]
    check(taken[0] == ([b"-n", b""], b"ab\xff\0", {"A": b"\0\1", "B": b"  "}, []), f"{taken[0]}")
    check(taken[1] == ([b'\xff"'], None, {}, []), f"{taken[1]}")
    check(taken[2] == ([], None, {"A": b"ab\n"}, []), f"{taken[2]}")
    check(ktest_reader.read(files.path / "klee" / "test000004.ktest")[2] == [], "a test without inputs has no objects")


def c_file_ends_as_the_tests(files):
    """Compiled without a warning and linked as its comment says, the C file runs every test to the recorded end."""
    for name, program, include in (("v.c", VERIFIER, []), ("n.c", NAMED, ["-I", str(ROOT / "include")])):
        files.test(files(name, program))
        files.export("c", "tests.c")
        command = next(line[3:].split() for line in (files.path / "tests.c").read_text().splitlines() if line.startswith(" *     cc "))
        check(any(word.endswith(name) for word in command), f"{command}")
        # The file itself without any warning; then the whole as the comment says.
        expect(subprocess.run([*STRICT, "-c", "tests.c", "-o", "strict.o"], capture_output=True, cwd=files.path, timeout=SECONDS), 0)
        expect(subprocess.run([*command, *include], capture_output=True, cwd=files.path, timeout=SECONDS), 0)
        tests = files.recorded()
        ran = expect(subprocess.run(["./tests"], capture_output=True, cwd=files.path, timeout=SECONDS), 0, "tests end as recorded")
        check(ran.stdout.count(b"\n") >= len(tests) + 1, shown(ran))
        for number, test in tests.items():
            one = subprocess.run(["./tests", str(number)], capture_output=True, cwd=files.path, timeout=SECONDS)
            expected = {"exit": test["code"], "assume-failed": 77, "error": -6}[test["end"]]
            check(one.returncode == expected, f"test {number}: {test}\n{shown(one)}")


def c_file_sets_up_the_environment(files):
    """Arguments, standard input, files and variables reach the program, in a directory that is gone afterwards."""
    files("e.c", ENVIRONMENT)
    files.run_by_hand(list(exit_codes(ENVIRONMENT_TESTS)), "e.c")
    files.export("c", "tests.c")
    expect(subprocess.run([*STRICT, "-Wl,--wrap=main", "tests.c", "e.c", "-o", "tests"], capture_output=True, cwd=files.path, timeout=SECONDS), 0)
    scratch = files.path / "scratch"
    scratch.mkdir()
    environment = {"PATH": os.environ["PATH"], "TMPDIR": str(scratch)}
    expect(subprocess.run(["./tests"], capture_output=True, cwd=files.path, env=environment, timeout=SECONDS), 0, "4 of 4 tests end as recorded")
    for number, test in enumerate(exit_codes(ENVIRONMENT_TESTS), 1):
        one = subprocess.run(["./tests", str(number)], capture_output=True, cwd=files.path, env=environment, timeout=SECONDS)
        check(one.returncode == test["code"], f"test {number}\n{shown(one)}")
    check(list(scratch.iterdir()) == [], f"left behind: {list(scratch.iterdir())}")


def c_file_with_a_renamed_main(files):
    """Where the linker has no --wrap, the program's main can be renamed instead."""
    files("e.c", ENVIRONMENT)
    files.run_by_hand(list(exit_codes(ENVIRONMENT_TESTS)), "e.c")
    files.export("c", "tests.c")
    for command in (["gcc", "-Dmain=plumb_program_main", "-c", "e.c", "-o", "e.o"],
                    [*STRICT, "-DPLUMB_RENAMED_MAIN", "tests.c", "e.o", "-o", "tests"], ["./tests"]):
        expect(subprocess.run(command, capture_output=True, cwd=files.path, timeout=SECONDS), 0)


def corpus_is_the_bytes(files):
    """A corpus has the different inputs, once each, byte for byte; standard input and files come first."""
    files.test(files("n.c", NAMED))
    files.export("corpus", "seeds")
    written = sorted(path.read_bytes() for path in (files.path / "seeds").iterdir())
    expected = {b"".join(content for _, content in test["inputs"]) for test in files.recorded().values()}
    for path in (files.path / "run" / "errors").glob("*.json"):
        expected.add(b"".join(bytes.fromhex(i["bytes"]) for i in json.loads(path.read_text())["inputs"]))
    check(written == sorted(expected), f"{written}\n{sorted(expected)}")
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c", run="other")
    files.export("corpus", "seeds", run="other")
    written = sorted(path.read_bytes() for path in (files.path / "seeds").iterdir())
    check(written == sorted([b"ab\xff\0", b"ab\n", b""]), f"{written}")


def errors_alone(files):
    """--errors-only keeps the tests that end in an error, and the suite's aim is the error then."""
    files.test(files("v.c", VERIFIER))
    files.export("testcomp", "suite", "--errors-only")
    check("@CALL(reach_error)" in (files.path / "suite" / "metadata.xml").read_text(), "the aim")
    tests = [path.read_text() for path in (files.path / "suite").glob("testcase-*.xml")]
    check(tests and all('coversError="true"' in text for text in tests), f"{tests}")
    files.test(files("plain.c", "int main(void) { return 0; }\n"))
    expect(plumb("export", "run", "--format", "ktest", "--errors-only", "--out", "x", cwd=files.path), 2, err="no test of the run ends in an error")


def minimised_suite_is_not_larger(files):
    """--minimize keeps some of the tests and every error; without coverage in the run it is refused with the remedy."""
    files.test(files("v.c", VERIFIER))
    if (files.path / "run" / "campaign.db").exists():
        result = result_object(files.export("ktest", "klee", "--minimize", "--json").stdout)
        check(0 < result["tests"]["count"] <= result["tests"]["of_run"], f"{result}")
        check(" error: reach_error" in (files.path / "klee" / "tests.txt").read_text(), "the error should be kept")
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c", run="old")
    expect(plumb("export", "old", "--format", "ktest", "--minimize", "--out", "x", cwd=files.path), 2, err="leave out --minimize")


def foreign_files_are_kept(files):
    """What is not of an earlier export is never overwritten or removed; exit code 2 and the remedy."""
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")
    files("e.c", ENVIRONMENT)
    cases = {"testcomp": "metadata.xml", "ktest": "test000001.ktest", "corpus": "plumb-0123456789abcdef"}
    for form, name in cases.items():
        precious = files(f"{form}/{name}", "precious")
        expect(plumb("export", "run", "--format", form, "--out", form, cwd=files.path), 2, err="name another place with --out")
        check(precious.read_text() == "precious" and names(precious.parent) == [name], f"{names(precious.parent)}")
    for form, options in (("c", []), ("testcomp", ["--zip"])):
        precious = files("mine.c", "precious")
        expect(plumb("export", "run", "--format", form, *options, "--out", "mine.c", cwd=files.path), 2, err="name another place")
        check(precious.read_text() == "precious", form)


def earlier_exports_are_replaced(files):
    """A second export leaves exactly its own files, in every format."""
    files("e.c", ENVIRONMENT)
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")
    files.run_by_hand(ENVIRONMENT_TESTS[:1], "e.c", run="smaller")
    for form, options in (("testcomp", []), ("ktest", []), ("corpus", []), ("c", []), ("testcomp", ["--zip"])):
        out = "tests.c" if form == "c" else f"{form}{len(options)}"
        files.export(form, out, *options)
        files.export(form, out, *options, run="smaller")
        files.export(form, f"fresh-{out}", *options, run="smaller")
        if (files.path / out).is_dir():
            check(names(files.path / out) == names(files.path / f"fresh-{out}"), f"{names(files.path / out)}")


def full_disk(files):
    """When a file cannot be written whole, the message names it, and there is the old export or nothing."""
    files("e.c", ENVIRONMENT)
    files.run_by_hand([{"inputs": [{"name": "x", "bytes": "41" * 20000}]}], "e.c", run="large")
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (10000, 10000))

    for form, options in (("ktest", []), ("corpus", []), ("c", []), ("testcomp", ["--zip"])):
        out = files.path / f"out.{form}"
        failed = plumb("export", "large", "--format", form, *options, "--out", out, cwd=files.path, preexec_fn=limit)
        expect(failed, 2, err="cannot write")
        check(not out.exists(), f"{form}: something was left")
        files.export(form, out, *options)
        before = contents(out)
        expect(plumb("export", "large", "--format", form, *options, "--out", out, cwd=files.path, preexec_fn=limit), 2, err="cannot write")
        check(contents(out) == before, f"{form}: the earlier export should be as it was")


def contents(path):
    return {each.name: each.read_bytes() for each in path.iterdir()} if path.is_dir() else path.read_bytes()


def word_size(files):
    """The tests of a 32-bit program say so, in the suite and in the command of the C file."""
    files.test(files("v.c", VERIFIER), "-m32")
    files.export("testcomp", "suite")
    check("<architecture>32bit</architecture>" in (files.path / "suite" / "metadata.xml").read_text(), "metadata.xml")
    files.export("c", "tests.c")
    check("cc -D__PLUMB__ -m32 " in (files.path / "tests.c").read_text(), "tests.c")


def bad_input(files):
    """Mistakes end with exit code 2, say what to do, and write nothing."""
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")
    files("e.c", ENVIRONMENT)
    files("empty/x.txt")
    (files.path / "taken.c").mkdir()
    files("broken/tests/test-000001.json", "{\"inputs\": [")
    files("failed/result.json", '{"plumb": "1.0", "inputs": ["e.c"]}')
    files("nameless/tests/test-000001.json", '{"inputs": []}')
    for arguments, message in ((["nowhere", "--format", "ktest", "--out", "x"], "there is no such directory"),
                               (["empty", "--format", "ktest", "--out", "x"], "no tests"),
                               (["failed", "--format", "ktest", "--out", "x"], "the run has no tests"),
                               (["broken", "--format", "ktest", "--out", "x"], "test-000001.json:1:"),
                               (["nameless", "--format", "testcomp", "--out", "x"], "which program"),
                               (["run", "--format", "ktest", "--zip", "--out", "x"], "--zip is for test suites"),
                               (["run", "--format", "fuzz", "--out", "x"], "--format"),
                               (["run", "--format", "ktest"], "--out"),
                               (["run", "--format", "c", "--out", "x"], "ends in .c"),
                               (["run", "--format", "c", "--out", "taken.c"], "is a directory"),
                               (["run", "--format", "ktest", "--out", "e.c"], "is a file")):
        expect(plumb("export", *arguments, cwd=files.path), 2, err=message)
        check(not (files.path / "x").exists(), f"{arguments} wrote something")
    failed = plumb("export", "nowhere", "--format", "ktest", "--out", "x", "--json", cwd=files.path)
    check(failed.returncode == 2 and "error" in result_object(failed.stdout), shown(failed))


def object_has_the_documented_shape(files):
    """With --json one object is printed, and result.json is not among the exported files."""
    files.run_by_hand(ENVIRONMENT_TESTS, "e.c")
    result = result_object(files.export("ktest", "klee", "--json").stdout)
    check(result["command"] == "export" and result["tests"]["count"] == 4 and result["stats"]["files"] == 5 and len(result["notes"]) == 1, f"{result}")
    check("result.json" not in names(files.path / "klee"), f"{names(files.path / 'klee')}")


def tutorial_sign(files):
    """KLEE's first tutorial: three tests, for zero, a negative and a positive number."""
    files.test(ROOT / "examples/klee/get_sign.c", codes=0)
    files.export("ktest", "klee")
    signs = set()
    for path in (files.path / "klee").glob("*.ktest"):
        objects = ktest_reader.read(path)[2]
        check([(name, len(content)) for name, content in objects] == [("a", 4)], f"{objects}")
        value = int.from_bytes(objects[0][1], "little", signed=True)
        signs.add((value > 0) - (value < 0))
    check(len(list((files.path / "klee").glob("*.ktest"))) == 3 and signs == {-1, 0, 1}, f"{signs}")


WINNING = {"sddwddddsddw", "sddwddddssssddwwww", "ssssddddwwaawwddddsddw", "ssssddddwwaawwddddssssddwwww"}


def tutorial_maze(files):
    """The maze: a way to the prize is found, and with --all-errors on single paths all four, two of them through the wall."""
    maze = ROOT / "examples/klee/maze.c"
    files.test(maze, codes=10)
    files.export("ktest", "klee", "--errors-only")
    check(ways(files) and ways(files) <= WINNING, f"{ways(files)}")
    files.test(maze, "--until", "time", "--regions", "off", "--all-errors", codes=10)
    files.export("ktest", "klee", "--errors-only")
    check(ways(files) == WINNING, f"{ways(files)}")


def ways(files):
    """The moves of the exported errors up to the prize."""
    found = set()
    for path in (files.path / "klee").glob("*.ktest"):
        moves = ktest_reader.read(path)[2][0][1].decode(errors="replace")
        matching = {way for way in WINNING if moves.startswith(way)}
        check(len(matching) == 1, f"{moves} should lead to the prize in one way")
        found |= matching
    return found


def tutorial_regular_expressions(files):
    """The matcher: two reads beyond the expression, both in match_here, before any other defect of their runs; none once the expression has an end."""
    matcher = ROOT / "examples/klee/regexp.c"
    options = ["--check-memory", "--regions", "off", "--until", "time"]
    files.test(matcher, *options, codes=10, seconds=6)  # it goes on beyond the errors, on ever more paths
    defects = json.loads((files.path / "run" / "result.json").read_text())["defects"]
    defects = [defect for defect in defects if "after_another" not in defect]
    check(sorted((d["kind"], d["function"]) for d in defects) == [("array-pointer-out-of-bounds", "match_here")] * 2, f"{defects}")
    check(len({(d["line"], d["column"]) for d in defects}) == 2, f"{defects}")
    files.test(matcher, "-DTERMINATED", *options, codes=0)


SCENARIOS = [testcomp_suite_is_valid, the_dtds_can_refuse, zipped_suite_is_the_directory, ktest_files_have_the_inputs,
             ktest_environment_is_what_klee_asks_for, c_file_ends_as_the_tests, c_file_sets_up_the_environment, c_file_with_a_renamed_main,
             corpus_is_the_bytes, errors_alone, minimised_suite_is_not_larger, foreign_files_are_kept, earlier_exports_are_replaced, full_disk, word_size, bad_input,
             object_has_the_documented_shape, tutorial_sign, tutorial_maze, tutorial_regular_expressions]


if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Work))
