"""Products, quotients and overflow tests: factoring, identities of division, checks written in two ways, constants found by compilers."""

from smt import Problem, all_of, const, ite, var


def factoring(rng_for):
    for width, p, q in ((24, 3571, 4057), (32, 50021, 64951), (40, 786433, 917513), (44, 2500009, 3999971)):
        x, y = var("x", width), var("y", width)
        half = 1 << (width // 2 + 1)
        yield Problem(f"factor-{width}", f"factors of {p * q}",
                      [x.ult(half), y.ult(half), const(1, width).ult(x), x.ule(y), (x * y).eq(p * q)], "sat")
    for width, prime in ((20, 262139), (24, 4194301), (28, 67108859)):
        x, y = var("x", width), var("y", width)
        half = 1 << (width // 2)
        yield Problem(f"prime-{width}", f"{prime} has no factors",
                      [x.ult(half), y.ult(half), const(1, width).ult(x), const(1, width).ult(y), (x * y).eq(prime)], "unsat")


def division_identities(rng_for):
    for width in (8, 11, 14, 32):
        x, y = var("x", width), var("y", width)
        yield Problem(f"euclid-{width}", "(x/y)*y + x%y is x",
                      [y.ne(0), (x.udiv(y) * y + x.urem(y)).ne(x)], "unsat")
    for width in (8, 12, 16):
        x, y = var("x", width), var("y", width)
        overflow = x.eq(1 << (width - 1)) | y.eq(1 << (width - 1))
        yield Problem(f"sdiv-sign-{width}", "(-x)/y is -(x/y) where nothing overflows",
                      [y.ne(0), ~overflow, (-x).sdiv(y).ne(-(x.sdiv(y)))], "unsat")


def overflow_tests(rng_for):
    for width in (6, 8, 10, 32):
        x, y = var("x", width), var("y", width)
        wide = (x.zext(2 * width) * y.zext(2 * width)).extract(2 * width - 1, width).ne(0)
        divided = y.ne(0) & (x * y).udiv(y).ne(x)
        yield Problem(f"mul-overflow-{width}", "overflow by the wide product and by division", [wide ^ divided], "unsat")
    x, y = var("x", 64), var("y", 64)
    total = x + y
    sign = ((x ^ total) & (y ^ total)).slt(0)
    wide = (x.sext(65) + y.sext(65)).ne(total.sext(65))
    yield Problem("add-overflow-64", "signed overflow by signs and by a wider sum", [sign ^ wide], "unsat")
    yield Problem("add-overflow-naive-64", "x + y < x is no signed overflow test", [total.slt(x) ^ wide], "sat")


def averages(rng_for):
    x, y = var("x", 64), var("y", 64)
    wide = ((x.zext(65) + y.zext(65)) >> 1).extract(63, 0)
    yield Problem("average-64", "the average without overflow", [((x & y) + ((x ^ y) >> 1)).ne(wide)], "unsat")
    x, y = var("x", 32), var("y", 32)
    middle = x + (y - x).sdiv(const(2, 32))
    yield Problem("midpoint-32", "lo + (hi - lo)/2 leaves the range if hi - lo overflows",
                  [x.slt(y), (y - x).slt(0), ~(x.sle(middle) & middle.sle(y))], "sat")


def products(rng_for):
    x, y, z = (var(n, 10) for n in "xyz")
    yield Problem("distributive-10", "x*(y+z) is x*y + x*z", [(x * (y + z)).ne(x * y + x * z)], "unsat")
    x, y, z = (var(n, 7) for n in "xyz")
    yield Problem("associative-7", "(x*y)*z is x*(y*z)", [((x * y) * z).ne(x * (y * z))], "unsat")
    for width in (6, 8, 12):
        x, y = var("x", width), var("y", width)
        half, wide = width // 2, 2 * width
        high_x, low_x, high_y, low_y = (v.zext(wide) for v in (
            x.extract(width - 1, half), x.extract(half - 1, 0), y.extract(width - 1, half), y.extract(half - 1, 0)))
        high, low = high_x * high_y, low_x * low_y
        cross = (high_x + low_x) * (high_y + low_y) - high - low
        yield Problem(f"karatsuba-{width}", "a product from three products of halves",
                      [((high << width) + (cross << half) + low).ne(x.zext(wide) * y.zext(wide))], "unsat")


def constant_division(rng_for):
    for width, divisor, magic, shift in ((16, 10, 0xCCCD, 19), (32, 3, 0xAAAAAAAB, 33), (32, 10, 0xCCCCCCCD, 35)):
        x = var("x", width)
        product = (x.zext(2 * width) * const(magic, 2 * width)) >> shift
        yield Problem(f"divide-{width}-by-{divisor}", "division by a constant as compilers write it",
                      [product.extract(width - 1, 0).ne(x.udiv(const(divisor, width)))], "unsat")
    x = var("x", 32)
    product = (x.zext(64) * const(0xCCCCCCCC, 64)) >> 35
    yield Problem("divide-32-by-10-mutant", "the same with a magic number that is one too small",
                  [product.extract(31, 0).ne(x.udiv(const(10, 32)))], "sat")


def square_roots(rng_for):
    for width in (12, 16, 24):
        x = var("x", width)
        root = const(0, width)
        for i in reversed(range(width // 2)):
            trial = root | const(1 << i, width)
            root = ite((trial * trial).ule(x), trial, root)
        wide, above = root.zext(width + 2), root.zext(width + 2) + 1
        right = (wide * wide).ule(x.zext(width + 2)) & x.zext(width + 2).ult(above * above)
        yield Problem(f"isqrt-{width}", "the root found bit by bit is the integer root", [~right], "unsat")


def equations(rng_for):
    rng = rng_for("equations")
    for width in (32, 64):
        x = var("x", width)
        odd = rng.getrandbits(width) | 1
        yield Problem(f"inverse-{width}", "the inverse of an odd number", [(x * odd).eq(1)], "sat")
    x = var("x", 32)
    secret = rng.getrandbits(31) | 1
    yield Problem("square-32", "a square root modulo 2^32", [(x * x).eq(secret * secret)], "sat")
    x, y, z = (var(n, 32) for n in "xyz")
    small = [const(0, 32).ult(v) & v.ult(2000) for v in (x, y, z)]
    yield Problem("pythagoras", "a right triangle of perimeter 3080 and even legs",
                  small + [(x * x + y * y).eq(z * z), (x + y + z).eq(3080), x.ult(y), (x & 1).eq(0)], "sat")
    yield Problem("three-squares", "a number of the form 8k+7 is no sum of three squares",
                  [all_of(v.ult(64) for v in (x, y, z)), (x * x + y * y + z * z).eq(8 * 311 + 7)], "unsat")
    yield Problem("quotients", "quotients and remainders of one unknown pair",
                  [x.udiv(y).eq(417), x.urem(y).eq(90121), y.udiv(const(1009, 32)).eq(113), (x & 0xFF).eq(0x42)])


def problems(rng_for):
    for family in (factoring, division_identities, overflow_tests, averages, products, constant_division, square_roots, equations):
        yield from family(rng_for)
