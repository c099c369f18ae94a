#!/usr/bin/env python3
"""Writes the tasks of this folder: handshakes as state machines in one endless loop over a switch, as those of an SSL library.

Each state reads what comes from outside, counts how far the handshake is in `progress`, and goes to one of a few others. All
(state, progress, resumed, tries) are enumerated: the error asks for a combination that is never come to, or, in the unsafe twin, for
one of those that take longest."""
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
MOST_PROGRESS, MOST_TRIES = 5, 3
NAMES = ("start", "hello", "hello_reply", "certificate", "key_exchange", "request", "verify", "change_cipher", "finished", "flush", "renegotiate", "closing")


class Machine:
    def __init__(self, seed, states, role):
        draw = random.Random(f"{seed}/{role}")
        self.role, self.states = role, states
        self.rules = []  # by state: (input, progress before, progress after, sets resumed, counts, next)
        for state in range(states):
            rules = []
            for k in range(draw.randint(1, 3)):
                forward = min(state + draw.randint(1, 2), states - 1)
                target = forward if draw.random() < 0.8 else draw.randrange(states)
                before = draw.randrange(MOST_PROGRESS) if draw.random() < 0.7 else None
                after = min(before + 1, MOST_PROGRESS) if before is not None else None
                rules.append((draw.randint(0, 300), before, after, draw.random() < 0.15, draw.random() < 0.25, target))
            self.rules.append(rules)

    def next(self, configuration, input):
        state, progress, resumed, tries = configuration
        for wanted, before, after, sets, counts, target in self.rules[state]:
            if input != wanted:
                continue
            if before is not None and progress == before:
                progress = after
            if counts and tries == MOST_TRIES:
                return None
            return target, progress, resumed or sets, tries + counts
        return (state + 1) % self.states, progress, resumed, tries

    def reachable(self):
        """Configurations in the order of their distance, each with the inputs that lead to it."""
        found = {(0, 0, False, 0): ()}
        pending = list(found)
        for configuration in pending:
            for input in (*dict.fromkeys(rule[0] for rule in self.rules[configuration[0]]), -1):
                after = self.next(configuration, input)
                if after and after not in found:
                    found[after] = (*found[configuration], input)
                    pending.append(after)
        return found

    def text(self, error, inputs):
        is_safe = inputs is None
        code = {state: 0x1100 + 16 * state for state in range(self.states)}
        lines = [f"// A {self.role}'s handshake of {self.states} states; the error is {'never come to' if is_safe else 'come to after many messages'}."]
        if not is_safe:
            lines.append("// Fails with: " + " ".join(str(n) for n in inputs))
        lines += ["#include <assert.h>", "extern int __VERIFIER_nondet_int(void);", "void reach_error(void) { assert(0); }", "", f"static int {self.role}(void) {{",
                  f"  int s__state = {code[0]}, progress = 0, resumed = 0, tries = 0, message;", "  for (;;) {"]
        for state, rules in enumerate(self.rules):
            lines.append(f"    {'' if state == 0 else '} else '}if (s__state == {code[state]}) {{ /* {NAMES[state % len(NAMES)]} */")
            if state == error[0]:
                lines += [f"      if (progress == {error[1]} && {'' if error[2] else '!'}resumed && tries == {error[3]}) goto ERROR;"]
            lines.append("      message = __VERIFIER_nondet_int();")
            seen = set()
            for wanted, before, after, sets, counts, target in rules:
                if wanted in seen:
                    continue
                lines.append(f"      {'' if not seen else '} else '}if (message == {wanted}) {{")
                seen.add(wanted)
                if before is not None:
                    lines.append(f"        if (progress == {before}) progress = {after};")
                if counts:
                    lines += [f"        if (tries == {MOST_TRIES}) return -1;", "        tries++;"]
                if sets:
                    lines.append("        resumed = 1;")
                lines.append(f"        s__state = {code[target]};")
            lines += ["      } else {", f"        s__state = {code[(state + 1) % self.states]};", "      }"]
        lines += ["    } else {", "      return -1;", "    }", "  }", "ERROR:", "  reach_error();", "  return -1;", "}", "", "int main(void) { return " + self.role + "(); }"]
        return "\n".join(lines) + "\n"


def definition(name, is_safe):
    return (f"format_version: '2.0'\n\ninput_files: '{name}.c'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n"
            f"    expected_verdict: {'true' if is_safe else 'false'}\n\noptions:\n  language: C\n  data_model: ILP32\n")


def main():
    for role in ("client", "server"):
        for number, states in enumerate((6, 8, 10, 12), 1):
            seed = 0
            while True:
                machine = Machine(f"{number}/{seed}", states, role)
                found = machine.reachable()
                # The combination is missing though each of its parts is there.
                missing = [c for c in ((s, p, r, t) for s in range(states) for p in range(MOST_PROGRESS + 1) for r in (False, True) for t in range(MOST_TRIES + 1))
                           if c not in found and all(any(f[0] == c[0] and f[k] == c[k] for f in found) for k in (1, 2, 3))]
                if len(found) > 10 * states and missing and max(f[1] for f in found) >= 3:
                    break
                seed += 1
            draw = random.Random(number)
            for is_safe, error in ((True, draw.choice(missing)), (False, list(found)[-1])):
                name = f"{role}_{states}_{'safe' if is_safe else 'unsafe'}"
                (HERE / f"{name}.c").write_text(machine.text(error, None if is_safe else found[error]))
                (HERE / f"{name}.yml").write_text(definition(name, is_safe))


main()
