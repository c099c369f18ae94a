#!/usr/bin/env python3
"""Holds the expected verdicts of the tasks against native runs.

    validate.py [--runs 1000] [--jobs 1] [--search] [FAMILY | FAMILY/NAME]…

An unsafe task has a line `// Fails with: INPUTS` (`no input` if it needs none): a native run with them comes to its error, or a
sanitizer stops it if the property is about memory or overflow. A safe task comes to none in random runs, or in its only run if it
reads nothing; nor to undefined behaviour, which no verdict should depend on. Tasks with threads run in orders that threads.c draws, and their first
input is the number of the order. Where memory that nothing set decides (`uninit_…`), safe tasks are run with two
contents of it, and unsafe ones with that of their line `// Uninitialised: zeros` or `pattern`. --search looks for inputs where the line
says `?` and writes them there. Exit code 1 if a verdict is refuted."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

HERE = pathlib.Path(__file__).resolve().parent
CLANG = "clang-19"
FOUND, TOO_LONG = 66, 77
UNDEFINED = {"UBSAN_OPTIONS": "exitcode=99", "TASK_SANITIZED": "1"}


@dataclass
class Task:
    definition: pathlib.Path
    source: pathlib.Path
    property: str  # the name of its file: "unreach-call"
    expected: bool | None  # None: outside of what is supported
    word_size: int

    @property
    def family(self):
        return self.definition.parent.name

    @property
    def name(self):
        return self.definition.stem

    @property
    def is_reachability(self):
        return self.property in ("unreach-call", "unreach-label", "assertions")

    @property
    def has_threads(self):
        return re.search(r"^#include <(pthread|threads)\.h>", self.source.read_text(), re.M) is not None

    @property
    def contents(self):
        """Of memory that nothing set; [None]: nothing depends on it."""
        if not self.name.startswith("uninit_"):
            return [None]
        match = re.search(r"^// Uninitialised: (zeros|pattern)$", self.source.read_text(), re.M)
        return ["zeros", "pattern"] if match is None else [match[1]]

    @property
    def failing(self):
        """The inputs that are said to fail, as words (`20*1` are twenty ones); None if there is no such line."""
        match = re.search(r"^// Fails with: *(.*)$", self.source.read_text(), re.M)
        if match is None or match[1] == "no input":
            return None if match is None else []
        words = (word.split("*") for word in match[1].split())
        return [word[-1] for word in words for _ in range(int(word[0]) if len(word) == 2 else 1)]


def read(definition):
    text = definition.read_text()
    verdict = re.search(r"expected_verdict: (true|false)", text)
    return Task(definition, definition.parent / re.search(r"input_files: '(.*)'", text)[1],
                pathlib.Path(re.search(r"property_file: (.*)", text)[1]).stem, verdict and verdict[1] == "true",
                32 if "ILP32" in text else 64)


def all_tasks(chosen=()):
    """By family and name; `chosen` are families or FAMILY/NAME."""
    tasks = [read(path) for path in sorted(HERE.glob("*/*.yml"))]
    return [t for t in tasks if not chosen or t.family in chosen or f"{t.family}/{t.name}" in chosen]


def build_threaded(task, directory):
    """With threads.c, which draws the order of its threads."""
    executable, objects = pathlib.Path(directory, "task"), []
    instrumented = ["-O0", "-fsanitize=thread", "-mllvm", "-tsan-instrument-read-before-write=1", "-finstrument-functions", "-femulated-tls",
                    "-Dmain=threaded_main", "-Dmalloc=task_malloc", "-Dcalloc=task_calloc", "-Dfree=task_free"]
    for source, flags in ((task.source, instrumented), (HERE / "threads.c", ["-O1"]), (HERE / "native.c", ["-O1"])):
        objects.append(str(pathlib.Path(directory, source.stem + ".o")))
        execute([CLANG, "-w", "-g", *flags, "-c", str(source), "-o", objects[-1]])
    execute([CLANG, "-rdynamic", *objects, "-o", str(executable)])
    return executable, dict(os.environ) | {"TASK_PROPERTY": task.property}


def execute(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")


def build(task, directory, content=None):
    """The executable with native.c, and the environment that it runs in. `content`: of memory that nothing set."""
    if task.has_threads:
        return build_threaded(task, directory)
    flags, environment = ["-fsanitize=undefined", "-fno-sanitize=shift-base", "-fno-sanitize-recover=all"], dict(os.environ) | UNDEFINED
    if task.property == "valid-memsafety":
        flags = ["-fsanitize=address"]
        environment |= {"ASAN_OPTIONS": "detect_leaks=1:exitcode=99:detect_stack_use_after_return=1"}
    elif task.property == "no-overflow":
        flags = ["-fsanitize=signed-integer-overflow", "-fno-sanitize-recover=all"]
    source = task.source
    if task.property == "unreach-label":
        source = pathlib.Path(directory, "labelled.c")
        source.write_text(re.sub(r"\bERROR:", "ERROR: reach_error();", task.source.read_text()).replace("int main", "void reach_error(void);\nint main", 1))
    if variables := re.findall(r"^extern .*?(\w+)(?:\[\d+\])*; // outside$", source.read_text(), re.M):
        text = re.sub(r"^extern (.*; // outside)$", r"\1", source.read_text(), flags=re.M)
        fills = "".join(f"  task_fill(&{name}, sizeof {name});\n" for name in variables)
        source = pathlib.Path(directory, "defined.c")
        source.write_text(f"{text}\nvoid task_fill(void *object, __SIZE_TYPE__ size);\nvoid task_begin(void) {{\n{fills}}}\n")
    executable, outside = pathlib.Path(directory, "task"), pathlib.Path(directory, "native.o")
    optimisation = "-O1" if task.is_reachability else "-O0"
    if content is not None:
        flags = [f"-ftrivial-auto-var-init={'zero' if content == 'zeros' else content}"]  # a sanitizer's runtime sets the heap
        optimisation = "-O0"
        environment["GLIBC_TUNABLES"] = f"glibc.malloc.perturb={255 if content == 'zeros' else 85}"
    task_object = pathlib.Path(directory, "task.o")
    common = [CLANG, "-w", "-g", f"-m{task.word_size}"]
    for command in ([*common, *flags, optimisation, "-Dmain=task_main", "-c", str(source), "-o", str(task_object)],
                    [*common, "-O1", "-c", str(HERE / "native.c"), "-o", str(outside)],
                    [*common, *flags, "-Wl,-z,muldefs", str(task_object), str(outside), "-o", str(executable)]):
        execute(command)
    return executable, environment


def reads_input(task):
    return task.has_threads or re.search("__VERIFIER_nondet|; // outside$", task.source.read_text(), re.M) is not None


def validate(task, runs, search):
    """What is wrong with the expected verdict, or an empty string."""
    if task.expected is None:
        return ""
    return "".join(validate_with(content, task, runs, search) for content in task.contents)


def validate_with(content, task, runs, search):
    with tempfile.TemporaryDirectory() as directory:
        executable, environment = build(task, directory, content)

        def run(*arguments):
            done = subprocess.run([str(executable), *arguments], capture_output=True, text=True, errors="replace", env=environment, timeout=600)
            return done.returncode, done.stdout, done.stderr
        if task.expected:
            code, output, error = run("random", "1", str(runs)) if reads_input(task) else run("values")
            if code not in (0, TOO_LONG):
                return f"is said to be safe: exit code {code}, {output[-300:]}{error[-300:]}"
            return ""
        inputs = task.failing
        if inputs is None:
            return "is unsafe, and has no line `// Fails with:`"
        if inputs == ["?"] and search:
            code, output, error = run("random", "1", str(20 * runs))
            if code != FOUND:
                return f"found no inputs that fail: exit code {code}, {output}{error[-300:]}"
            inputs = re.search(r"inputs(.*)", output)[1].split()
            text = task.source.read_text()
            task.source.write_text(text.replace("// Fails with: ?", "// Fails with: " + (" ".join(inputs) or "no input"), 1))
        code, output, error = run("values", *inputs)
        if code != (FOUND if task.is_reachability or task.has_threads else 99):
            return f"does not fail with its inputs: exit code {code}, {output}{error[-300:]}"
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("chosen", nargs="*")
    options = parser.parse_args()
    tasks = all_tasks(options.chosen)
    wrong = 0

    def judged(task):
        try:
            return validate(task, options.runs, options.search)
        except (RuntimeError, subprocess.TimeoutExpired) as problem:
            return str(problem)
    with ThreadPoolExecutor(options.jobs) as pool:
        for task, complaint in zip(tasks, pool.map(judged, tasks)):
            if complaint:
                wrong += 1
                print(f"{task.family}/{task.name}: {complaint}", flush=True)
    print(f"{len(tasks) - wrong} of {len(tasks)} tasks are as expected")
    return 1 if wrong or not tasks else 0


if __name__ == "__main__":
    sys.exit(main())
