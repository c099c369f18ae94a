"""Holds what `plumb bip` says of a model against the oracle: verdicts, counterexamples, guides, emulations, emitted programs."""
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402

from oracle import Exploration

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
GOOD_CODES = (0, 10, 20)  # decided, violated, unknown


class Complaint(Exception):
    """A disagreement, in words."""


def run(command, seconds=120):
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Complaint(f"no end after {seconds} s: {' '.join(map(str, command))}") from None


class Subject:
    """A model with its options, as file for plumb and as system for the oracle."""

    def __init__(self, plumb, path, options, system, exploration=None, limit=100000):
        self.plumb, self.path, self.options, self.system = plumb, path, options, system
        self.exploration = exploration or Exploration(system, limit)

    def command(self, *more):
        return [self.plumb, "bip", str(self.path), *self.options, *more]

    # Verdicts.

    def prove(self, texts, engine, provers=(), seconds=60, guides=None):
        """The result object; `texts` are lines of a property file, `provers` more options. Guides go to the directory `guides`."""
        with tempfile.TemporaryDirectory() as scratch:
            properties = pathlib.Path(scratch) / "properties"
            properties.write_text("\n".join(texts) + "\n")
            command = self.command("--props", str(properties), "--deadlock", "--engine", engine, "--json", "-q", "--timeout", str(seconds))
            command += provers
            command += ["--out", str(guides)] if guides else []
            done = run(command, seconds + 60)
        if done.returncode not in GOOD_CODES:
            raise Complaint(f"exit code {done.returncode} with {engine}: {(done.stdout + done.stderr)[-1500:]}")
        return result_object(done.stdout)

    def compare(self, result, prop, engine, shortest=False):
        """Complains unless plumb's verdict is the oracle's and its counterexample is one."""
        found = [each for each in result["properties"] if each["name"] == prop.name]
        if prop.kind == "priorities" and not found and self.exploration.verdict(prop)[0] == "holds":
            return "holds"  # conditions that exclude each other need no proof
        if len(found) != 1:
            raise Complaint(f"{engine}: {len(found)} answers for {prop.name}")
        verdict, names = self.exploration.verdict(prop)
        said = found[0]["verdict"]
        if verdict == "unknown":
            return "unknown here"
        if said in ("unknown", "holds up to"):
            if verdict == "violated" and said == "holds up to" and found[0].get("bound", -1) >= 2 * len(names) + 1 and not self.has_internal():
                raise Complaint(f"{engine}: {prop.name} {said} {found[0]['bound']}, but it is violated after {len(names)}: {names}")
            return "undecided"
        if said != verdict:
            raise Complaint(f"{engine}: {prop.name} is '{said}' for plumb, '{verdict}' for the oracle" + (f" after {names}" if names is not None else ""))
        if said == "violated":
            self.replay_trace(found[0]["trace"], prop, engine)
            if shortest and not self.is_shortest(found[0]["trace"]["interactions"], names, prop):
                raise Complaint(f"{engine}: {prop.name} is violated after {found[0]['trace']['interactions']}, the shortest way is {len(names)}: {names}")
        return said

    def is_shortest(self, interactions, names, prop):
        """Internal transitions take steps, too, and a response may be late because of a deadlock: then fewer interactions are as long."""
        if self.has_internal():
            return True
        return interactions == len(names) or (prop.kind == "response" and interactions < len(names)) or "(deadlock)" in names

    def has_internal(self):
        return any(None in component.by_port for component in self.system.components)

    # States and names as plumb writes them.

    def named_state(self, state):
        places = {f"{component.name}.place": component.kind.places[place] for component, place in zip(self.system.components, state[0])}
        kinds = self.system.instance.types
        values = {name: bool(value) if kind == "bool" else value for name, kind, value in zip(self.system.instance.names, kinds, state[1])}
        return {**places, **values}

    def changes(self, before, after):
        old, new = self.named_state(before), self.named_state(after)
        return {name: [old[name], new[name]] for name in old if old[name] != new[name]}

    def interactions_named(self, name):
        """Interactions with that name: the same connector and the same ports, in any order. Of several with the same ports, plumb's
        names have a number behind a slash: here they stand for each other."""
        connector, _, ports = re.sub(r"/\d+$", "", name).rpartition(":")
        found = []
        for compound in self.system.instance.compounds:
            for interaction in compound.interactions:
                own_connector, _, own_ports = self.system.instance.interaction_name(interaction).rpartition(":")
                if own_connector == connector and set(own_ports.split(",")) == set(ports.split(",")) and interaction.executable:
                    found.append(interaction)
        if not found:
            raise Complaint(f"there is no interaction {name}")
        return found

    def first_state(self, initial):
        """With values of free variables by name; those that are missing are zero."""
        free = {self.system.instance.names[index]: index for index in self.system.free_variables()}
        unknown = set(initial) - set(free)
        if unknown:
            raise Complaint(f"{sorted(unknown)} are not free")
        return self.system.initial({free[name]: int(value) for name, value in initial.items()})

    # One step.

    def follow(self, state, name, changes):
        """The state behind the interaction (None: internal transitions) that changes just that."""
        unstable = bool(self.system.internal(state))
        if unstable != (name is None):
            raise Complaint("internal transitions come first" if unstable else "there are no internal transitions here")
        if name is None:
            possible = list(self.system.internal_successors(state))
        else:
            wanted = self.interactions_named(name)
            possible = [(step, after) for step, after in self.system.successors(state) if step.interaction in wanted]
            if not possible:
                names = [self.system.instance.interaction_name(choice) for choice in self.system.look(state).choices()]
                raise Complaint(f"{name} cannot be fired in {self.named_state(state)}, but {names}")
        for _, after in possible:
            if self.changes(state, after) == changes:
                return after
        raise Complaint(f"{name or 'internal'} in {self.named_state(state)} changes {[self.changes(state, after) for _, after in possible]}, not {changes}")

    # Counterexamples.

    def replay_trace(self, trace, prop, engine):
        state = self.first_state(trace["initial"])
        states = []
        try:
            for step in trace["steps"]:
                if step["interaction"] is not None:
                    states.append(state)
                state = self.follow(state, step["interaction"], step["changes"])
            if self.named_state(state) != trace["end"]:
                raise Complaint(f"it ends in {self.named_state(state)}, not {trace['end']}")
            if len(states) != trace["interactions"]:
                raise Complaint(f"{len(states)} interactions are said to be {trace['interactions']}")
            self.check_violation(states + [state], prop)
        except Complaint as complaint:
            raise Complaint(f"{engine}: the counterexample to {prop.name}: {complaint}") from None

    def check_violation(self, states, prop):
        """Complains unless a run with these visible states violates the property in its last one."""
        last = states[-1]
        if self.system.internal(last):
            raise Complaint("the last state is not visible")
        if prop.kind == "deadlock":
            is_bad = self.exploration.deadlocks(last)
        elif prop.kind == "priorities":
            is_bad = self.system.is_cyclic(last)
        elif prop.kind == "invariant":
            is_bad = not prop.condition(last)
        elif prop.kind == "contract":
            is_bad = prop.premise(states[0]) and not prop.condition(last)
        else:
            is_bad = self.violates_response(states, prop)
        if not is_bad:
            raise Complaint(f"it does not violate the property in {self.named_state(last)}")

    def violates_response(self, states, prop):
        if self.exploration.deadlocks(states[-1]):
            states = states + [states[-1]] * (prop.within + 1)
        age = None
        for state in states:
            if prop.condition(state):
                age = None
            elif age is not None:
                age += 1
            elif prop.premise(state):
                age = 0
            if age is not None and age >= prop.within:
                return True
        return False

    # Guides.

    def replay_guide(self, text):
        """The visible states that a guide leads through, as run/guide.h says it."""
        initial, steps = {}, []
        for line in text.splitlines():
            line = line.split(" #")[0].strip() if not line.startswith("#") else ""
            if match := re.fullmatch(r"init\s+(\S+)\s*=\s*(\S+)", line):
                initial[match.group(1)] = {"true": 1, "false": 0}.get(match.group(2)) if match.group(2) in ("true", "false") else int(match.group(2))
            elif line:
                name, *chosen = line.split()
                steps.append((name, {component: int(number) for component, number in (each.split("#") for each in chosen)}))
        state, visible = self.first_state(initial), []
        for name, chosen in steps:
            if name != "internal":
                state = self.take_internal(state)
                visible.append(state)
                state = self.guided(state, self.interactions_named(name), chosen)
            else:
                state = self.guided(state, None, chosen)
        return visible + [self.take_internal(state)]

    def take_internal(self, state):
        for _ in range(10000):
            if not self.system.internal(state):
                return state
            state = self.guided(state, None, {})
        raise Complaint("internal transitions do not end")

    def guided(self, state, wanted, chosen):
        """The first way that fits: transitions that are not given are the first that are enabled."""
        if wanted is None:
            possible = self.system.internal_successors(state) if self.system.internal(state) else ()
        else:
            possible = ((step, after) for step, after in self.system.successors(state) if step.interaction in wanted)
        for step, after in possible:
            taken = {self.system.components[number].name: transition for number, transition in step.transitions}
            if all(taken.get(component) == number for component, number in chosen.items()):
                return after
        raise Complaint(f"a guide's step is impossible in {self.named_state(state)}")

    def check_guide(self, text, prop):
        try:
            self.check_violation(self.replay_guide(text), prop)
        except Complaint as complaint:
            raise Complaint(f"the guide for {prop.name}: {complaint}\n{text}") from None

    # Emulations.

    def emulate(self, count, seed, guide=None, more=()):
        """Output and exit code."""
        command = self.command("--emulate", str(count), "--seed", str(seed), *more)
        command += ["--guide", str(guide)] if guide else []
        done = run(command)
        if done.returncode not in (0, 10):
            raise Complaint(f"exit code {done.returncode} of an emulation: {(done.stdout + done.stderr)[-1500:]}")
        # What the run means for acyclic priorities, where that is a question, is no part of the run.
        lines = [line for line in done.stdout.splitlines(True) if not re.match(r"\s*violated: |no property is violated", line)]
        return "".join(lines), done.returncode

    def check_emulation(self, text, count, code):
        """Complains unless the lines are a run of the model, as long as it was to be."""
        lines = text.splitlines()
        if len(lines) > 50000 and "do not end" in lines[-1]:
            del lines[1000:-1]  # of internal transitions without end
        number, state = 0, None
        try:
            for line in lines[:-1]:
                first, what, _, listed = [*re.match(r"\s*(\d*)\s*(\S+)(  )?(.*)$", line).groups()]
                if state is None:
                    state = self.emulated_start(listed, what, first)
                    continue
                changes = {}
                for change in filter(None, listed.split(", ")):
                    name, old, new = re.fullmatch(r"(\S+) (\S+) -> (\S+)", change).groups()
                    changes[name] = [self.value_of(name, old), self.value_of(name, new)]
                state = self.follow(state, None if what == "internal" else what, changes)
                number += what != "internal"
                if what != "internal" and int(first) != number:
                    raise Complaint(f"step {number} has the number {first}")
            self.check_end(lines[-1], state, number, count, code)
        except (Complaint, AttributeError, ValueError, KeyError) as complaint:
            raise Complaint(f"emulation: {complaint!r}\n{text[-3000:]}") from None

    def emulated_start(self, listed, what, first):
        named = {}
        for item in filter(None, listed.split(", ")):
            name, value = item.split(" ")
            named[name] = self.value_of(name, value)
        state = self.system.initial({})
        if (what, first) != ("initial", "0") or named != self.named_state(state):
            raise Complaint(f"the run starts in {self.named_state(state)}")
        return state

    def value_of(self, name, text):
        if name.endswith(".place"):
            return text
        return {"true": True, "false": False}[text] if text in ("true", "false") else int(text)

    def check_end(self, line, state, number, count, code):
        match = re.fullmatch(r"(.*) after (\d+) interactions?", line)
        if int(match.group(2)) != number:
            raise Complaint(f"{number} interactions are said to be {match.group(2)}")
        is_stable = not self.system.internal(state)
        is_dead = is_stable and self.exploration.deadlocks(state)
        expected = ("deadlock" if is_dead else "stopped") if is_stable else "internal transitions do not end"
        if match.group(1) != expected or (code != 0) != (expected != "stopped") or (expected == "stopped" and number != count):
            raise Complaint(f"exit code {code}, '{line}', but the run ends in {self.named_state(state)}, {expected}")

    # Emitted programs.

    def emit(self, directory):
        """The compiled program."""
        source, program = pathlib.Path(directory) / "model.cpp", pathlib.Path(directory) / "model"
        done = run(self.command("--emit-cpp", str(source)))
        if done.returncode:
            raise Complaint(f"exit code {done.returncode} of --emit-cpp: {(done.stdout + done.stderr)[-1500:]}")
        done = run(["g++", "-std=c++17", *WARNINGS, str(source), "-o", str(program)], 300)
        if done.returncode:
            raise Complaint(f"the emitted program does not compile: {done.stderr[:2000]}")
        return program

    def check_program(self, program, count, seed, guide=None):
        """Complains unless the program prints what the emulation does."""
        output, code = self.emulate(count, seed, guide)
        done = run([str(program), "--cycles", str(count), "--seed", str(seed), *(["--guide", str(guide)] if guide else [])])
        if (done.stdout, done.returncode) != (output, code):
            raise Complaint(f"the emitted program, exit code {done.returncode}:\n{done.stdout[-1500:]}{done.stderr[-500:]}--emulate, exit code {code}:\n{output[-1500:]}")
