"""The oracle against what was worked out by hand: the comments of tests/bip/models, and arithmetic of three bits."""
import sys

from expectations import MODELS, Expectations, property_of
from language import Coder, Reader
from oracle import Exploration, load


def arithmetic():
    """Complaints about operators, each against a table or a law that does not share code with them."""
    coder, wrong = Coder(3), []
    values = range(-4, 4)

    def value(text):
        return coder.value(Reader(text).expression(), None)

    for x in values:
        for y in values:
            quotient, rest = value(f"({x}) / ({y})"), value(f"({x}) % ({y})")
            if y == 0 and (quotient, rest) != (0, x):
                wrong.append(f"{x} divided by 0")
            if y != 0 and ((quotient * y + rest - x) % 8 or abs(rest) >= abs(y) or rest * x < 0):
                wrong.append(f"{x} divided by {y}: {quotient} rest {rest}")
            for sign, exact in (("+", x + y), ("-", x - y), ("*", x * y)):
                got = value(f"({x}) {sign} ({y})")
                if got not in values or (got - exact) % 8:
                    wrong.append(f"{x} {sign} {y} is {got}")
            expected = (x * 2**y + 4) % 8 - 4 if 0 <= y < 3 else 0
            if value(f"({x}) << ({y})") != expected:
                wrong.append(f"{x} << {y}")
            expected = x // 2**y if 0 <= y < 3 else (-1 if x < 0 else 0)
            if value(f"({x}) >> ({y})") != expected:
                wrong.append(f"{x} >> {y}")
    for text, expected in (("1 + 2 * 1 == 3 && !false", 1), ("1 | 2 ^ 3 & 1", 3), ("1 < 2 == 2 < 3", 1), ("false ? 1 : true ? 2 : 3", 2), ("-1 - -1", 0),
                           ("1 << 1 + 0", 2), ("~0", -1), ("3 - 2 - 1", 0), ("false => false => false", 1), ("(false => false) => false", 0)):
        if value(text) != expected:
            wrong.append(f"{text} is {value(text)}")
    return wrong


def check(path):
    """Complaints about one model."""
    expected, wrong = Expectations(path), []
    system = load(path, expected.bits, expected.initialize)
    exploration = Exploration(system)
    if expected.states is not None and len(exploration.distance) != expected.states:
        wrong.append(f"{len(exploration.distance)} states, {expected.states} expected")
    if expected.interactions:
        view = system.look(exploration.firsts[0])
        executable = view.executable()
        numbers = [len(executable), sum(map(view.is_enabled, executable)), len(view.choices())]
        if numbers != expected.interactions:
            wrong.append(f"{numbers} interactions, {expected.interactions} expected")
    for text, verdict, length in expected.verdicts:
        got, names = exploration.verdict(property_of(system, text))
        if got != verdict or (length is not None and len(names) != length):
            wrong.append(f"{text}: {got} {names}, {verdict} {length} expected")
    return wrong


def main():
    complaints = arithmetic()
    models = sorted(MODELS.glob("*.bip"))
    for path in models:
        complaints += [f"{path.name}: {complaint}" for complaint in check(path)]
    print("\n".join(complaints) or f"{len(models)} models are as worked out by hand")
    return 1 if complaints or not models else 0


if __name__ == "__main__":
    sys.exit(main())
