"""include/plumb/plumb.h compiles without a warning in every standard, and behaves as it says without plumb.

usage: run.py CLANG INCLUDE_DIRECTORY
"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

clang, include = sys.argv[1:]
source = str(pathlib.Path(__file__).with_name("uses_header.c"))
failures = []


def expect(condition, claim):
    if not condition:
        failures.append(claim)


C_STANDARDS = ["c89", "gnu89", "c99", "c11", "c17", "c23"]
CPP_STANDARDS = ["c++98", "c++11", "c++17", "c++20", "c++23"]
warnings = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-pedantic", "-Werror", "-I", include]

with tempfile.TemporaryDirectory() as directory:
    for language, standards in (("c", C_STANDARDS), ("c++", CPP_STANDARDS)):
        for standard in standards:
            for macro in ([], ["-D__PLUMB__=1"]):
                command = [clang, "-x", language, f"-std={standard}", "-fsyntax-only", *warnings, *macro, source]
                result = subprocess.run(command, capture_output=True, text=True)
                expect(result.returncode == 0, f"{standard} {macro} compiles: {result.stderr}")

    program = os.path.join(directory, "program")
    subprocess.run([clang, "-std=c89", *warnings, source, "-o", program], check=True)

    def run(**inputs):
        environment = {f"PLUMB_{name}": value for name, value in inputs.items()}
        return subprocess.run([program], env=environment, capture_output=True, text=True)

    plain = run()
    expect((plain.returncode, plain.stdout) == (0, "5 1 2 3 0\n"), f"values stay without the environment: {plain}")
    given = run(speed="-7", bytes="hex:00ff10", wide="0x7fFF")
    expect((given.returncode, given.stdout) == (0, "-7 0 255 16 32767\n"), f"the environment gives values: {given}")
    large = run(speed="-2147483648", wide="-9223372036854775807")
    expect(large.stdout == "-2147483648 1 2 3 -9223372036854775807\n", f"extreme numbers are read: {large}")
    assumed = run(speed="1000")
    expect((assumed.returncode, assumed.stdout, assumed.stderr) == (77, "", ""), f"a false assumption is quiet: {assumed}")
    outside = run(digit="10")
    expect(outside.returncode == 77, f"a range is an assumption: {outside}")
    checked = run(speed="99")
    expect(checked.returncode == -signal.SIGABRT, f"a false check aborts: {checked}")
    expect("uses_header.c:16: plumb_check failed: speed != 99" in checked.stderr, f"and says where: {checked}")

for failure in failures:
    print("failed:", failure)
sys.exit(1 if failures else 0)
