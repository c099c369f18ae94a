#!/usr/bin/env python3
"""The Flasher Manager of examples/flasher: its README's commands print what it says.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

Times and the engines that were first may differ, and a line of `…` stands for any lines. The README's programs are run where they are."""
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = HERE.parents[2] / "examples" / "flasher"
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, run_scenarios, shown  # noqa: E402


def commands():
    """The README's, each with the lines that it prints."""
    found = []
    for block in re.findall(r"^```\n(\$ .*?)^```$", (EXAMPLE / "README.md").read_text(), re.M | re.S):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


def pattern_of(lines):
    """What the output has to match."""
    parts = []
    for line in lines:
        masked = re.sub(r"(found|proved) by .*?(?=, confirmed| \(\d|;)", r"\1 by \0", line)
        masked = re.sub(r"\(\d+\.\d\d s\)", "\1", masked)
        parts.append(r"(.*\n)*?" if line == "…" else re.escape(masked).replace("\0", ".*").replace("\1", r"\(\d+\.\d\d s\)") + r"\n")
    return re.compile("".join(parts) + r"\Z")


def printed(files, command):
    """Of a command of the README, run on copies of its files."""
    for source in EXAMPLE.iterdir():
        shutil.copy(source, files.path)
    (files.path / "plumb").symlink_to(PLUMB)
    command = re.sub(r"^plumb ", "./plumb ", command)
    result = subprocess.run(command, shell=True, cwd=files.path, capture_output=True, timeout=SECONDS)
    return result, result.stdout.decode()


def sequences_are_those_of_the_description(files):
    """The lights show the sequences of the description, run natively."""
    ((command, lines),) = [(command, lines) for command, lines in commands() if command.startswith("cc ")]
    result, output = printed(files, command)
    check(output.splitlines() == lines, f"the README says otherwise\n{shown(result)}")


def answers_are_those_of_the_readme(files):
    """Each property has the answer that the README shows."""
    asked = [(command, lines) for command, lines in commands() if command.startswith("plumb ")]
    check(len(asked) >= 5, "the README has too few commands")
    for command, lines in asked:
        result, output = printed(Files(), command)
        check(pattern_of(lines).match(output), f"the README says otherwise:\n{chr(10).join(lines)}\n{shown(result)}")


SCENARIOS = [sequences_are_those_of_the_description, answers_are_those_of_the_readme]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
