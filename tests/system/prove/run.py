#!/usr/bin/env python3
"""Runs `plumb check` and `plumb prove` as a user would.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim.
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 120

# A counter of four bits that wraps at ten: `high` needs an invariant, `nine` is reached in step 9.
COUNTER = """1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 state 2 count
5 init 2 4 3
6 input 1 enable
7 one 2
8 add 2 4 7
9 constd 2 9
10 eq 1 4 9
11 ite 2 10 3 8
12 ite 2 6 11 4
13 next 2 4 12
14 ugt 1 4 9
15 bad 14 high
16 bad 10 nine
"""
# Two counters that go the same way: pdr proves it at once, and k-induction with one step.
TWINS = """1 sort bitvec 1
2 sort bitvec 8
3 zero 2
4 state 2 a
5 init 2 4 3
6 state 2 b
7 init 2 6 3
8 input 2 step
9 add 2 4 8
10 add 2 6 8
11 next 2 4 9
12 next 2 6 10
13 neq 1 4 6
14 bad 13 differ
"""
# It counts in steps of two, so it is never seven; by itself that does not follow from one step to the next.
EVEN = """1 sort bitvec 1
2 sort bitvec 4
3 zero 2
4 state 2 count
5 init 2 4 3
6 constd 2 2
7 add 2 4 6
8 next 2 4 7
9 constd 2 7
10 eq 1 4 9
11 bad 10 seven
"""
# That two words of 32 bits never have this product, a prime number, is out of reach for every engine.
HARD = """1 sort bitvec 1
2 sort bitvec 32
3 sort bitvec 64
4 state 2 a
5 state 2 b
6 next 2 4 4
7 next 2 5 5
8 uext 3 4 32
9 uext 3 5 32
10 mul 3 8 9
11 constd 3 9223372036854775783
12 eq 1 10 11
13 bad 12 product
"""
CONTRADICTION = """1 sort bitvec 1
2 input 1 a
3 not 1 2
4 constraint 2
5 constraint 3
6 bad 2 never
"""
GRADES = """int grade(int points) {
  @pre p { points <= 10 }
  int result = 0;
  if (points >= 5) {
    result = 1;
  }
  if (points >= 9) {
    result = 2;
  }
  return result;
  @post p { rv <= 2 && (rv == 2 -> points >= 9) }
}
"""
SEARCH = """int ls (int [] a, int e, int n) {
  @pre ls {0 <= n && n <= MAX_ARRAY_SIZE}
  int i = 0;
  while (i < n) {
    if (a[i] == e)
      return i;
    i = i + 1;
  }
  return -1;
  @post ls { (rv >= 0 && rv < n) -> (a[rv] == e) &&
    (rv == -1) -> (forall(int i:[0..n-1]) {a[i] != e})
  }
}
"""


def plumb(*arguments, **keywords):
    keywords.setdefault("timeout", SECONDS)
    return subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, **keywords)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def expect(result, code, *parts, err=None):
    """The exit code, and each part in the output; `err` on standard error."""
    out = result.stdout.decode(errors="replace")
    shown = f"exit {result.returncode}\nstdout: {out[-3000:]}\nstderr: {result.stderr.decode(errors='replace')[-3000:]}"
    check(result.returncode == code, f"expected exit code {code}\n{shown}")
    for part in parts:
        check(part in out, f"expected {part!r} in the output\n{shown}")
    check(err is None or err in result.stderr.decode(errors="replace"), f"expected {err!r} on standard error\n{shown}")
    return out


class Files:
    """A directory for one scenario; calling it makes a file."""

    def __init__(self, directory):
        self.directory = pathlib.Path(directory)

    def __call__(self, name, text, executable=False):
        path = self.directory / name
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        if executable:
            path.chmod(0o755)
        return path

    def path(self, name):
        return self.directory / name


def objects(result):
    found = result_object(result.stdout)
    check(found["plumb"] == "2.0", found)
    return found, {answer["name"]: answer for answer in found.get("properties", [])}


# --- plumb check ---

def verdicts(files):
    """Exit code 10 if one is violated, 0 if all hold, 20 for what is only bounded; each property has its line."""
    counter = files("counter.btor2", COUNTER)
    expect(plumb("check", counter), 10, "high  holds", "nine  violated  in step 9", "nine is violated in step 9", "count  0 1 2",
           "2 properties: 1 proved, 1 violated")
    expect(plumb("check", counter, "--property", "high"), 0, "the property holds")
    expect(plumb("check", counter, "--property", "1"), 10, "nine")
    expect(plumb("check", counter, "--property", "ten"), 2, err="there is no property 'ten'")
    expect(plumb("check", counter, "--engine", "bmc", "--bound", "5"), 20, "holds up to 5 steps", "not proved")
    for engine in ("bmc", "k-induction", "abc pdr"):
        expect(plumb("check", counter, "--property", "nine", "--engine", engine), 10, f"in step 9, found by {engine}")


def formats(files):
    """The same counter as BTOR2, CAIG and AIGER has the same verdicts, also on the way through all three."""
    counter = files("counter.btor2", COUNTER)
    names = [counter]
    for stage, suffix in (("caig", "caig"), ("aiger", "aag"), ("btor2", "btor"), ("caig", "2.caig")):
        text = plumb("check", names[-1], "--show", stage)
        expect(text, 0)
        names.append(files(f"counter.{suffix}", text.stdout))
    for name in names:
        found, answers = objects(plumb("check", name, "--json"))
        check(found["verdict"] == "violated", found)
        check([answers[p]["verdict"] for p in ("high", "nine")] == ["holds", "violated"], answers)
        check(answers["nine"]["bound"] == 9, answers["nine"])


def json_shape(files):
    """--json prints one object with verdicts, engines, traces and sizes, and nothing else, for errors too."""
    counter = files("counter.btor2", COUNTER)
    result = plumb("check", counter, "--json")
    expect(result, 10)
    found, answers = objects(result)
    check(found["command"] == "check" and found["inputs"] == [str(counter)] and found["verdict"] == "violated", found)
    high, nine = answers["high"], answers["nine"]
    check(high["verdict"] == "holds" and high["rechecked"] is True and high["certificate"]["kind"] in ("invariant", "induction", "exhaustion"), high)
    check(nine["verdict"] == "violated" and nine["bound"] == 9 and nine["engine"], nine)
    check(nine["trace"]["steps"] == 10 and nine["trace"]["initial"] == {"count": 0} and len(nine["trace"]["inputs"]) == 10, nine["trace"])
    check({run["name"] for run in high["engines"]} >= {"bmc", "k-induction"}, high["engines"])
    check(found["stats"]["system"] == {"states": 1, "bits": 4, "inputs": 1} and found["stats"]["seconds"] > 0, found["stats"])
    bad = files("bad.btor2", COUNTER.replace("16 bad 10", "16 bad 99"))
    result = plumb("check", bad, "--json")
    expect(result, 2)
    found = result_object(result.stdout)
    check(found["verdict"] == "error" and found["error"]["line"] == 16, found)


def bad_systems(files):
    """Mistakes in a file or in the options are named with their place, and end with exit code 2."""
    missing = files("missing.btor2", COUNTER.replace("16 bad 10", "16 bad 99"))
    expect(plumb("check", missing), 2, err=f"{missing}:16:")
    expect(plumb("check", files("cut.aag", "aag 1 0 1 0 1\n2 2\n")), 2, err="cut.aag:")
    expect(plumb("check", files("circle.caig", "wire bool a; wire bool b; a = b; b = a; @do_together { } while (true) { @do_together { } }")), 2,
           err="circle.caig:1:")
    expect(plumb("check", files("empty.btor2", "1 sort bitvec 1\n")), 2, err="there is no property to check")
    expect(plumb("check", files("program.tiny", "void main() {}")), 2, err="plumb prove")
    expect(plumb("check", files("note.txt", "x")), 2, err="'.txt'")
    expect(plumb("check", "/nonexistent.btor2"), 2, err="/nonexistent.btor2")
    expect(plumb("check", files.directory), 2)
    expect(plumb("check"), 2)
    counter = files("counter.btor2", COUNTER)
    expect(plumb("check", counter, "--engine", "magic"), 2, err="magic")
    expect(plumb("check", counter, "--reduce", "scl; frobnicate"), 2, err="frobnicate")
    expect(plumb("check", counter, "--reduce", "scl; pdr"), 2, err="pdr")
    expect(plumb("check", counter, "--script", "scl; pdr", "--engine", "bmc"), 2, err="--script")
    expect(plumb("check", counter, "--show", "json"), 2)
    expect(plumb("check", counter, "--replay", files("x.witness", "nonsense")), 2, err="x.witness:1")
    expect(plumb("check", counter, "--out", counter), 2, err="cannot make the directory")


def vacuous(files):
    """What holds because the assumptions contradict each other is vacuous, with exit code 20."""
    system = files("contradiction.btor2", CONTRADICTION)
    expect(plumb("check", system), 20, "vacuous", "no run satisfies the assumptions")
    found, answers = objects(plumb("check", system, "--json"))
    check(found["verdict"] == "vacuous" and answers["never"]["verdict"] == "vacuous", found)


def scripts(files):
    """A script of ABC runs alone; its sizes are shown as latches, ands and levels."""
    twins = files("twins.btor2", TWINS)
    out = expect(plumb("check", twins, "--script", "scl; dc2; pdr"), 0, "abc pdr", "re-checked")
    check(re.search(r"circuit +16 +\d+ +\d+", out) and re.search(r"reduced +\d+ +\d+ +\d+  scl; dc2", out), out)
    expect(plumb("check", twins, "--script", "scl; dc2; pdr", "-v"), 0, "engines on differ")
    expect(plumb("check", twins, "--script", "scl"), 20, "unknown", "the script has no proof")


def result_files(files):
    """--out has a waveform, a witness and an object for what is violated, a certificate for what holds; they can be used again."""
    counter = files("counter.btor2", COUNTER)
    out = files.path("run/deep")
    expect(plumb("check", counter, "--out", out), 10, "waveform:", "witness:", "certificate of high:")
    names = sorted(path.name for path in out.iterdir())
    check(names == ["high.smt2", "nine.json", "nine.vcd", "nine.witness", "result.json"], names)
    check(json.loads((out / "result.json").read_text())["verdict"] == "violated", "result.json")
    check_vcd(out / "nine.vcd")
    expect(plumb("check", counter, "--replay", out / "nine.witness"), 10, "nine  violated  in step 9, found by replay")
    other = files("other.btor2", COUNTER.replace("9 constd 2 9", "9 constd 2 12"))
    expect(plumb("check", other, "--replay", out / "nine.witness"), 20, "this run violates no property")
    expect(plumb("check", counter, "--property", "nine", "--vcd", files.path("a.vcd"), "--witness", files.path("a.witness")), 10)
    check_vcd(files.path("a.vcd"))
    check(files.path("a.witness").read_text().startswith("sat\n"), "a witness should begin with sat")
    expect(plumb("check", counter, "--property", "nine", "--full-trace"), 10, "step 9\n")


def check_vcd(path):
    text = path.read_text()
    check("$enddefinitions" in text and "$var" in text, text[:300])
    times = [int(word[1:]) for word in re.findall(r"^#\d+$", text, re.M)]
    check(times and times == sorted(set(times)) and times[0] == 0, times)
    identifiers = set(re.findall(r"\$var \w+ \d+ (\S+)", text))
    changes = set(re.findall(r"^(?:[01xz]|b[01xz]+ |s\S* )(\S+)$", text[text.index("$enddefinitions"):], re.M))
    check(changes <= identifiers and changes, changes - identifiers)
    if shutil.which("vcd2fst"):
        run = subprocess.run(["vcd2fst", path, str(path) + ".fst"], capture_output=True, timeout=SECONDS)
        check(run.returncode == 0 and os.path.getsize(str(path) + ".fst") > 0, run)
        os.remove(str(path) + ".fst")


def certificates(files):
    """A certificate is confirmed by itself; one that was changed proves nothing, and one of another system is refused."""
    even = files("even.btor2", EVEN)
    proof = files.path("proof.smt2")
    expect(plumb("check", even, "--engine", "abc pdr", "--certificate", proof), 0, "invariant of abc pdr, re-checked")
    expect(plumb("check", even, "--check-certificate", proof), 0, "the property holds", "checked the certificate")
    text = proof.read_text()
    check("define-fun" in text, text)
    weak = files("weak.smt2", re.sub(r"\(define-fun (\S+) \(\) Bool.*", r"(define-fun \1 () Bool true)", text, flags=re.S))
    expect(plumb("check", even, "--check-certificate", weak), 20, "unknown", "the certificate proves nothing")
    expect(plumb("check", even, "--check-certificate", files("cut.smt2", text[:len(text) // 2])), 2, err="cut.smt2")
    expect(plumb("check", files("counter.btor2", COUNTER), "--check-certificate", proof), 2, err="proof.smt2")
    induction = files.path("induction.smt2")
    counter = files("counter.btor2", COUNTER)
    expect(plumb("check", counter, "--property", "high", "--engine", "k-induction", "--certificate", induction), 0)
    wrong = files("wrong.smt2", induction.read_text().replace(":position 0", ":position 1").replace('"high"', '"nine"'))
    expect(plumb("check", counter, "--check-certificate", wrong), 20, "the certificate proves nothing")


FAKES = {
    "crash": ("#!/bin/sh\nkill -SEGV $$\n", "signal"),
    "fail": ("#!/bin/sh\necho oops >&2\nexit 3\n", ""),
    "nonsense": ("#!/bin/sh\necho 'Property proved. The moon is a cheese.'\n", ""),
    "silent": ("#!/bin/sh\nexit 0\n", ""),
    "hang": ("#!/bin/sh\nsleep 1000\n", "out of time"),
}


def broken_abc(files):
    """ABC that is missing, crashes, hangs or talks nonsense proves nothing and costs its own answers alone."""
    twins = files("twins.btor2", TWINS)
    for name, (script, reason) in FAKES.items():
        fake = files(f"abc-{name}", script, executable=True)
        result = plumb("check", twins, "--abc", fake, "--engine", "abc pdr,abc int", "--timeout", "3")
        expect(result, 20, "unknown", f"abc-{name}", reason)
        check("holds" not in result.stdout.decode(), result.stdout)
        expect(plumb("check", twins, "--abc", fake, "--engine", "k-induction,abc pdr,abc int", "--timeout", "60"), 0, "proved by k-induction")
        expect(plumb("check", twins, "--abc", fake, "--timeout", "60"), 0, "holds")
    result = plumb("check", twins, "--abc", "/nonexistent/abc", "--engine", "abc pdr")
    expect(result, 20, "unknown", err="there is no program '/nonexistent/abc'")
    expect(result, 20, err="apt-get install berkeley-abc")
    expect(plumb("check", twins, "--abc", "/nonexistent/abc"), 0, "holds")


def broken_yosys(files):
    """Yosys that is missing or fails is a message with what to do; its own messages keep file and line."""
    design = files("d.sv", "module d (input clk);\n  always @(posedge clk) a: assert (1);\nendmodule\n")
    expect(plumb("check", design, "--yosys", "/nonexistent/yosys"), 2, err="apt-get install yosys")
    crash = files("yosys-crash", FAKES["crash"][0], executable=True)
    expect(plumb("check", design, "--yosys", crash), 2, err="signal 11")
    hang = files("yosys-hang", FAKES["hang"][0], executable=True)
    expect(plumb("check", design, "--yosys", hang, "--timeout", "1"), 20, err="out of time")
    wrong = files("w.sv", "module w (input clk);\n  wire x\n  assert (1);\nendmodule\n")
    expect(plumb("check", wrong), 2, err=f"{wrong}:3: error: Yosys: syntax error")
    lost = files("lost.sv", "module lost (input clk);\n  nowhere n (clk);\nendmodule\n")
    expect(plumb("check", lost), 2, err="nowhere")
    loop = files("loop.sv", "module loop (input clk);\n  wire a, b;\n  assign a = !b;\n  assign b = !a;\n  always @* p: assert (a);\nendmodule\n")
    expect(plumb("check", loop), 2, err="Yosys")
    live = files("live.sv", "module live (input clk);\n  reg a = 0;\n  always @(posedge clk) a <= !a;\n  assert property (s_eventually a);\nendmodule\n")
    expect(plumb("check", live), 2, err=f"{live}:4:")
    none = files("none.sv", "module none (input clk, output y);\n  assign y = clk;\nendmodule\n")
    expect(plumb("check", none), 2, err="write assert")


def verilog_options(files):
    """--top, -I, -D and names with blanks reach Yosys."""
    files("limit.vh", "`define LIMIT 3\n")
    design = files("two tops.sv", "module a (input clk); always @* x: assert (`WIDE == 1); endmodule\n`include \"limit.vh\"\n"
                   "module b (input clk);\n  reg [2:0] c = 0;\n  always @(posedge clk) c <= c + 1;\n"
                   "  always @(posedge clk) y: assert (c != `LIMIT);\n  always @* cover (c == 1);\nendmodule\n")
    arguments = ("check", design, "-I", files.directory, "-D", "WIDE=1")
    expect(plumb(*arguments, "--top", "a"), 0, "x  holds")
    expect(plumb(*arguments, "--top", "b"), 10, "y  violated  in step 3", "two tops.sv:6:", "c    0 1 2 3", "cover statements are not checked")
    expect(plumb(*arguments, "--top", "c"), 2, err="c")


def full_disk(files):
    """Output that cannot be written is an error; nothing half written stays behind."""
    counter = files("counter.btor2", COUNTER)
    with open("/dev/full", "wb") as full:
        for extra in ([], ["--json"], ["--show", "btor2"]):
            result = subprocess.run([PLUMB, "check", counter, *extra], stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
            check(result.returncode == 2 and b"No space left" in result.stderr, result)
    expect(plumb("check", counter, "--vcd", "/nonexistent/x.vcd"), 2, err="/nonexistent")
    expect(plumb("check", counter, "--property", "high", "--certificate", "/nonexistent/x.smt2"), 2, err="/nonexistent")
    check(sorted(path.name for path in files.directory.iterdir()) == ["counter.btor2"], list(files.directory.iterdir()))


def closed_pipe(files):
    """A reader that goes away ends the run quietly."""
    counter = files("counter.btor2", COUNTER)
    read, write = os.pipe()
    os.close(read)
    result = subprocess.run([PLUMB, "check", counter], stdout=write, stderr=subprocess.PIPE, timeout=SECONDS)
    os.close(write)
    check(result.returncode == 141 and result.stderr == b"", result)


def interrupt(files):
    """Ctrl-C and SIGTERM end a proof soon, with exit code 130 and what is known; no process of ABC is left."""
    hard = files("hard.btor2", HARD)
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([PLUMB, "check", hard], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(1.5)
        check(process.poll() is None, "the proof should be too hard to be done already")
        start = time.monotonic()
        process.send_signal(signal_number)
        code = process.wait(timeout=SECONDS)
        check(code == 130, f"exit code {code}: {process.stderr.read()}")
        check(time.monotonic() - start < 5, "it took too long")
        process.stdout.close()
        process.stderr.close()


def time_limit(files):
    """A timeout ends with what is known: a bound, or nothing, never a proof."""
    hard = files("hard.btor2", HARD)
    result = plumb("check", hard, "--timeout", "2")
    expect(result, 20, "product")
    check("the property holds" not in result.stdout.decode(), result.stdout)


# --- plumb prove ---

def tiny_verdicts(files):
    """A contract is proved, or refuted with the inputs that break it, the failing line and its text."""
    grades = files("grades.tiny", GRADES)
    expect(plumb("prove", grades, "-b", "4"), 0, "postcondition p", "holds", "int has 4 bits, unsigned")
    wrong = files("wrong.tiny", GRADES.replace("points >= 9) {", "points >= 8) {"))
    expect(plumb("prove", wrong, "-b", "4"), 10, "postcondition p", "violated", f"{wrong}:11:", "inputs: points = 8", "rv = 2")
    search = files("search.tiny", SEARCH)
    expect(plumb("prove", search, "-b", "2", "--timeout", "60"), 0, "postcondition ls", "index in bounds", "MAX_ARRAY_SIZE is 3")
    found, answers = objects(plumb("prove", wrong, "-b", "4", "--json"))
    check(found["verdict"] == "violated", found)
    broken = answers["postcondition p"]
    check(broken["line"] == 11 and broken["trace"]["inputs"] == {"points": 8} and broken["kind"] == "postcondition", broken)


def tiny_vacuous(files):
    """A precondition that nothing satisfies makes everything vacuous, with exit code 20."""
    never = files("never.tiny", GRADES.replace("points <= 10", "points < 3 && points > 7"))
    expect(plumb("prove", never, "-b", "4"), 20, "vacuous", "no run that satisfies the precondition comes to an end")
    found, _ = objects(plumb("prove", never, "-b", "4", "--json"))
    check(found["verdict"] == "vacuous", found)


def tiny_checks(files):
    """Index, overflow and division checks can be switched off, and the result says so."""
    text = "int f(int x, int y) {\n  int [3] a;\n  int s = x + y;\n  a[x] = 1;\n  return s / y;\n}\n"
    source = files("checks.tiny", text)
    out = expect(plumb("prove", source, "-b", "3"), 10, "overflow", "index in bounds", "division by zero")
    check(out.count("is violated in step") == 3, out)
    for place in ("checks.tiny:3:", "checks.tiny:4:", "checks.tiny:5:"):
        check(place in out, out)
    expect(plumb("prove", source, "-b", "3", "--checks", "none"), 2, err="there is nothing to prove")
    out = expect(plumb("prove", source, "-b", "3", "--no-index-check", "--no-overflow-check"), 10, "not checked, as asked: index in bounds, overflow")
    check("index in bounds  violated" not in out, out)
    expect(plumb("prove", source, "-b", "3", "--checks", "division"), 10, "division by zero")


def tiny_replay(files):
    """A counterexample is a file that runs again on the source, and passes once that is corrected."""
    wrong = files("wrong.tiny", GRADES.replace("points >= 9) {", "points >= 8) {"))
    out = files.path("run")
    expect(plumb("prove", wrong, "-b", "4", "--out", out), 10, "waveform:", "counterexample:")
    saved = out / "postcondition_p.json"
    check_vcd(out / "postcondition_p.vcd")
    expect(plumb("prove", wrong, "--replay", saved), 10, "points = 8", "found by replay")
    files("wrong.tiny", GRADES)
    expect(plumb("prove", wrong, "--replay", saved), 20, "it comes to its end without a failure")
    expect(plumb("prove", wrong, "--replay", files("x.json", "{")), 2, err="x.json")
    expect(plumb("prove", wrong, "--replay", files("y.json", "{}")), 2, err="not a counterexample")


def tiny_stages(files):
    """--show prints each stage, and the stages that are systems have the program's verdict under `plumb check`."""
    wrong = files("wrong.tiny", GRADES.replace("points >= 9) {", "points >= 8) {"))
    for stage in ("rho", "graph"):
        result = plumb("prove", wrong, "-b", "4", "--show", stage)
        expect(result, 0)
        check(len(result.stdout) > 100, result.stdout)
    for stage, suffix in (("caig", "caig"), ("btor2", "btor2"), ("aiger", "aag")):
        text = plumb("prove", wrong, "-b", "4", "--show", stage)
        expect(text, 0)
        result = plumb("check", files(f"stage.{suffix}", text.stdout), "--json")
        verdicts_there = {answer["name"].replace("_", " "): answer["verdict"] for answer in result_object(result.stdout)["properties"]}
        check(verdicts_there["postcondition p"] == "violated", verdicts_there)


def tiny_termination(files):
    """A bound on the number of steps is proved or refuted; what bmc proves by it names the number."""
    loop = files("loop.tiny", "int f(int n) {\n  int i = 0;\n  while (i < n) {\n    i = i + 1;\n  }\n  return i;\n  @post f { rv == n }\n}\n")
    expect(plumb("prove", loop, "-b", "3", "--termination", "40"), 0, "termination within 40 steps", "holds")
    expect(plumb("prove", loop, "-b", "3", "--termination", "3"), 10, "termination within 3 steps", "violated")
    expect(plumb("prove", loop, "-b", "3", "--engine", "bmc"), 0, "every run ends within")
    expect(plumb("prove", loop, "-b", "3", "--steps", "statement", "--no-sharing", "--no-unroll"), 0)


MISTAKES = {
    "grammar": ("int f(int x) {\n  x = ;\n  return x;\n}\n", ":2:7: error:"),
    "two at once": ("int f(int x) {\n  x = ;\n  y = 3;\n  return x;\n}\n", ":2:7: error:"),
    "type": ("int f(int x) {\n  bool b = true;\n  x = x + b;\n  return x;\n}\n", ":3:"),
    "array as scalar": ("int f(int [] a) {\n  int x = a + 1;\n  return x;\n}\n", ":2:"),
    "unknown name": ("int f(int x) {\n  return z;\n}\n", ":2:10: error:"),
    "reversed range": ("int f(int [] a) {\n  return 0;\n  @post f { forall(int i:[5..2]) { a[i] == 0 } }\n}\n", ":3:"),
    "circular wire": ("wire int a = b + 1;\nwire int b = a + 1;\nint f(int x) {\n  return a;\n}\n", ":1:10: error:"),
    "no return": ("int f(int x) {\n  if (x > 1) return 2;\n}\n", "error:"),
    "number too big": ("int f(int x) {\n  return 99;\n}\n", ":2:10: error:"),
    "empty": ("", "error:"),
}


def tiny_mistakes(files):
    """Every mistake in a program is named with file, line, column and what is wrong, and the exit code is 2."""
    for name, (text, message) in MISTAKES.items():
        source = files("mistake.tiny", text)
        result = plumb("prove", source, "-b", "4")
        check(result.returncode == 2, f"{name}: exit {result.returncode} {result.stdout} {result.stderr}")
        expect(result, 2, err="mistake.tiny")
        check(message in result.stderr.decode(), f"{name}: expected {message!r} in {result.stderr.decode()}")
    both = plumb("prove", files("both.tiny", MISTAKES["two at once"][0]), "-b", "4", "--json")
    found = result_object(both.stdout)
    check(found["verdict"] == "error" and found["error"]["line"] == 2, found)
    types = files("types.tiny", "int f(int x) {\n  bool b = true;\n  x = x + b;\n  return z;\n}\n")
    found = result_object(plumb("prove", types, "-b", "4", "--json").stdout)
    check([error["line"] for error in found["errors"]] == [3, 4], found)


def tiny_options(files):
    """Widths and sizes that make no sense are refused; files that are not there too."""
    grades = files("grades.tiny", GRADES)
    expect(plumb("prove", grades, "-b", "0"), 2, err="an int of 0 bits")
    expect(plumb("prove", grades, "-b", "65"), 2, err="an int of 65 bits")
    expect(plumb("prove", grades, "-b", "many"), 2)
    expect(plumb("prove", grades, "--steps", "giant"), 2)
    expect(plumb("prove", grades, "--checks", "spelling"), 2)
    expect(plumb("prove", "/nonexistent.tiny"), 2, err="/nonexistent.tiny")
    expect(plumb("prove"), 2)
    expect(plumb("prove", grades, "-b", "5", "--signed"), 0, "int has 5 bits, signed")
    expect(plumb("prove", grades, "-b", "4", "--signed"), 2, err="does not fit")
    result = plumb("prove", grades, "-b", "4", "--abc", "/nonexistent/abc")
    expect(result, 0, "holds", err="there is no program")


def tiny_recursion(files):
    """Recursion is bounded by --stack, and a call beyond it is a violation with its place."""
    text = "int fact(int n) {\n  int r = 1;\n  if (n > 0) {\n    r = fact(n - 1);\n  }\n  return r;\n}\nint main2(int n) {\n  @pre m { n < 4 }\n  int x = fact(n);\n  return x;\n  @post m { rv == 1 }\n}\n"
    source = files("recursive.tiny", text)
    expect(plumb("prove", source, "-b", "3", "--stack", "4"), 0, "recursion depth", "holds")
    expect(plumb("prove", source, "-b", "3", "--stack", "2"), 10, "recursion depth", "violated", "recursive.tiny:4:")


SCENARIOS = [verdicts, formats, json_shape, bad_systems, vacuous, scripts, result_files, certificates, broken_abc, broken_yosys,
             verilog_options, full_disk, closed_pipe, interrupt, time_limit, tiny_verdicts, tiny_vacuous, tiny_checks, tiny_replay,
             tiny_stages, tiny_termination, tiny_mistakes, tiny_options, tiny_recursion]


def main():
    words = sys.argv[2:]
    failed = 0
    for scenario in SCENARIOS:
        if words and not any(word in scenario.__name__ for word in words):
            continue
        try:
            with tempfile.TemporaryDirectory() as directory:
                scenario(Files(directory))
            print(f"{scenario.__name__}: passed", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
            failed += 1
            print(f"{scenario.__name__}: FAILED\n{error}\n", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
