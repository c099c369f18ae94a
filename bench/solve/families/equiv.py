"""Two implementations of one function: is there an input on which they differ? Mutants, where they do, are the satisfiable cases."""

from smt import Problem, const, ite, joined, one_if, umax, umin, var


def _miter(name, purpose, first, second, expected="unsat"):
    return Problem(name, purpose, [first.ne(second)], expected)


def _popcount_loop(x):
    total = const(0, x.sort)
    for i in range(x.sort):
        total = total + x.bit(i).zext(x.sort)
    return total


def _popcount_parallel(x):
    masks = {32: (0x55555555, 0x33333333, 0x0F0F0F0F, 0x01010101),
             64: (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F, 0x0101010101010101)}[x.sort]
    x = x - ((x >> 1) & masks[0])
    x = (x & masks[1]) + ((x >> 2) & masks[1])
    x = (x + (x >> 4)) & masks[2]
    return (x * masks[3]) >> (x.sort - 8)


def _popcount_kernighan(x, rounds):
    total = const(0, x.sort)
    for _ in range(rounds):
        total = total + one_if(x.ne(0), x.sort)
        x = x & (x - 1)
    return total


def bit_counts(rng_for):
    for width in (32, 64):
        x = var("x", width)
        yield _miter(f"popcount-{width}", "counting bits by a loop and in parallel", _popcount_loop(x), _popcount_parallel(x))
    for width in (8, 16):
        x = var("x", width)
        yield _miter(f"popcount-kernighan-{width}", "counting bits by clearing the lowest",
                     _popcount_loop(x), _popcount_kernighan(x, width))
    for width in (32, 64):
        x = var("x", width)
        loop = const(width, width)
        for i in range(width):
            loop = ite(x.bit(i).eq(1), const(width - 1 - i, width), loop)
        halves, rest, step = const(0, width), x, width // 2
        while step:
            empty = (rest >> (width - step)).eq(0)
            halves, rest = ite(empty, halves + step, halves), ite(empty, rest << step, rest)
            step //= 2
        halves = ite(x.eq(0), const(width, width), halves)
        yield _miter(f"leading-zeros-{width}", "leading zeros by a scan and by halving", loop, halves)
    x = var("x", 32)
    smeared = x
    for shift in (1, 2, 4, 8, 16):
        smeared = smeared | (smeared >> shift)
    yield _miter("leading-zeros-popcount-32", "leading zeros by counting the bits of the smeared complement",
                 _popcount_parallel(~smeared), _popcount_loop(~smeared))


def _crc_bitwise(cells, width, polynomial):
    crc = const((1 << width) - 1, width)
    for cell in cells:
        crc = crc ^ cell.zext(width)
        for _ in range(8):
            crc = (crc >> 1) ^ ite(crc.bit(0).eq(1), const(polynomial, width), const(0, width))
    return crc


def _crc_table(width, polynomial, bits):
    table = []
    for value in range(1 << bits):
        for _ in range(bits):
            value = (value >> 1) ^ (polynomial if value & 1 else 0)
        table.append(value)
    return table


def _lookup(table, index, width):
    """A table as a tree of ites over the bits of the index."""
    level = [const(v, width) for v in table]
    for i in range(index.sort):
        level = [ite(index.bit(i).eq(1), level[k + 1], level[k]) for k in range(0, len(level), 2)]
    return level[0]


def _crc_by_table(cells, width, polynomial, bits, mutate=False):
    table = _crc_table(width, polynomial, bits)
    if mutate:
        table[len(table) // 2 + 1] ^= 1 << (width - 1)
    crc = const((1 << width) - 1, width)
    for cell in cells:
        crc = crc ^ cell.zext(width)
        for _ in range(8 // bits):
            crc = (crc >> bits) ^ _lookup(table, crc.extract(bits - 1, 0), width)
    return crc


def checksums(rng_for):
    for width, polynomial, count, bits, mutate in (
            (8, 0x8C, 1, 8, False), (8, 0x8C, 4, 4, False), (16, 0xA001, 2, 8, False), (16, 0xA001, 6, 4, False),
            (32, 0xEDB88320, 1, 8, False), (32, 0xEDB88320, 4, 8, False), (32, 0xEDB88320, 6, 4, True)):
        cells = [var(f"b{i}", 8) for i in range(count)]
        name = f"crc{width}-{count}-by-{bits}{'-mutant' if mutate else ''}"
        yield _miter(name, f"CRC-{width} of {count} bytes, bit by bit and by a table of {1 << bits}",
                     _crc_bitwise(cells, width, polynomial), _crc_by_table(cells, width, polynomial, bits, mutate),
                     "sat" if mutate else "unsat")


def saturation(rng_for):
    x, y = var("x", 32), var("y", 32)
    total = x + y
    wide = x.sext(34) + y.sext(34)
    high, low = const((1 << 31) - 1, 34), const(-(1 << 31), 34)
    clamped = ite(high.slt(wide), high, ite(wide.slt(low), low, wide)).extract(31, 0)
    limit = (x >> 31) + 0x7FFFFFFF
    branch_free = ite(((x ^ total) & (y ^ total)).slt(0), limit, total)
    yield _miter("saturating-add-32", "signed saturating addition by clamping and by signs", clamped, branch_free)
    difference = x - y
    mask = const(0, 32) - one_if(y.ule(x), 32)
    yield _miter("saturating-sub-32", "unsigned saturating subtraction", ite(x.ult(y), const(0, 32), difference), difference & mask)


def _batcher(cells):
    """Batcher's odd-even merge sort."""
    cells, n = list(cells), len(cells)
    p = 1
    while p < n:
        k = p
        while k:
            for j in range(k % p, n - k, 2 * k):
                for i in range(min(k, n - j - k)):
                    if (i + j) // (2 * p) == (i + j + k) // (2 * p):
                        a, b = cells[i + j], cells[i + j + k]
                        cells[i + j], cells[i + j + k] = umin(a, b), umax(a, b)
            k //= 2
        p *= 2
    return cells


def _bubble(cells, passes):
    cells = list(cells)
    for last in range(len(cells) - 1, len(cells) - 1 - passes, -1):
        for i in range(last):
            cells[i], cells[i + 1] = umin(cells[i], cells[i + 1]), umax(cells[i], cells[i + 1])
    return cells


def sorting_networks(rng_for):
    for count, width, passes in ((4, 8, 3), (4, 32, 3), (5, 8, 4), (6, 4, 5), (8, 3, 7), (8, 8, 6)):
        cells = [var(f"v{i}", width) for i in range(count)]
        mutant = passes < count - 1
        yield _miter(f"sort-{count}-w{width}{'-mutant' if mutant else ''}", f"{count} values by Batcher's network and by bubbles",
                     joined(_batcher(cells)), joined(_bubble(cells, passes)), "sat" if mutant else "unsat")


def permutations(rng_for):
    x = var("x", 64)
    masks, step = x, 1
    while step < 64:
        mask = ((1 << 64) - 1) // ((1 << step) + 1)
        masks = ((masks >> step) & mask) | ((masks & mask) << step)
        step *= 2
    loop = const(0, 64)
    for i in range(64):
        loop = (loop << 1) | ((x >> i) & 1)
    yield _miter("reverse-64", "bit reversal by a loop and by masks", loop, masks)
    back, step = x ^ (x >> 1), 1
    while step < 64:
        back, step = back ^ (back >> step), step * 2
    yield _miter("gray-64", "a Gray code decoded", back, x)
    shifts = const(0, 64)
    for i in range(8):
        shifts = shifts | (((x >> (8 * i)) & 0xFF) << (56 - 8 * i))
    yield _miter("byteswap-64", "byte swap by shifts and by concatenation",
                 joined([x.extract(8 * i + 7, 8 * i) for i in range(8)]), shifts)


def selections(rng_for):
    x, y = var("x", 64), var("y", 64)
    sign = x.ashr(63)
    yield _miter("abs-64", "the absolute value with and without a branch", ite(x.slt(0), -x, x), (x ^ sign) - sign)
    less = const(0, 64) - one_if(x.slt(y), 64)
    yield _miter("min-64", "the minimum with and without a branch", ite(x.slt(y), x, y), y ^ ((x ^ y) & less))
    yield _miter("max-naive-64", "the maximum by the sign of a difference that may overflow",
                 ite(x.slt(y), y, x), x - ((x - y) & (x - y).ashr(63)), "sat")


def arithmetic(rng_for):
    for width in (8, 10):
        x, y = var("x", width), var("y", width)
        total = const(0, width)
        for i in range(width):
            total = total + ite(y.bit(i).eq(1), x << i, const(0, width))
        yield _miter(f"shift-add-{width}", "a product by shift and add, operands exchanged", total, y * x)
    x = var("x", 32)
    digits = const(0, 32)
    for i in range(16):
        digits = digits + ((x >> (2 * i)) & 3)
    digits = (digits >> 4) + (digits & 15)
    digits = (digits >> 2) + (digits & 3)
    digits = (digits >> 2) + (digits & 3)
    digits = ite(digits.eq(3), const(0, 32), digits)
    yield _miter("mod3-32", "the remainder by three from the sum of base-four digits", digits, x.urem(const(3, 32)))
    for width in (16, 32):
        a, b, c, d = (var(n, width) for n in "abcd")
        def carry_save(p, q, r): return p ^ q ^ r, ((p & q) | (q & r) | (p & r)) << 1
        s, k = carry_save(a, b, c)
        s, k = carry_save(s, k, d)
        yield _miter(f"carry-save-{width}", "four numbers added carry-save", s + k, (a + b) + (c + d))


def problems(rng_for):
    for family in (bit_counts, checksums, saturation, sorting_networks, permutations, selections, arithmetic):
        yield from family(rng_for)
