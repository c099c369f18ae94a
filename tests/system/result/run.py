#!/usr/bin/env python3
"""Every command's result object against docs/result.schema.json: when all is well, when something is violated, unknown or
vacuous, after bad input. The exit code is a function of the verdict.

    run.py PLUMB [NAME…]             all scenarios, or those whose name contains one of the words
"""
import copy
import json
import pathlib
import platform
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, Files, check, expect, result_object, run_scenarios  # noqa: E402
from result_object import SCHEMA, complaints  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
MACHINE = f"{platform.machine()}-linux-gnu"
SECONDS = 180

# As docs/result-schema.md has it.
EXIT_CODES = {**dict.fromkeys(["none", "answered", "written", "complete", "sat", "unsat", "mixed", "no-defect", "holds"], 0),
              **dict.fromkeys(["violated", "defect"], 10),
              **dict.fromkeys(["vacuous", "holds up to", "incomplete", "unknown"], 20), "error": 2}

BUG = """#include <assert.h>
#include <plumb/plumb.h>
int main(void) {
  int x = 0, a[4] = {0};
  plumb_symbolic(&x, sizeof x, "x");
  if (x > 3 && x < 6) a[x] = 1;
  assert(x != 100);
  return a[0];
}
"""
FINE = """#include <assert.h>
#include <plumb/plumb.h>
int main(void) {
  unsigned char x = 0;
  plumb_symbolic(&x, sizeof x, "x");
  if (x > 3) x = 3;
  assert(x < 4);
  return x;
}
"""
VACUOUS = """#include <assert.h>
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3 && x < 3);
  assert(x == 7);
}
"""
ASSEMBLY = "int main(void) { asm(\"nop\"); return 0; }\n"
# `low` holds, `nine` is reached in step 9.
COUNTER = """1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 state 2 count
5 init 2 4 3
7 one 2
8 add 2 4 7
9 constd 2 9
10 eq 1 4 9
11 ite 2 10 3 8
13 next 2 4 11
14 ugt 1 4 9
15 bad 14 low
16 bad 10 nine
"""
NEVER = COUNTER + "17 zero 1\n18 constraint 17\n"
CAIG = """wire bool step;
int count;
@assert small: count < 200;
@do_together { count = 0; }
while (true) { @do_together { count = step ? count + 1 : count; } }
"""
VERILOG = """module counter(input clock);
  reg [3:0] count = 0;
  always @(posedge clock) count <= count == 9 ? 0 : count + 1;
  always @(posedge clock) assert(count != 5);
endmodule
"""
DIE = """dtmc
module die
  s : [0..2] init 0;
  [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
endmodule
"""
SCRIPT = "(set-logic QF_BV)\n(declare-const x (_ BitVec 32))\n(assert (= (bvmul x x) #x00000009))\n(check-sat)\n"
HARD = """(set-logic QF_BV)
(declare-const a (_ BitVec 64))
(declare-const b (_ BitVec 64))
(assert (and (bvugt a #x0000000000000001) (bvugt b #x0000000000000001) (bvult a #x0000000100000000)
  (bvult b #x0000000100000000) (= (bvmul a b) #x7fffffed80000093)))
(check-sat)
"""
SCENARIO = """name = "small"
[time]
windows = 2
[[providers]]
name = "a"
capacity = 5
price = [10, 20]
[[loads]]
name = "x"
demand = [1, 2]
"""

seen = {}  # by command: the verdicts that were met


def plumb(files, *words):
    return subprocess.run([PLUMB, *map(str, words)], cwd=files.path, capture_output=True, timeout=SECONDS, check=False)


def result_of(files, verdict, *words):
    """Runs a command, holds its object against the schema and its exit code against the verdict."""
    run = plumb(files, *words, "--json")
    try:
        result = result_object(run.stdout)
    except AssertionError as error:
        raise AssertionError(f"{words}: {error}\n{run.stderr[-2000:].decode(errors='replace')}") from error
    verdicts = verdict if isinstance(verdict, tuple) else (verdict,)
    check(result["verdict"] in verdicts, f"{words}: {verdict} was expected\n{json.dumps(result)[:3000]}\n{run.stderr[-1000:]}")
    check(run.returncode == EXIT_CODES[result["verdict"]], f"{words}: {result['verdict']} and exit code {run.returncode}")
    check(words[0] == result["command"], result["command"])
    seen.setdefault(words[0], set()).add(result["verdict"])
    return result


def kinds(files):
    return {file["kind"]: pathlib.Path(file["path"]) for file in files}


def wrong_objects_are_refused(files):
    """The schema is one that can fail: an unknown name, also among the numbers of a run, a missing one, files by kind, a verdict
    that is none, another version, another command's trace."""
    files("die.prism", DIE)
    files("counter.btor2", COUNTER)
    files("sat.smt2", SCRIPT)
    files("fine.c", FINE)
    files("small.toml", SCENARIO)
    for words in (("prob", "die.prism", "--prop", "P=? [ F s=2 ]"), ("check", "counter.btor2", "--vcd", "c.vcd"), ("doctor",), ("solve", "sat.smt2", "--stats"),
                  ("ir", "fine.c", "--stats"), ("energy", "small.toml"), ("test", "fine.c", "--out", "out")):
        result = json.loads(plumb(files, *words, "--json").stdout)
        check(not complaints(result), f"{words}: {complaints(result)}")

        def wrong(change, result=result, words=words):
            changed = copy.deepcopy(result)
            change(changed)
            check(complaints(changed), f"{words}: a wrong object is taken: {json.dumps(changed)[:500]}")

        for name in ("plumb", "command", "inputs", "verdict", "assumptions", "notes", "files"):
            wrong(lambda o, name=name: o.pop(name))
        wrong(lambda o: o.update(plumb="1.0"))
        wrong(lambda o: o.update(verdict="fine"))
        wrong(lambda o: o.update(remarks=[]))
        wrong(lambda o: o.update(files={"waveform": "c.vcd"}))
        wrong(lambda o: o.update(files=3))
        wrong(lambda o: o.update(verdict="error"))
        wrong(lambda o: o.update(error={"message": "there is none"}))
        wrong(lambda o: o.update(command="export"))
        wrong(lambda o: o.update(stopped="out of time", verdict="complete"))
        if "stats" in result:
            wrong(lambda o: o["stats"].update(Surprise="one"))
        for part in ("properties", "results"):
            if part in result:
                wrong(lambda o, part=part: o[part][0].update(surprise=1))
                wrong(lambda o, part=part: o.pop(part))
    result = json.loads(plumb(files, "check", "counter.btor2", "--vcd", "c.vcd", "--json").stdout)
    result["properties"][1]["files"] = {"waveform": "c.vcd"}
    check(complaints(result), "files by kind are taken in a property")
    system_trace = json.loads(plumb(files, "check", "counter.btor2", "--json").stdout)["properties"][1]["trace"]
    result = json.loads(plumb(files, "prove", ROOT / "examples" / "add.tiny", "-b", "4", "--json").stdout)
    failed = next(each for each in result["properties"] if each["verdict"] == "violated")
    check(not complaints(result), complaints(result))
    for change in ({"trace": system_trace}, {"trace": {**failed["trace"], "choices": 3}}, {"trace": {**failed["trace"], "values": {"x": None}}}):
        changed = {**result, "properties": [{**failed, **change}]}
        check(complaints(changed), f"a wrong trace is taken: {change}")


def solve(files):
    """Checks that are sat, unsat or neither; mistakes; time that is over."""
    files("sat.smt2", SCRIPT)
    files("unsat.smt2", SCRIPT.replace("#x00000009", "#x00000002"))
    files("none.smt2", "(set-logic QF_BV)\n")
    files("mixed.smt2", SCRIPT + "(assert false)\n(check-sat)\n")
    files("hard.smt2", HARD)
    files("bad.smt2", SCRIPT + "(assert (= x y))\n")
    result_of(files, "sat", "solve", "sat.smt2", "--stats")
    result_of(files, "unsat", "solve", "unsat.smt2")
    result_of(files, "none", "solve", "none.smt2")
    result_of(files, "mixed", "solve", "mixed.smt2")
    result_of(files, "unknown", "solve", "hard.smt2", "--timeout", "300ms")
    result = result_of(files, "error", "solve", "bad.smt2")
    check(result["error"]["line"] == 5 and result["results"], result)
    result_of(files, "error", "solve", "missing.smt2")


def ir_and_doctor(files):
    """What is shown is answered; what is not supported makes the verdict only where that was asked."""
    files("fine.c", FINE)
    files("assembly.c", ASSEMBLY)
    files("bad.c", "int main(void) { return x; }\n")
    for option in ("--stats", "--dot", "--unsupported"):
        result_of(files, "complete", "ir", "fine.c", option)
    result = result_of(files, "answered", "ir", "assembly.c")
    check("--unsupported" in result["notes"][0], result["notes"])
    result_of(files, "incomplete", "ir", "assembly.c", "--unsupported")
    result_of(files, "error", "ir", "bad.c")
    result_of(files, ("complete", "incomplete"), "doctor")
    result_of(files, "complete", "doctor", "fine.c")
    result_of(files, "incomplete", "doctor", "assembly.c")
    result_of(files, "error", "doctor", "bad.c")


def run(files):
    """One run and all tests of a directory."""
    files("bug.c", BUG)
    files("assembly.c", ASSEMBLY)
    files("tests/a.json", '{"inputs": [{"name": "x", "bytes": "05000000"}]}')
    files("tests/b.json", '{"inputs": [{"name": "x", "bytes": "07000000"}]}')
    result_of(files, "no-defect", "run", "bug.c", "--input", "tests/b.json")
    result_of(files, "defect", "run", "bug.c", "--input", "tests/a.json")
    result = result_of(files, "defect", "run", "bug.c", "--input", "tests")
    check([each["verdict"] for each in result["results"]] == ["defect", "no-defect"], result["results"])
    result = result_of(files, "no-defect", "run", "bug.c")
    check(any("taken as 0" in text for text in result["assumptions"]), result["assumptions"])
    check("stopped" not in result_of(files, "unknown", "run", "assembly.c"), "a run that cannot go on is not stopped")
    result_of(files, "error", "run", "bug.c", "--input", "missing.json")


def test_and_what_reads_its_results(files):
    """test, export, merge, replay and replay --checks, with what is suppressed and not looked for."""
    files("bug.c", BUG)
    files("fine.c", FINE)
    files("suppress.txt", "array-out-of-bounds:bug.c\nleak:nowhere.c\n")
    result_of(files, "no-defect", "test", "fine.c", "--out", "fine", "--minimize")
    result = result_of(files, "defect", "test", "bug.c", "--out", "bug")
    check(json.loads((files.path / "bug" / "result.json").read_text()) == result, "result.json is another object")
    result_of(files, "unknown", "test", "bug.c", "--out", "short", "--timeout", "1ms")
    result = result_of(files, ("defect", "no-defect"), "test", "bug.c", "--out", "hidden", "--suppress", "suppress.txt")
    check(result["suppressed"] and any("leak:nowhere.c" in note for note in result["notes"]), result["notes"])
    result_of(files, "error", "test", "missing.c", "--out", "none")
    result = result_of(files, ("no-defect", "unknown"), "test", ROOT / "tests/system/libc/differs.c", "--out", "differs", "--timeout", "20s")
    check(result["unconfirmed"] and result["unconfirmed"][0]["not_confirmed"], result)
    for format_name in ("testcomp", "ktest", "c", "corpus"):
        out = "out." + format_name
        result = result_of(files, "written", "export", "bug", "--format", format_name, "--out", out)
        check(kinds(result["files"]) == {format_name: pathlib.Path(out)}, result["files"])
    result_of(files, "error", "export", "nowhere", "--format", "c", "--out", "x.c")
    result_of(files, "written", "merge", "bug", "bug", "--out", "merged", "--minimize")
    result_of(files, "error", "merge", "bug", "nowhere", "--out", "other")
    result = result_of(files, "no-defect", "replay", "fine")
    check(result["coverage"]["files"], result)
    result_of(files, "defect", "replay", "bug/errors", "bug.c", "--no-files")
    result_of(files, "defect", "replay", "bug/errors", "bug.c", "--checks", "default")
    result_of(files, "no-defect", "replay", "fine", "--checks", "default")
    result_of(files, ("no-defect", "defect"), "replay", "fine", "--test", "1")
    result_of(files, "error", "replay", "nowhere")


def serve(files):
    """Without a target the search is given up; a program that is none is an error."""
    files("fine.c", FINE)
    expect(plumb(files, "cc", "--target", MACHINE, "-g", "-O0", "fine.c", "-o", "fine"), 0)
    result = result_of(files, "unknown", "serve", "fine", "--lost-after", "300ms")
    check(result["link"]["lost"], result)
    result_of(files, "error", "serve", "fine.c")


def check_programs(files):
    """Properties of C with their goals: proved, violated, bounded, vacuous; several at once."""
    files("bug.c", BUG)
    files("fine.c", FINE)
    files("vacuous.c", VACUOUS)
    files("loop.c", "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n"
          "  unsigned n = __VERIFIER_nondet_int(), s = 0;\n  for (unsigned i = 0; i < n; ++i) s += i * i;\n  if (s == 77777777) reach_error();\n}\n")
    result = result_of(files, "violated", "check", "bug.c", "--out", "violated", "--full-trace")
    goal = next(goal for each in result["properties"] for goal in each["goals"] if goal["verdict"] == "violated")
    check(set(kinds(goal["files"])) == {"counterexample", "test", "witness"}, goal["files"])
    result_of(files, "holds", "check", "fine.c", "--out", "holds")
    result = result_of(files, "vacuous", "check", "vacuous.c")
    check(result["properties"][0]["goals"][0]["engines"][0]["verdict"] in ("vacuous", "holds", "unknown"), result)
    result_of(files, "holds up to", "check", "loop.c", "--engine", "bmc", "--unwind", "3")
    result_of(files, "violated", "check", "bug.c", "--replay", "violated/counterexample.json")
    result_of(files, "unknown", "check", "fine.c", "--replay", "violated/counterexample.json")
    result_of(files, "violated", "check", "bug.c", "--all", "--property", "memsafety", "--property", "overflow")
    result_of(files, "error", "check", "missing.c")


def check_systems(files):
    """BTOR2, CAIG and Verilog. A file that is written twice is there twice."""
    files("counter.btor2", COUNTER)
    files("never.btor2", NEVER)
    files("small.caig", CAIG)
    files("counter.v", VERILOG)
    result = result_of(files, "violated", "check", "counter.btor2", "--vcd", "nine.vcd", "--out", "out", "--full-trace")
    low, nine = sorted(result["properties"], key=lambda each: each["name"])
    check(low["verdict"] == "holds" and set(kinds(low["files"])) == {"certificate"}, low)
    waveforms = [file["path"] for file in nine["files"] if file["kind"] == "waveform"]
    check(waveforms == ["nine.vcd", "out/nine.vcd"], nine["files"])
    result_of(files, "vacuous", "check", "never.btor2")
    result_of(files, "holds up to", "check", "counter.btor2", "--property", "nine", "--engine", "bmc", "--bound", "4")
    result_of(files, "violated", "check", "counter.btor2", "--replay", "out/nine.witness")
    result_of(files, "holds", "check", "counter.btor2", "--check-certificate", "out/low.smt2")
    result_of(files, ("violated", "unknown", "holds up to"), "check", "small.caig", "--timeout", "5s")
    result_of(files, "violated", "check", "counter.v")
    files("bad.btor2", "1 sort bitvec\n")
    result_of(files, "error", "check", "bad.btor2")


def prove_programs(files):
    """Tiny: what is assumed of numbers is an assumption; all mistakes of a program are told."""
    examples = ROOT / "examples"
    result = result_of(files, "violated", "prove", examples / "add.tiny", "-b", "4", "--out", "run", "--full-trace")
    check(any("int has 4 bits" in text for text in result["assumptions"]), result["assumptions"])
    result_of(files, "violated", "prove", examples / "add.tiny", "-b", "4", "--replay", "run/overflow.json")
    result_of(files, "holds", "prove", examples / "add_strengthened.tiny", "-b", "4")
    result_of(files, "vacuous", "prove", ROOT / "tests/tiny/programs/vacuous_precondition.tiny", "-b", "3")
    result_of(files, "holds up to", "prove", examples / "add_strengthened.tiny", "-b", "4", "--engine", "bmc", "--bound", "1")
    files("bad.tiny", "proc main() {\n  x = ;\n  y = );\n}\n")
    result_of(files, "error", "prove", "bad.tiny")


def bip_models(files):
    """Proofs, counterexamples as interactions, emulation, pictures."""
    examples = ROOT / "examples" / "bip"
    result = result_of(files, "violated", "bip", examples / "philosophers.bip", "--out", "run", "--full-trace")
    check(any("int has" in text for text in result["assumptions"]), result["assumptions"])
    check(any("components" in text for text in result["notes"]), result["notes"])
    result_of(files, "holds", "bip", examples / "traffic_light.bip")
    result_of(files, "vacuous", "bip", examples / "traffic_light.bip", "--contract", files("c.txt", "timer.n == 5\ntimer.n == 5\n"))
    result_of(files, "answered", "bip", examples / "traffic_light.bip", "--emulate", "20")
    result_of(files, "violated", "bip", examples / "philosophers.bip", "--guide", "run/deadlock.guide")
    result = result_of(files, "answered", "bip", examples / "traffic_light.bip", "--dot", "light.dot")
    check(kinds(result["files"]) == {"picture": pathlib.Path("light.dot")}, result["files"])
    files("bad.bip", "package\n")
    result_of(files, "error", "bip", "bad.bip")


def prob_models(files):
    """Numbers, bounds, parts that failed; what was done to the model is an assumption."""
    files("die.prism", DIE)
    result = result_of(files, "answered", "prob", "die.prism", "--prop", "P=? [ F s=2 ]", "--csv", "t.csv", "--export", "die")
    check(any("given a loop" in text for text in result["assumptions"]), result["assumptions"])
    check({"table", "tra", "sta", "lab"} <= set(kinds(result["files"])), result["files"])
    result_of(files, "holds", "prob", "die.prism", "--prop", "P>=0.5 [ F s=2 ]")
    result_of(files, "violated", "prob", "die.prism", "--prop", "P>=0.6 [ F s=2 ]")
    result_of(files, "error", "prob", "die.prism", "--prop", "P=? [ F")
    result_of(files, "error", "prob", "missing.prism")


def energy(files):
    """Results over sweeps and baselines; the example's files."""
    files("small.toml", SCENARIO)
    result_of(files, "answered", "energy", "small.toml", "--csv", "t.csv", "--replications", "3")
    result_of(files, "answered", "energy", "small.toml", "--sweep", "providers.a.capacity=4:1:5", "--baseline", "providers.a.capacity=9")
    result = result_of(files, "written", "energy", "--make-example", "example")
    check(set(kinds(result["files"])) == {"example"}, result["files"])
    files("bad.toml", "name = \n")
    result_of(files, "error", "energy", "bad.toml")


def time_or_memory_that_is_over(files):
    """Every command that is stopped says so in an object: unknown, and why where it came to no part of an answer."""
    files("loop.c", "#include <plumb/plumb.h>\nint main(void) {\n  unsigned char x = 0;\n  plumb_symbolic(&x, 1, \"x\");\n"
          "  int s = 0;\n  for (int i = 0; i < x; ++i) s += i;\n  return s == 77;\n}\n")
    files("long.prism", DIE.replace("0..2", "0..2000000").replace("0.5 : (s'=1) + 0.5 : (s'=2)", "1 : (s'=s+1)").replace("s=0", "s<2000000"))
    files("small.toml", SCENARIO)
    expect(plumb(files, "test", "loop.c", "--out", "run", "--timeout", "10s"), (0, 20))
    soon = ("--timeout", "1ms")
    examples = ROOT / "examples"
    result_of(files, "unknown", "ir", "loop.c", *soon)
    result_of(files, "unknown", "doctor", "loop.c", *soon)
    result_of(files, "unknown", "run", "loop.c", *soon)
    result_of(files, "unknown", "replay", "run", *soon)
    result_of(files, "unknown", "check", "loop.c", "--property", "overflow", *soon)
    result_of(files, "unknown", "check", "loop.c", "--property", "overflow", "--engine", "tester", "--timeout", "3s")
    files("counter.btor2", COUNTER)
    result_of(files, "unknown", "check", "counter.btor2", "--property", "nine", *soon)
    result_of(files, "unknown", "prove", examples / "add_strengthened.tiny", "-b", "32", *soon)
    result_of(files, "unknown", "bip", examples / "bip" / "philosophers.bip", *soon)
    result_of(files, "unknown", "prob", "long.prism", "--prop", "P=? [ F s=2000000 ]", *soon)
    result_of(files, "unknown", "energy", "small.toml", "--replications", "100000000", "--timeout", "50ms")
    little = ("--memory", "1M")
    result_of(files, "unknown", "export", "run", "--format", "c", "--out", "x.c", *little)
    result_of(files, "unknown", "merge", "run", "run", "--out", "merged", *little)


def every_command_was_seen(files):
    """With a good answer, with none and with a mistake: the list of commands is that of the schema and of --help."""
    commands = set(SCHEMA["properties"]["command"]["enum"])
    helped = {line.split()[0] for line in plumb(files, "--help").stdout.decode().split("ubcommands:")[-1].splitlines()
              if line.startswith("  ") and line.strip() and line[2] != " "}
    check(helped - {"cc", "c++", "shell"} == commands, f"{helped} {commands}")
    if len(sys.argv) > 2:
        return
    for command in commands:
        verdicts = seen.get(command, set())
        # Good answers of a server need a target: tests/system/serve and remote hold theirs against the schema.
        check({"error", "unknown"} <= verdicts and (len(verdicts) > 2 or command == "serve"), f"{command}: {verdicts}")


if __name__ == "__main__":
    sys.exit(run_scenarios([wrong_objects_are_refused, solve, ir_and_doctor, run, test_and_what_reads_its_results, serve, check_programs,
                            check_systems, prove_programs, bip_models, prob_models, energy, time_or_memory_that_is_over, every_command_was_seen], Files))
