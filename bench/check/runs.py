"""A run of `plumb check` on a task, within limits, and tables of such runs: what the benchmarks of checking share."""
import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
from dataclasses import dataclass

GRACE = 15  # seconds behind the limit before a run counts as lost


@dataclass
class Run:
    verdict: str  # "crash" for anything but a verdict
    seconds: float
    detail: str


def children_of(process):
    """The process and all that it started, by /proc."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = pathlib.Path("/proc", entry, "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry)] = int(fields[1])
            except (OSError, IndexError):
                continue
    found, more = {process}, True
    while more:
        added = {p for p, parent in parents.items() if parent in found} - found
        found |= added
        more = bool(added)
    return found


def resident(processes):
    total = 0
    for process in processes:
        try:
            match = re.search(r"^VmRSS:\s*(\d+) kB", pathlib.Path(f"/proc/{process}/status").read_text(), re.M)
            total += int(match[1]) * 1024 if match else 0
        except OSError:
            continue
    return total


def execute(command, limit):
    """The finished process (killed behind limit and grace), its time, the most memory that it and its children had at once."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    peak, is_over = 0, threading.Event()

    def watch():
        nonlocal peak
        while not is_over.wait(0.2):
            peak = max(peak, resident(children_of(process.pid)))
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        output, error = process.communicate(timeout=limit + GRACE)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, error = process.communicate()
        error += f"\nkilled {GRACE} s behind its limit"
    finally:
        is_over.set()
        watcher.join()
    return process.returncode, output, error, time.monotonic() - start, peak


def check(plumb, task, engine, options):
    command = [plumb, "check", str(task.definition), "--engine", engine, "--timeout", str(options.timeout), "--memory", options.memory,
               "--json", "-q"]
    code, output, error, seconds, _ = execute(command, options.timeout)
    try:
        result = json.loads(output)
    except ValueError:
        return Run("crash", seconds, f"exit code {code}: {error.strip()[-400:]}")
    if code not in (0, 10, 20) or "verdict" not in result:
        return Run("crash", seconds, f"exit code {code}: {json.dumps(result)[:400]}")
    property = result["properties"][0] if result.get("properties") else {}
    return Run(result["verdict"], seconds, f"{property.get('engine', '')} {property.get('detail', '')}: {property.get('reason', '')}")


def judged(task, run):
    """correct safe, correct unsafe, unknown, wrong, refused, crash."""
    if run.verdict == "crash":
        return "crash"
    said = {"holds": True, "vacuous": True, "violated": False}.get(run.verdict)
    if task.expected is None:
        # A run that never comes to a number may be told; the task names those whose error is real.
        return "refused" if said is None else "correct unsafe" if said is False and "unsafe" in task.name else "wrong"
    if said is None:
        return "unknown"
    return ("correct safe" if said else "correct unsafe") if said == task.expected else "wrong"


class Table:
    COLUMNS = ("correct safe", "correct unsafe", "refused", "unknown", "wrong", "crash")

    def __init__(self):
        self.rows = {}

    def add(self, family, engine, kind, seconds):
        row = self.rows.setdefault((family, engine), {c: 0 for c in self.COLUMNS} | {"seconds": 0.0, "tasks": 0})
        row[kind] += 1
        row["tasks"] += 1
        row["seconds"] += seconds

    def print(self, engines):
        families = sorted({family for family, _ in self.rows})
        print("| family | engine | tasks | " + " | ".join(self.COLUMNS) + " | seconds |")
        print("|---|---|" + "---:|" * (len(self.COLUMNS) + 2))
        for family in [*families, "all"]:
            for engine in engines:
                rows = [row for (f, e), row in self.rows.items() if e == engine and family in (f, "all")]
                if rows:
                    sums = {key: sum(row[key] for row in rows) for key in rows[0]}
                    print(f"| {family} | {engine} | {sums['tasks']} | " + " | ".join(str(sums[c] or "") for c in self.COLUMNS) +
                          f" | {sums['seconds']:.1f} |")
        print(flush=True)
