#!/usr/bin/env python3
"""Runs `plumb test` on programs with a seeded defect: it must be found, at its line and as what it is, and nothing else
beside it; the same program compiled with -DFIXED must be silent. So must the programs of clean/, which do what is unusual
and not wrong. And on the bugtest of Gao (2018).

    run.py PLUMB                    all of them
    run.py PLUMB NAME…              those whose name contains one of the words
    run.py PLUMB --every N [NAME…]  every Nth of the programs with a defect only

A program of programs/ says what is wrong with it, KIND_WAY.c; `input` is one that shows the defect:

    // purpose: one sentence
    // defect: KIND line N
    // checks: LIST         where the default is not enough
    // input: NAME=VALUE…   as variables PLUMB_NAME give it to the program without plumb
"""
import pathlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(HERE.parent), str(ROOT / "tests" / "support")]
from frame import PLUMB, SECONDS, check, result_object, shown  # noqa: E402
from program_run import headings  # noqa: E402

JOBS = 2
# Table 3.3. Of line 15, p[j] and a[i].
BUGTEST = {("array-out-of-bounds", 11), ("array-out-of-bounds", 15), ("pointer-out-of-bounds", 13),
           ("array-pointer-out-of-bounds", 14), ("array-pointer-out-of-bounds", 15), ("leak", 4), ("leak", 6), ("double-free", 21)}


def tested(source, *arguments):
    """The result object of a search, and all defects in it as (kind, line); those of other files as (kind, file, line)."""
    with tempfile.TemporaryDirectory() as out:
        command = [PLUMB, "test", str(source), *arguments, "--timeout", "10s", "--json", "-q", "--out", out]
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, start_new_session=True)
    # 20: some path could not be followed, as those where an allocation fails; that costs no defect here.
    check(done.returncode in (0, 10, 20), f"expected a search\n{shown(done)}")
    found = result_object(done.stdout)
    sites = [(defect["kind"], defect.get("file"), defect.get("line"), defect.get("column")) for defect in found.get("defects", [])]
    check(len(set(sites)) == len(sites), f"each place should be reported once\n{shown(done)}")
    check((done.returncode == 10) == bool(sites), f"the exit code should tell of defects\n{shown(done)}")
    return found, {(kind, line) if pathlib.Path(file or "").name == source.name else (kind, file, line) for kind, file, line, _ in sites}


def same(expected, found, result, what):
    check(expected == found, f"{what}: expected {sorted(expected, key=str)}, got {sorted(found, key=str)}\n"
          + "\n".join(f"  {d.get('kind')} at {d.get('file')}:{d.get('line')}: {d.get('message')}" for d in result.get("defects", [])))


def check_bugtest(source):
    result, found = tested(source)
    same(BUGTEST, found, result, "Table 3.3")
    branches = result["coverage"]["branches"]
    check(branches["covered"] == branches["total"] == 4, f"all branches should be covered: {branches}")


def check_program(source):
    said = headings(source)
    check({"purpose", "defect", "input"} <= set(said) <= {"purpose", "defect", "checks", "input"}, f"headings are {sorted(said)}")
    kind, _, line = said["defect"][0].split()
    options = ["--checks", said["checks"][0]] if "checks" in said else []
    result, found = tested(source, *options)
    same({(kind, int(line))}, found, result, "with the defect")
    result, found = tested(source, *options, "-DFIXED")
    same(set(), found, result, "without it")


def check_clean(source):
    result, found = tested(source)
    same(set(), found, result, "nothing is wrong")


def complaint(source):
    try:
        {"examples": check_bugtest, "programs": check_program, "clean": check_clean}[source.parent.name](source)
    except Exception as error:  # one that goes wrong in any way costs no other
        return f"{type(error).__name__} {error}"
    return ""


def main():
    words, every = sys.argv[2:], 1
    if words[:1] == ["--every"]:
        every, words = int(words[1]), words[2:]
    sources = [ROOT / "examples" / "bugtest.c", *sorted((HERE / "clean").glob("*.c")), *sorted((HERE / "programs").glob("*.c"))[::every]]
    sources = [source for source in sources if not words or any(word in source.stem for word in words)]
    failed = 0
    with ThreadPoolExecutor(JOBS) as pool:
        for source, text in zip(sources, pool.map(complaint, sources)):
            failed += bool(text)
            print(f"{source.stem}: {'FAILED: ' + text.replace(chr(10), chr(10) + '  ') if text else 'passed'}", flush=True)
    print(f"{len(sources) - failed} of {len(sources)} programs: every defect found, and silent when fixed")
    return 1 if failed or not sources else 0


if __name__ == "__main__":
    sys.exit(main())
