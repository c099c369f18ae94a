"""Runs one C or C++ program natively and in the interpreter, for the tests that compare the two."""
import json
import os
import signal
import subprocess
from dataclasses import dataclass, field

from result_object import complaints

CLANG = {".c": "clang-19", ".cpp": "clang++-19"}


@dataclass
class Outcome:
    """How a program ended, whoever ran it."""

    output: str = ""
    exit_code: int | None = None  # None: it did not end by itself
    end: str = "exit"  # or "defect", "unknown", "error", "timeout", "signal"
    reason: str = ""
    defects: list = field(default_factory=list)
    instructions: int = 0
    seconds: float = 0.0

    def same_as(self, other):
        return (self.end, self.exit_code, self.output) == (other.end, other.exit_code, other.output)

    def __str__(self):
        if self.end == "exit":
            return f"exit code {self.exit_code}"
        defects = "".join(f"\n  {d['kind']} at {d.get('file')}:{d.get('line')}: {d.get('message')}" for d in self.defects)
        return f"{self.end}: {self.reason}{defects}"


def execute(command, text, seconds, directory=None):
    """Exit code, output and errors; None for the code if the time was not enough. Nothing is left running."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=directory, start_new_session=True)
    try:
        output, error = process.communicate(text, timeout=seconds)
        return process.returncode, output, error
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, error = process.communicate()
        return None, output, error


def compile_natively(sources, flags, executable, optimisation="-O1", seconds=120):
    """Returns what the compiler complained about; empty if it made the executable."""
    suffix = ".cpp" if any(str(s).endswith(".cpp") for s in sources) else ".c"
    libraries = [f for f in flags if f.startswith("-l")]
    others = [f for f in flags if not f.startswith("-l")]
    command = [CLANG[suffix], optimisation, "-w", *others, *map(str, sources), "-o", str(executable), *libraries, "-lm"]
    code, _, error = execute(command, b"", seconds)
    return "" if code == 0 else f"{' '.join(command)}\n{error.decode(errors='replace')}"


def run_natively(executable, arguments=(), text=b"", seconds=60, directory=None):
    code, output, _ = execute([str(executable), *arguments], text, seconds, directory)
    decoded = output.decode(errors="replace")
    if code is None:
        return Outcome(decoded, None, "timeout")
    if code < 0:
        return Outcome(decoded, None, "signal", f"signal {-code}")
    return Outcome(decoded, code)


def plumb_command(plumb, sources, flags, optimisation="0", arguments=(), options=()):
    width = [f for f in flags if f in ("-m32", "-m64")]
    compiler_flags = [f for f in flags if not f.startswith("-l") and f not in width]
    given = [f"--arg={a}" for a in arguments]
    return [str(plumb), "run", *map(str, sources), "--json", "-O", optimisation, *width, *given, *options, "--", "-w", *compiler_flags]


def run_by_plumb(command, text=b"", seconds=60, directory=None):
    """`command` as made by plumb_command()."""
    code, output, error = execute(command, text, seconds, directory)
    if code is None:
        return Outcome(end="timeout", reason=f"no end within {seconds} s")
    try:
        result = json.loads(output)
    except ValueError:
        return Outcome(end="error", reason=f"exit code {code}, no JSON\n{error.decode(errors='replace')[-2000:]}")
    if wrong := complaints(result):
        return Outcome(end="error", reason="not as docs/result.schema.json has it: " + "; ".join(wrong))
    outcome = Outcome(result.get("output", {}).get("stdout", ""))
    outcome.defects = result.get("defects", [])
    outcome.instructions = result.get("stats", {}).get("instructions", 0)
    outcome.seconds = result.get("stats", {}).get("seconds", 0.0)
    outcome.reason = result.get("reason", "") or json.dumps(result.get("error", ""))
    outcome.end = {"no-defect": "exit", "defect": "defect", "unknown": "unknown"}.get(result.get("verdict"), "error")
    if outcome.end == "exit":
        outcome.exit_code = result["exit_code"] & 0xFF
        outcome.reason = ""
    return outcome


def headings(path):
    """The leading comments `// key: value` of a program; a key may come more than once."""
    found = {}
    for line in path.read_text().splitlines():
        if not line.startswith("// ") or ":" not in line:
            break
        key, value = line[3:].split(":", 1)
        found.setdefault(key, []).append(value.strip())
    return found


def words(found, key):
    return " ".join(found.get(key, [])).split()
