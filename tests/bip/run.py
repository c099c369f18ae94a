#!/usr/bin/env python3
"""Small models of examples/bip and all of tests/bip/models: `plumb bip` against the oracle and against what was worked out by hand.

    run.py PLUMB [--only NAME]... [--engines two-cycle,one-cycle,parallel]"""
import argparse
import pathlib
import sys
import tempfile
import time

import self_test
from compare import Complaint, Subject
from expectations import MODELS, Expectations, property_of
from language import BipError
from oracle import default_properties, load
from properties import Property, read_properties

EXAMPLES = pathlib.Path(__file__).parents[2] / "examples" / "bip"
MOST_STATES = 20000


def named_properties(system, expected):
    """Properties with names of their own, and the lines of a file that say the same to plumb."""
    properties, lines = [], []
    for number, (text, verdict, _) in enumerate(expected.verdicts):
        prop = property_of(system, text)
        if prop.kind in ("invariant", "response"):
            prop.name = f"p{number}"
            lines.append(f"p{number}: {text}")
        properties.append((prop, verdict, text))
    return properties, lines


def contract_subjects(properties):
    return [(prop, text) for prop, _, text in properties if prop.kind == "contract"]


def check_engine(subject, properties, lines, engine):
    if engine == "parallel":
        lines = [line for line in lines if "leads to" not in line]
    with tempfile.TemporaryDirectory() as guides:
        result = subject.prove(lines, engine, guides=guides)
        for prop, verdict, _ in properties:
            if prop.kind == "contract" or (engine == "parallel" and prop.kind == "response"):
                continue
            said = subject.compare(result, prop, engine)
            if said != verdict:
                raise Complaint(f"{engine}: {prop.name} is {said}, {verdict} was worked out by hand")
        for guide in pathlib.Path(guides).glob("*.guide"):
            name = next(each["name"] for each in result["properties"] if each["verdict"] == "violated" and guide.name in [pathlib.Path(file["path"]).name for file in each["files"]])
            subject.check_guide(guide.read_text(), next(prop for prop, _, _ in properties if prop.name == name))


def check_contracts(subject, properties, engine):
    for prop, text in contract_subjects(properties):
        before, after = text[len("pre "):].split(" post ")
        result = subject.prove([f"pre {before}", f"post {after}"], engine)
        subject.compare(result, prop, engine)


def check_runs(subject):
    for seed in (1, 2, 3):
        text, code = subject.emulate(40, seed)
        subject.check_emulation(text, 40, code)
    with tempfile.TemporaryDirectory() as scratch:
        subject.check_program(subject.emit(scratch), 40, 5)


def check_model(plumb, path, engines):
    expected = Expectations(path)
    system = load(path, expected.bits, expected.initialize)
    subject = Subject(plumb, path, expected.options, system)
    properties, lines = named_properties(system, expected)
    if not any(prop.kind == "deadlock" for prop, _, _ in properties):
        properties.append((Property("deadlock", "deadlock"), subject.exploration.verdict(Property("deadlock", "deadlock"))[0], "deadlock"))
    for engine in engines:
        check_engine(subject, properties, lines, engine)
        check_contracts(subject, properties, engine)
    if not any(prop.kind == "priorities" and verdict == "violated" for prop, verdict, _ in properties):
        check_runs(subject)


def check_example(plumb, path, engines):
    """False if it is too large to be explored. The two-cycle engine takes minutes to prove some of these; models and random systems are there for it."""
    system = load(path)
    subject = Subject(plumb, path, [], system, limit=MOST_STATES)
    if not subject.exploration.complete:
        return False
    file = path.with_suffix(".props")
    text = file.read_text() if file.exists() else ""
    properties = default_properties(system.instance) + read_properties(system, text)
    for engine in (engine for engine in engines if engine != "two-cycle"):
        given = [line for line in text.splitlines() if engine != "parallel" or "leads to" not in line]
        result = subject.prove(given, engine)
        for prop in properties:
            if engine != "parallel" or prop.kind != "response":
                subject.compare(result, prop, engine)
    check_runs(subject)
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb")
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--engines", default="two-cycle,one-cycle,parallel")
    options = parser.parse_args()
    failed = self_test.main()
    engines = options.engines.split(",")
    for check, folder in ((check_model, MODELS), (check_example, EXAMPLES)):
        for path in sorted(folder.glob("*.bip")):
            if options.only and path.stem not in options.only:
                continue
            start = time.time()
            try:
                note = "too large here" if check(options.plumb, path, engines) is False else "agrees"
            except (Complaint, BipError) as complaint:
                note, failed = f"FAILED: {complaint}", 1
            print(f"{path.stem}: {note} ({time.time() - start:.1f} s)", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
