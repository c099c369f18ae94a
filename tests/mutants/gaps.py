#!/usr/bin/env python3
"""Mutants of the places that record a gap: in each, one of them does not. Every one should fail a test.

    gaps.py BUILD                 all places
    gaps.py BUILD MODULE…         those whose file name contains one of the words
    gaps.py BUILD --list          the places and their texts alone

The places are found by the calls that record (RECORDERS). One program has all mutants: each place asks whether it is off,
which PLUMB_MUTANT says. It is made of BUILD's objects and of the sources with places, rewritten, beside BUILD. A first run
of each test notes the places that it comes to; then each mutant runs the tests that come to its place until one fails.
The tests are the scenarios of tests/system/gaps, the cheapest first. EQUIVALENT says which mutants cannot fail, and why."""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SUITES = ROOT / "tests" / "system" / "gaps"
ALL_SUITES = ("places.py", "run.py", "test_run.py", "computed.py")

# How a place records: its text, and what stands in its stead; {n} is the number of the place, {call} the call with its arguments.
MUTE = "(::plumb::mutants::enter({n}), {call})"
SKIP = "(::plumb::mutants::is_off({n}) ? void() : static_cast<void>({call}))"
RECORDERS = [
    # Engines. What records for many places of a module asks is_muted (SINKS).
    ("src/unroll", r"\b(?:pass_gap|gap)\(a,", MUTE),
    ("src/flatten/translate", r"\b(?:pass_limit|require_limit|unsupported)\(draft,", MUTE),
    ("src/explore", r"\b(?:note_gap|lose)\((?=[a-z\"])", MUTE),
    # What is lost on the way into the program.
    ("src/frontend", r"\blose\(\*?variable\)", SKIP),
    ("src/frontend/environment.cpp", r"\buses\.push_back\(", SKIP),
    ("src/frontend/lower", r"HaltReason::Unsupported\b", "(::plumb::mutants::is_off({n}) ? HaltReason::Unreachable : {call})"),
    # Lists.
    ("src", r"\b(?:\w+\.)*gaps\.push_back\(", SKIP),
    ("src", r"\bresult::add_gaps\(", SKIP),
    ("src", r"\breturn Gap\{", "return ::plumb::mutants::is_off({n}) ? std::optional<Gap>() : std::optional<Gap>({call})"),
    ("src", r"\breturn \{\{\.kind = result::GapKind", "if (!::plumb::mutants::is_off({n})) return {call}"),
]
# By file: what records for the places that enter() names, and the same with the question.
SINKS = {
    "src/unroll/operators.cpp": [
        ("record_.add_gap(Record::Kind::Gap,", "if (!::plumb::mutants::is_muted) record_.add_gap(Record::Kind::Gap,"),
        ("record_.add_gap(Record::Kind::Passed,", "if (!::plumb::mutants::is_muted) record_.add_gap(Record::Kind::Passed,")],
    "src/flatten/translate/instructions.cpp": [
        ("  if (!store().is_true(condition))\n    add_check", "  if (!::plumb::mutants::is_muted && !store().is_true(condition))\n    add_check"),
        ("  add_check(draft, store().bit_not(draft.alive), properties_.of_limit", "  if (!::plumb::mutants::is_muted) add_check(draft, store().bit_not(draft.alive), properties_.of_limit")],
    "src/explore/step.cpp": [("  if (!listener.on_gap) return;", "  if (!listener.on_gap || ::plumb::mutants::is_muted) return;")],
}
# Recorders that are made of others.
WRAPPERS = re.compile(r"^  (?:gap\(a, terms_\.boolean\(true\), what\)|require_limit\(draft, store\(\)\.boolean\(false\), id, Limit::Kind::Unsupported, std::move\(text\)\)"
                      r"|if \(step == Step::Over\) note_gap)")
# By a part of the line: why the mutant is no other program, as far as a test can see.
EQUIVALENT = {
    "flatten/translate/calls.cpp: require_limit(draft, store().boolean(false), id, Limit::Kind::Mismatch": "lowering makes a call with fewer arguments one through a pointer",
    "of '{}' through a pointer": "a library function whose address is taken has a body",
    "memory_.gap(place(draft, id))) return unsupported(draft, id, *gap)": "the Allocate of the array has ended the run before",
    "the scope of an object that is not known": "a scope is that of an Allocate of the same call, whose address is a number",
    "a stack that is restored to a place that is not known": "clang restores what it saved in the same block, a number on each path",
    "va_start in a function without variable arguments": "LLVM's verifier refuses such code",
    "va_start on this machine": "plumb check takes programs for x86 alone",
}


class Place:
    def __init__(self, number, file, line, text, source):
        self.number, self.file, self.line, self.text, self.source = number, file, line, text, source

    def __str__(self):
        return f"{self.number:3} {self.file}:{self.line}: {self.text}"

    def reason(self):
        return next((why for part, why in EQUIVALENT.items() if part in f"{self.file}: {self.source}"), None)


def closing(text, opening):
    """Where the bracket that opens at `opening` is closed."""
    depth, i = 0, opening
    while True:
        c = text[i]
        if c in "\"'" and not (c == "'" and text[i - 1].isalnum()):
            end = i + 1
            while text[end] != c:
                end += 2 if text[end] == "\\" else 1
            i = end
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth == 0:
                return i
        i += 1


def rewrite(file, first):
    """The source with its mutants, and its places."""
    text = (ROOT / file).read_text()
    edits, places = [], []
    for folder, pattern, template in RECORDERS:
        if not (file == folder or file.startswith(folder + "/")):
            continue
        for match in re.finditer(pattern, text):
            start = text.rfind("\n", 0, match.start()) + 1
            line = text[start:text.find("\n", match.start())]
            is_definition = re.match(r"[\w:]+ [\w:]*$", text[start:match.start()]) is not None
            if WRAPPERS.match(line) or is_definition or any(a <= match.start() < b for a, b, _ in edits):
                continue
            begin, end = match.start(), match.end()
            if match.group().endswith("Unsupported"):
                if text[match.start() - 20:match.start()].rstrip().endswith("=="):
                    continue
            else:
                opening = next(i for i in range(begin, len(text)) if text[i] in "({")
                end = closing(text, opening) + 1
            call = text[begin:end]
            if call.startswith("return "):
                call = call[len("return "):]
            edits.append((begin, end, (template, call)))
            places.append((begin, text.count("\n", 0, begin) + 1, " ".join(call.split())[:110], text[start:end].strip()))
    numbers = {place[0]: first + i for i, place in enumerate(sorted(places))}
    found = [Place(numbers[begin], file, line, what, source) for begin, line, what, source in sorted(places)]
    for begin, end, (template, call) in sorted(edits, reverse=True):
        text = text[:begin] + template.format(n=numbers[begin], call=call) + text[end:]
    for old, new in SINKS.get(file, ()):
        if text.count(old) != 1:
            sys.exit(f"{file}: {old!r} is not there once: SINKS is out of date")
        text = text.replace(old, new)
    return text, found


def sources():
    return sorted(str(path.relative_to(ROOT)) for path in (ROOT / "src").rglob("*.cpp"))


def find_places():
    """By file: its text with mutants; and all places."""
    texts, places = {}, []
    for file in sources():
        text, found = rewrite(file, len(places) + 1)
        if found or file in SINKS:
            texts[file] = text
        places += found
    return texts, places


def build(directory, texts, work, jobs):
    """A plumb with all mutants, out of the objects in the build directory and the sources that are rewritten."""
    compilations = json.loads(subprocess.run(["ninja", "-C", directory, "-t", "compdb"], check=True, capture_output=True).stdout)
    by_file = {entry["file"]: entry for entry in compilations}

    def compile_one(file):
        source, made = work / file, (work / file).with_suffix(".o")
        source.parent.mkdir(parents=True, exist_ok=True)
        if not source.exists() or source.read_text() != texts[file]:
            source.write_text(texts[file])
        if made.exists() and made.stat().st_mtime > source.stat().st_mtime:
            return made
        entry = by_file[str(ROOT / file)]
        words, skipped = [], 0
        for word in shlex.split(entry["command"]):
            if skipped or word in ("-o", "-MF", "-MT"):
                skipped = 0 if skipped else 1
            elif word == str(ROOT / file):
                words.append(str(source))
            elif word != "-MD":
                words.append(word)
        done = subprocess.run([*words, "-include", str(HERE / "mutant.h"), "-iquote", str((ROOT / file).parent), "-o", str(made)],
                              cwd=entry["directory"], capture_output=True)
        if done.returncode != 0:
            sys.exit(f"{file} cannot be compiled with its mutants:\n{done.stderr.decode()[:3000]}")
        return made

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        objects = list(pool.map(compile_one, texts))
    commands = subprocess.run(["ninja", "-C", directory, "-t", "commands", "bin/plumb"], check=True, capture_output=True).stdout.decode()
    link = next(line for line in reversed(commands.splitlines()) if "-o bin/plumb " in line)
    link = link.removeprefix(": && ").removesuffix(" && :")
    plumb = work / "plumb"
    link = link.replace("-o bin/plumb ", f"-o {plumb} {' '.join(map(str, objects))} ", 1)
    subprocess.run(link, shell=True, check=True, cwd=directory)
    return plumb


class Test:
    """A scenario of a suite."""

    def __init__(self, suite, name):
        self.suite, self.name, self.seconds, self.places = suite, name, 0.0, set()

    def run(self, plumb, mutant, log=None):
        environment = {**os.environ, "PLUMB_MUTANT": str(mutant)}
        if log:
            environment["PLUMB_MUTANT_LOG"] = str(log)
        start = time.monotonic()
        done = subprocess.run([sys.executable, self.suite, plumb, self.name], capture_output=True, env=environment)
        self.seconds = time.monotonic() - start
        return done


def tests(suites):
    found = []
    for suite in suites:
        listed = subprocess.run([sys.executable, "-c", f"import sys; sys.path.insert(0, {str(SUITES)!r}); sys.argv = ['x']; import {suite[:-3]} as s; "
                                 "print(*[t.__name__ for t in s.SCENARIOS])"], capture_output=True, check=True).stdout.decode().split()
        found += [Test(SUITES / suite, name) for name in listed]
    return found


def examine(plumb, places, suites, jobs):
    """How many places have which state."""
    known = tests(suites)
    with tempfile.TemporaryDirectory() as directory:
        def first_run(test):
            log = pathlib.Path(directory) / f"{test.suite.stem}-{test.name}"
            done = test.run(plumb, 0, log)
            if done.returncode != 0:
                print(f"{test.suite.name}: {test.name} fails without a mutant, and is left out", flush=True)
                return
            test.places = {int(line) for line in log.read_text().split()} if log.exists() else set()
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(first_run, known))
    known.sort(key=lambda test: test.seconds)

    def kill(place):
        reaching = [test for test in known if place.number in test.places]
        killer = next((test for test in reaching if test.run(plumb, place.number).returncode != 0), None)
        state = f"killed by {killer.name}" if killer else "SURVIVES" if reaching else "NOT REACHED"
        if not killer and place.reason():
            state = f"equivalent: {place.reason()}"
        print(f"{place}\n      {state}", flush=True)
        return state.split()[0]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return collections.Counter(pool.map(kill, places))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("words", nargs="*", metavar="MODULE")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--suite", action="append", choices=ALL_SUITES, help="of the tests these alone")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    texts, places = find_places()
    chosen = [place for place in places if not arguments.words or any(word in place.file for word in arguments.words)]
    if arguments.list:
        print(*chosen, sep="\n")
        return 0
    directory = arguments.build.resolve()
    plumb = build(directory, texts, directory.parent / "mutants", arguments.jobs)
    counts = examine(plumb, chosen, arguments.suite or ALL_SUITES, arguments.jobs)
    survivors = counts["SURVIVES"] + counts["NOT"]
    print(f"{len(chosen)} places: {counts['killed']} killed, {survivors} survive, {counts['equivalent:']} equivalent")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
