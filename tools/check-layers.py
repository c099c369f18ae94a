#!/usr/bin/env python3
"""check-layers.py [--write]: checks that includes follow src/modules.txt: a file includes its own module and those that it links,
by "module/header.h", and nothing by a relative path. The build refuses most of this too; here all of it is reported at once, with
what the build cannot see: libraries that only their adapter may include. --write makes the table in docs/architecture.md anew."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LIST = ROOT / "src" / "modules.txt"
DOCUMENT = ROOT / "docs" / "architecture.md"
ENGINES = {"concolic", "explore", "paths", "unroll", "flatten", "prove", "equiv", "energy", "remote"}
ENGINE_USES = {("remote", "concolic"), ("equiv", "paths"), ("equiv", "unroll"), ("paths", "unroll")}
# Unit tests of what works on programs make them of C, and hold it against the interpreter.
TEST_TOOLS = {"frontend", "interpret"}
# Modules or single files. The fixture of tests/unit/concolic makes programs of LLVM's text, which are then instrumented and run.
PRIVATE = {"z3": {"solve"}, "cadical": {"solve"}, "llvm": {"frontend", "instrument", "replay/symboliser.cpp", "tests/unit/concolic"}}
# A module that links another for one of its files alone: its confirmation, for one, does not need the tester.
ALONE = {("check", "concolic"): "check/tester_engine.cpp"}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


class Module:
    """A line of src/modules.txt."""

    def __init__(self, line):
        self.name, links, entries, self.purpose = (field.strip() for field in line.split("|"))
        self.links = links.split()
        self.entries = [entry.strip() for entry in entries.split(",")]

    def row(self):
        entries = ", ".join(f"`{entry}`" for entry in self.entries)
        return f"| `{self.name}` | {self.purpose} | {entries} |"


MODULES = {m.name: m for m in map(Module, (l for l in LIST.read_text().splitlines() if l and not l.startswith("#")))}
ORDER = list(MODULES)


def linked(name):
    """The modules that a file of this one may include: itself, what it links, and what these link."""
    found, open_ = set(), [name]
    while open_:
        module = open_.pop()
        if module not in found:
            found.add(module)
            open_ += MODULES[module].links
    return found


LINKED = {}


def list_complaints():
    """What is wrong with the list itself, and with the table in the document, which is made from it."""
    for name, module in MODULES.items():
        for link in module.links:
            if link not in MODULES:
                yield f"{name} links {link}, which is not in the list"
            elif ORDER.index(link) >= ORDER.index(name):
                yield f"{name} stands above {link}"
            elif name in ENGINES and link in ENGINES and (name, link) not in ENGINE_USES:
                yield f"{name} links {link}: engines do not know each other"
    for module in MODULES.values():
        for entry in module.entries:
            if not (LIST.parent / entry).exists():
                yield f"{module.name} is entered by {entry}, which does not exist"
    if table() not in DOCUMENT.read_text():
        yield f"the table of modules in {DOCUMENT.relative_to(ROOT)} is not this list: tools/check-layers.py --write"


def table():
    return "\n".join(["| module | what it is | entry header |", "|---|---|---|"] + [m.row() for m in MODULES.values()]) + "\n"


def write_table():
    text = DOCUMENT.read_text()
    DOCUMENT.write_text(re.sub(r"\| module \| what it is \| entry header \|\n(\|.*\n)*", lambda _: table(), text, count=1))


def module_of(path):
    """The module that a file of src/ or tests/unit/ belongs to; None for others, which may include anything."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        parts = parts[1:]
    elif parts[:2] == ("tests", "unit") and len(parts) > 3 and parts[2] != "link":  # tests/unit/link is about runtime/link
        parts = parts[2:]
    else:
        return None
    return "/".join(parts[:2]) if parts[0] == "lang" else parts[0]


def place_of(path):
    """As PRIVATE and ALONE name files: by their path in src/, or from the root for others."""
    return path.relative_to(ROOT / "src" if path.is_relative_to(ROOT / "src") else ROOT).as_posix()


def complaint(module, place, quote, target):
    """What is wrong with a file of the module, at place_of(it), that includes the target; None if nothing is."""
    is_test = place.startswith("tests/")
    if ".." in Path(target).parts:
        return "relative include"
    parts = Path(target).parts
    if is_test and parts[0] == "unit":
        parts = parts[1:]
    first = "/".join(parts[:2]) if parts[0] == "lang" else parts[0].lower()
    library = next((l for l in PRIVATE if re.match(rf"{l}(\+\+|[-./]|$)", target.lower())), None)
    allowed = PRIVATE.get(library, ())
    if library and module and module not in allowed and not any(place.startswith(each) for each in allowed if "/" in each):
        return f"{library} headers belong to {' and '.join(sorted(allowed))} alone"
    if quote != '"' or module is None or first not in MODULES:
        return None
    if place != ALONE.get((module, first), place) and not is_test:
        return f"in {module}, {ALONE[module, first]} alone may know {first}"
    known = LINKED.setdefault(module, linked(module))
    if is_test and "program" in known and first in TEST_TOOLS:
        return None
    return None if first in known else f"{module} does not link {first}"


def main():
    if sys.argv[1:] == ["--write"]:
        write_table()
    complaints = 0
    for problem in list_complaints():
        print(f"{LIST.relative_to(ROOT)}: error: {problem}")
        complaints += 1
    for path in sorted(p for folder in ("src", "tests", "include") for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cpp")):
        module = module_of(path)
        if module and module not in MODULES:
            print(f"{path.relative_to(ROOT)}: error: module {module} is missing in src/modules.txt")
            complaints += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and (problem := complaint(module, place_of(path), *match.groups())):
                print(f"{path.relative_to(ROOT)}:{number}: error: {match.group(2)}: {problem}")
                complaints += 1
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
