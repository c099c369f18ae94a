#!/usr/bin/env python3
"""`plumb run --schedule` on programs with threads, and what `plumb check` shows and has for them alone.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim. races/ has programs that race with -DRACY and do not without it; ThreadSanitizer is
the oracle of both, where it can be."""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

RACES = pathlib.Path(__file__).resolve().parent / "races"
NATIVE_RUNS = 20
THREADS = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
LOST_UPDATE = THREADS + """
int n;
void* add(void* p) { int seen = n; n = seen + 1; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(n == 2);
  return 0;
}
"""
TWO_LOCKS = THREADS + """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
void* other(void* p) {
  pthread_mutex_lock(&k); pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m); pthread_mutex_unlock(&k);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  pthread_mutex_lock(&m); pthread_mutex_lock(&k);
  pthread_mutex_unlock(&k); pthread_mutex_unlock(&m);
  return pthread_join(t, 0);
}
"""


def run(files, source, *arguments, code):
    if source is not None:
        files("program.c", source)
    done = subprocess.run([PLUMB, "run", "program.c", *map(str, arguments), "--json", "-q"], capture_output=True,
                          timeout=SECONDS, cwd=files.path)
    check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return result_object(done.stdout)


def message(files, source, *arguments, code):
    files("program.c", source)
    done = subprocess.run([PLUMB, "run", "program.c", *map(str, arguments)], capture_output=True, timeout=SECONDS,
                          cwd=files.path)
    check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return done.stderr.decode()


def races_of(path, flags):
    done = subprocess.run([PLUMB, "run", str(path), "--schedule", "random", "--runs", "100", "--json", "-q", "--", "-w",
                           *flags], capture_output=True, timeout=SECONDS)
    result = result_object(done.stdout)
    kinds = {defect["kind"] for defect in result["defects"]}
    check(done.returncode in (0, 10) and kinds <= {"data-race"}, f"{path.name} {flags}\n{shown(done)}")
    return bool(kinds)


def seen_by_thread_sanitizer(path, flags, directory):
    """In any of a number of runs; None where it cannot say."""
    if "// no oracle" in path.read_text():
        return None
    program = directory / f"{path.stem}{len(flags)}"
    subprocess.run(["clang-19", "-g", "-O1", "-w", "-fsanitize=thread", "-pthread", *flags, str(path), "-o",
                    str(program)], check=True, timeout=SECONDS)
    for _ in range(NATIVE_RUNS):
        done = subprocess.run(["setarch", "-R", str(program)], capture_output=True, timeout=SECONDS,
                              env={**os.environ, "TSAN_OPTIONS": "exitcode=66"})
        if b"ThreadSanitizer: data race" in done.stderr:
            return True
        if b"FATAL: ThreadSanitizer" in done.stderr:
            return None
    return False


def races_are_found_where_they_are(files):
    """Racy programs have a data race and their twins none; whatever ThreadSanitizer reports is found."""
    complaints, oracle = [], 0

    def look(job):
        path, flags = job
        ours, theirs = races_of(path, flags), seen_by_thread_sanitizer(path, flags, files.path)
        expected = bool(flags)
        if ours != expected:
            complaints.append(f"{path.name} {flags}: race {ours}, expected {expected}")
        if theirs and not expected:
            complaints.append(f"{path.name}: ThreadSanitizer reports a race")
        return theirs is not None

    jobs = [(path, flags) for path in sorted(RACES.glob("*.c")) for flags in ([], ["-DRACY"])]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        oracle = sum(pool.map(look, jobs))
    check(not complaints, "\n".join(complaints))
    check(len(jobs) >= 40 and oracle >= 40, f"{oracle} of {len(jobs)} have an oracle")


def a_race_says_both_places(files):
    """The defect is at the second access, and its message says where the first one is."""
    result = run(files, LOST_UPDATE, "--schedule", "random", code=10)
    defect = next(d for d in result["defects"] if d["kind"] == "data-race")
    check(defect["line"] == 6 and "'n'" in defect["message"] and "program.c:6" in defect["message"], str(defect))


def a_sample_can_be_run_again(files):
    """What a random order finds is found by its schedule, with the same inputs."""
    source = LOST_UPDATE.replace("int n;", "extern int __VERIFIER_nondet_int(void);\nint n, x;").replace(
        "  pthread_t a, b;", "  pthread_t a, b;\n  x = __VERIFIER_nondet_int();").replace("n == 2", "n == 2 || x != 5")
    files("five.json", json.dumps({"inputs": [5]}))
    for seed in range(10):
        found = run(files, source, "--schedule", "random", "--input", "five.json", "--seed", seed, "--out", "out", code=10)
        again = run(files, None, "--schedule", "out/inputs.json", code=10)
        check([d["kind"] for d in again["defects"]] == [d["kind"] for d in found["defects"]], f"{found}\n{again}")
        check(found["schedule"] == again["schedule"], f"{found['schedule']}\n{again['schedule']}")


def the_same_seed_gives_the_same_runs(files):
    """Samples are a function of the seed."""
    one, two = (run(files, LOST_UPDATE, "--schedule", "random", "--seed", 7, code=10) for _ in range(2))
    check(one["schedule"] == two["schedule"] and one["stats"]["runs"] == two["stats"]["runs"], f"{one}\n{two}")


def a_deadlock_says_who_waits_for_what(files):
    """Turns do not find it, samples do."""
    run(files, TWO_LOCKS, code=0)
    defect = run(files, TWO_LOCKS, "--schedule", "random", "--runs", 500, code=10)["defects"][0]
    check(defect["kind"] == "deadlock", str(defect))
    for words in ("thread 1 waits for mutex 'k', held by thread 2", "thread 2 waits for mutex 'm', held by thread 1"):
        check(words in defect["message"], defect["message"])


def a_schedule_of_another_program_is_a_message(files):
    """Steps that cannot be made end the run; a file without a schedule, or with a wrong one, is refused."""
    files("other.json", '{"schedule": [{"thread": 5, "operations": 1}]}')
    text = message(files, LOST_UPDATE, "--schedule", "other.json", code=20)
    check("step 1 of the schedule" in text and "not created" in text, text)
    files("waits.json", '{"schedule": [{"thread": 0, "operations": 2}, {"thread": 1, "operations": 9}, '
                        '{"thread": 1, "operations": 1}]}')
    check("has ended" in message(files, LOST_UPDATE, "--schedule", "waits.json", code=20), "ended thread")
    files("long.json", '{"schedule": [{"thread": 0, "operations": 99}, {"thread": 1, "operations": 99}, '
                       '{"thread": 2, "operations": 99}, {"thread": 0, "operations": 99}, {"thread": 0, "operations": 1}]}')
    check("before the last" in message(files, LOST_UPDATE, "--schedule", "long.json", code=10), "steps that are left")
    for text in ('{"inputs": []}', '{"schedule": 3}', '{"schedule": [3]}', '{"schedule": [{"thread": 1}]}',
                 '{"schedule": [{"thread": -1, "operations": 1}]}', '{"schedule": [{"thread": 99999999999, "operations": 1}]}'):
        files("bad.json", text)
        check("schedule" in message(files, LOST_UPDATE, "--schedule", "bad.json", code=2), text)
    message(files, LOST_UPDATE, "--schedule", "missing.json", code=2)
    message(files, LOST_UPDATE, "--schedule", "random", "--runs", "0", code=2)


def wrong_uses_are_answered_as_c_says(files):
    """Unlocking what is free, joining oneself, a thread function that is missing: an error number or a message."""
    run(files, THREADS + "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "int main(void) { return pthread_mutex_unlock(&m) == 1 ? 0 : 1; }\n", code=0)
    run(files, THREADS + "int main(void) { assert(pthread_join(pthread_self(), 0) == 35); return 0; }\n", code=0)
    run(files, THREADS + "int main(void) { assert(pthread_join(77, 0) == 3); return 0; }\n", code=0)
    result = run(files, THREADS + "void* nobody(void*);\n"
                 "int main(void) { pthread_t t; return pthread_create(&t, 0, nobody, 0); }\n", code=20)
    check("nobody" in result["reason"], str(result))
    run(files, THREADS + "int main(void) { pthread_t t; return pthread_create(&t, 0, 0, 0); }\n", code=10)
    result = run(files, THREADS + "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n"
                 "int main(void) { return pthread_rwlock_unlock(&l) == 1 ? 0 : 1; }\n", code=0)


SERVER = THREADS + """
_Atomic int request, served;
void* server(void* p) {
  for (;;) {
    while (!request) {}
work: served = 1;
    request = 0;
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, server, 0);
  for (;;) { served = 0; request = 1; while (request) {} }
}
"""
STORE_BUFFERING = THREADS + """
int x, y, r, s;
void* f(void* p) { x = 1; r = y; return p; }
void* g(void* p) { y = 1; s = x; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0);
  pthread_create(&b, 0, g, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r || s);
  return 0;
}
"""


def checked(files, source, *arguments, code):
    files("program.c", source)
    done = subprocess.run([PLUMB, "check", "program.c", *arguments], capture_output=True, timeout=SECONDS, cwd=files.path)
    check(done.returncode == code, f"{arguments}: expected exit code {code}\n{shown(done)}")
    return done.stdout.decode() + done.stderr.decode()


def a_formula_is_answered_with_a_run_that_has_a_cycle(files):
    """The file has the step that the cycle begins with; its run can be made up to the end of one round."""
    formula = "G (request -> F served)"
    text = checked(files, SERVER, "--ltl", formula, "--out", "out", code=10)
    check("violated" in text and "the cycle is repeated for ever" in text and "{request}" in text, text)
    test = json.loads((files.path / "out" / "counterexample.json").read_text())
    check(0 < test["cycle"] < len(test["schedule"]), str(test))
    check("proved by explore" in checked(files, SERVER, "--ltl", formula, "--fairness", "weak", code=0), "fair")
    text = checked(files, SERVER, "--ltl", "G F at(server:work)", "--ltl", "F served", "--fairness", "weak", "--json", "-q", code=0)
    check([p["kind"] for p in result_object(text.encode())["properties"]] == ["ltl", "ltl"], text)


def a_formula_that_is_wrong_is_a_message_with_its_column(files):
    """Syntax, names, labels and side effects; the compiler's own words where it has them."""
    for formula, words in (("G (request -> F serve)", "--ltl:1:17: error: this is no condition of the program: use of undeclared identifier 'serve'"),
                           ("G (request", "--ltl:1:3: error: this '(' is not closed"), ("F request = 1", "does more than read"),
                           ("F at(server:rest)", "there is no label 'rest' in function 'server'"), ("X served", "--ltl:1:1: error: X is not supported")):
        check(words in checked(files, SERVER, "--ltl", formula, code=2), formula)
    checked(files, SERVER, "--fairness", "weak", code=2)
    checked(files, SERVER, "--ltl", "F served", "--engine", "bmc", code=2)


def store_buffers_are_seen_and_replayed(files):
    """What total store order allows and sequential consistency does not is found, and made again from its file."""
    checked(files, STORE_BUFFERING, "--memory-model", "sc", code=0)
    checked(files, STORE_BUFFERING, "--memory-model", "tso", "--out", "out", code=10)
    check(json.loads((files.path / "out" / "counterexample.json").read_text())["memory_model"] == "tso", "memory model")
    defects = run(files, None, "--schedule", "out/counterexample.json", code=10)["defects"]
    check(any(d["kind"] == "assertion" for d in defects), str(defects))
    fenced = STORE_BUFFERING.replace("= 1; ", "= 1; __sync_synchronize(); ")
    check("total store order" in checked(files, fenced, "--memory-model", "tso", code=0), "assumption")
    checked(files, STORE_BUFFERING, "--memory-model", "tso", "--property", "data-race", code=2)


def check_command(files, source, *arguments, code=10):
    files("program.c", source)
    done = subprocess.run([PLUMB, "check", "program.c", *map(str, arguments)], capture_output=True, timeout=SECONDS, cwd=files.path)
    check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return done.stdout.decode()


def replayed(files, directory, code):
    done = subprocess.run([PLUMB, "replay", directory, "--no-files"], capture_output=True, timeout=SECONDS, cwd=files.path)
    check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return done.stdout.decode()


def a_counterexample_is_lanes(files):
    """A column per thread, with the accesses that matter and their values, in 80 characters; in the object as data."""
    text = check_command(files, LOST_UPDATE.replace("int n;", "int n, unseen;").replace("pthread_t a, b;", "pthread_t a, b; unseen = 3;"), "--out", "found")
    lanes = text[text.index("threads, time goes down"):].splitlines()
    check(lanes[1].split() == "thread 1 thread 2 thread 3".split(), text)
    check(all(len(line) <= 80 for line in lanes) and "unseen" not in "".join(lanes), text)
    check(sum("read n = 0" in line for line in lanes) == 2 and "13 fails" in text, text)
    steps = json.loads((files.path / "found" / "result.json").read_text())["properties"][0]["goals"][0]["counterexample"]["lanes"]["lines"]
    check(steps[0] == {"thread": 1, "file": "program.c", "line": 9, "column": 3, "function": "main", "what": "create", "variable": "thread 2", "other": 2},
          str(steps[0]))
    check([s["value"] for s in steps if s["what"] == "write"] == ["1", "1"], str(steps))
    again = message(files, LOST_UPDATE, "--schedule", "random", code=10)
    check("threads, time goes down" in again, again)


def a_counterexample_is_made_again_natively(files):
    """The switches are enforced: each of ten replays fails; with inputs of a thread, and a deadlock likewise."""
    text = check_command(files, LOST_UPDATE, "--out", "found")
    check("confirmed by interpreter and native run" in text, text)
    for _ in range(10):
        check("fails in the order of its schedule: assertion" in replayed(files, "found", 10), "found")
    text = check_command(files, TWO_LOCKS, "--property", "deadlock", "--out", "dead")
    check("confirmed by interpreter and native run" in text, text)
    check("fails in the order of its schedule: deadlock" in replayed(files, "dead", 10), "dead")


def a_witness_has_threads(files):
    """The violation witness in GraphML is a path with creations, and inputs where they are asked for."""
    source = LOST_UPDATE.replace("int n;", "int __VERIFIER_nondet_int(void);\nint n;").replace("n = seen + 1", "n = seen + __VERIFIER_nondet_int()")
    check_command(files, source.replace("n == 2", "n != 7"), "--out", "found")
    done = subprocess.run([sys.executable, GRAPH, files.path / "found" / "witness.graphml", files.path / "program.c"], capture_output=True, timeout=SECONDS)
    check(done.returncode == 0, shown(done))
    check(b"result ==" in (files.path / "found" / "witness.graphml").read_bytes(), "inputs")
    check_command(files, source.replace("n == 2", "n != 7"), "--witness", "alone.graphml")
    check((files.path / "alone.graphml").read_text().startswith("<?xml"), "alone.graphml")


def a_variable_of_another_thread_ends(files):
    """What a function has in memory ends before another thread uses it, in one order alone; the interpreter makes that run."""
    text = check_command(files, THREADS + """
int* _Atomic seen;
void* other(void* p) { int* at = seen; if (at) *at = 1; return p; }
int publish(void) { int made = 0; seen = &made; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  publish();
  pthread_join(t, 0);
  return 0;
}
""", "--property", "memsafety", "--engine", "explore")
    check("'made'" in text and "was left" in text and "confirmed by interpreter" in text, text)
    check("write seen = " in text and "read seen = " in text, text)


GRAPH = pathlib.Path(__file__).resolve().parents[1] / "check" / "witness_graph.py"
SCENARIOS = [races_are_found_where_they_are, a_race_says_both_places, a_sample_can_be_run_again,
             the_same_seed_gives_the_same_runs, a_deadlock_says_who_waits_for_what,
             a_counterexample_is_lanes, a_counterexample_is_made_again_natively, a_witness_has_threads,
             a_variable_of_another_thread_ends, a_schedule_of_another_program_is_a_message, wrong_uses_are_answered_as_c_says,
             a_formula_is_answered_with_a_run_that_has_a_cycle, a_formula_that_is_wrong_is_a_message_with_its_column,
             store_buffers_are_seen_and_replayed]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
