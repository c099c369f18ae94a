#!/usr/bin/env python3
"""What `plumb test` costs and what its regions bring, as Markdown.

    run.py PLUMB [--quick] [--only overhead|rate|lexer|programs] [NAME…]

Overhead: programs with some 200 million concrete operations before a branch on input, instrumented beside native -O2; once
it can be shown that the operations do not depend on input, once they share objects and functions with it. Rate: executions
a second of a program of ten lines. Lexer: time to the label L, compilation included. Programs: branches covered
with regions on and off in equal time (10 s; --quick: 2 s). NAME picks programs. Exit code 1 if a bar is missed."""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LEXERS = [ROOT / "examples" / "lexer.c", *sorted((ROOT / "tests" / "concolic" / "lexer").glob("*.c"))]
OVERHEAD_BAR, RATE_BAR, LEXER_BAR, VARIANT_BAR, GAIN_BAR = 2.0, 2000, 2.0, 5.0, 0.15
REPEATS = 3  # the best counts, for whatever else the machine does only slows down


def run_plumb(plumb, source, seconds, *arguments):
    """The result object, with the wall time of the whole command as `wall`."""
    with tempfile.TemporaryDirectory() as out:
        command = [str(plumb), "test", str(source), "--json", "-q", "--out", out, "--timeout", str(seconds), *map(str, arguments)]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, timeout=10 * seconds + 120)
        wall = time.monotonic() - start
        if done.returncode not in (0, 10, 20):
            raise RuntimeError(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr.decode(errors='replace')[-1500:]}")
        result = json.loads(done.stdout)
        result["wall"] = wall
        result["test_files"] = [json.loads(path.read_text()) for path in sorted(pathlib.Path(out, "tests").iterdir())]
        return result


def native_seconds(source, flags, directory):
    """User time of the work of one native run, by the program's own account."""
    seconds, executable = directory / "native-seconds", directory / "native"
    subprocess.run(["clang-19", "-O2", "-w", f"-I{ROOT / 'include'}", f'-DSECONDS_FILE="{seconds}"', *flags, str(source),
                    "-o", str(executable), "-lm"], check=True)
    for _ in range(REPEATS):
        subprocess.run([str(executable)], check=False)
    return min(map(float, seconds.read_text().split()))


def instrumented_seconds(plumb, source, flags, directory):
    seconds = directory / "seconds"
    for _ in range(REPEATS):
        macros = [f'SECONDS_FILE="{seconds}"', *(flag.removeprefix("-D") for flag in flags)]
        # Programs write their own account, which the sandbox would not let them.
        result = run_plumb(plumb, source, 60, "--run-timeout", "30s", "--sandbox", "off",
                           *(word for macro in macros for word in ("-D", macro)))
        if not seconds.exists():
            raise RuntimeError(f"no run of {source.name} came to its end: {result['stats']['ends']}")
    return min(map(float, seconds.read_text().split()))


def rate(plumb, seconds):
    """Executions a second, the time of the whole search counted."""
    best = 0
    for _ in range(REPEATS):
        stats = run_plumb(plumb, HERE / "ten_lines.c", seconds, "--until", "time", "--regions", "off")["stats"]
        best = max(best, stats["runs"] / stats["seconds"]["exploring"])
    return best


def label_line(source):
    lines = source.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.startswith("L:")), lines


def functions_behind(source):
    """Names of the functions that are called behind L alone: those defined above the one that has the label."""
    _, lines = label_line(source)
    return {"behind", "read_settings", "apply"} & {word for line in lines for word in line.replace("(", " ").split()}


def time_to_label(plumb, source, regions, seconds):
    """Seconds from the start of the command, compilation included; None if it was not reached."""
    line, _ = label_line(source)
    behind = functions_behind(source)
    result = run_plumb(plumb, source, seconds, "--regions", regions, "--until", "error")
    for milestone, test in zip(result["stats"]["milestones"], result["test_files"]):
        if any(entry.get("function") in behind or (entry.get("function") == "foo" and entry["line"] > line) for entry in test["covers_first"]):
            return milestone["seconds"] + result["stats"]["seconds"]["building"], result
    return None, result


def time_to_share(result, share=0.9):
    """Seconds of search until this share of the final coverage."""
    covered, wanted = 0, share * result["coverage"]["branches"]["covered"]
    for milestone in result["stats"]["milestones"]:
        covered += milestone["new_branches"]
        if covered >= wanted:
            return milestone["seconds"]
    return result["stats"]["seconds"]["exploring"]


def is_finished(result):
    branches = result["coverage"]["branches"]
    return branches["covered"] == branches["total"] or branches["exhaustive"]


def measure_overhead(plumb, complaints):
    print("| 200 million concrete operations, then a branch | native -O2, s | instrumented, s | ratio | native, shared | instrumented, shared | ratio |")
    print("|---|---:|---:|---:|---:|---:|---:|", flush=True)
    for source in sorted((HERE / "overhead").glob("*.c")):
        cells = []
        for flags in ([], ["-DSHARED"]):
            with tempfile.TemporaryDirectory() as name:
                directory = pathlib.Path(name)
                try:
                    instrumented = instrumented_seconds(plumb, source, flags, directory)
                except RuntimeError as problem:
                    complaints.append(str(problem))
                    cells.append("| | no run ends |")
                    continue
                native = native_seconds(source, flags, directory)
            ratio = instrumented / native
            cells.append(f"{native:.3f} | {instrumented:.3f} | {ratio:.2f}")
            if ratio > OVERHEAD_BAR:
                complaints.append(f"overhead of {source.stem}{' shared' if flags else ''}: {ratio:.2f}, at most {OVERHEAD_BAR} is wanted")
        print(f"| {source.stem} | {' | '.join(cells)} |", flush=True)
    print()


def measure_rate(plumb, seconds, complaints):
    found = rate(plumb, seconds)
    print(f"A program of ten lines: {found:,.0f} executions a second on one core (bar: {RATE_BAR:,}).\n", flush=True)
    if found < RATE_BAR:
        complaints.append(f"{found:.0f} executions a second, {RATE_BAR} are wanted")


def measure_lexers(plumb, seconds, complaints):
    print("| lexer | to L with regions, seconds | runs | without regions |\n|---|---:|---:|---|")
    for source in LEXERS:
        bar = LEXER_BAR if source == LEXERS[0] else VARIANT_BAR
        best, result = None, None
        for _ in range(REPEATS):
            found, result = time_to_label(plumb, source, "auto", 30)
            if found is not None and (best is None or found < best):
                best = found
        without, off = time_to_label(plumb, source, "off", seconds)
        reached = f"{without:.2f} s" if without is not None else f"not in {seconds} s, {off['stats']['runs']:,} runs"
        print(f"| {source.stem} | {'not reached' if best is None else f'{best:.2f}'} (bar: {bar:g}) | {result['stats']['runs']:,} | {reached} |", flush=True)
        if best is None or best > bar:
            complaints.append(f"{source.stem}: L {'not reached' if best is None else f'after {best:.2f} s'}, {bar} s are wanted")
    print()


def measure_programs(plumb, seconds, chosen, complaints):
    print("| program | branches | covered, on | covered, off | regions encoded | to 90 % on, s | to 90 % off, s | off has finished |")
    print("|---|---:|---:|---:|---:|---:|---:|---|", flush=True)
    gains = []
    for source in sorted((HERE / "programs").glob("*.c")):
        if chosen and source.stem not in chosen:
            continue
        on, off = (run_plumb(plumb, source, seconds, "--regions", mode) for mode in ("on", "off"))
        covered = [r["coverage"]["branches"]["covered"] for r in (on, off)]
        print(f"| {source.stem} | {on['coverage']['branches']['total']} | {covered[0]} | {covered[1]} | {on['stats']['regions']['encoded']:,} "
              f"| {time_to_share(on):.2f} | {time_to_share(off):.2f} | {'yes' if is_finished(off) else 'no'} |", flush=True)
        if covered[0] < covered[1]:
            complaints.append(f"{source.stem}: {covered[0]} branches with regions, {covered[1]} without")
        if not is_finished(off):
            gains.append(covered[0] / max(covered[1], 1) - 1)
    if gains:
        gain = sum(gains) / len(gains)
        print(f"\nWhere the search without regions has not finished ({len(gains)} programs) regions cover {100 * gain:.0f} % more on average "
              f"(bar: {100 * GAIN_BAR:.0f} %).", flush=True)
        if gain < GAIN_BAR and not chosen:
            complaints.append(f"{100 * gain:.1f} % more branches with regions, {100 * GAIN_BAR:.0f} % are wanted")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", choices=("overhead", "rate", "lexer", "programs"))
    options = parser.parse_intermixed_args()
    plumb, seconds, complaints = options.plumb.resolve(), 2 if options.quick else 10, []
    parts = {
        "overhead": lambda: measure_overhead(plumb, complaints),
        "rate": lambda: measure_rate(plumb, min(seconds, 3), complaints),
        "lexer": lambda: measure_lexers(plumb, seconds, complaints),
        "programs": lambda: measure_programs(plumb, seconds, options.names, complaints),
    }
    for name, part in parts.items():
        if options.only in (None, name) and (not options.names or name == "programs"):
            part()
    for text in complaints:
        print(text, file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
