#!/usr/bin/env bash
# The demonstration: a sudoku through the solver, drawn, and where the results lie.
set -euo pipefail
cd "$(dirname "$0")/.."
results=build/demo
mkdir -p "$results"

echo
echo "\$ build/release/bin/plumb solve examples/puzzle.smt2 --out $results | python3 examples/draw_puzzle.py"
build/release/bin/plumb solve examples/puzzle.smt2 --out "$results" | python3 examples/draw_puzzle.py | tee "$results/puzzle.txt"
echo
echo "The formula is examples/puzzle.smt2. In $results lie puzzle.txt (the drawing), answers.txt (what the solver said) and"
echo "result.json (the same for programs)."
