#!/usr/bin/env python3
"""The runtime and plumb-target on every machine that can be emulated here, with a program that calls the runtime by hand
(program.c says what each first input does). Machines without emulator or C library are left out, which is said."""
import os
import pathlib
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "remote")]
from frame import PLUMB, check, run_scenarios  # noqa: E402
import peer  # noqa: E402
from machines import MACHINES, ROOT, ForkServer  # noqa: E402

POINTER, FREED, RETURNED, ARRAY, DOUBLE_FREE, BAD_FREE, LEAK = 2, 6, 7, 3, 8, 9, 10
ERROR_ABORT, ERROR_STACK, ERROR_SIGNAL = 4, 6, 7
HEAP = 3
PIN_FULL = 8
TOKEN = b"a token of some length"


def what(number):
    return struct.pack("<I", number)


class Nothing:
    """run_scenarios() makes one a scenario."""


def plain_runs(machine, server):
    """a run without defects tells none, and its input in little-endian bytes"""
    for number in (0, 4, 6, 11, 12, 16, 28, 29):
        run = server.run(what(number))
        check((run.signal, run.code, run.defects, run.errors) == (0, 0, [], []),
              f"case {number}: signal {run.signal}, code {run.code}, {run.defects}, {run.errors}")
        check(run.inputs == [what(number)], f"case {number}: inputs {run.inputs}")
        check(run.coverage[number] == 1 and sum(run.coverage) == 1, f"case {number}: coverage")


def heap_defects(machine, server):
    """accesses behind and after the life of heap objects, and wrong frees, are told with their objects"""
    for number, kind, size in ((1, POINTER, 10), (2, DOUBLE_FREE, 10), (13, FREED, 10), (14, POINTER, 48 << 20), (18, BAD_FREE, 10)):
        run = server.run(what(number))
        check(run.kinds() == [kind] and run.code == 0 and run.signal == 0, f"case {number}: {run.defects}, {run.code}, {run.signal}")
        defect = run.defects[0]
        check((defect["object"], defect["size"]) == (HEAP, size), f"case {number}: {defect}")
        if kind == POINTER:
            check(defect["address"] == defect["base"] + size, f"case {number}: {defect}")


def leaks(machine, server):
    """an object that nothing points to is a leak, and one that a variable of a live function holds is none"""
    run = server.run(what(3))
    check(run.kinds() == [LEAK] and run.defects[0]["size"] == 24, f"{run.defects}")


def frames(machine, server):
    """accesses behind a variable and after the return of its function are told"""
    run = server.run(what(15))
    check(run.kinds() == [ARRAY, RETURNED], f"{run.defects}")
    check(run.defects[0]["size"] == 24, f"{run.defects}")


def full_frames(machine, server):
    """frames that have no room are counted, once a run"""
    for _ in range(2):
        run = server.run(what(30))
        check((run.code, run.defects, run.lost) == (0, [], [PIN_FULL]), f"{run.code}, {run.defects}, {run.lost}")


def call_stacks(machine, server):
    """the same place is told once a call stack: callers of callers are seen"""
    run = server.run(what(9))
    check(run.kinds() == [POINTER, POINTER], f"{run.defects}")
    check(run.defects[0]["hash"] != run.defects[1]["hash"], f"{run.defects}")


def faults(machine, server):
    """fatal signals have a record and the address, also where the map has no piece; overflow of the stack is one"""
    page = 4096 if machine.triple.startswith("s390x") else 1  # that machine tells pages alone
    places = [(5, 8), (7, 0x212345678000 if machine.bits == 64 else 0xDEAD0000)]
    if machine.bits == 64 and machine.emulator:  # elsewhere the map is there as a whole
        places.append((19, 0x3123456000))
    for number, address in places:
        run = server.run(what(number))
        check(run.signal == signal.SIGSEGV and run.errors == [ERROR_SIGNAL], f"case {number}: {run.signal}, {run.errors}")
        check(run.fault == address // page * page, f"case {number}: {run.fault:#x}")
    run = server.run(what(8))
    check(run.signal == signal.SIGSEGV and run.errors == [ERROR_STACK], f"{run.signal}, {run.errors}")
    run = server.run(what(10))
    check(run.errors == [ERROR_ABORT], f"{run.signal}, {run.errors}")


def byte_order(machine, server):
    """elements of inputs have the bytes of a little-endian machine, in tests and in the record"""
    run = server.run(what(17), bytes([1, 2, 3, 4]))
    check(run.code == 0 and run.inputs == [what(17), bytes([1, 2, 3, 4])], f"code {run.code}, {run.inputs}")


def same_again(machine, server):
    """the same inputs give the same records, addresses included"""
    first = [server.run(what(number)).defects for number in (1, 2, 3, 9, 15)]
    second = [server.run(what(number)).defects for number in (1, 2, 3, 9, 15)]
    check(first == second, f"{first}\n{second}")


def identity(machine, server):
    """the program tells who it is, and does nothing else"""
    environment = {**os.environ, "PLUMB_IDENTITY": "1"}
    done = subprocess.run([*machine.runner(), str(machine.program)], env=environment, capture_output=True, timeout=60)
    check(done.returncode == 0 and done.stdout == bytes([1, 2, 3]) + bytes(29) + struct.pack("<II", 300, 5),
          f"{done.returncode} {done.stdout}")


# --- plumb-target ---


class Target:
    """plumb-target of the machine, connected to a server of peer.py."""

    def __init__(self, machine, *words):
        self.directory = tempfile.TemporaryDirectory()
        token = pathlib.Path(self.directory.name) / "token"
        token.write_bytes(TOKEN + b"\n")
        self.server = peer.Server(TOKEN)
        runner = ["--runner", " ".join(machine.runner())] if machine.runner() else []
        self.process = subprocess.Popen(
            [*machine.runner(), str(machine.target), "--server", f"127.0.0.1:{self.server.port}", "--token-file", str(token),
             "--scratch", self.directory.name, *words, *runner, str(machine.program)], stderr=subprocess.PIPE)

    def session(self):
        session = self.server.accept()
        self.hello = session.greet()
        return session

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.server.close()
        self.directory.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()


def scratch_names(target):
    return [path.name for path in pathlib.Path(target.directory.name).iterdir() if path.name != "token"]


def target_runs(machine, server):
    """plumb-target runs what the server says and tells how it ended, whatever the program does to it"""
    with Target(machine) as target:
        session = target.session()
        check((target.hello.edges, target.hello.regions) == (300, 5), f"{vars(target.hello)}")
        check(target.hello.flags == (machine.order == ">") * peer.BIG_ENDIAN + (machine.bits == 64) * peer.LONG_POINTERS,
              f"{vars(target.hello)}")
        run = lambda number, **options: session.run(inputs=[what(number)], **options)  # noqa: E731
        check((run(0).how, run(10).code, run(5).code) == (peer.EXITED, signal.SIGABRT, signal.SIGSEGV), "plain, abort and null")
        done = run(20, milliseconds=300)
        check(done.how == peer.TIMED_OUT, f"an endless run ended as {done.how}")
        check(run(21).how == peer.LOST, "the fork server was killed")
        check(run(22).how == peer.LOST, "the head of the segment was destroyed")
        check((run(23).how, run(24).code) == (peer.EXITED, 0), "a deep tree should be gone when the next run begins")
        check(run(25).how == peer.EXITED and run(0).how == peer.EXITED, "a process that the run left behind")
        check(session.covered == {0}, f"{session.covered}")
        if machine.emulator is None:  # qemu does not pass limits of memory on
            check((run(14, memory=256).code, run(14, memory=16).code) == (0, 4), "a limit of memory")
        check(run(26, file_size=4).code == signal.SIGXFSZ and run(26, file_size=64).code == 0, "a limit of files")
        check(run(27, processes=0).code == 1 and run(27, processes=1).code == 0, "a limit of processes")
        session.ping()
        session.stream.send(peer.BYE, bytes([peer.OVER]))
        check(target.process.wait(30) == 0, "BYE 0 should end it with 0")
        check(scratch_names(target) == [], "its directory should be gone")


def target_returns(machine, server):
    """plumb-target comes back when the connection breaks, and cleans up when it is told to end"""
    with Target(machine) as target:
        session = target.session()
        check(session.run(inputs=[what(1)]).how == peer.EXITED, "a run")
        session.stream.close()
        session = target.session()
        done = session.run(inputs=[what(1)])
        check(done.how == peer.EXITED and session.covered == {1}, "coverage begins anew with a session")
        target.process.terminate()
        check(target.process.wait(30) == 1, "SIGTERM should end it with 1")
        check(scratch_names(target) == [], "its directory should be gone")


class Terminal:
    """The other end of a serial line, as a socket."""

    def __init__(self):
        self.ours, self.theirs = os.openpty()
        self.path, self.seconds = os.ttyname(self.theirs), None

    def settimeout(self, seconds):
        self.seconds = seconds

    def recv(self, size):
        if not select.select([self.ours], [], [], self.seconds)[0]:
            raise TimeoutError
        return os.read(self.ours, size)

    def sendall(self, content):
        while content:
            content = content[os.write(self.ours, content[:256]):]

    def close(self):
        os.close(self.ours)
        os.close(self.theirs)


def run_on_line(connection, process):
    """Two sessions: a frame with a wrong checksum ends the first, and the target begins anew on the same line."""
    try:
        for number in (1, 2):
            session = peer.ServerSession(peer.Stream(connection), b"", peer.LONGEST)
            session.greet()
            done = session.run(inputs=[what(number)])
            check(done.how == peer.EXITED and session.covered == {number}, f"{done.how} {session.covered}")
            if number == 1:
                broken = bytearray(peer.frame(peer.PING, session.stream.sent, b""))
                broken[-1] ^= 1
                session.stream.write(bytes(broken))
        session.stream.send(peer.BYE, bytes([peer.OVER]))
        check(process.wait(30) == 0, "BYE 0 should end it with 0")
    finally:
        process.kill()
        process.communicate()
        connection.close()


def target_lines(machine, server):
    """the same over standard input and output, and over a serial line"""
    runner = ["--runner", " ".join(machine.runner())] if machine.runner() else []
    command = [*machine.runner(), str(machine.target), *runner]
    ours, theirs = socket.socketpair()
    process = subprocess.Popen([*command, "--stdio", str(machine.program)], stdin=theirs, stdout=theirs, stderr=subprocess.PIPE)
    theirs.close()
    run_on_line(ours, process)
    terminal = Terminal()
    process = subprocess.Popen([*command, "--serial", terminal.path + ":230400", str(machine.program)], stderr=subprocess.PIPE)
    run_on_line(terminal, process)


def target_without_room(machine, server):
    """inputs for which there is no memory cost their run, with a note, and not the program"""
    if machine.emulator is not None:
        return  # the limit would be the emulator's
    with Target(machine) as target:
        session = target.session()
        pages = int(pathlib.Path(f"/proc/{target.process.pid}/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + (8 << 20)
        resource.prlimit(target.process.pid, resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
        done = session.run(inputs=[what(0), bytes(3 << 20)])
        check(done.how == peer.LOST, f"ended as {done.how}")
        resource.prlimit(target.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        check(session.run(inputs=[what(0)]).how == peer.EXITED, "the next run")


def target_usage(machine, server):
    """bad usage ends with 2 and a message, a refusal too, with what to do about it"""
    def words(*given):
        return subprocess.run([*machine.runner(), str(machine.target), *given], capture_output=True, timeout=60)
    for option in ("--help", "-h"):
        check(words(option).returncode == 0 and b"--serial" in words(option).stdout, option)
    for given in ((), ("--server", "here", str(machine.program)), ("--stdio", "/does/not/exist"), ("--server", "h:1"), ("--wrong",),
                  ("--stdio", "--server", "127.0.0.1:1", str(machine.program)),
                  ("--stdio", "--token-file", "/does/not/exist", str(machine.program))):
        done = words(*given)
        check(done.returncode == 2 and done.stderr.startswith(b"plumb-target: "), f"{given}: {done.returncode} {done.stderr}")
    done = words("--serial", "/does/not/exist:123", str(machine.program))
    check(done.returncode == 2 and b"123" in done.stderr and b"1200, 2400" in done.stderr and b"576000" in done.stderr, f"{done}")
    done = words("--server", "[::1]:99999", str(machine.program))
    check(done.returncode == 2 and b"'[::1]:99999'" in done.stderr, f"{done}")
    with tempfile.NamedTemporaryFile() as token:
        token.write(TOKEN + b"\r\n")
        token.flush()
        done = words("--server", "127.0.0.1:1", "--token-file", token.name, str(machine.program))
        check(done.returncode == 2 and b"carriage return" in done.stderr, f"{done}")
    for reason, hint, other in ((b"it is another program", b"copy that one", b"--token-file"),
                                (b"the token is wrong", b"--token-file", b"copy that one"),
                                (b"no", b"the server says: no", b"--token-file")):
        with Target(machine) as target:
            session = target.server.accept()
            session.stream.receive(peer.HELLO)
            session.stream.send(peer.BYE, bytes([peer.REFUSED]) + reason)
            _, messages = target.process.communicate(timeout=30)
            check(target.process.returncode == 2 and reason in messages and hint in messages and other not in messages,
                  f"{messages}")


# --- Programs of plumb cc --target ---

BRANCH = 8
# The words of records that have no length of their own.
RECORD_WORDS = {1: 3, 2: 5, 3: 3, BRANCH: 4, 9: 4, 14: 6, 15: 2, 22: 1}


def record_kinds(words):
    kinds, at = [], 0
    while at < len(words):
        kind = words[at] & 0xFF
        kinds.append(kind)
        at += 5 + (words[at + 2] + 3) // 4 + (words[at + 4] + 3) // 4 if kind == 4 else RECORD_WORDS[kind]
    return kinds


def variadic_arguments(machine, server):
    """variadic arguments keep their expressions, in registers and on the stack (variadic.c)"""
    program = machine.program.parent / "variadic"
    done = subprocess.run([PLUMB, "cc", "--target", machine.triple, f"-I{ROOT / 'include'}", str(HERE / "variadic.c"), "-o",
                           str(program)], capture_output=True, timeout=120)
    check(done.returncode == 0, done.stderr.decode(errors="replace"))
    plain = machine.program
    machine.program = program
    try:
        with Target(machine) as target:
            session = target.session()
            # How many of the comparisons hold follows from the values alone.
            for x, z, y, hits in ((1000, 1002, 0, 4), (77, 5, 77777777777, 8), (55, 6, 1, 4), (5, 6, 77777777777, 8),
                                  (1003, 1005, 2, 4), (1007, 1009, 3, 4), (11, 1000, 9, 3)):
                done = session.run(inputs=[struct.pack("<i", x), struct.pack("<i", z), struct.pack("<q", y)])
                kinds = record_kinds(done.words)
                check(done.how == peer.EXITED and done.code == hits, f"{x} {z} {y}: {done.how} {done.code}")
                check(kinds.count(BRANCH) == 19 and 15 not in kinds, f"{x} {z} {y}: {kinds}")
    finally:
        machine.program = plain


CASES = [plain_runs, heap_defects, leaks, frames, full_frames, call_stacks, faults, byte_order, same_again, identity, target_runs,
         target_returns, target_lines, target_without_room, target_usage, variadic_arguments]


def scenario_of(machine, case, directory):
    def scenario(_):
        if machine.program is None:
            machine.build(directory)
        server = ForkServer(machine)
        try:
            case(machine, server)
        finally:
            server.close()
    scenario.__name__ = f"{machine.triple.split('-')[0]}_{case.__name__}"
    scenario.__doc__ = case.__doc__
    return scenario


def main():
    with tempfile.TemporaryDirectory() as directory:
        chosen = []
        for machine in MACHINES:
            missing = machine.missing()
            if missing:
                print(f"{machine.triple}: left out: {missing}")
            else:
                chosen += [scenario_of(machine, case, directory) for case in CASES]
        return run_scenarios(chosen, Nothing)


if __name__ == "__main__":
    sys.exit(main())
