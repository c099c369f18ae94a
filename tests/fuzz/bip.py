#!/usr/bin/env python3
"""Holds `plumb bip` against random BIP systems of bip_program.py, explored state by state by tests/bip/oracle.py.

    bip.py PLUMB --count 300 --seed 1 --jobs 1 --keep DIR [--emit 5] [--seconds 30]

For each system and engine of BIP: the verdicts of random properties are the oracle's; a counterexample and its guide are runs of the
oracle that violate the property, and with BMC alone shortest ones; emulations are runs of the oracle; every fifth (--emit) emitted
program is compiled and prints the same. What disagrees is kept in DIR. What no engine decides is counted."""
import argparse
import pathlib
import random
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "bip"))

from bip_program import Generator  # noqa: E402
from compare import Complaint, Subject, run  # noqa: E402
from instance import Instance  # noqa: E402
from language import BipError  # noqa: E402
from oracle import Exploration, System, default_properties  # noqa: E402
from properties import read_properties  # noqa: E402

MOST_STATES = 1000
MOST_INITIAL_BITS = 9
ENGINES = ("two-cycle", "one-cycle", "parallel")


def file_of(answer, kind):
    return next(file["path"] for file in answer["files"] if file["kind"] == kind)


class Drawn:
    """A system that is worth a look: its text, options and exploration; `error` if its priorities are cyclic."""

    def __init__(self, seed):
        for attempt in range(1000):
            generator = Generator(f"{seed}/{attempt}")
            self.text, self.bits, self.initialize = generator.text(), generator.bits, generator.initialize
            if (generator.free_bits > MOST_INITIAL_BITS and not self.initialize) or len(self.text) > 20000:
                continue
            self.rng, self.error = random.Random(f"{seed}/{attempt}/properties"), None
            self.options = ["--bits", str(self.bits)] + (["--initialize-vars"] if self.initialize else [])
            try:
                self.system = System(Instance(self.text, self.bits, self.initialize))
            except BipError as error:
                self.error = str(error)
                return
            if max(len(compound.interactions) for compound in self.system.instance.compounds) > 60:
                continue
            self.exploration = Exploration(self.system, MOST_STATES)
            enough = 3 if self.rng.random() < 0.9 else 0
            if self.exploration.complete and len(self.exploration.distance) >= enough:
                return
        raise RuntimeError("no system is good enough")


class PropertyMaker:
    def __init__(self, drawn):
        self.rng, self.system, self.exploration = drawn.rng, drawn.system, drawn.exploration
        self.states = list(drawn.exploration.distance)
        self.most = (1 << (drawn.bits - 1)) - 1

    def state(self):
        """A visible state, rather a late one."""
        return self.rng.choice(self.states[len(self.states) // 2:] if self.rng.random() < 0.6 else self.states)

    def facts(self, state, most, least=1):
        """What is true in that state; sometimes of no state at all."""
        rng, parts = self.rng, []
        for component in self.system.components:
            if rng.random() < 0.7:
                place = component.kind.places[state[0][component.number]]
                parts.append(f"{component.name}.place {'==' if rng.random() < 0.95 else '!='} {place}")
            for index in component.variables.values():
                value, name = state[1][index], self.system.instance.names[index]
                if self.system.instance.types[index] == "bool":
                    parts.append(name if value else f"!{name}")
                else:
                    wanted = value if rng.random() < 0.9 else rng.randint(0, self.most)
                    operator = rng.choice(["==", "==", "<=", ">="])
                    parts.append(f"{name} {operator} {wanted if wanted > -self.most - 1 else f'{wanted + 1} - 1'}")
        rng.shuffle(parts)
        return " && ".join(parts[:rng.randint(least, most)]) or "true"

    def family(self):
        rng = self.rng
        component = rng.choice(self.system.components)
        name = component.kind.name if rng.random() < 0.7 else rng.choice(["*", component.name, component.name[:-1] + "*"])
        variables = [variable for kind, variable, _ in component.kind.data if kind == "int"]
        if name != component.kind.name or not variables:
            name = component.kind.name
        fact = f"a.{rng.choice(variables)} <= {rng.randint(0, self.most)}" if variables else f"a.place == {rng.choice(component.kind.places)}"
        if rng.random() < 0.4:
            return f"forall a, b in {name}: a != b => !({fact} && b.place == {rng.choice(component.kind.places)})"
        return f"{rng.choice(['forall', 'exists'])} a in {name}: {fact}"

    def texts(self):
        rng, result = self.rng, []
        for number in range(rng.randint(2, 4)):
            kind = rng.random()
            if kind < 0.45:
                text = f"!({self.facts(self.state(), 8, 3)})"
            elif kind < 0.55:
                text = f"{self.facts(self.state(), 2)} => {self.facts(self.state(), 1)}"
            elif kind < 0.75:
                text = self.family()
            else:
                text = f"{self.facts(self.state(), 2)} leads to {self.facts(self.state(), 2)} within {rng.randint(0, 5)}"
            result.append(f"p{number}: {text}")
        if rng.random() < 0.5:
            first = rng.choice(self.exploration.firsts) if self.exploration.firsts else self.state()
            result += [f"pre {self.facts(first, 2)}", f"post !({self.facts(self.state(), 6, 2)})"]
        return result


def check_rejection(plumb, path, drawn):
    done = run([plumb, "bip", str(path), *drawn.options])
    if done.returncode != 2:
        raise Complaint(f"exit code {done.returncode}, but the oracle says: {drawn.error}")


def without_responses(texts):
    return [text for text in texts if " leads to " not in text]


class Check:
    """All that is asked about one system."""

    def __init__(self, options, seed, counts):
        self.options, self.seed, self.counts = options, seed, counts
        self.drawn = Drawn(seed)
        self.texts = []

    def run(self, scratch):
        path = scratch / "model.bip"
        path.write_text(self.drawn.text)
        if self.drawn.error:
            self.counts["rejected"] += 1
            return check_rejection(self.options.plumb, path, self.drawn)
        self.subject = Subject(self.options.plumb, path, self.drawn.options, self.drawn.system, self.drawn.exploration)
        if self.drawn.exploration.distance:
            self.texts = PropertyMaker(self.drawn).texts()
        defaults = default_properties(self.drawn.system.instance)
        is_cyclic = any(prop.kind == "priorities" and self.drawn.exploration.verdict(prop)[0] == "violated" for prop in defaults)
        self.counts["states"] += len(self.drawn.exploration.distance)
        rng = random.Random(f"{self.seed}/engines")
        for engine in ENGINES if rng.random() < 0.8 else rng.sample(ENGINES, 2):
            texts = without_responses(self.texts) if engine == "parallel" else self.texts
            properties = defaults + read_properties(self.drawn.system, "\n".join(texts))
            if is_cyclic:
                properties = [prop for prop in defaults if prop.kind == "priorities"]
            self.prove(texts, properties, engine, scratch)
            if engine != "parallel" and rng.random() < 0.3:
                self.prove(texts, properties, engine, scratch, ["--provers", "bmc", "--bound", str(self.bound(properties))])
        if not is_cyclic:
            self.runs(scratch, rng)
        return None

    def bound(self, properties):
        """Steps within which the shortest counterexamples are."""
        lengths = [len(names) for _, names in map(self.drawn.exploration.verdict, properties) if names is not None]
        return 2 * max(lengths, default=4) + (20 if self.subject.has_internal() else 2)

    def prove(self, texts, properties, engine, scratch, provers=()):
        guides = scratch / f"{engine}{len(provers)}"
        result = self.subject.prove(texts, engine, provers, self.options.seconds, guides)
        for prop in properties:
            said = self.subject.compare(result, prop, engine, shortest=bool(provers))
            self.counts["bounded" if provers and said == "undecided" else said] += 1
        by_name = {prop.name: prop for prop in properties}
        for answer in result["properties"]:
            if answer["verdict"] == "violated" and answer["name"] in by_name:
                self.subject.check_guide(pathlib.Path(file_of(answer, "guide")).read_text(), by_name[answer["name"]])
                self.counts["guides"] += 1
                self.guide = file_of(answer, "guide")

    def runs(self, scratch, rng):
        for _ in range(2):
            count, seed = rng.randint(1, 30), rng.randint(1, 1000)
            text, code = self.subject.emulate(count, seed)
            self.subject.check_emulation(text, count, code)
            self.counts["emulations"] += 1
        if self.options.emit and rng.randrange(self.options.emit) == 0:
            program = self.subject.emit(scratch)
            for seed in (1, 2, 3):
                self.subject.check_program(program, 25, seed)
            if getattr(self, "guide", None):
                self.subject.check_program(program, 25, 4, self.guide)
            self.counts["programs"] += 1


def check(options, seed):
    counts = Counter()
    try:
        task = Check(options, seed, counts)
    except RecursionError as error:
        return counts, f"seed {seed}: {error}"
    with tempfile.TemporaryDirectory() as scratch:
        try:
            task.run(pathlib.Path(scratch))
            return counts, ""
        except (Complaint, KeyError, OSError, ValueError) as complaint:
            message = f"{type(complaint).__name__}: {complaint}" if not isinstance(complaint, Complaint) else str(complaint)
    if options.keep:
        folder = pathlib.Path(options.keep)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{seed}.bip").write_text("".join(f"// {line}\n" for line in [f"options: {' '.join(task.drawn.options)}"]) + task.drawn.text)
        (folder / f"{seed}.props").write_text("\n".join(task.texts) + "\n")
        (folder / f"{seed}.txt").write_text(message + "\n")
    return counts, f"seed {seed}: {message}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--emit", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--keep")
    options = parser.parse_args()
    start, total, failures = time.time(), Counter(), 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for counts, message in pool.map(lambda seed: check(options, seed), range(options.seed, options.seed + options.count)):
            total += counts
            if message:
                failures += 1
                print(message, flush=True)
    print(f"{options.count} systems, {failures} disagreements, {time.time() - start:.0f} s: " + ", ".join(f"{number} {what}" for what, number in sorted(total.items())))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
