#!/usr/bin/env python3
"""Writes the solver benchmark: one SMT-LIB file a problem, under OUT/FAMILY, and OUT/manifest.json that lists them.

The same seed always gives the same files."""

import argparse
import json
import random
import shutil
from pathlib import Path

from families import FAMILIES


def generate(family, seed, directory):
    directory.mkdir(parents=True)

    def rng_for(name):
        return random.Random(f"{seed}/{family}/{name}")

    entries = []
    for problem in FAMILIES[family].problems(rng_for):
        path = directory / f"{problem.name}.smt2"
        if path.exists():
            raise SystemExit(f"two problems of {family} are called {problem.name}")
        path.write_text(problem.text())
        entries.append({"family": family, "name": problem.name, "file": f"{family}/{path.name}", "expected": problem.expected,
                        "incremental": problem.incremental, "queries": problem.queries()})
    return entries


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path, help="directory to write to; its family folders are replaced")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--family", action="append", choices=sorted(FAMILIES), help="only this family (may be repeated)")
    options = parser.parse_args()
    entries = []
    for family in options.family or FAMILIES:
        shutil.rmtree(options.out / family, ignore_errors=True)
        entries += generate(family, options.seed, options.out / family)
    (options.out / "manifest.json").write_text(json.dumps({"seed": options.seed, "problems": entries}, indent=1) + "\n")
    for family in options.family or FAMILIES:
        own = [e for e in entries if e["family"] == family]
        print(f"{family}: {len(own)} problems, {sum(e['queries'] for e in own)} queries")
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
