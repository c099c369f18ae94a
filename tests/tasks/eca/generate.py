#!/usr/bin/env python3
"""Writes the tasks of this folder: event-condition-action systems with integer attributes, as long chains of conditions.

A machine has modes, a few small attributes and inputs; each of its rules asks for a mode, an input and values of attributes, and
sets others and an output. Errors are rules of their own that ask for a valuation. All valuations that the rules can reach are
enumerated here: errors of a safe program ask for valuations beside them, one error of an unsafe one for a valuation that was
reached, as late as there is one. The shortest inputs that lead there are noted in the program."""
import pathlib
import random
from collections import deque
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent


@dataclass
class Rule:
    when: dict  # attribute -> value, of some attributes
    input: int
    then: dict  # attribute -> value, or ("+", constant, modulus), of some attributes
    output: int


class Machine:
    def __init__(self, seed, attributes, inputs, rules, domain):
        draw = random.Random(seed)
        self.inputs = list(range(1, inputs + 1))
        # Values far from each other and from zero, so that attributes look like what they are not.
        self.values = [draw.sample(range(1, 40), domain) for _ in range(attributes)]
        self.start = tuple(v[0] for v in self.values)
        reached, self.rules = {self.start}, []
        while len(self.rules) < rules:
            state = draw.choice(sorted(reached))
            when = {a: state[a] for a in sorted(draw.sample(range(attributes), draw.randint(1, attributes - 1)))}
            then = {}
            for attribute in sorted(draw.sample(range(attributes), draw.randint(1, 2))):
                if draw.random() < 0.3:
                    then[attribute] = ("+", draw.randint(1, 9), draw.choice([13, 17, 29]))
                else:
                    then[attribute] = draw.choice(self.values[attribute])
            self.rules.append(Rule(when, draw.choice(self.inputs), then, draw.randint(20, 26)))
            reached |= set(self.successor(s, i)[0] for s in reached for i in self.inputs)
        self.paths = self.explore()

    def successor(self, state, given):
        for rule in self.rules:
            if rule.input == given and all(state[a] == v for a, v in rule.when.items()):
                after = list(state)
                for attribute, value in rule.then.items():
                    after[attribute] = (state[attribute] + value[1]) % value[2] if isinstance(value, tuple) else value
                return tuple(after), rule.output
        return state, -2

    def explore(self):
        """The inputs that lead to each reachable valuation, shortest first."""
        paths, queue = {self.start: ()}, deque([self.start])
        while queue:
            state = queue.popleft()
            for given in self.inputs:
                after = self.successor(state, given)[0]
                if after not in paths:
                    paths[after] = paths[state] + (given,)
                    queue.append(after)
        return paths


def condition(state, attributes):
    return " && ".join(f"a{a} == {state[a]}" for a in attributes)


def program(seed, attributes, inputs, rules, domain, errors, is_safe):
    machine = Machine(seed, attributes, inputs, rules, domain)
    draw = random.Random(seed + 1)
    asked = []
    every = sorted(machine.paths)
    while len(asked) < errors:
        state = tuple(draw.choice([s[a] for s in every]) for a in range(attributes))
        if state not in machine.paths:
            asked.append(state)
    failing = None
    if not is_safe:
        late = max(machine.paths, key=lambda s: (len(machine.paths[s]), s))
        failing = machine.paths[late]
        asked[draw.randrange(errors)] = late
    lines = [f"// An event system of {rules} rules over {attributes} attributes, with {len(machine.paths)} reachable valuations."]
    if failing is not None:
        lines.append(f"// Fails with: {' '.join(map(str, failing + (1,)))}")
    lines += ["#include <assert.h>", "#include <stdio.h>", "extern int __VERIFIER_nondet_int(void);",
              "void reach_error(void) { assert(0); }", ""]
    lines += [f"static int a{a} = {machine.start[a]};" for a in range(attributes)]
    lines += ["", "static void check_errors(void) {"]
    lines += [f"  if ({condition(s, range(attributes))}) reach_error();" for s in asked]
    lines += ["}", "", "static int calculate_output(int input) {", "  check_errors();"]
    for rule in machine.rules:
        test = " && ".join([f"a{a} == {v}" for a, v in rule.when.items()] + [f"input == {rule.input}"])
        lines.append(f"  if ({test}) {{")
        # All right sides are of the valuation before; each rule sets an attribute once.
        for a, v in rule.then.items():
            lines.append(f"    a{a} = (a{a} + {v[1]}) % {v[2]};" if isinstance(v, tuple) else f"    a{a} = {v};")
        lines += [f"    return {rule.output};", "  }"]
    lines += ["  return -2;", "}", "", "int main(void) {", "  int output = -1;", "  while (1) {",
              "    int input = __VERIFIER_nondet_int();",
              f"    if (input < 1 || input > {inputs}) return -2;",
              "    output = calculate_output(input);",
              "    if (output == -2) printf(\"invalid input: %d\\n\", input);",
              "    else printf(\"%d\\n\", output);", "  }", "}"]
    return "\n".join(lines) + "\n"


SIZES = [("small", 3, 4, 12, 4, 6), ("middle", 4, 5, 25, 5, 10), ("large", 5, 6, 45, 6, 20), ("wide", 7, 5, 40, 4, 20),
         ("long", 3, 3, 60, 12, 12), ("great", 4, 6, 70, 6, 30)]
for number, (size, *shape) in enumerate(SIZES):
    for is_safe in (True, False):
        name = f"events_{size}_{'safe' if is_safe else 'unsafe'}"
        (HERE / f"{name}.c").write_text(program(100 + number, *shape, is_safe))
        (HERE / f"{name}.yml").write_text(
            f"format_version: '2.0'\n\ninput_files: '{name}.c'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n"
            f"    expected_verdict: {'true' if is_safe else 'false'}\n\noptions:\n  language: C\n  data_model: ILP32\n")
