#!/usr/bin/env python3
"""Runs `plumb shell` as a user would: in terminals, and as a batch.

    run.py PLUMB            all scenarios
    run.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from terminal import PROMPT, PtyTerminal, TmuxTerminal

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[2] / "examples"
PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 60

COMMANDS = ["abc", "echo", "help", "read", "print_time", "print_conf", "prove_status", "sim_status", "start_prove",
            "start_sim", "sim_variable", "stop_prove", "stop_sim", "debug", "quit", "exit", "prove", "set", "write"]

# Counts to 5 and then stays; `five` is reached in step 5, `six` never.
COUNTER = """1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 state 1 count
5 init 1 4 3
6 one 1
7 constd 1 5
8 ult 2 4 7
9 add 1 4 6
10 ite 1 8 9 4
11 next 1 4 10
12 eq 2 4 7
13 bad 12 five
14 constd 1 6
15 eq 2 4 14
16 bad 15 six
"""
SAFE_COUNTER = "".join(line + "\n" for line in COUNTER.splitlines() if not line.startswith("13 "))
# Two words that never change; whether their product can be that number is beyond a test's patience.
HARD = """1 sort bitvec 96
2 sort bitvec 1
3 state 1 p
4 next 1 3 3
5 state 1 q
6 next 1 5 5
7 one 1
8 constd 1 9912209032882918604340732869
9 mul 1 3 5
10 eq 2 9 8
11 umulo 2 3 5
12 ugt 2 3 7
13 ugt 2 5 7
14 and 2 10 -11
15 and 2 14 12
16 and 2 15 13
17 bad 16 factors
"""


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def contains(text, *parts):
    """The parts are in the text, in this order."""
    position = 0
    for part in parts:
        found = text.find(part, position)
        check(found >= 0, f"expected {part!r} (in this order) in\n{text}")
        position = found + len(part)


class Place:
    """A fresh directory with the examples, and a state directory for the history."""

    def __enter__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="plumb-shell-")
        self.path = pathlib.Path(self.holder.name)
        for name in ("add.tiny", "add_strengthened.tiny"):
            shutil.copy(EXAMPLES / name, self.path / name)
        (self.path / "counter.btor2").write_text(COUNTER)
        (self.path / "safe.btor2").write_text(SAFE_COUNTER)
        (self.path / "hard.btor2").write_text(HARD)
        self.environment = {**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(self.path / "state"),
                            "INPUTRC": "/dev/null"}
        return self

    def __exit__(self, *_):
        self.holder.cleanup()

    def terminal(self, *arguments):
        terminal = PtyTerminal([PLUMB, "shell", *arguments], self.path, self.environment)
        terminal.wait_prompt()
        return terminal

    def batch(self, text, *arguments, code=None, **keywords):
        """Commands by standard input."""
        result = subprocess.run([PLUMB, "shell", *arguments], input=text, capture_output=True, text=True,
                                cwd=self.path, env=self.environment, timeout=SECONDS, **keywords)
        check(code is None or result.returncode == code,
              f"expected exit code {code}, not {result.returncode}\n{result.stdout}\n{result.stderr}")
        return result

    def program(self, name, text):
        path = self.path / name
        path.write_text(text)
        path.chmod(0o755)
        return str(path)


def needs(program):
    return shutil.which(program) is None


def tutorial(place, terminal):
    contains(terminal.command("read -i add.tiny"), "Parsing file add.tiny...", "Parsing successful")
    contains(terminal.command("start_prove -b 4"), "Configuration parameters:", "Index Checking:", "Enabled",
             "Overflow Checking:", "Enabled", "Unroll quantifiers:", "Yes", "Check termination:", "No",
             "Latch bit width:             4", "Array Bound:                 15", "Stack Limit:                 15",
             "Program Counter bit width:", "i/o =", "lat =", "and =", "lev =")
    contains(terminal.command("abc balance"), "Calling ABC with the following command", "balance")
    contains(terminal.command("abc ssweep -r"), "Calling ABC with the following command", "ssweep -r")
    contains(terminal.command("abc print_stats"), "print_stats", "add : i/o =", "/   1  lat =", "and =", "lev =")
    shown = terminal.command("abc dprove")
    contains(shown, "Property violated", "replayed", "overflow", "add.tiny:13:")
    contains(terminal.command("debug -o add.vcd"), "overflow", "add.tiny:13:", "x = ", "y = ", "add.vcd")
    values = dict(line.split(" = ") for line in shown.splitlines() if line.strip().startswith(("x = ", "y = ")))
    x, y = (int(values[name]) for name in ("  x", "  y"))
    check(0 < x < 16 and 0 < y < 16 and x + y > 15, f"{x} + {y} should overflow under the precondition")
    waveform = (place.path / "add.vcd").read_text()
    contains(waveform, "$var", "$enddefinitions")
    text = (place.path / "add.tiny").read_text()
    (place.path / "add.tiny").write_text(text.replace("y > 0;", "y > 0 && x < 15 - y;"))
    contains(terminal.command("read -i add.tiny"), "Parsing successful")
    contains(terminal.command("start_prove -b 4"), "Latch bit width:             4")
    terminal.command("abc balance")
    terminal.command("abc ssweep -r")
    shown = terminal.command("abc int")
    contains(shown, "int", "Property proved by abc int, and the proof re-checked")
    check("warning" not in shown, f"the proof should not be vacuous\n{shown}")


# --- Scenarios ---

def tutorial_in_a_pseudo_terminal():
    """The session of section 5.1: a counterexample by overflow, a stronger precondition, a proof by interpolation."""
    if needs("berkeley-abc"):
        return "skipped, no berkeley-abc"
    with Place() as place, place.terminal() as terminal:
        contains(terminal.text, "### This is plumb")
        tutorial(place, terminal)
        terminal.type("quit\n")
        check(terminal.end() == 0, "a session should end with 0")


def tutorial_in_tmux():
    """The same session in a window of tmux."""
    if needs("berkeley-abc") or not TmuxTerminal.is_installed():
        return "skipped, no berkeley-abc or no tmux"
    with Place() as place, TmuxTerminal([PLUMB, "shell"], place.path, place.environment) as terminal:
        terminal.wait_prompt()
        tutorial(place, terminal)


def tutorial_as_a_batch():
    """The commands of the tutorial in a file do what they do in the session; the last verdict is the exit code."""
    if needs("berkeley-abc"):
        return "skipped, no berkeley-abc"
    first = "read -i add.tiny\nstart_prove -b 4\nabc balance\nabc ssweep -r\nabc print_stats\nabc dprove\ndebug -o add.vcd\n"
    with Place() as place:
        (place.path / "tutorial.txt").write_text(first)
        result = place.batch(None, "--batch", "tutorial.txt", code=10)
        contains(result.stdout, "Parsing successful", "Latch bit width:             4", "i/o =", "overflow", "add.vcd")
        check(PROMPT not in result.stdout, "a batch should have no prompts")
        (place.path / "tutorial.txt").write_text(first + "read -i add_strengthened.tiny\nstart_prove\nabc int\n")
        contains(place.batch(None, "--batch", "tutorial.txt", code=0).stdout, "Property violated", "Property proved")


def every_command_has_help():
    """-h and --help on each command of Table 5.1 and beyond print its usage, and `help` lists it."""
    with Place() as place:
        listed = place.batch("help\n", code=0).stdout
        for name in COMMANDS:
            check(f"\n{name} " in "\n" + listed, f"help should list {name}")
            short, long, helped = (place.batch(line + "\n", code=0).stdout
                                   for line in (f"{name} -h", f"{name} --help", f"help {name}"))
            contains(short, "Usage: " + name, "-h,--help")
            check(short == long == helped, f"{name}: -h, --help and help should print the same")
        contains(place.batch("start_prove -h\n").stdout, "-b,--bits", "--array", "--stack", "--no-index-check",
                 "--no-overflow-check", "--no-division-check", "--no-recursion-check", "--no-unroll", "--signed",
                 "--steps")


def wrong_order_says_what_comes_first():
    """A command whose turn has not come names the one that must come first, and the session goes on."""
    no_program = "no program: read one with `read -i FILE`"
    no_session = "no proving session: start one with `start_prove -b BITS`"
    with Place() as place, place.terminal() as terminal:
        for line in ("start_prove -b 4", "abc balance", "prove", "prove_status", "stop_prove", "debug", "start_sim",
                     "start_sim -c", "sim_status", "sim_variable x", "stop_sim", "write btor2", "write aiger"):
            contains(terminal.command(line), no_program)
        contains(terminal.command("read -i counter.btor2"), "Parsing successful")
        for line in ("abc balance", "prove", "prove_status", "stop_prove", "debug", "start_sim -c"):
            contains(terminal.command(line), no_session)
        for line in ("sim_status", "sim_variable count", "stop_sim"):
            contains(terminal.command(line), "no simulation: start one with `start_sim`")
        terminal.command("start_prove")
        for line in ("debug", "start_sim -c"):
            contains(terminal.command(line), "no counterexample: find one with")
        terminal.command("stop_prove")
        contains(terminal.command("debug"), no_session)
        contains(terminal.command("echo alive"), "alive")


def wrong_flags_are_named():
    """A flag, a value or an argument that a command does not have is named, and nothing is changed."""
    cases = {
        "start_prove --nonsense": "--nonsense", "start_prove -b": "-b", "start_prove -b four": "four",
        "start_prove -b 0": "0 bits", "start_prove -b 65": "65 bits", "start_prove --array 0": "array bound of 0",
        "start_prove --steps line": "line", "start_prove -p nothing": "nothing", "print_time now": "now",
        "read -i": "-i", "read": "no file", "read -i missing.tiny": "missing.tiny", "read -i shell.xyz": "shell.xyz",
        "write": "FORMAT", "write pdf": "pdf", "set nothing": "no setting 'nothing'", "set timeout soon": "soon",
        "set seed -1": "-1", "set trust_abc perhaps": "perhaps", "debug -x": "-x", "quit now": "now",
        "start_sim -n 0": "0 frames", "abc": "no command for ABC", "abc balance -Q": "-Q", "abc pdr -T many": "many",
        "abc bmc3 -F many": "many", "abc strash --all": "--all", "help nothing": "no command 'nothing'",
        "echo 'open": "not closed", "prove -e magic": "magic", "prove -t never": "never",
    }
    with Place() as place, place.terminal("counter.btor2") as terminal:
        terminal.command("start_prove")
        for line, part in cases.items():
            contains(terminal.command(line), "error: ", part)
        contains(terminal.command("prove_status"), "Proving counter.btor2", "Nothing was tried yet")


def unknown_commands_get_a_suggestion():
    """An unknown command names the nearest one; a command of ABC is told to go through abc."""
    with Place() as place, place.terminal() as terminal:
        contains(terminal.command("start_prov"), "no command 'start_prov'", "did you mean start_prove?")
        contains(terminal.command("raed -i x"), "did you mean read?")
        contains(terminal.command("balance"), "did you mean abc balance?")
        contains(terminal.command("xyzzyplugh"), "no command 'xyzzyplugh'", "`help` lists them")


def words_quotes_and_comments():
    """Commands are separated by semicolons, quotes keep blanks and semicolons, # starts a comment."""
    with Place() as place:
        shutil.copy(place.path / "counter.btor2", place.path / "a b;c.btor2")
        text = "echo one;echo two # three\n# nothing\n\necho 'a;  b' \"c # \\\"d\\\"\" e\\ f g#h\nread -i 'a b;c.btor2'\n;;\n"
        result = place.batch(text, code=0)
        contains(result.stdout, "one\ntwo\na;  b c # \"d\" e f g#h\n", "Parsing successful")
        check("three" not in result.stdout, "a comment should not be printed")
        contains(place.batch("echo done", "a b;c.btor2", code=0).stdout, "Parsing successful", "done")


def completion_with_a_tab():
    """Tab completes commands, options, files, commands of ABC, variables, settings and formats."""
    with Place() as place, place.terminal("counter.btor2") as terminal:
        def completes(keys, whole):
            since = terminal.type(keys + "\t")
            terminal.wait(lambda text: whole in text, since, 20)
            terminal.type("\x03")
            terminal.wait(lambda text: text.endswith("\n" + PROMPT), since, 20)

        terminal.command("start_sim -n 3")
        completes("prove_s", "prove_status ")
        completes("start_prove --arr", "start_prove --array ")
        completes("read -i cou", "read -i counter.btor2 ")
        completes("echo x; debug --out", "debug --output ")
        completes("sim_variable cou", "sim_variable count ")
        completes("set trus", "set trust_abc ")
        completes("write ai", "write aiger ")
        completes("help sim_v", "help sim_variable ")
        completes("abc ssw", "abc ssweep ")
        if not needs("berkeley-abc"):
            completes("abc write_veri", "abc write_verilog ")
        since = terminal.type("start_\t\t")
        terminal.wait(lambda text: "start_prove" in text and "start_sim" in text, since, 20)


def history_is_kept_across_sessions():
    """What was typed is there in the next session, in a file under the state directory."""
    with Place() as place:
        with place.terminal() as terminal:
            terminal.command("echo first words")
            terminal.type("quit\n")
            terminal.end()
        check("echo first words" in (place.path / "state/plumb/history").read_text(), "the history file should have it")
        with place.terminal() as terminal:
            since = terminal.type("\x1b[A\x1b[A")
            terminal.wait(lambda text: "echo first words" in text, since, 20)
            since = terminal.type("\n")
            contains(terminal.wait(lambda text: text.endswith("\n" + PROMPT), since, 20), "first words\n")


def the_session_lives_without_a_home():
    """Where no history can be kept, nothing else is lost."""
    with Place() as place:
        place.environment["XDG_STATE_HOME"] = "/dev/null/nowhere"
        with place.terminal() as terminal:
            contains(terminal.command("echo alive"), "alive")


def interrupt_stops_the_command_and_not_the_shell():
    """Ctrl-C ends a long proof, of all engines and of ABC, and the next command runs."""
    with Place() as place, place.terminal("hard.btor2") as terminal:
        terminal.command("start_prove")
        lines = ["prove -e bmc", "prove"] + ([] if needs("berkeley-abc") else ["abc bmc3 -F 1000", "abc bmc2 -F 1000"])
        for line in lines:
            since = terminal.type(line + "\n")
            terminal.wait(lambda text: "\n" in text, since)
            terminal.wait(lambda text: True, since)
            time.sleep(1.0)
            terminal.read(0.1)
            check(not terminal.text.endswith("\n" + PROMPT), f"{line} should take longer\n{terminal.text[since:]}")
            terminal.type("\x03")
            contains(terminal.wait(lambda text: text.endswith("\n" + PROMPT), since, 20), "interrupted")
            contains(terminal.command("echo alive"), "alive")
        contains(terminal.command("prove_status"), "Proving hard.btor2")


def interrupt_at_the_prompt_drops_the_line():
    """Ctrl-C at the prompt forgets what was typed, as often as one likes; Ctrl-D on an empty line leaves with 0."""
    with Place() as place, place.terminal() as terminal:
        for _ in range(4):
            since = terminal.type("echo never")
            terminal.wait(lambda text: "never" in text, since, 20)
            since = terminal.type("\x03")
            terminal.wait(lambda text: text.endswith("\n" + PROMPT), since, 20)
            check(terminal.command("echo now") == "now\n", "the dropped line should not come back")
        terminal.type("\x04")
        check(terminal.end() == 0, "Ctrl-D should leave with 0")


def termination_signal_ends_the_shell():
    """SIGTERM at the prompt ends the process within a moment, with 130."""
    with Place() as place, place.terminal() as terminal:
        os.kill(terminal.pid, signal.SIGTERM)
        check(terminal.end(20) == 130, "SIGTERM should end the session with 130")


def time_limit_of_a_command():
    """`set timeout` and --timeout end a command, not the session; the batch's verdict is then none, exit code 20."""
    with Place() as place:
        text = "read -i hard.btor2\nstart_prove\nset timeout 1s\nprove\necho alive\n"
        contains(place.batch(text, code=20).stdout, "out of time", "alive")
        text = "read -i hard.btor2\nstart_prove\nprove\necho alive\n"
        contains(place.batch(text, "--timeout", "1s", code=20).stdout, "out of time", "alive")
        contains(place.batch("read -i hard.btor2\nstart_prove\nprove -t 500ms\necho alive\n", code=20).stdout, "alive")


def batch_stops_at_the_first_mistake():
    """A batch ends at the first mistake, with file and line and exit code 2."""
    with Place() as place:
        (place.path / "mistake.txt").write_text("echo one\n\nnonsense\necho two\n")
        result = place.batch(None, "--batch", "mistake.txt", code=2)
        check(result.stdout == "one\n", result.stdout)
        contains(result.stderr, "mistake.txt:3: error: no command 'nonsense'")
        result = place.batch("echo one\nread -i missing.tiny\necho two\n", code=2)
        contains(result.stderr, "<stdin>:2: error: ", "missing.tiny")
        check("two" not in result.stdout, result.stdout)
        contains(place.batch(None, "--batch", "missing.txt", code=2).stderr, "missing.txt")
        contains(place.batch("", "--json", code=2).stderr, "--json")
        check(place.batch("", code=0).stdout == "", "an empty batch should print nothing")


def batch_exit_code_is_the_last_verdict():
    """10 after a violation, 0 after a proof or without a verdict, 20 if the last question stayed open."""
    with Place() as place:
        place.batch("read counter.btor2\nstart_prove\nprove\n", code=10)
        place.batch("read safe.btor2\nstart_prove\nprove\n", code=0)
        place.batch("read counter.btor2\nstart_prove -p six\nprove\n", code=0)
        place.batch("read safe.btor2\nstart_prove\nprove -e bmc -k 1\n", code=20)
        place.batch("read counter.btor2\nstart_prove\nprove\nquit\nnonsense\n", code=10)


def interrupted_batch():
    """Ctrl-C in a batch ends the batch, with 130."""
    with Place() as place:
        process = subprocess.Popen([PLUMB, "shell", "hard.btor2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=place.path, env=place.environment)
        process.stdin.write("start_prove\nprove -e bmc\necho two\n")
        process.stdin.close()
        time.sleep(2)
        check(process.poll() is None, "the proof should take longer")
        process.send_signal(signal.SIGINT)
        code = process.wait(20)
        check(code == 130 and "two" not in process.stdout.read(), f"expected 130, not {code}")
        process.stdout.close()
        process.stderr.close()


def mistakes_keep_the_program():
    """A file with mistakes shows them all with their places; the program and its session stay."""
    with Place() as place, place.terminal("counter.btor2") as terminal:
        terminal.command("start_prove")
        (place.path / "bad.btor2").write_text("1 sort bitvec 4\n2 state 7\n")
        contains(terminal.command("read -i bad.btor2"), "bad.btor2:2:", "error: ")
        (place.path / "bad.tiny").write_text("void main() {\n  int x = ;\n}\n")
        contains(terminal.command("read -i bad.tiny"), "bad.tiny:2:", "error: ")
        contains(terminal.command("prove_status"), "Proving counter.btor2")
        contains(terminal.command("prove"), "five: violated", "six: ", "proved")
        contains(terminal.command("read -i safe.btor2"), "The proving session of counter.btor2 is ended", "successful")


def counterexamples_of_systems_are_shown_and_simulated():
    """A counterexample is shown by its values, written as a waveform, and simulated; so is a random run."""
    with Place() as place:
        text = ("read -i counter.btor2\nstart_prove\nprove\ndebug -o five.vcd\nstart_sim -c\nsim_variable count -f 2 -t 4\n"
                "sim_status\nstop_sim\nstart_sim -n 8 --seed 7\nsim_variable count five\nsim_variable\n")
        result = place.batch(text, code=10)
        contains(result.stdout, "five is violated in step 5", "Waveform written to five.vcd",
                 "Simulation of counter.btor2: 6 frames (counterexample of ", "five is violated in frame 5",
                 "frame  count\n    2      2\n    3      3\n    4      4\n", "The simulation is ended",
                 "8 frames (random, seed 7)",
                 "frame  count  five\n    0      0     0\n    1      1     0\n    2      2     0\n    3      3     0\n"
                 "    4      4     0\n    5      5     1\n    6      5     1\n    7      5     1\ncount\nfive\n")
        contains((place.path / "five.vcd").read_text(), "count", "$enddefinitions")
        for line, part in {"sim_variable coumt": "did you mean count?", "sim_variable count -f 9": "frames are 0 to 7",
                           "sim_variable count[1]": "count is no array"}.items():
            contains(place.batch(f"read counter.btor2\nstart_sim -n 8\n{line}\n", code=2).stderr, part)


def reductions_are_kept_and_reported():
    """Reductions of ABC change the circuit of the session, with their sizes; a script stands in quotes."""
    if needs("berkeley-abc"):
        return "skipped, no berkeley-abc"
    with Place() as place:
        text = ("read counter.btor2\nstart_prove -p six\nabc 'scl -l; scorr; dc2'\nabc balance\nprove_status\nabc pdr\n"
                "write aiger -o now.aag\nwrite aiger --whole -o whole.aag\nabc print_io\nabc frames -F 2\nabc print_stats\n")
        result = place.batch(text, code=0)
        contains(result.stdout, "as made", "lat =     4", "scl -l", "scorr", "dc2", "balance", "Property proved by abc pdr",
                 "Wrote now.aag", "Wrote whole.aag", "Primary inputs", "changed ABC's copy alone", "counter : i/o =")
        contains((place.path / "whole.aag").read_text(), "aag ", " 4 ")
        contains(place.batch("read counter.btor2\nstart_prove\nabc nosuchcommand\n", code=2).stderr, "nosuchcommand")
        contains(place.batch("read counter.btor2\nstart_prove\nabc pdr -h\n", code=0).stdout, "usage: pdr")


def provers_of_abc_agree():
    """Each prover of ABC that a session knows finds the violation or leaves it open, and proves what holds or leaves it open."""
    if needs("berkeley-abc"):
        return "skipped, no berkeley-abc"
    with Place() as place:
        found = proved = 0
        for prover in ("dprove", "int", "ind", "pdr", "bmc", "bmc2", "bmc3", "sim3 -T 1", "reach"):
            violated = place.batch(f"read counter.btor2\nstart_prove -p five\nabc {prover}\n")
            check(violated.returncode in (10, 20), f"{prover}\n{violated.stdout}{violated.stderr}")
            found += violated.returncode == 10
            safe = place.batch(f"read counter.btor2\nstart_prove -p six\nabc {prover}\n")
            check(safe.returncode in (0, 20), f"{prover}\n{safe.stdout}{safe.stderr}")
            proved += safe.returncode == 0
        check(found >= 6 and proved >= 4, f"{found} found the violation, {proved} proved")


def formats_are_written_and_read_back():
    """What `write` writes is read again and has the same verdicts."""
    with Place() as place:
        for name in ("again.btor2", "again.caig", "again.aig", "again.aag"):
            form = {"btor2": "btor2", "caig": "caig"}.get(name.split(".")[1], "aiger")
            place.batch(f"read counter.btor2\nwrite {form} -o {name}\n", code=0)
            contains(place.batch(f"read {name}\nstart_prove\nprove\n", code=10).stdout, "violated", "proved")
        contains(place.batch("read counter.btor2\nwrite rho\n", code=2).stderr, "no Tiny program")
        contains(place.batch("read add.tiny\nwrite rho\n", code=0).stdout, "pre_add = ", "post_add = ", "assert(")
        contains(place.batch("read add.tiny -b 4\nwrite btor2\n", code=0).stdout, "sort bitvec 4")
        contains(place.batch("read counter.btor2\nwrite aiger\n", code=0).stdout, "aag ")


def abc_that_is_missing_or_broken():
    """Without ABC, or with one that crashes, hangs or talks nonsense, there is a message, no verdict, and the session goes on."""
    with Place() as place:
        place.program("crash", "#!/bin/sh\nkill -SEGV $$\n")
        place.program("hang", "#!/bin/sh\nsleep 100\n")
        place.program("nonsense", "#!/bin/sh\necho Property proved\necho Status = 1\nseq 1 10\n")
        with place.terminal("counter.btor2") as terminal:
            terminal.command("start_prove")
            for program, part in {"no-such-abc": "no-such-abc", "./crash": "signal 11", "./nonsense": "nonsense"}.items():
                terminal.command(f"set abc {place.path / program if program.startswith('.') else program}")
                for line in ("abc balance", "abc print_io"):
                    contains(terminal.command(line), "error: ", part)
                shown = terminal.command("abc pdr")
                contains(shown, "No decision", part)
                check("Property proved" not in shown and "violated" not in shown, shown)
            terminal.command(f"set abc {place.path / 'hang'}; set timeout 1s")
            contains(terminal.command("abc balance"), "out of time")
            contains(terminal.command("abc print_io"), "out of time")
            contains(terminal.command("abc pdr"), "No decision", "out of time")
            contains(terminal.command("set timeout off; prove -e bmc -p five"), "five: violated")


def times_and_settings():
    """print_time and set show what they should."""
    with Place() as place:
        result = place.batch("echo x\nprint_time\nset\nset seed 5\nset seed\nprint_conf\n", "--timeout", "90s", code=0)
        contains(result.stdout, "s in the last command", "s in total", "timeout", "90s", "seed       1", "seed       5",
                 "Latch bit width:             8", "Array Bound:                 255")


def checks_and_bounds_of_tiny():
    """start_prove's switches change the table and the answer, and stay for the next session."""
    with Place() as place:
        text = "read add.tiny\nstart_prove -b 3 --array 4 --stack 2 --no-overflow-check --steps statement -k 40\nprint_conf\n"
        result = place.batch(text, code=0)
        contains(result.stdout, "Overflow Checking:           Disabled", "Check termination:           Within 40 steps",
                 "Step:                        Statement", "Latch bit width:             3", "Array Bound:                 4",
                 "Stack Limit:                 2", "termination within 40 steps", "Latch bit width:             3")
        contains(place.batch("read add.tiny\nstart_prove -b 4\nprove\n", code=10).stdout, "overflow", "violated")
        result = place.batch("read add.tiny\nstart_prove -b 4 --no-overflow-check\nprove\n", code=10)
        contains(result.stdout, "postcondition add: violated")
        contains(place.batch("read add_strengthened.tiny\nstart_prove -b 4\nprove\n", code=0).stdout, "proved")
        text = "read add_strengthened.tiny\nstart_prove -b 6 --signed\nprint_conf\nprove\n"
        contains(place.batch(text).stdout, "Signed integers:             Yes")


def simulation_of_tiny():
    """A run of a Tiny program shows its variables by name, and the counterexample's run the values that debug tells."""
    with Place() as place:
        text = "read add.tiny\nstart_prove -b 4 --steps statement --no-share\nprove\nstart_sim -c\nsim_variable x y\n"
        result = place.batch(text, code=10)
        rows = [line.split() for line in result.stdout.split("frame")[-1].splitlines()[1:]]
        x, y = int(rows[0][1]), int(rows[0][2])
        check(x + y > 15, f"{x} + {y} should overflow\n{result.stdout}")
        contains(result.stdout, f"  x = {x}\n", f"  y = {y}\n")
        contains(place.batch("read add.tiny\nstart_sim -b 4 -n 5\nsim_variable x\n", code=0).stdout, "5 frames", "frame  x\n")


SCENARIOS = [value for name, value in list(globals().items()) if callable(value) and value.__doc__ and
             getattr(value, "__module__", None) == __name__ and not isinstance(value, type) and
             name not in ("contains",)]


def main():
    words = sys.argv[2:]
    failed = 0
    for scenario in SCENARIOS:
        if words and not any(word in scenario.__name__ for word in words):
            continue
        start = time.monotonic()
        try:
            outcome = scenario() or "passed"
        except (AssertionError, subprocess.TimeoutExpired, OSError) as error:
            outcome = f"FAILED: {scenario.__doc__}\n{error}"
            failed += 1
        print(f"{scenario.__name__}: {outcome} ({time.monotonic() - start:.1f} s)", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
