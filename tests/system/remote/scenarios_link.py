"""Bad links, and servers and targets that end in the middle: what is found stays the same."""
import pathlib
import random
import subprocess
import time

from boards import MACHINES, Boards, check, free_port, tests_of
from frame import PLUMB
from programs import STEPS_OPTIONS, program, same_as_on_host, target_program
from proxy import FAULTS, Line, Proxy, no_faults, seeded

BOARD = "host"  # no emulation: the link is what counts


def expect_same(result, out):
    same_as_on_host(PLUMB, "steps", MACHINES[BOARD].word_flag, STEPS_OPTIONS, result, tests_of(out))


def start_target(boards, port, *options, flags=()):
    return boards.target(MACHINES[BOARD], target_program(PLUMB, BOARD), program(PLUMB, BOARD, "steps", *flags), port, *options)


def a_bad_link_changes_nothing(files):
    """Cuts, delays, bit errors, lost and repeated bytes in ten connections: the same tests, branches and defects."""
    out = files.path / "out"
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), out, *STEPS_OPTIONS)
        proxy = Proxy(server.port, seeded(7, 10))
        start_target(boards, proxy.port)
        result = server.finish(100)
        proxy.close()
    happened = proxy.happened()
    check(set(happened) == set(FAULTS), f"all kinds of faults should have come about: {happened}")
    expect_same(result, out)
    check(result["link"]["runs_repeated"] > 0, f"runs that were cut off should have been repeated: {result['link']}")
    print(f"    {len(happened)} faults, {result['link']['runs_repeated']} runs repeated, {result['link']['broken']} sessions broken")


def a_bare_metal_board_bears_a_bad_link(files):
    """A board without an operating system, whose line is cut off, then damaged in both directions: the same tests, branches and
    defects as on the host."""
    machine, out = MACHINES["cortex-m"], files.path / "out"
    if machine.missing():
        print(f"    left out: {machine.missing()}")
        return
    # The board does not see that its line is cut, so the next connection is silent until the server gives it up.
    faults = {(0, "up"): [(3000, ("cut",))], (2, "down"): [(600, ("flip", 5))], (3, "up"): [(4000, ("flip", 2))]}
    with Boards(PLUMB) as boards:
        image = program(PLUMB, "cortex-m", "steps")
        server = boards.serve(image, out, *STEPS_OPTIONS)
        proxy = Proxy(server.port, lambda connection, direction: faults.get((connection, direction), []))
        boards.cortex_m(image, proxy.port)
        result = server.finish(100)
        proxy.close()
    check(sorted(proxy.happened()) == ["cut", "flip", "flip"], f"faults that came about: {proxy.happened()}")
    same_as_on_host(PLUMB, "steps", machine.word_flag, STEPS_OPTIONS, result, tests_of(out))


def a_link_that_stalls_is_given_up(files):
    """A target whose words stop in the middle of a run, with the connection open, costs seconds and no result."""
    out = files.path / "out"
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), out, *STEPS_OPTIONS)
        proxy = Proxy(server.port, lambda connection, direction: [(3000, ("stall",))] if (connection, direction) == (0, "up") else [])
        start_target(boards, proxy.port)
        start = time.monotonic()
        result = server.finish(60)
        proxy.close()
    check(proxy.happened() == ["stall"], f"the link should have stalled: {proxy.happened()}")
    check(time.monotonic() - start > 5, "a run is waited for")
    expect_same(result, out)


def a_killed_server_goes_on(files):
    """SIGKILL at some moments, --resume on the same port: the target comes back by itself, and nothing is lost."""
    out, port, dice = files.path / "out", free_port(), random.Random(3)
    image = program(PLUMB, BOARD, "steps", "-DPAUSE=5000000")
    with Boards(PLUMB) as boards:
        proxy = Proxy(port, no_faults)
        server = boards.serve(image, out, *STEPS_OPTIONS, port=port)
        target = start_target(boards, proxy.port, flags=["-DPAUSE=5000000"])
        kept = {}
        for _ in range(3):
            time.sleep(dice.uniform(0.3, 1.2))
            if server.process.poll() is not None:
                break
            boards.kill(server.process)
            for name, inputs in kept.items():
                check(tests_of(out).get(name) == inputs, f"{name} is lost or changed")
            kept = tests_of(out)
            server = boards.serve(None, out, port=port)
        result = server.finish(60)
        check(target.wait(20) == 0, f"the target should end well when the campaign is over, not with {target.returncode}")
        proxy.close()
    check(len(proxy.records) >= 3, f"the target should have come back: {len(proxy.records)} connections")
    check(result["campaign"]["resumed"], str(result["campaign"]))
    tests = tests_of(out)
    for name, inputs in kept.items():
        check(tests.get(name) == inputs, f"{name} is lost or changed")
    same_as_on_host_without_numbers(result)
    print(f"    {len(proxy.records)} connections, {len(tests)} tests")


def same_as_on_host_without_numbers(result):
    """A campaign that was interrupted may find its tests in another order."""
    branches = result["coverage"]["branches"]
    check(branches["covered"] == branches["total"] == 28, f"all branches should be covered: {branches}")
    check([one["kind"] for one in result["defects"]] == ["assertion"], str(result["defects"]))


def a_killed_target_is_replaced(files):
    """Targets that are killed one after the other, in the middle of runs: the next goes on where they were."""
    out, pause = files.path / "out", "-DPAUSE=5000000"
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps", pause), out, *STEPS_OPTIONS)
        for _ in range(3):
            target = start_target(boards, server.port, flags=[pause])
            time.sleep(0.5)
            check(server.process.poll() is None, "the campaign should not be over yet")
            boards.kill(target)
        start_target(boards, server.port, flags=[pause])
        result = server.finish(60)
    expect_same(result, out)
    check(result["link"]["sessions"] == 4, f"four targets came: {result['link']}")


def a_serial_line_carries_a_campaign(files):
    """A line with the board's greetings on it, bit errors, lost and repeated bytes: the same tests, branches and defects."""
    out = files.path / "out"
    faults = {"up": [(3000, ("flip", 3)), (9000, ("repeat", 7)), (15000, ("flip", 0)), (21000, ("drop", 5))],
              "down": [(900, ("flip", 6)), (1800, ("delay", 1.0)), (2500, ("repeat", 2))]}
    line = Line(lambda _, direction: faults[direction])
    pathlib.Path(line.board).write_bytes(b"\r\nplumb board, platform 7\r\npl\x01\x01\x08 ready\r\n")
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), out, *STEPS_OPTIONS, "--serial", line.server)
        boards.start([target_program(PLUMB, BOARD), "--serial", line.board, program(PLUMB, BOARD, "steps")], stdin=subprocess.DEVNULL,
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        result = server.finish(100)
    check(sorted(line.happened()) == ["delay", "drop", "flip", "flip", "flip", "repeat", "repeat"], f"faults that came about: {line.happened()}")
    expect_same(result, out)


SCENARIOS = [a_bad_link_changes_nothing, a_serial_line_carries_a_campaign, a_bare_metal_board_bears_a_bad_link,
             a_link_that_stalls_is_given_up, a_killed_server_goes_on, a_killed_target_is_replaced]
