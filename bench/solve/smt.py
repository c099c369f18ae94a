"""Terms over bit-vectors, Booleans and arrays, enough to write SMT-LIB problems and to run them on concrete values.

Terms are hash-consed, so that a script prints each shared subterm once, as a define-fun ahead of all assertions.
Nothing is simplified: a problem is printed as its family wrote it.
"""

from dataclasses import dataclass, field

BOOL = 0  # the sort of a Boolean; a positive number is the width of a bit-vector; a pair is an array

_table = {}


class Term:
    __slots__ = ("op", "args", "sort", "depth")

    def __new__(cls, op, args, sort):
        key = (op, tuple(id(a) if isinstance(a, Term) else a for a in args), sort)
        term = _table.get(key)
        if term is None:
            term = super().__new__(cls)
            term.op, term.args, term.sort = op, args, sort
            term.depth = 1 + max((a.depth for a in args if isinstance(a, Term)), default=0)
            _table[key] = term
        return term

    def _lift(self, other):
        return const(other, self.sort) if isinstance(other, int) and self.sort != BOOL else lift_bool(other)

    def _binary(self, other, name):
        other = self._lift(other)
        assert self.sort == other.sort, (name, self.sort, other.sort)
        return Term(name, (self, other), self.sort)

    def _compare(self, other, name):
        other = self._lift(other)
        assert self.sort == other.sort, (name, self.sort, other.sort)
        return Term(name, (self, other), BOOL)

    def __add__(self, other): return self._binary(other, "bvadd")
    def __sub__(self, other): return self._binary(other, "bvsub")
    def __mul__(self, other): return self._binary(other, "bvmul")
    def __lshift__(self, other): return self._binary(other, "bvshl")
    def __rshift__(self, other): return self._binary(other, "bvlshr")
    def __and__(self, other): return self._binary(other, "bvand" if self.sort else "and")
    def __or__(self, other): return self._binary(other, "bvor" if self.sort else "or")
    def __xor__(self, other): return self._binary(other, "bvxor" if self.sort else "xor")
    def __invert__(self): return Term("bvnot" if self.sort else "not", (self,), self.sort)
    def __neg__(self): return Term("bvneg", (self,), self.sort)
    def udiv(self, other): return self._binary(other, "bvudiv")
    def urem(self, other): return self._binary(other, "bvurem")
    def sdiv(self, other): return self._binary(other, "bvsdiv")
    def srem(self, other): return self._binary(other, "bvsrem")
    def ashr(self, other): return self._binary(other, "bvashr")
    def eq(self, other): return self._compare(other, "=")
    def ne(self, other): return ~self.eq(other)
    def ult(self, other): return self._compare(other, "bvult")
    def ule(self, other): return self._compare(other, "bvule")
    def slt(self, other): return self._compare(other, "bvslt")
    def sle(self, other): return self._compare(other, "bvsle")

    def zext(self, width):
        return self if width == self.sort else Term("zero_extend", (self, width - self.sort), width)

    def sext(self, width):
        return self if width == self.sort else Term("sign_extend", (self, width - self.sort), width)

    def extract(self, high, low): return Term("extract", (self, high, low), high - low + 1)
    def bit(self, i): return self.extract(i, i)
    def concat(self, low): return Term("concat", (self, low), self.sort + low.sort)
    def rotl(self, n): return (self << n) | (self >> (self.sort - n))

    def select(self, index):
        index_width, element = self.sort
        index = const(index, index_width) if isinstance(index, int) else index
        assert index.sort == index_width
        return Term("select", (self, index), element)

    def store(self, index, value):
        index_width, element = self.sort
        index = const(index, index_width) if isinstance(index, int) else index
        value = const(value, element) if isinstance(value, int) else value
        assert index.sort == index_width and value.sort == element
        return Term("store", (self, index, value), self.sort)


def var(name, sort): return Term("var", (name,), sort)
def const(value, width): return Term("const", (value % (1 << width),), width)
def boolean(value): return Term("true" if value else "false", (), BOOL)
def lift_bool(value): return boolean(value) if isinstance(value, bool) else value


def ite(condition, then, otherwise):
    then = otherwise._lift(then) if isinstance(then, int) else then
    otherwise = then._lift(otherwise)
    assert condition.sort == BOOL and then.sort == otherwise.sort
    return Term("ite", (condition, then, otherwise), then.sort)


def all_of(terms):
    terms = list(terms)
    return boolean(True) if not terms else terms[0] if len(terms) == 1 else Term("and", tuple(terms), BOOL)


def any_of(terms):
    terms = list(terms)
    return boolean(False) if not terms else terms[0] if len(terms) == 1 else Term("or", tuple(terms), BOOL)


def distinct(terms): return Term("distinct", tuple(terms), BOOL)
def umin(a, b): return ite(a.ult(b), a, b)
def umax(a, b): return ite(a.ult(b), b, a)


def one_if(condition, width): return ite(condition, const(1, width), const(0, width))


def joined(parts):
    """The concatenation of bit-vectors, the first one on top."""
    result = parts[0]
    for part in parts[1:]:
        result = result.concat(part)
    return result


# --- Concrete values -------------------------------------------------------------------------------------------------


def _signed(value, width): return value - (1 << width) if value >> (width - 1) else value


def _udiv(a, b, w): return (1 << w) - 1 if b == 0 else a // b
def _urem(a, b, w): return a if b == 0 else a % b


def _sdiv(a, b, w):
    x, y = _signed(a, w), _signed(b, w)
    magnitude = _udiv(abs(x), abs(y), w)
    return magnitude if (x < 0) == (y < 0) else -magnitude


def _srem(a, b, w):
    x, y = _signed(a, w), _signed(b, w)
    magnitude = _urem(abs(x), abs(y), w)
    return -magnitude if x < 0 else magnitude


_WORD = {
    "bvadd": lambda a, b, w: a + b, "bvsub": lambda a, b, w: a - b, "bvmul": lambda a, b, w: a * b,
    "bvand": lambda a, b, w: a & b, "bvor": lambda a, b, w: a | b, "bvxor": lambda a, b, w: a ^ b,
    "bvshl": lambda a, b, w: a << b if b < w else 0, "bvlshr": lambda a, b, w: a >> b if b < w else 0,
    "bvashr": lambda a, b, w: _signed(a, w) >> min(b, w),
    "bvudiv": _udiv, "bvurem": _urem, "bvsdiv": _sdiv, "bvsrem": _srem,
}
_COMPARE = {
    "=": lambda a, b, w: a == b, "bvult": lambda a, b, w: a < b, "bvule": lambda a, b, w: a <= b,
    "bvslt": lambda a, b, w: _signed(a, w) < _signed(b, w), "bvsle": lambda a, b, w: _signed(a, w) <= _signed(b, w),
    "xor": lambda a, b, w: a != b,
}


def _apply(term, v):
    op, width = term.op, term.sort
    if op in _WORD:
        return _WORD[op](v[0], v[1], width) % (1 << width)
    if op in _COMPARE:
        return _COMPARE[op](v[0], v[1], term.args[0].sort)
    if op == "bvnot":
        return ~v[0] % (1 << width)
    if op == "bvneg":
        return -v[0] % (1 << width)
    if op == "zero_extend":
        return v[0]
    if op == "sign_extend":
        return _signed(v[0], term.args[0].sort) % (1 << width)
    if op == "extract":
        return (v[0] >> v[2]) % (1 << width)
    if op == "concat":
        return (v[0] << term.args[1].sort) | v[1]
    return {"not": lambda: not v[0], "and": lambda: all(v), "or": lambda: any(v), "ite": lambda: v[1] if v[0] else v[2],
            "distinct": lambda: len(set(v)) == len(v), "true": lambda: True, "false": lambda: False,
            "const": lambda: v[0]}[op]()


class Evaluator:
    """Values of array-free terms under one assignment, a dict from names to numbers."""

    def __init__(self, assignment):
        self.assignment = assignment
        self.known = {}

    def value(self, root):
        stack = [root]
        while stack:
            term = stack[-1]
            if term in self.known:
                stack.pop()
                continue
            if term.op == "var":
                self.known[term] = self.assignment[term.args[0]]
                continue
            missing = [a for a in term.args if isinstance(a, Term) and a not in self.known]
            if missing:
                stack.extend(missing)
                continue
            self.known[term] = _apply(term, [self.known[a] if isinstance(a, Term) else a for a in term.args])
        return self.known[root]


# --- Scripts ---------------------------------------------------------------------------------------------------------


def sort_text(sort):
    if sort == BOOL:
        return "Bool"
    if isinstance(sort, tuple):
        return f"(Array (_ BitVec {sort[0]}) (_ BitVec {sort[1]}))"
    return f"(_ BitVec {sort})"


def _const_text(value, width):
    return f"#x{value:0{width // 4}x}" if width % 4 == 0 else f"#b{value:0{width}b}"


@dataclass
class Problem:
    """A script to be. `expected` is the answer where the family knows it: "sat", "unsat" or None; for an incremental
    problem `commands` holds ("assert", term), ("push",), ("pop", n) and ("check",) instead of assertions."""

    name: str
    purpose: str
    assertions: list = field(default_factory=list)
    expected: str = None
    commands: list = None

    @property
    def incremental(self): return self.commands is not None

    def queries(self):
        return sum(c[0] == "check" for c in self.commands) if self.incremental else 1

    def text(self):
        roots = [c[1] for c in self.commands if c[0] == "assert"] if self.incremental else self.assertions
        order, uses = _post_order(roots)
        arrays = any(isinstance(t.sort, tuple) for t in order)
        lines = [f"; {self.purpose}", f"(set-logic {'QF_ABV' if arrays else 'QF_BV'})"]
        if self.expected:
            lines.append(f"(set-info :status {self.expected})")
        lines += [f"(declare-fun {t.args[0]} () {sort_text(t.sort)})" for t in order if t.op == "var"]
        names = _define_shared(order, uses, lines)
        if self.incremental:
            lines += [self._command(c, names) for c in self.commands]
        else:
            lines += [f"(assert {names[a]})" for a in self.assertions] + ["(check-sat)"]
        return "\n".join(lines) + "\n"

    @staticmethod
    def _command(command, names):
        if command[0] == "assert":
            return f"(assert {names[command[1]]})"
        return {"push": "(push 1)", "check": "(check-sat)"}.get(command[0]) or f"(pop {command[1]})"


def _post_order(roots):
    order, uses, seen = [], {}, set()
    for root in roots:
        uses[root] = uses.get(root, 0) + 1
        stack = [(root, False)]
        while stack:
            term, expanded = stack.pop()
            if expanded:
                order.append(term)
                continue
            if term in seen:
                continue
            seen.add(term)
            stack.append((term, True))
            children = [a for a in term.args if isinstance(a, Term)]
            for child in children:
                uses[child] = uses.get(child, 0) + 1
            stack.extend((child, False) for child in reversed(children) if child not in seen)
    return order, uses


def _define_shared(order, uses, lines):
    """Texts of all terms; those used twice, or nested deeply, are defined under a name in `lines`."""
    names, nesting, count = {}, {}, 0
    for term in order:
        if term.op == "var":
            names[term], nesting[term] = term.args[0], 0
            continue
        if term.op == "const":
            names[term], nesting[term] = _const_text(term.args[0], term.sort), 0
            continue
        text = _operation_text(term, names)
        level = 1 + max((nesting[a] for a in term.args if isinstance(a, Term)), default=0)
        if term.args and (uses[term] > 1 or level > 8):
            lines.append(f"(define-fun d{count} () {sort_text(term.sort)} {text})")
            text, level, count = f"d{count}", 0, count + 1
        names[term], nesting[term] = text, level
    return names


def _operation_text(term, names):
    children = [names[a] for a in term.args if isinstance(a, Term)]
    numbers = [str(a) for a in term.args if not isinstance(a, Term)]
    if not term.args:
        return term.op
    head = f"(_ {term.op} {' '.join(numbers)})" if numbers else term.op
    return f"({head} {' '.join(children)})"
