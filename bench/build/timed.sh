#!/bin/bash
# timed.sh LOG COMMAND…: runs the command and adds a line to LOG: user and system seconds, and what follows its -o.
log=$1
shift
times=$(mktemp)
trap 'rm -f "$times"' EXIT
TIMEFORMAT='%U %S'
{ time "$@" 2>&3; } 3>&2 2>"$times"
code=$?
while [ $# -gt 1 ] && [ "$1" != -o ]; do shift; done
echo "$(<"$times") ${2:-}" >>"$log"
exit "$code"
