"""A BIP system made of the types of a package: components, interactions and which of them give way to which. Hierarchy is kept
where it matters, in the offers of ports: what a port of a compound or connector stands for is a list of ways to take part."""
import itertools

from language import BipError, Coder, PackageReader, Record


class Offer:
    """One way in which a port takes part: a port of an atom, or an interaction of a connector that exports a port."""

    def __init__(self, data, atom_port=None, inner=None, through_compound=False):
        self.data, self.atom_port, self.inner, self.through_compound = data, atom_port, inner, through_compound


class Interaction:
    """`ports`: frozenset of (component, port name). `parts` are the offers that it is made of, by port of the connector."""

    def __init__(self, connector, participants, parts, guard, up, down, executable, compound):
        self.connector, self.participants, self.parts = connector, participants, parts
        self.guard, self.up, self.down, self.executable, self.compound = guard, up, down, executable, compound
        self.ports = frozenset().union(*(part.inner.ports if part.inner else {part.atom_port} for part in parts))
        count = sum(len(part.inner.ports) if part.inner else 1 for part in parts)
        if len({component for component, _ in self.ports}) != count:
            raise BipError(f"{connector} has two ports of one component")
        self.position = len(compound.interactions)
        compound.interactions.append(self)


class Component:
    def __init__(self, name, kind):
        self.name, self.kind, self.variables, self.transitions = name, kind, {}, []


class Compound:
    """Interactions and rules: (set of positions, set of positions, guard or None)."""

    def __init__(self, path):
        self.path, self.interactions, self.rules, self.orders = path, [], [], {}


def combinations(group):
    """The interactions of a port expression, as sets of ports."""
    parts = [(combinations(item) if isinstance(item, list) else {frozenset([item])}, trigger) for item, trigger in group]
    result = set()
    for chosen in itertools.product((False, True), repeat=len(parts)):
        has_trigger = any(taken and trigger for taken, (_, trigger) in zip(chosen, parts))
        if has_trigger or all(chosen):
            sets = [ways for taken, (ways, _) in zip(chosen, parts) if taken]
            result |= {frozenset().union(*pick) for pick in itertools.product(*sets)}
    return result


class Instance:
    """The system of the compound type `top`: `Name` or `Name(1, true)`."""

    def __init__(self, text, bits=8, initialize=False, top=""):
        self.package = PackageReader(text).package()
        self.coder, self.bits, self.initialize = Coder(bits), bits, initialize
        self.components, self.compounds = [], []
        self.names, self.types = [], []  # of variables, of components first
        self.connector_data = []         # first values; indices go on behind variables of components
        self.constants = {}
        for _, name, value in self.package.constants:
            self.constants[name] = self.coder.value(value, self.constant)
        name, arguments = self.top(top)
        self.component_count = self.count_variables(name)
        self.compound_instance(self.package.compound_types[name], arguments, "")
        self.check_orders()

    def constant(self, name):
        if name not in self.constants:
            raise BipError(f"unknown name {name}")
        return ("const", self.constants[name])

    def top(self, text):
        types = self.package.compound_types
        if text:
            reader = PackageReader(text)
            name, arguments = reader.word(), reader.arguments(reader.conditional)
            return name, [self.coder.value(argument, self.constant) for argument in arguments]
        used = {kind for compound in types.values() for kind, _, _ in compound.components}
        return [name for name in types if name not in used][-1], []

    def count_variables(self, name):
        if name in self.package.atom_types:
            return len(self.package.atom_types[name].data)
        return sum(self.count_variables(kind) for kind, _, _ in self.package.compound_types[name].components)

    def environment(self, kind, arguments):
        if len(arguments) != len(kind.parameters):
            raise BipError(f"{kind.name} has {len(kind.parameters)} parameters")
        return {**self.constants, **{name: value for (_, name), value in zip(kind.parameters, arguments)}}

    @staticmethod
    def scope(constants, variables):
        def lookup(name):
            if name in variables:
                return ("var", variables[name])
            if name in constants:
                return ("const", constants[name])
            raise BipError(f"unknown name {name}")
        return lookup

    # Atoms.

    def atom_instance(self, kind, arguments, path):
        """Offers by the name of an exported port, and exported data."""
        component = Component(path, kind)
        component.number = len(self.components)
        self.components.append(component)
        constants = self.environment(kind, arguments)
        component.first_values = {}
        for data_type, name, value in kind.data:
            component.variables[name] = len(self.names)
            self.names.append(f"{path}.{name}")
            self.types.append(data_type)
            if value is not None:
                component.first_values[component.variables[name]] = self.coder.value(value, self.scope(constants, {}))
        lookup = self.scope(constants, component.variables)
        component.initial = kind.places.index(kind.initial)
        component.initial_action = self.coder.action(kind.initial_action, lookup)
        component.free = self.free_variables(component, kind)
        component.ports = {port.name: port for port in kind.ports}
        component.by_port = {}
        for number, transition in enumerate(kind.transitions):
            if transition.port is not None and transition.port not in component.ports:
                raise BipError(f"unknown port {transition.port}")
            entry = Record(number=number, source=kind.places.index(transition.source), target=kind.places.index(transition.target),
                           guard=self.coder.condition(transition.guard, lookup), action=self.coder.action(transition.action, lookup))
            component.by_port.setdefault(transition.port, []).append(entry)
        component.rules = [self.atom_rule(rule, component, lookup) for rule in kind.priorities]
        offers = {}
        for port in kind.ports:
            if port.exported:
                data = [component.variables[name] for name in port.data]
                offers.setdefault(port.outside, []).append(Offer(data, atom_port=(component.number, port.name)))
        return offers, {name: component.variables[name] for name in component.variables if name in kind.exported_data}

    def atom_rule(self, rule, component, lookup):
        names = set(component.ports)
        low = names - {rule.high} if rule.low == "*" else {rule.low}
        high = names - {rule.low} if rule.high == "*" else {rule.high}
        if not (low | high) <= names:
            raise BipError(f"unknown port in priority {rule.name}")
        return (low, high, self.coder.condition(rule.guard, lookup))

    def free_variables(self, component, kind):
        """Those that the initial action does not surely set before it reads them."""
        if self.initialize:
            return []
        unset = [index for index in component.variables.values() if index not in component.first_values]
        read = set()

        def names_of(tree):
            if tree[0] == "name":
                return {tree[1]}
            return set().union(*(names_of(part) for part in tree[1:] if isinstance(part, tuple)))

        def walk(block, done):
            for statement in block:
                if statement[0] == "set":
                    read.update(names_of(statement[2]) - done)
                    done = done | {statement[1]}
                else:
                    read.update(names_of(statement[1]) - done)
                    done = walk(statement[2], done) & walk(statement[3], done)
            return done

        done = walk(kind.initial_action, set())
        return [index for index in unset if self.names[index].split(".")[-1] in read or self.names[index].split(".")[-1] not in done]

    # Compounds.

    def compound_instance(self, kind, arguments, path):
        compound = Compound(path)
        constants = self.environment(kind, arguments)
        inside = f"{path}." if path else ""
        offers, data = {}, {}
        for type_name, name, values in kind.components:
            values = [self.coder.value(value, self.scope(constants, {})) for value in values]
            make, inner = ((self.atom_instance, self.package.atom_types.get(type_name)) if type_name in self.package.atom_types
                           else (self.compound_instance, self.package.compound_types.get(type_name)))
            if inner is None:
                raise BipError(f"unknown type {type_name}")
            inner_offers, inner_data = make(inner, values, inside + name)
            offers.update({f"{name}.{port}": ways for port, ways in inner_offers.items()})
            data.update({f"{name}.{variable}": index for variable, index in inner_data.items()})
        self.compounds.append(compound)
        self.internal_ports(compound, kind, inside)
        waiting = {name: (type_name, ports) for type_name, name, ports in kind.connectors}
        connector_names = list(waiting)

        def port_offers(port):
            owner = port.split(".")[0]
            if owner in waiting:
                connect(owner)
            if port not in offers:
                raise BipError(f"unknown port {port}")
            return offers[port]

        def connect(name):
            type_name, ports = waiting.pop(name)
            exported, ways = self.connector_instance(self.package.connector_types[type_name], inside + name, ports, port_offers, compound)
            if exported:
                offers[f"{name}.{exported}"] = ways

        while waiting:
            connect(next(iter(waiting)))
        used = {port.split(".")[0] for _, _, ports in kind.connectors for port in ports} & set(connector_names)
        used -= {port.split(".")[0] for ports, _ in kind.port_exports for port in ports}
        own = [interaction for interaction in compound.interactions if interaction.connector not in {inside + name for name in used}]
        for rule in kind.priorities:
            if used & {rule.low[0], rule.high[0]}:
                raise BipError(f"priority {rule.name} is about a connector that is only a part of others")
            compound.rules.append(self.compound_rule(rule, own, inside, connector_names, self.scope(constants, data)))
        outside = {}
        for inner, name in kind.port_exports:
            for port in inner:
                outside.setdefault(name, []).extend(Offer(way.data, way.atom_port, way.inner, True) for way in port_offers(port))
        return outside, {name: data[inner[0]] for inner, name in kind.data_exports}

    def internal_ports(self, compound, kind, inside):
        """Ports that an atom does not export are interactions of its compound."""
        direct = {inside + name for type_name, name, _ in kind.components if type_name in self.package.atom_types}
        for component in self.components:
            if component.name in direct:
                for port in component.kind.ports:
                    if not port.exported:
                        part = Offer([], atom_port=(component.number, port.name))
                        name = f"{component.name}.{port.name}"
                        Interaction(name, frozenset([name]), [part], None, None, None, True, compound)

    def connector_instance(self, kind, path, ports, port_offers, compound):
        if len(ports) != len(kind.parameters):
            raise BipError(f"{path} needs {len(kind.parameters)} ports")
        variables = {}
        for _, name, value in kind.data:
            variables[name] = self.component_count + len(self.connector_data)
            self.connector_data.append(0 if value is None else self.coder.value(value, self.constant))
        actual = {name: (port, port_offers(port), self.package.port_types[port_type])
                  for (port_type, name), port in zip(kind.parameters, ports)}
        clauses = {frozenset(clause.ports): clause for clause in kind.interactions}
        made = []
        all_sets = combinations(kind.define)
        if not set(clauses) <= all_sets:
            raise BipError(f"{path}: `on` names what `define` does not")
        for chosen in sorted(all_sets, key=sorted):
            names = [name for _, name in kind.parameters if name in chosen]
            clause = clauses.get(chosen, Record(guard=None, up=[], down=[]))
            for parts in itertools.product(*(actual[name][1] for name in names)):
                scope = dict(variables)
                for name, part in zip(names, parts):
                    scope.update({f"{name}.{field}": index for (_, field), index in zip(actual[name][2], part.data)})
                lookup = self.scope(self.constants, scope)
                made.append(Interaction(path, frozenset(actual[name][0] for name in names), parts, self.coder.condition(clause.guard, lookup),
                                        self.coder.action(clause.up, lookup), self.coder.action(clause.down, lookup), kind.exported is None, compound))
        if kind.exported is None:
            return None, []
        data = [variables[name] for name in kind.exported.data]
        return kind.exported.outside, [Offer(data, inner=interaction) for interaction in made]

    def compound_rule(self, rule, own, inside, connectors, lookup):
        """`own`: the compound's interactions without those that are only parts of others."""
        def matches(pattern):
            connector, ports = pattern
            if connector is not None and connector not in connectors:
                raise BipError(f"unknown connector {connector} in priority {rule.name}")
            found = {interaction.position for interaction in own
                     if (connector is None or interaction.connector == inside + connector)
                     and (ports is None or interaction.participants == ports)}
            if not found:
                raise BipError(f"no interaction for a side of priority {rule.name}")
            return found

        low, high = matches(rule.low), matches(rule.high)
        if rule.low[1] is None and rule.high[1] is None and rule.low[0] == rule.high[0]:
            raise BipError(f"both sides of priority {rule.name} are the same")
        if self.is_wider(rule.low, rule.high):
            low = low - high
        elif self.is_wider(rule.high, rule.low):
            high = high - low
        return (low, high, self.coder.condition(rule.guard, lookup))

    @staticmethod
    def is_wider(pattern, other):
        return pattern[1] is None and (pattern[0] is None or other[1] is not None)

    # Orders.

    def order(self, compound, active):
        """By position, a bit set of those that it gives way to, with the rules whose numbers are in `active`."""
        if active not in compound.orders:
            count = len(compound.interactions)
            above = [0] * count
            for low in compound.interactions:
                for high in compound.interactions:
                    if low.connector == high.connector and low.ports < high.ports:
                        above[low.position] |= 1 << high.position
            for number in active:
                low, high, _ = compound.rules[number]
                for position in low:
                    above[position] |= sum(1 << other for other in high)
            compound.orders[active] = close(above)
        return compound.orders[active]

    def check_orders(self):
        """What is cyclic without conditions is an error; what may be is a property of its own."""
        self.may_be_cyclic = False
        for compound in self.compounds:
            always = frozenset(number for number, rule in enumerate(compound.rules) if rule[2] is None)
            if is_cyclic(self.order(compound, always)):
                raise BipError("cyclic priorities")
            self.may_be_cyclic |= is_cyclic(self.order(compound, frozenset(range(len(compound.rules)))))
        for component in self.components:
            if is_cyclic(port_order(component, [rule for rule in component.rules if rule[2] is None])):
                raise BipError("cyclic priorities")
            self.may_be_cyclic |= is_cyclic(port_order(component, component.rules))

    def interaction_name(self, interaction):
        ports = [f"{self.components[component].name}.{port}" for component, port in sorted(interaction.ports)]
        return ports[0] if interaction.connector == ports[0] else f"{interaction.connector}:{','.join(ports)}"


def close(above):
    """The transitive closure of a relation of bit sets."""
    changed = True
    while changed:
        changed = False
        for position, bits in enumerate(above):
            rest, new = bits, bits
            while rest:
                new |= above[(rest & -rest).bit_length() - 1]
                rest &= rest - 1
            if new != bits:
                above[position], changed = new, True
    return above


def is_cyclic(above):
    return any(bits >> position & 1 for position, bits in enumerate(above))


def port_order(component, rules):
    """By position in the component's ports, a bit set of those that it gives way to."""
    positions = {name: position for position, name in enumerate(component.ports)}
    above = [0] * len(positions)
    for low, high, _ in rules:
        for name in low:
            above[positions[name]] |= sum(1 << positions[other] for other in high)
    return close(above)
