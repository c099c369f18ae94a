"""A hostile network: refused or limited, without disturbing the target that works."""
import subprocess
import threading
import time

import hostile
import peer
from boards import MACHINES, Boards, check, most_memory, tests_of
from frame import PLUMB
from programs import STEPS_OPTIONS, program, same_as_on_host, target_program
from proxy import Proxy

BOARD, TOKEN = "host", b"a token that nobody knows"
PAUSE = "-DPAUSE=70000000"  # so that 256 runs outlast guests that the server bears for 10 s
MORE_MEMORY = 64 * 1024  # KiB, that guests may cost
MOST_MEMORY = 400 * 1024  # KiB, of a server whose targets send as many words as it takes


def real_hello(boards):
    """What plumb-target says of the program, told to a server of our own."""
    server = peer.Server(TOKEN)
    target = start_target(boards, server.port)
    session = server.accept()
    hello = session.greet()
    session.bye()
    target.wait(20)
    server.close()
    return hello


def start_target(boards, port, token=TOKEN, flags=(PAUSE,), name="board"):
    file = program(PLUMB, BOARD, "steps", *flags).with_suffix(f".{len(token)}.token")
    file.write_bytes(token)
    file.chmod(0o600)
    return boards.target(MACHINES[BOARD], target_program(PLUMB, BOARD), program(PLUMB, BOARD, "steps", *flags), port, "--token-file", file,
                         "--name", name)


class Guests:
    """Guests, each in a thread of its own, and what became of them."""

    def __init__(self):
        self.threads, self.said = [], {}

    def invite(self, name, call):
        def visit():
            try:
                self.said[name] = call()
            except Exception as error:  # told below
                self.said[name] = f"{type(error).__name__}: {error}"

        self.threads.append(threading.Thread(target=visit, daemon=True))
        self.threads[-1].start()

    def wait(self, seconds):
        for thread in self.threads:
            thread.join(seconds)
            check(not thread.is_alive(), "a guest should have been got rid of by now")


def strangers_are_refused(files):
    """Wrong tokens and programs, noise, slow and half greetings, a replayed handshake and 200 idle connections, beside a
    target that works and one that comes later: each is got rid of, memory stays bounded, and the result is the same."""
    out = files.path / "out"
    with Boards(PLUMB) as boards:
        hello = real_hello(boards)
        server = boards.serve(program(PLUMB, BOARD, "steps", PAUSE), out, *STEPS_OPTIONS, token=TOKEN)
        proxy = Proxy(server.port)
        start_target(boards, proxy.port)
        recorded = wait_for_handshake(proxy)
        guests = Guests()
        for visit in hostile.GREETINGS:
            guests.invite(visit, lambda visit=visit: visit(server.port, hello, TOKEN)[0])
        guests.invite("replayed", lambda: hostile.replayed(server.port, recorded))
        guests.wait(30)
        check(server.process.poll() is None, "the campaign should go on while guests come")
        crowd = hostile.Crowd(server.port, 200, hello)
        start_target(boards, server.port, name="late")
        memory = most_memory(server.process)
        while server.process.poll() is None:
            memory = max(memory, most_memory(server.process))
            time.sleep(0.1)
        result = server.finish(10)
        crowd.close()
        proxy.close()
    for visit, allowed in hostile.GREETINGS.items():
        check(guests.said[visit] in allowed, f"{visit.__name__}: expected one of {allowed}, got {guests.said[visit]}")
    check(guests.said["replayed"] == peer.REFUSED, f"a replayed handshake should be refused, got {guests.said['replayed']}")
    same_as_on_host(PLUMB, "steps", MACHINES[BOARD].word_flag, STEPS_OPTIONS, result, tests_of(out))
    check(any(one["name"] == "late" and one["runs"] > 0 for one in result["link"]["targets"]), f"a target comes through a crowd: {result['link']}")
    check(len(proxy.records) == 1, f"the target that works should not have been disturbed: {len(proxy.records)} connections")
    undisturbed = memory_of_a_quiet_server(files)
    check(memory < undisturbed + MORE_MEMORY, f"{memory} KiB with guests, {undisturbed} KiB without")
    print(f"    {crowd.opened} idle connections, {len(guests.said)} other guests; at most {memory // 1024} MiB, without guests "
          f"{undisturbed // 1024} MiB")


def wait_for_handshake(proxy):
    """What the first target sent for it."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if proxy.records and (found := hostile.handshake_of(proxy.recorded(0, "up"))):
            return found
        time.sleep(0.05)
    raise AssertionError("the target should have connected")


def memory_of_a_quiet_server(files):
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), files.path / "quiet", *STEPS_OPTIONS, token=TOKEN)
        start_target(boards, server.port, flags=())
        memory = 0
        while server.process.poll() is None:
            memory = max(memory, most_memory(server.process))
    return memory


def liars_are_found_out(files):
    """Targets that know the token and break the protocol in every way lose their session; what they had is done by others."""
    out = files.path / "out"
    with Boards(PLUMB) as boards:
        hello = real_hello(boards)
        server = boards.serve(program(PLUMB, BOARD, "steps", PAUSE), out, *STEPS_OPTIONS, token=TOKEN)
        proxy = Proxy(server.port)
        start_target(boards, proxy.port)
        wait_for_handshake(proxy)
        said = {}
        # One after the other: a run that three of them had would be given up.
        for how in hostile.LIES + hostile.SLOW_LIES:
            time.sleep(0.2)
            said[how] = hostile.lie(server.port, hello, TOKEN, how)
        memory = most_memory(server.process)
        result = server.finish(60)
        proxy.close()
    for how, reason in said.items():
        allowed = {peer.TOO_SLOW, peer.NOT_UNDERSTOOD, "closed"} if how in hostile.SLOW_LIES else {peer.NOT_UNDERSTOOD, "closed"}
        check(reason in allowed, f"{how.__name__}: expected one of {allowed}, got {reason}")
    same_as_on_host(PLUMB, "steps", MACHINES[BOARD].word_flag, STEPS_OPTIONS, result, tests_of(out))
    check(len(proxy.records) == 1, f"the honest target should not have been disturbed: {len(proxy.records)} connections")
    check(memory < MOST_MEMORY, f"{memory} KiB with liars")
    print(f"    {len(said)} lies, {result['link']['runs_repeated']} runs repeated, at most {memory // 1024} MiB")


def nobody_else_is_listened_to_without_a_token(files):
    """Listening beyond loopback needs a token, and an empty file is none."""
    image = program(PLUMB, BOARD, "steps")
    done = subprocess.run([PLUMB, "serve", "--listen", "0.0.0.0:0", str(image), "--out", str(files.path / "out")], capture_output=True, timeout=30)
    check(done.returncode == 2 and b"token" in done.stderr, f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")
    empty = files("empty")
    done = subprocess.run([PLUMB, "serve", "--listen", "127.0.0.1:0", "--token-file", str(empty), str(image), "--out", str(files.path / "out")],
                          capture_output=True, timeout=30)
    check(done.returncode == 2 and b"empty" in done.stderr, f"exit {done.returncode}: {done.stderr.decode(errors='replace')}")


def a_target_trusts_no_other_server(files):
    """plumb-target with a token runs nothing for a server that does not know it."""
    with Boards(PLUMB) as boards:
        server = peer.Server(TOKEN)
        start_target(boards, server.port)
        session = server.accept()
        session.greet(proof=bytes(32))
        session.order(peer.Order(1))
        try:
            kind, _ = session.stream.receive(seconds=10)
            check(False, f"the target should be gone, not send {peer.NAMES.get(kind)}")
        except (peer.Closed, TimeoutError) as error:
            check(isinstance(error, peer.Closed), "the target should close the connection")
        server.close()


SCENARIOS = [strangers_are_refused, liars_are_found_out, nobody_else_is_listened_to_without_a_token, a_target_trusts_no_other_server]
