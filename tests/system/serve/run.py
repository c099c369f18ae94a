#!/usr/bin/env python3
"""`plumb serve` as a user runs it, with this machine as the board: programs that `plumb cc --target` makes for it, run by
plumb-target. Emulated boards and hostile peers are in tests/system/remote.

    run.py PLUMB [NAME…]             all scenarios, or those whose name contains one of the words
"""
import json
import os
import pathlib
import platform
import signal
import subprocess
import sys
import tempfile
import time
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402

MACHINE = f"{platform.machine()}-linux-gnu"

# Branches, a defect of memory, a failed assertion and a loop.
BUGS = """#include <assert.h>
#include <plumb/plumb.h>
#include <stdlib.h>
int main(void) {
  int x, y;
  unsigned char s[4];
  plumb_symbolic(&x, sizeof x, "x");
  plumb_symbolic(&y, sizeof y, "y");
  plumb_symbolic(s, sizeof s, "s");
  int *p = malloc(4 * sizeof *p);
  if (!p) return 1;
  p[0] = 0;
  if (x == 17 && y > 40) p[x - 13] = 1;
  for (int i = 0; i < 4; ++i)
    if (s[i] == 'k') ++p[0];
  assert(p[0] != 3);
  if (x / 3 == y) p[1] = 2;
  free(p);
  return s[0] > s[1] ? 2 : 0;
}
"""

# 1024 paths and a failed assertion.
STEPS = """#include <assert.h>
#include <plumb/plumb.h>
#define STEP(i) \\
  if (s[i] == 'a') r += 1; \\
  else if (s[i] == 'b') r += 2; \\
  else if (s[i] == 'c') r += 3;
int main(void) {
  char s[5];
  int r = 0;
  plumb_symbolic(s, sizeof s, "s");
  STEP(0)
  STEP(1)
  STEP(2)
  STEP(3)
  STEP(4)
  assert(r != 14);
  if (r == 15) return 1;
  if (r > 15) return 2;
  return 0;
}
"""
STEPS_OPTIONS = ["--regions", "off", "--strategy", "dfs", "--until", "time"]

FINE = """#include <plumb/plumb.h>
int main(void) {
  int x;
  plumb_symbolic(&x, sizeof x, "x");
  if (x > 5) return 1;
  return 0;
}
"""

HANG = """#include <plumb/plumb.h>
int main(void) {
  int x;
  plumb_symbolic(&x, sizeof x, "x");
  volatile int n = 1;
  if (x == 3)
    while (n) {}
  return 0;
}
"""

# What is wrong shows in models of library functions, one of them called through a pointer; allocations through pointers.
MODELS = """#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>
void *(*volatile allocate)(size_t) = malloc;
void (*volatile give_back)(void *) = free;
char *(*volatile copy)(char *, const char *) = strcpy;
static unsigned long only_written;
static int compare(const void *a, const void *b) {
  char d[2];
  strcpy(d, "de");
  return *(const char *)a - *(const char *)b;
}
static void one(const char *s) {
  char b[4];
  strcpy(b, s);
}
static void two(const char *s) {
  char c[6];
  strcpy(c, s);
}
int main(void) {
  char s[9], order[2] = {1, 2};
  unsigned char k;
  plumb_symbolic(s, sizeof s, "s");
  plumb_symbolic(&k, 1, "k");
  s[8] = 0;
  char *p = malloc(4);
  memcpy(p, s, 4);
  if (k == 1 && strlen(s) == 5) one(s);
  if (k == 2 && strlen(s) == 7) two(s);
  if (k == 3) free(strdup(p));
  if (k == 4) copy(p, "12345");
  if (k == 5) qsort(order, 2, 1, compare);
  if (k == 6) strdup("lost");
  if (k == 7) allocate(8);
  if (k == 8) give_back(s);
  if (k == 9) only_written = (unsigned long)malloc(8) | 1;
  free(p);
  return 0;
}
"""

# The end of these is nobody's mistake.
SIGNALS = """#include <plumb/plumb.h>
#include <signal.h>
int main(void) {
  unsigned char n;
  plumb_symbolic(&n, 1, "n");
  if (n == 3) raise(SIGPIPE);
  if (n == 4) raise(SIGTERM);
  return 0;
}
"""

TARGET = None  # the program plumb-target, made once


def plumb(files, *words, timeout=SECONDS):
    return subprocess.run([PLUMB, *map(str, words)], cwd=files.path, capture_output=True, timeout=timeout)


def build(files, name, text, *words):
    """A board's program, for this machine."""
    files(name + ".c", text)
    expect(plumb(files, "cc", "--target", MACHINE, *words, "-g", "-O0", name + ".c", "-o", name), 0)
    return name


def wait_for(condition, what, seconds=SECONDS):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {seconds} s")


class Server:
    """A `plumb serve` that runs; `with` ends it, whatever happens."""

    def __init__(self, files, *words, cwd=None, prefix=()):
        self.files = files
        self.place = files.path / "address"
        self.place.unlink(missing_ok=True)
        self.command = [*prefix, PLUMB, "serve", "--address-file", str(self.place), *map(str, words)]
        if not {"--resume", "--listen", "--serial"} & set(words):
            self.command += ["--listen", "127.0.0.1:0"]
        self.process = subprocess.Popen(self.command, cwd=cwd or files.path, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.targets = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in [*self.targets, self.process]:
            if process.poll() is None:
                process.kill()
            process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            stream.close()

    def address(self):
        def read():
            if self.process.poll() is not None:
                raise AssertionError(f"the server has ended\n{shown(self.result())}")
            return self.place.exists() and self.place.read_text().split()
        return wait_for(read, "an address")[0]

    def start_target(self, program, *words):
        return self.start([TARGET, "--server", self.address(), *map(str, words), str(self.files.path / program)],
                          stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def start(self, command, **streams):
        self.targets.append(subprocess.Popen(command, cwd=self.files.path, stderr=subprocess.DEVNULL, **streams))
        return self.targets[-1]

    def result(self, timeout=SECONDS):
        out, err = self.process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(self.command, self.process.returncode, out, err)


def tests_of(directory):
    """Inputs of the tests by number, and how they cover."""
    found = {}
    for path in sorted((directory / "tests").glob("test-*.json")):
        content = json.loads(path.read_text())
        found[path.name] = content["inputs"]
    return found


def coverage_of(result):
    branches = result["coverage"]["branches"]
    return branches["covered"], branches["total"]


def defects_of(result):
    return sorted((d["kind"], d.get("line"), d.get("function")) for d in result["defects"])


def finished(server, codes):
    return result_object(expect(server.result(), codes).stdout)


def same_as_on_the_host(files, name, text, codes, *words):
    build(files, name, text)
    host = json.loads(expect(plumb(files, "test", name + ".c", "--jobs", 1, "--seed", 3, "--out", "host", "--json",
                                   *words), codes).stdout)
    with Server(files, name, "--jobs", 1, "--seed", 3, "--out", "board", "--json", *words) as server:
        server.start_target(name)
        board = finished(server, codes)
    check(tests_of(files.path / "host") == tests_of(files.path / "board"),
          f"other tests:\n{tests_of(files.path / 'host')}\n{tests_of(files.path / 'board')}")
    check(coverage_of(host) == coverage_of(board), f"{coverage_of(host)} and {coverage_of(board)}")
    check(defects_of(host) == defects_of(board), f"{defects_of(host)} and {defects_of(board)}")
    check(host["campaign"]["stop"] == board["campaign"]["stop"], "another end")
    check(host["coverage"]["branches"]["exhaustive"] == board["coverage"]["branches"]["exhaustive"], "exhaustive")
    link = board["link"]
    check(link["runs"] > 0 and link["bytes_received"] > 0 and link["bytes_per_run"] > 0, link)
    check(len(link["targets"]) == 1 and link["left_out"] == 0, link)
    return board


def a_board_finds_what_the_host_finds(files):
    """The same inputs in the same order, the same coverage and the same defects."""
    board = same_as_on_the_host(files, "bugs", BUGS, 10)
    for defect in board["defects"]:
        check("plumb serve --replay" in defect["replay"], defect["replay"])
        check(pathlib.Path(files.path / defect["test"]).exists(), defect["test"])


def a_board_goes_the_same_paths_without_regions(files):
    """As above, path by path."""
    same_as_on_the_host(files, "steps", STEPS, 10, *STEPS_OPTIONS)


def places_are_the_callers_of_models(files):
    """As on the host: not in the library, and each call for itself."""
    board = same_as_on_the_host(files, "models", MODELS, 10)
    check(len(board["defects"]) >= 8, defects_of(board))


def a_signal_that_is_no_crash_is_no_defect(files):
    """It is told why, with the input."""
    build(files, "signals", SIGNALS)
    with Server(files, "signals") as server:
        server.start_target("signals")
        expect(server.result(), 20, "SIGPIPE was sent to the program", "SIGTERM was sent to the program")


def what_boards_do_not_look_for_is_said(files):
    """Uninitialised reads: when the program is made, and in the report."""
    files("fine.c", FINE)
    words = ["--target", MACHINE, "--plumb-checks=all", "-g", "fine.c", "-o", "fine"]
    made = expect(plumb(files, "cc", *words), 0)
    check(made.stderr.count(b"uninitialised reads are not looked for on boards") == 1, shown(made))
    with Server(files, "fine") as server:
        server.start_target("fine")
        expect(server.result(), 0, "not looked for (--checks): uninitialised")


def a_program_without_defects_ends_with_0(files):
    """All branches covered and no defect: 0."""
    build(files, "fine", FINE)
    with Server(files, "fine") as server:
        server.start_target("fine")
        result = expect(server.result(), 0, "no defect found, all 2 branches covered", "link: 1 target, ")
    check(b"listening on 127.0.0.1:" in result.stderr and b"plumb-target --server 127.0.0.1:" in result.stderr,
          shown(result))
    check(tests_of(files.path / "plumb-out"), "no tests in plumb-out")


def a_killed_server_is_gone_on_with(files):
    """kill -9 in the middle loses no test; --resume ends where an undisturbed campaign ends."""
    build(files, "steps", STEPS)
    with Server(files, "steps", *STEPS_OPTIONS, "--jobs", 1, "--out", "whole", "--json", "-q") as server:
        server.start_target("steps")
        whole = finished(server, 10)
    elsewhere = files.path / "elsewhere"
    elsewhere.mkdir()
    with Server(files, "steps", *STEPS_OPTIONS, "--jobs", 1, "--out", "killed", "-q") as server:
        server.start_target("steps")
        wait_for(lambda: len(tests_of(files.path / "killed")) >= 5, "tests")
        server.process.kill()
        server.process.wait()
        before = tests_of(files.path / "killed")
        # From another directory: the campaign knows where its program is. The target that was there comes back by itself.
        with Server(files, "--resume", "--listen", server.place.read_text().strip(), "--out", "../killed", "--json", "-q",
                    cwd=elsewhere) as again:
            resumed = finished(again, 10)
    after = tests_of(files.path / "killed")
    for number, inputs in before.items():
        check(after.get(number) == inputs, f"{number} is lost or changed")
    check(resumed["campaign"]["resumed"] and resumed["campaign"]["stop"] == whole["campaign"]["stop"], resumed["campaign"])
    check(coverage_of(resumed) == coverage_of(whole), "another coverage")
    check(defects_of(resumed) == defects_of(whole), "other defects")


def a_full_disk_is_told_and_costs_nothing_that_was_found(files):
    """Exit code 2, the file and the summary; --resume goes on when there is room again."""
    build(files, "steps", STEPS)
    with Server(files, "steps", *STEPS_OPTIONS, "--jobs", 1, "--out", "out", "-q",
                prefix=["prlimit", "--fsize=150000"]) as server:
        server.start_target("steps")
        expect(server.result(), 2, "branches covered by", err=["out/", "error:"])
    before = tests_of(files.path / "out")
    check(before, "no test")
    with Server(files, "--resume", "--out", "out", "--json", "-q") as server:
        server.start_target("steps")
        result = finished(server, 10)
    after = tests_of(files.path / "out")
    check(all(after.get(number) == inputs for number, inputs in before.items()), "a test is lost or changed")
    check(result["campaign"]["stop"] == "complete", result["campaign"])


def a_full_disk_leaves_the_result_on_standard_output(files):
    """One object, with --json, also if result.json alone cannot be written."""
    build(files, "steps", STEPS)
    with Server(files, "steps", *STEPS_OPTIONS, "--jobs", 1, "--out", "out", "--json", "-q",
                prefix=["prlimit", "--fsize=150000"]) as server:
        server.start_target("steps")
        result = finished(server, 2)
    check(result["verdict"] == "error" and result["tests"]["count"] > 0, result["verdict"])
    (files.path / "other" / "result.json" / "in the way").mkdir(parents=True)
    with Server(files, "steps", "--jobs", 1, "--out", "other", "--json", "-q") as server:
        server.start_target("steps")
        result = finished(server, 2)
    check(result["coverage"]["branches"]["covered"] > 0, result)


def what_was_confirmed_stays_so_without_a_target(files):
    """--resume without a target ends soon, and leaves the files of errors as they were."""
    build(files, "bugs", BUGS)
    with Server(files, "bugs", "--out", "out", "--json", "-q") as server:
        server.start_target("bugs")
        finished(server, 10)
    before = {path.name: path.read_bytes() for path in (files.path / "out" / "errors").iterdir()}
    check(before and all(b'"defect"' in content for content in before.values()), before)
    start = time.monotonic()
    with Server(files, "--resume", "--out", "out", "--timeout", "1s", "--json", "-q") as server:
        result = finished(server, 20)
    check(time.monotonic() - start < 25, f"{time.monotonic() - start} s")
    check(result["unconfirmed"] and all("an earlier session had confirmed it" in entry["not_confirmed"] and
                                        "no target was connected" in entry["not_confirmed"]
                                        for entry in result["unconfirmed"]), result["unconfirmed"])
    after = {path.name: path.read_bytes() for path in (files.path / "out" / "errors").iterdir()}
    check(after == before, "files of errors have changed")


def a_campaign_is_gone_on_with_by_the_command_that_began_it(files):
    """The message names that command."""
    build(files, "fine", FINE)
    expect(plumb(files, "test", "fine.c", "--out", "host"), 0)
    expect(plumb(files, "serve", "--resume", "--out", "host"), 2, err=["plumb test --resume --out "])
    with Server(files, "fine", "--out", "board", "-q") as server:
        server.start_target("fine")
        expect(server.result(), 0)
    expect(plumb(files, "test", "--resume", "--out", "board"), 2, err=["plumb serve --resume --out "])


def a_target_may_vanish(files):
    """What it was running is run by the next one, and nothing is lost."""
    build(files, "steps", STEPS)
    with Server(files, "steps", *STEPS_OPTIONS, "--out", "out", "--json", "-q") as server:
        for _ in range(3):
            count = len(tests_of(files.path / "out"))
            target = server.start_target("steps")
            wait_for(lambda: len(tests_of(files.path / "out")) > count or server.process.poll() is not None, "a test")
            target.kill()
            target.wait()
        server.start_target("steps")
        result = finished(server, 10)
    check(result["campaign"]["stop"] == "complete", result["campaign"])
    check(result["link"]["sessions"] >= 2, result["link"])


def two_targets_share_the_work(files):
    """Both run, and the campaign ends as with one."""
    build(files, "steps", STEPS)
    with Server(files, "steps", *STEPS_OPTIONS, "--jobs", 2, "--wait-for-targets", 2, "--json", "-q") as server:
        server.start_target("steps")
        time.sleep(0.5)
        check(not (files.path / "plumb-out" / "tests" / "test-000001.json").exists(), "it began with one target")
        server.start_target("steps")
        result = finished(server, 10)
    targets = result["link"]["targets"]
    check(len(targets) == 2 and all(target["runs"] > 0 for target in targets), targets)
    check(result["campaign"]["stop"] == "complete", result["campaign"])


def a_serial_line_will_do(files):
    """A device in place of an address; no port is opened."""
    build(files, "bugs", BUGS)
    board_end, our_end = os.openpty()
    tty.setraw(our_end)
    with Server(files, "--serial", os.ttyname(our_end), "--jobs", 1, "--seed", 3, "--json", "bugs") as server:
        server.start([TARGET, "--stdio", str(files.path / "bugs")], stdin=board_end, stdout=board_end)
        result = server.result()
    os.close(board_end)
    os.close(our_end)
    check(result.returncode == 10, shown(result))
    check(b"listening on /dev/" in result.stderr and b"127.0.0.1" not in result.stderr, shown(result))
    host = result_object(expect(plumb(files, "test", "bugs.c", "--seed", 3, "--json", "--out", "host"), 10).stdout)
    check(tests_of(files.path / "host") == tests_of(files.path / "plumb-out"), "other tests")
    check(defects_of(host) == defects_of(result_object(result.stdout)), "other defects")


def a_run_that_hangs_is_ended(files):
    """After --run-timeout, and the target goes on with the next one."""
    build(files, "hang", HANG)
    with Server(files, "hang", "--run-timeout", "300ms", "--json") as server:
        server.start_target("hang")
        result = finished(server, (0, 20))
    check(coverage_of(result) == (3, 4), result["coverage"])
    check(any(gap["kind"] == "ended-run" for gap in result["gaps"]), result["gaps"])
    check(result["link"]["broken"] == 0, result["link"])


def ctrl_c_prints_what_was_found(files):
    """Also while the search waits for a target."""
    build(files, "steps", STEPS)
    for with_target in (True, False):
        with Server(files, "steps", *STEPS_OPTIONS, "--out", "out", "-q") as server:
            server.address()
            if with_target:
                target = server.start_target("steps")
                wait_for(lambda: len(tests_of(files.path / "out")) >= 3, "tests")
                target.send_signal(signal.SIGSTOP)
                time.sleep(0.3)
            else:
                time.sleep(0.3)
            server.process.send_signal(signal.SIGINT)
            result = expect(server.result(), 130, "branches covered by", "link: ")
            check(with_target or b"asked for an input" not in result.stdout, "what never ran is said to ask for nothing")
        check((files.path / "out" / "result.json").exists(), "no result.json")


def without_targets_it_waits_or_gives_up(files):
    """--lost-after ends the campaign as unknown, with the reason; it can be gone on with."""
    build(files, "fine", FINE)
    with Server(files, "fine", "--lost-after", "500ms", "--json") as server:
        result = finished(server, 20)
    check(result["verdict"] == "unknown" and "no target was connected for 0.5 s" in result["reason"], result["reason"])
    check(result["link"]["lost"] == "no target was connected for 0.5 s", result["link"])
    with Server(files, "--resume", "--json") as server:
        server.start_target("fine")
        result = finished(server, 0)
    check(result["verdict"] == "no-defect", result)


def beyond_this_machine_a_token_is_needed(files):
    """Without one: exit code 2 and how to make one. A token that others can read: a warning. Targets must know it."""
    build(files, "fine", FINE)
    result = plumb(files, "serve", "--listen", "0.0.0.0:0", "fine")
    expect(result, 2, err=["--token-file"])
    check(not (files.path / "plumb-out" / "campaign.db").exists(), "a campaign was begun")
    files("short", "0123456789\n")
    expect(plumb(files, "serve", "--listen", "0.0.0.0:0", "--token-file", "short", "fine"), 2,
           err=["16 to 1024 bytes", "head -c 32 /dev/urandom | base64 > short && chmod 600 short"])
    expect(plumb(files, "serve", "--token-file", "none", "fine"), 2, err=["none"])
    token = files("token", "correct horse battery staple\n")
    token.chmod(0o644)
    wrong = files("wrong", "correct horse battery stapler\n")
    wrong.chmod(0o600)
    with Server(files, "--token-file", "token", "-v", "--out", "out", "fine") as server:
        refused = server.start_target("fine", "--token-file", wrong)
        time.sleep(1)
        check(server.process.poll() is None, "a wrong token ended the server")
        refused.kill()
        server.start_target("fine", "--token-file", token)
        result = expect(server.result(), 0, err=["chmod 600", "--token-file", "refused"])
    stored = (files.path / "out" / "campaign.db").read_bytes() + (files.path / "out" / "result.json").read_bytes()
    check(b"horse" not in stored and b"horse" not in result.stdout + result.stderr, "the token was told")


def wrong_programs_are_told(files):
    """Exit code 2, what is wrong, and what to do."""
    files("host.c", "int main(void) { return 0; }\n")
    files("text", "no program\n")
    expect(plumb(files, "cc", "host.c", "-o", "host"), 0)
    expect(plumb(files, "serve", "host"), 2, err=["plumb cc --target"])
    expect(plumb(files, "serve", "text"), 2, err=["text"])
    expect(plumb(files, "serve", "missing"), 2, err=["missing"])
    expect(plumb(files, "serve"), 2, err=["no program is given", "plumb serve --resume"])
    expect(plumb(files, "serve", "--replay", "x.json"), 2, err=["plumb serve --replay FILE PROGRAM"])
    build(files, "fine", FINE)
    expect(plumb(files, "serve", "--replay", "x.json", "fine"), 2, err=["x.json", "no such file or directory"])
    for words in (["--sym-args", 0, 1, 2], ["--sym-stdin", 4], ["--fail-io", 1]):
        expect(plumb(files, "serve", "fine", *words), 2, err=[words[0], "for plumb test alone"])
    expect(plumb(files, "serve", "--listen", "nonsense", "fine"), 2, err=["nonsense"])
    expect(plumb(files, "serve", "--smt-solver", "no-such-solver", "fine"), 2, err=["no-such-solver"])
    for words in (["test", "fine"], ["replay", ".", "fine"]):
        if words[0] == "replay":
            files("tests/test-000001.json", '{"plumb": "1.0", "inputs": [1]}')
        expect(plumb(files, *words), 2, err=["plumb serve"])


def a_target_with_another_program_is_refused(files):
    """Its runs would mean something else."""
    build(files, "fine", FINE)
    build(files, "other", BUGS)
    with Server(files, "fine", "--json", "-v") as server:
        other = server.start_target("other")
        time.sleep(1)
        other.kill()
        server.start_target("fine")
        result = server.result()
    check(result.returncode == 0, shown(result))
    link = result_object(result.stdout)["link"]
    check(link["refused"] >= 1, link)


def a_test_is_replayed_on_the_board(files):
    """--replay says how a test ends and which defects the board tells."""
    build(files, "bugs", BUGS)
    with Server(files, "bugs", "--json", "-q") as server:
        server.start_target("bugs")
        found = finished(server, 10)
    for defect in found["defects"]:
        with Server(files, "--replay", defect["test"], "--json", "bugs") as server:
            server.start_target("bugs")
            replayed = finished(server, 10)
        kinds = [entry["kind"] for entry in replayed["defects"]]
        check(defect["kind"] in kinds, f"{defect['kind']} not in {kinds}")
        check(replayed["tests"]["count"] == 1 and replayed["tests"]["list"][0]["end"], replayed["tests"])
        if defect["kind"] == "assertion":
            check(replayed["tests"]["list"][0]["end"] == "assertion", replayed["tests"])
        check(replayed["link"]["runs"] >= 1, replayed["link"])
    with Server(files, "--replay", "plumb-out", "bugs") as server:
        server.start_target("bugs")
        expect(server.result(), 10, "tests run with checks")
    files("good.json", '{"plumb": "1.0", "inputs": [1, 1, 0]}')
    with Server(files, "--replay", "good.json", "bugs") as server:
        server.start_target("bugs")
        expect(server.result(), 0, "ended with exit code 0", "no defect in 1 test")


def an_address_that_is_taken_leaves_the_campaign_alone(files):
    """The old results are replaced only by a campaign that begins."""
    build(files, "fine", FINE)
    with Server(files, "fine", "-q") as server:
        address = server.address()
        server.start_target("fine")
        expect(server.result(), 0)
    kept = tests_of(files.path / "plumb-out")
    with Server(files, "fine", "-q", "--out", "other") as server:
        expect(plumb(files, "serve", "--listen", server.address(), "fine"), 2, err=[server.address()])
    check(address and tests_of(files.path / "plumb-out") == kept, "the old tests are gone")


def main():
    global TARGET
    with tempfile.TemporaryDirectory() as directory:
        TARGET = os.path.join(directory, "plumb-target")
        made = subprocess.run([PLUMB, "cc", "--target", MACHINE, "--plumb-target-program", "-o", TARGET],
                              capture_output=True, timeout=SECONDS)
        if made.returncode != 0:
            print(shown(made))
            return 1
        return run_scenarios([a_board_finds_what_the_host_finds, a_board_goes_the_same_paths_without_regions,
                              places_are_the_callers_of_models, a_signal_that_is_no_crash_is_no_defect,
                              what_boards_do_not_look_for_is_said,
                              a_program_without_defects_ends_with_0, a_killed_server_is_gone_on_with,
                              a_full_disk_is_told_and_costs_nothing_that_was_found,
                              a_full_disk_leaves_the_result_on_standard_output,
                              what_was_confirmed_stays_so_without_a_target,
                              a_campaign_is_gone_on_with_by_the_command_that_began_it, a_target_may_vanish,
                              two_targets_share_the_work, a_serial_line_will_do, a_run_that_hangs_is_ended,
                              ctrl_c_prints_what_was_found,
                              without_targets_it_waits_or_gives_up, beyond_this_machine_a_token_is_needed,
                              wrong_programs_are_told, a_target_with_another_program_is_refused,
                              a_test_is_replayed_on_the_board, an_address_that_is_taken_leaves_the_campaign_alone], Files)


if __name__ == "__main__":
    sys.exit(main())
