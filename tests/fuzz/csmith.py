#!/usr/bin/env python3
"""Compares `plumb run` with the native binary on random programs of csmith, at -O0 and -O2: checksum and exit code must agree.

    csmith.py PLUMB --count 300 --seed 1 --jobs 2 --keep DIR

Seeds are taken in order until `count` programs were compared. A program whose native run does not end within five seconds is
passed over; one that the interpreter cannot finish in time is skipped, and too many of those are a failure. Whatever disagrees, or
is not supported, is kept in DIR together with the command that repeats it.

Programs are small, for many small ones find more than few large ones. They should have no undefined behaviour: csmith's arithmetic is
guarded and its pointers stay valid. Conversions of floats are not guarded, though: where the native binaries of -O0 and -O2 disagree with
each other, the program is passed over, and counted."""
import argparse
import itertools
import pathlib
import sys
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from program_run import compile_natively, execute, plumb_command, run_by_plumb, run_natively  # noqa: E402

SMALL = "--quiet --concise --max-block-size 3 --max-array-dim 2 --max-array-len-per-dim 6".split()
# What csmith is asked for and how the program is compiled, in turns.
SHAPES = [
    ("--max-funcs 4 --max-block-depth 3 --max-expr-complexity 5", ""),
    ("--max-funcs 4 --max-block-depth 3 --max-expr-complexity 5 --float", ""),
    ("--max-funcs 3 --max-block-depth 2 --max-expr-complexity 12 --no-volatiles --no-const-pointers", ""),
    ("--max-funcs 8 --max-block-depth 3 --max-expr-complexity 4 --max-pointer-depth 4 --max-struct-fields 5", ""),
    ("--max-funcs 4 --max-block-depth 3 --max-expr-complexity 6", "-m32"),
]
INCLUDE = "/usr/include/csmith"
NATIVE_SECONDS = 5
SLOW_SHARE = 0.1


def natives_disagree(source, flags, executable):
    """The compiler itself is not sure what the program means."""
    runs = []
    for optimisation in ("-O0", "-O2"):
        compile_natively([source], flags, executable, optimisation)
        runs.append(run_natively(executable, seconds=NATIVE_SECONDS))
    return not runs[0].same_as(runs[1])


def examine(options, seed):
    """Returns ("same" | "endless" | "undefined" | "slow" | "failed", text)."""
    shape, flags = SHAPES[seed % len(SHAPES)]
    flags = [*flags.split(), f"-I{INCLUDE}"]
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / f"seed-{seed}.c"
        executable = pathlib.Path(directory) / "native"
        code, _, error = execute(["csmith", "--seed", str(seed), *SMALL, *shape.split(), "-o", str(source)], b"", 60, directory)
        if code != 0:
            return "failed", f"csmith: {error.decode(errors='replace')}"
        error = compile_natively([source], flags, executable)
        if error:
            return "failed", error
        native = run_natively(executable, seconds=NATIVE_SECONDS)
        if native.end == "timeout":
            return "endless", ""
        for optimisation in ("0", "2"):
            command = plumb_command(options.plumb, [source], flags, optimisation)
            ours = run_by_plumb(command, seconds=options.seconds)
            if ours.end == "timeout":
                return "slow", f"seed {seed} at -O{optimisation}"
            if not ours.same_as(native):
                if natives_disagree(source, flags, executable):
                    return "undefined", ""
                options.keep.mkdir(parents=True, exist_ok=True)
                kept = options.keep / source.name
                kept.write_text(source.read_text())
                again = " ".join(plumb_command(options.plumb, [kept], flags, optimisation))
                return "failed", f"natively {native} {native.output.strip()!r}, by plumb {ours} {ours.output.strip()!r}\n  repeat: {again}"
    return "same", ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plumb", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=30, help="for one run of the interpreter")
    parser.add_argument("--keep", type=lambda p: pathlib.Path(p).resolve(), default="csmith-failures", help="directory for what fails")
    options = parser.parse_args()

    start, counts, slow = time.monotonic(), {"same": 0, "endless": 0, "undefined": 0, "slow": 0, "failed": 0}, []
    seeds, running = itertools.count(options.seed), {}
    with ThreadPoolExecutor(options.jobs) as pool:
        while True:
            while len(running) < min(options.jobs, options.count - counts["same"] - counts["failed"]):
                seed = next(seeds)
                running[pool.submit(examine, options, seed)] = seed
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                seed = running.pop(future)
                kind, text = future.result()
                counts[kind] += 1
                if kind == "failed":
                    print(f"seed {seed}: {text}", flush=True)
                elif kind == "slow":
                    slow.append(text)
            if counts["slow"] > 5 + SLOW_SHARE * options.count:
                break
    print(f"{counts['same']} programs agree at -O0 and -O2, {counts['failed']} do not; {counts['slow']} skipped for taking more than "
          f"{options.seconds:g} s in the interpreter, {counts['endless']} do not end natively, {counts['undefined']} are undefined; {time.monotonic() - start:.0f} s")
    if slow:
        print("skipped: " + ", ".join(slow))
    if counts["slow"] > 5 + SLOW_SHARE * options.count:
        print("too many were skipped")
        sys.exit(1)
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
