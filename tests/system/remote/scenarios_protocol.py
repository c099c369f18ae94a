"""The document, its peer and the programs agree."""
import re
import struct
import threading

import peer
from boards import MACHINES, ROOT, Boards, check, tests_of
from frame import PLUMB
from programs import STEPS_OPTIONS, program, same_as_on_host, target_program
from proxy import Proxy, no_faults

BOARD, TOKEN = "host", b"plumb"


class Recorder(peer.Target):
    """A target that nobody listens to."""

    def __init__(self):
        self.stream, self.covered, self.frames = peer.Stream(None), set(), []
        self.stream.sent, self.stream.limit_out, self.stream.write = 2, peer.LONGEST, self.frames.append


def the_example_is_to_the_byte(files):
    """The session of the document is what the peer makes of the same data."""
    text = (ROOT / "docs" / "remote-protocol.md").read_text().split("## Example")[1].split("```")[1]
    example = [bytes.fromhex(re.sub(r"[A-Z]{2,}|\s", "", part)) for part in re.split(r"\n(?=[A-Z])", text.strip())]
    hello = peer.Hello(bytes(range(0x20, 0x40)), 5, 3, peer.BARE_METAL, b"board", 256, 1, bytes(range(16)))
    nonce, said = bytes(range(0x10, 0x20)), hello.payload()
    order = peer.Order(1, inputs=[bytes([42, 0, 0, 0]), b""], modes={0, 2}, max_inputs=64, max_nodes=4096, max_object=1536,
                       milliseconds=1000, memory=0, file_size=0, processes=0)
    target = Recorder()
    target.answer(order, peer.Outcome([1, 128, 0xffffffff], {0, 4}, code=3, microseconds=250))
    made = [peer.frame(peer.HELLO, 0, said), peer.frame(peer.CHALLENGE, 0, nonce + struct.pack("<H", 16384)),
            peer.frame(peer.PROOF, 1, peer.target_proof(TOKEN, nonce, said)),
            peer.frame(peer.WELCOME, 1, peer.server_proof(TOKEN, said, nonce) + struct.pack("<I", 7)),
            peer.frame(peer.RUN, 2, order.head(order.data(3)) + order.data(3)), *target.frames, peer.frame(peer.BYE, 3, b"\0over")]
    check(example == made, f"frames that differ: {[i for i, pair in enumerate(zip(example, made)) if pair[0] != pair[1]]}")


def the_peers_understand_each_other(files):
    """Runs with much data and long answers, over a proxy that cuts nothing."""
    server = peer.Server(TOKEN)
    proxy = Proxy(server.port, no_faults)

    def answer():
        target = peer.Target(proxy.port, peer.Hello(edges=1000, regions=9, longest=256), TOKEN)
        target.greet()
        while (order := target.next()) is not None:
            target.answer(order, peer.Outcome([len(one) for one in order.inputs] * 5000 + [2**32 - 1], order.modes or {order.number}))

    thread = threading.Thread(target=answer)
    thread.start()
    session = server.accept()
    session.greet()
    session.ping()
    for inputs, modes in (([b"x" * 1000, b"", b"yz"], {0, 8}), ([], None), ([b"abc"] * 300, set(range(9)))):
        outcome = session.run(inputs, modes=modes)
        check(outcome.words == [len(one) for one in inputs] * 5000 + [2**32 - 1], "words arrive as they were sent")
        check(outcome.edges == (modes or {session.number}), f"edges should be {modes}, not {outcome.edges}")
    session.bye()
    thread.join(10)
    proxy.close()
    server.close()


def start_target(boards, port, name="steps"):
    return boards.target(MACHINES[BOARD], target_program(PLUMB, BOARD), program(PLUMB, BOARD, name), port)


def plumb_target_keeps_to_the_document(files):
    """Handshake, runs with little and much data, time limits, PING, BYE; what breaks the rules makes it come back."""
    with Boards(PLUMB) as boards:
        server = peer.Server()
        target = start_target(boards, server.port)
        session = server.accept()
        hello = session.greet()
        check(hello.edges > 0 and hello.flags & ~2 == 0, f"{hello.__dict__}")
        empty = session.run([])
        check(empty.how == peer.EXITED and empty.words and empty.edges, f"{empty.__dict__}")
        same = session.run([bytes(4)], modes=set())
        check((same.words, same.edges, same.code) == (empty.words, empty.edges, empty.code), "zeros given or made are the same")
        other = session.run([b"cccc"])
        check(other.code == 1 and other.edges != empty.edges, f"the input decides: {other.__dict__}")
        session.ping()
        big = session.run([b"cccc", bytes(100000)])
        check((big.words, big.edges, big.code) == (other.words, other.edges, other.code), "inputs that nobody asks for change nothing")
        session.stream.write(peer.frame(peer.PING, session.stream.sent, crc=1))
        again = server.accept()
        again.greet()
        check(again.run([b"cccc"]).edges == other.edges, "a new session's coverage begins with no edges")
        again.stream.send(0x99)
        last = server.accept()
        last.greet()
        last.bye(peer.OVER, b"thank you")
        check(target.wait(20) == 0, f"exit code 0 when the campaign is over, not {target.returncode}")
        server.close()


def a_relay_in_python_carries_a_campaign(files):
    """A peer between plumb serve and plumb-target takes every order and every answer apart and puts it together again: the
    same tests, branches and defects."""
    out = files.path / "out"
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), out, *STEPS_OPTIONS)
        inner = peer.Server()
        start_target(boards, inner.port)
        session = inner.accept()
        hello = session.greet()
        hello.nonce = None
        relay = peer.Target(server.port, peer.Hello(hello.fingerprint, hello.edges, hello.regions, hello.flags, b"relay", 300))
        relay.greet()
        runs = 0
        while (order := relay.next()) is not None:
            session.order(order)
            relay.answer(order, session.outcome(order))
            runs += 1
        session.bye()
        result = server.finish(30)
        inner.close()
    same_as_on_host(PLUMB, "steps", MACHINES[BOARD].word_flag, STEPS_OPTIONS, result, tests_of(out))
    received = relay.stream.bytes_in - peer.HEAD - len(relay.stream.log[-1][2])  # BYE comes after the result
    check(result["link"]["bytes_received"] == relay.stream.bytes_out and result["link"]["bytes_sent"] == received,
          f"the server should count bytes as the peer does ({relay.stream.bytes_out}, {received}): {result['link']}")
    check(result["link"]["runs"] == runs, f"the server should count {runs} runs: {result['link']}")


def a_board_may_print_before_it_speaks(files):
    """Text before HELLO is skipped, also such as looks like a frame's beginning."""
    with Boards(PLUMB) as boards:
        server = boards.serve(program(PLUMB, BOARD, "steps"), files.path / "out", *STEPS_OPTIONS)
        inner = peer.Server()
        start_target(boards, inner.port)
        session = inner.accept()
        hello = session.greet()
        relay = peer.Target(server.port, peer.Hello(hello.fingerprint, hello.edges, hello.regions, hello.flags))
        relay.stream.write(b"plumb board, platform pl\x01\x01\x05\x00\x00\x00 ready.\r\nppl")
        relay.greet()
        order = relay.next()
        check(order.number == 1, f"{order.__dict__}")
        relay.close()
        session.bye()
        inner.close()


SCENARIOS = [the_example_is_to_the_byte, the_peers_understand_each_other, plumb_target_keeps_to_the_document,
             a_relay_in_python_carries_a_campaign, a_board_may_print_before_it_speaks]
