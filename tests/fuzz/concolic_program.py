"""Random C programs for concolic.py, free of undefined behaviour whatever their inputs are.

A program is text with probes: every branch is B(condition) or S(value, cases…), one a line; only conditions joined by
&& and || share one. `program()` can be called again and again: it sets all globals itself.
"""

TYPES = {
    "unsigned char": (8, False), "signed char": (8, True), "char": (8, True), "unsigned short": (16, False),
    "short": (16, True), "unsigned": (32, False), "int": (32, True), "unsigned long long": (64, False),
    "long long": (64, True),
}
# Inputs that are small in a range: type, name of the function.
RANGED = [("int", "int"), ("unsigned", "uint"), ("short", "short"), ("unsigned short", "ushort"), ("long", "long"),
          ("unsigned long", "ulong"), ("size_t", "size_t")]
BYTES = [("unsigned char", "uchar"), ("signed char", "schar"), ("char", "char")]

STRUCTS = """\
struct pair { unsigned char a; short b; int c; };
struct bits { unsigned x : 3; int y : 5; unsigned z : 11; int w : 13; };
union word { unsigned whole; unsigned short halves[2]; unsigned char bytes[4]; struct bits bits; };
static unsigned char g_bytes[8];
static int g_ints[5];
static struct pair g_pairs[3];
static const short g_table[9] = {3, -1, 400, -5000, 77, 8, -128, 255, 31000};
static unsigned g_sum;
static struct pair *g_pointer;
"""
# plumb must not take what these say of themselves at its word.
PURE = """\
static PURE int peek(unsigned char key) {
  if (B(g_bytes[key % 8u] > key)) return -1;
  return key == g_bytes[0];
}
static CONST int weigh(short value) {
  if (B(value > 100)) return 1;
  return value & 1 ? value / 3 : 7;
}
static int va(int count, ...) {
  va_list list;
  int sum = 0;
  va_start(list, count);
  while (count-- > 0) sum ^= va_arg(list, int);
  va_end(list);
  return sum;
}
static void swap(int *restrict a, int *restrict b) { int t = *a; *a = *b; *b = t; }
"""


class Generator:
    """One program from a source of random numbers."""

    def __init__(self, random, is_small):
        self.random, self.is_small = random, is_small
        self.lines, self.variables, self.functions, self.depth, self.budget = [], [], [], 0, 0
        self.loops = self.serial = 0
        self.is_in_main = False

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, options):
        return self.random.choice(options)

    def emit(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def fresh(self, prefix):
        self.serial += 1
        return f"{prefix}{self.serial}"

    # --- Expressions: of a type, in parentheses, without probes unless it is said ---

    def leaf(self, wanted):
        kind = self.random.randrange(10)
        inputs = [v for v in self.variables if v.startswith("x")]
        if kind < 3 and inputs:
            return f"({wanted}){self.pick(inputs)}"
        if kind < 6 and self.variables:
            return f"({wanted}){self.pick(self.variables)}"
        if kind == 6:
            if self.chance(50):
                return f"({wanted})g_bytes[{self.index(8)}]"
            return f"({wanted}){self.pick(['g_pairs', 'pairs'])}[{self.index(3)}].{self.pick('abc')}"
        if kind == 7:
            return f"({wanted})" + self.pick(["u.whole", f"u.bytes[{self.index(4)}]", f"u.halves[{self.index(2)}]", "u.bits.x",
                                             "u.bits.y", "u.bits.z", "u.bits.w", "b.x", "b.y", "b.z", "b.w"])
        if kind == 8:
            return f"({wanted})" + self.pick([f"g_table[{self.index(9)}]", f"g_ints[{self.index(5)}]", "p->a", "p->b",
                                             f"heap[{self.index(6)}]", "*q", "g_pointer->c"])
        return f"({wanted}){self.constant()}"

    def constant(self):
        return self.pick([0, 1, 2, 3, 5, 7, 9, 16, 31, 64, 100, 127, 128, 200, 255, 256, 1000, 32767, 65535]) * self.pick([1, 1, 1, -1])

    def index(self, size):
        """Mostly concrete: what depends on input makes trees of the object."""
        if self.variables and self.chance(35):
            return f"(unsigned)({self.pick(self.variables)}) % {size}u"
        return str(self.random.randrange(size))

    def expression(self, wanted, depth=2):
        if depth == 0 or self.chance(20):
            return self.leaf(wanted)
        kind = self.random.randrange(12)
        if kind < 5:
            return f"({wanted})({self.unsigned(depth)})"
        if kind < 8:
            return f"({wanted})({self.signed(depth)})"
        if kind == 8:
            return f"({wanted})({self.condition(depth - 1)})"
        if kind == 9:
            return f"({wanted})({self.pick('~-')}({self.pick(['unsigned', 'unsigned long long'])}){self.expression('unsigned', depth - 1)})"
        inner = self.pick(list(TYPES))
        return f"({wanted})({self.expression(inner, depth - 1)})"

    def unsigned(self, depth):
        kind, width = self.pick([("unsigned", 32), ("unsigned", 32), ("unsigned long long", 64)])
        left, right = self.expression(kind, depth - 1), self.expression(kind, depth - 1)
        operator = self.pick(["+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%"])
        if operator in ("<<", ">>"):
            right = f"({right} & {width - 1})"
        elif operator in ("/", "%"):
            right = self.pick([f"({right} | 1)", str(self.pick([2, 3, 5, 7, 10, 16])) + "u", f"(({right} & 15) + 1)"])
        elif operator == "*" and width == 64:
            right = self.pick(["3u", "10u", "257ull"])
        return f"{left} {operator} {right}"

    def signed(self, depth):
        """Of an int or a long, from operands that are too small to overflow."""
        narrow, wide = self.pick([("short", "int"), ("signed char", "int"), ("int", "long long")])
        left = f"({wide}){self.expression(narrow, depth - 1)}"
        right = f"({wide}){self.expression(narrow, depth - 1)}"
        operator = self.pick(["+", "-", "*", "&", "|", "^", ">>", "/", "%"])
        if operator == ">>":
            right = f"({right} & 7)"
        elif operator in ("/", "%"):
            right = self.pick([f"(({right} & 7) + 1)", f"(({right} & 3) - 4)", "7", "-3"])
        elif operator == "*" and wide != "int":
            right = self.pick(["3", "-5", "1000"])
        return f"{left} {operator} {right}"

    def condition(self, depth=1):
        kind = self.pick(["int", "unsigned", "signed char", "unsigned char", "short", "long long", "unsigned long long"])
        operator = self.pick(["<", "<=", ">", ">=", "==", "!=", "==", "!="])
        left = self.expression(kind, depth)
        if self.variables and self.chance(60):
            left = f"({kind})({self.pick(self.variables)} {self.pick(['&', '^', '%', '+', '*'])} {self.pick([1, 3, 5, 7, 15])}u)"
        right = self.expression(kind, depth - 1) if self.chance(30) and depth > 0 else f"({kind}){self.random.randrange(-2, 16)}"
        text = f"{left} {operator} {right}"
        return f"0 == ({text})" if self.chance(10) else text  # clang turns branches on !x around

    # --- Statements ---

    def place(self):
        """Something to assign to, and a type that fits."""
        if self.variables and self.chance(45):
            mutable = [v for v in self.variables if v.startswith("v")]
            if mutable:
                return self.pick(mutable), "unsigned"
        return self.pick([
            (f"g_bytes[{self.index(8)}]", "unsigned char"), (f"g_ints[{self.index(5)}]", "int"),
            (f"pairs[{self.index(3)}].b", "short"), (f"g_pairs[{self.index(3)}].a", "unsigned char"),
            ("p->c", "int"), ("p->a", "unsigned char"), ("u.whole", "unsigned"), (f"u.bytes[{self.index(4)}]", "unsigned char"),
            ("u.bits.y", "int"), ("u.bits.z", "unsigned"), ("b.x", "unsigned"), ("b.w", "int"),
            (f"heap[{self.index(6)}]", "unsigned short"), ("*q", "int"), ("g_pointer->b", "short")])

    def assign(self):
        place, kind = self.place()
        value = self.expression(kind)
        if "bits." in place or place.startswith("b."):
            value = f"({value}) & 3"  # other values are changed as the implementation likes, which is the same here
        self.emit(f"{place} = {value};")

    def declare(self):
        kind, name = self.pick(list(TYPES)), self.fresh("v")
        choice = self.random.randrange(6)
        if choice == 0:
            value = f"B({self.condition()}) ? {self.expression(kind, 1)} : {self.expression(kind, 1)}"
        elif choice == 1:
            value = f"B({self.condition()}) {self.pick(['&&', '||'])} {self.condition()}"
        elif choice == 2:
            value = self.call()
        else:
            value = self.expression(kind, 3)
        self.emit(f"{kind} {name} = {value};")
        self.variables.append(name)

    def call(self):
        if self.functions and self.chance(60):
            name, parameters = self.pick(self.functions)
            arguments = []
            for parameter in parameters:
                arguments.append({"pair": self.pick(["pairs[1]", "*p", "g_pairs[0]"]), "out": "&g_ints[2]",
                                  "pointer": self.pick(["p", "&pairs[2]", "g_pointer"])}.get(parameter) or self.expression(parameter, 1))
            return f"{name}({', '.join(arguments)})"
        return self.library_call()

    def library_call(self):
        byte = f"(unsigned char)({self.expression('unsigned', 1)})"
        return self.pick([
            f"isdigit({byte}) != 0", f"isalpha({byte}) != 0", f"isspace({byte}) != 0", f"toupper({byte})", f"tolower({byte})",
            f"isupper({byte}) != 0", f"isxdigit({byte}) != 0", "strlen(s)", 'strcmp(s, "ab")', 'strncmp(s, "abc", 2) > 0',
            "memcmp(s, g_bytes, 2) < 0", "strchr(s, 'b') != 0", f"(memcpy(g_bytes, s, {self.random.randrange(1, 5)}), g_bytes[1])",
            f"(memset(g_bytes + {self.random.randrange(4)}, {byte}, {self.random.randrange(1, 5)}), g_bytes[3])",
            "(memmove(g_bytes + 1, g_bytes, 5), g_bytes[2])", "abs((int)(short)" + self.expression("short", 1) + ")",
            f"operations[{self.index(3)}]({self.expression('unsigned', 1)}, {self.expression('unsigned', 0)})",
            f"(pairs[{self.index(3)}] = g_pairs[{self.random.randrange(3)}], pairs[1].b)", "(s[1] = s[0], s[0])",
            f"peek({byte})", f"weigh((short){self.expression('short', 1)}) + weigh(3)", "(swap(&g_ints[0], &g_ints[3]), g_ints[0])",
            f"va({self.random.randrange(4)}, {self.expression('int', 1)}, {self.expression('int', 1)}, {self.expression('int', 1)})"])

    def block(self, count):
        self.depth += 1
        known = len(self.variables)
        for _ in range(count):
            self.statement()
        del self.variables[known:]
        self.depth -= 1

    def branch(self):
        condition = f"B({self.condition()})"
        for _ in range(self.pick([0, 0, 0, 1, 1, 2])):
            condition += f" {self.pick(['&&', '||'])} B({self.condition()})"
        self.emit(f"if ({condition}) {{")
        self.block(self.random.randrange(1, 4))
        if self.chance(50):
            self.emit("} else {")
            self.block(self.random.randrange(1, 3))
        self.emit("}")

    def switch(self):
        kind = self.pick(["int", "unsigned char", "signed char", "unsigned", "long long"])
        cases = self.random.sample(range(-3, 12) if kind in ("int", "signed char", "long long") else range(16), self.random.randrange(1, 5))
        value = f"({kind})({self.expression('int', 1)} {self.pick(['& 7', '% 9', '& 15', ''])})"
        self.emit(f"switch (S({value}, {len(cases)}, {', '.join(map(str, cases))})) {{")
        default = self.random.randrange(len(cases) + 2)
        for at, case in enumerate([*cases, None]):
            if at == default or (case is None and default > at):
                self.emit("default:")
                self.block(1)
            if case is not None:
                self.emit(f"case {case}:")
                self.block(1)
                if self.chance(75):
                    self.emit("  break;")
        self.emit("  break;")
        self.emit("}")

    def loop(self):
        if self.loops >= 2:
            return self.assign()
        self.loops += 1
        name, kind = self.fresh("i"), self.random.randrange(4)
        bound = self.pick(["2", "3", "4", f"(int)({self.expression('unsigned', 1)} & 3u)"])
        if kind == 0:
            self.emit(f"int {name} = 0;")
            self.emit("do {")
        elif kind == 1:
            self.emit(f"int {name} = {bound};")
            self.emit(f"while (B({name} > 0)) {{")
            self.emit(f"  --{name};")
        else:
            self.emit(f"for (int {name} = 0; B({name} < {bound}); ++{name}) {{")
        self.variables.append(name)
        self.block(self.random.randrange(1, 3))
        if self.chance(40):
            self.emit(f"  if (B({self.condition()})) {self.pick(['break', 'continue' if kind else 'break'])};")
            self.emit(f"  g_sum += (unsigned){name};")
        if kind == 0:
            self.emit(f"  ++{name};")
            self.emit(f"}} while (B({name} < {bound}));")
        else:
            self.emit("}")
        if kind > 1:
            self.variables.remove(name)
        self.loops -= 1
        return None

    def jump(self):
        label = self.fresh("out")
        self.emit(f"if (B({self.condition()})) goto {label};")
        self.block(1)
        self.emit(f"{label}:;")

    def move_pointer(self):
        moves = [f"p = &pairs[{self.index(3)}];", f"p = &g_pairs[{self.random.randrange(3)}];",
                 f"q = &g_ints[{self.index(5)}];", "q = &p->c;", "*p = *g_pointer;", "u.bits = b;", "b = u.bits;"]
        if self.is_in_main:  # pointers to variables of other functions would outlive them
            moves += ["g_pointer = p;", f"g_pointer = B({self.condition()}) ? &pairs[0] : &g_pairs[1];"]
        self.emit(self.pick(moves))

    def statement(self):
        self.budget -= 1
        if self.budget < 0 or self.depth > 3:
            return self.assign()
        return self.pick([self.assign, self.assign, self.declare, self.declare, self.branch, self.branch, self.branch,
                          self.switch, self.loop, self.jump, self.move_pointer])()

    # --- The program ---

    def function(self):
        name, kinds = self.fresh("f"), []
        texts = []
        for at in range(self.random.randrange(1, 4)):
            kind = self.pick([*TYPES, "pair", "out", "pointer"])
            kinds.append(kind)
            texts.append({"pair": f"struct pair s{at}", "out": f"int *o{at}", "pointer": f"struct pair *r{at}"}.get(kind, f"{kind} v{at}p"))
        self.variables = [f"v{at}p" if kind in TYPES else {"pair": f"s{at}.b", "out": f"*o{at}", "pointer": f"r{at}->a"}[kind]
                          for at, kind in enumerate(kinds)]
        self.lines.append(f"static int {name}({', '.join(texts)}) {{")
        self.locals()
        self.budget = self.random.randrange(1, 5)
        for _ in range(self.random.randrange(1, 4)):
            self.statement()
        for at, kind in enumerate(kinds):
            if kind == "out":
                self.emit(f"*o{at} = {self.expression('int', 1)};")
        self.emit(f"return {self.expression('int', 1)};")
        self.lines.append("}")
        self.functions.append((name, kinds))

    def locals(self):
        self.emit("struct pair pairs[3] = {{1, -2, 3}, {200, 300, -70000}, {7, 8, 9}}, *p = &pairs[1];")
        self.emit("struct bits b = {1, -2, 3, -4}; union word u; int *q = &g_ints[0];")
        self.emit('unsigned short heap[6] = {1, 2, 3, 4, 5, 6}; char s[4] = "ab"; u.whole = 0x12345678u;')
        self.emit("(void)p; (void)q; (void)b; (void)heap; (void)s;")

    def small_inputs(self):
        """One or two inputs of at most 256 values; gives the values of each, as (bytes, signed, first, count)."""
        spaces = []
        for _ in range(self.pick([1, 2, 2])):
            name = self.fresh("x")
            kind = self.random.randrange(4)
            if kind == 0:
                text, function = self.pick(RANGED)
                low = self.pick([0, -100, -1, 1000]) if text in ("int", "short", "long") else self.pick([0, 250, 65000])
                self.emit(f"{text} {name} = INPUT_{function}();")
                self.emit(f"plumb_assume(({name} >= {low}) & ({name} <= {low + 255}));")
                spaces.append((f"sizeof({text})", low, 256))
            elif kind == 1:
                self.emit(f"struct {{ unsigned char x; }} {name}s; BLOCK(&{name}s, 1, \"{name}\"); int {name} = {name}s.x;")
                spaces.append(("1", 0, 256))
            else:
                text, function = self.pick(BYTES)
                self.emit(f"{text} {name} = INPUT_{function}();")
                spaces.append(("1", 0, 256))
            self.variables.append(name)
        return spaces

    def wide_inputs(self):
        for _ in range(self.random.randrange(1, 4)):
            name, kind = self.fresh("x"), self.random.randrange(5)
            if kind == 0:
                self.emit(f"BLOCK(s, 3, \"{name}\");")
            elif kind == 1:
                self.emit(f"BLOCK(pairs, sizeof pairs, \"{name}\");")
            elif kind == 2:
                self.emit(f"BLOCK(&u, sizeof u, \"{name}\"); b = u.bits;")
            else:
                text, function = self.pick(RANGED + BYTES)
                self.emit(f"{text} {name} = INPUT_{function}();")
                self.variables.append(name)

    def program(self):
        """The text and, of a small one, the spaces of its inputs."""
        self.lines = STRUCTS.splitlines()
        for name, operator in (("add", "+"), ("mix", "^"), ("times", "*")):
            self.lines.append(f"static unsigned {name}(unsigned a, unsigned b) {{ return a {operator} b; }}")
        self.lines += PURE.splitlines()
        self.lines.append("static unsigned (*const operations[3])(unsigned, unsigned) = {add, mix, times};")
        for _ in range(self.random.randrange(3)):
            self.function()
        self.variables, self.is_in_main = [], True
        self.lines.append("static int program(void) {")
        self.locals()
        self.emit("for (int k = 0; k < 8; ++k) g_bytes[k] = (unsigned char)(k * 37);")
        self.emit("for (int k = 0; k < 5; ++k) g_ints[k] = k * 1000 - 1500;")
        self.emit("for (int k = 0; k < 3; ++k) { g_pairs[k].a = (unsigned char)k; g_pairs[k].b = (short)-k; g_pairs[k].c = 5; }")
        self.emit("g_sum = 1; g_pointer = &g_pairs[2];")
        spaces = self.small_inputs() if self.is_small else self.wide_inputs()
        if self.chance(40) and self.variables:
            self.emit(f"s[0] = (char){self.pick(self.variables)};")
        for _ in range(self.random.randrange(5)):
            self.assign()
        self.budget = self.random.randrange(8, 30)
        for _ in range(self.random.randrange(4, 12)):
            self.statement()
        self.emit("unsigned h = g_sum;")
        self.emit("for (int k = 0; k < 5; ++k) h = h * 3 + (unsigned)g_ints[k];")
        self.emit("h = h * 5 + g_bytes[1] + (unsigned)pairs[1].b + u.whole + (unsigned)p->c + heap[2] + (unsigned)b.y;")
        if self.chance(50):
            self.emit(f"if (B((h & {self.pick([1, 3, 7])}) == {self.random.randrange(2)})) g_sum = 0;")
        self.emit("return (int)(h & 127);")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n", spaces
