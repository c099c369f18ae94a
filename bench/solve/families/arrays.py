"""Select and store chains with symbolic indices: copies, swaps, sorting, aliasing, tables of constants, ring buffers."""

from smt import Problem, all_of, any_of, const, distinct, ite, one_if, umax, umin, var


def copies(rng_for):
    """memcpy byte by byte in an address space of 2^width cells; `apart` keeps source and destination from overlapping."""
    for count, width, apart in ((8, 8, True), (16, 16, True), (32, 32, True), (12, 10, False), (24, 32, False)):
        memory = var("memory", (width, 8))
        source, target, probe = var("source", width), var("target", width), var("probe", width)
        after = memory
        for i in range(count):
            after = after.store(target + i, after.select(source + i))
        asserts = [probe.ult(count), after.select(target + probe).ne(memory.select(source + probe))]
        if apart:
            asserts += [const(count, width).ule(target - source), const(count, width).ule(source - target)]
        yield Problem(f"memcpy-{count}-w{width}{'' if apart else '-overlap'}", f"is a copied byte of {count} wrong?",
                      asserts, "unsat" if apart else "sat")


def swaps(rng_for):
    def swap(array, i, j):
        return array.store(i, array.select(j)).store(j, array.select(i))

    for count, width in ((3, 6), (5, 8), (8, 10)):
        array = start = var("cells", (width, 32))
        pairs = [(var(f"i{k}", width), var(f"j{k}", width)) for k in range(count)]
        for i, j in pairs + pairs[::-1]:
            array = swap(array, i, j)
        probe = var("probe", width)
        yield Problem(f"swap-undo-{count}", f"{count} swaps undone in reverse order restore every cell",
                      [array.select(probe).ne(start.select(probe))], "unsat")
    for count in (3, 5):
        array = start = var("cells", (8, 32))
        pairs = [(var(f"i{k}", 8), var(f"j{k}", 8)) for k in range(count)]
        for i, j in pairs + pairs:
            array = swap(array, i, j)
        probe = var("probe", 8)
        yield Problem(f"swap-redo-{count}", f"{count} swaps done twice do not restore every cell",
                      [array.select(probe).ne(start.select(probe))], "sat")


def sorting(rng_for):
    """Bubble sort through memory; the result is sorted, and a value occurs as often as before."""
    for count, element, stop_early in ((4, 8, 0), (5, 8, 0), (6, 16, 0), (4, 32, 0), (6, 8, 1)):
        array = start = var("cells", (4, element))
        for last in range(count - 1, stop_early, -1):
            for i in range(last):
                a, b = array.select(i), array.select(i + 1)
                array = array.store(i, umin(a, b)).store(i + 1, umax(a, b))
        unsorted = any_of(array.select(i + 1).ult(array.select(i)) for i in range(count - 1))
        value = var("value", element)

        def occurrences(cells):
            total = const(0, 8)
            for i in range(count):
                total = total + one_if(cells.select(i).eq(value), 8)
            return total

        yield Problem(f"bubble-{count}-w{element}{'-mutant' if stop_early else ''}", f"bubble sort of {count} cells is wrong",
                      [unsorted | occurrences(array).ne(occurrences(start))], "sat" if stop_early else "unsat")


def aliasing(rng_for):
    for count, width, known in ((16, 8, True), (48, 10, True), (24, 32, False)):
        array = var("cells", (width, 32))
        indices = [var(f"i{k}", width) for k in range(count)]
        values = [var(f"v{k}", 32) for k in range(count)]
        for i, v in zip(indices, values):
            array = array.store(i, v)
        asserts = [distinct(indices)] if known else [distinct(indices[1:])]
        asserts += [array.select(indices[0]).ne(values[0])]
        yield Problem(f"alias-{count}-w{width}{'' if known else '-open'}", "a value that was written is read back",
                      asserts, "unsat" if known else "sat")
    for count in (8, 14):
        array = other = var("cells", (8, 8))
        indices = [var(f"i{k}", 8) for k in range(count)]
        for k, i in enumerate(indices):
            array = array.store(i, const(k, 8))
        for k, i in reversed(list(enumerate(indices))):
            other = other.store(i, const(k, 8))
        yield Problem(f"store-order-{count}", "stores to distinct cells commute",
                      [distinct(indices), array.select(var("probe", 8)).ne(other.select(var("probe", 8)))], "unsat")


def _table(name, values, width, element):
    """An array with constant content, written cell by cell."""
    array = var(name, (width, element))
    for i, value in enumerate(values):
        array = array.store(i, value)
    return array


def tables(rng_for):
    for width, hops, expected in ((4, 6, "unsat"), (5, 4, "sat"), (6, 2, "sat"), (6, 4, "unsat"), (8, 2, "sat"), (10, 3, None)):
        rng = rng_for(f"chase-{width}-{hops}")
        size = 1 << width
        content = list(range(size))
        rng.shuffle(content)
        table = _table("next", content, width, width)
        start = position = var("start", width)
        keys = [rng.randrange(size) for _ in range(hops)]
        for key in keys:
            position = table.select(position ^ key)
        reach = {}
        for first in range(size):
            at = first
            for key in keys:
                at = content[at ^ key]
            reach[first] = at
        if expected == "unsat":
            asserts = [position.eq(reach[7]), start.ne(7)]
        elif expected == "sat":
            asserts = [position.eq(reach[size // 3])]
        else:
            asserts = [position.eq(start)]
            expected = "sat" if any(a == b for a, b in reach.items()) else "unsat"
        yield Problem(f"chase-{size}-{hops}", f"{hops} hops through a table of {size} cells", asserts, expected)
    rng = rng_for("substitution")
    content = list(range(256))
    rng.shuffle(content)
    table = _table("box", content, 8, 8)
    cells = [var(f"b{i}", 8) for i in range(4)]
    secret = [rng.randrange(256) for _ in range(4)]
    mixed, check = cells, secret
    for _ in range(2):
        mixed = [table.select(mixed[i] ^ mixed[(i + 1) % 4]) for i in range(4)]
        check = [content[check[i] ^ check[(i + 1) % 4]] for i in range(4)]
    yield Problem("substitution-2", "two rounds of a substitution network inverted",
                  [all_of(m.eq(c) for m, c in zip(mixed, check))], "sat")


def rings(rng_for):
    """A queue in 2^width cells with free-running head and tail: what goes in comes out in order, unless it is overfilled."""
    for width, count, overfill in ((6, 24, False), (10, 32, False), (3, 9, True)):
        cells = var("cells", (width, 32))
        head = var("head", width)
        tail = head
        values = [var(f"v{k}", 32) for k in range(count)]
        for v in values:
            cells, tail = cells.store(tail, v), tail + 1
        wrong = []
        for v in values:
            wrong.append(cells.select(head).ne(v))
            head = head + 1
        yield Problem(f"ring-{1 << width}-{count}{'-overfull' if overfill else ''}", f"{count} values through a ring buffer",
                      [any_of(wrong)], "sat" if overfill else "unsat")


def queues(rng_for):
    """A ring buffer against a shift register, under any sequence of insertions and removals."""
    for steps, width, mutate in ((4, 4, False), (6, 4, False), (8, 10, False), (12, 10, False), (7, 4, True)):
        cells, head, used = var("cells", (width, 8)), var("head", width), const(0, width)
        line, wrong = [const(0, 8)] * steps, []
        for k in range(steps):
            insert, value = var(f"insert{k}", 0), var(f"v{k}", 8)
            remove = ~insert & used.ne(0)
            wrong.append(remove & cells.select(head).ne(line[0]))
            if mutate and k == steps - 2:
                head = head + one_if(insert & used.eq(3), width)
            cells = ite(insert, cells.store(head + used, value), cells)
            line = [ite(remove, line[i + 1] if i + 1 < steps else const(0, 8),
                        ite(insert & used.eq(i), value, line[i])) for i in range(steps)]
            head = head + one_if(remove, width)
            used = ite(insert, used + 1, ite(remove, used - 1, used))
        yield Problem(f"queue-{1 << width}-{steps}{'-mutant' if mutate else ''}", f"a ring buffer for {steps} steps",
                      [any_of(wrong)], "sat" if mutate else "unsat")


def searches(rng_for):
    """Binary search in a sorted array finds what is there."""
    for bits in (3, 4, 5):
        size = 1 << bits
        cells, key, where = var("cells", (bits, 16)), var("key", 16), var("where", bits)
        ordered = [cells.select(i).ule(cells.select(i + 1)) for i in range(size - 1)]
        position = const(0, bits)
        for step in reversed(range(bits)):
            trial = position + (1 << step)
            position = ite(cells.select(trial).ule(key), trial, position)
        yield Problem(f"binary-search-{size}", f"binary search in {size} cells misses a key",
                      ordered + [cells.select(where).eq(key), cells.select(position).ne(key)], "unsat")


def problems(rng_for):
    for family in (copies, swaps, sorting, aliasing, tables, rings, queues, searches):
        yield from family(rng_for)
