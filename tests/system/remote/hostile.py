"""Guests that a server must bear: each connects to a port, misbehaves in its way and says how it was got rid of. `hello` is
what an honest target of the server's program says, `token` the right one, unless the guest has to guess."""
import os
import socket
import struct
import threading
import time

import peer


def copy_of(hello, **changes):
    fields = {name: getattr(hello, name) for name in ("fingerprint", "edges", "regions", "flags", "name", "longest", "version")}
    return peer.Hello(**{**fields, **changes})


def ending(stream, seconds=20):
    """Reason of the BYE with which the server ends the session, or "closed" if it only closes. Runs and questions before
    that are not answered."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            kind, payload = stream.receive(seconds=deadline - time.monotonic())
        except peer.Closed:
            return "closed"
        if kind == peer.BYE:
            return peer.farewell(payload)[0]


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=20)


# --- Before the handshake is over ---


def wrong_token(port, hello, token):
    target = peer.Target(port, copy_of(hello), token + b"?")
    target.say_hello()
    target.stream.send(peer.PROOF, peer.target_proof(target.token, target.nonce, target.hello.payload()))
    return ending(target.stream), target


def no_proof(port, hello, token):
    target = peer.Target(port, copy_of(hello), token)
    target.say_hello()
    target.stream.send(peer.PROOF, bytes(32))
    return ending(target.stream), target


def run_before_proof(port, hello, token):
    target = peer.Target(port, copy_of(hello), token)
    target.say_hello()
    target.end(1, peer.Outcome(), 0, 0)
    return ending(target.stream), target


def other_program(port, hello, token):
    target = peer.Target(port, copy_of(hello, fingerprint=bytes(32)), token)
    target.stream.send(peer.HELLO, target.hello.payload())
    return finish_greeting(target), target


def other_edges(port, hello, token):
    target = peer.Target(port, copy_of(hello, edges=hello.edges + 1), token)
    target.stream.send(peer.HELLO, target.hello.payload())
    return finish_greeting(target), target


def other_version(port, hello, token):
    target = peer.Target(port, copy_of(hello, version=2), token)
    target.stream.send(peer.HELLO, target.hello.payload())
    return finish_greeting(target), target


def finish_greeting(target):
    """The server may refuse HELLO at once, or after the proof."""
    kind, payload = target.stream.receive()
    if kind == peer.BYE:
        return peer.farewell(payload)[0]
    peer.rule(kind == peer.CHALLENGE, "CHALLENGE or BYE is due")
    target.stream.send(peer.PROOF, peer.target_proof(target.token, payload[:16], target.hello.payload()))
    return ending(target.stream)


def oversized_greeting(port, hello, token):
    target = peer.Target(port, copy_of(hello), token)
    target.say_hello()
    target.stream.send(peer.PROOF, bytes(4000))
    return ending(target.stream), target


def noise(port, hello, token):
    """Nothing but noise, as much as the server takes."""
    target = peer.Target(port, copy_of(hello), token)
    try:
        for _ in range(200):
            target.stream.write(os.urandom(65536).replace(b"pl", b"pm"))
    except (peer.Closed, TimeoutError, socket.timeout):
        return "closed", target
    return ending(target.stream), target


def slow_greeting(port, hello, token):
    """A byte of HELLO every half second."""
    target = peer.Target(port, copy_of(hello), token)
    for byte in peer.frame(peer.HELLO, 0, hello.payload()):
        try:
            target.stream.write(bytes([byte]))
        except peer.Closed:
            return "closed", target
        time.sleep(0.5)
    return ending(target.stream), target


def half_a_greeting(port, hello, token):
    target = peer.Target(port, copy_of(hello), token)
    target.stream.write(peer.frame(peer.HELLO, 0, hello.payload())[:40])
    return ending(target.stream), target


def silent_after_hello(port, hello, token):
    target = peer.Target(port, copy_of(hello), token)
    target.say_hello()
    return ending(target.stream), target


GREETINGS = {wrong_token: {peer.REFUSED}, no_proof: {peer.REFUSED}, run_before_proof: {peer.NOT_UNDERSTOOD},
             other_program: {peer.REFUSED}, other_edges: {peer.REFUSED}, other_version: {peer.OTHER_VERSION},
             oversized_greeting: {peer.NOT_UNDERSTOOD}, noise: {peer.NOT_UNDERSTOOD, peer.TOO_SLOW, "closed"},
             slow_greeting: {peer.TOO_SLOW, "closed"}, half_a_greeting: {peer.TOO_SLOW, "closed"},
             silent_after_hello: {peer.TOO_SLOW, "closed"}}


# --- Targets that know the token, and lie. Each is given the order of its first run. ---


def oversized(target, order):
    target.stream.send(peer.EVENTS, peer.varint(order.number), length=65535)
    for _ in range(10):
        target.stream.write(bytes(6553))


def wrong_checksum(target, order):
    target.stream.send(peer.EVENTS, peer.varint(order.number) + b"\x01", crc=12345)


def wrong_number(target, order):
    target.stream.send(peer.EVENTS, peer.varint(order.number) + b"\x01", number=target.stream.sent + 1)


def unknown_kind(target, order):
    target.stream.send(0x7f, peer.varint(order.number))


def words_of_a_server(target, order):
    target.stream.send(peer.WELCOME, bytes(36))


def second_hello(target, order):
    target.stream.send(peer.HELLO, target.hello.payload())


def other_run(target, order):
    target.end(order.number + 1, peer.Outcome(), 0, 0)


def wrong_sums(target, order):
    target.end(order.number, peer.Outcome(), 3, 0)


def edge_that_is_none(target, order):
    target.pieces(peer.COVERAGE, order.number, [target.hello.edges])
    target.end(order.number, peer.Outcome(), 0, 1)


def long_varint(target, order):
    target.stream.send(peer.EVENTS, peer.varint(order.number) + b"\x81\x80\x80\x80\x80\x80\x00")


def half_a_word(target, order):
    target.stream.send(peer.EVENTS, peer.varint(order.number) + b"\x81")


def unknown_end(target, order):
    target.end(order.number, peer.Outcome(how=9), 0, 0)


def long_note(target, order):
    target.stream.send(peer.NOTE, b"\x01" + b"n" * 201)


def unasked_pong(target, order):
    target.stream.send(peer.PONG)
    target.stream.send(peer.PONG)


def text_between_frames(target, order):
    target.stream.write(b"printf was here\n")


def endless_events(target, order):
    """More words than any run has: the server must not keep them all."""
    payload = peer.varint(order.number) + b"\x01" * 16000
    for _ in range(8000):
        target.stream.send(peer.EVENTS, payload)


def slow_frame(target, order):
    """A frame of 40 bytes, one every half second."""
    for byte in peer.frame(peer.EVENTS, target.stream.sent, peer.varint(order.number) + b"\x01" * 28):
        target.stream.write(bytes([byte]))
        time.sleep(0.5)


LIES = (oversized, wrong_checksum, wrong_number, unknown_kind, words_of_a_server, second_hello, other_run, wrong_sums, edge_that_is_none,
        long_varint, half_a_word, unknown_end, long_note, unasked_pong, text_between_frames)
SLOW_LIES = (endless_events, slow_frame)


def lie(port, hello, token, how, seconds=30):
    """How the server ends the session with a target that lies in its first run; None if the campaign was over before."""
    target = peer.Target(port, copy_of(hello, name=how.__name__.encode()), token)
    target.greet()
    order = target.next(seconds)
    if order is None:
        return None
    try:
        how(target, order)
    except (peer.Closed, OSError):
        pass
    reason = ending(target.stream, seconds)
    target.close()
    return reason


class Crowd:
    """Connections that say nothing, or half a word, and are opened again when they are closed."""

    def __init__(self, port, count, hello):
        self.port, self.is_over, self.sockets, self.opened = port, False, {}, 0
        self.words = [b"", b"p", peer.frame(peer.HELLO, 0, hello.payload())[:30], b"plumb?"]
        for number in range(count):
            self.open(number)
        self.thread = threading.Thread(target=self.keep, daemon=True)
        self.thread.start()

    def open(self, number):
        try:
            one = socket.create_connection(("127.0.0.1", self.port), timeout=5)
            one.sendall(self.words[number % len(self.words)])
            one.setblocking(False)
            self.sockets[number], self.opened = one, self.opened + 1
        except OSError:
            self.sockets[number] = None

    def keep(self):
        while not self.is_over:
            for number, one in list(self.sockets.items()):
                if self.is_over:
                    return
                try:
                    if one is None or one.recv(4096) == b"":
                        self.open(number)
                except BlockingIOError:
                    pass
                except OSError:
                    self.open(number)
            time.sleep(0.2)

    def close(self):
        self.is_over = True
        self.thread.join()
        for one in self.sockets.values():
            if one is not None:
                one.close()


def replayed(port, recorded):
    """A handshake that was recorded, once more."""
    stream = peer.Stream(connect(port))
    stream.is_strict = True
    stream.write(recorded)
    kind, _ = stream.receive(peer.CHALLENGE)
    return ending(stream)


def handshake_of(recorded):
    """HELLO and PROOF, cut from what a target sent; empty if they are not there yet."""
    at = 0
    for kind in (peer.HELLO, peer.PROOF):
        if len(recorded) < at + peer.HEAD:
            return b""
        sync, _, found, length = struct.unpack("<2sBBH", recorded[at:at + 6])
        peer.rule(sync == peer.SYNC and found == kind, f"{peer.NAMES[kind]} is due")
        at += peer.HEAD + length
    return recorded[:at] if len(recorded) >= at else b""
