"""The benchmark families. Each module has problems(rng_for), which yields Problems; rng_for(name) is a random generator that
depends on the seed and on that name alone, so that a new problem does not change the others."""

from . import arith, arrays, equiv, hash, paths, regions

FAMILIES = {module.__name__.rsplit(".", 1)[-1]: module for module in (paths, regions, arith, arrays, equiv, hash)}
