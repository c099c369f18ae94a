#!/usr/bin/env python3
"""Runs `plumb check` on C programs and tasks as a user would.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim. Counterexamples are compiled and run here, witnesses validated by witness_validator.py."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
TASKS = HERE.parents[1] / "tasks"
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(TASKS))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402
from validate import all_tasks  # noqa: E402
from witness_validator import Invalid, validate  # noqa: E402

# Tasks of every family that each engine decides in a moment.
SAFE = ("bitvector/byte_swap_safe", "locks/locks_7_safe", "loop_invariants/count_up_down_safe", "arrays/invert_string_safe",
        "recursion/even_odd_safe", "control_flow/open_close_safe", "memory_safety/double_free_safe", "overflow/negation_safe",
        "unknowns/printf_digits_safe", "unknowns/atexit_deep_safe", "unknowns/extern_limit_safe")
UNSAFE = ("bitvector/midpoint_unsafe", "locks/locks_7_unsafe", "loops/terminator_unsafe", "arrays/swap_two_unsafe", "recursion/pointer_result_unsafe",
          "control_flow/peterson_unsafe", "memory_safety/index_from_outside_unsafe", "overflow/quotient_unsafe", "unknowns/atexit_deep_unsafe", "unknowns/printf_sign_unsafe")
BOUNDED = ("bitvector/byte_swap_safe", "recursion/even_odd_safe", "arrays/invert_string_safe", "arrays/search_65_safe",
           "overflow/negation_safe", "unknowns/block_without_bound_safe", "unknowns/filled_block_safe")  # all runs end soon

COUNTER = """#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char count = 0, step;
  while (1) {
    step = __VERIFIER_nondet_uchar();
    if (step > 2) step = 0;
    count = (unsigned char)(count + step);
    if (count > 9) count = 0;
    assert(count <= 9);
    assert(count != 7);
  }
}
"""
UNBOUNDED = """#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned int even = 0;
  while (__VERIFIER_nondet_bool()) even += 2;
  assert(even % 2 == 0);
  return 0;
}
"""


def plumb(files, *arguments, seconds=SECONDS):
    return subprocess.run([PLUMB, "check", *map(str, arguments)], capture_output=True, timeout=seconds, cwd=files.path)


def checked(files, *arguments, code=None):
    # The object of --json, which is all of the output.
    done = plumb(files, *arguments, "--json", "-q")
    try:
        result = result_object(done.stdout)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{shown(done)}") from error
    if code is not None:
        check(done.returncode == code, f"expected exit code {code}\n{shown(done)}")
    return result


def task(name):
    (found,) = all_tasks([name])
    return found


def goals(result):
    return [goal for property in result["properties"] for goal in property["goals"]]


def safe_tasks_hold(files):
    """Safe tasks of each family hold with the circuit engine and in the race; the expected verdict of the task agrees."""
    for name in SAFE:
        for engine in ("circuit", "auto"):
            result = checked(files, task(name).definition, "--engine", engine, "--timeout", "30", code=0)
            check(result["verdict"] == "holds", f"{name} with {engine}: {result['verdict']}")
            check(all(p["expected"] is True and p["agrees"] is True for p in result["properties"] if "expected" in p), f"{name}: {result}")


def unrolling_proves_what_ends(files):
    """Programs whose runs all end within the unrolling are proved by it."""
    for name in BOUNDED:
        result = checked(files, task(name).definition, "--engine", "bmc", "--timeout", "30", code=0)
        check(result["verdict"] == "holds", f"{name}: {result['verdict']}")


def unsafe_tasks_are_violated_and_replayed(files):
    """Unsafe tasks are violated with each engine; the counterexample's C file, compiled as its head says, comes to the error."""
    for name in UNSAFE:
        for engine in ("circuit", "bmc", "auto"):
            out = files.path / f"{name.replace('/', '-')}-{engine}"
            result = checked(files, task(name).definition, "--engine", engine, "--timeout", "30", "--out", out, code=10)
            check(result["verdict"] == "violated", f"{name} with {engine}: {result['verdict']}")
            if engine != "circuit":
                replay_natively(out, task(name))
            check_witness(out, task(name))


def values_that_nothing_set_are_said_and_replayed(files):
    """A violation that depends on values that nothing set says them with their places, and its test has them."""
    for name, site in (("uninit_local_unsafe", "main.x"), ("uninit_array_unsafe", "main.a"), ("uninit_realloc_unsafe", "main.realloc")):
        unsafe = task(f"unknowns/{name}")
        for engine in ("circuit", "bmc"):
            out = files.path / f"{name}-{engine}"
            result = checked(files, unsafe.definition, "--engine", engine, "--timeout", "60", "--out", out, code=10)
            (found,) = [g["counterexample"] for g in goals(result) if g["verdict"] == "violated"]
            check(found["confirmed_by"] == "native run", f"{found}")
            unset = [u for u in found["uninitialised"] if u["site"].startswith(site + ":")]
            check(unset and all(f":{u['line']}" in u["site"] for u in unset), f"{found}")
            (test,) = out.glob("counterexample*.json")
            expect(plumb(files, unsafe.source, "--property", "assertions", "--replay", test), 10, "violated", f"uninitialised {site}:")
            run = subprocess.run([PLUMB, "run", str(unsafe.source), "--input", str(test)], capture_output=True, timeout=SECONDS)
            check(run.returncode == 10, f"the interpreter does not come to the error\n{shown(run)}")


def replay_natively(out, unsafe):
    """Compiles counterexample.c with the task, and runs it: the test ends as recorded."""
    (test,) = out.glob("counterexample*.c")
    executable = out / "replay"
    command = re.search(r"^.*?(cc .*--wrap=main.*)$", test.read_text(), re.M)
    check(command, f"{test} does not say how to compile it")
    compiler = ["clang-19", "-w", "-O1", "-g", f"-m{unsafe.word_size}", "-D__PLUMB__", "-Wl,--wrap=main"]
    if unsafe.property == "no-overflow":
        compiler += ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"]
    if unsafe.property == "valid-memsafety":
        compiler += ["-fsanitize=address"]
    done = subprocess.run([*compiler, str(test), str(unsafe.source), "-o", str(executable)], capture_output=True)
    check(done.returncode == 0, shown(done))
    # One test in this process: an error call, a failed assertion and a sanitizer end it.
    done = subprocess.run([str(executable), "1"], capture_output=True, timeout=60, cwd=out)
    text = (done.stdout + done.stderr).decode(errors="replace")
    check(done.returncode != 0, f"the replay ends well\n{shown(done)}")
    if unsafe.property == "no-overflow":
        check("runtime error" in text, shown(done))
    elif unsafe.property == "valid-memsafety":
        check("AddressSanitizer" in text, shown(done))


def check_witness(out, unsafe):
    (witness,) = out.glob("witness*.yml")
    try:
        validate(witness, unsafe.source)
    except Invalid as error:
        raise AssertionError(f"{witness}: {error}\n{witness.read_text()}") from error


def floats_are_refused(files):
    """Floating point on the way to an assertion is unknown, and the reason names it and its place."""
    for each in all_tasks(["floats"]):
        if "unsafe" in each.name:
            continue
        result = checked(files, each.definition, "--timeout", "20", code=20)
        check(result["verdict"] == "unknown", f"{each.name}: {result['verdict']}")
        reason = " ".join(g.get("reason", "") for g in goals(result))
        check(re.search(r"float", reason) and f"{each.name}.c:" in reason, f"{each.name}: {reason!r}")


def text_of_a_violation(files):
    """A violation prints its place, the failing inputs and a trace of lines with changed variables; exit code 10."""
    files("counter.c", COUNTER)
    done = expect(plumb(files, "counter.c", "--timeout", "30"), 10, "violated", "counter.c:11", "count != 7", "confirmed by", "native")
    text = done.stdout.decode()
    check(re.search(r"counter\.c:\d+.*count\s*=\s*7", text), f"no line says count = 7\n{text}")
    check(len(text.splitlines()) < 60, f"{len(text.splitlines())} lines\n{text}")


def text_of_a_proof(files):
    """A proof for all run lengths names its engine; exit code 0."""
    files("even.c", UNBOUNDED)
    expect(plumb(files, "even.c", "--timeout", "30", "--engine", "circuit"), 0, "holds", "proved by circuit")


def bounded_is_not_proved(files):
    """Unrolling a loop without a bound holds up to the bound, never more; exit code 20."""
    files("even.c", UNBOUNDED)
    result = checked(files, "even.c", "--engine", "bmc", "--unwind", "5", code=20)
    check(result["verdict"] in ("holds up to", "unknown"), str(result))
    check("5" in " ".join(g.get("reason", "") for g in goals(result)), str(result))
    done = expect(plumb(files, "even.c", "--engine", "bmc", "--unwind", "5"), 20)
    check(b"proved by" not in done.stdout, shown(done))


def heap_bound_is_not_proof(files):
    """A program that takes more heap objects than --heap allows is not called proved."""
    files("many.c", "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = 0;\n"
          "  while (n < 20 && __VERIFIER_nondet_int()) {\n    char *p = malloc(1);\n    if (!p) return 0;\n    n++;\n    assert(n < 20);\n  }\n  return 0;\n}\n")
    result = checked(files, "many.c", "--engine", "circuit", "--heap", "4", "--timeout", "20")
    check(result["verdict"] != "holds", str(result))


def stack_bound_is_not_proof(files):
    """A recursion that goes deeper than --stack is not called proved, and an error below the bound is not lost."""
    files("deep.c", "extern void reach_error(void);\nextern _Bool __VERIFIER_nondet_bool(void);\nstatic void dig(int depth) {\n"
          "  if (depth == 12) reach_error();\n  if (__VERIFIER_nondet_bool()) dig(depth + 1);\n}\nint main(void) { dig(0); return 0; }\n")
    result = checked(files, "deep.c", "--engine", "circuit", "--stack", "6", "--timeout", "20")
    check(result["verdict"] in ("holds up to", "unknown"), str(result))
    check(checked(files, "deep.c", "--engine", "circuit", "--stack", "20", "--timeout", "30")["verdict"] == "violated", "violated is wanted")


def all_assertions_in_a_table(files):
    """--all gives each assertion a row: one holds and one is violated."""
    files("counter.c", COUNTER)
    done = expect(plumb(files, "counter.c", "--all", "--timeout", "40"), 10, "counter.c:10", "counter.c:11")
    rows = {line.split()[0].rsplit(":", 2)[1]: line for line in done.stdout.decode().splitlines() if re.match(r"\s+counter\.c:1[01]", line)}
    check("holds" in rows.get("10", "") and "violated" in rows.get("11", ""), shown(done))
    result = checked(files, "counter.c", "--all", "--timeout", "40", code=10)
    check({g["line"]: g["verdict"] for g in goals(result)} == {10: "holds", 11: "violated"}, str(result))


def files_under_out(files):
    """--out has result.json, the counterexample as JSON and C, and a witness whose hash is that of the source; no half-written file."""
    source = files("counter.c", COUNTER)
    result = checked(files, "counter.c", "--out", "run", "--timeout", "30", code=10)
    names = sorted(p.name for p in (files.path / "run").iterdir())
    check(names == ["counterexample.c", "counterexample.json", "result.json", "witness.yml"], str(names))
    check(json.loads((files.path / "run" / "result.json").read_text()) == result, "result.json differs from --json")
    witness = (files.path / "run" / "witness.yml").read_text()
    check(hashlib.sha256(source.read_bytes()).hexdigest() in witness, witness)


def replay_of_a_saved_run(files):
    """--replay shows the saved counterexample again, and refuses one that violates nothing."""
    files("counter.c", COUNTER)
    checked(files, "counter.c", "--out", "run", "--timeout", "30", code=10)
    expect(plumb(files, "counter.c", "--replay", "run/counterexample.json", "--full-trace"), 10, "violated", "count != 7")
    files("counter.c", COUNTER.replace("assert(count != 7)", "assert(count != 17)"))
    done = plumb(files, "counter.c", "--replay", "run/counterexample.json")
    check(done.returncode == 20, shown(done))
    files("nothing.c", "int main(void) { return 0; }\n")
    files("empty.json", '{"inputs": []}')
    result = checked(files, "nothing.c", "--property", "memsafety", "--property", "assertions", "--replay", "empty.json", code=20)
    check([each["verdict"] for each in result["properties"]] == ["unknown", "unknown"], str(result))
    result = checked(files, "nothing.c", "--property", "memsafety", code=0)
    check(result["properties"][0]["verdict"] == "holds" and result["properties"][0]["reason"], str(result))


def files_of_the_user_are_left_alone(files):
    """A program that writes files before it fails changes none of the user's, neither in a search nor in a replay."""
    files("writes.c", f"""#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {{
  FILE *here = fopen("kept.txt", "w"), *there = fopen("{files.path}/kept.txt", "a");
  if (there) fputs("x", there), fclose(there);
  if (here) fputs("x", here), fclose(here);
  assert(__VERIFIER_nondet_int() != 7);
}}
""")
    kept = files("kept.txt", "precious\n")
    for arguments in (("--engine", "tester", "--out", "run"), ("--replay", "run/counterexample.json")):
        expect(plumb(files, "writes.c", *arguments), 10, "violated")
        check(kept.read_text() == "precious\n", f"{arguments}: kept.txt is now {kept.read_text()!r}")


def sources_are_compiled_once(files):
    """All engines, the builds of replays and the trace are made of one run of clang on each source."""
    log = files("bin/log")
    wrapper = files("bin/clang-19", f'#!/bin/sh\necho "$*" >> {log}\nexec {shutil.which("clang-19")} "$@"\n')
    wrapper.chmod(0o755)
    files("counter.c", COUNTER)
    environment = {**os.environ, "PATH": f"{wrapper.parent}:{os.environ['PATH']}"}
    for arguments in ((), ("--engine", "tester"), ("--engine", "bmc"), ("--property", "memsafety")):
        log.write_text("")
        done = subprocess.run([PLUMB, "check", "counter.c", *arguments], capture_output=True, timeout=SECONDS, cwd=files.path, env=environment)
        expect(done, (0, 10, 20))
        runs = [line for line in log.read_text().splitlines() if line.split()[-1] == "counter.c"]
        check(len(runs) == 1, f"{arguments}: clang read the source {len(runs)} times:\n{log.read_text()}")


def correctness_witness_is_valid(files):
    """The invariants of proofs parse as C and hold at their loops in native runs; some proof has one."""
    invariants = 0
    for name in ("loop_invariants/even_steps_safe", "loop_invariants/two_counters_safe", "control_flow/traffic_lights_safe", "loops/endless_counter_safe"):
        each = task(name)
        out = files.path / each.name
        checked(files, each.definition, "--engine", "circuit", "--timeout", "30", "--out", out, code=0)
        (witness,) = out.glob("witness*.yml")
        try:
            invariants += validate(witness, each.source)
        except Invalid as error:
            raise AssertionError(f"{witness}: {error}\n{witness.read_text()}") from error
    check(invariants > 0, "no proof has an invariant in the words of its source")


def vacuous_assertions(files):
    """An assertion behind an assumption that cannot hold is vacuous, not proved; exit code 20. So is one that the compiler left out."""
    files("vacuous.c", "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nextern void __VERIFIER_assume(int);\nint main(void) {\n"
          "  int x = __VERIFIER_nondet_int();\n  __VERIFIER_assume(x > 3 && x < 3);\n  assert(x == 7);\n  return 0;\n}\n")
    for engine in ("circuit", "bmc", "auto"):
        expect(plumb(files, "vacuous.c", "--engine", engine, "--timeout", "30"), 20, "vacuous")
    files("left_out.c", "#include <assert.h>\nint main(void) {\n  while (1) {}\n  assert(0);\n}\n")
    expect(plumb(files, "left_out.c", "--timeout", "30"), 20, "vacuous")


UNDEFINED_HEAD = """#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static int g, h[4], sink;
static int more(int k) { return (k & 7) + 1; }
static int wide(long k) { return (int)(k & 7); }
static int *of_local(int is_local) { int l = 1; int *p = &g; if (is_local) p = &l; return p; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 0 || x > 3) return 0;
"""
# By property: what goes wrong for one input, and what goes wrong for none.
UNDEFINED = {
    "bounds": ("h[x + 1] = 1;", "h[x] = 1;"),
    "null": ("int *p = x == 2 ? 0 : &g; *p = 1;", "int *p = x == 4 ? 0 : &g; *p = 1;"),
    "use-after-free": ("int *p = malloc(4); if (x == 2) free(p); *p = 1; if (x != 2) free(p);", "int *p = malloc(4); *p = x; free(p);"),
    "use-after-return": ("*of_local(x == 2) = 1;", "*of_local(x == 4) = 1;"),
    "free": ("char *p = malloc(4); free(x == 2 ? p + 1 : p);", "char *p = malloc(4); free(x == 4 ? p + 1 : p);"),
    "leak": ("char *p = malloc(4); if (x != 2) free(p); p = 0;", "char *p = malloc(4); if (x != 4) free(p); p = 0;"),
    "division": ("g = 7 / (x - 2);", "g = 7 % (x - 4);"),
    "overflow": ("g = 2147483645 + x;", "g = 2147483644 + x;"),
    "shift": ("sink = 1 << (x * 11);", "sink = 1u << (x * 10);"),
    "call": ("int (*f)(int) = x == 2 ? (int (*)(int))wide : more; g = f(1);", "int (*f)(int) = x == 4 ? 0 : more; g = f(1);"),
    "pointer-arithmetic": ("int *p = h + x + 2; g = p == h;", "int *p = h + x + 1; g = p == h;"),
    "vla": ("char room[x - 1]; room[0] = 1; g = room[0];", "char room[x + 1]; room[0] = 1; g = room[0];"),
}


def undefined_behaviour_has_a_property_each(files):
    """Each check of plumb test is a property of this name, which both engines decide alone; the bundle has all but leaks."""
    for name, bodies in UNDEFINED.items():
        for body, verdict in zip(bodies, ("violated", "holds")):
            source = files(f"{name}-{verdict}.c", f"{UNDEFINED_HEAD}  {body}\n  return 0;\n}}\n")
            for asked in (name, "undefined"):
                expected = "holds" if asked == "undefined" and name == "leak" else verdict
                for engine in ("circuit", "bmc"):
                    result = checked(files, source, "--property", asked, "--engine", engine, "--timeout", "30")
                    (property,) = result["properties"]
                    check(property["name"] == property["kind"] == asked, f"{property['name']}")
                    check(result["verdict"] == expected, f"{body} {asked} {engine}: {result['verdict']} {property.get('reason')}")
                    if expected == "violated":
                        check(property["line"] in (10, 6) and "assuming" not in property, f"{body}: {property}")


def sizes_in_bitcode_of_others(files):
    """Bitcode without clang's tests of sizes gets one for each variable of variable length, and none for alloca()."""
    for declaration, verdict in (("char room[x][2]; room[0][0] = 1;", "violated"), ("char room[x + 1][2]; room[0][0] = 1;", "holds"),
                                 ("char *room = __builtin_alloca(x); g = room != 0;", "holds")):
        source = files("a.c", f"{UNDEFINED_HEAD}  {declaration}\n  return 0;\n}}\n")
        done = subprocess.run(["clang-19", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-O0-optnone", "-g", str(source), "-o", str(files.path / "a.ll")],
                              capture_output=True)
        check(done.returncode == 0, shown(done))
        result = checked(files, "a.ll", "--property", "vla", "--timeout", "30")
        check(result["verdict"] == verdict, f"{declaration}: {result['verdict']}")


def calls_through_known_pointers_have_to_fit(files):
    """A call that the compiler sees through is wrong as any other; a function of the old style takes what it is given."""
    wide = files("wide.c", "static int wide(long k) { return (int)(k & 7); }\nint main(void) {\n  int (*f)(int) = (int (*)(int))wide;\n  return f(1);\n}\n")
    old = files("old.c", "static int wide(k) long k; { return (int)(k & 7); }\nint main(void) {\n  return wide(1) - 1;\n}\n")
    for engine in ("circuit", "bmc"):
        result = checked(files, wide, "--property", "call", "--engine", engine, code=10)
        check(result["properties"][0]["line"] == 4, f"{result['properties']}")
        result = checked(files, old, "--property", "call", "--engine", engine, "--compiler-flag=-std=c99", code=0)
        check(result["verdict"] == "holds", f"{engine}: {result['verdict']}")


def other_undefined_behaviour_is_no_violation(files):
    """What goes wrong besides is not called by the name that was asked for; the proof says what it takes for granted."""
    source = files("two.c", f"{UNDEFINED_HEAD}  h[x + 1] = 1;\n  int *p = x == 4 ? 0 : &g; *p = 1;\n  return 0;\n}}\n")
    result = checked(files, source, "--property", "null", "--engine", "bmc", code=0)
    (property,) = result["properties"]
    check([entry["kind"] for entry in property["assuming"]] == ["index"], f"{property}")
    result = checked(files, source, "--property", "bounds", "--engine", "bmc", code=10)


def what_the_compiler_computes_is_a_gap(files):
    """An overflow, a shift or a division that clang computes by itself is no part of the program, and nothing is said to hold over it."""
    for name, expression, property in (("sum.c", "2147483647 + 2", "overflow"), ("shift.c", "1 << 40", "shift"), ("quotient.c", "5 / 0", "division")):
        files(name, f"int main(void) {{\n  return {expression};\n}}\n")
        for asked in (property, "undefined"):
            expect(plumb(files, name, "--property", asked), 20, f"{name}:2", "what the compiler computes")
        expect(plumb(files, name, "--property", property, "--", "-w"), 20, f"{name}:2")
        expect(plumb(files, name, "--property", "free"), 0, "holds")


def threads_are_explored(files):
    """All orders of threads are looked at; the one that violates something is replayed, and can be run again."""
    source = files("visits.c", (HERE.parents[2] / "examples" / "lost_update.c").read_text())
    for reduction in ("none", "tau", "dpor"):
        options = ("--reduction", reduction, "--timeout", "60")
        result = checked(files, "visits.c", *options, code=10)
        (goal,) = result["properties"][0]["goals"]
        check(goal["counterexample"]["schedule"], "no schedule")
        check(result["stats"]["exploration"]["states"] > 5, "no states")
        expect(plumb(files, "visits.c", "-DLOCKED", *options), 0, "holds", "explore")
        expect(plumb(files, "visits.c", "--property", "data-race", *options), 10, "visits.c:13")
        expect(plumb(files, "visits.c", "-DLOCKED", "--property", "data-race", *options), 0)
        expect(plumb(files, "visits.c", "-DLOCKED", "--property", "deadlock", *options), 0)
    expect(plumb(files, "visits.c", "--out", "found"), 10)
    again = subprocess.run([PLUMB, "run", str(source), "--schedule", "found/counterexample.json"], capture_output=True, timeout=SECONDS, cwd=files.path)
    expect(again, 10, err="visits == 2")
    expect(plumb(files, "visits.c", "-DLOCKED", "--engine", "explore", "--max-states", "3"), 20, "3 states")
    expect(plumb(files, "visits.c", "--reduction", "much"), 2, err="--reduction")


def threads_are_unrolled_by_turns(files):
    """One formula has the inputs and the order of threads; its counterexample is a schedule, and what is not decided has its bound."""
    text = (HERE.parents[2] / "examples" / "lost_update.c").read_text()
    source = files("turns.c", text)
    options = ("--engine", "contexts", "--timeout", "60")
    result = checked(files, "turns.c", *options, code=10)
    (goal,) = result["properties"][0]["goals"]
    check(goal["engine"] == "contexts" and goal["counterexample"]["schedule"], "no schedule of the engine contexts")
    expect(plumb(files, "turns.c", *options, "--out", "turns"), 10)
    again = subprocess.run([PLUMB, "run", str(source), "--schedule", "turns/counterexample.json"], capture_output=True, timeout=SECONDS, cwd=files.path)
    expect(again, 10, err="visits == 2")
    expect(plumb(files, "turns.c", "-DLOCKED", *options), 0, "holds", "contexts of each thread")
    expect(plumb(files, "turns.c", "-DLOCKED", *options, "--contexts", "1"), 20, "holds up to", "1 contexts of each thread")
    expect(plumb(files, "turns.c", "--property", "deadlock", *options), 20, "it does not look at the orders in which threads run")
    wide = files("wide.c", """#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
unsigned largest, own[2];
void *look(void *p) {
  unsigned *mine = p;
  for (int k = 0; k < 3; k++) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x > *mine) *mine = x;
    if (x > largest) largest = x;
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, look, &own[0]);
  pthread_create(&b, 0, look, &own[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(largest >= own[0] && largest >= own[1]);
}
""")
    expect(plumb(files, wide, *options), 10, "found by contexts")


def paths_are_searched(files):
    """Every strategy and store finds the violation of program foo and proves the rest; the graph is shown, and each path is a test."""
    foo = files("foo.c", """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c, d, e;
  if (a < -1000 || a > 1000 || b < -1000 || b > 1000) return 0;
  if (a >= 0) {
    c = a;
    d = a;
    if (b >= 0) e = b; else e = -b;
  } else {
    c = b;
    d = 1;
    e = -a;
  }
  c = c + d + e;
  assert(d + e >= 0);
  assert(c >= d + e);
  return 0;
}
""")
    options = ("--engine", "paths", "--timeout", "60")
    for choice in ("--strategy=dpvs", "--strategy=cpbpv", "--strategy=both", "--store=intervals,bits", "--store=linear", "--plain=first", "--plain=fewest"):
        result = checked(files, "foo.c", *options, choice, "--all", code=10)
        check([goal["verdict"] for goal in goals(result)] == ["holds", "violated"], f"{choice}: {result}")
        check(set(result["stats"]["paths"]["stores"]) == {"intervals", "orders", "linear", "bits"}, str(result["stats"]))
    expect(plumb(files, "foo.c", *options, "-v"), 10, "solved by intervals")
    expect(plumb(files, "foo.c", "--show", "dsa"), 0, "if <0>", "if !<0>", "violated if")
    expect(plumb(files, "foo.c", "--show", "graph", "--dot"), 0, "digraph", "diamond")
    expect(plumb(files, "foo.c", *options, "--store", "much"), 2, err="--store")
    expect(plumb(files, "foo.c", *options, "--paths-out", "paths"), 10, "in paths, one per feasible path")
    again = subprocess.run([PLUMB, "replay", "paths", str(foo)], capture_output=True, timeout=SECONDS, cwd=files.path)
    check(b"branches" in again.stdout, shown(again))
    check(len(list((files.path / "paths").glob("path*.json"))) >= 3, "a test for each way through foo")


def unknown_properties_are_refused_with_those_that_there_are(files):
    """A wrong word is answered with the words, and what no engine proves with the commands that look for it."""
    source = files("a.c", "int main(void) { return 0; }\n")
    expect(plumb(files, source, "--property", "shfit"), 2, err=["is 'shift' meant?", "undefined", "use-after-return", "vla"])
    expect(plumb(files, source, "--property", "alignment"), 2, err="plumb test, run and replay look for it")


def labels_and_error_functions(files):
    """A label ERROR, __VERIFIER_error() and assert() all count in a plain program; a property file asks for reach_error alone."""
    head = "extern int __VERIFIER_nondet_int(void);\n"
    files("label.c", head + "int main(void) {\n  if (__VERIFIER_nondet_int() == 5) goto ERROR;\n  return 0;\nERROR:\n  return 1;\n}\n")
    files("error.c", head + "extern void __VERIFIER_error(void);\nint main(void) {\n  if (__VERIFIER_nondet_int() == 5) __VERIFIER_error();\n  return 0;\n}\n")
    files("assert.c", "#include <assert.h>\n" + head + "int main(void) {\n  assert(__VERIFIER_nondet_int() != 5);\n  return 0;\n}\n")
    for name in ("label.c", "error.c", "assert.c"):
        check(checked(files, name, "--timeout", "20", code=10)["verdict"] == "violated", name)
    check(checked(files, "assert.c", "--property", TASKS / "properties/unreach-call.prp", "--timeout", "20")["verdict"] != "violated", "assert() is no reach_error()")


def data_models(files):
    """A long has the size of the data model: of a task, of -m32, of 64 bits otherwise."""
    source = "#include <assert.h>\nint main(void) {\n  assert(sizeof(long) == 8);\n  return 0;\n}\n"
    files("size.c", source)
    check(checked(files, "size.c", "--property", "assertions", "--timeout", "20")["verdict"] == "vacuous", "64 bits")
    check(checked(files, "size.c", "-m32", "--timeout", "20")["verdict"] == "violated", "-m32")
    files("assertions.prp", "CHECK( init(main()), LTL(G assert) )\n")
    for model, verdict in (("ILP32", "violated"), ("LP64", "vacuous")):
        files("size.yml", f"format_version: '2.0'\ninput_files: 'size.c'\nproperties:\n  - property_file: assertions.prp\n    expected_verdict: false\n"
              f"options:\n  language: C\n  data_model: {model}\n")
        result = checked(files, "size.yml", "--timeout", "20")
        check(result["verdict"] == verdict, f"{model}: {result['verdict']}")
        check(result["properties"][0]["agrees"] == (verdict == "violated"), str(result))


def other_properties(files):
    """--property memsafety, overflow and termination-bound find what assertions do not ask for."""
    files("bad.c", "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), a[4] = {0};\n"
          "  if (n < 0) return 0;\n  a[n & 7] = n + 1;\n  while (n > 0) n -= n > 100000 ? 100000 : 1;\n  return a[0];\n}\n")
    expect(plumb(files, "bad.c", "--property", "memsafety", "--timeout", "30"), 10, "bad.c:6")
    expect(plumb(files, "bad.c", "--property", "overflow", "--timeout", "30"), 10, "bad.c:6")
    expect(plumb(files, "bad.c", "--property", "termination-bound=20", "--timeout", "30"), 10, "violated")
    expect(plumb(files, "bad.c", "--timeout", "10"), 20, "vacuous", "there is no assertion", "--property memsafety")


def bad_input_is_refused(files):
    """What cannot be checked is refused with a message, its place and exit code 2."""
    expect(plumb(files, "absent.c"), 2, err="absent.c")
    files("wrong.c", "int main(void) {\n  return x;\n}\n")
    expect(plumb(files, "wrong.c"), 2, err="wrong.c:2")
    files("counter.c", COUNTER)
    expect(plumb(files, "counter.c", "--engine", "magic"), 2, err="magic")
    expect(plumb(files, "counter.c", "--property", "happiness"), 2, err="happiness")
    files("bad.prp", "CHECK( init(main()), LTL(F happy) )\n")
    expect(plumb(files, "counter.c", "--property", "bad.prp"), 2, err="bad.prp")
    files("bad.yml", "format_version: '2.0'\ninput_files: 'nothing.c'\nproperties:\n  - property_file: bad.prp\n")
    expect(plumb(files, "bad.yml"), 2)
    files("broken.yml", "format_version: '2.0'\ninput_files: [\n")
    expect(plumb(files, "broken.yml"), 2, err="broken.yml")
    files("none.c", "int twice(int x) { return 2 * x; }\n")
    expect(plumb(files, "none.c"), 2, err="main")


def time_is_kept(files):
    """A hard program ends at its time with unknown and the reason."""
    files("hard.c", "#include <assert.h>\nextern unsigned long long __VERIFIER_nondet_ulonglong(void);\nint main(void) {\n"
          "  unsigned long long x = __VERIFIER_nondet_ulonglong(), y = __VERIFIER_nondet_ulonglong();\n"
          "  if (x <= 1 || y <= 1 || x >> 32 || y >> 32) return 0;\n  assert(x * y != 8670687648630721837ull);\n  return 0;\n}\n")
    start = time.monotonic()
    result = checked(files, "hard.c", "--timeout", "3", code=20)
    check(time.monotonic() - start < 15, f"{time.monotonic() - start:.1f} s for --timeout 3")
    check(result["verdict"] == "unknown" and all(g.get("reason") for g in goals(result)), str(result))


def time_that_is_left_over_is_used(files):
    """A property that runs out of its share has what the others leave; a search within ten conflicts sees the limit too."""
    files("hash.c", "#include <assert.h>\nextern unsigned long __VERIFIER_nondet_ulong(void);\nint main(void) {\n"
          "  unsigned long x = __VERIFIER_nondet_ulong();\n  for (int i = 0; i < 40; i++) {\n    x = x * 0x9E3779B97F4A7C15UL;\n    x ^= x >> 29;\n"
          "    x = x * 0xBF58476D1CE4E5B9UL + (x >> 17);\n    x ^= x >> 31;\n  }\n  assert(x != 0x123456789abcdefUL);\n  return 0;\n}\n")
    start = time.monotonic()
    result = checked(files, "hash.c", "--engine", "bmc", "--property", "assertions", "--property", "memsafety", "--property", "overflow", "--timeout", "9")
    check(time.monotonic() - start < 11, "the limit of time is overrun")
    verdicts = [each["verdict"] for each in result["properties"]]
    check(verdicts == ["unknown", "holds", "holds"] and result["properties"][0]["seconds"] > 4, str(verdicts))


def same_seed_same_answer(files):
    """One engine twice with one seed gives the same counterexample."""
    files("counter.c", COUNTER)
    for engine in ("bmc", "circuit"):
        found = [goals(checked(files, "counter.c", "--engine", engine, "--seed", "5", "--timeout", "30", code=10)) for _ in range(2)]
        inputs = [[g["counterexample"]["failing_inputs"] for g in each if "counterexample" in g] for each in found]
        check(inputs[0] == inputs[1], f"{engine}: {inputs}")


def validator_refuses_wrong_witnesses(files):
    """The validator accepts a witness written by hand, and refuses it with another value, place, hash or target."""
    source = files("small.c", "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n"
                   "  int x = __VERIFIER_nondet_int();\n  if (x == 42)\n    reach_error();\n  return 0;\n}\n")
    good = f"""- entry_type: violation_sequence
  metadata:
    format_version: "2.0"
    uuid: 7e2b8a52-8d2f-4b0a-9d5b-2f2a54b8f001
    creation_time: 2026-11-16T09:00:00Z
    producer: {{name: hand, version: "1"}}
    task:
      input_files: [small.c]
      input_file_hashes: {{small.c: {hashlib.sha256(source.read_bytes()).hexdigest()}}}
      specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )"
      data_model: LP64
      language: C
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        location: {{file_name: small.c, line: 4, column: 33}}
        constraint: {{value: '\\result == 42', format: acsl_expression}}
  - segment:
    - waypoint:
        type: target
        action: follow
        location: {{file_name: small.c, line: 6, column: 5}}
"""
    validate(files("good.yml", good), source)
    wrong = {"another value": ("== 42", "== 41"), "another place": ("column: 33", "column: 32"), "another line": ("line: 6", "line: 5"),
             "another hash": ("input_file_hashes: {small.c: ", "input_file_hashes: {small.c: 0"), "no uuid": ("7e2b8a52-", "7e2b8-"),
             "another property": ("LTL(G !", "LTL(F !"), "another type": ("type: target", "type: branching")}
    for name, (old, new) in wrong.items():
        check(old in good, f"{name}: {old!r} is not there")
        try:
            validate(files("wrong.yml", good.replace(old, new)), source)
        except Invalid:
            continue
        raise AssertionError(f"a witness with {name} is accepted")
    invariant = good[:good.index("  content:")].replace("violation_sequence", "invariant_set") + """  content:
  - invariant:
      type: loop_invariant
      location: {file_name: loop.c, line: 4, column: 3, function: main}
      value: "x % 2 == 0"
      format: c_expression
"""
    source = files("loop.c", "extern _Bool __VERIFIER_nondet_bool(void);\nint main(void) {\n  unsigned int x = 0;\n  while (__VERIFIER_nondet_bool()) x += 2;\n  return 0;\n}\n")
    invariant = re.sub(r"\{small\.c: \w+\}", f"{{loop.c: {hashlib.sha256(source.read_bytes()).hexdigest()}}}", invariant).replace("small.c", "loop.c")
    check(validate(files("good.yml", invariant), source) == 1, "one invariant")
    for old, new in (("x % 2 == 0", "x < 4"), ("x % 2 == 0", "y == 0"), ("x % 2 == 0", "x %% 2"), ("line: 4", "line: 5")):
        try:
            validate(files("wrong.yml", invariant.replace(old, new)), source)
        except Invalid:
            continue
        raise AssertionError(f"an invariant set with {new!r} is accepted")


SCENARIOS = [value for value in list(globals().values()) if callable(value) and getattr(value, "__module__", "") == "__main__"
             and value.__doc__ and list(value.__code__.co_varnames[:1]) == ["files"] and value.__code__.co_argcount == 1]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
