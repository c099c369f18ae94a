#!/usr/bin/env python3
"""Programs of Debian's source packages, built with `plumb cc` and tested with symbolic input, as Markdown.

    run.py PLUMB [--quick] [--seconds N] [--work DIR] [NAME…]

Each package is fetched and built unmodified with CC="plumb cc", its own test suite (or a smoke script, where it has none
that runs without its documentation tools) must pass on what was built, then `plumb test` runs for N seconds (30; --quick: 10) and
the tests are replayed for coverage. Exit code 1 if a package does not build, does not pass or yields no test."""
import argparse
import json
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "lowering"))
from packages import Apt, run  # noqa: E402

FLAGS = "CFLAGS=-g -O1 -w"


class Package:
    """What is fetched, what is built, how it is checked, and what is symbolic."""

    def __init__(self, source, program, build, check, arguments, checked_by):
        self.source, self.program, self.build, self.check = source, program, build, check
        self.arguments, self.checked_by = arguments, checked_by


def says(program, arguments, given, wanted):
    """The program prints what is wanted."""
    done = subprocess.run([str(program), *arguments], input=given.encode(), capture_output=True, timeout=60)
    if done.stdout.decode() != wanted:
        raise RuntimeError(f"{program} {' '.join(arguments)} printed {done.stdout!r}, not {wanted!r}")


def build_zlib(cc, directory, log):
    run(["./configure", "--static"], directory, log, CC=cc, CFLAGS="-g -O1 -w")
    run(["make", "-s", "libz.a", "minigzip", "example"], directory, log)


def check_zlib(directory, log):
    run(["make", "-s", "teststatic"], directory, log)
    text = "".join(f"{n * n} " for n in range(5000))
    packed = subprocess.run([str(directory / "minigzip")], input=text.encode(), capture_output=True, check=True).stdout
    if subprocess.run([str(directory / "minigzip"), "-d"], input=packed, capture_output=True, check=True).stdout != text.encode():
        raise RuntimeError("minigzip does not give back what it was given")


def build_lua(cc, directory, log):
    # As debian/rules does it, without the readline library.
    libtool = directory / "debian" / "libtool"
    if not (libtool / "libtool").exists():
        libtool.mkdir(exist_ok=True)
        (libtool / "configure.ac").write_text((directory / "debian" / "configure.ac").read_text())
        run(["autoreconf", "-f", "-i"], libtool, log, LIBTOOLIZE="libtoolize -i")
        run(["./configure"], libtool, log, CC=cc, CXX=cc.removesuffix("cc") + "c++")
    architecture = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True, text=True, check=True).stdout.strip()
    (directory / "src" / "lua5.4-deb-multiarch.h").write_text(f'#define DEB_HOST_MULTIARCH "{architecture}"\n')
    run(["make", "-s", "linux", f"LIBTOOL={libtool / 'libtool'} --silent", f"CC={cc} -std=gnu99", f"CXX={cc.removesuffix('cc')}c++",
         "MYCFLAGS=-g -O1 -w"], directory, log)


def check_lua(directory, _):
    script = """local t = {} for i = 1, 100 do t[#t + 1] = (i * 7919) % 101 end table.sort(t)
local f = coroutine.wrap(function() for w in ("a bc def"):gmatch("%a+") do coroutine.yield(#w) end end)
print(t[1], t[50], f() + f() + f(), string.format("%5.2f|%x", math.pi, 255), select("#", pcall(error, "x")))"""
    says(directory / "src" / "lua5.4", ["-"], script, "1\t50\t6\t 3.14|ff\t2\n")


def build_jq(cc, directory, log):
    run(["autoreconf", "-fi"], directory, log)
    run(["./configure", "--disable-docs", "--disable-maintainer-mode", "--disable-shared", "--with-oniguruma=no", f"CC={cc}", FLAGS], directory, log)
    run(["make", "-s"], directory, log)


def check_jq(directory, log):
    run(["./tests/jqtest"], directory, log, NO_VALGRIND="1", JQ=str(directory / "jq"))


def build_bc(cc, directory, log):
    run(["./configure", f"CC={cc}", FLAGS], directory, log)
    for part in ("lib", "bc"):
        run(["make", "-s", "-C", part, "AUTOMAKE=:", "ACLOCAL=:", "AUTOCONF=:", "AUTOHEADER=:"], directory, log)


def check_bc(directory, _):
    says(directory / "bc" / "bc", ["-lq"], "scale=30\n4*a(1)\nfor(i=1;i<4;i++) 2^(i*40)\nobase=16\n255\n",
         "3.141592653589793238462643383276\n1099511627776\n1208925819614629174706176\n1329227995784915872903807060280344576\nFF\n")


def build_sed(cc, directory, log):
    run(["./configure", "--disable-nls", "--disable-acl", "--without-selinux", f"CC={cc}", FLAGS], directory, log, FORCE_UNSAFE_CONFIGURE="1")
    run(["make", "-s"], directory, log)


def check_sed(directory, _):
    sed = directory / "sed" / "sed"
    says(sed, ["-n", "-e", "$!{h;d};H;x;s/\\n/+/;p"], "one\ntwo\nthree\n", "two+three\n")
    says(sed, ["-E", "s/([a-z]+) ([0-9]{2,})/\\2-\\1/g;y/abc/ABC/"], "ab 12 c 3 cab 456\n", "12-AB C 3 456-CAB\n")


PACKAGES = {
    "minigzip": Package("zlib", "minigzip", build_zlib, check_zlib, ["--arg", "-d", "--sym-stdin", "32"], "make teststatic"),
    "lua5.4": Package("lua5.4", "src/lua5.4", build_lua, check_lua, ["--arg", "-", "--sym-stdin", "12"], "smoke script"),
    "jq": Package("jq", "jq", build_jq, check_jq, ["--arg", ".", "--sym-stdin", "12"], "tests/jqtest"),
    "bc": Package("bc", "bc/bc", build_bc, check_bc, ["--sym-stdin", "12"], "smoke script"),
    "sed": Package("sed", "sed/sed", build_sed, check_sed, ["--sym-arg", "8", "--sym-stdin", "16"], "smoke script"),
}


def call(command, limit):
    done = subprocess.run([str(word) for word in command], capture_output=True, timeout=limit, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"{' '.join(map(str, command))}\nexit code {done.returncode}: {done.stderr.decode(errors='replace')[-1500:]}")
    return json.loads(done.stdout)


def one(plumb, name, work, seconds):
    """A row of the table."""
    package = PACKAGES[name]
    log = work / f"{name}.log"
    log.unlink(missing_ok=True)
    directory = Apt(work / "apt").source(package.source, log)
    marker = work / f"{name}.built"
    if not marker.exists():
        package.build(f"{plumb} cc", directory, log)
        marker.touch()
    package.check(directory, log)
    out = work / f"out-{name}"
    tested = call([plumb, "test", directory / package.program, *package.arguments, "--timeout", f"{seconds}s", "--json", "-q", "--out", out],
                  10 * seconds + 300)
    replayed = call([plumb, "replay", out, "--json", "-q", "--no-files"], 1800)
    files = [file["branches"] for file in replayed["coverage"]["files"]]
    covered, total = (sum(file[key] for file in files) for key in ("covered", "total"))
    tests = replayed["tests"]["count"]
    if tests == 0:
        raise RuntimeError("no test was found")
    return (f"| {name} | {directory.name} | {package.checked_by} passed | `{' '.join(package.arguments)}` | {tests} | {tested['stats']['runs']} "
            f"| {covered} of {total} ({100 * covered / max(total, 1):.0f} %) | {len(tested.get('defects', []))} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(os.environ.get("TMPDIR", "/tmp"), "plumb-bench-packages"))
    options = parser.parse_intermixed_args()
    plumb, work = options.plumb.resolve(), options.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    is_complete = True
    print("| program | from | checked by | symbolic | tests | runs | branches covered | errors |\n|---|---|---|---|--:|--:|--:|--:|")
    for name in options.names or PACKAGES:
        try:
            print(one(plumb, name, work, options.seconds or (10 if options.quick else 30)), flush=True)
        except Exception as error:
            is_complete = False
            print(f"failed: {name}: {error}\n", file=sys.stderr)
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
