"""Random C programs with loops over a few bits of state, and all that they can do.

A program is a small tree (tuples of a word and its parts). It is printed as C, and apart from that flattened to a list of steps and
run here on all inputs at once: the set of reachable pairs of place and valuation is finite and small, so that the answer to
its assertion is known for runs of every length."""
import random
from dataclasses import dataclass, field

ARITHMETIC = ("+", "-", "*", "&", "|", "^")
COMPARISON = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class Variable:
    name: str  # as C says it: "x", "s.f"
    width: int
    size: int = 1  # elements, a power of two; 1: no array
    kind: str = "byte"  # "field": of a bit-field structure, "global", "static"


@dataclass
class Program:
    variables: list
    targets: list  # variables that the pointer may point to, by number; empty: there is no pointer
    body: list
    start: dict = field(default_factory=dict)

    @property
    def bits(self):
        return sum(v.width * v.size for v in self.variables) + max(len(self.targets) - 1, 0).bit_length()


# Expressions: ("number", n), ("variable", i), ("element", i, index), ("deref",), ("input", mask), ("op", word, left, right),
# ("not", e), ("invert", e), ("shift", word, e, count), ("modulo", e, mask, n), ("if", c, t, f), ("call", function, e).
# Statements: ("set", i, index or None, e), ("point", k), ("store", e), ("if", c, [..], [..]), ("while", c, [..]), ("do", c, [..]),
# ("for", i, n, [..]), ("break",), ("continue",), ("assume", e), ("assert", e), ("return",), ("switch", e, mask, {value: [..]}).


class Generator:
    def __init__(self, seed):
        self.draw = random.Random(seed)

    def variables(self):
        draw = self.draw
        left, found = draw.randint(3, 6), []
        kind = draw.choice(["byte", "byte", "field", "global", "static"])
        while left > 0 and len(found) < 4:
            name = "xyzw"[len(found)]
            if left >= 2 and kind != "field" and draw.random() < 0.3:
                size = draw.choice([2, 4]) if left >= 4 else 2
                width = draw.randint(1, left // size)
                found.append(Variable(name, width, size, kind))
            else:
                width = draw.randint(1, min(left, 4))
                found.append(Variable(f"s.{name}" if kind == "field" else name, width, 1, kind))
            left -= found[-1].width * found[-1].size
        return found

    def program(self):
        draw = self.draw
        self.all = self.variables()
        self.targets = []
        plain = [i for i, v in enumerate(self.all) if v.size == 1 and v.kind != "field"]
        if len(plain) >= 2 and draw.random() < 0.35:
            self.targets = draw.sample(plain, 2)
        self.loops = 0
        start = {i: draw.randrange(1 << v.width) for i, v in enumerate(self.all)}
        body = self.block(2)
        loop = self.loop(3)
        body = body + [loop]
        if draw.random() < 0.5:
            body += self.block(1)
        body += [("assert", ("number", 1))] if not _has_assert(body) else []
        return Program(self.all, self.targets, body, start)

    def loop(self, depth):
        draw = self.draw
        self.loops += 1
        inner = self.block(depth - 1, True)
        if self.loops < 2 and draw.random() < 0.35:
            inner.insert(draw.randint(0, len(inner)), self.loop(depth - 1))
        if draw.random() < 0.6:
            inner.insert(draw.randint(0, len(inner)), ("assert", ("number", 1)))
        kind = draw.random()
        if kind < 0.2:
            counters = [i for i, v in enumerate(self.all) if v.size == 1]
            if counters:
                i = draw.choice(counters)
                return ("for", i, draw.randrange(1 << self.all[i].width), inner)
        condition = ("number", 1) if draw.random() < 0.25 else ("input", 1) if draw.random() < 0.3 else self.condition(2)
        return ("do" if kind > 0.85 else "while", condition, inner)

    def block(self, depth, in_loop=False):
        return [self.statement(depth, in_loop) for _ in range(self.draw.randint(1, 3))]

    def statement(self, depth, in_loop):
        draw = self.draw
        kind = draw.random()
        if depth > 0 and kind < 0.3:
            return ("if", self.condition(2), self.block(depth - 1, in_loop), self.block(depth - 1, in_loop) if draw.random() < 0.5 else [])
        if depth > 0 and kind < 0.36:
            mask = draw.choice([1, 3])
            return ("switch", self.value(1), mask, {v: self.block(0) for v in draw.sample(range(mask + 1), draw.randint(1, mask))})
        if in_loop and kind < 0.42:
            return ("if", self.condition(1), [("break",) if draw.random() < 0.5 else ("continue",)], [])
        if kind < 0.46:
            return ("assume", self.condition(2))
        if kind < 0.48:
            return ("if", self.condition(2), [("return",)], [])
        if self.targets and kind < 0.6:
            return ("point", draw.randrange(len(self.targets))) if draw.random() < 0.5 else ("store", self.value(2))
        i = draw.randrange(len(self.all))
        v = self.all[i]
        return ("set", i, self.value(1) if v.size > 1 else None, self.value(3))

    def leaf(self):
        draw = self.draw
        kind = draw.random()
        if kind < 0.2:
            return ("number", draw.randrange(8))
        if kind < 0.35:
            return ("input", draw.choice([1, 1, 3, 7]))
        if self.targets and kind < 0.45:
            return ("deref",)
        i = draw.randrange(len(self.all))
        return ("variable", i) if self.all[i].size == 1 else ("element", i, self.simple_index())

    def simple_index(self):
        draw = self.draw
        plain = [i for i, v in enumerate(self.all) if v.size == 1]
        return ("variable", draw.choice(plain)) if plain and draw.random() < 0.7 else ("number", draw.randrange(4))

    def value(self, depth):
        draw = self.draw
        if depth == 0 or draw.random() < 0.25:
            return self.leaf()
        kind = draw.random()
        if kind < 0.6:
            word, left, right = draw.choice(ARITHMETIC), self.value(depth - 1), self.value(depth - 1)
            if word == "*":  # so that no product overflows
                left, right = ("op", "&", left, ("number", 15)), ("op", "&", right, ("number", 15))
            return ("op", word, left, right)
        if kind < 0.7:
            return ("shift", draw.choice(["<<", ">>"]), ("op", "&", self.value(depth - 1), ("number", 63)), draw.randint(0, 3))
        if kind < 0.78:
            return ("modulo", self.value(depth - 1), draw.choice([7, 15]), draw.randint(2, 5))
        if kind < 0.86:
            return ("invert", self.value(depth - 1))
        if kind < 0.93:
            return ("if", self.condition(1), self.value(depth - 1), self.value(depth - 1))
        return ("call", draw.choice(["twice", "turned"]), self.value(depth - 1))

    def condition(self, depth):
        draw = self.draw
        if depth > 1 and draw.random() < 0.25:
            return ("op", draw.choice(["&&", "||"]), self.condition(depth - 1), self.condition(depth - 1))
        if draw.random() < 0.15:
            return ("not", self.condition(1))
        if draw.random() < 0.2:
            return ("input", 1)
        return ("op", draw.choice(COMPARISON), self.value(depth), self.value(1))

    def assertion(self, program, states):
        """Of valuations that come to it; often one that holds in them."""
        draw = self.draw
        cells = [(i, k) for i, v in enumerate(program.variables) for k in range(v.size)]
        chosen = draw.sample(cells, min(len(cells), draw.randint(1, 2)))
        place = {cell: sum(v.size for v in program.variables[:cell[0]]) + cell[1] for cell in chosen}
        seen = {tuple(state[place[c]] for c in chosen) for state in states}
        wanted = [draw.randrange(1 << program.variables[i].width) for i, _ in chosen]
        if draw.random() < 0.5:
            every = [()]
            for i, _ in chosen:
                every = [e + (n,) for e in every for n in range(1 << program.variables[i].width)]
            missing = [e for e in every if e not in seen]
            if missing:
                wanted = draw.choice(missing)
        elif draw.random() < 0.4:
            return self.condition(2)
        equal = [("op", "==", ("variable", i) if program.variables[i].size == 1 else ("element", i, ("number", k)), ("number", n))
                 for (i, k), n in zip(chosen, wanted)]
        return ("not", equal[0] if len(equal) == 1 else ("op", "&&", equal[0], equal[1]))


def _has_assert(statements):
    return any(s[0] == "assert" or any(isinstance(p, list) and _has_assert(p) for p in s[1:]) or
               (s[0] == "switch" and any(_has_assert(b) for b in s[3].values())) for s in statements)


def with_assertion(statements, make):
    """The same with each assertion's condition made anew."""
    found = []
    for s in statements:
        if s[0] == "assert":
            s = ("assert", make(s[1]))
        elif s[0] == "switch":
            s = (*s[:3], {v: with_assertion(b, make) for v, b in s[3].items()})
        else:
            s = tuple(with_assertion(p, make) if isinstance(p, list) else p for p in s)
        found.append(s)
    return found


class Printer:
    """A program as C."""

    def __init__(self, program):
        self.program = program

    def expression(self, e):
        word = e[0]
        if word == "number":
            return str(e[1])
        if word == "variable":
            return self.program.variables[e[1]].name
        if word == "element":
            v = self.program.variables[e[1]]
            return f"{v.name}[{self.expression(e[2])} & {v.size - 1}]"
        if word == "deref":
            return "*p"
        if word == "input":
            return f"(__VERIFIER_nondet_uchar() & {e[1]})"
        if word == "op":
            return f"({self.expression(e[2])} {e[1]} {self.expression(e[3])})"
        if word == "not":
            return f"!{self.expression(e[1])}" if e[1][0] in ("op", "input") else f"!({self.expression(e[1])})"
        if word == "invert":
            return f"(~({self.expression(e[1])}) & 15)"
        if word == "shift":
            return f"({self.expression(e[2])} {e[1]} {e[3]})"
        if word == "modulo":
            return f"(({self.expression(e[1])} & {e[2]}) % {e[3]})"
        if word == "if":
            return f"({self.expression(e[1])} ? {self.expression(e[2])} : {self.expression(e[3])})"
        return f"{e[1]}({self.expression(e[2])})"

    def masked(self, variable, e):
        return f"(unsigned char)({self.expression(e)} & {(1 << variable.width) - 1})"

    def statements(self, body, indent):
        return "".join(self.statement(s, indent) for s in body)

    def statement(self, s, indent):
        space, word = "  " * indent, s[0]
        if word == "set":
            v = self.program.variables[s[1]]
            place = v.name if s[2] is None else f"{v.name}[{self.expression(s[2])} & {v.size - 1}]"
            return f"{space}{place} = {self.masked(v, s[3])};\n"
        if word == "point":
            return f"{space}p = &{self.program.variables[self.program.targets[s[1]]].name};\n"
        if word == "store":
            mask = min((1 << self.program.variables[t].width) - 1 for t in self.program.targets)
            return f"{space}*p = (unsigned char)({self.expression(s[1])} & {mask});\n"
        if word == "if":
            other = f" else {{\n{self.statements(s[3], indent + 1)}{space}}}" if s[3] else ""
            return f"{space}if ({self.expression(s[1])}) {{\n{self.statements(s[2], indent + 1)}{space}}}{other}\n"
        if word == "while":
            return f"{space}while ({self.expression(s[1])}) {{\n{self.statements(s[2], indent + 1)}{space}}}\n"
        if word == "do":
            return f"{space}do {{\n{self.statements(s[2], indent + 1)}{space}}} while ({self.expression(s[1])});\n"
        if word == "for":
            v = self.program.variables[s[1]]
            step = f"{v.name} = (unsigned char)(({v.name} + 1) & {(1 << v.width) - 1})"
            return f"{space}for ({v.name} = 0; {v.name} < {s[2]}; {step}) {{\n{self.statements(s[3], indent + 1)}{space}}}\n"
        if word == "switch":
            cases = "".join(f"{space}  case {v}:\n{self.statements(b, indent + 2)}{space}    break;\n" for v, b in s[3].items())
            return f"{space}switch ({self.expression(s[1])} & {s[2]}) {{\n{cases}{space}}}\n"
        if word == "assume":
            return f"{space}__VERIFIER_assume({self.expression(s[1])});\n"
        if word == "assert":
            return f"{space}if (!({self.expression(s[1])})) reach_error();\n"
        if word == "return":
            return f"{space}return 0;\n"
        return f"{space}{word};\n"

    def declarations(self, kind):
        p = self.program
        found = ""
        for i, v in enumerate(p.variables):
            if v.kind == kind:
                values = f"{{{', '.join([str(p.start[i])] * v.size)}}}" if v.size > 1 else str(p.start[i])
                shape = f"[{v.size}]" if v.size > 1 else ""
                found += f"{'  ' if kind in ('byte', 'static') else ''}{'static ' if kind in ('static', 'global') else ''}unsigned char {v.name}{shape} = {values};\n"
        return found

    def text(self):
        p = self.program
        fields = [i for i, v in enumerate(p.variables) if v.kind == "field"]
        structure = "struct { " + " ".join(f"unsigned int {p.variables[i].name[2:]} : {p.variables[i].width};" for i in fields) + " }"
        local = f"  {structure} s = {{{', '.join(str(p.start[i]) for i in fields)}}};\n" if fields else ""
        pointer = f"  unsigned char *p = &{p.variables[p.targets[0]].name};\n" if p.targets else ""
        return ("extern unsigned char __VERIFIER_nondet_uchar(void);\nextern void __VERIFIER_assume(int);\nextern void reach_error(void);\n"
                "static int twice(int x) { return (x & 31) * 2; }\nstatic int turned(int x) { return x & 1 ? x >> 1 : 7 - (x & 7); }\n" +
                self.declarations("global") + "\nint main(void) {\n" + self.declarations("byte") + self.declarations("static") + local + pointer +
                self.statements(p.body, 1) + "  return 0;\n}\n")


class Flat:
    """A program as steps: statements without parts as they are, and ("branch", condition, to, else to), ("goto", to),
    ("keep", value of a switch), ("case", value, to, else to), ("end",). A valuation is a tuple: the elements of the variables in
    order, and which target the pointer points to."""

    def __init__(self, program):
        self.program = program
        self.offset, at = [], 0
        for v in program.variables:
            self.offset.append(at)
            at += v.size
        self.pointer = at if program.targets else None
        self.steps = []
        self.loops = []
        self.block(program.body)
        self.steps.append(("end",))

    def start(self):
        p = self.program
        return tuple(p.start[i] for i, v in enumerate(p.variables) for _ in range(v.size)) + ((0,) if p.targets else ())

    def block(self, body):
        for s in body:
            self.statement(s)

    def jump(self):
        self.steps.append(None)
        return len(self.steps) - 1

    def branch(self, condition):
        """Its place, to be completed by where it goes if false."""
        self.steps.append(["branch", condition, len(self.steps) + 1, None])
        return len(self.steps) - 1

    def loop(self, head, body, after_body):
        self.loops.append(([], []))
        self.block(body)
        breaks, continues = self.loops.pop()
        for place in continues:
            self.steps[place] = ("goto", len(self.steps))
        after_body()
        self.steps.append(("goto", head))
        return breaks

    def statement(self, s):
        word = s[0]
        if word == "if":
            test = self.branch(s[1])
            self.block(s[2])
            over = self.jump()
            self.steps[test][3] = len(self.steps)
            self.block(s[3])
            self.steps[over] = ("goto", len(self.steps))
        elif word in ("while", "for"):
            if word == "for":
                self.steps.append(("set", s[1], None, ("number", 0)))
            head = len(self.steps)
            test = self.branch(s[1] if word == "while" else ("op", "<", ("variable", s[1]), ("number", s[2])))

            def count():
                if word == "for":
                    self.steps.append(("set", s[1], None, ("op", "+", ("variable", s[1]), ("number", 1))))
            breaks = self.loop(head, s[2] if word == "while" else s[3], count)
            self.steps[test][3] = len(self.steps)
            for place in breaks:
                self.steps[place] = ("goto", len(self.steps))
        elif word == "do":
            head, test = len(self.steps), []
            breaks = self.loop(head, s[2], lambda: test.append(self.branch(s[1])))
            self.steps[test[0]][3] = len(self.steps)
            for place in breaks:
                self.steps[place] = ("goto", len(self.steps))
        elif word == "switch":
            self.steps.append(("keep", ("op", "&", s[1], ("number", s[2]))))
            overs = []
            for value, body in s[3].items():
                self.steps.append(["case", value, len(self.steps) + 1, None])
                test = len(self.steps) - 1
                self.block(body)
                overs.append(self.jump())
                self.steps[test][3] = len(self.steps)
            for place in overs:
                self.steps[place] = ("goto", len(self.steps))
        elif word in ("break", "continue"):
            self.loops[-1][0 if word == "break" else 1].append(self.jump())
        elif word == "return":
            self.steps.append(("end",))
        else:
            self.steps.append(s)

    def evaluate(self, e, state, given):
        word = e[0]
        if word == "number":
            return e[1]
        if word == "variable":
            return state[self.offset[e[1]]]
        if word == "element":
            return state[self.offset[e[1]] + (self.evaluate(e[2], state, given) & (self.program.variables[e[1]].size - 1))]
        if word == "deref":
            return state[self.offset[self.program.targets[state[self.pointer]]]]
        if word == "input":
            return given(e[1])
        if word == "op":
            left = self.evaluate(e[2], state, given)
            if e[1] == "&&":
                return int(left != 0 and self.evaluate(e[3], state, given) != 0)
            if e[1] == "||":
                return int(left != 0 or self.evaluate(e[3], state, given) != 0)
            right = self.evaluate(e[3], state, given)
            return int({"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "&": lambda: left & right,
                        "|": lambda: left | right, "^": lambda: left ^ right, "<": lambda: left < right, "<=": lambda: left <= right,
                        ">": lambda: left > right, ">=": lambda: left >= right, "==": lambda: left == right,
                        "!=": lambda: left != right}[e[1]]())
        if word == "not":
            return int(self.evaluate(e[1], state, given) == 0)
        if word == "invert":
            return ~self.evaluate(e[1], state, given) & 15
        if word == "shift":
            value = self.evaluate(e[2], state, given)
            return value << e[3] if e[1] == "<<" else value >> e[3]
        if word == "modulo":
            return (self.evaluate(e[1], state, given) & e[2]) % e[3]
        if word == "if":
            return self.evaluate(e[2] if self.evaluate(e[1], state, given) else e[3], state, given)
        value = self.evaluate(e[2], state, given)
        return (value & 31) * 2 if e[1] == "twice" else value >> 1 if value & 1 else 7 - (value & 7)

    def change(self, s, state, given):
        state = list(state)
        if s[0] == "point":
            state[self.pointer] = s[1]
        elif s[0] == "store":
            mask = min((1 << self.program.variables[t].width) - 1 for t in self.program.targets)
            state[self.offset[self.program.targets[state[self.pointer]]]] = self.evaluate(s[1], state, given) & mask
        else:
            v = self.program.variables[s[1]]
            value = self.evaluate(s[3], state, given) & ((1 << v.width) - 1)  # before the index, as compilers do
            index = 0 if s[2] is None else self.evaluate(s[2], state, given) & (v.size - 1)
            state[self.offset[s[1]] + index] = value
        return tuple(state)

    def successors(self, place, state, kept):
        """What may come next: place, valuation, kept value of a switch and the inputs that were read, or "error"; all choices."""
        todo, results = [()], []
        while todo:
            prefix = todo.pop()
            read = []

            def given(mask):
                read.append(mask)
                return prefix[len(read) - 1] if len(read) <= len(prefix) else 0
            results_here = self.step(place, state, kept, given)
            if len(read) > len(prefix):  # one input more, with all of its values
                todo += [prefix + (n,) for n in range(read[len(prefix)] + 1)]
            else:
                results.append((results_here, prefix))
        return results

    def step(self, place, state, kept, given):
        s = self.steps[place]
        word = s[0]
        if word == "end":
            return None
        if word == "goto":
            return s[1], state, kept
        if word == "branch":
            return s[2] if self.evaluate(s[1], state, given) else s[3], state, kept
        if word == "keep":
            return place + 1, state, self.evaluate(s[1], state, given)
        if word == "case":
            return (s[2], state, None) if kept == s[1] else (s[3], state, kept)
        if word == "assume":
            return (place + 1, state, kept) if self.evaluate(s[1], state, given) else None
        if word == "assert":
            return (place + 1, state, kept) if self.evaluate(s[1], state, given) else "error"
        return place + 1, self.change(s, state, given), kept

    def explore(self, most=200000):
        """Whether an assertion fails in some run, and the valuations that come to assertions; None if there is too much."""
        first = (0, self.start(), None)
        seen, todo, at_assertions, fails = {first}, [first], set(), False
        while todo:
            place, state, kept = todo.pop()
            if self.steps[place][0] == "assert":
                at_assertions.add(state)
            for after, _ in self.successors(place, state, kept):
                if after == "error":
                    fails = True
                elif after is not None and after not in seen:
                    seen.add(after)
                    todo.append(after)
                    if len(seen) > most:
                        return None
        return fails, at_assertions

    def run(self, inputs, most=1000000):
        """Whether a run with these inputs (bytes in order, zeros behind them) comes to an error."""
        position, here = 0, (0, self.start(), None)

        def given(mask):
            nonlocal position
            position += 1
            return (inputs[position - 1] if position <= len(inputs) else 0) & mask
        for _ in range(most):
            here = self.step(*here, given)
            if here == "error":
                return True
            if here is None:
                return False
        return False


def random_program(seed):
    """A program with an assertion, whether it fails in some run, and whether any run comes to one."""
    while True:
        generator = Generator(seed)
        program = generator.program()
        found = Flat(program).explore()
        seed += 1 << 32
        # Few assertions that no run comes to.
        if found is None or (not found[1] and generator.draw.random() < 0.9):
            continue
        program.body = with_assertion(program.body, lambda _: generator.assertion(program, found[1]))
        found = Flat(program).explore()
        if found is not None:
            return program, found[0], bool(found[1])
