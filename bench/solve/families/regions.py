"""Guarded ite chains, as a region summary makes them: a state machine's loop is unrolled with fresh inputs in each iteration and
merged after each conditional, and the question is whether a label is reached."""

from smt import Problem, all_of, any_of, const, ite, one_if, var

PASSWORD = "[({~ax})]"


def _inputs(i, letters=6):
    return var(f"c_{i}", 8), [var(f"s_{i}_{k}", 8) for k in range(letters)]


def _is_text(cells, text):
    return all_of(cell.eq(ord(ch)) for cell, ch in zip(cells, text + "\0"))


def _machine(password, iterations, width, target):
    """foo: `if (c == password[k] && state == k) state = k + 1;` in sequence, then `if (s is "reset" && state == target) goto L`."""
    state, reached = const(0, width), None
    for i in range(iterations):
        c, s = _inputs(i)
        for k, ch in enumerate(password):
            state = ite(c.eq(ord(ch)) & state.eq(k), const(k + 1, width), state)
        hit = _is_text(s, "reset") & state.eq(target)
        reached = hit if reached is None else reached | hit
    return reached


def foo(rng_for):
    for iterations, width in ((9, 32), (10, 32), (20, 32), (40, 32), (60, 8), (60, 32)):
        yield Problem(f"foo-{iterations}-w{width}", f"is L reached within {iterations} iterations?",
                      [_machine(PASSWORD, iterations, width, len(PASSWORD))], "sat")
    for iterations, width in ((8, 8), (8, 32)):
        yield Problem(f"foo-short-{iterations}-w{width}", "one iteration fewer than the state machine needs",
                      [_machine(PASSWORD, iterations, width, len(PASSWORD))], "unsat")
    for iterations, width in ((10, 32), (30, 8), (60, 32)):
        yield Problem(f"foo-unreachable-{iterations}-w{width}", "the target is a state that no transition leads to",
                      [_machine(PASSWORD, iterations, width, len(PASSWORD) + 1)], "unsat")


def longer_machines(rng_for):
    for length, iterations in ((20, 30), (24, 23), (40, 60), (30, 29)):
        rng = rng_for(f"long-{length}-{iterations}")
        letters = rng.sample(range(33, 127), length)
        password = "".join(map(chr, letters))
        expected = "sat" if iterations >= length else "unsat"
        yield Problem(f"long-{length}-{iterations}", f"a machine of {length} states run {iterations} times",
                      [_machine(password, iterations, 32, length)], expected)


def counters(rng_for):
    """Digits build a number, anything else resets it: is a given number seen while the count of digits is exact?"""
    for iterations, number, digits in ((8, 271828, 6), (14, 31415926, 8), (20, 987654321, 9), (12, 4294967, 9)):
        value, count, reached = const(0, 32), const(0, 32), []
        for i in range(iterations):
            c = var(f"c_{i}", 8)
            digit = const(ord("0"), 8).ule(c) & c.ule(ord("9"))
            value = ite(digit, value * 10 + (c - ord("0")).zext(32), const(0, 32))
            count = ite(digit, count + 1, const(0, 32))
            reached.append(value.eq(number) & count.eq(digits))
        yield Problem(f"number-{iterations}-{number}", f"is {number} read with {digits} digits in {iterations} steps?",
                      [any_of(reached)], "sat")


def brackets(rng_for):
    """A depth that goes up and down: zero after an odd number of steps is impossible, and no single step tells so."""
    for steps, depth in ((15, 0), (21, 0), (27, 0), (24, 0), (40, 12)):
        level, peak, valid = const(0, 32), const(0, 32), []
        for i in range(steps):
            c = var(f"c_{i}", 8)
            valid.append((c.eq(ord("(")) | c.eq(ord(")"))) & const(0, 32).sle(level))
            level = ite(c.eq(ord("(")), level + 1, ite(c.eq(ord(")")), level - 1, level))
            peak = ite(peak.slt(level), level, peak)
        expected = "sat" if (steps - depth) % 2 == 0 else "unsat"
        yield Problem(f"brackets-{steps}-{depth}", f"depth {depth} after {steps} brackets",
                      valid + [level.eq(depth), const(3, 32).sle(peak)], expected)


def merged_twice(rng_for):
    """The loop body written as a sequence of conditionals and as one if-else chain; the merged states are compared after the loop."""
    for iterations, states, mutate in ((6, 6, False), (12, 9, False), (20, 9, True), (24, 12, False)):
        rng = rng_for(f"merged-{iterations}-{states}")
        letters = rng.sample(range(97, 123), states)
        first = second = const(0, 32)
        cost_first = cost_second = const(0, 32)
        for i in range(iterations):
            c = var(f"c_{i}", 8)
            for k in range(states):
                step = c.eq(letters[k]) & first.eq(k)
                first, cost_first = ite(step, const(k + 1, 32), first), ite(step, cost_first + (k + 3), cost_first)
            next_state, cost = second, cost_second
            for k in reversed(range(states)):
                step = second.eq(k) & c.eq(letters[k])
                price = k + 4 if mutate and k == states - 1 else k + 3
                next_state, cost = ite(step, const(k + 1, 32), next_state), ite(step, cost_second + price, cost)
            second, cost_second = next_state, cost
        yield Problem(f"merged-{iterations}-{states}{'-mutant' if mutate else ''}", "two merges of one loop differ",
                      [first.ne(second) | cost_first.ne(cost_second)], "sat" if mutate else "unsat")


def protocol(rng_for):
    """A message machine whose transitions depend on a running checksum: length byte, payload, check byte, acknowledgement."""
    for steps, messages in ((8, 1), (16, 2), (24, 3), (9, 2)):
        state, left, total, done = const(0, 32), const(0, 8), const(0, 8), const(0, 32)
        for i in range(steps):
            c = var(f"c_{i}", 8)
            begin = state.eq(0) & c.eq(0x7E)
            length = state.eq(1) & const(2, 8).ule(c) & c.ule(6)
            body = state.eq(2) & left.ne(0)
            check = state.eq(2) & left.eq(0)
            good = check & (total ^ 0x5A).eq(c)
            done = done + one_if(good, 32)
            state = ite(begin, const(1, 32), ite(length, const(2, 32), ite(body, state, ite(good, const(0, 32), ite(
                check, const(9, 32), state)))))
            left = ite(length, c, ite(body, left - 1, left))
            total = ite(length, c, ite(body, total * 31 + c, total))
        yield Problem(f"protocol-{steps}-{messages}", f"{messages} complete messages in {steps} bytes",
                      [done.eq(messages)], "sat" if steps >= 5 * messages else "unsat")


def problems(rng_for):
    for family in (foo, longer_machines, counters, brackets, merged_twice, protocol):
        yield from family(rng_for)
