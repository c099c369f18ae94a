#!/usr/bin/env python3
"""Campaigns of `plumb test`: kill -9 and --resume, full disks, damaged databases, merging, minimising, determinism.

    run.py PLUMB                     all scenarios, with few kills
    run.py PLUMB NAME…               those whose name contains one of the words
    run.py PLUMB --kills 1000        the one that kills, that often
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

SECONDS = 120

# 1024 paths; depth-first search finds the branches of the first steps last, so tests come up to the end.
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
# 4096 paths.
MORE_STEPS = STEPS.replace("s[5]", "s[6]").replace("STEP(4)", "STEP(4)\n  STEP(5)").replace("r != 14", "r != 17")
STEPS_OPTIONS = ["--regions", "off", "--strategy", "dfs", "--until", "time"]

FILES = """#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
  int r = 0;
  if (argc > 1 && strcmp(argv[1], "-x") == 0) r = 1;
  FILE *f = fopen("A", "r");
  if (!f) return 9;
  for (int c; (c = getc(f)) != EOF;) {
    if (c == 'q') r += 2;
    else if (c == '\\n') r += 4;
  }
  return r;
}
"""


class Run:
    def __init__(self, command, cwd, prefix=()):
        done = subprocess.run([*prefix, PLUMB, *map(str, command)], cwd=cwd, capture_output=True, timeout=SECONDS)
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()
        self.text = f"{' '.join(map(str, command))}\nexit {self.code}\n{self.out}{self.err}"


def expect(condition, what):
    if not condition:
        raise AssertionError(what)


def expect_code(run, *codes):
    expect(run.code in codes, f"exit code {codes}, not {run.code}:\n{run.text}")


def open_database(directory):
    database = sqlite3.connect(directory / "campaign.db")
    verdict = database.execute("PRAGMA integrity_check").fetchall()
    expect(verdict == [("ok",)], f"the database is damaged: {verdict}")
    return database


def stored_tests(directory):
    """By number: the text, the end and the edges."""
    database = open_database(directory)
    tests = {n: (text, end, edges) for n, text, end, edges in
             database.execute("SELECT number, test, end, edges FROM tests")}
    database.close()
    return tests


def file_tests(directory):
    """By number: inputs and environment of the files that are there."""
    tests = {}
    for path in sorted((directory / "tests").glob("test-*.json")):
        content = json.loads(path.read_text())
        tests[int(path.stem.split("-")[1])] = (content["inputs"], content.get("environment"))
    return tests


def covered(directory):
    database = open_database(directory)
    edges = {edge for edge, in database.execute("SELECT edge FROM branches WHERE state = 'covered'")}
    database.close()
    return edges


def states(directory):
    database = open_database(directory)
    found = dict(database.execute("SELECT edge, state FROM branches"))
    database.close()
    return found


def same_test(stored, in_file):
    content = json.loads(stored)
    return (content["inputs"], content.get("environment")) == in_file


def expect_consistent(directory):
    """Every file is a test of the database, with the same content."""
    stored = stored_tests(directory)
    for number, content in file_tests(directory).items():
        expect(number in stored, f"test {number} is a file and not in the database")
        expect(same_test(stored[number][0], content), f"test {number} differs between file and database")
    return stored


def write(directory, name, text):
    (directory / name).write_text(text)


def reference(directory):
    """A campaign that nobody disturbs."""
    run = Run(["test", "steps.c", *STEPS_OPTIONS, "--out", "whole", "--timeout", "60s", "-q"], directory)
    expect_code(run, 10)
    expect("every" not in run.err, run.text)
    return covered(directory / "whole"), states(directory / "whole")


def killed_session(directory, out, is_new, delay):
    words = ["steps.c", *STEPS_OPTIONS] if is_new else ["--resume"]
    process = subprocess.Popen([PLUMB, "test", *words, "--out", out, "--timeout", "60s", "-q"], cwd=directory,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)
    time.sleep(delay)
    process.send_signal(signal.SIGKILL)
    error = process.communicate()[1].decode()
    expect(process.returncode in (-signal.SIGKILL, 10), f"a session ended with {process.returncode}: {error}")


def scenario_killed_campaigns_lose_no_test_and_go_on(directory):
    write(directory, "steps.c", STEPS)
    edges, branch_states = reference(directory)
    rng = random.Random(7)
    seen, is_begun, sessions, out = {}, False, 0, directory / "killed"
    for _ in range(KILLS):
        # Now and then from the beginning: the first moments of a campaign are the rarest otherwise.
        is_new = not is_begun or rng.random() < 0.1
        killed_session(directory, "killed", is_new, rng.uniform(0.02, 1.2))
        if not (out / "campaign.db").exists():
            continue
        stored = expect_consistent(out)
        database = open_database(out)
        now = database.execute("SELECT value FROM search WHERE name = 'sessions'").fetchone()
        database.close()
        # A new campaign takes the place of the old one at a moment that we do not know.
        if is_new and (now is None or now[0] <= 1) and not set(seen.items()) <= set(stored.items()):
            seen = {}
        for number, content in seen.items():
            expect(stored.get(number) == content, f"test {number} is lost or changed")
        seen = stored
        is_begun = now is not None
        sessions += 1
    if not is_begun:
        expect_code(Run(["test", "steps.c", *STEPS_OPTIONS, "--out", "killed", "--timeout", "60s", "-q"], directory), 10)
    done = Run(["test", "--resume", "--out", "killed", "--timeout", "100s", "--json", "-q"], directory)
    expect_code(done, 10)
    result = result_object(done.out)
    expect(result["campaign"]["resumed"], result["campaign"])
    stored = expect_consistent(out)
    for number, content in seen.items():
        expect(stored.get(number) == content, f"test {number} is lost or changed by the last session")
    expect(set(file_tests(out)) == set(stored), "a file is missing after --resume")
    expect(covered(out) == edges, "the coverage of a killed campaign differs from that of an undisturbed one")
    expect(states(out) == branch_states, "branch states of a killed campaign differ from those of an undisturbed one")
    expect(not list((out / "tests").glob(".plumb-*")), "files that were written aside are left")
    expect(sessions > KILLS // 2, f"only {sessions} of {KILLS} kills came after the beginning")
    print(f"    {KILLS} kills, {sessions} with a campaign, {len(stored)} tests")


def scenario_short_sessions_end_where_one_long_session_ends(directory):
    write(directory, "steps.c", MORE_STEPS)
    edges, branch_states = reference(directory)
    counts, words, is_complete, milliseconds = [], ["steps.c", *STEPS_OPTIONS], False, 500
    while not is_complete and len(counts) < 40:
        run = Run(["test", *words, "--out", "short", "--timeout", f"{milliseconds}ms", "--json", "-q"], directory)
        expect_code(run, 10, 20)
        result = result_object(run.out)
        # Long enough to build and to run what was kept again, on a machine of any speed, and no longer.
        if "campaign" not in result or counts[-1:] == [result["tests"]["count"]]:
            milliseconds = milliseconds * 3 // 2
        if "campaign" not in result:
            continue
        words = ["--resume"]
        counts.append(result["tests"]["count"])
        is_complete = result["campaign"]["stop"] == "complete"
    expect(is_complete and len(counts) > 1, f"never complete, or at once: {counts}")
    expect(counts == sorted(counts), f"the number of tests falls: {counts}")
    expect(covered(directory / "short") == edges, "the coverage differs")
    expect(states(directory / "short") == branch_states, "the states of branches differ")
    again = Run(["test", "--resume", "--out", "short", "--timeout", "60s"], directory)
    expect_code(again, 10)
    expect("had finished" in again.err, again.text)


def tests_as_bytes(directory):
    return {path.name: path.read_bytes() for path in sorted((directory / "tests").glob("*.json"))}


def scenario_the_same_seed_gives_the_same_tests(directory):
    write(directory, "steps.c", STEPS)
    write(directory, "files.c", FILES)
    environment = ["--sym-args", "0", "1", "2", "--sym-files", "1", "3"]
    for name, options in (("steps.c", ["--regions", "off"]), ("files.c", environment)):
        for out in ("one", "two"):
            expect_code(Run(["test", name, *options, "--seed", "5", "--out", out, "-q"], directory), 0, 10, 20)
        one, two = tests_as_bytes(directory / "one"), tests_as_bytes(directory / "two")
        expect(one and one == two, f"{name}: two runs with the same seed gave different tests")


def full_disk(directory, kilobytes, command, more):
    """Runs on a file system of its own; then with more room. Gives exit codes and what lay there each time."""
    script = f"""mkdir -p disk && mount -t tmpfs -o size={kilobytes}k tmpfs disk || exit 99
{command} > first.out 2> first.err; echo $? > first.code
rm -rf first && cp -a disk first
mount -o remount,size=64m disk
{more} > second.out 2> second.err; echo $? > second.code
rm -rf second && cp -a disk second
umount disk"""
    flags = ["-m"] if os.geteuid() == 0 else ["-rm"]
    done = subprocess.run(["unshare", *flags, "sh", "-c", script], cwd=directory, capture_output=True, timeout=SECONDS)
    if done.returncode != 0:
        return None
    read = lambda name: (directory / name).read_text()
    return int(read("first.code")), read("first.out"), read("first.err"), int(read("second.code")), read("second.err")


def scenario_a_full_disk_ends_the_run_with_a_message_and_keeps_what_was_written(directory):
    write(directory, "steps.c", STEPS)
    edges, _ = reference(directory)
    command = f"{PLUMB} test steps.c {' '.join(STEPS_OPTIONS)} --out disk/out --timeout 60s -q"
    more = f"if [ -e disk/out/campaign.db ]; then {PLUMB} test --resume --out disk/out -q; else {command}; fi"
    full = 0
    for kilobytes in (32, 96, 128, 160, 192, 256, 400):
        got = full_disk(directory, kilobytes, command, more)
        if got is None:
            print("    no file system can be mounted here: left out")
            return
        code, out, err, code_after, err_after = got
        expect(code in (2, 10), f"{kilobytes} KiB: exit code {code}: {err}")
        if code == 2:
            full += 1
            expect("disk/out" in err and "error" in err, f"{kilobytes} KiB: the message names no file: {err}")
        if (directory / "first/out/campaign.db").exists():
            stored = expect_consistent(directory / "first/out")
            if code == 2 and stored:
                expect("branches covered" in out, f"{kilobytes} KiB: no summary: {out}{err}")
            later = stored_tests(directory / "second/out")
            for number, content in stored.items():
                expect(later.get(number) == content, f"{kilobytes} KiB: test {number} is lost")
        expect(code_after == 10, f"{kilobytes} KiB: with room again it ended with {code_after}: {err_after}")
        expect(covered(directory / "second/out") == edges, f"{kilobytes} KiB: the coverage differs")
    expect(full >= 3, f"the disk was full only {full} times")


def scenario_a_limit_on_the_size_of_files_is_told(directory):
    write(directory, "steps.c", STEPS)
    for size in (60_000, 120_000):
        out = directory / f"limited{size}"
        run = Run(["test", "steps.c", *STEPS_OPTIONS, "--out", out, "--timeout", "60s", "-q"], directory,
                  ["prlimit", f"--fsize={size}"])
        # The program itself may be larger than that; then nothing is begun.
        expect_code(run, 2)
        expect("error:" in run.err, run.text)
        if (out / "campaign.db").exists():
            expect_consistent(out)


def scenario_files_that_are_gone_come_back(directory):
    write(directory, "steps.c", STEPS)
    expect_code(Run(["test", "steps.c", "--out", "out", "-q"], directory), 10)
    before, errors = tests_as_bytes(directory / "out"), list((directory / "out/errors").iterdir())
    expect(len(before) > 2 and errors, "tests and an error")
    for path in [*sorted((directory / "out/tests").iterdir())[1:], *errors]:
        path.unlink()
    write(directory, "out/tests/.plumb-1-1.tmp", "half a te")
    expect_code(Run(["test", "--resume", "--out", "out", "-q"], directory), 10)
    expect(tests_as_bytes(directory / "out") == before, "files of tests differ after --resume")
    expect([p.name for p in (directory / "out/errors").iterdir()] == [p.name for p in errors], "errors differ")


def scenario_mistakes_are_told(directory):
    write(directory, "steps.c", STEPS)
    none = Run(["test", "--resume", "--out", "nothing"], directory)
    expect_code(none, 2)
    expect("no campaign" in none.err, none.text)
    expect_code(Run(["test", "steps.c", "--out", "out", "-q"], directory), 10)
    write(directory, "steps.c", STEPS.replace("'a'", "'z'"))
    changed = Run(["test", "--resume", "--out", "out"], directory)
    expect_code(changed, 2)
    expect("has changed" in changed.err and "--input out/tests" in changed.err.replace(f"{directory}/", ""), changed.text)
    seeded = Run(["test", "steps.c", "--input", "out/tests", "--out", "new", "-q"], directory)
    expect_code(seeded, 10)
    write(directory, "steps.c", STEPS)
    other = Run(["test", "--resume", "--out", "out", "--sym-args", "1", "2", "3"], directory)
    expect_code(other, 2)
    expect("symbolic" in other.err, other.text)
    (directory / "out/campaign.db").write_bytes(b"no database at all" * 300)
    damaged = Run(["test", "--resume", "--out", "out"], directory)
    expect_code(damaged, 2)
    expect("damaged" in damaged.err and "--input" in damaged.err, damaged.text)
    expect_code(Run(["test", "--out", "out"], directory), 2)


def scenario_a_second_process_is_told(directory):
    write(directory, "steps.c", STEPS)
    command = [PLUMB, "test", "steps.c", *STEPS_OPTIONS, "--out", "out", "--timeout", "60s", "-q"]
    first = subprocess.Popen(command, cwd=directory, stdout=subprocess.DEVNULL, start_new_session=True)
    for _ in range(1000):
        if (directory / "out/tests").exists():
            break
        time.sleep(0.01)
    second = Run(["test", "--resume", "--out", "out"], directory)
    expect(first.wait() == 10, "the first process is not disturbed")
    expect_code(second, 2)
    expect("another plumb" in second.err, second.text)


def scenario_an_interrupted_campaign_keeps_everything(directory):
    write(directory, "steps.c", STEPS)
    edges, _ = reference(directory)
    process = subprocess.Popen([PLUMB, "test", "steps.c", *STEPS_OPTIONS, "--out", "out", "-q"], cwd=directory,
                               stdout=subprocess.PIPE, start_new_session=True)
    time.sleep(0.8)
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=60)[0].decode()
    expect("branches covered" in out, f"no summary: {out}")
    expect_consistent(directory / "out")
    expect_code(Run(["test", "--resume", "--out", "out", "-q"], directory), 10)
    expect(covered(directory / "out") == edges, "the coverage differs")


def scenario_options_stay_unless_given_anew(directory):
    write(directory, "dir.c", STEPS)
    (directory / "elsewhere").mkdir()
    expect_code(Run(["test", "dir.c", "-DUNUSED=1", "--regions", "off", "--seed", "9", "--out", "out", "-q"], directory), 10)
    resumed = Run(["test", "--resume", "--out", "../out", "--strategy", "coverage", "-q"], directory / "elsewhere")
    expect_code(resumed, 10)
    database = open_database(directory / "out")
    options = dict(database.execute("SELECT name, value FROM options"))
    for name, value in (("--regions", '["off"]'), ("--seed", '["9"]'), ("-D", '["UNUSED=1"]'),
                        ("--strategy", '["coverage"]')):
        expect(options.get(name) == value, f"{name} is {options.get(name)}")


def scenario_merging_keeps_all_that_each_covers(directory):
    write(directory, "steps.c", STEPS)
    for out, options in (("a", ["--depth", "4"]), ("b", ["--depth", "8", "--seed", "3"]), ("c", ["--until", "error"])):
        run = Run(["test", "steps.c", "--regions", "off", *options, "--out", out, "-q"], directory)
        expect_code(run, 0, 10, 20)
    parts = [directory / name for name in "abc"]
    for out in ("all", "all2"):
        expect_code(Run(["merge", "a", "b", "c", "--out", out], directory), 0)
    expect(tests_as_bytes(directory / "all") == tests_as_bytes(directory / "all2"), "merging is not deterministic")
    union = set().union(*(covered(part) for part in parts))
    expect(covered(directory / "all") == union, "the merged coverage is not the union")
    texts = {text for part in parts for text, _, _ in stored_tests(part).values()}
    merged = stored_tests(directory / "all")
    expect({text for text, _, _ in merged.values()} == texts and len(merged) == len(texts), "not each test once")
    expect(sorted(merged) == list(range(1, len(merged) + 1)), "numbers with gaps")
    expect(set(file_tests(directory / "all")) == set(merged), "files differ from the database")
    small = Run(["merge", "a", "b", "c", "--out", "small", "--minimize", "--json"], directory)
    expect_code(small, 0)
    expect(result_object(small.out)["tests"]["minimal"], small.out)
    expect(len(stored_tests(directory / "small")) < len(merged), "nothing was left out")
    expect(edges_of(directory / "small") == edges_of(directory / "all"), "minimising lost coverage")
    expect_code(Run(["test", "--resume", "--out", "all", "--until", "time", "-q"], directory), 10)
    write(directory, "other.c", STEPS.replace("15", "16"))
    expect_code(Run(["test", "other.c", "--out", "other", "-q"], directory), 10)
    refused = Run(["merge", "a", "other", "--out", "bad"], directory)
    expect_code(refused, 2)
    expect("another program" in refused.err, refused.text)


def edges_of(directory):
    """Those that the stored tests have, unpacked by a reader of our own."""
    edges = set()
    for _, _, blob in stored_tests(directory).values():
        number, shift, last, = 0, 0, 0
        for byte in blob:
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                last += number
                edges.add(last)
                number, shift = 0, 0
    return edges


def scenario_minimising_keeps_coverage_and_errors(directory):
    write(directory, "steps.c", STEPS)
    expect_code(Run(["test", "steps.c", *STEPS_OPTIONS, "--out", "all", "-q"], directory), 10)
    run = Run(["test", "steps.c", *STEPS_OPTIONS, "--out", "few", "--minimize", "--json", "-q"], directory)
    expect_code(run, 10)
    result = result_object(run.out)["tests"]
    few, everything = stored_tests(directory / "few"), stored_tests(directory / "all")
    expect(result["minimal"] and result["count"] == len(few) < result["before_minimising"], f"{result}")
    expect(set(file_tests(directory / "few")) == set(few), "files differ from the database")
    expect(edges_of(directory / "few") == edges_of(directory / "all"), "minimising lost coverage")
    errors = [sum(end in ("error", "signal") for _, end, _ in tests.values()) for tests in (few, everything)]
    expect(errors[0] == errors[1] > 0, f"tests that show errors: {errors}")
    expect_code(Run(["test", "--resume", "--out", "few", "-q"], directory), 10)
    expect(set(few) <= set(stored_tests(directory / "few")), "a minimised campaign can be gone on with")


def main():
    names = [name for name in globals() if name.startswith("scenario_")]
    if ARGUMENTS.kills:
        names = [name for name in names if "killed" in name]
    elif ARGUMENTS.names:
        names = [name for name in names if any(word in name for word in ARGUMENTS.names)]
    failures = 0
    for name in names:
        start = time.monotonic()
        directory = pathlib.Path(tempfile.mkdtemp(prefix="plumb-campaign-"))
        try:
            globals()[name](directory)
            print(f"ok   {name[9:]} ({time.monotonic() - start:.1f} s)", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, sqlite3.Error) as problem:
            failures += 1
            print(f"FAIL {name[9:]}: {problem}", flush=True)
        finally:
            shutil.rmtree(directory, ignore_errors=True)
    return 1 if failures else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("plumb")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--kills", type=int, default=0)
    ARGUMENTS = parser.parse_args()
    PLUMB = str(pathlib.Path(ARGUMENTS.plumb).resolve())
    KILLS = ARGUMENTS.kills or 15
    sys.exit(main())
