#!/usr/bin/env python3
"""Lowers real programs, Debian's zlib, lua5.4, sqlite3, jq and coreutils, and runs a Lua script in the interpreted Lua.

    run.py PLUMB --work DIR [PACKAGE…]

Prints a table and checks the bars: nothing unsupported outside of inline assembly;
sqlite3's amalgamation in less than 20 seconds and 2 GB, the governors of all its functions in less than one; the interpreted Lua
prints what the native one prints. Exit code 1 if one is missed."""
import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from packages import CLANG, PACKAGES, prepare, run  # noqa: E402

BAR_SECONDS, BAR_BYTES, BAR_GOVERNORS = 20, 2 << 30, 1
SCRIPT = HERE / "script.lua"
LUA_FLAGS = ["-w", "-DLUA_COMPAT_5_3"]


def lower(plumb, package, files):
    """A row of the table."""
    # The peak that a process reports of its children is over all of them, so each package has a parent of its own.
    probe = ("import json, resource, subprocess, sys, time\n"
             "start = time.monotonic()\nr = subprocess.run(sys.argv[1:], capture_output=True)\n"
             "u = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
             "print(json.dumps({'code': r.returncode, 'out': r.stdout.decode(), 'err': r.stderr.decode(errors='replace')[-3000:], "
             "'seconds': time.monotonic() - start, 'peak': u.ru_maxrss * 1024}))")
    flags = LUA_FLAGS if package == "lua5.4" else ["-w"]
    command = [str(plumb), "ir", *files, "--stats", "--unsupported", "--json", "--", *flags]
    found = json.loads(subprocess.run([sys.executable, "-c", probe, *command], capture_output=True, text=True, check=True).stdout)
    if found["code"] not in (0, 20):
        raise RuntimeError(f"{package}: {' '.join(command)}: exit code {found['code']}\n{found['err']}")
    result = json.loads(found["out"])
    assembly = [r for r in result["results"] if "assembly" in r["construct"]]
    others = [r for r in result["results"] if r not in assembly]
    stats = result["stats"]
    return {"package": package, "functions": stats["functions"] - stats["functions_of_models"], "instructions": stats["instructions"],
            "assembly": len(assembly), "others": others, "seconds": found["seconds"], "peak": found["peak"],
            "governors": stats["governors_seconds"], "worst": stats["governors_seconds_at_worst"]}


def lua_script(plumb, files, work):
    """Complaints about the interpreted Lua; none if it prints what the native one prints."""
    native = work / "lua-native"
    run([CLANG, "-O1", *LUA_FLAGS, *files, "-o", str(native), "-lm"], work, work / "lua-native.log")
    expected = subprocess.run([str(native), str(SCRIPT)], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    command = [str(plumb), "run", *files, f"--arg={SCRIPT}", "--json", "--", *LUA_FLAGS]
    start = time.monotonic()
    ours = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    result = json.loads(ours.stdout or "{}")
    said = result.get("output", {}).get("stdout")
    if expected.returncode == 0 and said == expected.stdout and result.get("exit_code") == 0:
        print(f"\nlua, interpreted: {len(said.splitlines())} lines of output as natively, "
              f"{result['stats']['instructions'] / 1e6:.1f} million instructions, {seconds:.1f} s")
        return []
    return [f"lua, interpreted: {' '.join(command)}\n  verdict {result.get('verdict')}, {result.get('reason')}, {result.get('defects')}\n"
            f"  output {said!r}\n  expected {expected.stdout!r}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("plumb", type=lambda p: Path(p).resolve())
    parser.add_argument("packages", nargs="*", default=list(PACKAGES), metavar="PACKAGE")
    parser.add_argument("--work", type=lambda p: Path(p).resolve(), required=True, help="directory for sources and logs")
    options = parser.parse_intermixed_args()
    options.work.mkdir(parents=True, exist_ok=True)
    complaints = []
    print("| package | functions | instructions | unsupported: assembly | others | seconds | peak memory | governors, ms | worst function, ms |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|", flush=True)
    for package in options.packages:
        try:
            row = lower(options.plumb, package, prepare(package, options.work))
        except RuntimeError as error:
            complaints.append(str(error))
            continue
        print(f"| {package} | {row['functions']:,} | {row['instructions']:,} | {row['assembly']} | {len(row['others'])} | "
              f"{row['seconds']:.1f} | {row['peak'] / (1 << 20):,.0f} MB | {1000 * row['governors']:.0f} | {1000 * row['worst']:.1f} |", flush=True)
        for place in row["others"][:10]:
            complaints.append(f"{package}: {place.get('file')}:{place.get('line')}: unsupported: {place['construct']}")
        if package == "sqlite3" and (row["seconds"] > BAR_SECONDS or row["peak"] > BAR_BYTES):
            complaints.append(f"sqlite3 should lower within {BAR_SECONDS} s and 2 GB")
        if package == "sqlite3" and row["governors"] > BAR_GOVERNORS:
            complaints.append(f"the governors of sqlite3's functions should take less than {BAR_GOVERNORS} s")
    if "lua5.4" in options.packages:
        complaints += lua_script(options.plumb, prepare("lua5.4", options.work), options.work)
    print("\nInstructions include those of the library models that the program uses. Seconds are those of `plumb ir --stats` from C to the end: clang, "
          "linking,\nlowering, governors; memory is that of the largest process. "
          "Governors: of all functions together, and of the one that took longest.")
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    main()
