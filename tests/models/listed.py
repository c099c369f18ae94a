"""runtime/README.md lists every function and variable that the models define, and which of them are linked into programs
under test; and nothing else.

usage: listed.py NM OBJECT README LLVM_NM NATIVE_BITCODE
"""
import re
import subprocess
import sys

nm, models, readme, llvm_nm, native_models = sys.argv[1:]


def symbols(tool, file):
    lines = subprocess.run([tool, "--defined-only", file], check=True, capture_output=True, text=True).stdout.splitlines()
    names = {line.split()[-1].removeprefix("model_") for line in lines if line.split()[-2] in "TDBRGVC"}
    # Reserved names stand for others; the README describes them together.
    return {name for name in names if not name.startswith(("plumb_", "__", "_IO_"))}


defined = symbols(nm, models)
native = symbols(llvm_nm, native_models)
rows = [line.split("|") for line in open(readme) if line.startswith("| ") and not line.startswith("| header")]
listed = []
listed_native = set()
for _, _, beside, functions, _ in rows:
    names = re.findall(r"\w+", functions.replace(", and the tables", ""))
    names = [name for name in names if not name.startswith("__")]
    listed += names
    if beside.strip() == "yes":
        listed_native |= set(names)

differences = {
    "not listed": defined - set(listed),
    "not modelled": set(listed) - defined,
    "listed twice": {name for name in listed if listed.count(name) > 1},
    "linked into programs under test, which is not said": native - listed_native,
    "not linked into programs under test": listed_native - native,
}
for text, names in differences.items():
    if names:
        print(f"{text}: {' '.join(sorted(names))}")
sys.exit(1 if any(differences.values()) else 0)
