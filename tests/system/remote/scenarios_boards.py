"""Emulated boards find what the host finds."""
import peer
from boards import MACHINES, Boards, check, defects_of, tests_of
from frame import PLUMB
from programs import BUGTEST_DEFECTS, program, same_as_on_host, target_program

MOST_BYTES = 40  # a symbolic event, on average


def bytes_per_event(result):
    link = result["link"]
    check(link["events"] > 0, f"a campaign should have symbolic events: {link}")
    return (link["bytes_received"] + link["bytes_sent"]) / link["events"]


def campaign(files, board, name, options, flags=()):
    """Result and tests of `plumb serve` with one emulated board."""
    machine, out = MACHINES[board], files.path / f"{board}-{name}"
    image = program(PLUMB, board, name, *flags)
    with Boards(PLUMB) as boards:
        server = boards.serve(image, out, "--jobs", "1", *options)
        with (files.path / "target.log").open("wb") as log:
            if machine.is_bare_metal:
                boards.cortex_m(image, server.port, log=log)
            else:
                boards.target(machine, target_program(PLUMB, board), image, server.port, log=log)
            try:
                result = server.finish(60)
            except AssertionError as error:
                raise AssertionError(f"{error}\ntarget: {(files.path / 'target.log').read_text(errors='replace')[-2000:]}") from None
    return result, tests_of(out)


def on_board(files, board, *flags):
    machine = MACHINES[board]
    if machine.missing():
        print(f"    left out: {machine.missing()}")
        return
    for name in ("bugtest", "sizes"):
        options = ["--seed", "5"]
        result, tests = campaign(files, board, name, options, flags)
        if name == "bugtest":
            check(defects_of(result) == BUGTEST_DEFECTS, f"Table 3.3: {sorted(defects_of(result), key=str)}")
        same_as_on_host(PLUMB, name, machine.word_flag, options, result, tests)
        used = bytes_per_event(result)
        print(f"    {machine.triple}, {name}: {len(tests)} tests, {len(defects_of(result))} defects, {used:.1f} bytes a symbolic event")
        check(used < MOST_BYTES, f"{name}: {used:.1f} bytes a symbolic event: {result['link']}")


def an_arm_board_finds_what_the_host_finds(files):
    """Defects, branches and tests of a 32-bit ARM board are those of the host with 32 bits."""
    on_board(files, "arm")


def a_big_endian_board_finds_what_the_host_finds(files):
    """Defects, branches and tests of an s390x are those of the host."""
    on_board(files, "s390x")


def a_cortex_m_finds_what_the_host_finds(files):
    """Defects, branches and tests of a bare-metal Cortex-M3 are those of the host with 32 bits."""
    on_board(files, "cortex-m")


def a_cortex_m_with_64_kib_of_arenas_finds_what_the_host_finds(files):
    """The same with the smallest arenas that are recommended."""
    on_board(files, "cortex-m", "--plumb-arena=65536")


def a_board_says_what_has_no_room(files):
    """With 16 KiB of arenas and more symbolic data than that: pinned, counted and told; nothing is claimed of what was left out."""
    if MACHINES["cortex-m"].missing():
        print(f"    left out: {MACHINES['cortex-m'].missing()}")
        return
    result, tests = campaign(files, "cortex-m", "big", ["--timeout", "20s"], ["--plumb-arena=16384"])
    check(result["link"]["left_out"] > 0, f"data that did not fit should be counted: {result['link']}")
    branches = result["coverage"]["branches"]
    check(not branches["exhaustive"] and not branches.get("infeasible"), f"nothing may be said of what was not followed: {branches}")
    check(len(tests) >= 2 and not result.get("defects"), f"what fits is followed: {len(tests)} tests, {result.get('defects')}")


def a_64_bit_arm_board_finds_what_the_host_finds(files):
    """Defects, branches and tests of an AArch64 board are those of the host."""
    on_board(files, "aarch64")


def a_riscv_board_finds_what_the_host_finds(files):
    """Defects, branches and tests of a 64-bit RISC-V board are those of the host."""
    on_board(files, "riscv64")


RECORD = [b"\x01", bytes.fromhex("3412"), bytes.fromhex("070000c0"), bytes.fromhex("0807060504030201"), bytes.fromhex("f100ff7ff882")]


def told_by(board, name, inputs):
    """What a run with these inputs tells a server of our own."""
    with Boards(PLUMB) as boards:
        server = peer.Server()
        boards.target(MACHINES[board], target_program(PLUMB, board), program(PLUMB, board, name), server.port)
        session = server.accept(60)
        session.greet()
        outcome = session.run(inputs)
        session.bye()
        server.close()
    return outcome.words, outcome.edges, outcome.how, outcome.code


def all_machines_tell_the_same_words(files):
    """The same inputs give the same records, word by word, whatever the byte order and the size of pointers."""
    available = [board for board in ("arm", "s390x", "aarch64", "riscv64") if not MACHINES[board].missing()]
    for name, inputs in (("steps", [b"abca"]), ("sizes", RECORD)):
        expected = told_by("host", name, inputs)
        for board in available[:None if ALL else 2]:
            check(told_by(board, name, inputs) == expected, f"{name}: {board} and the host tell different things of a run")


ALL = False  # also the boards of MORE
SCENARIOS = [all_machines_tell_the_same_words, an_arm_board_finds_what_the_host_finds, a_big_endian_board_finds_what_the_host_finds,
             a_cortex_m_finds_what_the_host_finds, a_cortex_m_with_64_kib_of_arenas_finds_what_the_host_finds,
             a_board_says_what_has_no_room]
MORE = [a_64_bit_arm_board_finds_what_the_host_finds, a_riscv_board_finds_what_the_host_finds]
