#!/usr/bin/env python3
"""Testing on a board beside testing on the host (Figure 3.2), as Markdown.

    run.py PLUMB [--valgrind COMMAND] [--rounds N] [NAME…]

For the programs of Table 3.4 and Gao's bugtest: what plumb finds on the host (`plumb test`) and on an emulated 32-bit ARM
board (`plumb serve`, plumb-target under qemu-user), where checks and confirmation run on the board; beside them the tests that
plumb makes, each under Valgrind on the host. Valgrind does not run under qemu's user mode, so the board has no such row. Each
time is the shortest of N rounds (2), from the start of the command to its end; programs for the board are compiled before,
as on the host Valgrind's are.

Then one board against two, on a program that computes some 50 ms a run, and the bytes that each kind of board puts on the link.

Bars, exit code 1 if one is missed: on the board and on the host plumb finds the same, and all that our tests show under
Valgrind; plumb on the host is faster than our tests under Valgrind; two boards take at most 0.65 of the time of one; fewer
than 40 bytes a symbolic event on every board."""
import argparse
import importlib.util
import os
import pathlib
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "system" / "remote"))
import peer  # noqa: E402
from boards import MACHINES, Boards  # noqa: E402

specification = importlib.util.spec_from_file_location("defects_run", ROOT / "bench" / "defects" / "run.py")
defects_run = importlib.util.module_from_spec(specification)
specification.loader.exec_module(defects_run)

PROGRAMS = [ROOT / "bench" / "defects" / "programs" / f"{name}.c" for name in ("array", "leak", "ptr_arr", "ptr_over")] + [
    ROOT / "examples" / "bugtest.c"]
BOARD = "arm"
MOST_BYTES = 40
MOST_OF_ONE = 0.65
COMPUTE_MS = 50


def fewest_seconds(rounds, measure):
    """Of several rounds; what they find is the same each time."""
    return min((measure() for _ in range(rounds)), key=lambda scheme: scheme.seconds)


def found_by(result):
    return {(defects_run.class_of(defect["kind"]), defect.get("line")) for defect in result.get("defects", [])}


class Board:
    """One kind of board with its programs, in a directory."""

    def __init__(self, plumb, name, directory):
        self.plumb, self.name, self.machine, self.directory = plumb, name, MACHINES[name], directory
        self.target, self.count = directory / f"plumb-target-{name}", 0
        if not self.machine.is_bare_metal:
            self.machine.build_target(plumb, self.target)

    def build(self, source, *flags):
        program = self.directory / f"{source.stem}-{self.name}"
        self.machine.build(self.plumb, source, program, *flags)
        return program

    def campaign(self, program, *options, targets=1):
        """A scheme, and the result object."""
        self.count += 1
        out = self.directory / f"{program.name}-{self.count}"
        with Boards(self.plumb) as boards:
            scheme = defects_run.Scheme()
            server = boards.serve(program, out, "--jobs", str(targets), "-q", *options)
            for _ in range(targets):
                if self.machine.is_bare_metal:
                    boards.cortex_m(program, server.port)
                else:
                    boards.target(self.machine, self.target, program, server.port)
            result = server.finish(600)
            scheme.finish()
        scheme.runs, scheme.found = result["stats"]["runs"], found_by(result)
        return scheme, result


def row(source, scheme, label):
    print(f"| {source.stem} | {label} | {scheme.counts()} | {scheme.runs} | {scheme.seconds:.2f} |", flush=True)


def compare(plumb, valgrind, board, source, rounds, complaints):
    """The schemes on one program."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        native = defects_run.Valgrind(valgrind, source, directory)
        tests = fewest_seconds(rounds, lambda: defects_run.with_our_tests(plumb, native, directory)[0])
        host = fewest_seconds(rounds, lambda: defects_run.alone(plumb, source, directory))
        program = board.build(source)
        emulated = fewest_seconds(rounds, lambda: board.campaign(program)[0])
    for scheme, label in ((tests, "host: our tests + Valgrind"), (host, "host: plumb"), (emulated, "ARM board: plumb")):
        row(source, scheme, label)
    if host.found != emulated.found:
        complaints.append(f"{source.stem}: found on the host {sorted(host.found)}, on the board {sorted(emulated.found)}")
    for letter, line in sorted(one for one in tests.found if not defects_run.is_found(one, emulated.found)):
        complaints.append(f"{source.stem}: plumb on the board does not find {letter} at line {line}, which a test shows under Valgrind")
    return tests, host, emulated


def turns_for(board):
    """How often the program's loop has to turn for a run to take its time, by what a board tells of a run."""
    turns = 2_000_000
    program = board.build(HERE / "compute.c", f"-DROUNDS={turns}")
    with Boards(board.plumb) as boards:
        server = peer.Server()
        boards.target(board.machine, board.target, program, server.port)
        session = server.accept(60)
        session.greet()
        microseconds = min(session.run([]).microseconds for _ in range(20))
        session.bye()
        server.close()
    return int(turns * COMPUTE_MS * 1000 / microseconds)


def one_against_two(board, what, flags, rounds):
    """The ratio of times; prints it."""
    program = board.build(HERE / "compute.c", *flags)
    # In turn, so that what else the machine does falls on both.
    times, per_run = {1: [], 2: []}, 0.0
    for _ in range(rounds):
        for targets in (1, 2):
            scheme, result = board.campaign(program, "--regions", "off", "--until", "time", "--timeout", "300s", targets=targets)
            times[targets].append(scheme.seconds)
            if targets == 1:
                per_run = 1000 * scheme.seconds / result["stats"]["runs"]
    ratio = min(times[2]) / min(times[1])
    print(f"| {what} | {per_run:.0f} | {min(times[1]):.1f} | {min(times[2]):.1f} | {ratio:.2f} |", flush=True)
    return ratio


def second_board(board, rounds, complaints):
    print("\n| a run | ms a run | one board, s | two boards, s | ratio |\n|---|--:|--:|--:|--:|")
    flags = [f"-DROUNDS={turns_for(board)}"]
    ratio = one_against_two(board, f"computes (emulators share {os.cpu_count()} cores)", flags, rounds)
    if ratio > MOST_OF_ONE:
        complaints.append(f"two boards take {ratio:.2f} of the time of one; at most {MOST_OF_ONE} is wanted")
    one_against_two(board, "waits, as if each board had its own processor", [f"-DWAIT={COMPUTE_MS * 1000000}"], rounds)


def bytes_on_the_link(plumb, directory, sources, complaints):
    print("\n| board | program | runs | events | bytes a run | bytes an event |\n|---|---|--:|--:|--:|--:|")
    for name, machine in MACHINES.items():
        if machine.missing():
            print(f"| {machine.triple} | left out: {machine.missing()} | | | | |")
            continue
        board = Board(plumb, name, directory)
        for source in sources:
            _, result = board.campaign(board.build(source))
            link = result["link"]
            used = link["bytes_received"] + link["bytes_sent"]
            print(f"| {machine.triple} | {source.stem} | {link['runs']} | {link['events']} | {used / max(1, link['runs']):.0f} | "
                  f"{used / max(1, link['events']):.1f} |", flush=True)
            if used >= MOST_BYTES * link["events"]:
                complaints.append(f"{machine.triple}, {source.stem}: {used / max(1, link['events']):.1f} bytes a symbolic event")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--valgrind", default="valgrind")
    options = parser.parse_intermixed_args()
    plumb = options.plumb.resolve()
    if reason := MACHINES[BOARD].missing():
        print(f"no board can be emulated here: {reason}")
        return 1
    complaints, totals = [], [0.0, 0.0, 0.0]
    sources = [source for source in PROGRAMS if not options.names or source.stem in options.names]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        directory = pathlib.Path(name)
        board = Board(plumb, BOARD, directory)
        print("| program | scheme | A | B | C | D | runs | s |\n|---|---|--:|--:|--:|--:|--:|--:|")
        for source in sources:
            schemes = compare(plumb, options.valgrind, board, source, options.rounds, complaints)
            totals = [total + scheme.seconds for total, scheme in zip(totals, schemes)]
        print(f"\nIn all: our tests under Valgrind {totals[0]:.1f} s, plumb on the host {totals[1]:.1f} s, on the emulated board {totals[2]:.1f} s. "
              "Valgrind does not run under qemu's user mode, so there is no row for it on the board.")
        if sources and totals[1] >= totals[0]:
            complaints.append(f"plumb on the host takes {totals[1]:.1f} s, our tests under Valgrind {totals[0]:.1f} s")
        second_board(board, options.rounds, complaints)
        bytes_on_the_link(plumb, directory, sources, complaints)
    print(f"\nBars: {'missed' if complaints else 'met'}.")
    for complaint in complaints:
        print(f"- {complaint}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
