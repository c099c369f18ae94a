#!/usr/bin/env python3
"""Random models for `plumb prob` against an independent oracle in fractions.

    prob.py PLUMB [--count 100] [--seed 1]

Models are small dtmcs, ctmcs and mdps of two variables whose weights and rewards are decimals, quotients and formulas
over the variables. The oracle explores them by its own reading and solves its equations over fractions; of an mdp it
tries policies until none is better. --exact has to give its fraction, and the interval of every other method has to
contain it: numbers of the model are doubles there, so by what half a unit in the last place of each of them can do."""
import argparse
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from fractions import Fraction as F

METHODS = ([], ["--method", "interval"], ["--method", "policy"], ["--method", "gauss-seidel"], ["--lump", "on"])


def decimal(rng):
    digits = rng.choice((1, 2, 3, 22))
    return F(rng.randrange(1, 10**digits), 10**digits)


def text(value):
    """A way to write a positive fraction whose denominator is a power of ten, or another."""
    digits = 0
    while (value * 10**digits).denominator != 1 and digits < 30:
        digits += 1
    if digits == 30:
        return f"{value.numerator}.0/{value.denominator}.0"
    whole = str(value * 10**digits)
    return whole if digits == 0 else f"{whole[:-digits] or '0'}.{whole[-digits:].rjust(digits, '0')}"


class Model:
    """x in 0..n, y in 0..1; commands by x, with weights that may depend on y."""

    def __init__(self, rng):
        self.kind = rng.choice(("dtmc", "ctmc", "mdp"))
        self.n = rng.randrange(2, 5)
        self.commands = []  # (x, [(weight by y, new x, new y)], reward)
        for x in range(self.n):
            for _ in range(rng.randrange(1, 4) if self.kind == "mdp" else 1):
                self.commands.append((x, self.ways(rng), decimal(rng) * rng.randrange(0, 3)))
        self.rewards = [decimal(rng) for _ in range(2)]

    def ways(self, rng):
        count = rng.randrange(1, 4)
        if self.kind == "ctmc":
            weights = [(decimal(rng) * rng.randrange(1, 5), decimal(rng)) for _ in range(count)]
        else:
            parts = [decimal(rng) if rng.random() < 0.5 else F(1, rng.randrange(2, 8)) for _ in range(count)]
            scale = [F(1, count + y) for y in range(2)]
            weights = [tuple(min(part, 1) * s for s in scale) for part in parts[:-1]]
            weights.append(tuple(1 - sum(w[y] for w in weights) for y in range(2)))
        targets = rng.sample(list(itertools.product(range(self.n + 1), range(2))), count)
        return [(weight, *target) for weight, target in zip(weights, targets)]

    def source(self):
        lines = [self.kind, "module m", f"  x : [0..{self.n}];", "  y : [0..1];"]
        for i, (x, ways, _) in enumerate(self.commands):
            right = " + ".join(f"(y=0 ? {text(w[0])} : {text(w[1])}) : (x'={a}) & (y'={b})" for w, a, b in ways)
            lines.append(f"  [a{i}] x={x} -> {right};")
        lines += [f"  [] x={self.n} -> true;", "endmodule", "rewards"]
        lines += [f"  x<{self.n} : y*{text(self.rewards[0])} + {text(self.rewards[1])};"]
        lines += [f"  [a{i}] true : {text(reward)};" for i, (_, _, reward) in enumerate(self.commands)]
        return "\n".join(lines + ["endrewards", ""])

    def rows(self, state):
        """The choices of a state: (what is earned when it is taken, {target: weight}), and what the state earns."""
        x, y = state
        if x == self.n:
            return [(F(0), {state: F(1)})], F(0)
        rows = []
        for at, ways, reward in self.commands:
            if at != x:
                continue
            row = {}
            for weight, a, b in ways:
                if weight[y]:
                    row[(a, b)] = row.get((a, b), F(0)) + weight[y]
            total = sum(row.values())
            rows.append((reward * total if self.kind == "ctmc" else reward, row))
        return rows, y * self.rewards[0] + self.rewards[1]


def solve(equations):
    """Values of {state: (constant, {state: weight})} by elimination, x = constant + sum of weight x."""
    order = list(equations)
    place = {state: i for i, state in enumerate(order)}
    matrix = []
    for state in order:
        constant, row = equations[state]
        line = [F(0)] * len(order) + [constant]
        line[place[state]] += 1
        for target, weight in row.items():
            line[place[target]] -= weight
        matrix.append(line)
    for i in range(len(order)):
        pivot = next(r for r in range(i, len(order)) if matrix[r][i] != 0)
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        matrix[i] = [v / matrix[i][i] for v in matrix[i]]
        for r in range(len(order)):
            if r != i and matrix[r][i] != 0:
                matrix[r] = [a - matrix[r][i] * b for a, b in zip(matrix[r], matrix[i])]
    return {state: matrix[i][-1] for state, i in place.items()}


class Oracle:
    def __init__(self, model):
        self.model = model
        self.states, self.choices, self.earned = [(0, 0)], {}, {}
        for state in self.states:
            self.choices[state], self.earned[state] = model.rows(state)
            for _, row in self.choices[state]:
                self.states += [target for target in row if target not in self.states]

    def reaching(self, policy, target):
        """States from which the target may be reached."""
        known = {s for s in self.states if target(s)}
        while True:
            more = {s for s in self.states if s not in known and any(t in known for t in self.choices[s][policy[s]][1])}
            if not more:
                return known
            known |= more

    def evaluate(self, policy, target, is_reward):
        """Of the initial state; None is infinity."""
        known = self.reaching(policy, target)
        if is_reward:
            seen = [self.states[0]]
            for state in seen:
                if not target(state):
                    seen += [t for t in self.choices[state][policy[state]][1] if t not in seen]
            if any(state not in known for state in seen):
                return None
        equations = {}
        for state in known:
            if target(state):
                equations[state] = (F(0) if is_reward else F(1), {})
                continue
            reward, row = self.choices[state][policy[state]]
            total = sum(row.values())
            inside = {t: w / total for t, w in row.items() if t in known}
            earned = self.earned[state] / total + reward / total if self.model.kind == "ctmc" else self.earned[state] + reward
            equations[state] = (earned if is_reward else F(0), inside)
        if is_reward:
            equations = {s: e for s, e in equations.items() if s in seen}
            equations = {s: (c, {t: w for t, w in row.items() if t in equations}) for s, (c, row) in equations.items()}
        return solve(equations).get(self.states[0], F(0)) if equations else F(0)

    def unbounded(self, target, is_reward, best):
        sizes = [range(len(self.choices[s])) for s in self.states]
        values = [self.evaluate(dict(zip(self.states, policy)), target, is_reward) for policy in itertools.product(*sizes)]
        return best(values, key=lambda v: (v is None, v or F(0)))

    def steps(self, target, count, best):
        """Reached within so many steps, and what is earned in them."""
        reach = {s: F(int(target(s))) for s in self.states}
        earned = dict.fromkeys(self.states, F(0))
        for _ in range(count):
            next_reach, next_earned = {}, {}
            for s in self.states:
                rows = self.choices[s]
                next_reach[s] = F(1) if target(s) else best(sum(w * reach[t] for t, w in row.items()) for _, row in rows)
                next_earned[s] = self.earned[s] + best(r + sum(w * earned[t] for t, w in row.items()) for r, row in rows)
            reach, earned = next_reach, next_earned
        return reach[self.states[0]], earned[self.states[0]]


def questions(model):
    """[(property, value)]: None is infinity."""
    oracle = Oracle(model)
    end, some = (lambda s: s[0] == model.n), (lambda s: s == (1, 1))
    result = []
    for word, best in ((("min", min), ("max", max)) if model.kind == "mdp" else (("", min),)):
        result.append((f"P{word}=? [ F x={model.n} ]", oracle.unbounded(end, False, best)))
        result.append((f"P{word}=? [ F x=1&y=1 ]", oracle.unbounded(some, False, best)))
        result.append((f"R{word}=? [ F x={model.n} ]", oracle.unbounded(end, True, best)))
        if model.kind != "ctmc":
            reached, earned = oracle.steps(end, 4, best)
            result.append((f"P{word}=? [ F<=4 x={model.n} ]", reached))
            result.append((f"R{word}=? [ C<=4 ]", earned))
    return result


def complaint(found, wanted, exact):
    if wanted is None:
        return None if found["value"] == "inf" else f"{found['value']} instead of infinity"
    if exact:
        return None if F(found.get("exact", "-1")) == wanted else f"{found.get('exact')} instead of {wanted}"
    if not found["guaranteed"]:
        return None
    low, high = map(F, found["interval"])
    slack = 0 if low != high else abs(wanted) / 2**50
    return None if low - slack <= wanted <= high + slack else f"[{float(low)!r}, {float(high)!r}] instead of {float(wanted)!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    plumb = str(options.plumb.resolve())
    wrong = compared = 0
    with tempfile.TemporaryDirectory() as directory:
        file = pathlib.Path(directory) / "m.prism"
        for seed in range(options.seed, options.seed + options.count):
            model = Model(random.Random(seed))
            if len(Oracle(model).states) > 7:
                continue
            file.write_text(model.source())
            asked = questions(model)
            for way in (["--exact"], *METHODS):
                command = [plumb, "prob", str(file), "--json", *way, *(a for q, _ in asked for a in ("--prop", q))]
                done = subprocess.run(command, capture_output=True, text=True, timeout=60)
                problems = [f"exit code {done.returncode}: {done.stderr}{done.stdout[-300:]}"]
                if done.returncode == 0:
                    results = json.loads(done.stdout)["results"]
                    pairs = [(f"{q}: {complaint(found, value, way == ['--exact'])}", complaint(found, value, way == ["--exact"]))
                             for (q, value), found in zip(asked, results)]
                    problems = [line for line, problem in pairs if problem]
                    compared += len(asked)
                for problem in problems:
                    wrong += 1
                    print(f"WRONG: seed {seed} {' '.join(way)}: {problem}\n{model.source()}")
    print(f"{compared} results compared, {wrong} wrong")
    sys.exit(1 if wrong or not compared else 0)


if __name__ == "__main__":
    main()
