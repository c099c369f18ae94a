"""Random BIP systems, small enough to be explored state by state: 2 to 4 atoms or a few more in compounds, hierarchical connectors with
triggers and data, priorities, internal transitions. What it writes is BIP without mistakes, except that priorities may be cyclic."""
import random


class Names:
    """What an expression may name, by type."""

    def __init__(self, ints=(), bools=()):
        self.ints, self.bools = list(ints), list(bools)

    def of(self, kind):
        return self.ints if kind == "int" else self.bools


class Expressions:
    def __init__(self, rng, bits):
        self.rng, self.most = rng, (1 << (bits - 1)) - 1

    def number(self):
        return str(self.rng.randint(0, self.most))

    def int(self, names, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            if names.ints and rng.random() < 0.65:
                return rng.choice(names.ints)
            number = self.number()
            return number if rng.random() < 0.8 else f"-{number}"
        kind = rng.random()
        if kind < 0.08:
            return f"({self.bool(names, depth - 1)} ? {self.int(names, depth - 1)} : {self.int(names, depth - 1)})"
        if kind < 0.15:
            return f"{rng.choice('-~')}({self.int(names, depth - 1)})"
        operator = rng.choices(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"], [8, 8, 2, 2, 2, 1, 1, 1, 1, 1])[0]
        return f"({self.int(names, depth - 1)} {operator} {self.int(names, depth - 1)})"

    def bool(self, names, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            if names.bools and rng.random() < 0.6:
                return rng.choice(names.bools)
            if names.ints and rng.random() < 0.85:
                return f"{rng.choice(names.ints)} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.number()}"
            return rng.choice(["true", "true", "false"])
        kind = rng.random()
        if kind < 0.5:
            return f"{self.int(names, depth - 1)} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {self.int(names, depth - 1)}"
        if kind < 0.6:
            return f"!({self.bool(names, depth - 1)})"
        if kind < 0.68:
            return f"(({self.bool(names, depth - 1)}) {rng.choice(['==', '!='])} ({self.bool(names, depth - 1)}))"
        return f"({self.bool(names, depth - 1)} {rng.choice(['&&', '||'])} {self.bool(names, depth - 1)})"

    def any(self, kind, names, depth):
        return self.int(names, depth) if kind == "int" else self.bool(names, depth)

    def block(self, targets, names, most=3):
        """Assignments to `targets`, a list of (type, name)."""
        rng, parts = self.rng, []
        for _ in range(rng.randint(1, most) if targets else 0):
            kind, name = rng.choice(targets)
            if kind == "int" and rng.random() < 0.25:
                assignment = rng.choice([f"{name}++;", f"{name}--;", f"{name} += {self.int(names, 1)};", f"{name} -= {self.int(names, 1)};"])
            else:
                assignment = f"{name} = {self.any(kind, names, 2)};"
            if rng.random() < 0.2:
                other = ""
                if rng.random() < 0.4:
                    kind, name = rng.choice(targets)
                    other = f" else {{ {name} = {self.any(kind, names, 1)}; }}"
                assignment = f"if ({self.bool(names, 1)}) {{ {assignment} }}{other}"
            parts.append(assignment)
        return "{ " + " ".join(parts) + " }"


class Port:
    """A port as others see it: `kind` is the name of its type, `atoms` what may take part in it."""

    def __init__(self, name, kind, atoms, used=False):
        self.name, self.kind, self.atoms, self.used = name, kind, atoms, used


DATA = {"Sync": [], "Int": [("int", "v")], "Bool": [("bool", "b")], "Two": [("int", "v"), ("bool", "b")]}


class Generator:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.bits = self.rng.choices([2, 3, 4], [4, 4, 1])[0]
        self.expressions = Expressions(self.rng, self.bits)
        self.initialize = self.rng.random() < 0.25
        self.free_bits = 0
        self.definitions, self.numbers = [], {}
        self.constants = [("int", "K", self.expressions.number())] if self.rng.random() < 0.3 else []

    def fresh(self, stem):
        self.numbers[stem] = self.numbers.get(stem, -1) + 1
        return f"{stem}{self.numbers[stem]}"

    def chance(self, share):
        return self.rng.random() < share

    def text(self):
        """The model's text."""
        self.atom_kinds = [self.atom_type() for _ in range(self.rng.randint(1, 3))]
        self.left = self.rng.randint(2, 4)
        kinds = []
        if self.chance(0.6):
            kinds.append(self.compound_type("Inner", kinds, top=False))
            if self.chance(0.2):
                kinds.append(self.compound_type("Middle", kinds, top=False))
        self.compound_type("Top", kinds, top=True)
        head = [f"  const data {kind} {name} = {value}" for kind, name, value in self.constants]
        ports = [f"  port type {name}({', '.join(f'{kind} {field}' for kind, field in fields)})" for name, fields in DATA.items()]
        return "\n".join(["package random", *head, *ports, *self.definitions, "end", ""])

    # Atoms.

    def atom_type(self):
        rng, name = self.rng, self.fresh("Atom")
        data = [("int", f"x{i}") for i in range(rng.choices([0, 1, 2], [2, 5, 2])[0])] + [("bool", f"b{i}") for i in range(rng.choices([0, 1], [3, 2])[0])]
        parameters = [("int", "start")] if self.chance(0.4) else []
        exported = [item for item in data if self.chance(0.5)]
        places = [f"P{i}" for i in range(rng.randint(1, 4))]
        known = [item for item in parameters] + [(kind, name) for kind, name, _ in self.constants]
        names = Names([n for k, n in data + known if k == "int"], [n for k, n in data + known if k == "bool"])
        lines = [f"  atom type {name}({', '.join(' '.join(item) for item in parameters)})"]
        free = []
        settings = []
        for kind, variable in data:
            free_now = self.chance(0.12) and len(free) < 2
            prefix = "export " if (kind, variable) in exported else ""
            constant_names = Names([n for k, n in known if k == "int"])
            if free_now:
                free.append(kind)
                lines.append(f"    {prefix}data {kind} {variable}")
            elif self.chance(0.2):
                lines.append(f"    {prefix}data {kind} {variable} = {self.expressions.any(kind, constant_names, 0)}")
            else:
                lines.append(f"    {prefix}data {kind} {variable}")
                settings.append(f"{variable} = {self.expressions.any(kind, constant_names, 1)};")
        ports = self.atom_ports(data)
        lines += [f"    {'export ' if outside else ''}port {kind} {port}({', '.join(bound)})" + (f" as {outside}" if outside and outside != port else "")
                  for kind, port, bound, outside in ports]
        lines.append(f"    place {', '.join(places)}")
        if free and self.chance(0.3):
            settings.append(f"if ({self.expressions.bool(names, 1)}) {self.expressions.block(data, names, 1)}")
        lines.append(f"    initial to {rng.choice(places)}" + (f" do {{ {' '.join(settings)} }}" if settings else ""))
        lines += self.transitions(ports, places, data, names)
        lines += self.atom_priorities([port for _, port, _, _ in ports], names)
        self.definitions += [*lines, "  end"]
        offered = {}
        for kind, _, _, outside in ports:
            if outside:
                offered[outside] = kind
        return {"name": name, "parameters": parameters, "ports": list(offered.items()), "data": exported, "free": sum(1 if k == "bool" else self.bits for k in free),
                "variables": data, "places": places}

    def atom_ports(self, data):
        """A list of (type, name, variables, name outside or None)."""
        ports = []
        for i in range(self.rng.randint(1, 4)):
            kind, bound = "Sync", []
            if self.chance(0.6):
                fitting = [name for name, fields in DATA.items() if fields and all(any(k == f for k, _ in data) for f, _ in fields)]
                if fitting:
                    kind = self.rng.choice(fitting)
                    bound = [self.rng.choice([n for k, n in data if k == f]) for f, _ in DATA[kind]]
            name = f"p{i}"
            outside = name if self.chance(0.8) else None
            if outside:
                same = [port for port in ports if port[0] == kind and port[3]]
                if same and self.chance(0.1):
                    outside = self.rng.choice(same)[3]
            ports.append((kind, name, bound, outside))
        return ports

    def transitions(self, ports, places, data, names):
        rng, lines = self.rng, []
        for _, port, _, _ in ports:
            for _ in range(rng.choices([1, 2, 3], [4, 4, 1])[0]):
                lines.append(f"on {port} from {rng.choice(places)} to {rng.choice(places)}")
        if self.chance(0.15):
            lines += [f"internal from {rng.choice(places)} to {rng.choice(places)}" for _ in range(rng.randint(1, 3))]
        rng.shuffle(lines)
        for i, line in enumerate(lines):
            is_internal = line.startswith("internal")
            if self.chance(0.5 if not is_internal else 0.8):
                line += f" provided ({self.expressions.bool(names, 2)})"
            if data and self.chance(0.7):
                line += f" do {self.expressions.block(data, names)}"
            lines[i] = "    " + line
        return lines

    def atom_priorities(self, ports, names):
        if len(ports) < 2 or not self.chance(0.3):
            return []
        lines = []
        order = self.rng.sample(ports, len(ports))
        pairs = list(zip(order, order[1:])) if self.chance(0.5) else [tuple(order[:2])]
        for low, high in pairs:
            if self.chance(0.1):
                low, high = self.rng.choice([("*", high), (low, "*")])
            guard = f" provided ({self.expressions.bool(names, 1)})" if self.chance(0.5) else ""
            lines.append(f"    priority {self.fresh('r')} {low} < {high}{guard}")
        return lines

    # Compounds.

    def compound_type(self, name, kinds, top):
        rng, lines = self.rng, []
        parameters = [("int", "n")] if not top and self.chance(0.3) else []
        names = Names([n for _, n in parameters] + [n for k, n, _ in self.constants if k == "int"])
        ports, data, free = [], [], 0
        members = []
        if top:
            members += [rng.choice(kinds)] if kinds and self.chance(0.9) else []
            members += [rng.choice(kinds)] if kinds and self.chance(0.15) else []
        elif kinds:
            members += [rng.choice(kinds)]
        size = rng.randint(1, 2) if not top else max(1 if members else 2, self.left)
        if not top:
            self.left = max(1, self.left - size)
        members += [rng.choice(self.atom_kinds) for _ in range(size)]
        for member in members:
            component = self.fresh("c")
            arguments = ", ".join(self.expressions.number() if not names.ints or self.chance(0.5) else rng.choice(names.ints) for _ in member["parameters"])
            lines.append(f"    component {member['name']} {component}({arguments})")
            ports += [Port(f"{component}.{port}", kind, {component} if "places" in member else {f"{component}/{atom}" for atom in atoms})
                      for port, kind, *rest in member["ports"] for atoms in [rest[0] if rest else ()]]
            data += [(kind, f"{component}.{variable}") for kind, variable in member["data"]]
            free += member["free"]
        connectors = self.connectors(lines, ports, top)
        self.priorities(lines, connectors, data, names)
        result = {"name": name, "parameters": parameters, "ports": [], "data": [], "free": free}
        if not top:
            self.exports(lines, ports, data, result)
        self.definitions += [f"  compound type {name}({', '.join(' '.join(item) for item in parameters)})", *lines, "  end"]
        self.free_bits = free
        return result

    def connectors(self, lines, ports, top):
        """Those that priorities may speak of, which others do not contain: a list of (name, list of sets of ports). Exported ones
        join `ports`."""
        result = []

        def add(chosen, exported):
            name = self.fresh("k")
            kind, sets, port_kind = self.connector_type([port.kind for port in chosen], exported)
            for port in chosen:
                port.used = True
            lines.append(f"    connector {kind} {name}({', '.join(port.name for port in chosen)})")
            result.append((name, [[chosen[i].name for i in indices] for indices in sets]))
            if exported:
                ports.append(Port(f"{name}.{port_kind[0]}", port_kind[1], set().union(*(port.atoms for port in chosen))))
                ports[-1].is_connector = True

        for _ in range(self.rng.randint(1, 4)):
            chosen = []
            for port in self.rng.sample(ports, len(ports)):
                if len(chosen) < self.rng.choice([1, 2, 2, 3, 3]) and not any(port.atoms & other.atoms for other in chosen):
                    chosen.append(port)
            if chosen:
                add(chosen, self.chance(0.3 if top else 0.6))
        for port in list(ports):
            owner = port.name.split(".")[0]
            if not port.used and (top or self.chance(0.3)):
                lonely = not any(other.used for other in ports if other.name.split(".")[0] == owner)
                if lonely or self.chance(0.5):
                    add([port], False)
        inner = {port.name.split(".")[0] for port in ports if port.used}
        return [connector for connector in result if connector[0] not in inner]

    def port_expression(self, items):
        """Text and sets of indices."""
        rng = self.rng
        if len(items) >= 3 and self.chance(0.35):
            cut = rng.randint(1, len(items) - 1)
            groups = [items[:cut], items[cut:]]
        else:
            groups = [[item] for item in items]
        parts = []
        triggers = rng.choice(["none", "none", "one", "some"]) if len(items) > 1 else "none"
        for position, group in enumerate(groups):
            is_trigger = triggers == "one" and position == 0 or triggers == "some" and self.chance(0.6)
            if len(group) == 1:
                parts.append((f"a{group[0]}", [{group[0]}], is_trigger))
            else:
                text, sets = self.port_expression(group)
                parts.append((f"({text})", sets, is_trigger))
        sets = []
        for mask in range(1, 1 << len(parts)):
            taken = [part for i, part in enumerate(parts) if mask >> i & 1]
            if len(taken) == len(parts) or any(trigger for _, _, trigger in taken):
                unions = [set()]
                for _, ways, _ in taken:
                    unions = [union | way for union in unions for way in ways]
                sets += [union for union in unions if union not in sets]
        return " ".join(text + ("'" if trigger else "") for text, _, trigger in parts), sets

    def connector_type(self, kinds, exported):
        rng, name = self.rng, self.fresh("Conn")
        data = [("int", "s")] if self.chance(0.85 if exported else 0.4) else []
        data += [("bool", "t")] if self.chance(0.2) else []
        port_kind = None
        lines = [f"  connector type {name}({', '.join(f'{kind} a{i}' for i, kind in enumerate(kinds))})"]
        lines += [f"    data {kind} {variable}" for kind, variable in data]
        if exported:
            fitting = [kind for kind, fields in DATA.items() if {k for k, _ in fields} <= {k for k, _ in data}]
            with_data = [kind for kind in fitting if DATA[kind]]
            port_kind = ("e", rng.choice(with_data if with_data and self.chance(0.9) else fitting))
            bound = [next(n for k, n in data if k == f) for f, _ in DATA[port_kind[1]]]
            lines.append(f"    export port {port_kind[1]} e({', '.join(bound)})")
        text, sets = self.port_expression(list(range(len(kinds))))
        lines.append(f"    define {text}")
        lines += [self.clause(kinds, sorted(indices), data, exported) for indices in sets if self.chance(0.9 if exported else 0.75)]
        self.definitions += [*lines, "  end"]
        return name, sets, port_kind

    def clause(self, kinds, indices, data, exported):
        """`on` with guard and data. What a connector exports is mostly data of its ports, and comes back to them."""
        fields = [(kind, f"a{i}.{field}") for i in indices for kind, field in DATA[kinds[i]]]
        readable = Names([n for k, n in fields + data if k == "int"] + [n for k, n, _ in self.constants if k == "int"],
                         [n for k, n in fields + data if k == "bool"])
        before = Names([n for k, n in fields if k == "int"], [n for k, n in fields if k == "bool"])
        line = f"    on {' '.join(f'a{i}' for i in indices)}"
        if fields and self.chance(0.4):
            line += f" provided ({self.expressions.bool(before, 2)})"
        if data and self.chance(0.9):
            passed = " ".join(f"{name} = {self.rng.choice(before.of(kind))};" for kind, name in data if before.of(kind))
            line += f" up {{ {passed} }}" if exported and passed and self.chance(0.6) else f" up {self.expressions.block(data, readable)}"
        if fields and self.chance(0.85 if exported else 0.65):
            own = {kind: name for kind, name in data}
            returned = " ".join(f"{name} = {own[kind]};" for kind, name in fields if kind in own)
            line += f" down {{ {returned} }}" if exported and returned and self.chance(0.6) else f" down {self.expressions.block(fields, readable)}"
        return line

    def priorities(self, lines, connectors, data, names):
        if len(connectors) < 2 or not self.chance(0.6):
            return
        scope = Names([n for k, n in data if k == "int"] + names.ints, [n for k, n in data if k == "bool"])

        def pattern(connector):
            name, sets = connector
            return f"{name}:*" if self.chance(0.5) else f"{name}:{','.join(self.rng.choice(sets))}"

        order = self.rng.sample(range(len(connectors)), len(connectors))
        pairs = list(zip(order, order[1:])) if self.chance(0.4) else []
        pairs += [tuple(order[i] for i in sorted(self.rng.sample(range(len(order)), 2))) for _ in range(self.rng.randint(0 if pairs else 1, 2))]
        for low, high in pairs:
            guard = ""
            if data and self.chance(0.4):
                guard = f" provided ({self.expressions.bool(scope, 2)})"
                if self.chance(0.15):
                    low, high = high, low
            sides = [pattern(connectors[low]), pattern(connectors[high])]
            if self.chance(0.06):
                sides[self.rng.randrange(2)] = "*:*"
            rule = f"{sides[0]} < {sides[1]}"
            lines.append(f"    priority {self.fresh('r')} {rule}{guard}")

    def exports(self, lines, ports, data, result):
        open_ports = [port for port in ports if (not port.used or getattr(port, "is_connector", False) or self.chance(0.2))]
        if not open_ports:
            open_ports = [self.rng.choice(ports)] if ports else []
        done = []
        for port in open_ports:
            if not self.chance(0.8) and done:
                continue
            same = [other for other in done if other[1] == port.kind]
            if same and self.chance(0.2):
                chosen = self.rng.choice(same)
                chosen[2].append(port)
            else:
                done.append((self.fresh("e"), port.kind, [port]))
        for name, kind, merged in done:
            lines.append(f"    export port {', '.join(port.name for port in merged)} as {name}")
            result["ports"].append((name, kind, set().union(*(port.atoms for port in merged))))
        for kind, name in data:
            if self.chance(0.5):
                outside = self.fresh("d")
                lines.append(f"    export data {name} as {outside}")
                result["data"].append((kind, outside))
