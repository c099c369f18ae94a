#!/usr/bin/env python3
"""False alarms on programs that are in use: Debian's zlib, lua, jq, bc and sed, with all default checks, on their own test inputs.

    packages.py PLUMB [--work DIR] [--checks LIST] [NAME…]

The packages are fetched and built with `plumb cc` as bench/packages does. What their test suites run is recorded by a
script in the program's place (arguments, standard input, variables, files), or made of the test inputs that lie in the
package; `plumb replay --checks` runs it in the program with checks. Every report is listed. Those that were looked at and
are real are known, with words why; exit code 1 for any other."""
import argparse
import contextlib
import importlib.util
import json
import os
import pathlib
import stat
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 20  # for one script of a suite
# (package, kind, place) of the versions in Debian 12, and what is wrong there.
KNOWN = {
    ("sed", "leak", "xmalloc.c:45 < xmalloc.c:314 < compile.c:743"):
        "a replacement without text (s/x//): its zero bytes are copied and the pointer is kept nowhere, unless sed is built for lint",
}

RECORDER = """#!{python} -SEs
import hashlib, json, os, subprocess, sys
given = b"" if sys.stdin.isatty() else sys.stdin.buffer.read()
files, arguments = {{}}, []
def is_kept(path):
    return os.path.isfile(path) and os.path.getsize(path) <= 65536 and len(files) < 26
def keep(path):
    with open(path, "rb") as file:
        files[os.path.basename(path)] = file.read().hex()
def word(text):
    content = os.fsencode(text)
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {{"bytes": content.hex()}}
for name in sorted(os.listdir(".")):
    if is_kept(name) and any(name in argument for argument in sys.argv[1:]):
        keep(name)
for argument in sys.argv[1:]:
    if argument.startswith("/") and is_kept(argument):  # of a scratch directory, as a rule
        keep(argument)
        argument = os.path.basename(argument)
    arguments.append(word(argument))
environment = {{"arguments": arguments, "stdin": given.hex(), "files": [{{"name": n, "bytes": b}} for n, b in files.items()],
               "variables": {{name: os.environ[name] for name in {variables} if name in os.environ}}}}
text = json.dumps({{"plumb": "1.0", "inputs": [], "environment": environment}})
with open(os.path.join({tests!r}, hashlib.sha256(text.encode()).hexdigest()[:16] + ".json"), "w") as out:
    out.write(text)
sys.exit(subprocess.run([{program!r}, *sys.argv[1:]], input=given).returncode & 255)
"""


def bench_packages():
    spec = importlib.util.spec_from_file_location("bench_packages", HERE.parent / "packages" / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Tests:
    """The directory of a package's tests; kept for the next time once it is complete."""

    def __init__(self, path):
        self.path, self.marker = path, path.with_name(path.name + ".complete")
        path.mkdir(parents=True, exist_ok=True)
        for old in () if self.is_complete() else path.glob("*.json"):
            old.unlink()

    def is_complete(self):
        return self.marker.exists()

    def complete(self):
        if not any(self.path.iterdir()):
            raise RuntimeError(f"{self.path.name}: no test was found")
        self.marker.touch()

    def add(self, *arguments, given=b""):
        number = len(list(self.path.iterdir())) + 1
        environment = {"arguments": [str(argument) for argument in arguments], "stdin": given.hex()}
        (self.path / f"own-{number:04}.json").write_text(json.dumps({"plumb": "1.0", "inputs": [], "environment": environment}))

    @contextlib.contextmanager
    def recorded(self, program):
        """Meanwhile a script in the place of the program keeps what it is called with, and calls it."""
        aside = program.with_name(program.name + ".real")
        program.rename(aside)
        try:
            program.write_text(RECORDER.format(python=sys.executable, tests=str(self.path), program=str(aside),
                                               variables=("LC_ALL", "POSIXLY_CORRECT", "COLS")))
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            yield
        finally:
            aside.replace(program)


def run_suite(commands, directory, environment):
    """Whether a script passes is not asked here."""
    for command in commands:
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(command, cwd=directory, env={**os.environ, **environment}, capture_output=True, timeout=SECONDS)


def zlib_tests(directory, tests):
    packed = {level: subprocess.run([str(directory / "minigzip"), level], input=b"hello world\n" * 50, capture_output=True, check=True).stdout
              for level in ("-1", "-6", "-9")}
    for level, content in packed.items():
        tests.add(level, given=b"hello world\n")
        tests.add(level, given=(directory / "test" / "example.c").read_bytes())
        tests.add("-d", given=content)
        tests.add("-d", given=content[:-6])
    for way in ("-f", "-h", "-r"):
        tests.add(way, given=(directory / "zlib.h").read_bytes())


def lua_tests(directory, tests):
    for script in [HERE.parent / "lowering" / "script.lua", *sorted((HERE / "lua").glob("*.lua"))]:
        tests.add(script)
        tests.add("-", given=script.read_bytes())
    tests.add("-e", "print(1 // 0.0, #arg, ...)", "-v")
    tests.add("-x")


def jq_tests(directory, tests):
    with tests.recorded(directory / "jq"):
        run_suite([[f"./tests/{name}"] for name in ("jqtest", "base64test", "optionaltest", "shtest", "utf8test")], directory, {"NO_VALGRIND": "1"})


def bc_tests(directory, tests):
    for path in sorted((directory / "Test").glob("*.b*")):
        tests.add("-l", given=path.read_bytes() + b"\nquit\n")
    tests.add("-lq", given=b"scale=30\n4*a(1)\nfor(i=1;i<4;i++) 2^(i*40)\nobase=16\n255\n")


def sed_tests(directory, tests):
    environment = {"srcdir": ".", "top_srcdir": ".", "abs_srcdir": str(directory), "abs_top_srcdir": str(directory),
                   "abs_top_builddir": str(directory), "built_programs": "sed", "LC_ALL": "C", "AWK": "awk", "PERL": "perl", "SHELL": "/bin/sh",
                   "CONFIG_HEADER": "config.h", "VERSION": "4.9", "PACKAGE_VERSION": "4.9", "LOCALE_FR": "none", "LOCALE_JA": "none",
                   "LOCALE_FR_UTF8": "none", "PATH": f"{directory / 'sed'}:{os.environ['PATH']}"}
    perl = ["perl", "-w", "-Itestsuite", "-MCuSkip", "-MCoreutils"]
    scripts = sorted((directory / "testsuite").glob("*.sh")), sorted((directory / "testsuite").glob("*.pl"))
    with tests.recorded(directory / "sed" / "sed"):
        run_suite([["/bin/sh", f"testsuite/{path.name}"] for path in scripts[0] if path.name != "init.sh"], directory, environment)
        run_suite([[*perl, f"-MCuTmpdir qw({path.name})", f"testsuite/{path.name}"] for path in scripts[1]], directory, environment)


TESTS = {"minigzip": zlib_tests, "lua5.4": lua_tests, "jq": jq_tests, "bc": bc_tests, "sed": sed_tests}


def replayed(plumb, tests, program, checks):
    command = [str(plumb), "replay", str(tests.path), str(program), "--checks", checks, "--json", "-q", "--no-files", "--run-timeout", "60s"]
    done = subprocess.run(command, capture_output=True, timeout=1800, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr.decode(errors='replace')[-1500:]}")
    return json.loads(done.stdout)


def place_of(defect):
    """file:line, of a leak with the two calls around it: allocations are often all made in one function."""
    frames = defect.get("object", {}).get("allocated_stack", []) if defect["kind"] == "leak" else []
    return " < ".join(f"{pathlib.Path(frame.get('file', '')).name}:{frame.get('line')}" for frame in frames[:3] or [defect])


def one(plumb, name, work, checks):
    """Prints a row and gives the reports that are not known."""
    package = bench_packages().PACKAGES[name]
    log = work / f"{name}.log"
    directory = bench_packages().Apt(work / "apt").source(package.source, log)
    marker = work / f"{name}.built"
    if not marker.exists():
        package.build(f"{plumb} cc", directory, log)
        marker.touch()
    tests = Tests(work / f"own-{name}")
    if not tests.is_complete():
        TESTS[name](directory, tests)
        tests.complete()
    result = replayed(plumb, tests, directory / package.program, checks)
    reports = [(name, defect["kind"], place_of(defect), defect.get("message", "")) for defect in result.get("defects", [])]
    unknown = [report for report in reports if report[:3] not in KNOWN]
    ended = sum("problem" not in test for test in result["tests"]["list"])
    print(f"| {name} | {directory.name} | {ended} of {len(result['tests']['list'])} | {len(reports) - len(unknown)} | {len(unknown)} |", flush=True)
    return reports, unknown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--checks", default="default")
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(os.environ.get("TMPDIR", "/tmp"), "plumb-bench-packages"))
    options = parser.parse_intermixed_args()
    plumb, work = options.plumb.resolve(), options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    reports, unknown, is_complete = [], [], True
    print("| program | from | tests of its own that came to their end | reports that are real | other reports |\n|---|---|--:|--:|--:|")
    for name in options.names or TESTS:
        try:
            seen, new = one(plumb, name, work, options.checks)
            reports, unknown = reports + seen, unknown + new
        except Exception as error:
            is_complete = False
            print(f"failed: {name}: {error}\n", file=sys.stderr)
    print()
    for report in reports:
        package, kind, place, message = report
        print(f"- {package}: {kind} at {place}: {KNOWN.get(report[:3], message)}")
    return 0 if is_complete and not unknown else 1


if __name__ == "__main__":
    sys.exit(main())
