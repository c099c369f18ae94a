#!/usr/bin/env python3
"""Checks that includes follow the module order: a file includes its own module and those that stand above it in ORDER, by
"module/header.h", and nothing by a relative path. The build refuses most of this too; here all of it is reported at once, with
what the build cannot see: libraries that only their adapter may include."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# In the order of docs/architecture.md.
ORDER = ["base", "term", "circuit", "solve", "result", "program", "system", "flatten", "chain", "lang", "concolic", "explore", "paths",
         "unroll", "prove", "equiv", "check", "energy", "remote", "cli"]
ENGINES = {"concolic", "explore", "paths", "unroll", "prove", "equiv", "energy", "remote"}
ENGINE_USES = {("remote", "concolic"), ("equiv", "explore")}
PRIVATE = {"z3": {"solve"}, "cadical": {"solve"}, "llvm": {"program", "concolic"}}
INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]')


def module_of(path):
    """The module that a file of src/ or tests/unit/ belongs to; None for others, which may include anything."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return parts[1]
    # tests/unit/link is about runtime/link.
    return parts[2] if parts[:2] == ("tests", "unit") and parts[2] != "link" else None


def complaint(module, quote, target):
    if ".." in Path(target).parts:
        return "relative include"
    first = Path(target).parts[0].lower()
    library = next((l for l in PRIVATE if re.match(rf"{l}(\+\+|[-./]|$)", target.lower())), None)
    if library and module and module not in PRIVATE[library]:
        return f"{library} headers belong to {' and '.join(sorted(PRIVATE[library]))} alone"
    if quote != '"' or module is None or first not in ORDER:
        return None
    if module in ENGINES and first in ENGINES - {module}:
        return None if (module, first) in ENGINE_USES else "engines do not know each other"
    if ORDER.index(first) > ORDER.index(module):
        return f"{module} stands above {first}"
    return None


def main():
    complaints = 0
    for path in sorted(p for folder in ("src", "tests", "include") for p in (ROOT / folder).rglob("*") if p.suffix in (".h", ".cpp")):
        module = module_of(path)
        if module and module not in ORDER:
            print(f"{path.relative_to(ROOT)}: error: module {module} is missing in tools/check-layers.py")
            complaints += 1
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match and (problem := complaint(module, *match.groups())):
                print(f"{path.relative_to(ROOT)}:{number}: error: {match.group(2)}: {problem}")
                complaints += 1
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
