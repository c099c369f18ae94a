"""What the comments of a model in tests/bip/models say of it: `options:`, `states:`, `interactions:` and `expect VERDICT [LENGTH]: PROPERTY`."""
import pathlib
import re

from properties import Property, parse_property, read_properties

MODELS = pathlib.Path(__file__).parent / "models"


class Expectations:
    """`verdicts`: list of (property's text, verdict, length of the shortest counterexample or None)."""

    def __init__(self, path):
        self.path, text = path, path.read_text()
        self.options, self.states, self.interactions, self.verdicts = [], None, None, []
        for line in text.splitlines():
            if match := re.match(r"// options: (.*)", line):
                self.options = match.group(1).split()
            elif match := re.match(r"// states: (\d+)", line):
                self.states = int(match.group(1))
            elif match := re.match(r"// interactions: (.*)", line):
                self.interactions = [int(number) for number in match.group(1).split()]
            elif match := re.match(r"// expect (\w+)(?: (\d+))?: (.*)", line):
                self.verdicts.append((match.group(3), match.group(1), match.group(2) and int(match.group(2))))
        self.bits = int(self.options[self.options.index("--bits") + 1]) if "--bits" in self.options else 8
        self.initialize = "--initialize-vars" in self.options


def property_of(system, text):
    if text in ("deadlock", "acyclic priorities"):
        return Property("deadlock" if text == "deadlock" else "priorities", text)
    if match := re.match(r"pre (.*) post (.*)", text):
        return read_properties(system, f"pre {match.group(1)}\npost {match.group(2)}")[0]
    return parse_property(system, text)
