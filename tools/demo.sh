#!/usr/bin/env bash
# The demonstration: tests for a lexer that needs nine right characters in a row, the error behind them, and where the
# results lie.
set -euo pipefail
cd "$(dirname "$0")/.."
plumb=build/release/bin/plumb
results=build/demo
mkdir -p "$results"

echo
echo "\$ $plumb test examples/lexer.c --until error --out $results"
code=0
"$plumb" test examples/lexer.c --until error --out "$results" || code=$?
if [ "$code" -ne 10 ]; then
  echo "the error of examples/lexer.c was not found (exit code $code)" >&2
  exit 1
fi
echo
echo "\$ $plumb run examples/lexer.c --input $results/errors/error-001.json"
"$plumb" run examples/lexer.c --input "$results/errors/error-001.json" || true
echo
echo "The tests are in $results/tests, one file each; the input that fails is $results/errors/error-001.json, and the"
echo "interpreter has just failed on it too. $results/result.json has all of it for programs. Exit code 10 means a defect."
