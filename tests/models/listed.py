"""runtime/README.md lists every function and variable that the models define, and nothing else.

usage: listed.py NM OBJECT README
"""
import re
import subprocess
import sys

nm, models, readme = sys.argv[1:]
lines = subprocess.run([nm, "--defined-only", models], check=True, capture_output=True, text=True).stdout.splitlines()
symbols = [line.split()[1:] for line in lines]
defined = {name.removeprefix("model_") for kind, name in symbols if kind in "TDBRGV"}
# Reserved names stand for others; the README describes them together.
defined = {name for name in defined if not name.startswith(("plumb_", "__", "_IO_"))}

rows = [line for line in open(readme) if line.startswith("| ") and not line.startswith("| header")]
listed = [name for row in rows for name in re.findall(r"\w+", row.split("|")[2].replace(", and the tables", ""))]
listed = [name for name in listed if not name.startswith("__")]

missing = sorted(defined - set(listed))
unknown = sorted(set(listed) - defined)
twice = sorted({name for name in listed if listed.count(name) > 1})
for text, names in (("not listed", missing), ("not modelled", unknown), ("listed twice", twice)):
    if names:
        print(f"{text}: {' '.join(names)}")
sys.exit(1 if missing or unknown or twice else 0)
