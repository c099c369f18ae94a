#!/usr/bin/env python3
"""What the checks cost where nothing depends on input, beside AddressSanitizer and Valgrind, as Markdown.

    overhead.py PLUMB [--repeats N] [NAME…]

Five programs (overhead/), each about half a second natively: user time of a run by the program's own account, the best of N.
`plumb test` runs the instrumented program with its checks, symbolic bookkeeping included, outside of the sandbox, in which
it could not write its time. Valgrind runs smaller inputs (SMALL), and its ratio is to the
native run of the same. Exit code 1 if the instrumented program takes more than 1.5 times AddressSanitizer's time."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = sorted((HERE / "overhead").glob("*.c"))
SMALL = {"sort": 250000, "hash": 1000000, "matrix": 240, "strings": 2000000, "lists": 3200}
BAR = 1.5


class Program:
    """One program in a directory of its own; every run appends its seconds to a file."""

    def __init__(self, source, directory, repeats):
        self.source, self.directory, self.repeats = source, directory, repeats
        self.seconds = directory / "seconds"

    def measure(self, run):
        """The best of the runs that `run` makes."""
        self.seconds.unlink(missing_ok=True)
        for _ in range(self.repeats):
            run()
        if not self.seconds.exists():
            raise RuntimeError(f"no run of {self.source.name} came to its end")
        return min(map(float, self.seconds.read_text().split()))

    def build(self, name, *flags):
        executable = self.directory / name
        subprocess.run(["clang-19", "-O2", "-w", f'-DSECONDS_FILE="{self.seconds}"', *flags, str(self.source), "-o", str(executable), "-lm"],
                       check=True)
        return executable

    def native(self, executable, *arguments):
        return self.measure(lambda: subprocess.run([str(executable), *map(str, arguments)], check=True,
                                                   stdout=subprocess.DEVNULL))

    def valgrind(self, executable, size):
        command = ["valgrind", "-q", "--error-exitcode=9", str(executable), str(size)]
        return self.measure(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))

    def plumb(self, *words):
        done = subprocess.run([*map(str, words)], capture_output=True)
        if done.returncode not in (0, 20):
            raise RuntimeError(f"{' '.join(map(str, words))}\nexit code {done.returncode}: {done.stdout.decode()[-500:]} "
                               f"{done.stderr.decode(errors='replace')[-1000:]}")

    def instrumented(self, plumb):
        out = self.directory / "out"
        command = [plumb, "test", self.source, "--json", "-q", "--out", out, "--sandbox", "off", "--run-timeout", "120s", "-D",
                   f'SECONDS_FILE="{self.seconds}"']
        return self.measure(lambda: self.plumb(*command))


def measure(plumb, source, repeats):
    """One line of the table, and what is to be complained about."""
    with tempfile.TemporaryDirectory() as name:
        program = Program(source, pathlib.Path(name), repeats)
        native = program.build("native")
        base = program.native(native)
        sanitized = program.native(program.build("sanitized", "-fsanitize=address"))
        small = SMALL[source.stem]
        small_base = program.native(native, small)
        valgrind = program.valgrind(native, small) / max(small_base, 0.001)
        instrumented = program.instrumented(plumb)
    ratio = instrumented / sanitized
    print(f"| {source.stem} | {base:.2f} | {sanitized:.2f} | {sanitized / base:.2f} | {valgrind:.1f} | {instrumented:.2f} | {instrumented / base:.2f} | "
          f"{ratio:.2f} |", flush=True)
    return [] if ratio <= BAR else [f"{source.stem}: {ratio:.2f} times AddressSanitizer's time, at most {BAR} is wanted"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_intermixed_args()
    print("| program | native -O2, s | AddressSanitizer, s | × native | Valgrind, × native (smaller input) | plumb test with checks, s | × native | "
          "× AddressSanitizer |\n|---|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    complaints = []
    for source in PROGRAMS:
        if not options.names or source.stem in options.names:
            complaints += measure(options.plumb.resolve(), source, options.repeats)
    for text in complaints:
        print(text, file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
