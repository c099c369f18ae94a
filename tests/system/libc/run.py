#!/usr/bin/env python3
"""Models of libc functions under `plumb test`: data keeps its meaning through them, and they agree with the C library.

    run.py PLUMB            all
    run.py PLUMB NAME…      those whose name contains one of the words

finds/    programs whose branches depend on what library functions make of input: every branch is to be covered, and
          nothing may be lost.
agree/    programs that call a model and the C library's own function on the same input in the same process, and abort
          where they differ. They start with random tests, and go on with those that the search makes of them.
differs.c shows that a difference would be seen.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 120
SEEDS = 60

# The pieces that random inputs are made of, by the name of the program.
PIECES = {
    "strings": [b"a", b"b", b"A", b"B", b"0", b"1", b"/", b".", b" ", b"\0", b"\xe9"],
    "numbers": [b"0", b"1", b"9", b"-", b"+", b".", b"e", b"x", b"0x", b" ", b"inf", b"nan(", b"\0", b"7fffffff", b"99"],
    "formats": [b"0", b"1", b"7", b"-", b",", b" ", b"0x", b"a", b".", b"%", b"\0", b"\xe9"],
    "wide": [b"a", b"Z", b"1", b" ", b"\xc3\xa9", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\x80", b"\xc3", b"\xed\xa0\x80", b"\0"],
}
# Names and sizes of inputs, in the order in which the programs ask for them.
INPUTS = {
    "strings": [("size", 1), ("a", 10), ("b", 4)],
    "numbers": [("text", 12), ("kind", 1)],
    "formats": [("number", 4), ("width", 2), ("text", 8)],
    "wide": [("kind", 1), ("text", 8)],
}


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def run_plumb(plumb, source, out, *arguments):
    """The object that was printed."""
    command = [plumb, "test", source, "--json", "-q", "--check-traces", "-D", "_GNU_SOURCE", "--out", out, *arguments]
    done = subprocess.run(list(map(str, command)), capture_output=True, timeout=SECONDS)
    check(done.returncode in (0, 10, 20), f"exit code {done.returncode}: {done.stderr.decode(errors='replace')[-2000:]}")
    result = result_object(done.stdout)
    check("stats" in result, f"the time was over before the first run: {result}")
    return result


# Where the word size changes what is to be done.
BOTH_WORD_SIZES = {"printf", "variadic"}


def test_finds(plumb, source, out):
    text = cover_all(plumb, source, out)
    if source.stem in BOTH_WORD_SIZES:
        text += ", of 32 bits " + cover_all(plumb, source, out.with_name(out.name + "-32"), "--m32")
    return text


def cover_all(plumb, source, out, *arguments):
    result = run_plumb(plumb, source, out, "--timeout", "20", *arguments)
    branches = result["coverage"]["branches"]
    check(branches["covered"] == branches["total"] > 0, f"not covered: {branches['uncovered']}")
    lost = result["stats"]["lost_precision"]
    check(not lost, f"lost: {lost}")
    return f"{branches['total']} branches"


def random_bytes(chance, name, size):
    text = b""
    while len(text) < size:
        text += chance.choice(PIECES[name]) if chance.random() < 0.9 else chance.randbytes(1)
    return text[:size]


def write_seeds(name, directory):
    chance = random.Random(name)
    directory.mkdir()
    for i in range(SEEDS):
        inputs = []
        for field, size in INPUTS[name]:
            value = random_bytes(chance, name, size) if size > 4 else chance.randbytes(size)
            inputs.append({"name": field, "bytes": value.hex()})
        (directory / f"test-{i:06}.json").write_text(json.dumps({"plumb": "1.0", "inputs": inputs}))


def test_agrees(plumb, source, out):
    seeds = out.with_name(out.name + "-seeds")
    write_seeds(source.stem, seeds)
    result = run_plumb(plumb, source, out, "--input", seeds, "--until", "time", "--timeout", "10", "--query-timeout", "100ms")
    wrong = result["defects"] + result["unconfirmed"]
    check(not wrong, f"model and library differ: {json.dumps(wrong)[:3000]}")
    runs = result["stats"]["runs"]
    check(runs >= SEEDS, f"only {runs} runs")
    return f"{runs} runs"


def test_differs(plumb, source, out):
    result = run_plumb(plumb, source, out, "--timeout", "20")
    check(len(result["unconfirmed"]) == 1, f"no difference is told: {result['unconfirmed']}")
    return "told"


def main():
    plumb = str(pathlib.Path(sys.argv[1]).resolve())
    words = sys.argv[2:]
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for test, folder in ((test_finds, "finds"), (test_agrees, "agree"), (test_differs, ".")):
            for source in sorted((HERE / folder).glob("*.c")):
                name = f"{folder}/{source.stem}"
                if words and not any(word in name for word in words):
                    continue
                try:
                    print(f"{name}: {test(plumb, source, pathlib.Path(scratch) / name.replace('/', '-'))}", flush=True)
                except (AssertionError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"{name}: FAILED: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
