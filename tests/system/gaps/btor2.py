#!/usr/bin/env python3
"""Every operator and every kind of line of BTOR2 under every engine of `plumb check`: no verdict is wrong, and none
claims what it does not know.

    btor2.py PLUMB            all scenarios
    btor2.py PLUMB NAME…      those whose name contains one of the words

Expected verdicts are those of an exhaustive search in Python (Machine), which knows nothing of plumb. Each operator has
two properties over registers that take all values: that it differs from the table of its values, which never happens, and
that it differs from one with a single wrong entry, which one pair of operands shows. A scenario's docstring is its claim."""
import itertools
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

ENGINES = ("auto", "bmc", "bmc split", "path-bmc", "k-induction", "guess", "modes", "abc pdr", "abc int")
# The list of btor2parser, which is that of the paper's table 1.
KEYWORDS = """add and bad concat const constraint constd consth dec eq fair iff implies inc init input ite justice mul nand neg
neq next nor not one ones or output read redand redor redxor rol ror saddo sdiv sdivo sext sgt sgte slice sll slt slte smod smulo
sort sra srem srl ssubo state sub uaddo udiv uext ugt ugte ult ulte umulo urem usubo write xnor xor zero""".split()


# --- Operators on integers ---

def mask(w):
    return (1 << w) - 1


def signed(x, w):
    return x - (1 << w) if x >> (w - 1) else x


def fits(x, w):
    return -(1 << (w - 1)) <= x < 1 << (w - 1)


def quotient(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def sdiv(w, a, b):
    a, b = signed(a, w), signed(b, w)
    return (1 if a < 0 else -1) if b == 0 else quotient(a, b)


def srem(w, a, b):
    a, b = signed(a, w), signed(b, w)
    return a if b == 0 else a - b * quotient(a, b)


def smod(w, a, b):
    return signed(a, w) if b == 0 else signed(a, w) % signed(b, w)


UNARY = {"not": lambda w, a: ~a, "inc": lambda w, a: a + 1, "dec": lambda w, a: a - 1, "neg": lambda w, a: -a}
REDUCTION = {"redand": lambda w, a: a == mask(w), "redor": lambda w, a: a != 0, "redxor": lambda w, a: bin(a).count("1") % 2}
BINARY = {
    "and": lambda w, a, b: a & b, "nand": lambda w, a, b: ~(a & b), "or": lambda w, a, b: a | b, "nor": lambda w, a, b: ~(a | b),
    "xor": lambda w, a, b: a ^ b, "xnor": lambda w, a, b: ~(a ^ b),
    "sll": lambda w, a, b: a << b, "srl": lambda w, a, b: a >> b, "sra": lambda w, a, b: signed(a, w) >> b,
    "rol": lambda w, a, b: a << b % w | a >> (w - b % w), "ror": lambda w, a, b: a >> b % w | a << (w - b % w),
    "add": lambda w, a, b: a + b, "sub": lambda w, a, b: a - b, "mul": lambda w, a, b: a * b,
    "udiv": lambda w, a, b: a // b if b else -1, "urem": lambda w, a, b: a % b if b else a,
    "sdiv": sdiv, "srem": srem, "smod": smod,
}
COMPARISON = {
    "eq": lambda w, a, b: a == b, "neq": lambda w, a, b: a != b,
    "ult": lambda w, a, b: a < b, "ulte": lambda w, a, b: a <= b, "ugt": lambda w, a, b: a > b, "ugte": lambda w, a, b: a >= b,
    "slt": lambda w, a, b: signed(a, w) < signed(b, w), "slte": lambda w, a, b: signed(a, w) <= signed(b, w),
    "sgt": lambda w, a, b: signed(a, w) > signed(b, w), "sgte": lambda w, a, b: signed(a, w) >= signed(b, w),
    "uaddo": lambda w, a, b: a + b > mask(w), "usubo": lambda w, a, b: a < b, "umulo": lambda w, a, b: a * b > mask(w),
    "saddo": lambda w, a, b: not fits(signed(a, w) + signed(b, w), w), "ssubo": lambda w, a, b: not fits(signed(a, w) - signed(b, w), w),
    "smulo": lambda w, a, b: not fits(signed(a, w) * signed(b, w), w), "sdivo": lambda w, a, b: signed(a, w) == -(1 << (w - 1)) and signed(b, w) == -1,
}
LOGICAL = {"iff": lambda w, a, b: a == b, "implies": lambda w, a, b: not a or b}


CONSTANTS = {"zero": lambda: 0, "one": lambda: 1, "ones": lambda: -1, "const": lambda text: int(text, 2), "constd": int,
             "consth": lambda text: int(text, 16)}
ON_WORDS = {**BINARY, **COMPARISON, **LOGICAL}
ON_WORD = {**UNARY, **REDUCTION}


def operand_count(op):
    if op in CONSTANTS:
        return 0
    return 1 if op in ON_WORD or op in ("uext", "sext", "slice") else 3 if op in ("ite", "write") else 2


def result(op, width, operands, rest):
    """Of one operator; the width is that of its last operand, `rest` what stands behind the operands."""
    if op in CONSTANTS:
        return CONSTANTS[op](*(rest[:1] if op.startswith("const") else []))
    if op in ON_WORD:
        return ON_WORD[op](width, *operands)
    if op in ON_WORDS:
        return ON_WORDS[op](width, *operands)
    if op == "write":
        array, at, element = operands
        return array[:at] + (element,) + array[at + 1:]
    first, *others = operands
    return {"uext": lambda: first, "sext": lambda: signed(first, width), "slice": lambda: first >> int(rest[1]), "concat": lambda: first << width | others[0],
            "ite": lambda: others[0] if first else others[1], "read": lambda: first[others[0]]}[op]()


# --- An exhaustive search ---

class Machine:
    """A BTOR2 file, read and run by the words of its definition alone."""

    def __init__(self, text):
        self.lines = [line.split(";")[0].split() for line in text.splitlines() if line.split(";")[0].split()]
        self.sorts, self.sort_of, self.inits, self.nexts = {}, {}, {}, {}
        self.inputs, self.states, self.bads, self.constraints = [], [], [], []
        for number, op, *rest in self.lines:
            if op == "sort":
                self.sorts[number] = int(rest[1]) if rest[0] == "bitvec" else (self.sorts[rest[1]], self.sorts[rest[2]])
            elif op == "init":
                self.inits[rest[1]] = rest[2]
            elif op == "next":
                self.nexts[rest[1]] = rest[2]
            elif op == "bad":
                self.bads.append((rest[1] if len(rest) > 1 else str(len(self.bads)), rest[0]))
            elif op == "constraint":
                self.constraints.append(rest[0])
            elif op != "output":
                self.sort_of[number] = self.sorts[rest[0]]
                if op in ("input", "state"):
                    (self.inputs if op == "input" else self.states).append(number)

    def values(self, sort):
        return list(itertools.product(range(1 << sort[1]), repeat=1 << sort[0])) if isinstance(sort, tuple) else range(1 << sort)

    def evaluate(self, known):
        """The values of all nodes that depend on known inputs and states alone; and what a word stands for."""
        value = dict(known)

        def of(word):
            return ~value[word[1:]] & mask(self.sort_of[word[1:]]) if word[0] == "-" else value[word]

        for number, op, *rest in self.lines:
            if number not in self.sort_of or op in ("input", "state"):
                continue
            operands = rest[1:1 + operand_count(op)]
            if all(word.lstrip("-") in value for word in operands):
                width = self.sort_of[operands[-1].lstrip("-")] if operands else 0
                found = result(op, width, [of(word) for word in operands], rest[1 + len(operands):])
                sort = self.sort_of[number]
                value[number] = found if isinstance(sort, tuple) else int(found) & mask(sort)
        return value, of

    def starts(self):
        """All first states."""
        found = [{}]
        for state in self.states:
            more = []
            for known in found:
                sort = self.sort_of[state]
                values = self.values(sort)
                if state in self.inits:
                    _, of = self.evaluate(known)
                    value = of(self.inits[state])
                    values = [(value,) * (1 << sort[0]) if isinstance(sort, tuple) and not isinstance(value, tuple) else value]
                more += [{**known, state: value} for value in values]
            found = more
        return found

    def verdicts(self):
        """By property: the first step in which it is violated, None if there is none; nothing at all if no run has a step."""
        first, step, seen = {name: None for name, _ in self.bads}, 0, set()
        frontier = {tuple(known[s] for s in self.states) for known in self.starts()}
        is_alive = False
        while frontier:
            seen |= frontier
            following = set()
            for state in frontier:
                for given in itertools.product(*(self.values(self.sort_of[i]) for i in self.inputs)):
                    value, of = self.evaluate({**dict(zip(self.states, state)), **dict(zip(self.inputs, given))})
                    if not all(of(c) for c in self.constraints):
                        continue
                    is_alive = True
                    for name, bad in self.bads:
                        if first[name] is None and of(bad):
                            first[name] = step
                    choices = [[of(self.nexts[s])] if s in self.nexts else self.values(self.sort_of[s]) for s in self.states]
                    following.update(itertools.product(*choices))
            frontier, step = following - seen, step + 1
        return first if is_alive else None


# --- Models of operators ---

class Model:
    def __init__(self):
        self.lines, self.sorts = [], {}

    def add(self, text):
        self.lines.append(f"{len(self.lines) + 1} {text}")
        return len(self.lines)

    def sort(self, width):
        if width not in self.sorts:
            self.sorts[width] = self.add(f"sort bitvec {width}")
        return self.sorts[width]

    def register(self, width):
        """It starts with 0 and has any value later."""
        sort = self.sort(width)
        state, zero, given = self.add(f"state {sort}"), self.add(f"zero {sort}"), self.add(f"input {sort}")
        self.add(f"init {sort} {state} {zero}")
        self.add(f"next {sort} {state} {given}")
        return state

    def differs(self, name, node, width, operands, table):
        """A property: the node differs from the table, by the values of the registers."""
        bit, sort, entry = self.sort(1), self.sort(width), None
        for values, result in table.items():
            constant = self.add(f"constd {sort} {result}")
            if entry is None:
                entry = constant
                continue
            is_here = None
            for (register, w), value in zip(operands, values):
                equal = self.add(f"eq {bit} {register} {self.add(f'constd {self.sort(w)} {value}')}")
                is_here = equal if is_here is None else self.add(f"and {bit} {is_here} {equal}")
            entry = self.add(f"ite {sort} {is_here} {constant} {entry}")
        self.add(f"bad {self.add(f'neq {bit} {node} {entry}')} {name}")

    def operator(self, name, text, width, operands, function):
        """Two properties of an operator of registers (number and width); `text` is its line without the sort."""
        node = self.add(text.format(self.sort(width), *(register for register, _ in operands)))
        table = {values: int(function(*values)) & mask(width) for values in itertools.product(*(range(1 << w) for _, w in operands))}
        self.differs(f"{name}-is", node, width, operands, table)
        where = list(table)[len(table) * 2 // 3]
        self.differs(f"{name}-is-not", node, width, operands, {**table, where: table[where] ^ 1})

    def text(self):
        return "".join(line + "\n" for line in self.lines)


def operators(names, width=3):
    """A system with the properties of these operators."""
    model = Model()
    a, b, c = (model.register(width), width), (model.register(width), width), (model.register(1), 1)
    for name in names:
        if name in UNARY or name in REDUCTION:
            function = UNARY.get(name) or REDUCTION[name]
            model.operator(name, name + " {} {}", width if name in UNARY else 1, [a], lambda x, f=function: f(width, x))
            model.operator(name + "-negated", name + " {} -{}", width if name in UNARY else 1, [a], lambda x, f=function: f(width, ~x & mask(width)))
        elif name in BINARY or name in COMPARISON:
            function = BINARY.get(name) or COMPARISON[name]
            model.operator(name, name + " {} {} {}", width if name in BINARY else 1, [a, b], lambda x, y, f=function: f(width, x, y))
        elif name in LOGICAL:
            model.operator(name, name + " {} {} {}", 1, [c, (model.register(1), 1)], lambda x, y, f=LOGICAL[name]: f(1, x, y))
        elif name == "concat":
            model.operator(name, name + " {} {} {}", width + 1, [a, c], lambda x, y: x << 1 | y)
            model.operator(name + "-negated", name + " {} {} -{}", width + 1, [a, c], lambda x, y: x << 1 | 1 - y)
        elif name == "ite":
            model.operator(name, name + " {0} {2} {1} -{1}", width, [a, c], lambda x, y: x if y else ~x)
        elif name == "slice":
            for high, low in ((width - 1, 0), (width - 1, 1), (1, 1)):
                model.operator(f"{name}-{high}-{low}", f"{name} {{}} {{}} {high} {low}", high - low + 1, [a], lambda x, low=low: x >> low)
        elif name in ("uext", "sext"):
            for more in (0, 2):
                extended = (lambda x: x) if name == "uext" else (lambda x: signed(x, width))
                model.operator(f"{name}-{more}", f"{name} {{}} {{}} {more}", width + more, [a], extended)
        else:
            for text in {"const": ("101"[-width:],), "constd": ("3", "-2"), "consth": ("3",)}.get(name, ("",)):
                value = CONSTANTS[name](*([text] if text else []))
                model.operator(f"{name}{text}", f"{name} {{}} {text}", width, [c], lambda x, value=value: value)
    return model.text()


OPERATORS = [*UNARY, *REDUCTION, *BINARY, *COMPARISON, *LOGICAL, "concat", "ite", "slice", "uext", "sext", *CONSTANTS]

# --- Models of the other lines ---

BITS = "1 sort bitvec 1\n2 sort bitvec 2\n3 zero 2\n4 one 2\n5 ones 2\n"
ARRAY = BITS + "6 sort array 1 2\n7 state 6 memory\n8 input 1 at\n9 input 2 word\n10 input 1 other\n"
LINES = {
    "sort-of-many-bits": "1 sort bitvec 1\n2 sort bitvec 200\n3 zero 2\n4 state 2\n5 init 2 4 3\n6 not 2 4\n7 next 2 4 6\n8 slice 1 4 199 199\n9 bad 8 top\n10 slice 1 4 0 0\n"
                         "11 xor 1 8 10\n12 bad 11 both\n",
    "input-is-new-in-every-step": BITS + "6 input 2\n7 state 2\n8 init 2 7 3\n9 next 2 7 6\n10 neq 1 7 6\n11 bad 10 changed\n12 ugt 1 7 5\n13 bad 12 too-large\n",
    "state-with-init-and-next": BITS + "6 state 2\n7 init 2 6 4\n8 add 2 6 5\n9 next 2 6 3\n10 eq 1 6 4\n11 bad 10 one\n12 eq 1 6 3\n13 bad 12 zero\n14 eq 1 6 5\n15 bad 14 three\n",
    "state-without-init": BITS + "6 state 2\n7 next 2 6 6\n8 eq 1 6 5\n9 bad 8 three\n10 state 2\n11 init 2 10 6\n12 next 2 10 10\n13 neq 1 6 10\n14 bad 13 differ\n",
    "state-without-next": BITS + "6 state 2\n7 init 2 6 3\n8 eq 1 6 5\n9 bad 8 three\n10 state 2\n11 init 2 10 3\n12 next 2 10 6\n13 eq 1 10 5\n14 bad 13 later\n"
                          "15 state 1\n16 zero 1\n17 init 1 15 16\n18 one 1\n19 next 1 15 18\n20 neq 1 6 3\n21 and 1 20 -15\n22 bad 21 at-once\n",
    "state-without-both": BITS + "6 state 2\n7 eq 1 6 4\n8 bad 7 one\n9 state 2\n10 init 2 9 6\n11 next 2 9 6\n12 neq 1 6 9\n13 bad 12 differ\n14 ult 1 6 3\n15 bad 14 below\n",
    "init-of-an-expression": BITS + "6 state 2\n7 next 2 6 6\n8 add 2 6 4\n9 state 2\n10 init 2 9 8\n11 next 2 9 9\n12 sub 2 9 6\n13 neq 1 12 4\n14 bad 13 far\n15 eq 1 9 3\n16 bad 15 wraps\n",
    "next-of-all-at-once": BITS + "6 state 2\n7 init 2 6 3\n8 state 2\n9 init 2 8 4\n10 next 2 6 8\n11 next 2 8 6\n12 eq 1 6 8\n13 bad 12 equal\n14 eq 1 6 4\n15 bad 14 swapped\n",
    "constraint": BITS + "6 input 2\n7 neq 1 6 5\n8 constraint 7 small\n9 state 2\n10 init 2 9 3\n11 next 2 9 6\n12 eq 1 9 5\n13 bad 12 three\n14 eq 1 9 4\n15 bad 14 one\n",
    "constraint-of-the-step-itself": BITS + "6 state 2\n7 init 2 6 3\n8 add 2 6 4\n9 next 2 6 8\n10 neq 1 6 5\n11 constraint 10\n12 eq 1 6 5\n13 bad 12 three\n14 constd 2 2\n15 eq 1 6 14\n16 bad 15 two\n",
    "constraint-that-ends-all-runs": BITS + "6 state 2\n7 init 2 6 3\n8 add 2 6 4\n9 next 2 6 8\n10 ult 1 6 4\n11 constraint 10\n12 eq 1 6 4\n13 bad 12 one\n14 eq 1 6 3\n15 bad 14 zero\n",
    "constraints-that-contradict": BITS + "6 input 1\n7 constraint 6\n8 constraint -6\n9 bad 6 never\n",
    "constraint-that-is-negated": BITS + "6 input 2\n7 eq 1 6 5\n8 constraint -7\n9 bad 7 three\n10 bad -7 others\n",
    "bad-of-constants": BITS + "6 one 1\n7 zero 1\n8 bad 6 always\n9 bad 7 never\n10 bad -7 not-zero\n11 bad -6 not-one\n",
    "bad-without-a-name": BITS + "6 input 1\n7 bad 6\n8 and 1 6 -6\n9 bad 8\n",
    "bads-of-one-node": BITS + "6 state 1\n7 zero 1\n8 init 1 6 7\n9 next 1 6 -6\n10 bad 6 first\n11 bad 6 second\n12 bad -6 third\n",
    "output-changes-nothing": BITS + "6 input 2\n7 output 6 seen\n8 udiv 2 6 3\n9 output 8\n10 neq 1 8 5\n11 bad 10 quotient\n12 eq 1 6 4\n13 bad 12 one\n",
    "comments-and-names": "; a line\n" + BITS + "6 input 2 two;bad\n7 eq 1 6 4 ; bad 7\n; 8 bad 7\n\n8 bad -7 other ; not this\n9 neq 1 6 6 never\n10 bad 9 none\n",
    "array-with-an-element-everywhere": ARRAY + "11 init 6 7 4\n12 next 6 7 7\n13 read 2 7 8\n14 neq 1 13 4\n15 bad 14 other\n16 eq 1 13 4\n17 bad 16 one\n",
    "array-without-init": ARRAY + "11 next 6 7 7\n12 read 2 7 8\n13 eq 1 12 5\n14 bad 13 three\n15 read 2 7 10\n16 neq 1 12 15\n17 eq 1 8 10\n18 and 1 16 17\n19 bad 18 unstable\n"
                          "20 bad 16 not-uniform\n",
    "array-keeps-its-values": ARRAY + "11 next 6 7 7\n12 state 2\n13 zero 1\n14 read 2 7 13\n15 init 2 12 14\n16 next 2 12 12\n17 neq 1 12 14\n18 bad 17 changed\n19 ult 1 12 5\n20 bad 19 below\n",
    "array-without-next": ARRAY + "11 init 6 7 3\n12 read 2 7 8\n13 eq 1 12 5\n14 bad 13 three\n15 state 6\n16 init 6 15 3\n17 next 6 15 7\n18 read 2 15 8\n19 eq 1 18 5\n20 bad 19 later\n",
    "array-of-an-array": ARRAY + "11 next 6 7 7\n12 state 6\n13 init 6 12 7\n14 next 6 12 12\n15 neq 1 7 12\n16 bad 15 differ\n17 read 2 12 8\n18 eq 1 17 5\n19 bad 18 three\n",
    "array-that-is-written": ARRAY + "11 init 6 7 3\n12 write 6 7 8 9\n13 next 6 7 12\n14 read 2 12 8\n15 neq 1 14 9\n16 bad 15 lost\n17 read 2 12 10\n18 neq 1 17 9\n19 eq 1 8 10\n"
                             "20 and 1 18 19\n21 bad 20 lost-too\n22 bad 18 elsewhere\n23 read 2 7 10\n24 eq 1 23 5\n25 bad 24 three\n",
    "array-written-twice": ARRAY + "11 init 6 7 3\n12 write 6 7 8 9\n13 write 6 12 8 4\n14 next 6 7 13\n15 read 2 7 10\n16 ugt 1 15 4\n17 bad 16 more\n18 eq 1 15 4\n19 bad 18 one\n",
    "arrays-compared": ARRAY + "11 init 6 7 3\n12 state 6\n13 init 6 12 3\n14 next 6 12 12\n15 write 6 7 8 9\n16 next 6 7 15\n17 eq 1 7 12\n18 bad -17 differ\n19 neq 1 15 7\n"
                       "20 read 2 7 8\n21 eq 1 20 9\n22 and 1 19 21\n23 bad 22 same-word\n",
    "array-chosen": ARRAY + "11 init 6 7 3\n12 write 6 7 8 9\n13 input 1\n14 ite 6 13 12 7\n15 next 6 7 14\n16 read 2 14 8\n17 neq 1 16 9\n18 and 1 13 17\n19 bad 18 lost\n20 bad 17 kept\n",
}
# Each is an error at line 6, and at a word of it.
REFUSED = {
    "justice": "6 justice 1 3", "fair": "6 fair 3", "unknown": "6 udivo 1 3 4", "array of arrays": "6 sort array 2 6", "no sort": "6 sort real 2",
    "not defined": "6 not 2 9", "wrong sort": "6 bad 3", "too few words": "6 add 2 3", "too many words": "6 not 2 3 name more", "number used": "5 not 2 3",
    "init of a node": "6 init 2 3 3", "constant that does not fit": "6 constd 2 9", "slice outside": "6 slice 2 3 2 1",
}


def run(files, engine, text):
    files("model.btor2", text)
    words = [] if engine == "auto" else ["--engine", engine]
    return subprocess.run([PLUMB, "check", "model.btor2", *words, "--timeout", "60", "--bound", "20", "--json", "-q"], capture_output=True,
                          timeout=SECONDS, cwd=files.path)


def is_right(files, engine, name, text, expected):
    """What the engine says of the model; `auto` has to decide."""
    done = run(files, engine, text)
    result = result_object(done.stdout)
    check(len(result["properties"]) == len(Machine(text).bads), f"{name} {engine}\n{shown(done)}")
    for index, found in enumerate(result["properties"]):
        verdict, where = found["verdict"], f"{name}, '{found['name']}' by {engine}"
        if expected is None:
            check(verdict not in ("violated", "holds"), f"{where}: {verdict} without a run\n{shown(done)}")
            continue
        first = list(expected.values())[index]
        wrong = verdict == "holds" if first is not None else verdict == "violated"
        check(not wrong, f"{where}: {verdict}, but the first violation is in step {first}\n{shown(done)}")
        if verdict == "violated" and engine in ("bmc", "path-bmc"):
            check(found["bound"] == first, f"{where}: step {found['bound']} instead of {first}\n{shown(done)}")
        if verdict not in ("holds", "violated") and found.get("bound") is not None:
            check(first is None or found["bound"] < first, f"{where}: holds up to {found['bound']}, but {first} violates it")
        if engine == "auto":
            check(verdict == ("holds" if first is None else "violated"), f"{where}: {verdict}\n{shown(done)}")


def of_operators(engine, part):
    def scenario(files):
        text = operators(part)
        expected = {}
        for name, _ in Machine(text).bads:
            expected[name] = 1 if name.endswith("-is-not") else None
        is_right(files, engine, "operators", text, expected)

    scenario.__name__ = f"operators_from_{part[0]}_by_{engine.replace(' ', '_')}"
    scenario.__doc__ = f"{engine} makes no wrong claim about {', '.join(part)}."
    return scenario


def tables_are_right(files):
    """The exhaustive search agrees with what the models of operators are built for."""
    for name in OPERATORS:
        found = Machine(operators([name], 2)).verdicts()
        for property_name, step in found.items():
            check((step is not None) == property_name.endswith("-is-not"), f"{property_name}: {step}")


def of_lines(engine):
    def scenario(files):
        for name, text in LINES.items():
            is_right(files, engine, name, text, Machine(text).verdicts())

    scenario.__name__ = f"lines_by_{engine.replace(' ', '_')}"
    scenario.__doc__ = f"{engine} makes no wrong claim about any kind of line."
    return scenario


def what_is_not_read_is_refused(files):
    """Exit code 2 with line and column, and no verdict."""
    for name, line in REFUSED.items():
        done = run(files, "auto", BITS + line + "\n")
        check(done.returncode == 2 and re.search(rb'model\.btor2:6:\d+|"line": ?6', done.stdout + done.stderr), f"{name}\n{shown(done)}")


def every_keyword_has_a_model(files):
    """None is left out."""
    used = set(re.findall(r"\b[a-z]+\b", operators(OPERATORS) + " ".join(LINES.values()) + " ".join(REFUSED.values())))
    check(not set(KEYWORDS) - used, f"{set(KEYWORDS) - used}")
    verdicts = [step for text in LINES.values() for step in (Machine(text).verdicts() or {"": None}).values()]
    check(any(step is None for step in verdicts) and any(step for step in verdicts), f"{verdicts}")


PARTS = [OPERATORS[i:i + 13] for i in range(0, len(OPERATORS), 13)]
SCENARIOS = [tables_are_right, every_keyword_has_a_model, what_is_not_read_is_refused, *map(of_lines, ENGINES),
             *(of_operators(engine, part) for engine in ENGINES for part in PARTS)]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
