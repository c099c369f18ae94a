#!/usr/bin/env python3
"""Every construct of BIP 2 that docs/bip.md lists, and those that it calls not read: it is read right, or it is refused
with its place and exit code 2. Nothing is dropped without a word.

    constructs.py PLUMB            all cases
    constructs.py PLUMB WORD…      those whose name contains one of the words
    constructs.py PLUMB --engines  the cases that are read, under each engine and with provers alone, and by oracle.py

With --engines no verdict may be wrong; what a prover does not decide is no fault.

A case is a model that uses one construct, with properties that hold or not by hand; at least one of them would change
if the construct were left out or misread."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

REFUSED = "refused"
HERE = pathlib.Path(__file__).resolve().parent
ENGINES = ("two-cycle", "one-cycle", "parallel")
PROVERS = ("bmc", "bmc split", "path-bmc", "k-induction", "guess", "modes", "abc pdr", "abc int")
LISTED = """package const data int bool atom connector compound type port export place initial to on from provided do internal
as define up down component priority if then else fi true false float string use while for""".split()


def package(body, before=""):
    return f"package p\n{before}\n  port type Sync()\n  port type Time(int v)\n{body}\nend\n"


def one(atom, more="", top="component A a()", before=""):
    """A package of one atom type and a system with one of it."""
    return package(f"  atom type A()\n{atom}\n  end\n{more}\n  compound type Top()\n    {top}\n  end", before)


def act(action, value, start="x = 0; b = false;", before=""):
    """An action, after which x has the value."""
    atom = f"""    data int x
    data bool b
    port Sync go()
    port Sync rest()
    place S, T
    initial to S do {{ {start} }}
    on go from S to T do {{ {action} }}
    on rest from T to T"""
    if value == REFUSED:
        return one(atom, before=before), REFUSED
    return one(atom, before=before), {f"a.place == T => a.x == {value}": "holds", "a.place == S": "violated"}


def value(expression, wanted, **more):
    return act(f"x = {expression};", wanted, **more)


TWO = """  atom type A()
    data int x
    export port Time p(x)
    place S, T
    initial to S do { x = 1; }
    on p from S to T
    on p from T to T
  end
  atom type B()
    data int y
    export port Time q(y)
    place S, T
    initial to S do { y = 5; }
    on q from S to T
    on q from T to T
  end
"""


def connected(connector, more="connector C c(a.p, b.q)"):
    """Two atoms with a port each, and a connector type C."""
    return package(TWO + connector + f"\n  compound type Top()\n    component A a()\n    component B b()\n    {more}\n  end")


def ordered(rule, atom_rule=""):
    """Two interactions of one atom: the second may be taken once, the first for ever."""
    return package(f"""  atom type A()
    export data int n
    export port Sync low()
    export port Sync high()
    place S, T
    initial to S do {{ n = 0; }}
    on low from S to T
    on low from T to T
    on high from S to S provided (n < 2) do {{ n = n + 1; }}
    {atom_rule}
  end
  connector type One(Sync p)
    define p
  end
  compound type Top()
    component A a()
    connector One l(a.low)
    connector One h(a.high)
    {rule}
  end""")


LOOP = "    place S\n    initial to S\n    on go from S to S"
CASES = {
    # Data and expressions.
    "data initialised": (one("    data int x = 7\n    port Sync go()\n" + LOOP), {"a.x == 7": "holds"}),
    "data not initialised": (one("    data int x\n    port Sync go()\n" + LOOP), {"a.x == 0": "violated"}),
    "data of several names": (one("    data int x, y\n    port Sync go()\n    place S\n    initial to S do { x = 1; y = 2; }\n"
                                  "    on go from S to S"), {"a.x + a.y == 3": "holds"}),
    "data bool": (one("    data bool x\n    port Sync go()\n    place S\n    initial to S do { x = true; }\n    on go from S to S"),
                  {"a.x": "holds"}),
    "data float": (one("    data float x\n    port Sync go()\n" + LOOP), REFUSED),
    "data string": (one("    data string x\n    port Sync go()\n" + LOOP), REFUSED),
    "data of an external type": (one("    data Thing x\n    port Sync go()\n" + LOOP), REFUSED),
    "data array": (one("    data int x[3]\n    port Sync go()\n" + LOOP), REFUSED),
    "data twice": (one("    data int x\n    data int x\n    port Sync go()\n" + LOOP), REFUSED),
    "constant": value("K + 1", 6, before="  const data int K = 5"),
    "constant unknown": value("K + 1", REFUSED),
    "expression precedence": value("1 + 2 * 3 - 4 / 2", 5),
    "expression minus is left": value("9 - 4 - 3", 2),
    "expression modulo": value("-7 % 3", -1),
    "expression division": value("-7 / 2", -3),
    "expression division by zero": value("7 / x", 0),
    "expression modulo by zero": value("7 % x", 7),
    "expression wraps": value("127 + 1", -128),
    "expression number too large": value("128 + 128 + 300", REFUSED),
    "expression hexadecimal": value("0x1f", 31),
    "expression unary minus": value("-(3)", -3),
    "expression complement": value("~5", -6),
    "expression bits": value("(12 & 10) + (12 | 3) + (6 ^ 3)", 28),
    "expression shifts": value("(3 << 2) + (-8 >> 1)", 8),
    "expression comparison": value("(1 < 2 ? 1 : 0) + (2 <= 2 ? 2 : 0) + (1 > 2 ? 4 : 0) + (2 >= 3 ? 8 : 0)", 3),
    "expression equality": value("(1 == 2 ? 1 : 0) + (1 != 2 ? 2 : 0)", 2),
    "expression logic": value("(true && !false ? 1 : 0) + (false || false ? 2 : 0)", 1),
    "expression choice": value("x == 0 ? 4 : 5", 4),
    "expression call": value("f(1)", REFUSED),
    "expression index": value("x[1]", REFUSED),
    "expression bool as int": value("b + 1", REFUSED),
    "expression int as bool": act("if (x) { x = 1; }", REFUSED),
    # Actions.
    "action assignments in order": act("x = 1; x = x + x; x = x + x;", 4),
    "action of an operator": act("x += 5; x -= 2; x *= 4; x /= 2; x %= 4;", 2),
    "action of bits": act("x |= 6; x &= 3; x ^= 1; x <<= 2; x >>= 1;", 6),
    "action ++": act("x++; x++; x--;", 1),
    "action if": act("if (x == 0) { x = 3; }", 3),
    "action if else": act("if (x != 0) { x = 3; } else { x = 4; }", 4),
    "action if then fi": act("if (x == 0) then x = 3; else x = 4; fi", 3),
    "action else if": act("if (x == 1) { x = 3; } else if (x == 0) { x = 5; } else { x = 4; }", 5),
    "action while": act("while (x < 3) { x = x + 1; }", REFUSED),
    "action for": act("for (x = 0; x < 3; x++) { b = true; }", REFUSED),
    "action do while": act("do { x = x + 1; } while (x < 3);", REFUSED),
    "action call": act("print(x);", REFUSED),
    "action on an unknown name": act("z = 1;", REFUSED),
    # Atoms.
    "guard": (one("    data int x\n    port Sync go()\n    place S\n    initial to S do { x = 0; }\n"
                  "    on go from S to S provided (x < 3) do { x++; }"), {"a.x <= 3": "holds", "a.x <= 2": "violated", "deadlock": "violated"}),
    "guard of several transitions": (one("    data int x\n    port Sync go()\n    place S, T\n    initial to S do { x = 0; }\n"
                                         "    on go from S to S provided (x < 3) do { x++; }\n    on go from S to T provided (x == 1)\n"
                                         "    on go from T to T"), {"a.place == T => a.x == 1": "holds", "a.place == S": "violated"}),
    "internal": (one("    data int x\n    port Sync go()\n    place S, T\n    initial to S do { x = 0; }\n    on go from S to T\n"
                     "    internal from T to S do { x = 1; }"), {"a.place == S": "holds", "a.x == 0": "violated"}),
    "internal with a guard": (one("    data int x\n    port Sync go()\n    place S, T\n    initial to S do { x = 0; }\n    on go from S to T\n"
                                  "    on go from T to T do { x = 1; }\n    internal from T to S provided (x == 1)"),
                              {"a.place == T => a.x == 0": "holds", "a.place == S": "violated", "a.x == 0": "violated"}),
    "ports as one": (one("    data int x\n    port Sync u() as go\n    port Sync v() as go\n    place S\n    initial to S do { x = 0; }\n"
                         "    on u from S to S provided (x == 0) do { x = 1; }\n    on v from S to S provided (x == 1) do { x = 2; }"),
                     REFUSED),
    "exported ports as one": (package("""  atom type A()
    data int x
    export port Sync u() as go
    export port Sync v() as go
    place S
    initial to S do { x = 0; }
    on u from S to S provided (x == 0) do { x = 1; }
    on v from S to S provided (x == 1) do { x = 2; }
  end
  connector type One(Sync p)
    define p
  end
  compound type Top()
    component A a()
    connector One c(a.go)
  end"""), {"a.x <= 1": "violated", "a.x <= 2": "holds", "deadlock": "violated"}),
    "parameters": (package("""  atom type A(int start, bool flag)
    data int x
    port Sync go()
    place S
    initial to S do { x = start; }
    on go from S to S provided (flag) do { x = start + 1; }
  end
  compound type Top()
    component A a(3, true)
    component A b(3, false)
  end"""), {"a.x == 3": "violated", "b.x == 3": "holds"}),
    "parameters missing": (package("""  atom type A(int start)
    port Sync go()
    place S
    initial to S
    on go from S to S
  end
  compound type Top()
    component A a()
  end"""), REFUSED),
    "petri net": (one("    port Sync go()\n    place S, T, U\n    initial to S\n    on go from S to T, U"), REFUSED),
    "petri net of several initial places": (one("    port Sync go()\n    place S, T\n    initial to S, T\n    on go from S to S"), REFUSED),
    "place unknown": (one("    port Sync go()\n    place S\n    initial to S\n    on go from S to T"), REFUSED),
    "initial missing": (one("    port Sync go()\n    place S\n    on go from S to S"), REFUSED),
    "port unknown": (one("    place S\n    initial to S\n    on go from S to S"), REFUSED),
    "clock": (one("    clock c\n    port Sync go()\n" + LOOP), REFUSED),
    "clock with a unit": (one("    clock c unit second\n    port Sync go()\n" + LOOP), REFUSED),
    "invariant": (one("    port Sync go()\n    place S\n    invariant i at S provided (true)\n    initial to S\n    on go from S to S"), REFUSED),
    "urgency": (one("    port Sync go()\n    place S\n    initial to S\n    on go from S to S eager"), REFUSED),
    # Connectors.
    "rendezvous": (connected("  connector type C(Time a, Time b)\n    define a b\n  end"),
                   {"(a.place == T) == (b.place == T)": "holds", "a.place == S": "violated"}),
    "trigger": (connected("  connector type C(Time a, Time b)\n    define a' b\n  end"), {"b.place == T => a.place == T": "holds", "b.place == S": "violated"}),
    "triggers": (connected("  connector type C(Time a, Time b)\n    define a' b'\n  end"), {"b.place == T => a.place == T": "holds", "b.place == S": "violated"}),
    "connector guard": (connected("  connector type C(Time a, Time b)\n    define a b\n    on a b provided (a.v > b.v)\n  end"), {"a.place == S": "holds", "deadlock": "violated"}),
    "connector down": (connected("  connector type C(Time a, Time b)\n    define a b\n    on a b down { a.v = b.v; }\n  end"), {"a.x == 1 || a.x == 5": "holds", "a.x == 1": "violated"}),
    "connector data": (connected("  connector type C(Time a, Time b)\n    data int m\n    define a b\n    on a b up { m = a.v + b.v; } down { a.v = m; }\n  end"),
                       {"a.x == 1": "violated", "a.x != 6": "violated", "b.y == 5": "holds"}),
    "connector of an unknown port": (connected("  connector type C(Time a, Time b)\n    define a c\n  end"), REFUSED),
    "connector of too few ports": (connected("  connector type C(Time a, Time b)\n    define a b\n  end", "connector C c(a.p)"), REFUSED),
    "connector missing": (connected("", ""), REFUSED),
    "group": (package(TWO + """  connector type C(Time a, Time b)
    define (a b)'
  end
  compound type Top()
    component A a()
    component B b()
    connector C c(a.p, b.q)
  end"""), {"(a.place == T) == (b.place == T)": "holds", "a.place == S": "violated"}),
    "connector exported": (package(TWO + """  connector type E(Time a)
    data int m
    export port Time out(m)
    define a
    on a up { m = a.v; } down { a.v = m; }
  end
  connector type C(Time a, Time b)
    define a b
    on a b down { a.v = b.v; }
  end
  compound type Top()
    component A a()
    component B b()
    connector E e(a.p)
    connector C c(e.out, b.q)
  end"""), {"a.x == 1": "violated", "a.place == T => a.x == 5": "holds"}),
    "compound in a compound": (package(TWO.replace("data int x", "export data int x") + """  connector type C(Time a, Time b)
    define a b
  end
  compound type Inner()
    component A a()
    export port a.p as p
    export data a.x as x
  end
  compound type Top()
    component Inner i()
    component B b()
    connector C c(i.p, b.q)
  end"""), {"(i.a.place == T) == (b.place == T)": "holds", "b.place == S": "violated"}),
    # Priorities.
    "priority": (ordered("priority r l:a.low < h:a.high"), {"a.place == T => a.n == 2": "holds", "a.place == S": "violated"}),
    "priority with a condition": (ordered("priority r l:a.low < h:a.high provided (a.n < 1)"), {"a.place == T => a.n >= 1": "holds", "a.place == T => a.n == 2": "violated"}),
    "priority of all": (ordered("priority r l:* < *:*"), {"a.place == T => a.n == 2": "holds", "a.place == S": "violated"}),
    "priority of an atom": (ordered("", "priority r low < high"), {"a.place == T => a.n == 2": "holds", "a.place == S": "violated"}),
    "priority missing": (ordered(""), {"a.place == T => a.n == 2": "violated"}),
    "priority of an unknown connector": (ordered("priority r m:a.low < h:a.high"), REFUSED),
    "priority that is a cycle": (ordered("priority r l:a.low < h:a.high\n    priority s h:a.high < l:a.low"), REFUSED),
    # Files.
    "comments": (one("    // data int x\n    /* place Q\n */ data int x = 2\n    port Sync go()\n" + LOOP), {"a.x == 2": "holds"}),
    "annotation": (one("    @size(max=3)\n    data int x = 2\n    port Sync go()\n" + LOOP), {"a.x == 2": "holds"}),
    "use": (one("    port Sync go()\n" + LOOP, before="  use other"), REFUSED),
    "extern": (one("    port Sync go()\n" + LOOP, before="  extern data type Thing"), REFUSED),
    "extern function": (one("    port Sync go()\n" + LOOP, before="  extern function int f(int)"), REFUSED),
    "package not ended": (one("    port Sync go()\n" + LOOP).rstrip()[:-3], REFUSED),
    "text behind the package": (one("    port Sync go()\n" + LOOP) + "atom", REFUSED),
    "reserved word as a name": (one("    data int place\n    port Sync go()\n" + LOOP), REFUSED),
}


def run(plumb, files, model, asked, options=()):
    (files / "m.bip").write_text(model)
    command = [plumb, "bip", "m.bip", "--json", *options]
    for i, text in enumerate(asked):
        command += ["--deadlock"] if text == "deadlock" else ["--prop", f"q{i}: {text}"]
    return subprocess.run(command, cwd=files, capture_output=True, text=True, timeout=120)


def complaint(plumb, files, model, expected):
    done = run(plumb, files, model, {} if expected == REFUSED else expected, ["--timeout", "60"])
    said = (done.stderr + done.stdout).strip()[:300]
    if expected == REFUSED:
        if done.returncode != 2:
            return f"exit code {done.returncode} instead of a refusal: {said}"
        result = re.search(r"m\.bip:\d+:\d+", done.stderr + done.stdout) or '"line"' in done.stdout
        return None if result else f"refused without a place: {said}"
    if done.returncode not in (0, 10):
        return f"exit code {done.returncode}: {said}"
    found = {each["name"]: each["verdict"] for each in json.loads(done.stdout)["properties"]}
    wanted = by_name(expected)
    return None if found == wanted else f"{found} instead of {wanted} for {list(expected)}"


def by_name(expected):
    return {text if text == "deadlock" else f"q{i}": verdict for i, (text, verdict) in enumerate(expected.items())}


def engine_complaints(plumb, files, number, model, expected):
    """What any engine says that is wrong, and what it does not decide with all provers."""
    wanted = by_name(expected)
    # Each case under each engine, and with three of the provers alone.
    alone = [(engine, PROVERS[(3 * number + i) % len(PROVERS)]) for i, engine in enumerate(ENGINES)]
    for engine, prover in [*((engine, None) for engine in ENGINES), *alone]:
        done = run(plumb, files, model, expected, ["--engine", engine, *(["--provers", prover, "--bound", "20", "--timeout", "2"] if prover else ["--timeout", "60"])])
        where = f"{engine}, {prover or 'all provers'}"
        if done.returncode not in (0, 10, 20):
            yield f"{where}: exit code {done.returncode}: {(done.stderr + done.stdout).strip()[:300]}"
            continue
        for each in json.loads(done.stdout)["properties"]:
            verdict, right = each["verdict"], wanted[each["name"]]
            if verdict != right and (prover is None or verdict in ("holds", "violated")):
                yield f"{where}: {each['name']} {verdict} instead of {right}"


def oracle_complaint(files, model, expected):
    """Where the exploration of all states has another verdict than the case."""
    (files / "m.bip").write_text(model)
    words = [word for text in expected if text != "deadlock" for word in ("--prop", text)]
    done = subprocess.run([sys.executable, str(HERE / "oracle.py"), "m.bip", *words, *([] if "deadlock" in expected else ["--no-deadlock"])], cwd=files,
                          capture_output=True, text=True, timeout=120)
    verdicts = re.findall(r"\b(holds|violated|vacuous|unknown)\b", done.stdout)
    return None if done.returncode == 0 and sorted(verdicts) == sorted(expected.values()) else f"oracle: {done.stdout[:300]} {done.stderr[-300:]}"


def main():
    plumb, words = str(pathlib.Path(sys.argv[1]).resolve()), [word for word in sys.argv[2:] if word != "--engines"]
    has_engines = "--engines" in sys.argv
    cases = {name: case for name, case in CASES.items() if not words or any(word in name for word in words)}
    wrong = []
    with tempfile.TemporaryDirectory() as directory:
        for number, (name, (model, expected)) in enumerate(cases.items()):
            if has_engines:
                if expected == REFUSED:
                    continue
                wrong += [f"{name}: {problem}" for problem in engine_complaints(plumb, pathlib.Path(directory), number, model, expected)]
                if problem := oracle_complaint(pathlib.Path(directory), model, expected):
                    wrong.append(f"{name}: {problem}")
            elif problem := complaint(plumb, pathlib.Path(directory), model, expected):
                wrong.append(f"{name}: {problem}")
    if not words:
        used = set(re.findall(r"[a-z]+", " ".join(model for model, _ in CASES.values())))
        wrong += [f"no case has the word {word}" for word in LISTED if word not in used]
    for line in wrong:
        print("WRONG:", line)
    print(f"{len(cases)} constructs, {len(wrong)} wrong")
    sys.exit(1 if wrong or not cases else 0)


if __name__ == "__main__":
    main()
