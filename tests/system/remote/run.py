#!/usr/bin/env python3
"""Testing on boards as a user does it, over loopback: emulated boards, links that are cut, slow and noisy, guests that nobody
invited, servers and targets that are killed.

    run.py PLUMB                all scenarios
    run.py PLUMB NAME…          those whose name contains one of the words
    run.py PLUMB --boards all   aarch64 and riscv64 too

Boards are emulated by qemu; one whose emulator or libraries are missing is left out, with a message. The peer of the protocol
(peer.py) is written from docs/remote-protocol.md alone."""
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
ALL_BOARDS = "--boards" in sys.argv
if ALL_BOARDS:
    at = sys.argv.index("--boards")
    del sys.argv[at:at + 2]
from frame import Files, run_scenarios  # noqa: E402
import scenarios_boards  # noqa: E402
import scenarios_hostile  # noqa: E402
import scenarios_link  # noqa: E402
import scenarios_protocol  # noqa: E402


def scenarios():
    scenarios_boards.ALL = ALL_BOARDS
    boards = scenarios_boards.SCENARIOS + (scenarios_boards.MORE if ALL_BOARDS else [])
    return scenarios_protocol.SCENARIOS + boards + scenarios_link.SCENARIOS + scenarios_hostile.SCENARIOS


if __name__ == "__main__":
    sys.exit(run_scenarios(scenarios(), Files))
