#!/usr/bin/env python3
"""Runs `plumb prob` on every model of models/classic and compares its numbers with those that stand beside the
properties.

    run.py PLUMB            all models
    run.py PLUMB NAME…      those whose name contains one of the words

A property file has the expected results in front of a property, a line for each choice of constants:

    // RESULT (N=10,p=0.5): 3/10
    "rich": P=? [ F "rich" ];

A result is a fraction, a decimal, inf, true or false. It comes from a closed form or from the definition of the model
(closed_forms.py), never from plumb, and has to be what closed_forms.py says. Every model runs under several methods and
numbers of threads; a number has to be right to 1e-9 relative, and an interval that is called guaranteed has to contain
it. Methods that iterate are right to the error that was asked for, and are not asked about walks without drift and rates
far apart, which they take millions of sweeps for."""
import math
import pathlib
import subprocess
import sys
import time
from fractions import Fraction

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import closed_forms  # noqa: E402

EPSILON = "1e-10"
TOLERANCE = Fraction(1, 10**9)
ROUNDING = Fraction(1, 10**14)  # constants such as 1/87600 are doubles
LIMIT = 120                     # seconds a run; none should come near it
EXACT = ["--exact"]
WAYS = [["--threads", "2"], ["--threads", "1", "--method", "policy"], ["--threads", "2", "--lump", "on"]]
ITERATED = [["--threads", "2", "--method", "interval"], ["--threads", "1", "--method", "gauss-seidel"]]
SLOW = {
    ("birth_death", "N=1000,lambda=1,mu=1"), ("gamblers_ruin", "N=100,start=50,p=0.5,k=20"), ("repair", ""),
    ("cyclic", "n=50,mu1=1,mu2=1,mu3=1"), ("consensus_coin2", "K=4"),
}
SMALL = {"knuth_yao_die", "gamblers_ruin", "leader_sync3", "consensus_coin2", "dining_cryptographers3", "tandem"}


def number(value):
    """A number of the JSON object, exactly."""
    if isinstance(value, str):
        return {"inf": math.inf, "-inf": -math.inf}.get(value, math.nan)
    return math.nan if value is None else Fraction(value)


def complaint(expected, found, way):
    """What is wrong with a result, or nothing."""
    value = found["value"]
    if expected in ("true", "false"):
        return None if value is (expected == "true") else f"{value} instead of {expected}"
    if expected == "inf":
        return None if number(value) == math.inf else f"{value} instead of infinity"
    wanted = Fraction(expected)
    value = number(value)
    if not isinstance(value, Fraction):
        return f"{found['value']} instead of {expected}"
    if abs(value - wanted) > max(TOLERANCE * abs(wanted), Fraction(EPSILON) if way in ITERATED else 0):
        return f"{float(value)!r} instead of {expected}, {float(abs(value - wanted) / (abs(wanted) or 1)):.1e} off"
    low, high = (number(end) for end in found["interval"])
    slack = ROUNDING * abs(wanted)
    if found["guaranteed"] and not low - slack <= wanted <= high + slack:
        return f"[{float(low)!r}, {float(high)!r}] does not contain {expected}"
    if way == EXACT and found.get("exact") and Fraction(found["exact"]) != wanted:
        return f"the fraction {found['exact']} instead of {expected}"
    return None


def run(plumb, model, constants, way):
    command = [plumb, "prob", str(model), str(model.with_suffix(".props")), "--json", "--epsilon", EPSILON, *way]
    if constants:
        command += ["--const", constants]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT)
    if done.returncode not in (0, 10, 20):
        raise RuntimeError(f"exit code {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")
    results = result_object(done.stdout)["results"]
    for result in results:
        # Doubles may be not precise enough for what was asked for, which is said.
        if result["verdict"] == "unknown" and not result["reason"].startswith("the error is"):
            raise RuntimeError(f"{result['name']}: {result['reason']}")
    return {result["name"]: result for result in results}


def failures_of(plumb, model):
    """(number of results compared, what is wrong)."""
    name = model.stem
    cases = list(closed_forms.cases(model.with_suffix(".props").read_text()))
    failures = []
    for _, constants, written, asked in cases:
        if (known := closed_forms.expected(name, asked, constants)) != written:
            failures.append(f"{name} ({constants}) {asked}: the file says {written}, the closed form {known}")
    compared = 0
    for way in WAYS + ITERATED + ([EXACT] if name in SMALL else []):
        for constants in dict.fromkeys(case[1] for case in cases):
            if way in ITERATED and (name, constants) in SLOW:
                continue
            where = f"{name} ({constants}) {' '.join(way)}"
            try:
                results = run(plumb, model, constants, way)
            except (RuntimeError, subprocess.TimeoutExpired) as problem:
                failures.append(f"{where}: {problem}")
                continue
            for _, mine, written, asked in cases:
                if mine != constants:
                    continue
                compared += 1
                if problem := complaint(written, results[asked], way):
                    failures.append(f"{where} {asked}: {problem} ({results[asked]['method']})")
    return compared, failures


def main():
    plumb, words = sys.argv[1], sys.argv[2:]
    models = [m for m in sorted(closed_forms.MODELS.glob("*.prism")) if not words or any(w in m.stem for w in words)]
    start = time.monotonic()
    total, wrong = 0, []
    for model in models:
        began = time.monotonic()
        compared, failures = failures_of(plumb, model)
        total += compared
        wrong += failures
        seconds = time.monotonic() - began
        print(f"{model.stem:24} {compared:4} results {seconds:6.1f} s" + (f", {len(failures)} wrong" if failures else ""), flush=True)
    for failure in wrong:
        print("WRONG:", failure)
    print(f"{total} results of {len(models)} models, {len(wrong)} wrong, {time.monotonic() - start:.1f} s")
    sys.exit(1 if wrong or not total else 0)


if __name__ == "__main__":
    main()
