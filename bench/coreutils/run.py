#!/usr/bin/env python3
"""Branch coverage that `plumb test` reaches on GNU Coreutils with regions on and off, as Markdown.

    run.py PLUMB [--quick] [--only UTIL…] [--seconds N] [--jobs N] [--regions auto|on] [--work DIR] [--again]

Debian's source package is fetched and built once with CC="plumb cc". Each utility is tested for N seconds (60; --quick: 5
utilities, 10 s) with `--sym-args 1 10 2 --sym-files 2 8`, once with regions and once without, then its tests run on a plain
build and llvm-cov counts branches. Results are kept in DIR/results.jsonl: what is there is not run again, unless --again.
Programs under test run natively, so a complete sandbox is asked for. Exit code 1 if the bar is missed, 2 if nothing ran."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lowering"))
from packages import Apt, run  # noqa: E402

# The names of Gao's table 2.3 come first, then others of KLEE's list.
SEED = "csplit chown shred dd cut echo uniq link nice df".split()
OTHERS = """base64 basename cat chgrp chmod cksum comm cp date dircolors dirname du env expand expr factor fmt fold head id join
kill ln ls md5sum mkdir mkfifo mknod mktemp mv nl od paste pathchk pr printenv printf ptx pwd readlink rm rmdir seq shuf sort
split stat stty sum tac tail tee touch tr tsort tty uname unexpand unlink wc who""".split()
QUICK = "echo cut uniq seq basename".split()
SYMBOLIC = ["--sym-args", "1", "10", "2", "--sym-files", "2", "8"]
GAIN_BAR = 13.0
LEAST_UTILITIES = 40


def build(plumb, work, utilities, jobs):
    """The build directory, with every utility in src/."""
    log, directory = work / "build.log", work / "build"
    source = Apt(work / "apt").source("coreutils", log)
    if not (directory / "Makefile").exists():
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        run([source / "configure", "--disable-nls", "--without-openssl", f"CC={plumb} cc", "CFLAGS=-g -O1 -w"], directory, log,
            FORCE_UNSAFE_CONFIGURE="1")
    (directory / "built.mk").write_text("built-sources: $(BUILT_SOURCES)\n")
    run(["make", "-s", "-f", "Makefile", "-f", "built.mk", "built-sources"], directory, log)
    run(["make", "-s", f"-j{jobs}", *(f"src/{name}" for name in utilities)], directory, log)
    return directory


def call(command, limit):
    """The JSON that it prints, and its exit code; raises if it failed."""
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"{' '.join(map(str, command))}\nexit code {done.returncode}: {done.stderr.decode(errors='replace')[-1500:]}")
    return json.loads(done.stdout)


def branches(files, wanted):
    chosen = [file["branches"] for file in files if wanted(file["file"])]
    return {key: sum(one[key] for one in chosen) for key in ("covered", "total")}


def measure(plumb, directory, utility, regions, seconds, core):
    """One line of results.jsonl."""
    out = directory.parent / "out" / f"{utility}-{regions}"
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(exist_ok=True)
    pinned = ["taskset", "-c", str(core)] if shutil.which("taskset") else []
    start = time.monotonic()
    tested = call([*pinned, plumb, "test", directory / "src" / utility, *SYMBOLIC, "--timeout", f"{seconds}s", "--regions", regions,
                   "--sandbox", "on", "--json", "-q", "--out", out], 10 * seconds + 300)
    wall = time.monotonic() - start
    replayed = call([*pinned, plumb, "replay", out, "--json", "-q", "--no-files"], 1800)
    files = replayed["coverage"]["files"]
    return {"utility": utility, "regions": regions, "seconds": seconds, "wall": round(wall, 1), "stats": tested["stats"],
            "errors": len(tested.get("defects", [])), "tests": replayed["tests"]["count"], "different": replayed["tests"]["different"],
            "own": branches(files, lambda name: "/src/" in name), "all": branches(files, lambda name: True)}


class Results:
    """Kept as lines of JSON, each written whole."""

    def __init__(self, path, forget):
        self.path, self.lock, self.found = path, threading.Lock(), {}
        if forget:
            path.unlink(missing_ok=True)
        for line in path.read_text().splitlines() if path.exists() else []:
            try:
                self.keep(json.loads(line))
            except ValueError:  # the last line of a run that was killed
                continue

    def keep(self, result):
        self.found[result["utility"], result["regions"], result["seconds"]] = result

    def add(self, result):
        with self.lock:
            self.keep(result)
            with open(self.path, "a") as file:
                file.write(json.dumps(result) + "\n")


def gain(on, off, part):
    return 100.0 * (on[part]["covered"] - off[part]["covered"]) / max(off[part]["covered"], 1)


def table(pairs, regions):
    """Prints it; gives the average gains of the utilities' own sources and of everything."""
    print(f"| utility | own branches | {regions} | off | gain | all linked | {regions} | off | gain | tests | runs | errors |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for on, off in pairs:
        own, every = gain(on, off, "own"), gain(on, off, "all")
        print(f"| {on['utility']} | {on['own']['total']} | {on['own']['covered']} | {off['own']['covered']} | {own:+.1f} % "
              f"| {on['all']['total']} | {on['all']['covered']} | {off['all']['covered']} | {every:+.1f} % "
              f"| {on['tests']}, {off['tests']} | {on['stats']['runs']}, {off['stats']['runs']} | {on['errors']}, {off['errors']} |")
    return [sum(gain(on, off, part) for on, off in pairs) / len(pairs) for part in ("own", "all")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", nargs="+", metavar="UTIL")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--regions", choices=["auto", "on"], default="auto")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(os.environ.get("TMPDIR", "/tmp"), "plumb-bench-coreutils"))
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    plumb, work = options.plumb.resolve(), options.work.resolve()
    utilities = options.only or (QUICK if options.quick else SEED + OTHERS)
    seconds = options.seconds or (10 if options.quick else 60)
    work.mkdir(parents=True, exist_ok=True)
    directory = build(plumb, work, utilities, options.jobs)
    results, failures = Results(work / "results.jsonl", options.again), []
    cores = [*os.sched_getaffinity(0)]
    free = list(cores[i % len(cores)] for i in range(options.jobs))

    def work_on(utility):
        core = free.pop()
        try:
            for regions in (options.regions, "off"):
                if (utility, regions, seconds) in results.found:
                    continue
                print(f"{utility} {regions}", file=sys.stderr, flush=True)
                results.add(measure(plumb, directory, utility, regions, seconds, core))
        except Exception as error:
            failures.append(f"{utility}: {error}")
        finally:
            free.append(core)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(work_on, utilities))
    found = results.found
    pairs = [(found[u, options.regions, seconds], found[u, "off", seconds]) for u in utilities
             if (u, options.regions, seconds) in found and (u, "off", seconds) in found]
    for failure in failures:
        print(f"failed: {failure}\n", file=sys.stderr)
    if not pairs:
        return 2
    own, every = table(pairs, options.regions)
    worst = min(pairs, key=lambda pair: gain(*pair, "all"))
    print(f"\n{len(pairs)} utilities, {seconds} s each. Average gain: {every:+.1f} % of all branches linked (bar: {GAIN_BAR:+.0f} %), "
          f"{own:+.1f} % of the utilities' own. Least: {gain(*worst, 'all'):+.1f} % ({worst[0]['utility']}; bar: 0 %).")
    is_reached = every >= GAIN_BAR and gain(*worst, "all") >= 0 and not failures
    return 0 if is_reached and (options.only or options.quick or len(pairs) >= LEAST_UTILITIES) else 1


if __name__ == "__main__":
    sys.exit(main())
