#!/usr/bin/env python3
"""How `plumb prob` scales on the energy models, as Markdown.

    run.py PLUMB [--quick] [--only build|iteration|peak|steady|component|trade]…

build: states a second of a core, bytes a state and a transition, growing by factors of ten; iteration: the time of one
pass beside a plain stream over the same bytes; peak: memory while properties are answered; steady: the long run beside
Jacobi and power iteration to the same accuracy; component: states and time over the number of components; trade: both
properties of the trading model at Gao's size. --quick leaves out what takes more than some seconds. One run at a
time, so that the memory of the machine is that run's alone. Exit code 1 if a bar is missed."""
import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models" / "energy"
PARTS = ("build", "iteration", "peak", "steady", "component", "trade")

# Growing by about ten; the last of each is left out by --quick.
SINGLE = ("nLocal=8,max_queue=3", "nLocal=16,max_queue=20", "nLocal=40,max_queue=50", "nLocal=60,max_queue=50")
TRADE = ("max_time=16,k=6", "max_time=24,k=8", "max_time=32,k=10", "max_time=36,k=12")

STATES_PER_SECOND = 1.5e6
WORTH_JUDGING = 10**6  # states
BYTES_PER_TRANSITION = 8
VECTORS = 6
TIMES_STREAM = 3
STEADY_SPEEDUP = 10
HOUR = 3600


class Failed(Exception):
    pass


def count(number):
    return f"{number:,}".replace(",", " ")


def table(head, rows):
    print("|" + "|".join(head) + "|")
    print("|" + "|".join("---" for _ in head) + "|")
    for row in rows:
        print("|" + "|".join(str(cell) for cell in row) + "|")
    print(flush=True)


class Bench:
    def __init__(self, plumb, quick):
        self.plumb, self.quick, self.missed = plumb, quick, []

    def prob(self, model, constants, *arguments, limit=HOUR):
        """The JSON of one run with the processor seconds that it used; None if it ran out of time."""
        command = [str(self.plumb), "prob", str(MODELS / f"{model}.prism"), *arguments, "--json", "-q"]
        command += ["--timeout", str(limit)] if "--property" in arguments or limit != HOUR else []
        command += ["--const", constants] if constants else []
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode == 20:
            return None
        if done.returncode != 0:
            raise Failed(f"{' '.join(command)}\nexit code {done.returncode}: {done.stderr[-1000:]}")
        result = json.loads(done.stdout)
        result["cpu"] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return result

    def bar(self, is_met, text):
        print(f"{'Met' if is_met else 'MISSED'}: {text}\n", flush=True)
        if not is_met:
            self.missed.append(text)

    def sizes(self, all_sizes):
        return all_sizes[:2] if self.quick else all_sizes

    def build(self):
        print("## Building\n")
        rows, rates = [], {}
        for model, sizes in (("er_single", SINGLE), ("er_trade", TRADE)):
            for size in self.sizes(sizes):
                one = self.prob(model, size, "--threads", "1")
                two = self.prob(model, size, "--threads", "2")
                chain = one["models"][0]
                states, transitions = chain["states"], chain["transitions"]
                # The processor's time is that of the whole command: beside the clock's, it tells whether others used the machine.
                rate, by_cpu = states / chain["seconds"], states / one["cpu"]
                if states >= WORTH_JUDGING:
                    rates[model] = min(rates.get(model, math.inf), rate)
                rows.append([model, size, count(states), count(transitions), f"{chain['seconds']:.2f}", f"{rate / 1e6:.2f}", f"{by_cpu / 1e6:.2f}",
                             f"{two['models'][0]['seconds']:.2f}", f"{states / two['models'][0]['seconds'] / 1e6:.2f}",
                             f"{chain['bytes_states'] / states:.1f}", f"{chain['bytes_transitions'] / transitions:.2f}",
                             f"{one['stats']['peak_memory'] / 2**20:.0f}"])
        table(["model", "size", "states", "transitions", "s, 1 thread", "M states/s", "M states per processor second", "s, 2 threads", "M states/s",
               "bytes a state", "bytes a transition", "peak MiB"], rows)
        for model, rate in rates.items():
            self.bar(rate >= STATES_PER_SECOND, f"{model} builds at least {rate / 1e6:.2f} million states a second on one core, at every size from a million states on (bar {STATES_PER_SECOND / 1e6})")

    def iteration(self):
        print("## One iteration beside a plain stream over the same bytes\n")
        helper = self.plumb.resolve().parents[1] / "bench" / "prob" / "bench_sweeps"
        if not helper.exists():
            raise Failed(f"{helper} is not built")
        rows, worst = [], 0
        for model, sizes in (("er_single", SINGLE[1:3]), ("er_trade", TRADE[1:3])):
            for size in sizes[:1] if self.quick else sizes:
                done = subprocess.run([helper, MODELS / f"{model}.prism", *size.split(",")], capture_output=True, text=True, check=True)
                result = json.loads(done.stdout)
                for name, timing in result.items():
                    if name in ("states", "transitions"):
                        continue
                    ratio = timing["sweep"] / timing["stream"]
                    worst = max(worst, ratio)
                    rows.append([model, size, name, f"{timing['bytes'] / 2**20:.0f}", f"{timing['sweep'] * 1e3:.1f}", f"{timing['stream'] * 1e3:.1f}", f"{ratio:.2f}"])
        table(["model", "size", "kernel", "MiB", "ms an iteration", "ms a stream", "ratio"], rows)
        self.bar(worst <= TIMES_STREAM, f"an iteration takes at most {worst:.2f} times a stream (bar {TIMES_STREAM})")

    def peak(self):
        print(f"## Memory at the peak of solving\n\nOf what the solver has, up to {VECTORS} vectors of a number a state count as vectors.\n")
        rows, worst = [], 0
        cases = [("er_single", SINGLE[2], "failure", ("--lump", "off")), ("er_single", SINGLE[2] + ",T=100", "operations", ("--lump", "off")), ("er_trade", TRADE[2], "least_cost", ()),
                 ("er_trade", TRADE[2], "most_loss", ())]
        for model, size, name, more in cases:
            if self.quick:
                size = (SINGLE if model == "er_single" else TRADE)[1] + (",T=100" if "T=" in size else "")
            run = self.prob(model, size, str(MODELS / f"{model}.props"), "--property", name, *more)
            idle = self.prob("er_multi", "")["stats"]["peak_memory"]
            chain, result = run["models"][0], run["results"][0]
            states, transitions = chain["states"], chain["transitions"]
            peak = run["stats"]["peak_memory"] - idle
            # The table in which states are found while building goes before solving, but may be what the peak was.
            table_bytes = 8 * 2 ** math.ceil(math.log2(states / 0.75))
            vectors = min(result["bytes"], VECTORS * 8 * states)
            rest = (peak - chain["bytes_states"] - table_bytes - vectors) / transitions
            worst = max(worst, rest)
            rows.append([model, size, name, count(transitions), f"{peak / 2**20:.0f}", f"{(chain['bytes_states'] + table_bytes) / states:.1f}", f"{result['bytes'] / states:.1f}",
                         f"{rest:.2f}", f"{result['seconds']:.1f}", result["method"]])
        table(["model", "size", "property", "transitions", "peak MiB", "states and their table, bytes a state", "the solver's, bytes a state", "the rest, bytes a transition", "s", "method"], rows)
        self.bar(worst <= BYTES_PER_TRANSITION, f"at most {worst:.2f} bytes a transition at the peak, states and vectors apart (bar {BYTES_PER_TRANSITION})")

    def steady(self):
        print("## The long run, automatic beside Jacobi and power iteration\n")
        rows, worst = [], float("inf")
        cases = [("er_multi", "")] + [("er_single", size) for size in ("nLocal=8,max_queue=3", *(() if self.quick else (SINGLE[1],)))]
        for model, size in cases:
            props = (str(MODELS / f"{model}.props"), "--property", "failure")
            lumped = self.prob(model, size, *props)["results"][0]
            automatic = self.prob(model, size, *props, "--lump", "off")["results"][0]
            # Enough to tell more than the bar from less; a run that does not end by then is slower by at least that much.
            limit = 30 * automatic["seconds"] + 20
            others = []
            for method in ("jacobi", "power"):
                run = self.prob(model, size, *props, "--lump", "off", "--method", method, limit=limit)
                others.append((limit, f"over {limit:.0f}, not there") if run is None else (
                    run["results"][0]["seconds"], f"{run['results'][0]['seconds']:.3f} ({abs(run['results'][0]['value'] - automatic['value']):.0e} off)"))
            speedup = min(seconds for seconds, _ in others) / automatic["seconds"]
            worst = min(worst, speedup)
            rows.append([model, size, f"{automatic['value']:.9g}", f"{automatic['error']:.0e}", f"{automatic['seconds']:.3f}", automatic["method"], f"{lumped['seconds']:.3f}",
                         *(text for _, text in others), f"{speedup:.0f}"])
        table(["model", "size", "S=? [down]", "error", "s, automatic", "method", "s, with lumping", "s, Jacobi", "s, power", "times faster"], rows)
        self.bar(worst >= STEADY_SPEEDUP, f"the long run takes at most 1/{worst:.0f} of the time of Jacobi and power iteration (bar 1/{STEADY_SPEEDUP})")
        if self.quick:
            return
        run = self.prob("er_single", "nLocal=44,max_queue=50", str(MODELS / "er_single.props"), "--property", "failure", "--lump", "off")
        if run is not None:
            chain, result = run["models"][0], run["results"][0]
            print(f"At Gao's size, {count(chain['states'])} states and {count(chain['transitions'])} transitions: {result['value']:.9g} within {result['error']:.0e}, "
                  f"{chain['seconds']:.0f} s to build and {result['seconds']:.0f} s by {result['method']}.\n")
        self.bar(run is not None and run["stats"]["seconds"] < HOUR, "the long run of er_single at Gao's size within an hour")

    def component(self):
        print("## The cost of one more component\n")
        cases = [("er_single", "nPorts", range(1, 4), "nLocal=16,max_queue=20", "failure"), ("er_single", "max_queue", range(5, 26, 5), "nLocal=16", "failure"),
                 ("er_multi", "routers", range(2, 21, 3), "", "failure"), ("er_trade", "max_time", range(8, 25, 4), "k=6", "least_cost")]
        for model, name, values, others, wanted in cases:
            rows, before = [], None
            for value in values:
                run = self.prob(model, f"{name}={value}" + (f",{others}" if others else ""), str(MODELS / f"{model}.props"), "--property", wanted)
                chain, result = run["models"][0], run["results"][0]
                growth = "" if before is None else f"{chain['states'] / before:.2f}"
                before = chain["states"]
                rows.append([value, count(chain["states"]), growth, count(chain["transitions"]), f"{chain['seconds']:.3f}", f"{result['seconds']:.3f}", result["method"]])
            print(f"`{model}`{' with ' + others if others else ''}, `{wanted}`:\n")
            table([name, "states", "times before", "transitions", "s to build", "s to solve", "method"], rows)

    def trade(self):
        size = "max_time=24,k=8" if self.quick else "max_time=48,k=15"
        print(f"## The trading model, {size}\n")
        run = self.prob("er_trade", size, str(MODELS / "er_trade.props"), "--memory", "22G", limit=2 * HOUR)
        if run is None:
            self.bar(False, "the trading model answers within two hours and 22 GiB")
            return
        chain = run["models"][0]
        table(["states", "transitions", "s to build", *(f"{r['name']}, s" for r in run["results"]), "s in all", "peak GiB"],
              [[count(chain["states"]), count(chain["transitions"]), f"{chain['seconds']:.0f}", *(f"{r['value']:.9g} ± {r['error']:.0e}, {r['seconds']:.0f}" for r in run["results"]),
                f"{run['stats']['seconds']:.0f}", f"{run['stats']['peak_memory'] / 2**30:.1f}"]])
        self.bar(run["stats"]["seconds"] <= HOUR, f"both properties within an hour ({run['stats']['seconds']:.0f} s)")
        self.bar(run["stats"]["peak_memory"] <= 24 * 2**30, f"both properties within 24 GiB ({run['stats']['peak_memory'] / 2**30:.1f} GiB)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plumb", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", action="append", choices=PARTS)
    arguments = parser.parse_args()
    bench = Bench(arguments.plumb, arguments.quick)
    for part in arguments.only or PARTS:
        try:
            getattr(bench, part)()
        except (Failed, KeyError, subprocess.CalledProcessError) as error:
            bench.missed.append(f"{part}: {error!r}")
            print(f"\n{part} stopped: {error!r}\n", flush=True)
    for text in bench.missed:
        print(f"missed: {text}", file=sys.stderr)
    return 1 if bench.missed else 0


if __name__ == "__main__":
    sys.exit(main())
