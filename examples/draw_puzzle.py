#!/usr/bin/env python3
"""Draws the answer to puzzle.smt2, read from standard input, as a sudoku grid."""
import re
import sys

text = sys.stdin.read()
digits = {(int(r), int(c)): int(value, 16) for r, c, value in re.findall(r"\(c(\d)(\d) #x([0-9a-f])\)", text)}
if len(digits) != 81:
    sys.exit("no solution in the input: " + (text.split("\n")[0] or "empty"))

top, middle, bottom = "┏┳┓", "┣╋┫", "┗┻┛"


def rule(corners):
    return corners[0] + corners[1].join(["━" * 7] * 3) + corners[2]


print(rule(top))
for row in range(1, 10):
    thirds = [" ".join(str(digits[row, column]) for column in range(start, start + 3)) for start in (1, 4, 7)]
    print("┃ " + " ┃ ".join(thirds) + " ┃")
    if row in (3, 6):
        print(rule(middle))
print(rule(bottom))
