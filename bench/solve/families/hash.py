"""Partial inversion of generators and mixers: some of the output is known, some of the input is wanted."""

from smt import Evaluator, Problem, all_of, const, var


def _xorshift32(x):
    x = x ^ (x << 13)
    x = x ^ (x >> 17)
    return x ^ (x << 5)


def _xorshift64(x):
    x = x ^ (x << 13)
    x = x ^ (x >> 7)
    return x ^ (x << 17)


def _fnv1a(cells, width):
    offset, prime = {32: (0x811C9DC5, 0x01000193), 64: (0xCBF29CE484222325, 0x100000001B3)}[width]
    h = const(offset, width)
    for cell in cells:
        h = (h ^ cell.zext(width)) * prime
    return h


def _fmix32(h, steps):
    for kind in ("s16", 0x85EBCA6B, "s13", 0xC2B2AE35, "s16")[:steps]:
        h = h ^ (h >> int(kind[1:])) if isinstance(kind, str) else h * kind
    return h


def _jenkins(cells):
    h = const(0, 32)
    for cell in cells:
        h = h + cell.zext(32)
        h = h + (h << 10)
        h = h ^ (h >> 6)
    h = h + (h << 3)
    h = h ^ (h >> 11)
    return h + (h << 15)


def _secret_value(term, names_and_widths, rng, letters=False):
    secret = {n: rng.randrange(97, 123) if letters else rng.getrandbits(w) for n, w in names_and_widths}
    return Evaluator(secret).value(term)


def xorshift(rng_for):
    for function, width, outputs, known in ((_xorshift32, 32, 1, 32), (_xorshift32, 32, 4, 8), (_xorshift32, 32, 8, 4),
                                            (_xorshift64, 64, 1, 64), (_xorshift64, 64, 2, 32), (_xorshift64, 64, 4, 16)):
        x = var("x", width)
        states, state = [], x
        for _ in range(outputs):
            state = function(state)
            states.append(state)
        rng = rng_for(f"xorshift-{width}-{outputs}")
        secret = Evaluator({"x": rng.getrandbits(width)})
        asserts = [s.extract(width - 1, width - known).eq(secret.value(s) >> (width - known)) for s in states]
        yield Problem(f"xorshift{width}-{outputs}x{known}", f"the state behind {known} bits of {outputs} outputs", asserts, "sat")


def multiplied_xorshift(rng_for):
    """xorshift64*: the state is linear, the output is not."""
    for outputs, known, given in ((2, 32, 52), (2, 32, 46), (2, 32, 40), (3, 32, 0)):
        x = var("x", 64)
        rng = rng_for(f"xorshift64star-{given}")
        secret = rng.getrandbits(64)
        run, state, asserts = Evaluator({"x": secret}), x, []
        for _ in range(outputs):
            state = state ^ (state >> 12)
            state = state ^ (state << 25)
            state = state ^ (state >> 27)
            output = (state * 0x2545F4914F6CDD1D).extract(63, 64 - known)
            asserts.append(output.eq(run.value(output)))
        if given:
            asserts.append(x.extract(given - 1, 0).eq(secret % (1 << given)))
        yield Problem(f"xorshift64star-{given}-given", f"xorshift64* with {given} bits of the state given", asserts, "sat")


def fnv(rng_for):
    for width, length in ((32, 2), (32, 3), (32, 4), (32, 6), (64, 3), (64, 5)):
        cells = [var(f"b{i}", 8) for i in range(length)]
        lower = [const(97, 8).ule(c) & c.ule(122) for c in cells]
        h = _fnv1a(cells, width)
        rng = rng_for(f"fnv-{width}-{length}")
        value = _secret_value(h, [(f"b{i}", 8) for i in range(length)], rng, letters=True)
        yield Problem(f"fnv{width}-{length}", f"{length} letters with a given FNV-1a hash", lower + [h.eq(value)], "sat")
    for length in (2, 3):
        cells = [var(f"b{i}", 8) for i in range(length)]
        lower = [const(97, 8).ule(c) & c.ule(122) for c in cells]
        yield Problem(f"fnv32-{length}-none", "a hash that these few letters do not have",
                      lower + [_fnv1a(cells, 32).eq(0x12345678)], "unsat")


def mixers(rng_for):
    for steps in (2, 3, 4, 5):
        x = var("x", 32)
        h = _fmix32(x, steps)
        value = _secret_value(h, [("x", 32)], rng_for(f"fmix-{steps}"))
        yield Problem(f"fmix32-{steps}", f"the first {steps} steps of murmur's finaliser inverted", [h.eq(value)], "sat")
    for given, known in ((16, 16), (8, 24)):
        x = var("x", 32)
        h = _fmix32(x, 5)
        secret = rng_for(f"fmix-partial-{given}").getrandbits(32)
        value = Evaluator({"x": secret}).value(h)
        yield Problem(f"fmix32-partial-{given}-{known}", f"{given} bits of the input and {known} of the output are known",
                      [x.extract(31, 32 - given).eq(secret >> (32 - given)), h.extract(known - 1, 0).eq(value % (1 << known))], "sat")
    for steps in (2, 3):
        x = var("x", 32)
        yield Problem(f"fmix32-fixed-point-{steps}", "a mixer's fixed point other than zero", [x.ne(0), _fmix32(x, steps).eq(x)])
    for bits in (8, 12, 32):
        x, y = var("x", bits), var("y", bits)
        yield Problem(f"fmix32-injective-{bits}", "no two inputs give one output after three steps",
                      [x.ne(y), _fmix32(x.zext(32), 3).eq(_fmix32(y.zext(32), 3))], "unsat")


def collisions(rng_for):
    for length, bits in ((3, 12), (4, 16), (4, 20), (4, 28)):
        first = [var(f"a{i}", 8) for i in range(length)]
        second = [var(f"b{i}", 8) for i in range(length)]
        lower = [const(97, 8).ule(c) & c.ule(122) for c in first + second]
        equal = _jenkins(first).extract(bits - 1, 0).eq(_jenkins(second).extract(bits - 1, 0))
        yield Problem(f"jenkins-collision-{length}-{bits}", f"two words of {length} letters that agree in {bits} hash bits",
                      lower + [~all_of(a.eq(b) for a, b in zip(first, second)), equal], "sat" if bits < 24 else None)
    for length in (3, 5):
        cells = [var(f"b{i}", 8) for i in range(length)]
        lower = [const(97, 8).ule(c) & c.ule(122) for c in cells]
        h = _jenkins(cells)
        value = _secret_value(h, [(f"b{i}", 8) for i in range(length)], rng_for(f"jenkins-{length}"), letters=True)
        yield Problem(f"jenkins-{length}", f"{length} letters with a given hash", lower + [h.eq(value)], "sat")


def congruential(rng_for):
    for outputs, known in ((3, 16), (4, 12)):
        x = var("x", 32)
        run, state, asserts = Evaluator({"x": rng_for(f"lcg-{known}").getrandbits(32)}), x, []
        for _ in range(outputs):
            state = state * 1664525 + 1013904223
            asserts.append(state.extract(31, 32 - known).eq(run.value(state) >> (32 - known)))
        yield Problem(f"lcg-{outputs}x{known}", f"a linear congruential state from {outputs} truncated outputs", asserts, "sat")


def problems(rng_for):
    for family in (xorshift, multiplied_xorshift, fnv, mixers, collisions, congruential):
        yield from family(rng_for)
