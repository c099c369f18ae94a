#!/usr/bin/env bash
# The demonstration: a sudoku through the solver, drawn, a defect in a C program, and where the results lie.
set -euo pipefail
cd "$(dirname "$0")/.."
results=build/demo
mkdir -p "$results"

echo
echo "\$ build/release/bin/plumb solve examples/puzzle.smt2 --out $results | python3 examples/draw_puzzle.py"
build/release/bin/plumb solve examples/puzzle.smt2 --out "$results" | python3 examples/draw_puzzle.py | tee "$results/puzzle.txt"
echo
echo "\$ echo 'int f(void) { return 1; }' | build/release/bin/plumb run examples/histogram.c"
code=0
echo 'int f(void) { return 1; }' | build/release/bin/plumb run examples/histogram.c --out "$results/run" || code=$?
if [ "$code" -ne 10 ]; then
  echo "the defect of examples/histogram.c was not found (exit code $code)" >&2
  exit 1
fi
echo
echo "The formula is examples/puzzle.smt2. In $results lie puzzle.txt (the drawing), answers.txt (what the solver said) and"
echo "result.json (the same for programs); in $results/run is what was found in examples/histogram.c. Exit code 10 means a defect."
