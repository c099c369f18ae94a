#!/usr/bin/env python3
"""How fast the interpreter is: instructions of the Program a second, beside the native time of the same source.

    run.py PLUMB [NAME…]

The bar: 40 million instructions a second on the hash loop (fnv1a.c). Exit code 1 if it is missed or an output is wrong."""
import pathlib
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests" / "support"))
from program_run import compile_natively, plumb_command, run_by_plumb, run_natively  # noqa: E402

BAR_PROGRAM, BAR = "fnv1a", 40e6
REPEATS = 3  # the best counts, for whatever else the machine does only slows down
NATIVE = "-O2"


def native_time(executable):
    best, outcome = float("inf"), None
    for _ in range(REPEATS):
        start = time.monotonic()
        outcome = run_natively(executable)
        best = min(best, time.monotonic() - start)
    return best, outcome


def main():
    plumb, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    wrong = []
    print(f"| program | instructions | seconds | million a second | native {NATIVE}, seconds | ratio |")
    print("|---|---:|---:|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        for path in sorted(HERE.glob("*.c")):
            if chosen and path.stem not in chosen:
                continue
            executable = pathlib.Path(directory) / path.stem
            error = compile_natively([path], [], executable, NATIVE)
            if error:
                wrong.append(error)
                continue
            native_seconds, native = native_time(executable)
            runs = [run_by_plumb(plumb_command(plumb, [path], []), seconds=300) for _ in range(REPEATS)]
            if not all(run.same_as(native) for run in runs):
                wrong.append(f"{path.name}: natively {native}, by plumb {runs[0]}")
                continue
            best = min(runs, key=lambda run: run.seconds)
            speed = best.instructions / best.seconds
            print(f"| {path.stem} | {best.instructions:,} | {best.seconds:.2f} | {speed / 1e6:.0f} | {native_seconds:.3f} | {best.seconds / native_seconds:.0f} |",
                  flush=True)
            if path.stem == BAR_PROGRAM and speed < BAR:
                wrong.append(f"{path.stem}: {speed / 1e6:.1f} million instructions a second, {BAR / 1e6:.0f} are wanted")
    print("\nInstructions are those of the Program as `plumb run` executes it by default, jumps and checks of indices included; seconds are of execution "
          f"alone,\nwithout clang and lowering. Native seconds have the start of the process in them. Each is the best of {REPEATS} runs.")
    for text in wrong:
        print(text, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
