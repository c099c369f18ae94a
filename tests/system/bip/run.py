#!/usr/bin/env python3
"""Runs `plumb bip` as a user would.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim.
"""
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
WARNINGS = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]

LIGHT = """package lights
  port type Sync()
  port type Int(int v)
  atom type Timer(int start)
    data int t, n
    export port Sync tick()
    export port Int done(n)
    place S0
    initial to S0 do { t = 0; n = start; }
    on tick from S0 to S0 provided (t < n) do { t = t + 1; }
    on done from S0 to S0 provided (t >= n) do { t = 0; }
  end
  atom type Light()
    data int m
    export port Int done(m)
    place G, Y, R
    initial to G do { m = 3; }
    on done from G to Y do { m = 5; }
    on done from Y to R do { m = 10; }
    on done from R to G do { m = 3; }
  end
  connector type Single(Sync p)
    define p
  end
  connector type Pass(Int a, Int b)
    define a b
    on a b down { a.v = b.v; }
  end
  compound type Top()
    component Timer timer(4)
    component Light light()
    connector Single c0(timer.tick)
    connector Pass c1(timer.done, light.done)
    priority p1 c0:timer.tick < c1:timer.done,light.done
  end
end
"""
# A value that anything may be goes from one cell to the other, once.
CELLS = """package cells
  port type Value(int v)
  atom type Cell()
    data int v
    export port Value give(v), take(v)
    place EMPTY, FULL
    initial to EMPTY
    on give from EMPTY to EMPTY
    on take from EMPTY to FULL
    on give from FULL to FULL
  end
  connector type Move(Value from_, Value to_)
    define from_ to_
    on from_ to_ down { to_.v = from_.v; }
  end
  compound type Top()
    component Cell a(), b()
    connector Move move(a.give, b.take)
    connector Move back(b.give, a.take)
  end
end
"""
# Two philosophers, each takes the fork at the left first: both have one, and nothing can happen.
FORKS = """package forks
  port type Sync()
  atom type Philosopher()
    export port Sync first(), second(), done()
    place Thinks, Waits, Eats
    initial to Thinks
    on first from Thinks to Waits
    on second from Waits to Eats
    on done from Eats to Thinks
  end
  atom type Fork()
    export port Sync take(), give()
    place Free, Taken
    initial to Free
    on take from Free to Taken
    on give from Taken to Free
  end
  connector type Two(Sync a, Sync b)
    define a b
  end
  connector type Three(Sync a, Sync b, Sync c)
    define a b c
  end
  compound type Table()
    component Philosopher p0(), p1()
    component Fork f0(), f1()
    connector Two p0left(p0.first, f0.take)
    connector Two p0right(p0.second, f1.take)
    connector Three p0done(p0.done, f0.give, f1.give)
    connector Two p1left(p1.first, f1.take)
    connector Two p1right(p1.second, f0.take)
    connector Three p1done(p1.done, f0.give, f1.give)
  end
end
"""
# A counter that starts anywhere, goes up, and is stuck at seven.
FREE = """package free
  port type Sync()
  atom type Counter()
    data int n
    data bool high
    export port Sync more()
    place S
    initial to S do { high = false; }
    on more from S to S provided (n != 7) do { n = n + 1; high = n > 5; }
  end
  connector type Single(Sync p)
    define p
  end
  compound type Top()
    component Counter c()
    connector Single tick(c.more)
  end
end
"""
# Two ways to go on, and internal transitions behind each.
CHOICE = """package choice
  port type Sync()
  atom type Walker()
    data int steps
    export port Sync go()
    place Home, Left, Right, End
    initial to Home do { steps = 0; }
    on go from Home to Left do { steps = steps + 1; }
    on go from Home to Right do { steps = steps + 2; }
    internal from Left to End do { steps = steps + 10; }
    internal from Left to Home do { steps = 0; }
    on go from Right to Home provided (steps < 3)
  end
  connector type Single(Sync p)
    define p
  end
  compound type Top()
    component Walker w()
    connector Single walk(w.go)
  end
end
"""


def plumb(*arguments, **keywords):
    keywords.setdefault("timeout", SECONDS)
    return subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, **keywords)


def bip(*arguments, **keywords):
    return plumb("bip", *arguments, **keywords)


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

    def __call__(self, name, text):
        path = self.directory / name
        path.write_text(text) if isinstance(text, str) else path.write_bytes(text)
        return path

    def path(self, name):
        return self.directory / name

    def names(self):
        return sorted(path.name for path in self.directory.iterdir())


def objects(result):
    found = result_object(result.stdout)
    check(found["plumb"] == "2.0" and found["command"] == "bip", found)
    return found, {answer["name"]: answer for answer in found.get("properties", [])}


def compiled(files, model, *options):
    """The emitted emulator of a model, compiled with all warnings as errors."""
    source = files.path("emulator.cpp")
    expect(bip(model, *options, "--emit-cpp", source), 0, f"program: {source}")
    program = files.path("emulator")
    build = subprocess.run(["g++", *WARNINGS, source, "-o", program], capture_output=True, timeout=SECONDS)
    check(build.returncode == 0, build.stderr.decode()[-3000:])
    return program


# --- proofs ---

def deadlock(files):
    """Deadlock freedom is proved when nothing else is asked for; a deadlock is shown as the interactions that lead there."""
    light = files("light.bip", LIGHT)
    out = expect(bip(light), 0, "deadlock  holds", "the property holds", "int has 8 bits, signed, wrapping")
    check("2 components, 4 places, 2 interactions" in out, out)
    out = expect(bip(files("forks.bip", FORKS)), 10, "deadlock  violated  after 2 interactions", "deadlock is violated after 2 interactions",
                 "p0.place Thinks -> Waits", "p1.place Thinks -> Waits", "no interaction can be fired: p0 in Waits, p1 in Waits, f0 in Taken, f1 in Taken")
    check(re.search(r"^ +1 +p\dleft:p\d\.first,f\d\.take", out, re.M) and re.search(r"^ +2 +p\dleft", out, re.M), out)


def properties(files):
    """Invariants, quantifiers, responses and contracts each have their line; deadlock freedom comes with --deadlock."""
    light = files("light.bip", LIGHT)
    out = expect(bip(light, "--prop", "in time: timer.t <= timer.n", "--prop", "light.place == G => light.m == 3",
                     "--prop", "forall c in Timer: c.t >= 0", "--prop", "red ends: light.place == R leads to light.place == G within 6"),
                 0, "in time", "red ends", "all 4 properties hold")
    check("deadlock" not in out, out)
    expect(bip(light, "--prop", "timer.t <= timer.n", "--deadlock"), 0, "deadlock", "all 2 properties hold")
    expect(bip(light, "--prop", "soon: light.place == R leads to light.place == G within 5"), 10, "soon  violated",
           "'light.place == R' was true, and 'light.place == G' has not been true within 5 interactions")
    expect(bip(light, "--prop", "small: timer.n < 5"), 10, "small  violated", "'timer.n < 5' is false: timer.n = 5")
    expect(bip(light, "--contract", files("c.txt", "timer.n == 4\ntimer.n >= 3\n")), 0, "the property holds")
    expect(bip(light, "--contract", files("w.txt", "timer.n == 4\ntimer.n == 4\n")), 10, "'timer.n == 4' was true at the start, 'timer.n == 4' is false: timer.n = 3")
    expect(bip(light, "--no-deadlock"), 2, err="there is nothing to prove")
    expect(bip(light, "--deadlock", "--no-deadlock"), 2, err="exclude each other")


def property_files(files):
    """--props reads one property a line, with places in messages; --property chooses among them."""
    light = files("light.bip", LIGHT)
    props = files("light.props", "# of the light\nin time: timer.t <= timer.n\nsmall: timer.n < 5\n\ngreen: light.place == G => \\\n  timer.n != 3\n")
    out = expect(bip(light, "--props", props), 10, "in time", f"{props}:3", "small is violated", "3 properties: 2 proved, 1 violated")
    check("deadlock" not in out, out)
    expect(bip(light, "--props", props, "--property", "in time"), 0, "the property holds")
    expect(bip(light, "--props", props, "--property", "red"), 2, err="there is no property 'red'")
    expect(bip(light, "--props", files("bad.props", "timer.t <= 3\ntimer.x <= 3\n")), 2, err="bad.props:2")
    out = expect(bip(light, "--props", files("d.props", "deadlock\n"), "--deadlock"), 0, "deadlock  holds", "the property holds")
    expect(bip(light, "--props", "-", input=b"small: timer.n < 5\n"), 10, "small  violated")
    expect(bip("-", "--prop", "timer.t <= timer.n", input=LIGHT.encode()), 0, "the property holds")
    expect(bip("-", "--props", "-", input=LIGHT.encode()), 2, err="standard input is read for two things")


def engines(files):
    """The three engines of BIP and all provers agree; a response is not for the parallel engine."""
    light, forks = files("light.bip", LIGHT), files("forks.bip", FORKS)
    for engine in ("two-cycle", "one-cycle", "parallel"):
        expect(bip(light, "--engine", engine), 0, "deadlock  holds")
        expect(bip(forks, "--engine", engine), 10, "after 2 interactions")
    expect(bip(light, "--engine", "parallel", "--prop", "light.place == R leads to light.place == G within 6"), 2, err="parallel")
    for prover in ("bmc", "k-induction", "abc pdr"):
        expect(bip(forks, "--provers", prover), 10, f"found by {prover}")
    expect(bip(light, "--provers", "bmc", "--bound", "6", "--engine", "two-cycle"), 20, "holds up to 6 steps", "an interaction takes two steps")
    expect(bip(light, "--engine", "three-cycle"), 2)
    expect(bip(light, "--provers", "magic"), 2, err="magic")
    expect(bip(light, "--script", "scl; pdr", "--provers", "bmc"), 2, err="without --provers")
    expect(bip(light, "--script", "scl; dc2; pdr"), 0, "abc pdr", "re-checked")
    result = bip(light, "--abc", "/nonexistent/abc", "--timeout", "60")
    expect(result, 0, "holds", err="there is no program '/nonexistent/abc'")


def vacuity(files):
    """A property whose premise never holds is vacuous, with exit code 20, unless nobody wants to know."""
    light = files("light.bip", LIGHT)
    text = "timer.t == 11 leads to timer.t == 0 within 3"
    expect(bip(light, "--prop", text), 20, "vacuous", "'timer.t == 11' is never true")
    expect(bip(light, "--prop", text, "--no-vacuity-check"), 0, "the property holds")
    expect(bip(light, "--contract", files("c.txt", "timer.n == 5\ntimer.n == 5\n")), 20, "vacuous", "'timer.n == 5' is never true")
    found, answers = objects(bip(light, "--prop", "never: " + text, "--json"))
    check(found["verdict"] == "vacuous" and answers["never"]["verdict"] == "vacuous", found)
    proof = files.path("never.smt2")
    expect(bip(light, "--prop", text, "--certificate", proof), 20, "vacuous")
    expect(bip(light, "--prop", text, "--check-certificate", proof), 20, "vacuous")
    endless = files("endless.bip", LIGHT.replace("on done from G to Y", "internal from G to G\n    on done from G to Y"))
    expect(bip(endless, "--prop", "light.m == 77"), 20, "vacuous", "internal transitions never end")
    later = files("later.bip", LIGHT.replace("on done from G to Y", "internal from Y to Y\n    on done from G to Y"))
    expect(bip(later, "--prop", "light.m < 77"), 0, "the property holds")


def narrowing(files):
    """Data that is only moved and compared has few bits in a proof; verdicts, counterexamples and certificates are about the model's values."""
    cells = files("cells.bip", CELLS)
    expect(bip(cells, "--prop", "a.v == 5 || b.v != 5"), 10, "instead of 8 for a.v", "b.v = 5")
    kept = expect(bip(cells, "--prop", "a.v == 5 || b.v != 5", "--keep-width"), 10, "b.v = 5")
    check("instead of" not in kept, kept)
    guide = files.path("cells.guide")
    expect(bip(cells, "--prop", "a.v == 5 || b.v != 5", "--guide-out", guide), 10)
    expect(bip(cells, "--prop", "a.v == 5 || b.v != 5", "--guide", guide), 10, "violated")
    proof = files.path("cells.smt2")
    copied = "b.place == EMPTY || a.v == b.v"
    expect(bip(cells, "--prop", copied, "--certificate", proof), 0, "instead of 8 for a.v")
    expect(bip(cells, "--prop", copied, "--check-certificate", proof), 0)
    expect(bip(cells, "--prop", copied, "--keep-width"), 0)
    below = expect(bip(cells, "--prop", "a.v < 6"), 10)
    check("instead of" not in below, "data that is compared by < has all its bits")


def widths(files):
    """An int is signed and has --bits bits; data without an initial value is any value, or zero with --initialize-vars."""
    free = files("free.bip", FREE)
    out = expect(bip(free), 10, "any value at the start", "c.n")
    check(re.search(r"any value at the start, here: c.n = 7", out), out)
    expect(bip(free, "--initialize-vars"), 10, "after 7 interactions")
    expect(bip(free, "--prop", "c.n >= -8 && c.n <= 7", "-b", "4"), 0, "int has 4 bits, signed")
    expect(bip(free, "--prop", "c.n <= 7"), 10, "is false: c.n = ")
    expect(bip(free, "-b", "3"), 2, err="7")
    for bits in ("1", "63", "0", "-4", "many"):
        expect(bip(free, "-b", bits), 2)


def top(files):
    """--top chooses the compound type and gives its arguments."""
    text = LIGHT.replace("compound type Top()", "compound type Top(int time)").replace("timer(4)", "timer(time)")
    light = files("light.bip", text)
    expect(bip(light, "--top", "Top(4)", "--prop", "timer.n < 11"), 0, "Top(4)")
    expect(bip(light, "--top", "Top(20)", "--prop", "timer.n < 11"), 10, "timer.n = 20")
    expect(bip(light, "--top", "Tap(20)"), 2, err="Top")
    expect(bip(light, "--top", "Top"), 2)


# --- results ---

def json_shape(files):
    """--json prints one object and nothing else; a counterexample has its interactions with what they change."""
    result = bip(files("forks.bip", FORKS), "--json")
    expect(result, 10)
    found, answers = objects(result)
    check(found["verdict"] == "violated" and found["inputs"], found)
    trace = answers["deadlock"]["trace"]
    check(answers["deadlock"]["kind"] == "deadlock" and trace["interactions"] == 2 and len(trace["steps"]) == 2, trace)
    changes = {name: pair for step in trace["steps"] for name, pair in step["changes"].items()}
    check(changes == {"p0.place": ["Thinks", "Waits"], "p1.place": ["Thinks", "Waits"], "f0.place": ["Free", "Taken"], "f1.place": ["Free", "Taken"]}, changes)
    check(trace["end"]["p0.place"] == "Waits" and {step["interaction"].split(":")[0] for step in trace["steps"]} == {"p0left", "p1left"}, trace)
    check("no interaction can be fired" in answers["deadlock"]["message"], answers)
    check(found["stats"]["model"]["components"] == 4 and found["stats"]["model"]["interactions"] == 6, found["stats"])
    check(any("int has 8 bits" in note for note in found["assumptions"]), found)
    found, answers = objects(bip(files("free.bip", FREE), "--json", "--full-trace"))
    check(answers["deadlock"]["trace"]["initial"] == {"c.n": 7} and answers["deadlock"]["trace"]["signals"], answers)
    result = bip(files("bad.bip", LIGHT.replace("timer.tick)", "timer.tock)")), "--json")
    expect(result, 2)
    found = result_object(result.stdout)
    check(found["verdict"] == "error" and found["error"]["line"] == 32 and "tock" in found["error"]["message"], found)


def result_files(files):
    """--out has waveform, witness, guide and object of what is violated, a certificate of what holds; the certificate is checked again."""
    light = files("light.bip", LIGHT)
    out = files.path("run/deep")
    expect(bip(light, "--deadlock", "--prop", "small: timer.n < 5", "--out", out), 10, "guide:", "waveform:", "certificate of deadlock:")
    names = sorted(path.name for path in out.iterdir())
    check(names == ["deadlock.smt2", "result.json", "small.guide", "small.json", "small.vcd", "small.witness"], names)
    check_vcd(out / "small.vcd", "timer.t", "light.place")
    expect(bip(light, "--deadlock", "--prop", "small: timer.n < 5", "--check-certificate", out / "deadlock.smt2"), 0, "the property holds")
    expect(bip(light, "--deadlock", "--prop", "small: timer.n < 5", "--guide", out / "small.guide"), 10, "violated: small")
    one = (files.path("a.vcd"), files.path("a.witness"), files.path("a.guide"))
    expect(bip(light, "--prop", "timer.n < 5", "--vcd", one[0], "--witness", one[1], "--guide-out", one[2]), 10)
    check_vcd(one[0], "timer.t", "light.place")
    check(one[1].read_text().startswith("sat\n"), "a witness should begin with sat")
    check(one[2].read_text().count("c0:timer.tick") > 3, one[2].read_text())
    both = bip(light, "--prop", "a: timer.n < 5", "--prop", "b: timer.n != 3", "--guide-out", files.path("two.guide"))
    expect(both, 10)
    check({"two-a.guide", "two-b.guide"} <= set(files.names()), files.names())


def check_vcd(path, *signals):
    text = path.read_text()
    check("$enddefinitions" in text and "$var" in text, text[:300])
    for signal_name in signals:
        check(signal_name in text or signal_name.split(".")[-1] in text, text[:2000])
    if shutil.which("vcd2fst"):
        run = subprocess.run(["vcd2fst", path, str(path) + ".fst"], capture_output=True, timeout=SECONDS)
        check(run.returncode == 0 and os.path.getsize(str(path) + ".fst") > 0, run)
        os.remove(str(path) + ".fst")


def shown(files):
    """--show prints the flattened model with the numbers of interactions, or the system for other tools."""
    light = files("light.bip", LIGHT)
    out = expect(bip(light, "--show", "model"), 0, "timer : Timer", "on tick from S0 to S0 provided (t < n) do { t = t + 1; }", "priorities",
                 "c0:timer.tick < c1:timer.done,light.done")
    check(re.search(r"^ +0 +c0:timer.tick$", out, re.M) and re.search(r"^ +1 +c1:timer.done,light.done", out, re.M), out)
    for stage, suffix in (("btor2", "btor2"), ("caig", "caig"), ("aiger", "aag")):
        text = bip(light, "--prop", "small: timer.n < 5", "--show", stage)
        expect(text, 0)
        expect(plumb("check", files(f"light.{suffix}", text.stdout), "--property", "0"), 10, "violated")
    expect(bip(light, "--show", "model", "--json"), 2, err="leave out --json")


def pictures(files):
    """--dot prints what Graphviz draws, or writes it to a file, wherever the option stands."""
    light = files("light.bip", LIGHT)
    texts = {expect(bip(light, "--dot"), 0, "digraph", "timer", "c1"), expect(bip("--dot", light), 0), expect(bip("--dot", light, "-b", "8"), 0)}
    picture = files.path("light.dot")
    expect(bip(light, "--dot", picture), 0, f"picture: {picture}")
    expect(bip("--dot", picture, light), 0)
    texts.add(picture.read_text())
    check(len(texts) == 1, texts)
    if shutil.which("dot"):
        for name in ("light", "forks", "choice"):
            model = files(f"{name}.bip", {"light": LIGHT, "forks": FORKS, "choice": CHOICE}[name])
            run = subprocess.run(["dot", "-Tsvg"], input=bip(model, "--dot").stdout, capture_output=True, timeout=SECONDS)
            check(run.returncode == 0 and b"</svg>" in run.stdout and not run.stderr, run)
    expect(bip(light, "--dot", "--json"), 2, err="leave out --json")
    found = result_object(bip(light, "--dot", picture, "--json").stdout)
    check(found["files"] == [{"kind": "picture", "path": str(picture)}], found)


# --- emulation ---

def emulation(files):
    """--emulate prints each interaction with what it changes; the same seed gives the same run, 0 is no bound."""
    light = files("light.bip", LIGHT)
    out = expect(bip(light, "--emulate", "7"), 0, "stopped after 7 interactions")
    lines = out.splitlines()
    check(lines[0].split() == "0 initial timer.place S0, timer.t 0, timer.n 4, light.place G, light.m 3".split(), lines[0])
    check(lines[1].split() == "1 c0:timer.tick timer.t 0 -> 1".split(), lines[1])
    check(lines[5].split() == "5 c1:timer.done,light.done timer.t 4 -> 0, timer.n 4 -> 3, light.place G -> Y, light.m 3 -> 5".split(), lines[5])
    forks = files("forks.bip", FORKS)
    runs = {seed: bip(forks, "--emulate", "30", "--seed", seed).stdout for seed in range(1, 9)}
    check(all(bip(forks, "--emulate", "30", "--seed", seed).stdout == run for seed, run in runs.items()), "a seed should give one run")
    check(len(set(runs.values())) > 1, "seeds should differ")
    expect(bip(forks, "--emulate", "0"), 10, "deadlock after")
    expect(bip(forks, "--emulate", "0", "--no-deadlock"), 0, "deadlock after")
    expect(bip(light, "--emulate", "0", "--timeout", "300ms"), 20, ": out of time")
    expect(bip(forks, "--emulate", "-1"), 10, "deadlock after")
    expect(bip(light, "--emulate", "many"), 2)
    expect(bip(light, "--emulate", "5", "--vcd", files.path("x.vcd")), 2, err="--vcd is not for an emulation")


def emulated_properties(files):
    """Emulation looks at the properties in each visible state and says where which is violated."""
    light = files("light.bip", LIGHT)
    out = expect(bip(light, "--emulate", "20", "--prop", "small: timer.n < 5", "--prop", "in time: timer.t <= timer.n"), 10,
                 "violated: small: 'timer.n < 5' is false: timer.n = 5", "violated: small\n")
    lines = out.splitlines()
    where = next(i for i, line in enumerate(lines) if "violated: small:" in line)
    check("timer.n 3 -> 5" in lines[where - 1], lines)
    expect(bip(light, "--emulate", "0", "--prop", "small: timer.n < 5"), 10, "every property is violated")
    expect(bip(light, "--emulate", "20", "--prop", "in time: timer.t <= timer.n"), 0, "no property is violated in this run")
    expect(bip(files("forks.bip", FORKS), "--emulate", "0", "--deadlock"), 10, "violated: deadlock: no interaction can be fired", "deadlock after")
    # A deadlock repeats, and with it time goes on.
    expect(bip(files("free.bip", FREE), "--emulate", "0", "--prop", "c.n == 7 leads to c.n == 0 within 4"), 10, "violated: response")
    found, answers = objects(bip(light, "--emulate", "20", "--prop", "small: timer.n < 5", "--json"))
    check(found["verdict"] == "violated" and found["end"] == "bound" and found["interactions"] == 20 and len(found["steps"]) == 20, found)
    check(answers["small"]["verdict"] == "violated" and answers["small"]["interactions"] > 0, answers)


def guides(files):
    """A guide names interactions by name or number, transitions where there are several, and initial values; what cannot be done is an error with its line."""
    choice = files("choice.bip", CHOICE)
    guide = files("a.guide", "# to the right and back, then left and to the end\nwalk:w.go w#1\n0\n0 w#0\ninternal w#2\n")
    out = expect(bip(choice, "--guide", guide, "--no-deadlock"), 0, "w.place Home -> Right", "w.place Right -> Home", "w.place Home -> Left", "w.place Left -> End")
    check("after 3 interactions" in out, out)
    expect(bip(choice, "--guide", files("b.guide", "0 w#1\n0\n0 w#4\n0\n")), 2, "w.place Home -> Right", err="b.guide:3")
    expect(bip(choice, "--guide", files("c.guide", "walk:w.come\n")), 2, err="c.guide:1")
    expect(bip(choice, "--guide", files("d.guide", "7\n")), 2, err="d.guide:1")
    expect(bip(choice, "--guide", "/nonexistent.guide"), 2, err="/nonexistent.guide")
    free = files("free.bip", FREE)
    expect(bip(free, "--guide", files("e.guide", "init c.n = 5\ntick:c.more\n")), 0, "c.n 5 -> 6", "c.high false -> true", "the guide ends after 1 interaction")
    expect(bip(free, "--guide", files.path("e.guide"), "--emulate", "0"), 10, "deadlock after 2 interactions")
    expect(bip(free, "--guide", files("f.guide", "init c.n = 500\n")), 2, err="f.guide:1")
    written = files.path("run.guide")
    first = bip(choice, "--emulate", "40", "--seed", "3", "--guide-out", written, "--no-deadlock").stdout.decode().splitlines()
    again = bip(choice, "--guide", written, "--no-deadlock").stdout.decode().splitlines()
    check([line for line in first if "walk" in line or "internal" in line] == [line for line in again if "walk" in line or "internal" in line], (first, again))


def round_trip(files):
    """The guide of a counterexample leads the emulator and the emitted program to the same violation, whatever the engine."""
    cases = [("light", LIGHT, ["--prop", "bad: timer.n != 10"], "bad"), ("forks", FORKS, [], "deadlock"), ("free", FREE, ["--prop", "bad: !(c.high && c.n == 7)"], "bad"),
             ("choice", CHOICE, ["--prop", "bad: w.steps != 13"], "bad")]
    for name, text, options, violated in cases:
        model = files(f"{name}.bip", text)
        for engine in ("two-cycle", "one-cycle", "parallel"):
            guide = files.path(f"{name}-{engine}.guide")
            found = bip(model, *options, "--engine", engine, "--guide-out", guide)
            expect(found, 10, f"{violated} is violated")
            lines = [line.strip() for line in found.stdout.decode().splitlines() if " -> " in line]
            replayed = bip(model, *(options or ["--deadlock"]), "--guide", guide)
            expect(replayed, 10, f"violated: {violated}")
            check([line.strip() for line in replayed.stdout.decode().splitlines() if " -> " in line] == lines, (lines, replayed.stdout.decode()))
        program = compiled(files, model)
        native = subprocess.run([program, "--guide", guide], capture_output=True, timeout=SECONDS)
        plain = bip(model, "--guide", guide)
        check(native.stdout == plain.stdout and native.returncode == plain.returncode, (native, plain))


def emitted(files):
    """The emitted program compiles without warnings and runs as --emulate does, for the same seed and bound."""
    for name, text in (("light", LIGHT), ("forks", FORKS), ("choice", CHOICE), ("free", FREE)):
        model = files(f"{name}.bip", text)
        program = compiled(files, model, "--initialize-vars")
        for seed in (1, 2, 77):
            native = subprocess.run([program, "--seed", str(seed), "--cycles", "50"], capture_output=True, timeout=SECONDS)
            ours = bip(model, "--initialize-vars", "--emulate", "50", "--seed", seed)
            check(native.stdout == ours.stdout and native.returncode == ours.returncode, (name, seed, native, ours))
    expect(bip(files.path("light.bip"), "--emit-cpp", "-"), 0, "int main")
    expect(bip(files.path("light.bip"), "--emit-cpp", "/nonexistent/x.cpp"), 2, err="/nonexistent")


def interactive(files):
    """--interactive lists what can be fired and does what it reads, over a pipe too, until q or the end of input."""
    forks = files("forks.bip", FORKS)
    out = expect(bip(forks, "--interactive", input=b"?\n0\ns\nb\np1left:p1.first,f1.take\n0\n"), 10, "NUMBER or NAME", "     0  p0left:p0.first,f0.take", "p0.place = Waits",
                 "back: at the start", "deadlock after 2 interactions")
    check(out.count("p0.place Thinks -> Waits") == 2, out)
    expect(bip(forks, "--interactive", input=b""), 0, "stopped after 0 interactions")
    expect(bip(forks, "--interactive", input=b"q\n0\n"), 0, "stopped after 0 interactions")
    expect(bip(forks, "--interactive", input=b"b\nfrobnicate\n99\nr x\n1 p0#7\n\n"), 0, "this is the start", "frobnicate", "99", "'x' is no number of steps")
    expect(bip(forks, "--interactive", "--prop", "some thinks: p0.place == Thinks", input=b"0\nb\n3\n"), 0, "violated: some thinks", "no property is violated in this run")
    expect(bip(forks, "--interactive", "--emulate", "3", "--no-deadlock", input=b"r 50\nr\n"), 0, "after")
    choice = files("choice.bip", CHOICE)
    out = expect(bip(choice, "--interactive", "--guide-out", files.path("x.guide"), input=b"0 w#0\ninternal w#3\n0 w#1\ng\nq\n"), 0, "w#0|w#1", "internal  w#2|w#3", "w.place Left -> Home",
                 "walk:w.go w#1")
    check("internal w#3" in files.path("x.guide").read_text(), files.path("x.guide").read_text())
    expect(bip(choice, "--interactive", "--guide", files.path("x.guide"), input=b"s\n"), 0, "w.place = Right")
    expect(bip("-", "--interactive", input=FORKS.encode()), 2, err="standard input is read for two things")
    expect(bip(forks, "--interactive", "--json", input=b""), 2, err="leave out --json")


def terminal(files):
    """In a terminal there is a prompt, each answer shows at once, and Ctrl-D ends the session."""
    if not shutil.which("tmux"):
        return
    forks = files("forks.bip", FORKS)
    name = f"bip{os.getpid()}"
    subprocess.run(["tmux", "-L", name, "new-session", "-d", "-x", "120", "-y", "40", "sh"], check=True, timeout=SECONDS)
    try:
        def send(*keys):
            subprocess.run(["tmux", "-L", name, "send-keys", *keys], check=True, timeout=SECONDS)

        def wait_for(*parts, without=None):
            deadline = time.monotonic() + 30
            while True:
                screen = subprocess.run(["tmux", "-L", name, "capture-pane", "-p"], capture_output=True, timeout=SECONDS).stdout.decode()
                if all(part in screen for part in parts) and (without is None or without not in screen):
                    return
                check(time.monotonic() < deadline, f"expected {parts} on the screen\n{screen}")
                time.sleep(0.2)

        send(f"{PLUMB} bip {forks} --interactive; echo code=$?", "Enter")
        wait_for("0  p0left:p0.first,f0.take", "bip>")
        send("0", "Enter")
        wait_for("p0.place Thinks -> Waits")
        send("C-d")
        wait_for("stopped after 1 interaction", "code=0")
        send(f"clear; {PLUMB} bip {forks} --interactive; echo code=$?", "Enter")
        wait_for("bip>", without="stopped after")
        send("C-c")
        wait_for("code=130")
    finally:
        subprocess.run(["tmux", "-L", name, "kill-server"], capture_output=True, timeout=SECONDS)


# --- mistakes ---

MISTAKES = {
    "unknown port": (("timer.tick)", "timer.tock)"), "tock", 32),
    "unconnected component": (("component Light light()", "component Light light(), spare()"), "spare", 31),
    "two ports of one component": (("c1(timer.done, light.done)", "c1(timer.done, timer.done)"), "timer", 33),
    "cyclic priority": (("light.done\n  end", "light.done\n    priority p2 c1:timer.done,light.done < c0:timer.tick\n  end"), "cycl", None),
    "data of the wrong type": (("t = t + 1", "t = true"), "bool", 10),
    "int as a condition": (("provided (t < n)", "provided (t)"), "!= 0", 10),
    "unknown place": (("from G to Y", "from G to B"), "'B'", 18),
    "unknown component type": (("component Light light", "component Ligt light"), "Light", 31),
    "wrong port type": (("c0(timer.tick)", "c0(timer.done)"), "done", 32),
    "missing end": (("  end\nend\n", "  end\n"), "end", None),
    "number that does not fit": (("timer(4)", "timer(400)"), "400", 30),
    "float": (("data int m", "data float m"), "float", 14),
    "garbage": (("package lights", "pakage lights"), "package", 1),
}


def mistakes(files):
    """A mistake in a model is named with file, line and what is wrong, and the exit code is 2."""
    for name, ((old, new), message, line) in MISTAKES.items():
        check(old in LIGHT, name)
        model = files("mistake.bip", LIGHT.replace(old, new, 1))
        result = bip(model)
        text = result.stderr.decode()
        check(result.returncode == 2, f"{name}: exit {result.returncode} {result.stdout} {text}")
        check(re.search(rf"mistake\.bip:{line if line else '[0-9]+'}:", text) and message in text, f"{name}: {text}")
        found = result_object(bip(model, "--json").stdout)
        check(found["verdict"] == "error" and found["error"]["line"] > 0 and found["error"]["message"], found)
    light = files("light.bip", LIGHT)
    for text, message in (("timer.x < 3", "no variable 'x'"), ("timer.t", "!= 0"), ("light.place == B", "'B'"), ("timer.t <", ""), ("forall x in Nobody: x.t == 0", "Nobody"),
                          ("timer.t < 3 leads to timer.t > 3", "within"), ("tmer.t < 3", "timer"), ("timer.t < 1000", "1000"), ("", "")):
        expect(bip(light, "--prop", text), 2, err=message)
    expect(bip(light, "--prop", files("x.props", "timer.t <= timer.n\n")), 2, err="--props")
    expect(bip("/nonexistent.bip"), 2, err="/nonexistent.bip")
    expect(bip(files.directory), 2)
    expect(bip(files("empty.bip", "")), 2, err="empty.bip")
    expect(bip(files("bytes.bip", bytes(range(256)))), 2, err="bytes.bip")
    expect(bip(), 2, err="no model was given")
    expect(bip(light, light), 2)
    expect(bip(light, "--frobnicate"), 2)
    expect(bip(light, "--contract", files("one.txt", "timer.t == 0\n")), 2, err="one.txt")
    expect(bip(light, "--out", light), 2, err="cannot make the directory")


# --- the world around ---

def full_disk(files):
    """Output that cannot be written is an error; nothing half written stays behind."""
    forks = files("forks.bip", FORKS)
    with open("/dev/full", "wb") as full:
        for extra in ([], ["--json"], ["--dot"], ["--emit-cpp", "-"], ["--emulate", "5"], ["--show", "model"], ["--interactive"]):
            result = subprocess.run([PLUMB, "bip", forks, *extra], stdin=subprocess.DEVNULL, stdout=full, stderr=subprocess.PIPE, timeout=SECONDS)
            check(result.returncode == 2 and b"No space left" in result.stderr, (extra, result))
    for option in ("--vcd", "--witness", "--guide-out", "--dot", "--emit-cpp"):
        expect(bip(forks, option, "/nonexistent/x"), 2, err="/nonexistent")
    check(files.names() == ["forks.bip"], files.names())


def closed_pipe(files):
    """A reader that goes away ends the run quietly."""
    light = files("light.bip", LIGHT)
    for extra in ([], ["--emulate", "0"], ["--dot"]):
        read, write = os.pipe()
        os.close(read)
        result = subprocess.run([PLUMB, "bip", light, *extra], stdout=write, stderr=subprocess.PIPE, timeout=SECONDS)
        os.close(write)
        check(result.returncode == 141 and result.stderr == b"", (extra, result))


# Nobody knows whether two such numbers can be multiplied to that prime number.
HARD = """package hard
  port type Sync()
  atom type Factors()
    data int a, b
    export port Sync stay()
    place S
    initial to S
    on stay from S to S
  end
  connector type Single(Sync p)
    define p
  end
  compound type Top()
    component Factors f()
    connector Single c(f.stay)
  end
end
"""
PRIME = "f.a <= 1 || f.b <= 1 || f.a > 2147483647 || f.b > 2147483647 || f.a * f.b != 2305843009213693951"


def limits(files):
    """A timeout ends with what is known, Ctrl-C soon and with exit code 130; other properties have their answers."""
    hard = files("hard.bip", HARD)
    result = bip(hard, "-b", "62", "--prop", f"prime: {PRIME}", "--prop", "easy: f.a == f.a", "--timeout", "4")
    out = expect(result, 20, "prime", "easy")
    check(re.search(r"^easy +holds", out, re.M) and not re.search(r"^prime +holds  ", out, re.M), out)
    for signal_number in (signal.SIGINT, signal.SIGTERM):
        for extra in (["--prop", PRIME], ["--emulate", "0"]):
            process = subprocess.Popen([PLUMB, "bip", hard, "-b", "62", *extra], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # a background shell ignores it
            time.sleep(1.5)
            check(process.poll() is None, f"{extra}: it should not be done already")
            start = time.monotonic()
            process.send_signal(signal_number)
            code = process.wait(timeout=SECONDS)
            check(code == 130 and time.monotonic() - start < 10, f"exit code {code}: {process.stderr.read()}")
            process.stderr.close()


SCENARIOS = [deadlock, properties, property_files, engines, vacuity, narrowing, widths, top, json_shape, result_files, shown, pictures, emulation, emulated_properties,
             guides, round_trip, emitted, interactive, terminal, mistakes, full_disk, closed_pipe, limits]


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
