#!/usr/bin/env python3
"""What a build from nothing costs: processor seconds by module, without ccache.

  run.py [SOURCE] [--work DIR] [--tests] [--again FILE]...

SOURCE is a checkout, this one if not given: another one gives the figures before a change. Each module's row has its
sources, their lines, and the processor seconds of their compilers; the runtimes for programs under test, the models and
links are a row of their own. With --tests the tests are built too. --again names a source that is touched afterwards:
what its rebuild costs.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
BARS = {False: 12, True: 26}  # minutes of processor time, without and with tests


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, log):
    before = children()
    with open(log, "w") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed; see {log}")
    return children() - before


def module(output):
    found = re.match(r"src/(.*?)/CMakeFiles|src/CMakeFiles/(plumb_\w+_headers)|(tests|bench)/", output)
    if not found:
        return "other"
    return found[1] or ("precompiled headers" if found[2] else found[3])


def lines_of(source, name):
    folder = source / "src" / name
    files = [f for f in folder.rglob("*") if f.suffix in (".cpp", ".h")] if folder.is_dir() else []
    return sum(len(f.read_bytes().splitlines()) for f in files)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="?", type=pathlib.Path, default=HERE.parent.parent)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path("build/bench/build"))
    parser.add_argument("--tests", action="store_true")
    parser.add_argument("--again", action="append", default=[])
    arguments = parser.parse_args()
    source, work = arguments.source.resolve(), arguments.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    log = work / "compilers.txt"
    launcher = f"{HERE / 'timed.sh'};{log}"
    compilers = []
    if "clang++-19" in (source / "CMakePresets.json").read_text():
        compilers = ["-DCMAKE_C_COMPILER=clang-19", "-DCMAKE_CXX_COMPILER=clang++-19"]
    build = work / "release"
    total = run(["cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                 f"-DPLUMB_TESTS={'ON' if arguments.tests else 'OFF'}", f"-DCMAKE_C_COMPILER_LAUNCHER={launcher}",
                 f"-DCMAKE_CXX_COMPILER_LAUNCHER={launcher}", *compilers], work / "configure.txt")
    target = [] if arguments.tests else ["plumb"]
    total += run(["ninja", "-C", build, f"-j{os.environ.get('JOBS', '2')}", *target], work / "build.txt")

    seconds = collections.Counter()
    sources = collections.Counter()
    for line in log.read_text().splitlines():
        user, system, output = line.split(" ", 2)
        name = module(output)
        seconds[name] += float(user) + float(system)
        sources[name] += 1
    rows = [(name, sources[name], lines_of(source, name), seconds[name]) for name in sources]
    rows.append(("configuring, runtimes, models, links", 0, 0, total - sum(seconds.values())))
    print(f"{'module':<38}{'sources':>8}{'lines':>9}{'seconds':>9}")
    for name, count, lines, spent in sorted(rows, key=lambda row: -row[3]):
        print(f"{name:<38}{count or '':>8}{lines or '':>9}{spent:>9.1f}")
    bar = BARS[arguments.tests]
    print(f"{'all':<38}{sum(sources.values()):>8}{sum(row[2] for row in rows):>9}{total:>9.1f}")
    print(f"{total / 60:.1f} minutes of processor time (bar {bar}){'' if total <= 60 * bar else ': MISSED'}")
    for path in arguments.again:
        os.utime(source / path)
        spent = run(["ninja", "-C", build, *target], work / "again.txt")
        print(f"again after a change in {path}: {spent:.1f} s")
    return 0 if total <= 60 * bar else 1


if __name__ == "__main__":
    sys.exit(main())
