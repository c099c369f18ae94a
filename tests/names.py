#!/usr/bin/env python3
"""Parameters of tests print as words: `names.py EXECUTABLE…` fails where one prints as a dump of its bytes, which says nothing and
is another one each time."""
import subprocess
import sys


def main():
    failures = 0
    for executable in sys.argv[1:]:
        listed = subprocess.run([executable, "--gtest_list_tests"], capture_output=True, check=True, timeout=300).stdout.decode()
        suite = ""
        for line in listed.splitlines():
            if not line.startswith(" "):
                suite = line.split(" ")[0]
            elif "-byte object <" in line:
                print(f"{executable}: {suite}{line.strip()}")
                failures += 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
