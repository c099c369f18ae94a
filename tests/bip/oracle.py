#!/usr/bin/env python3
"""Explores a BIP model state by state, as the definitions say it, without anything of plumb.

    oracle.py FILE.bip [--bits N] [--initialize-vars] [--top NAME] [--prop TEXT|FILE]... [--no-deadlock] [--limit STATES] [--maximal]
    oracle.py --self-test

Prints the number of visible states, those reached behind an interaction in which no internal transition is left, and for each property
its verdict (`holds`, `violated`, `vacuous`, `unknown` where the limit was reached) with a shortest counterexample. --maximal counts
interactions in the first state: all of executable connectors, the enabled ones, the maximal ones."""
import argparse
import itertools
import pathlib
import sys

from instance import Instance, is_cyclic, port_order
from language import BipError
from properties import parse_property, read_properties, Property


class Step:
    """What happens: an interaction (None for internal transitions) with a transition of each component that moves."""

    def __init__(self, interaction, transitions):
        self.interaction, self.transitions = interaction, transitions


class System:
    """The states of an instance: tuples of places, then of values of the components' variables."""

    def __init__(self, instance):
        self.instance = instance
        self.components = instance.components
        self.count = len(self.components)
        self.temporaries = list(instance.connector_data)

    # Initial states.

    def initial(self, free):
        """With values of free variables by index."""
        values = [0] * len(self.instance.names)
        for component in self.components:
            for index, value in component.first_values.items():
                values[index] = value
        for index, value in free.items():
            values[index] = value
        for component in self.components:
            if component.initial_action:
                component.initial_action(values)
        return (tuple(component.initial for component in self.components), tuple(map(int, values)))

    def free_variables(self):
        return [index for component in self.components for index in component.free]

    def initial_states(self, limit=1 << 20):
        free = self.free_variables()
        half = 1 << (self.instance.bits - 1)
        domains = [(0, 1) if self.instance.types[index] == "bool" else range(-half, half) for index in free]
        total = 1
        for domain in domains:
            total *= len(domain)
        if total > limit:
            raise BipError(f"{total} initial states are too many")
        return list(dict.fromkeys(self.initial(dict(zip(free, values))) for values in itertools.product(*domains)))

    # Transitions of atoms.

    def enabled_transitions(self, state, component, port):
        places, values = state
        here = places[component.number]
        return [transition for transition in component.by_port.get(port, ())
                if transition.source == here and (transition.guard is None or transition.guard(values))]

    def internal(self, state):
        """By component that has some: its internal transitions."""
        result = {}
        for component in self.components:
            if None in component.by_port:
                enabled = self.enabled_transitions(state, component, None)
                if enabled:
                    result[component.number] = enabled
        return result

    def enabled_ports(self, state, component):
        """Names of ports that have an enabled transition and give way to none that has."""
        raw = [bool(self.enabled_transitions(state, component, port)) for port in component.ports]
        if not component.rules:
            return {port for port, has in zip(component.ports, raw) if has}
        above = self.atom_order(state, component)
        bits = sum(has << position for position, has in enumerate(raw))
        return {port for position, port in enumerate(component.ports) if raw[position] and not above[position] & bits}

    @staticmethod
    def atom_order(state, component):
        return port_order(component, [rule for rule in component.rules if rule[2] is None or rule[2](state[1])])

    # Interactions.

    def stage(self, interaction, values):
        """Executes what is inside, then looks at the guard and moves data up; False if a guard does not hold."""
        for part in interaction.parts:
            if part.inner and not self.stage(part.inner, values):
                return False
        if interaction.guard is not None and not interaction.guard(values):
            return False
        if interaction.up:
            interaction.up(values)
        return True

    def lower(self, interaction, values):
        if interaction.down:
            interaction.down(values)
        for part in interaction.parts:
            if part.inner:
                self.lower(part.inner, values)

    def look(self, state):
        return View(self, state)

    def successors(self, state):
        """Of a state that is visible: pairs (Step, state behind, perhaps not visible)."""
        view = self.look(state)
        for interaction in view.choices():
            ports = sorted(interaction.ports)
            ways = [self.enabled_transitions(state, self.components[number], port) for number, port in ports]
            for chosen in itertools.product(*ways):
                yield self.fire(state, interaction, [(number, way) for (number, _), way in zip(ports, chosen)])

    def fire(self, state, interaction, transitions):
        places, values = list(state[0]), list(state[1])
        if interaction is not None:
            values += self.temporaries
            self.stage(interaction, values)
            self.lower(interaction, values)
            del values[len(state[1]):]
        for number, transition in transitions:
            places[number] = transition.target
            if transition.action:
                transition.action(values)
        return (Step(interaction, [(number, transition.number) for number, transition in transitions]),
                (tuple(places), tuple(map(int, values))))

    def internal_successors(self, state):
        """Of a state that is not visible."""
        enabled = self.internal(state)
        for chosen in itertools.product(*enabled.values()):
            yield self.fire(state, None, list(zip(enabled, chosen)))

    def settle(self, state):
        """All visible states that internal transitions lead to; none if they never end."""
        seen, queue, result = {state}, [state], []
        for current in queue:
            if not self.internal(current):
                result.append(current)
                continue
            for _, after in self.internal_successors(current):
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
        return result

    def is_cyclic(self, state):
        view = self.look(state)
        return (any(is_cyclic(view.order(compound)) for compound in self.instance.compounds)
                or any(is_cyclic(self.atom_order(state, component)) for component in self.components if component.rules))


class View:
    """What is enabled and maximal in one state."""

    def __init__(self, system, state):
        self.system, self.state = system, state
        self.ports = [system.enabled_ports(state, component) for component in system.components]
        self.masks, self.known = {}, {}

    def order(self, compound):
        active = frozenset(number for number, rule in enumerate(compound.rules) if rule[2] is None or rule[2](self.state[1]))
        return self.system.instance.order(compound, active)

    def is_enabled(self, interaction):
        if interaction not in self.known:
            self.known[interaction] = self.find_enabled(interaction)
        return self.known[interaction]

    def find_enabled(self, interaction):
        if not all(port in self.ports[number] for number, port in interaction.ports):
            return False
        if not self.parts_are_maximal(interaction):
            return False
        values = list(self.state[1]) + self.system.temporaries
        return self.system.stage(interaction, values)

    def parts_are_maximal(self, interaction):
        return all((not part.through_compound or self.is_maximal(part.inner)) and self.parts_are_maximal(part.inner)
                   for part in interaction.parts if part.inner)

    def is_maximal(self, interaction):
        if not self.is_enabled(interaction):
            return False
        compound = interaction.compound
        if compound not in self.masks:
            self.masks[compound] = sum(self.is_enabled(other) << other.position for other in compound.interactions)
        return not self.order(compound)[interaction.position] & self.masks[compound]

    def choices(self):
        return [interaction for compound in self.system.instance.compounds for interaction in compound.interactions
                if interaction.executable and self.is_maximal(interaction)]

    def executable(self):
        return [interaction for compound in self.system.instance.compounds for interaction in compound.interactions if interaction.executable]


class Exploration:
    """All visible states, breadth first: `distance` and `parent` (state, interaction's name) of each."""

    def __init__(self, system, limit=100000):
        self.system, self.edges, self.parent, self.distance = system, {}, {}, {}
        self.firsts, self.complete = [], True
        for state in system.initial_states():
            for visible in system.settle(state):
                if visible not in self.distance:
                    self.firsts.append(visible)
                    self.reach(visible, None, None)
        queue = list(self.firsts)
        for state in queue:
            if len(queue) > limit:
                self.complete = False
                break
            self.edges[state] = []
            for step, after in system.successors(state):
                for visible in system.settle(after):
                    self.edges[state].append((step, visible))
                    if visible not in self.distance:
                        self.reach(visible, state, step)
                        queue.append(visible)

    def reach(self, state, before, step):
        self.distance[state] = 0 if before is None else self.distance[before] + 1
        self.parent[state] = (before, step)

    def path(self, state):
        """Names of interactions from a first state to this one."""
        names = []
        while self.parent[state][0] is not None:
            state, step = self.parent[state]
            names.append(self.name(step))
        return names[::-1]

    def name(self, step):
        return self.system.instance.interaction_name(step.interaction)

    def deadlocks(self, state):
        return not self.system.look(state).choices()

    def verdict(self, prop):
        """(verdict, names of the interactions of a shortest counterexample or None)"""
        kind = prop.kind
        if kind == "response":
            return self.response(prop)
        if kind == "contract":
            return self.contract(prop)
        is_bad = {"deadlock": self.deadlocks, "priorities": self.system.is_cyclic, "invariant": lambda state: not prop.condition(state)}[kind]
        for state in self.distance:
            if is_bad(state):
                return "violated", self.path(state)
        if self.complete and not self.distance:
            return "vacuous", None  # internal transitions never end: there is no visible state
        return ("holds" if self.complete else "unknown"), None

    def contract(self, prop):
        firsts = [state for state in self.firsts if prop.premise(state)]
        if not firsts:
            return "vacuous" if self.complete else "unknown", None
        parent, queue = {state: None for state in firsts}, list(firsts)
        for state in queue:
            if not prop.condition(state):
                names = []
                while parent[state]:
                    state, step = parent[state]
                    names.append(self.name(step))
                return "violated", names[::-1]
            for step, after in self.edges.get(state, ()):
                if after not in parent:
                    parent[after] = (state, step)
                    queue.append(after)
        return ("holds" if self.complete else "unknown"), None

    def response(self, prop):
        """Nodes are (state, interactions since the premise held or None): the oldest premise without an answer is what counts."""
        def look(state, age):
            if prop.condition(state):
                return None
            return age if age is not None else 0 if prop.premise(state) else None

        starts = [(state, look(state, None)) for state in self.firsts]
        parent, queue = {node: None for node in starts}, list(dict.fromkeys(starts))
        for node in queue:
            state, age = node
            if age is not None and age >= prop.within:
                return "violated", self.trail(parent, node)
            after = self.edges.get(state, [])
            if not after and state in self.edges and self.deadlocks(state):
                after = [(None, state)]
            for step, following in after:
                next_node = (following, look(following, None if age is None else age + 1))
                if next_node not in parent:
                    parent[next_node] = (node, step)
                    queue.append(next_node)
        if not self.complete:
            return "unknown", None
        return ("holds" if any(prop.premise(state) for state in self.distance) else "vacuous"), None

    def trail(self, parent, node):
        names = []
        while parent[node]:
            node, step = parent[node]
            names.append(self.name(step) if step else "(deadlock)")
        return names[::-1]


def default_properties(instance, with_deadlock=True):
    result = [Property("deadlock", "deadlock")] if with_deadlock else []
    if instance.may_be_cyclic:
        result.append(Property("priorities", "acyclic priorities"))
    return result


def load(path, bits=8, initialize=False, top=""):
    return System(Instance(pathlib.Path(path).read_text(), bits, initialize, top))


def given_properties(system, texts):
    result = []
    for text in texts:
        if pathlib.Path(text).is_file():
            result += read_properties(system, pathlib.Path(text).read_text())
        else:
            result.append(parse_property(system, text))
    return result


def show_state(system, state):
    places = [f"{component.name}.place {component.kind.places[place]}" for component, place in zip(system.components, state[0])]
    return ", ".join(places + [f"{name} {value}" for name, value in zip(system.instance.names, state[1])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?")
    parser.add_argument("--bits", type=int, default=8)
    parser.add_argument("--initialize-vars", action="store_true")
    parser.add_argument("--top", default="")
    parser.add_argument("--prop", action="append", default=[])
    parser.add_argument("--no-deadlock", action="store_true")
    parser.add_argument("--limit", type=int, default=100000)
    parser.add_argument("--maximal", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        import self_test
        return self_test.main()
    try:
        system = load(options.file, options.bits, options.initialize_vars, options.top)
        if options.maximal:
            for state in system.settle(system.initial_states()[0])[:1]:
                view = system.look(state)
                executable = view.executable()
                print(len(executable), sum(map(view.is_enabled, executable)), len(view.choices()))
        properties = default_properties(system.instance, not options.no_deadlock) + given_properties(system, options.prop)
        exploration = Exploration(system, options.limit)
    except BipError as error:
        print(f"{options.file}: {error}")
        return 2
    print(f"{'' if exploration.complete else 'more than '}{len(exploration.distance)} visible states")
    for prop in properties:
        verdict, names = exploration.verdict(prop)
        print(f"{prop.name}: {verdict}" + (f" after {len(names)}: {'  '.join(names)}" if names is not None else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
