"""runtime/board on an emulated Cortex-M, held against a server of its own: a program whose calls of the runtime are written
by hand ends its runs in every way there is, and the next run knows nothing of it.

usage: run.py SOURCE_DIRECTORY CLANG"""
import pathlib
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "remote"))
import peer  # noqa: E402

TOKEN = b"a token of the test"
LOST, DEFECT, ERROR, END = 15, 20, 21, 22


def sources(root):
    runtime = root / "runtime"
    found = [path for path in (runtime / "concolic").glob("*.c") if not path.name.startswith(("host", "replay"))]
    found += [runtime / "checks" / f"{name}.c" for name in ("blocks", "defects", "heap", "leak_verdict")]
    for folder in ("checks/bare", "link", "board"):
        found += (runtime / folder).glob("*.c")
    example = root / "examples" / "embedded" / "cortex-m"
    return sorted(found) + [example / "startup.c", example / "board.c", HERE / "program.c"]


def build(root, clang, folder, processor, *options):
    include = folder / "include" / "plumb"
    include.mkdir(parents=True, exist_ok=True)
    (include / "board.h").write_text((root / "runtime/board/board.h").read_text())
    machine = [f"-mcpu={processor}", "-mthumb"]
    objects = []
    for number, source in enumerate(sources(root)):
        made = folder / f"{number}-{source.stem}.o"
        subprocess.run([clang, "--target=arm-none-eabi", *machine, "-fshort-enums", "-isystem", "/usr/include/newlib", "-std=c99", "-Os",
                        "-ffreestanding", "-fno-builtin", "-ffunction-sections", "-fdata-sections", "-DPLUMB_BARE_METAL=1", f"-I{root}",
                        f"-I{include.parent}", *options, "-Wall", "-Wextra", "-Werror", "-c", str(source), "-o", str(made)], check=True)
        objects.append(str(made))
    program = folder / f"{processor}.elf"
    joined = folder / "runtime.o"
    own = len(objects) - 3
    linker = ["arm-none-eabi-gcc", *machine, "-Wl,--no-warn-execstack"]
    subprocess.run([*linker, "-nostdlib", "-r", f"-Wl,-T,{root}/runtime/board/sections.ld", *objects[:own], "-o", str(joined)], check=True)
    subprocess.run([*linker, "-nostartfiles", "--specs=nosys.specs", "-Wl,--gc-sections", f"-T{root}/examples/embedded/cortex-m/mps2.ld",
                    str(joined), *objects[own:], "-o", str(program)], check=True)
    return program


class Board:
    """The emulated board, its line a connection to the server."""

    def __init__(self, server, program, machine, is_semihosting=False):
        words = ["qemu-system-arm", "-M", machine, "-kernel", str(program), "-nographic", "-monitor", "none"]
        if is_semihosting:
            line = socket.create_connection(("127.0.0.1", server.port))
            words += ["-serial", "none", "-semihosting-config", "enable=on,target=native"]
            self.process = subprocess.Popen(words, stdin=line, stdout=line)
            line.close()
        else:
            words += ["-serial", f"tcp:127.0.0.1:{server.port}"]
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL)
        try:
            self.session = server.accept()
            self.hello = self.session.greet()
        except BaseException:
            self.stop()
            raise

    def stop(self):
        self.process.kill()
        self.process.wait()


failures = 0


def check(holds, text):
    global failures
    if not holds:
        failures += 1
        print(f"FAILED: {text}")


def last_error(outcome):
    """Code of PLUMB_ERROR, if the run's last record is one."""
    words = outcome.words
    return words[-2] >> 8 if len(words) >= 2 and words[-2] & 255 == ERROR else None


def run(session, what, **options):
    outcome = session.run(inputs=[bytes([what])], **options)
    head = outcome.words[:7]
    check(head[0] == 4 and head[2] == 1, f"{what}: the stream begins with the input, not {head}")
    check(outcome.edges == {what % 20}, f"{what}: covers {outcome.edges}")
    return outcome


def check_runs(session):
    cases = [  # what, how, code, error, fault address
        (0, peer.EXITED, 3, None, 0),
        (1, peer.EXITED, 0, None, 0),
        (3, peer.SIGNALLED, 6, 4, 0),
        (4, peer.EXITED, 5, None, 0),
        (5, peer.SIGNALLED, 6, 1, 0),
        (10, peer.SIGNALLED, 11, 7, 0x60000000),
        (11, peer.SIGNALLED, 11, 7, 0x70000004),
        (12, peer.SIGNALLED, 8, 7, 0),
        (13, peer.SIGNALLED, 4, 7, 0),
        (14, peer.SIGNALLED, 11, 7, 0),
        (15, peer.SIGNALLED, 11, 6, None),
        (16, peer.SIGNALLED, 11, 7, 0x60000000),
        (18, peer.EXITED, 1, 3, 0),
    ]
    for repeated in range(2):
        for what, how, code, error, fault in cases:
            outcome = run(session, what)
            got = outcome.how, outcome.code, last_error(outcome)
            check(got == (how, code, error), f"{what}: ends as {got}, not {(how, code, error)}")
            check(fault is None or outcome.fault == fault, f"{what}: fault at {outcome.fault:#x}")
            check(run(session, 2).code == 40, f"variables are restored after {what}")
    for repeated in range(3):
        outcome = run(session, 20)
        leaks = [outcome.words[at:at + 10] for at in range(7, len(outcome.words), 10)]
        check([(leak[0], leak[8]) for leak in leaks] == [(DEFECT | 10 << 8 | 3 << 16, 40)], f"what leaks in each run is told: {leaks}")
    for repeated in range(100):
        codes = [(done.how, done.code, len(done.words)) for done in (run(session, 21), run(session, 22))]
        check(codes == [(peer.EXITED, 0, 7)] * 2, f"what the C library keeps is not given away: {codes}")
    for what, kinds in ((23, [DEFECT, LOST]), (24, [LOST])):
        outcome = run(session, what)
        words, got = outcome.words[7:], []
        while words:
            got.append(words[0] & 255)
            words = words[10 if got[-1] == DEFECT else 2:]
        check((got, outcome.left_out, outcome.code) == (kinds, 1, 0), f"{what}: what has no room is counted, once: {got}, {outcome.left_out}")
    outcome = run(session, 19)
    check(outcome.words[-1] == END | 1 << 8, "an assumption that does not hold ends the run")
    outcome = run(session, 6, milliseconds=300)
    check(outcome.how == peer.TIMED_OUT and 250000 < outcome.microseconds < 3000000, f"a loop ends after {outcome.microseconds} us")
    outcome = run(session, 8, milliseconds=300, max_nodes=1 << 31)
    check(outcome.how == peer.TIMED_OUT and len(outcome.words) > 4000, "a run that tells without end is ended between frames")


def check_stream(session):
    outcome = run(session, 7)
    sites = [outcome.words[at + 1] for at in range(7, len(outcome.words), 4)]
    check(sites == list(range(30000)), "records come in order and complete over many frames")
    check(outcome.how == peer.EXITED, "many records do not end a run")
    outcome = run(session, 7, max_nodes=10)
    check(len(outcome.words) == 7 + 4 * 10 + 1, "the limit of nodes holds")


def check_inputs(session):
    content = bytes(range(250)) * 4
    outcome = session.run(inputs=[b"\x11", content])
    check(outcome.code == content[999], "an input over many frames arrives")
    outcome = session.run(inputs=[b"\x11", b"x" * 100000])
    check(outcome.words == [END | 2 << 8] and outcome.left_out == 1, "inputs that have no room end the run, counted")
    check(outcome.edges == set(), "and it takes no edge")
    outcome = session.run(inputs=[], seed=0)
    check(outcome.code == 3, "what is not given is zero")
    outcome = session.run(inputs=[b"\x09"], modes={0, 3, 6})
    check(outcome.code == 0b1001001, f"modes arrive: {outcome.code}")
    outcome = session.run(inputs=[b"\x09"])
    check(outcome.code == 0b1001001, "and stay")


def check_sessions(board):
    """On a line the session begins anew when the server says so, or when a frame is damaged."""
    session = board.session
    session.ping()
    for damage in ("restart", "damage", "number"):
        if damage == "restart":
            session.stream.send(peer.RESTART, number=0)
        elif damage == "damage":
            session.stream.send(peer.PING, crc=1)
        else:
            session.stream.send(peer.PING, number=77)
        session.stream.is_strict, session.covered, session.number = False, set(), 0
        session.greet()
        check(session.run(inputs=[b"\x09"]).code == 0, f"after {damage} modes are as at first")
        check(run(session, 1).how == peer.EXITED, f"after {damage} the board goes on")
    session.stream.send(peer.BYE, b"\0")
    session.stream.send(peer.RESTART, number=0)
    session.stream.is_strict, session.covered, session.number = False, set(), 0
    session.greet()
    check(run(session, 0).code == 3, "a board comes back after a campaign when a server asks for it")


def main():
    root, clang = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    server = peer.Server(TOKEN)
    with tempfile.TemporaryDirectory() as name:
        for processor, machine, options in (("cortex-m3", "mps2-an385", ()), ("cortex-m4", "mps2-an386", ("-DPLUMB_ARENA_BYTES=65536",))):
            folder = pathlib.Path(name) / processor
            board = Board(server, build(root, clang, folder, processor, *options), machine)
            try:
                check(board.hello.name == b"mps2" and board.hello.flags == peer.BARE_METAL, "HELLO says what it is")
                check_runs(board.session)
                check_stream(board.session)
                check_inputs(board.session)
                check_sessions(board)
            finally:
                board.stop()
        program = build(root, clang, pathlib.Path(name) / "semihosting", "cortex-m3", "-DSEMIHOSTING")
        board = Board(server, program, "mps2-an385", is_semihosting=True)
        try:
            check(run(board.session, 0).code == 3 and run(board.session, 10).how == peer.SIGNALLED, "semihosting is a line, too")
        finally:
            board.stop()
    print(f"{failures} failed" if failures else "the loop on the board does what it should")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main())
