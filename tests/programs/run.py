#!/usr/bin/env python3
"""Runs each program of this folder natively and by `plumb run`, at -O0 and -O2, and compares output and exit code.

    run.py PLUMB            all programs
    run.py PLUMB NAME…      those whose name contains one of the words

Leading comments of a program say what it is for and what it needs:

    // purpose: one sentence
    // flags: -m32                        to clang, natively and in the interpreter
    // files: other.c                     more files of the program
    // args: one two
    // stdin: text, with \\n for the end of a line
    // expect: unsupported inline          the interpreter must refuse to go on, with this word in its reason
    // needs: avx2 bmi2                   of the processor, to run natively; the program is skipped on one that lacks them
"""
import difflib
import pathlib
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from program_run import compile_natively, headings, plumb_command, run_by_plumb, run_natively, words  # noqa: E402

JOBS = 2
KEYS = {"purpose", "flags", "files", "args", "stdin", "expect", "needs"}


def missing_features(path):
    """What the program needs of the processor and this one lacks."""
    offered = set()
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            offered.update(line.split(":", 1)[1].split())
    return [feature for feature in words(headings(path), "needs") if feature not in offered]


def difference(native, ours):
    lines = difflib.unified_diff(native.splitlines(), ours.splitlines(), "native", "plumb", lineterm="", n=1)
    return "\n".join(list(lines)[:20])


def check_refusal(word, native, ours):
    """The run ends where the construct is, and what was printed until then is kept."""
    if ours.end != "unknown" or word not in ours.reason:
        return f"expected a refusal that names {word!r}, got {ours}"
    if not native.output.startswith(ours.output):
        return f"the output before the refusal differs\n{difference(native.output, ours.output)}"
    return None


def check(plumb, path, directory):
    """Returns a list of complaints."""
    found = headings(path)
    if "purpose" not in found or set(found) - KEYS:
        return [f"headings should be a purpose and some of {', '.join(sorted(KEYS))}, not {', '.join(found)}"]
    sources = [path, *(HERE / name for name in words(found, "files"))]
    flags, arguments = words(found, "flags"), words(found, "args")
    text = "".join(found.get("stdin", [])).replace("\\n", "\n").encode()
    executable = directory / "native"
    error = compile_natively(sources, flags, executable)
    if error:
        return [error]
    native = run_natively(executable, arguments, text, directory=directory)
    if native.end != "exit":
        return [f"natively: {native}"]
    complaints = []
    for optimisation in ("0", "2"):
        command = plumb_command(plumb, sources, flags, optimisation, arguments)
        ours = run_by_plumb(command, text, directory=directory)
        if "expect" in found:
            problem = check_refusal(words(found, "expect")[-1], native, ours)
        elif ours.same_as(native):
            problem = None
        else:
            problem = f"natively {native}, by plumb {ours}\n{difference(native.output, ours.output)}".rstrip()
        if problem:
            complaints.append(f"{' '.join(command)}\n{problem}")
    return complaints


def main():
    plumb, chosen = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    paths = sorted([*HERE.glob("*.c"), *HERE.glob("*.cpp")])
    paths = [p for p in paths if not chosen or any(word in p.stem for word in chosen)]
    for path in paths:
        if missing := missing_features(path):
            print(f"{path.name}: skipped, this processor has no {', '.join(missing)}")
    paths = [p for p in paths if not missing_features(p)]

    def one(path):
        with tempfile.TemporaryDirectory() as directory:
            return check(plumb, path, pathlib.Path(directory))

    failed = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for path, complaints in zip(paths, pool.map(one, paths)):
            failed += bool(complaints)
            print(f"{path.name}: {'FAILED' if complaints else 'passed'}", flush=True)
            for complaint in complaints:
                print("  " + complaint.replace("\n", "\n  "), flush=True)
    print(f"{len(paths) - failed} of {len(paths)} programs passed")
    sys.exit(1 if failed or not paths else 0)


if __name__ == "__main__":
    main()
