#!/usr/bin/env python3
"""tools/check-layers.py finds nothing in the tree, and refuses the includes that it is there to refuse."""
import importlib.util
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# A file, what it includes, and whether it may.
CASES = [
    ("src/solve/native/blast_solver.cpp", "<cadical.hpp>", True),
    ("src/prove/bmc.cpp", "<cadical.hpp>", False),
    ("src/instrument/instrumenter.cpp", "<llvm/IR/Module.h>", True),
    ("src/replay/symboliser.cpp", "<llvm/IR/Module.h>", True),
    ("src/replay/replayer.cpp", "<llvm/IR/Module.h>", False),
    ("src/concolic/search/search.cpp", "<llvm/IR/Module.h>", False),
    ("tests/unit/concolic/instrument/instrumenter_fixture.cpp", "<llvm/IR/Module.h>", True),
    ("src/check/tester_engine.cpp", '"concolic/search/search.h"', True),
    ("src/check/judge.cpp", '"concolic/search/search.h"', False),
    ("src/check/judge.cpp", '"replay/confirmer.h"', True),
    ("src/prove/bmc.cpp", '"flatten/flatten.h"', False),
    ("src/instrument/subject.cpp", '"concolic/search/search.h"', False),
    ("tests/unit/instrument/machines_test.cpp", '"concolic/search/search.h"', False),
    ("tests/unit/instrument/machines_test.cpp", '"unit/concolic/runtime_harness.h"', False),
    ("tests/unit/instrument/machines_test.cpp", '"unit/instrument/regions/region_cloner_fixture.h"', True),
    ("tests/unit/check/agreement/operators_test.cpp", '"concolic/region/region_template.h"', True),
]


def main():
    specification = importlib.util.spec_from_file_location("check_layers", ROOT / "tools" / "check-layers.py")
    layers = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(layers)
    sys.argv[1:] = []
    failed = layers.main()
    for file, include, may in CASES:
        path = ROOT / file
        problem = layers.complaint(layers.module_of(path), layers.place_of(path), include[0], include[1:-1])
        if (problem is None) != may:
            print(f"{file} includes {include}: {problem or 'taken'}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
