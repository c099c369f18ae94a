#!/usr/bin/env python3
"""Writes the tasks of this folder: N locks that a loop takes and gives back, each if its flag says so.

The safe program with N locks has 2^N ways through its loop, and its assertion needs that what is taken under a condition is given
back under the same. In the unsafe one the last lock is given back under another condition."""
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SIZES = range(5, 16)


def program(count, is_safe):
    lines = [f"// {count} locks, taken and given back under " + ("the same conditions." if is_safe else "different conditions.")]
    if not is_safe:
        lines.append(f"// Fails with: {count}*0 1")
    lines += ["#include <assert.h>", "extern int __VERIFIER_nondet_int(void);", "void reach_error(void) { assert(0); }", "", "int main(void) {"]
    for k in range(1, count + 1):
        lines.append(f"  int p{k} = __VERIFIER_nondet_int(), lk{k};")
    lines += ["  while (1) {", "    if (__VERIFIER_nondet_int() == 0) goto out;"]
    lines += [f"    lk{k} = 0;" for k in range(1, count + 1)]
    lines += [f"    if (p{k} != 0) lk{k} = 1;" for k in range(1, count + 1)]
    for k in range(1, count + 1):
        condition = f"p{k} == 0" if k == count and not is_safe else f"p{k} != 0"
        lines += [f"    if ({condition}) {{", f"      if (lk{k} != 1) goto ERROR;", f"      lk{k} = 0;", "    }"]
    lines += ["  }", "out:", "  return 0;", "ERROR:", "  reach_error();", "  return 1;", "}"]
    return "\n".join(lines) + "\n"


def definition(name, is_safe):
    return (f"format_version: '2.0'\n\ninput_files: '{name}.c'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n"
            f"    expected_verdict: {'true' if is_safe else 'false'}\n\noptions:\n  language: C\n  data_model: ILP32\n")


for size in SIZES:
    for is_safe in (True, False):
        name = f"locks_{size}_{'safe' if is_safe else 'unsafe'}"
        (HERE / f"{name}.c").write_text(program(size, is_safe))
        (HERE / f"{name}.yml").write_text(definition(name, is_safe))
