"""Properties of a BIP system: text to functions of a state."""
import fnmatch
import itertools
import re

from language import BipError, Reader


class Property:
    """`kind`: deadlock, priorities, invariant, contract (premise, condition), response (premise, condition, within)."""

    def __init__(self, kind, name, premise=None, condition=None, within=0):
        self.kind, self.name, self.premise, self.condition, self.within = kind, name, premise, condition, within


class Translator:
    """Code of a property's expression: values are v[1], places v[0]."""

    def __init__(self, system):
        self.system, self.coder = system, system.instance.coder
        self.components = {component.name: component for component in system.components}

    def function(self, tree):
        return self.coder.code(self.code(tree, {}))

    def family(self, name):
        if name in self.system.instance.package.atom_types:
            found = [component for component in self.system.components if component.kind.name == name]
        else:
            found = [component for component in self.system.components if fnmatch.fnmatchcase(component.name, name)]
        if not found:
            raise BipError(f"the family {name} is empty")
        return found

    def component(self, name, bound):
        """The component that a dotted name means, or None."""
        return bound.get(name) or self.components.get(name)

    def code(self, tree, bound):
        kind = tree[0]
        if kind == "quant":
            _, which, variables, family, body = tree
            members = self.family(family)
            parts = [self.code(body, {**bound, **dict(zip(variables, chosen))}) for chosen in itertools.product(members, repeat=len(variables))]
            return f"({(' and ' if which == 'forall' else ' or ').join(parts)})"
        if kind == "name":
            return self.name(tree[1], bound)
        if kind == "un":
            if tree[1] == "-" and tree[2] == ("num", self.coder.half):
                return f"(-{self.coder.half})"
            operand = self.code(tree[2], bound)
            return {"-": f"W(-{operand})", "!": f"(0 if {operand} else 1)", "~": f"(~{operand})"}[tree[1]]
        if kind == "cond":
            condition, yes, no = (self.code(part, bound) for part in tree[1:])
            return f"({yes} if {condition} else {no})"
        if kind == "bin":
            return self.compare(tree, bound) or self.coder.binary(tree[1], self.code(tree[2], bound), self.code(tree[3], bound))
        return self.coder.expression(tree, None)

    def compare(self, tree, bound):
        """Of two components, and of a place with its name."""
        _, operator, left, right = tree
        if operator not in ("==", "!=") or "name" not in (left[0], right[0]):
            return None
        sides = [self.component(side[1], bound) if side[0] == "name" else None for side in (left, right)]
        if all(sides):
            return str(int((sides[0] is sides[1]) == (operator == "==")))
        for place, name in ((left, right), (right, left)):
            if place[0] == "name" and place[1].endswith(".place"):
                component = self.component(place[1][:-len(".place")], bound)
                if component and "place" not in component.variables:
                    if name[0] != "name" or name[1] not in component.kind.places:
                        if name[0] == "name" and name[1].endswith(".place"):
                            return None
                        raise BipError(f"{component.name} has no such place")
                    return f"(1 if v[0][{component.number}] {operator} {component.kind.places.index(name[1])} else 0)"
        return None

    def name(self, name, bound):
        owner, _, variable = name.rpartition(".")
        if component := self.component(owner, bound):
            if variable in component.variables:
                return f"v[1][{component.variables[variable]}]"
            if variable == "place":
                return f"v[0][{component.number}]"
        if name in self.system.instance.constants:
            return str(int(self.system.instance.constants[name]))
        raise BipError(f"unknown name {name}")


def parse_property(system, text, default=None):
    name = None
    match = re.match(r"\s*([A-Za-z_][\w -]*?)\s*:(?!:)", text)
    if match and match.group(1).split()[0] not in ("forall", "exists", "invariant"):
        name, text = match.group(1), text[match.end():]
    if match := re.match(r"\s*invariant\b", text):
        text = text[match.end():]
    translate = Translator(system).function
    if match := re.fullmatch(r"(.*)\bleads\s+to\b(.*)\bwithin\s+(\d+)\s*", text, re.S):
        return Property("response", name or default or "response", translate(tree_of(match.group(1))), translate(tree_of(match.group(2))), int(match.group(3)))
    return Property("invariant", name or default or "invariant", None, translate(tree_of(text)))


def tree_of(text):
    reader = Reader(text)
    tree = reader.expression()
    if reader.tokens[reader.at][0] != "end":
        reader.fail("the end")
    return tree


def read_properties(system, text):
    """A file: one property a line; `pre` and `post` lines make contracts."""
    result, premises = [], []
    translate = Translator(system).function
    for line in text.replace("\\\n", " ").splitlines():
        line = line.split("#")[0].strip()
        if not line:
            continue
        if match := re.match(r"(pre|post)\b(.*)", line):
            tree = tree_of(match.group(2))
            if match.group(1) == "pre":
                premises.append(tree)
                continue
            premise = ("bool", True)
            for part in premises:
                premise = ("bin", "&&", premise, part)
            result.append(Property("contract", "contract", translate(premise), translate(tree)))
        else:
            result.append(parse_property(system, line))
    return result
