"""Tokens, syntax trees and code for the BIP language, as far as tests/bip/oracle.py needs them.

Expressions are tuples: ("num", n), ("bool", b), ("name", "a.v"), ("un", op, x), ("bin", op, x, y), ("cond", c, x, y) and, in
properties, ("quant", "forall" | "exists", [variables], family, body). Statements are ("set", name, x) and ("if", c, then, else)."""
import re


class BipError(Exception):
    """What is wrong with a model, a property or a guide."""


TOKEN = re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)|(?P<string>"[^"\n]*")|(?P<number>0[xX][0-9a-fA-F]+|\d+)|(?P<word>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|=>|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>=!~&|^?:;,.(){}\[\]'\#@])""", re.S | re.X)

BINARY = [["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!="], ["<", "<=", ">", ">="], ["<<", ">>"], ["+", "-"], ["*", "/", "%"]]


class Reader:
    """A list of tokens with a place in it, and what is common to models and properties: expressions."""

    def __init__(self, text):
        self.tokens, self.at, place = [], 0, 0
        while place < len(text):
            match = TOKEN.match(text, place)
            if not match:
                raise BipError(f"line {text.count(chr(10), 0, place) + 1}: what is {text[place:place + 10]!r}?")
            if match.lastgroup != "space":
                self.tokens.append((match.lastgroup, match.group(), text.count("\n", 0, place) + 1, match.start(), match.end()))
            place = match.end()
        self.tokens.append(("end", "", text.count("\n") + 1, len(text), len(text)))

    def fail(self, wanted):
        raise BipError(f"line {self.tokens[self.at][2]}: {wanted} expected before {self.peek()!r}")

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, *words):
        if self.peek() in words and self.tokens[self.at][0] != "end":
            return self.take()
        return None

    def expect(self, word):
        if not self.accept(word):
            self.fail(repr(word))

    def word(self):
        if self.tokens[self.at][0] != "word":
            self.fail("a name")
        return self.take()

    def dotted(self):
        name = self.word()
        while self.accept("."):
            name += "." + self.word()
        return name

    def expression(self):
        left = self.conditional()
        if self.accept("=>"):
            return ("bin", "=>", left, self.expression())
        return left

    def conditional(self):
        condition = self.binary(0)
        if not self.accept("?"):
            return condition
        yes = self.conditional()
        self.expect(":")
        return ("cond", condition, yes, self.conditional())

    def binary(self, level):
        if level == len(BINARY):
            return self.unary()
        left = self.binary(level + 1)
        while operator := self.accept(*BINARY[level]):
            left = ("bin", operator, left, self.binary(level + 1))
        return left

    def unary(self):
        if operator := self.accept("-", "!", "~", "+"):
            operand = self.unary()
            return operand if operator == "+" else ("un", operator, operand)
        return self.primary()

    def primary(self):
        kind, text, *_ = self.tokens[self.at]
        if self.accept("("):
            inner = self.expression()
            self.expect(")")
            return inner
        if kind == "number":
            return ("num", int(self.take(), 16 if text[:2] in ("0x", "0X") else 10))
        if text in ("true", "false"):
            return ("bool", self.take() == "true")
        if text in ("forall", "exists"):
            return self.quantifier()
        return ("name", self.dotted())

    def quantifier(self):
        kind, variables = self.take(), [self.word()]
        while self.accept(","):
            variables.append(self.word())
        self.expect("in")
        family, end = "", self.tokens[self.at][3]
        while self.peek() != ":" and self.tokens[self.at][3] == end:
            end = self.tokens[self.at][4]
            family += self.take()
        self.expect(":")
        return ("quant", kind, variables, family, self.expression())

    def block(self):
        statements = []
        self.expect("{")
        while not self.accept("}"):
            statements += self.statement()
        return statements

    def statement(self):
        if self.peek() == "{":
            return self.block()
        if self.accept(";"):
            return []
        if self.accept("if"):
            return self.conditional_statement()
        name = self.dotted()
        if operator := self.accept("++", "--"):
            value = ("bin", operator[0], ("name", name), ("num", 1))
        elif self.accept("="):
            value = self.expression()
        else:
            operator = self.take()
            if operator not in ("+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="):
                self.fail("an assignment")
            value = ("bin", operator[:-1], ("name", name), self.expression())
        if self.peek() not in ("}", "else", "fi"):
            self.expect(";")
        return [("set", name, value)]

    def conditional_statement(self):
        self.expect("(")
        condition = self.expression()
        self.expect(")")
        yes, no = [], []
        if self.accept("then"):
            while self.peek() not in ("else", "fi"):
                yes += self.statement()
            if self.accept("else"):
                while self.peek() != "fi":
                    no += self.statement()
            self.expect("fi")
            self.accept(";")
        else:
            yes = self.statement()
            if self.accept("else"):
                no = self.statement()
        return [("if", condition, yes, no)]


class Record:
    def __init__(self, **fields):
        self.__dict__.update(fields)


class PackageReader(Reader):
    """The file of a model, as records that are close to the text."""

    def package(self):
        result = Record(constants=[], port_types={}, atom_types={}, connector_types={}, compound_types={})
        self.annotations()
        self.expect("package")
        result.name = self.dotted()
        while not self.accept("end"):
            self.annotations()
            self.definition(result)
        return result

    def annotations(self):
        while self.accept("@"):
            self.word()
            if self.accept("("):
                depth = 1
                while depth:
                    depth += {"(": 1, ")": -1}.get(self.take(), 0)

    def definition(self, package):
        self.accept("extern")
        kind = self.word()
        if kind == "const":
            self.expect("data")
            package.constants += self.data()
            return
        self.expect("type")
        name = self.word()
        if kind == "port":
            package.port_types[name] = self.parameters()
        elif kind in ("atom", "atomic"):
            package.atom_types[name] = self.atom(name)
        elif kind == "connector":
            package.connector_types[name] = self.connector(name)
        elif kind == "compound":
            package.compound_types[name] = self.compound(name)
        else:
            self.fail("a kind of type")

    def parameters(self):
        """A list of (type, name)."""
        result = []
        if self.accept("("):
            while not self.accept(")"):
                result.append((self.word(), self.word()))
                self.accept(",")
        return result

    def data(self):
        """Of `int x, y = 3`: a list of (type, name, expression or None)."""
        kind, result = self.word(), []
        while True:
            name = self.word()
            result.append((kind, name, self.conditional() if self.accept("=") else None))
            if not self.accept(","):
                self.accept(";")
                return result

    def port(self, exported):
        kind, name, data, outside = self.word(), self.word(), [], None
        if self.accept("("):
            while not self.accept(")"):
                data.append(self.word())
                self.accept(",")
        if self.accept("as"):
            outside = self.word()
        return Record(type=kind, name=name, data=data, exported=exported, outside=outside or name)

    def ports(self, exported):
        result = [self.port(exported)]
        while self.accept(","):
            port = Record(**result[0].__dict__)
            port.name = port.outside = self.word()
            port.data = []
            self.expect("(")
            while not self.accept(")"):
                port.data.append(self.word())
                self.accept(",")
            result.append(port)
        return result

    def guard(self):
        return self.expression() if self.accept("provided") else None

    def action(self):
        if not self.accept("do"):
            return []
        return self.block() if self.peek() == "{" else self.statement()

    def atom(self, name):
        atom = Record(name=name, parameters=self.parameters(), data=[], exported_data=set(), ports=[], places=[], transitions=[], priorities=[],
                      initial=None, initial_action=[])
        while True:
            self.annotations()
            if self.accept("end"):
                return atom
            exported = bool(self.accept("export"))
            kind = self.word()
            if kind == "data":
                declared = self.data()
                atom.data += declared
                atom.exported_data |= {name for _, name, _ in declared} if exported else set()
            elif kind == "port":
                atom.ports += self.ports(exported)
            elif kind == "place":
                atom.places.append(self.word())
                while self.accept(","):
                    atom.places.append(self.word())
            elif kind == "initial":
                self.expect("to")
                atom.initial, atom.initial_action = self.word(), self.action()
            elif kind in ("on", "internal"):
                port = self.word() if kind == "on" else None
                self.expect("from")
                source = self.word()
                self.expect("to")
                atom.transitions.append(Record(port=port, source=source, target=self.word(), guard=self.guard(), action=self.action()))
            elif kind == "priority":
                atom.priorities.append(self.atom_priority())
            else:
                self.at -= 1
                self.fail("a part of an atom")

    def atom_priority(self):
        rule = Record(name=self.word(), guard=self.guard(), low=self.accept("*") or self.word())
        self.expect("<")
        rule.high = self.accept("*") or self.word()
        rule.guard = rule.guard or self.guard()
        return rule

    def connector(self, name):
        connector = Record(name=name, parameters=self.parameters(), data=[], exported=None, define=None, interactions=[])
        while True:
            self.annotations()
            if self.accept("end"):
                return connector
            if self.accept("data"):
                connector.data += self.data()
            elif self.accept("export"):
                self.expect("port")
                connector.exported = self.port(True)
            elif self.accept("define"):
                connector.define = self.port_expression(("on", "end", "data", "export"))
            elif self.accept("on"):
                connector.interactions.append(self.connector_interaction())
            else:
                self.fail("a part of a connector")

    def port_expression(self, ends):
        """A list of (port name or such a list, is a trigger)."""
        group = []
        while self.peek() not in ends:
            if closing := {"(": ")", "[": "]"}.get(self.peek()):
                self.take()
                item = self.port_expression((closing,))
                self.expect(closing)
            else:
                item = self.word()
            group.append((item, bool(self.accept("'"))))
        return group

    def connector_interaction(self):
        result = Record(ports=[], guard=None, up=[], down=[])
        while self.peek() not in ("provided", "up", "down", "on", "end"):
            result.ports.append(self.word())
            self.accept(",")
        while part := self.accept("provided", "up", "down"):
            setattr(result, {"provided": "guard"}.get(part, part), self.expression() if part == "provided" else self.block())
        return result

    def names(self):
        result = [self.dotted()]
        while self.accept(","):
            result.append(self.dotted())
        return result

    def compound(self, name):
        compound = Record(name=name, parameters=self.parameters(), components=[], connectors=[], priorities=[], port_exports=[], data_exports=[])
        while True:
            self.annotations()
            if self.accept("end"):
                return compound
            if self.accept("component"):
                kind = self.word()
                while True:
                    compound.components.append((kind, self.word(), self.arguments(self.conditional)))
                    if not self.accept(","):
                        break
            elif self.accept("connector"):
                kind = self.word()
                while True:
                    compound.connectors.append((kind, self.word(), self.arguments(self.dotted)))
                    if not self.accept(","):
                        break
            elif self.accept("priority"):
                compound.priorities.append(self.compound_priority())
            elif self.accept("export"):
                exports = {"port": compound.port_exports, "data": compound.data_exports}[self.take()]
                inner = self.names()
                self.expect("as")
                exports.append((inner, self.word()))
            else:
                self.fail("a part of a compound")

    def arguments(self, read):
        result = []
        if self.accept("("):
            while not self.accept(")"):
                result.append(read())
                self.accept(",")
        return result

    def compound_priority(self):
        rule = Record(name=self.word(), guard=self.guard(), low=self.pattern())
        self.expect("<")
        rule.high = self.pattern()
        rule.guard = rule.guard or self.guard()
        return rule

    def pattern(self):
        """(connector or None, set of ports or None)"""
        connector = None if self.accept("*") else self.dotted()
        self.expect(":")
        return (connector, None if self.accept("*") else frozenset(self.names()))


class Coder:
    """Python code of expressions and blocks. `lookup` gives for a name either ("const", value) or ("var", index)."""

    def __init__(self, bits):
        self.bits, self.half, self.mask = bits, 1 << (bits - 1), (1 << bits) - 1
        self.scope = {"W": self.wrap, "DIV": self.divide, "REM": self.remainder, "SHL": self.shift_left, "SHR": self.shift_right}

    def wrap(self, x):
        return ((x + self.half) & self.mask) - self.half

    def divide(self, x, y):
        if y == 0:
            return 0
        quotient = abs(x) // abs(y)
        return self.wrap(quotient if (x < 0) == (y < 0) else -quotient)

    def remainder(self, x, y):
        if y == 0:
            return x
        rest = abs(x) % abs(y)
        return -rest if x < 0 else rest

    def shift_left(self, x, y):
        y &= self.mask
        return 0 if y >= self.bits else self.wrap(x << y)

    def shift_right(self, x, y):
        return x >> min(y & self.mask, self.bits)

    def expression(self, tree, lookup):
        kind = tree[0]
        if kind == "num":
            if not tree[1] < self.half:
                raise BipError(f"{tree[1]} does not fit {self.bits} bits")
            return str(tree[1])
        if kind == "bool":
            return str(int(tree[1]))
        if kind == "name":
            what, value = lookup(tree[1])
            return f"v[{value}]" if what == "var" else f"({int(value)})"
        if kind == "un":
            if tree[1] == "-" and tree[2] == ("num", self.half):
                return f"(-{self.half})"
            operand = self.expression(tree[2], lookup)
            return {"-": f"W(-{operand})", "!": f"(0 if {operand} else 1)", "~": f"(~{operand})"}[tree[1]]
        if kind == "cond":
            condition, yes, no = (self.expression(part, lookup) for part in tree[1:])
            return f"({yes} if {condition} else {no})"
        _, operator, left, right = tree
        return self.binary(operator, self.expression(left, lookup), self.expression(right, lookup))

    @staticmethod
    def binary(operator, left, right):
        if operator in ("+", "-", "*"):
            return f"W({left} {operator} {right})"
        if function := {"/": "DIV", "%": "REM", "<<": "SHL", ">>": "SHR"}.get(operator):
            return f"{function}({left}, {right})"
        if operator in ("&", "|", "^"):
            return f"({left} {operator} {right})"
        if operator in ("<", "<=", ">", ">=", "==", "!="):
            return f"(1 if {left} {operator} {right} else 0)"
        words = {"&&": f"{left} and {right}", "||": f"{left} or {right}", "=>": f"(not {left}) or {right}"}
        return f"(1 if ({words[operator]}) else 0)"

    def block_lines(self, block, lookup, indent):
        lines = []
        for statement in block:
            if statement[0] == "set":
                what, index = lookup(statement[1])
                if what != "var":
                    raise BipError(f"{statement[1]} is not a variable")
                lines.append(f"{indent}v[{index}] = {self.expression(statement[2], lookup)}")
            else:
                _, condition, yes, no = statement
                lines.append(f"{indent}if {self.expression(condition, lookup)}:")
                lines += self.block_lines(yes, lookup, indent + " ") or [f"{indent} pass"]
                if no:
                    lines += [f"{indent}else:", *self.block_lines(no, lookup, indent + " ")]
        return lines

    def condition(self, tree, lookup):
        """A function of the list of values, or None for what is true without looking at them."""
        if tree is None:
            return None
        source = self.expression(tree, lookup)
        return None if "v[" not in source and self.code(source)(()) else self.code(source)

    def code(self, source):
        return eval(f"lambda v: {source}", self.scope)

    def value(self, tree, lookup):
        value = self.code(self.expression(tree, lookup))(())
        return int(value)

    def action(self, block, lookup):
        """A function that changes the list of values, or None."""
        if not block:
            return None
        scope = dict(self.scope)
        exec("def f(v):\n" + "\n".join(self.block_lines(block, lookup, " ")), scope)
        return scope["f"]
