#!/usr/bin/env python3
"""Runs `plumb replay` as a user would: coverage known by hand, every end of a run, reasons, reports, bad input.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words
"""
import html.parser
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402


# Lines 2 to 11, of which line 8 needs x == 77; each decision's conditions are known by hand.
KNOWN = """#include <plumb/plumb.h>
int decide(int a, int b, int c) {
  if (a && (b || c)) return 1;
  return 0;
}
int main(void) {
  unsigned char x = plumb_symbolic_uchar("x");
  if (x == 77) return decide(0, 0, 0) + 5;
  switch (x) { case 1: return decide(1, 1, 0); case 2: return decide(1, 0, 1); case 3: return decide(1, 0, 0); }
  return decide(0, 1, 1);
}
"""

ENDS = """#include <plumb/plumb.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  unsigned char how = plumb_symbolic_uchar("how");
  if (how == 1) *(volatile int *)0 = 1;
  if (how == 2) abort();
  if (how == 3) _exit(3);
  if (how == 4) for (;;) usleep(1000);
  if (how == 5) raise(SIGKILL);
  if (how == 6) __builtin_trap();
  return 0;
}
"""

SENT = """#include <plumb/plumb.h>
#include <signal.h>
int main(void) {
  unsigned char how = plumb_symbolic_uchar("how");
  if (how == 1) raise(SIGTERM);
  if (how == 2) raise(SIGSEGV);
  if (how == 3) raise(SIGKILL);
  return 0;
}
"""

REASONS = """#include <plumb/plumb.h>
static int unreached(int x) {
  int sum = 0;
  for (int i = 0; i < x; i++) sum += i;
  return sum;
}
int main(void) {
  unsigned x = plumb_symbolic_uint("x"), y = plumb_symbolic_uint("y"), h = 1;
  unsigned char c = plumb_symbolic_uchar("c");
  for (int i = 0; i < 40; i++) h = (h ^ x) * 0x9e3779b1u + (h >> 15) * y + (h >> 7);
  if (c > 10 && c < 5) return 1;
  if (h == 0x12345678) return unreached(c);
  return 0;
}
"""

INFEASIBLE = """#include <plumb/plumb.h>
int main(void) {
  unsigned char c = plumb_symbolic_uchar("c");
  if (!(c < 200)) {
    if (c == 3) return 1;
    return 2;
  }
  return 0;
}
"""

COUNT = """#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "-n") == 0) {
    int c, lines = 0;
    while ((c = getchar()) != EOF) if (c == '\\n') lines++;
    printf("%d lines\\n", lines);
    return lines;
  }
  if (argc > 1) {
    FILE *file = fopen(argv[1], "r");
    if (file == NULL) return 9;
    return fgetc(file);
  }
  fprintf(stderr, "no arguments\\n");
  return 8;
}
"""


def run(*arguments, **keywords):
    return subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, timeout=SECONDS, start_new_session=True, **keywords)


class Work(Files):
    def tests(self, *values, name="x", environment=None):
        """tests/test-00000N.json with one byte each."""
        for number, value in enumerate(values, 1):
            self(f"tests/test-{number:06}.json", json.dumps({"plumb": "1.0", "inputs": [{"name": name, "bytes": f"{value:02x}"}]}))

    def replay(self, *arguments, **keywords):
        return run("replay", *arguments, cwd=self.path, **keywords)

    def object(self, *arguments, **keywords):
        result = self.replay(*arguments, "--json", **keywords)
        try:
            return result, result_object(result.stdout)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{shown(result)}") from error


def ratio(part):
    return part["covered"], part["total"]


def reasons(found):
    return {(side["line"], side["column"], side["branch"]): side["reasons"] for side in found["coverage"]["branches"]["uncovered"]}


# --- Scenarios. The docstring is the claim. ---

def coverage_is_what_is_counted_by_hand(files):
    """Lines, branches and MC/DC conditions of a program are those that one counts on paper."""
    files("known.c", KNOWN)
    files.tests(1, 2, 3, 0)
    result, found = files.object("tests", "known.c")
    expect(result, 0)
    coverage = found["coverage"]
    # Ten lines with code; line 8 is one of them and runs. Six sides of conditions in decide, two of the if, four labels
    # (the implicit default included) with two sides each. x == 77 is not tested.
    check(ratio(coverage["lines"]) == (10, 10), f"{coverage['lines']}")
    check(ratio(coverage["branches"]) == (15, 16), f"{coverage['branches']}")
    check(ratio(coverage["conditions"]) == (3, 3), f"{coverage['conditions']}")
    check(list(reasons(found)) == [(8, 7, "true")], f"{reasons(found)}")
    # Without the test of (1, 0, 1), neither b nor c is shown to turn the decision alone: (1, 1, -) and (1, 0, 0) show b.
    os.unlink(files.path / "tests/test-000002.json")
    _, found = files.object("tests", "known.c")
    check(ratio(found["coverage"]["conditions"]) == (2, 3), f"{found['coverage']['conditions']}")


def every_end_leaves_its_coverage(files):
    """Crashes, abort, _exit, SIGKILL, traps and timeouts count up to where they end."""
    files("ends.c", ENDS)
    files.tests(0, 1, 2, 3, 4, 5, 6, name="how")
    result, found = files.object("tests", "ends.c", "--run-timeout", "50ms")
    expect(result, 10)
    check([test["end"] for test in found["tests"]["list"]] ==
          ["exit code 0", "SIGSEGV", "abort", "exit code 3", "out of time", "SIGKILL", "SIGILL"], f"{found['tests']}")
    check([bool(test.get("failure")) for test in found["tests"]["list"]] == [False, True, True, False, False, False, True],
          f"{found['tests']}")
    check(ratio(found["coverage"]["branches"]) == (12, 12), f"{found['coverage']}")


def a_signal_that_is_sent_is_no_failure(files):
    """Who raises SIGTERM, or even SIGSEGV, wants to end; with checks or without, that is the same. Killed runs are not whole."""
    files("sent.c", SENT)
    files.tests(0, 1, 2, name="how")
    for more in [], ["--checks", "default"]:
        result, found = files.object("tests", "sent.c", "--no-files", *more)
        expect(result, 0)
        check([test["end"] for test in found["tests"]["list"]] == ["exit code 0", "SIGTERM", "SIGSEGV"], f"{found['tests']}")
        check(found["tests"]["failed"] == 0, f"{found['tests']}")
    files.tests(3, name="how")
    for more in [], ["--checks", "default"]:
        result, found = files.object("tests", "sent.c", "--no-files", "--test", "1", *more)
        expect(result, 20)


def a_campaign_needs_nothing_else(files):
    """After plumb test, the directory alone is enough; what it found is shown again, with exit code 10."""
    files("ends.c", ENDS)
    expect(run("test", "ends.c", "--timeout", "20s", "--run-timeout", "300ms", cwd=files.path), 10)
    other = files.path / "elsewhere"
    other.mkdir()
    result = run("replay", files.path / "plumb-out", "--run-timeout", "50ms", cwd=other)
    expect(result, 10, "all as recorded", "failed: SIGSEGV", "failed: abort", "12/12 100.0 %")


def uncovered_branches_have_their_reason(files):
    """Refuted, timed out and never reached are told apart."""
    files("reasons.c", REASONS)
    run("test", "reasons.c", "--timeout", "20s", "--query-timeout", "20ms", cwd=files.path)
    _, found = files.object("plumb-out")
    why = reasons(found)
    check(why[(11, 17, "true")] == ["refuted"], f"{why}")
    check(why[(12, 7, "true")] == ["timed-out"], f"{why}")
    check(why[(4, 19, "true")] == why[(4, 19, "false")] == ["not-reached"], f"{why}")


def infeasible_is_said_of_what_was_explored(files):
    """A side that no input takes is infeasible, and named as the source has it."""
    files("infeasible.c", INFEASIBLE)
    expect(run("test", "infeasible.c", cwd=files.path), 0)
    result = files.replay("plumb-out")
    expect(result, 0, "infeasible.c:5:9 in main: true: infeasible (whole program explored)", "all tests ran as recorded")
    _, found = files.object("plumb-out")
    check(reasons(found) == {(5, 9, "true"): ["infeasible"]}, f"{reasons(found)}")


def arguments_input_and_files_are_given(files):
    """Tests with an environment run as recorded: arguments, standard input, files."""
    files("count.c", COUNT)
    parts = [({"arguments": ["-n"], "stdin": "610a620a"}, 2), ({"arguments": ["A"], "files": [{"name": "A", "bytes": "2a"}]}, 42),
             ({"arguments": ["A"]}, 9), ({}, 8)]
    for number, (environment, code) in enumerate(parts, 1):
        files(f"tests/test-{number:06}.json",
              json.dumps({"plumb": "1.0", "inputs": [], "environment": environment, "end": "exit", "code": code}))
    result, found = files.object("tests", "count.c")
    expect(result, 0)
    check([test["end"] for test in found["tests"]["list"]] == ["exit code 2", "exit code 42", "exit code 9", "exit code 8"], f"{found['tests']}")
    check(ratio(found["coverage"]["lines"])[0] == ratio(found["coverage"]["lines"])[1], f"{found['coverage']['lines']}")


def a_symbolic_environment_replays(files):
    """What plumb test finds with symbolic arguments and files ends natively as it was recorded."""
    files("count.c", COUNT)
    run("test", "count.c", "--sym-args", "0", "2", "2", "--sym-stdin", "3", "--sym-files", "1", "2", "--timeout", "15s", cwd=files.path)
    result = files.replay("plumb-out")
    expect(result, 0, "all as recorded")


def differences_are_told(files):
    """A test that ends in another way than recorded is named, with both ends."""
    files("count.c", COUNT)
    files("tests/test-000007.json", json.dumps({"plumb": "1.0", "inputs": [], "end": "exit", "code": 0}))
    expect(files.replay("tests", "count.c"), 20, "test 7 ended with exit code 8, the campaign saw exit code 0")


def a_source_that_changed_is_named(files):
    """Coverage of a source that is newer than the campaign says so."""
    source = files("infeasible.c", INFEASIBLE)
    expect(run("test", "infeasible.c", cwd=files.path), 0)
    check("changed" not in files.replay("plumb-out").stdout.decode(), "nothing has changed")
    os.utime(source, (time.time() + 60, time.time() + 60))
    expect(files.replay("plumb-out"), 0, "infeasible.c was changed after the campaign")


def one_test_shows_its_output(files):
    """--test passes on what the program prints; a test that does not exist is an error."""
    files("count.c", COUNT)
    files("tests/test-000001.json", json.dumps({"plumb": "1.0", "inputs": [], "environment": {"arguments": ["-n"], "stdin": "0a"}}))
    files("tests/test-000002.json", json.dumps({"plumb": "1.0", "inputs": []}))
    expect(files.replay("tests", "count.c", "--test", "1"), 0, "1 lines\n", err="test 1 ended with exit code 1")
    expect(files.replay("tests", "count.c", "--test", "2"), 0, err="no arguments\n")
    expect(files.replay("tests", "count.c", "--test", "3"), 2, err="there is no test 3")
    check(not (files.path / "tests/coverage").exists(), "a single test should write no reports")


def a_test_runs_in_the_debugger(files):
    """gdb gets the program with the arguments, the input and the files of the test."""
    if shutil.which("gdb") is None:
        return
    files("count.c", COUNT)
    files("tests/test-000001.json", json.dumps(
        {"plumb": "1.0", "inputs": [], "environment": {"arguments": ["-n", "it's"], "stdin": "0a0a", "files": [{"name": "A", "bytes": "2a"}]}}))
    result = files.replay("tests", "count.c", "--test", "1", "--debugger",
                          input=b"break printf\nrun\ninfo args\nshell cat A\ncontinue\nprint $_exitcode\nquit\n",
                          env={**os.environ, "DEBUGINFOD_URLS": ""})
    expect(result, 0, "2 lines", "$1 = 2", "*")
    expect(files.replay("tests", "count.c", "--debugger"), 2, err="--test N")


def an_executable_of_plumb_cc_is_measured(files):
    """What plumb cc built is compiled again from its sources, also those that archives hold."""
    files("src/main.c", '#include "twice.h"\n#include <stdlib.h>\nint main(int argc, char **argv) { return argc > 1 ? twice(atoi(argv[1])) : 1; }\n')
    files("include/twice.h", "int twice(int);\n")
    files("lib/twice.c", '#include "twice.h"\nint twice(int x) { if (x > 100) return 0; return FACTOR * x; }\n')
    for command in (["cc", "-Iinclude", "-DFACTOR=2", "-c", "lib/twice.c", "-o", "twice.o"], ["cc", "-O2", "-Iinclude", "src/main.c", "libtwice.a", "-o", "twice"]):
        expect(run(*command, cwd=files.path), 0)
        if "-c" in command:
            subprocess.run(["ar", "rcs", "libtwice.a", "twice.o"], cwd=files.path, check=True)
    for number, argument in enumerate(([], ["4"]), 1):
        files(f"tests/test-{number:06}.json", json.dumps({"plumb": "1.0", "inputs": [], "environment": {"arguments": argument}}))
    result, found = files.object("tests", "twice")
    expect(result, 0)
    check([test["end"] for test in found["tests"]["list"]] == ["exit code 1", "exit code 8"], f"{found['tests']}")
    parts = {pathlib.Path(file["file"]).name: ratio(file["branches"]) for file in found["coverage"]["files"]}
    check(parts == {"main.c": (2, 2), "twice.c": (1, 2)}, f"{parts}")
    _, found = files.object("tests", "twice", "--only", "/src/[^/]*\\.c$")
    check(ratio(found["coverage"]["branches"]) == (2, 2), f"{found['coverage']}")
    # A source that is gone costs its own coverage alone.
    os.unlink(files.path / "lib/twice.c")
    result, found = files.object("tests", "twice")
    expect(result, 0)
    check([pathlib.Path(file["file"]).name for file in found["coverage"]["files"]] == ["main.c"], f"{found['coverage']}")
    check(any("twice.c is gone" in note for note in found["assumptions"]), f"{found['assumptions']}")


def without_sources_tests_still_run(files):
    """A program that cannot be measured runs all the same; the report says what is missing."""
    files("count.c", COUNT)
    subprocess.run(["cc", "count.c", "-o", "count"], cwd=files.path, check=True)
    files("tests/test-000001.json", json.dumps({"plumb": "1.0", "inputs": [], "end": "exit", "code": 8}))
    result, found = files.object("tests", "count")
    expect(result, 20)
    check(found["tests"]["list"][0]["end"] == "exit code 8" and "plumb cc" in found["coverage"]["missing"], f"{found}")


def another_entry_is_measured(files):
    """--entry works: parameters are inputs, and the program's own main is left alone."""
    files("entry.c", "int f(int x) { if (x == 5) return 3; return 4; }\nint main(void) { return f(1); }\n")
    expect(run("test", "entry.c", "--entry", "f", cwd=files.path), 0)
    result, found = files.object("plumb-out")
    expect(result, 0)
    check(ratio(found["coverage"]["branches"]) == (2, 2), f"{found['coverage']}")


class Links(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.links = []

    def handle_starttag(self, tag, attributes):
        self.links += [value for name, value in attributes if name == "href"]


def reports_are_written(files):
    """HTML whose links lead somewhere, lcov's tracefile and the JSON object; a second replay replaces them."""
    files("known.c", KNOWN)
    files.tests(1, 2)
    for _ in range(2):
        result, found = files.object("tests", "known.c", "--out", "report")
        expect(result, 0)
    report = files.path / "report"
    check(sorted(path.name for path in report.iterdir()) == ["html", "lcov.info", "result.json"], f"{list(report.iterdir())}")
    check(json.loads((report / "result.json").read_text()) == {**found, "stats": json.loads((report / "result.json").read_text())["stats"]},
          "result.json should be the printed object")
    trace = (report / "lcov.info").read_text()
    check(f"SF:{files.path.resolve()}/known.c" in trace and f"BRF:{found['coverage']['branches']['total']}" in trace, trace)
    page = (report / "html/index.html").read_text()
    links = Links()
    links.feed(page)
    check(len(links.links) >= 3, page)
    for link in links.links:
        check((report / "html" / link.split("#")[0]).is_file(), f"{link} should lead to a file")
    check(subprocess.run(["xmllint", "--noout", report / "html/index.html"], capture_output=True).returncode == 0, "the page should be well formed")
    expect(files.replay("tests", "known.c", "--no-files", "--lcov", "only.info"), 0)
    check((files.path / "only.info").is_file() and not (files.path / "tests/coverage").exists(), "--no-files should write what was asked for alone")


def foreign_files_are_left_alone(files):
    """A directory that something else wrote is no place for pages."""
    files("known.c", KNOWN)
    files.tests(1)
    files("mine/notes.txt", "keep")
    expect(files.replay("tests", "known.c", "--html", "mine"), 2, err="holds files of something else")
    check((files.path / "mine/notes.txt").read_text() == "keep", "the file should be there")
    check(not (files.path / "tests/coverage/html").exists(), "nothing should be written")


def bad_input_is_named(files):
    """What is wrong is said, with exit code 2."""
    files("known.c", KNOWN)
    files.tests(1)
    expect(files.replay("nowhere"), 2, err="there is no such directory")
    expect(files.replay("tests"), 2, err="which program")
    expect(files.replay("tests", "gone.c"), 2, err="gone.c")
    files("bad.c", "int main(void) { return x; }\n")
    expect(files.replay("tests", "bad.c"), 2, err="bad.c")
    expect(files.replay("tests", "known.c", "--only", "("), 2, err="regular expression")
    files("place", "")
    expect(files.replay("tests", "known.c", "--html", "place/pages"), 2, err="reports cannot be written here")


def an_interrupt_leaves_nothing(files):
    """Ctrl-C ends the runs at once with code 130 and writes no report."""
    files("ends.c", ENDS)
    files.tests(4, 4, 4, 4, 4, 4, name="how")
    process = subprocess.Popen([PLUMB, "replay", "tests", "ends.c", "--run-timeout", "20s"], cwd=files.path,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    check(process.wait(timeout=20) == 130, f"exit {process.returncode}")
    check(not (files.path / "tests/coverage/html").exists(), "no pages should be written")


def time_that_is_over_is_told(files):
    """With --timeout the tests that ran are measured, and those that did not are counted."""
    files("ends.c", ENDS)
    files.tests(0, 4, 4, name="how")
    result, found = files.object("tests", "ends.c", "--timeout", "4s", "--run-timeout", "20s")
    expect(result, 20)
    check(found["tests"]["count"] == 1 and found["tests"]["not_run"] == 2, f"{found['tests']}")
    check(found["coverage"]["branches"]["covered"] > 0, f"{found['coverage']}")


SCENARIOS = [coverage_is_what_is_counted_by_hand, every_end_leaves_its_coverage, a_signal_that_is_sent_is_no_failure, a_campaign_needs_nothing_else,
             uncovered_branches_have_their_reason, infeasible_is_said_of_what_was_explored, arguments_input_and_files_are_given,
             a_symbolic_environment_replays, differences_are_told,
             a_source_that_changed_is_named, one_test_shows_its_output, a_test_runs_in_the_debugger,
             an_executable_of_plumb_cc_is_measured, without_sources_tests_still_run, another_entry_is_measured, reports_are_written,
             foreign_files_are_left_alone, bad_input_is_named, an_interrupt_leaves_nothing, time_that_is_over_is_told]


if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Work))
