"""Path constraints as a concolic tester asks for them. A program runs on many concrete inputs; at each branch whose condition depends
on the input, the tester asks once whether the other side is feasible too, and then assumes the side that was taken. One
file is one solver instance: assertions are pushed along a path and popped back to where the next path leaves it."""

from smt import Evaluator, Problem, const, var


class Tester:
    """Runs a program on concrete inputs and writes down the queries."""

    def __init__(self, names, limit):
        self.inputs = [var(n, w) for n, w in names]
        self.limit = limit
        self.commands = []
        self.queries = 0
        self.assumed = []   # conditions assumed by the solver at present, one scope each
        self.nodes = {}     # the tree of branches: (node, condition, side) to node; the root is 0
        self.asked = set()  # (node, condition) whose other side was asked for

    def run(self, program, values):
        self.values = Evaluator({v.args[0]: n for v, n in zip(self.inputs, values)})
        self.node, self.path = 0, []
        program(self, *self.inputs)

    def branch(self, condition):
        taken = self.values.value(condition)
        here, other_side = (self.node, condition), (self.node, condition, not taken)
        if self.queries < self.limit and here not in self.asked and other_side not in self.nodes:
            self.ask(~condition if taken else condition)
        self.asked.add(here)
        self.path.append(condition if taken else ~condition)
        self.node = self.nodes.setdefault((self.node, condition, taken), len(self.nodes) + 1)
        return taken

    def ask(self, question):
        """Moves the solver to the present path, then checks whether `question` can hold there."""
        common = 0
        while common < min(len(self.path), len(self.assumed)) and self.path[common] is self.assumed[common]:
            common += 1
        if common < len(self.assumed):
            self.commands.append(("pop", len(self.assumed) - common))
        for condition in self.path[common:]:
            self.commands += [("push",), ("assert", condition)]
        self.assumed = list(self.path)
        self.commands += [("push",), ("assert", question), ("check",), ("pop", 1)]
        self.queries += 1


# --- Programs under test ---------------------------------------------------------------------------------------------


def csv_parser(t, *cells):
    """Fields of digits with a sign, separated by commas; sums them and checks the total."""
    total, value, digits = const(0, 32), const(0, 32), 0
    for c in cells:
        if t.branch(c.eq(ord(","))):
            if digits == 0 or digits > 5:
                return
            total, value, digits = total + value, const(0, 32), 0
            if t.branch(const(100000, 32).slt(total)):
                return
        elif t.branch(c.ult(ord("0"))) or t.branch(const(ord("9"), 8).ult(c)):
            return
        else:
            value, digits = value * 10 + (c.zext(32) - ord("0")), digits + 1
    t.branch(total.eq(4711))


def json_lexer(t, *cells):
    """Brackets, strings and numbers, a byte at a time."""
    depth, in_text = 0, False
    for c in cells:
        if in_text:
            if t.branch(c.eq(ord('"'))):
                in_text = False
            elif t.branch(c.ult(32)):
                return
            continue
        if t.branch(c.eq(ord('"'))):
            in_text = True
        elif t.branch(c.eq(ord("{"))) or t.branch(c.eq(ord("["))):
            depth += 1
        elif t.branch(c.eq(ord("}"))) or t.branch(c.eq(ord("]"))):
            depth -= 1
            if depth < 0:
                return
        elif t.branch(c.eq(ord(" "))) or t.branch(c.eq(ord(":"))) or t.branch(c.eq(ord(","))):
            continue
        elif not (t.branch(const(ord("0"), 8).ule(c)) and t.branch(c.ule(ord("9")))):
            return


def switches(t, *words):
    """A virtual machine: the opcode is a field of a 32-bit word, the operands are others."""
    a, b = const(1, 32), const(7, 32)
    for w in words:
        opcode, operand = (w >> 24) & 0xFF, w & 0xFFFF
        for k, code in enumerate((0, 1, 2, 3, 16, 17, 32, 48, 64, 100, 128, 200)):
            if t.branch(opcode.eq(code)):
                a = (a + operand, a - operand, a ^ operand, b, a & operand, a | operand, a << (operand & 31),
                     a + b, a * 3, -a, ~a, a >> 1)[k]
                b = (b + 1, b ^ a, b, a, b + operand, b, b, b, b - operand, b, b, b)[k]
                break
        else:
            return
        if t.branch(a.eq(b)):
            b = b + 13
        if t.branch(a.slt(0)):
            a = a & 0x7FFFFFFF


def guards(t, *values):
    """Linear guards over ints, with updates between them."""
    x, score = list(values), const(0, 32)
    for k in range(2 * len(x)):
        i, j = k % len(x), (3 * k + 1) % len(x)
        if t.branch((x[i] + 100 * k).slt(x[j])):
            score = score + x[i]
            if t.branch((x[i] & 0xFF).ult(16 * k + 8)):
                x[i] = x[i] + 17
        elif t.branch((x[i] - x[j]).slt(5000)):
            x[j] = x[j] + k
        else:
            score = score - x[j]
    if t.branch(score.eq(123456)):
        return
    t.branch((x[0] ^ x[-1]).eq(0x55))


def checksum(t, *cells):
    """A frame: magic, length, payload, and a checksum over it that must be right."""
    if t.branch(cells[0].ne(0x7F)) or t.branch(cells[1].ne(ord("P"))):
        return
    length = cells[2]
    if t.branch(const(len(cells) - 4, 8).ult(length)):
        return
    total, mixed = const(0, 8), const(0x5A, 8)
    for i, c in enumerate(cells[3:-1]):
        if t.branch(length.ule(i)):
            break
        total, mixed = total + c, (mixed ^ c) + (mixed << 1)
        if t.branch(c.eq(0)):
            return
        if t.branch((mixed & 0x0F).eq(9)):
            total = total + 1
    t.branch(total.eq(cells[-1]))
    t.branch((total ^ mixed).eq(cells[-1]))


def nested_loops(t, rows, columns, *cells):
    """Two loops with symbolic bounds over a small matrix; saturating sums."""
    total = const(0, 32)
    for i in range(5):
        if not t.branch(const(i, 8).ult(rows)):
            break
        for j in range(5):
            if not t.branch(const(j, 8).ult(columns)):
                break
            cell = cells[(i * 5 + j) % len(cells)].zext(32)
            if t.branch(const(100, 32).slt(cell)):
                total = total + cell
            elif t.branch(cell.slt(total)):
                total = total - cell
            if t.branch(const(500, 32).slt(total)):
                total = const(500, 32)
    t.branch(total.eq(321))


def insertion_sort(t, *values):
    """Each comparison is a branch, so a path is a permutation."""
    cells = list(values)
    for i in range(1, len(cells)):
        j = i
        while j > 0 and t.branch(cells[j].slt(cells[j - 1])):
            cells[j - 1], cells[j] = cells[j], cells[j - 1]
            j -= 1
    t.branch((cells[-1] - cells[0]).slt(0))


def calendar(t, *fields):
    """Dates that must be valid and ascending; quotients by constants."""
    previous = const(0, 32)
    for year, month, day in zip(fields[::3], fields[1::3], fields[2::3]):
        if t.branch(year.ult(1583)) or t.branch(const(9999, 32).ult(year)):
            return
        if t.branch(month.eq(0)) or t.branch(const(12, 32).ult(month)) or t.branch(day.eq(0)):
            return
        leap = t.branch((year & 3).eq(0)) and (not t.branch(year.urem(const(100, 32)).eq(0))
                                               or t.branch(year.urem(const(400, 32)).eq(0)))
        number = year * 366 + day
        for k, length in enumerate((31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)):
            if t.branch(month.eq(k + 1)):
                if t.branch(const(length, 32).ult(day)):
                    return
                break
            number = number + length
        if t.branch(number.ule(previous)):
            return
        previous = number
    t.branch(previous.urem(const(7, 32)).eq(3))


def utf8(t, *cells):
    """A decoder: length by the first byte, continuation bytes, forbidden code points."""
    i = 0
    while i < len(cells):
        first = cells[i]
        if t.branch(first.ult(0x80)):
            i += 1
            continue
        for count, mark, mask, least in ((1, 0xC0, 0x1F, 0x80), (2, 0xE0, 0x0F, 0x800), (3, 0xF0, 0x07, 0x10000)):
            if t.branch((first & (0xFF ^ mask)).eq(mark)):
                break
        else:
            return
        point = (first & mask).zext(32)
        for c in cells[i + 1:i + 1 + count]:
            if t.branch((c & 0xC0).ne(0x80)):
                return
            point = (point << 6) | (c & 0x3F).zext(32)
        if i + count >= len(cells) or t.branch(point.ult(least)) or t.branch(const(0x10FFFF, 32).ult(point)):
            return
        if t.branch(const(0xD800, 32).ule(point)) and t.branch(point.ule(0xDFFF)):
            return
        i += count + 1


def ranges(t, *values):
    """A switch over 32-bit ints with single cases and case ranges; what is chosen is subtracted from the next value."""
    carry = const(0, 32)
    for v in values:
        v = v - carry
        for case in (0, 1, 7, 42, 1000, -1):
            if t.branch(v.eq(case)):
                carry = const(case, 32)
                break
        else:
            for low, high in ((10, 19), (100, 999), (4096, 65535), (-128, -2)):
                if t.branch(const(low, 32).sle(v)) and t.branch(v.sle(high)):
                    carry = v - low
                    break
            else:
                carry = const(3, 32)


# --- Inputs ----------------------------------------------------------------------------------------------------------
# Each maker gives one input; a mutant of an earlier one shares a prefix of its path.


def _text(alphabet):
    def make(rng, length, earlier):
        if earlier and rng.random() < 0.75:
            text = list(rng.choice(earlier))
            text[rng.randrange(length)] = ord(rng.choice(alphabet)) if rng.random() < 0.9 else rng.randrange(256)
            return text
        return [ord(rng.choice(alphabet)) for _ in range(length)]

    return make


def _words(rng, length, earlier):
    codes = (0, 1, 2, 3, 16, 17, 32, 48, 64, 100, 128, 200)
    return [(rng.choice(codes) if rng.random() < 0.99 else 255) << 24 | rng.getrandbits(16) for _ in range(length)]


def _numbers(rng, length, earlier):
    return [rng.getrandbits(rng.choice((8, 12, 16, 20, 32))) for _ in range(length)]


def _frame(rng, length, earlier):
    body = [rng.randrange(1, 256) for _ in range(length - 4)]
    return [0x7F if rng.random() < 0.99 else 0, ord("P") if rng.random() < 0.99 else 1, rng.randrange(length - 2)] + body + [0]


def _matrix(rng, length, earlier):
    return [rng.randrange(7), rng.randrange(7)] + [rng.randrange(256) for _ in range(length - 2)]


def _encoded(rng, length, earlier):
    text = "".join(chr(rng.choice((rng.randrange(32, 127), rng.randrange(0x80, 0x800), rng.randrange(0x800, 0xD800),
                                   rng.randrange(0x10000, 0x110000)))) for _ in range(length))
    cells = list(text.encode()[:length])
    if rng.random() < 0.3:
        cells[rng.randrange(length)] = rng.randrange(256)
    return cells


def _cases(rng, length, earlier):
    return [rng.choice((0, 1, 7, 42, 1000, rng.randrange(10, 20), rng.randrange(100, 1000), rng.getrandbits(16),
                        rng.getrandbits(32), (1 << 32) - rng.randrange(1, 200))) for _ in range(length)]


def _dates(rng, length, earlier):
    fields = []
    for k in range(length // 3):
        fields += [rng.randrange(1583 + 2000 * k, 2600 + 2000 * k), rng.randrange(1, 13), rng.randrange(1, 30)]
    if rng.random() < 0.2:
        fields[rng.randrange(length)] = rng.randrange(40)
    return fields


# Name, program, width of an input, maker of inputs, and the sizes: number of inputs and of queries.
CASES = (
    ("csv", csv_parser, 8, _text("0123456789,,,"), ((14, 2000),)),
    ("json", json_lexer, 8, _text('{}[]":, 0123a'), ((12, 3000), (24, 10000))),
    ("utf8", utf8, 8, _encoded, ((11, 2000), (20, 5000))),
    ("switch", switches, 32, _words, ((3, 2000), (4, 3000), (8, 3000))),
    ("ranges", ranges, 32, _cases, ((4, 3000), (8, 5000))),
    ("guards", guards, 32, _numbers, ((5, 2000),)),
    ("checksum", checksum, 8, _frame, ((16, 2000), (24, 3000))),
    ("loops", nested_loops, 8, _matrix, ((10, 2000),)),
    ("sort", insertion_sort, 32, _numbers, ((8, 2000), (16, 5000))),
    ("calendar", calendar, 32, _dates, ((6, 2000),)),
)
BATCH = 64


def problems(rng_for):
    for name, program, width, make, sizes in CASES:
        for length, limit in sizes:
            tester = Tester([(f"in{i}", width) for i in range(length)], limit)
            rng, earlier = rng_for(f"{name}-{length}-{limit}"), []
            while tester.queries < limit and len(earlier) < 4 * limit:
                # In order within a batch, so that neighbours share long prefixes as in a depth-first search.
                batch = sorted(make(rng, length, earlier) for _ in range(BATCH))
                for values in batch:
                    tester.run(program, values)
                earlier += batch
            yield Problem(f"{name}-{length}-{tester.queries}", (program.__doc__ or name).split("\n")[0], commands=tester.commands)
