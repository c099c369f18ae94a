#!/usr/bin/env python3
"""Runs each seeded defect of this folder by `plumb run`: it must be found, first, with its kind and line; the same program
compiled with -DFIXED must be silent.

    run.py PLUMB            all defects
    run.py PLUMB NAME…      those whose name contains one of the words

A program says what is wrong with it:

    // purpose: one sentence
    // defect: KIND line N
    // checks: LIST         of --checks, if not the default ones
"""
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from program_run import headings, plumb_command, run_by_plumb  # noqa: E402

JOBS = 2


def check(plumb, path):
    """Returns a list of complaints."""
    found = headings(path)
    if not {"purpose", "defect"} <= set(found) <= {"purpose", "defect", "checks"}:
        return ["headings should be a purpose and a defect, perhaps checks"]
    checks = [f"--checks={c}" for c in found.get("checks", [])]
    kind, _, line = found["defect"][0].split()
    complaints = []
    command = plumb_command(plumb, [path], [], options=checks)
    ours = run_by_plumb(command)
    first = ours.defects[0] if ours.defects else {}
    place = (first.get("kind"), pathlib.Path(first.get("file", "")).name, first.get("line"))
    if ours.end != "defect" or place != (kind, path.name, int(line)):
        complaints.append(f"{' '.join(command)}\nexpected {kind} at line {line}, got {ours}")
    command = plumb_command(plumb, [path], ["-DFIXED"], options=checks)
    ours = run_by_plumb(command)
    if ours.end != "exit" or ours.exit_code != 0 or ours.defects:
        complaints.append(f"{' '.join(command)}\nexpected silence, got {ours}")
    return complaints


def main():
    plumb, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    paths = [p for p in sorted(HERE.glob("*.c")) if not chosen or any(word in p.stem for word in chosen)]
    failed = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for path, complaints in zip(paths, pool.map(lambda p: check(plumb, p), paths)):
            failed += bool(complaints)
            print(f"{path.name}: {'FAILED' if complaints else 'passed'}", flush=True)
            for complaint in complaints:
                print("  " + complaint.replace("\n", "\n  "), flush=True)
    print(f"{len(paths) - failed} of {len(paths)} defects found, and silent when fixed")
    sys.exit(1 if failed or not paths else 0)


if __name__ == "__main__":
    main()
