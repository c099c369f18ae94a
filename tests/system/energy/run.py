#!/usr/bin/env python3
"""Runs `plumb energy` as a user would.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

The docstring of a scenario is its claim."""
import csv
import io
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parent.parent.parent / "models" / "energy" / "scenarios"
FIVE_DAYS = str(MODELS / "five_days.toml")
PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 60

SMALL = """name = "small"
[time]
windows = 2
[[providers]]
name = "a"
capacity = 5
price = [10, 20]
[[loads]]
name = "x"
demand = [1, 2]
"""
# So many jobs that no limit of these tests is enough.
ENDLESS = """[time]
windows = 1000000
[[providers]]
name = "a"
capacity = 5
price = 10
[[loads]]
name = "x"
demand = 1
"""


def plumb(*arguments, text=None, **keywords):
    data = text.encode() if isinstance(text, str) else text
    return subprocess.run([PLUMB, "energy", *arguments], input=data, capture_output=True, timeout=SECONDS, **keywords)


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def expect(result, code, err=None):
    shown = f"exit {result.returncode}\nstdout: {result.stdout[-2000:]!r}\nstderr: {result.stderr[-2000:]!r}"
    check(result.returncode == code, f"expected exit code {code}\n{shown}")
    check(err is None or err in result.stderr.decode(errors="replace"), f"expected {err!r} on standard error\n{shown}")


def ask(*arguments, text=SMALL):
    """The object of --json for a small scenario."""
    result = plumb("-", "--json", *arguments, text=text)
    expect(result, 0, "")
    return result_object(result.stdout)


def is_close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


# --- The claims. ---

def revenue_by_hand():
    """What always is paid is the sum of energy times price, in every replication."""
    found = ask("--replications", "20", "--set", "pricing.scheme=time")
    revenue = found["results"][0]["total"]["revenue"]
    check(is_close(revenue["mean"], 1 * 10 + 2 * 20) and revenue["deviation"] == 0, revenue)
    check(revenue["low"] == revenue["high"] == revenue["mean"], revenue)


def trust_price_by_hand():
    """Equation 5.6: beta / tr + 1 - beta / D times the price."""
    found = ask("--set", "payment.rule=always", "--set", "trust.initial=2", "--set", "trust.paid=0", "--sweep", "trust.beta=1:1:3")
    for entry in found["results"]:
        beta = entry["parameters"]["trust.beta"]
        check(is_close(entry["total"]["revenue"]["mean"], 50 * (beta / 2 + 1 - beta / 5)), entry)


def one_object():
    """--json prints one object with every part that the schema names, and nothing else."""
    found = ask("--replications", "5", "--seed", "9")
    check(found["plumb"] == "2.0" and found["command"] == "energy" and found["inputs"] == ["-"], found)
    check(found["scenario"] == "small" and found["seed"] == 9 and found["confidence"] == 0.95, found)
    check(found["stats"]["jobs"] == 2 and found["stats"]["events"] == 5 * 6, found["stats"])
    entry = found["results"][0]
    check(entry["parameters"] == {} and entry["replications"] == 5, entry)
    check(list(entry["providers"]) == ["a"] and list(entry["loads"]) == ["x"], entry)
    check(entry["total"]["delivered_energy"]["unit"] == "MWh", entry)


def same_on_any_number_of_threads():
    """The result depends on the seed and not on the threads."""
    results = [result_object(plumb(FIVE_DAYS, "--json", "--replications", "100", "--threads", n).stdout)["results"] for n in ("1", "2", "7")]
    check(results[0] == results[1] == results[2], "results differ")
    other = result_object(plumb(FIVE_DAYS, "--json", "--replications", "100", "--seed", "2").stdout)["results"]
    check(other != results[0], "another seed should give another result")


def text_report():
    """The report has the whole, providers and loads, with intervals."""
    result = plumb(FIVE_DAYS, "--replications", "50")
    expect(result, 0, "")
    text = result.stdout.decode()
    for part in ("five days: 3 loads, 3 providers, 120 windows of 1 h, 360 jobs", "means of 50 replications", "by provider", "by load",
                 "hydro", "suburbs", "revenue [$]", "line_loss [$]", "unserved_energy [MWh]", "refusals", "final_trust", " ± "):
        check(part in text, f"{part!r} is missing in\n{text}")


def sweep_to_all_formats():
    """A sweep gives the same numbers as a table, as CSV and as JSON, and a picture."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        result = plumb(FIVE_DAYS, "--json", "--replications", "20", "--sweep", "trust.beta=1:1:2", "--sweep",
                       "loads.expected_price_factor=1:0.5:2", "--baseline", "pricing.scheme=time", "--metric", "line_loss", "--csv",
                       str(directory / "t.csv"), "--plot", str(directory / "p.svg"), "--out", str(directory / "out"))
        expect(result, 0, "")
        found = result_object(result.stdout)
        points = [entry for entry in found["results"] if "parameters" in entry]
        check([(p["parameters"]["trust.beta"], p["parameters"]["loads.expected_price_factor"]) for p in points] ==
              [(b, f) for b in (1, 2) for f in (1, 1.5, 2)], "the last sweep should go fastest")
        rows = list(csv.DictReader(io.StringIO((directory / "t.csv").read_text())))
        totals = [row for row in rows if row["scope"] == "total" and row["metric"] == "line_loss"]
        check([float(row["mean"]) for row in totals] == [entry["total"]["line_loss"]["mean"] for entry in found["results"]], "CSV and JSON")
        check(totals[-1]["baseline"] == "pricing.scheme=time" and totals[-1]["trust.beta"] == "", totals[-1])
        picture = (directory / "p.svg").read_text()
        check("<svg" in picture and "trust.beta = 2" in picture and "line_loss" in picture, picture[:300])
        check(json.loads((directory / "out" / "result.json").read_text()) == found, "result.json")
        check(sorted(p.name for p in directory.iterdir()) == ["out", "p.svg", "t.csv"], "no other files")


def plot_over_time():
    """Without a sweep the picture has the power of each provider over time."""
    with tempfile.TemporaryDirectory() as name:
        picture = pathlib.Path(name) / "p.svg"
        expect(plumb(FIVE_DAYS, "--replications", "20", "--plot", str(picture)), 0, "")
        check(all(word in picture.read_text() for word in ("hydro", "gas", "wind", "hour", "[MW]")), picture.read_text()[:300])


def intervals_narrow():
    """Four times the replications halve the interval."""
    widths = []
    for replications in ("200", "800"):
        revenue = result_object(plumb(FIVE_DAYS, "--json", "--replications", replications).stdout)["results"][0]["total"]["revenue"]
        widths.append(revenue["high"] - revenue["low"])
    check(1.6 < widths[0] / widths[1] < 2.5, widths)


def event_log_adds_up():
    """The events of a run, added up, are its result."""
    with tempfile.TemporaryDirectory() as name:
        path = pathlib.Path(name) / "events.csv"
        result = plumb(FIVE_DAYS, "--json", "--replications", "1", "--event-log", str(path))
        expect(result, 0, "")
        total = result_object(result.stdout)["results"][0]["total"]
        rows = list(csv.DictReader(path.open()))
    amount = lambda kind: sum(float(row["amount"]) for row in rows if row["event"] == kind)
    count = lambda kind: sum(row["event"] == kind for row in rows)
    check(is_close(amount("pay"), total["revenue"]["mean"]), "paid")
    check(is_close(amount("refuse"), total["unpaid"]["mean"]), "not paid")
    check(count("refuse") == total["refusals"]["mean"] and count("request") == 360 and count("quote") == 3 * 360, "counts")
    check([float(row["hour"]) for row in rows] == sorted(float(row["hour"]) for row in rows), "time should not go back")
    free = {"hydro": 6000.0, "gas": 5500.0, "wind": 5000.0}
    power = {}
    for row in rows:
        job = row["load"], row["job"]
        if row["event"] == "start":
            power[job] = float(row["power"]) * (1 + float(row["loss"]) / float(row["price"]))
            free[row["provider"]] -= power[job]
        elif row["event"] == "release":
            free[row["provider"]] += power[job]
        check(min(free.values()) > -1e-6, f"a provider is overdrawn at hour {row['hour']}")


def committed_example_is_the_generated_one():
    """--make-example writes what is in models/energy/scenarios."""
    with tempfile.TemporaryDirectory() as name:
        out = pathlib.Path(name) / "a" / "b"
        result = plumb("--make-example", str(out))
        expect(result, 0, "")
        check(result.stdout.decode().splitlines() == [str(out / file) for file in ("five_days.toml", "demand.csv", "price.csv")], result)
        for file in out.iterdir():
            check(file.read_bytes() == (MODELS / file.name).read_bytes(), f"{file.name} differs")


def five_hundred_replications():
    """500 replications of five days are the default and pass within the time of a test."""
    found = result_object(plumb(FIVE_DAYS, "--json").stdout)
    check(found["results"][0]["replications"] == 500, found["results"][0]["replications"])
    check(found["results"][0]["total"]["unserved_energy"]["mean"] == 0, "everybody should find power")


def mistakes_in_the_scenario():
    """Mistakes have file, line and column, what was expected, and the nearest name."""
    cases = [
        ("x = ", "<stdin>:1:5: error: "),
        ("", "<stdin>: error: time.windows is missing"),
        (SMALL + "[trust]\nbta = 2\n", "<stdin>:12:1: error: unknown key 'trust.bta'\n  hint: did you mean 'beta'?"),
        (SMALL + "[trust]\nbeta = -2\n", "<stdin>:12:8: error: trust.beta: expected a number that is at least 0, but found -2"),
        (SMALL + "[router]\npolicy = 'nearst'\n", "hint: did you mean 'nearest'?"),
        (SMALL.replace("windows = 2", "windows = 3"), "price has 2 values, but there are 3 windows"),
        (SMALL.replace("capacity = 5", "capacity = 0"), "<stdin>:6:12: error: providers[1].capacity is zero"),
        (SMALL.replace("demand = [1, 2]", "demand = {file = 'none.csv', column = 'x'}"), "<stdin>:10:18: error: cannot read 'none.csv'"),
        (b"\xff\xfe\x00garbage", "<stdin>:1:1: error: "),
        ("a = [" * 100_000, "<stdin>:1:"),
    ]
    for text, message in cases:
        expect(plumb("-", text=text), 2, message)


def mistakes_in_curves():
    """A CSV file's mistakes have its name, line and column."""
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        (directory / "s.toml").write_text(SMALL.replace("[1, 2]", "{file = 'd.csv', column = 'x'}"))
        for content, message in [
            ("hour,x\n0,1\n1,two\n", "d.csv:3:3: error: expected a number in column 'x', but found 'two'"),
            ("hour,x\n0,1\n1,-2\n", "d.csv:3:3: error: expected a finite number that is not negative"),
            ("hour,x\n0,1\n1\n", "d.csv:3:1: error: expected 2 fields"),
            ("hour,y\n0,1\n1,2\n", "d.csv: error: there is no column 'x'"),
            ("hour,x\n0,1\n", "demand has 1 values, but there are 2 windows"),
            ("", "d.csv: error: expected a first line"),
        ]:
            (directory / "d.csv").write_text(content)
            expect(plumb(str(directory / "s.toml")), 2, message)


def mistakes_on_the_command_line():
    """Options are checked before the first run, and leave no file behind."""
    with tempfile.TemporaryDirectory() as name:
        picture = os.path.join(name, "p.svg")
        for arguments, message in [
            (["-", "--replications", "0"], "--replications"),
            (["-", "--replications", "-3"], "--replications"),
            (["-", "--confidence", "1"], "--confidence"),
            (["-", "--threads", "100000"], "--threads"),
            (["-", "--metric", "revenu"], "did you mean 'revenue'?"),
            (["-", "--set", "trust.bta=1"], "--set trust.bta: error: unknown key"),
            (["-", "--set", "loads.y.demand=1"], "nothing there is named 'y'"),
            (["-", "--sweep", "trust.beta=1:0:2"], "has no values"),
            (["-", "--sweep", "trust.beta=3,-1"], "--sweep trust.beta: error: "),
            (["-", "--sweep", "trust.beta=1,2", "--sweep", "trust.beta=1,2"], "swept twice"),
            (["-", "--plot", picture, "--sweep", "router.policy=random,nearest"], "sweep a number last"),
            (["-", "--plot", os.path.join(name, "p.gif"), "--sweep", "trust.beta=1,2"], "neither .svg nor .png"),
            (["-", "--event-log", os.path.join(name, "e"), "--sweep", "trust.beta=1,2"], "leave out --sweep"),
            (["-", "--baseline", "pricing.scheme=time"], "no --sweep"),
            (["-", "--csv", os.path.join(name, "no", "t.csv")], "no"),
            (["-", "--make-example", name], "--make-example"),
            ([], "SCENARIO is required"),
            (["/nonexistent.toml"], "/nonexistent.toml"),
            ([str(HERE)], "directory"),
        ]:
            expect(plumb(*arguments, text=SMALL), 2, message)
        check(os.listdir(name) == [], os.listdir(name))


def errors_as_json():
    """With --json a mistake is an object too."""
    result = plumb("-", "--json", text=SMALL + "[trust]\nbta = 2\n")
    expect(result, 2)
    found = result_object(result.stdout)
    check(found["verdict"] == "error" and found["error"]["line"] == 12 and "beta" in found["error"]["hint"], found)


def limits():
    """A time limit and a memory limit end with exit code 20, in time and without files."""
    with tempfile.TemporaryDirectory() as name:
        table = os.path.join(name, "t.csv")
        start = time.monotonic()
        result = plumb("-", "--json", "--replications", "100000", "--timeout", "1s", "--csv", table, text=ENDLESS)
        expect(result, 20)
        check(result_object(result.stdout)["stopped"] == "out of time", result.stdout)
        check(time.monotonic() - start < 20, "it took too long")
        expect(plumb("-", "--replications", "100000", "--memory", "1M", text=ENDLESS), 20, "out of memory")
        check(os.listdir(name) == [], os.listdir(name))


def interrupted():
    """Ctrl-C ends the run with exit code 130 and no file."""
    with tempfile.TemporaryDirectory() as name:
        process = subprocess.Popen([PLUMB, "energy", "-", "--replications", "100000", "--csv", os.path.join(name, "t.csv")],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        process.stdin.write(ENDLESS.encode())
        process.stdin.close()
        time.sleep(1.5)
        process.send_signal(signal.SIGINT)
        check(process.wait(timeout=SECONDS) == 130, process.returncode)
        check(os.listdir(name) == [], os.listdir(name))
        process.stdout.close()
        process.stderr.close()


SCENARIOS = [revenue_by_hand, trust_price_by_hand, one_object, same_on_any_number_of_threads, text_report, sweep_to_all_formats,
             plot_over_time, intervals_narrow, event_log_adds_up, committed_example_is_the_generated_one, five_hundred_replications,
             mistakes_in_the_scenario, mistakes_in_curves, mistakes_on_the_command_line, errors_as_json, limits, interrupted]


def main():
    words = sys.argv[2:]
    failed = 0
    for scenario in SCENARIOS:
        name = scenario.__name__
        if words and not any(word in name for word in words):
            continue
        try:
            scenario()
            print(f"{name}: passed", flush=True)
        except (AssertionError, subprocess.TimeoutExpired, ValueError, KeyError) as error:
            failed += 1
            print(f"{name}: FAILED\n{error}\n", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
