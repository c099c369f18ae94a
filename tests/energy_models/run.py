#!/usr/bin/env python3
"""`plumb prob` on models/energy against what oracles.py computes without it, and the judge of bench/energy's trends
against curves made for it.

    run.py PLUMB"""
import doctest
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.dont_write_bytecode = True
sys.path[:0] = [str(HERE), str(ROOT / "bench" / "energy")]
import oracles  # noqa: E402
import trends  # noqa: E402

TOLERANCE = 1e-8  # relative; of an interval that is called guaranteed, beyond its ends: 1e-13
LEAST_WIDTH = 1e-13


def ask(plumb, model, constants, prop=None):
    """(value, low, high, is guaranteed) of each property."""
    command = [plumb, "prob", str(ROOT / "models" / "energy" / f"{model}.prism"), "--json", "--quiet", "--epsilon", "1e-9",
               "--const", constants]
    command += ["--prop", prop] if prop else [str(ROOT / "models" / "energy" / f"{model}.props")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return [(r["value"], *r["interval"], r["guaranteed"]) for r in result_object(done.stdout)["results"]]


def single_cell(plumb):
    """The cell of er_single alone: devices leave and never come back."""
    expected = oracles.guarded_cell(8, 2, 0.1)
    for calls in (0, 5, 6, 8):
        yield (f"er_single: {calls} of 8 channels are taken as in a loss system with 2 guard channels",
               [expected[calls]], ask(plumb, "er_single", "nLocal=8,guard=2,load=0.1,reentry=0,max_queue=1,nPorts=1",
                                      f"S=? [ calls = {calls} ]"))


def cases(plumb):
    """(claim, expected numbers, found ones)"""
    for mttf, repair in ((25000, 60), (50000, 24), (200000, 12)):
        constants = f"mttf_router={mttf},rec_router={repair}"
        yield (f"er_multi is down as often as elimination says ({constants})",
               [oracles.multi_down(mttf_router=mttf, rec_router=repair)], ask(plumb, "er_multi", constants))
        yield (f"er_multi has product form if the hub never breaks ({constants})",
               [oracles.multi_down_without_hub(mttf, repair)],
               ask(plumb, "er_multi", constants + ",mttf_hub=1000000000000000000000000"))
    yield ("er_single with one port is down as often and communicates as much as tables of its states say",
           [oracles.single_down(4, ports=1), oracles.single_operations(4, 1, 100.0)],
           ask(plumb, "er_single", "nLocal=4,max_queue=1,nPorts=1,T=100"))
    yield ("er_single is down as often as its parts, which are independent",
           [oracles.single_down(8, ports=2, t_rec_router=60.0)],
           ask(plumb, "er_single", "nLocal=8,max_queue=2,nPorts=2,tRecRouter=60", 'S=? [ "down" ]'))
    yield ("er_single without guard channels has product form", [oracles.single_down_without_guard(6)],
           ask(plumb, "er_single", "nLocal=6,max_queue=1,guard=0", 'S=? [ "down" ]'))
    yield from single_cell(plumb)
    for slots, k in ((4, 4), (6, 2), (9, 6)):
        for initial, trust in ((1, (2, 5, 8)), (2, (2, 2, 2)), (4, (8, 8, 8))):
            for beta, gamma in ((1, 0.5), (1, 1), (3, 0.7), (3, 1.3), (5, 1)):
                constants = f"max_time={slots},k={k},initial={initial},beta={beta},gamma={gamma}"
                yield (f"er_trade is what a recursion over its slots says ({constants})",
                       list(oracles.trade(slots, k, beta, gamma, trust)), ask(plumb, "er_trade", constants))
    yield ("er_trade always serves k times, whatever is decided", [1.0, 1.0],
           ask(plumb, "er_trade", "max_time=7,k=4",
               "Pmin=? [ F time = max_time & served = k ]; Pmin=? [ G (time = max_time => served = k) ]"))


def complaint(expected, found):
    value, low, high, is_guaranteed = found
    if abs(value - expected) > TOLERANCE * max(1e-3, abs(expected)):
        return f"{value!r} instead of {expected!r}"
    slack = LEAST_WIDTH * max(1.0, abs(expected))
    if is_guaranteed and not low - slack <= expected <= high + slack:
        return f"{expected!r} is outside of the guaranteed interval {low!r} to {high!r}"
    return None


def main():
    plumb = sys.argv[1]
    failures = doctest.testmod(trends).failed
    count = 0
    for claim, expected, found in cases(plumb):
        count += 1
        wrong = [c for e, f in zip(expected, found, strict=True) if (c := complaint(e, f))]
        if wrong:
            failures += 1
            print(f"FAILED {claim}: {'; '.join(wrong)}")
    print(f"{count} claims, {failures} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
