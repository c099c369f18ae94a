"""Both ends of docs/remote-protocol.md, written from that document alone: a server that hands out runs, to hold targets
against it, and a target that answers as a test says, to hold `plumb serve` against it. Whoever uses them decides what goes
wrong: every frame can be sent with a wrong checksum, number, length or content."""
import hmac
import os
import socket
import struct

from wire import *  # noqa: F403 who has the peers has their words


class Server:
    """Listens on loopback, for one target at a time."""

    def __init__(self, token=b"", longest=LONGEST, port=0):
        self.token, self.longest = token, longest
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]

    def accept(self, seconds=SECONDS):
        self.listener.settimeout(seconds)
        connection, _ = self.listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return ServerSession(Stream(connection), self.token, self.longest)

    def close(self):
        self.listener.close()


class ServerSession:
    """The server's side of one session."""

    def __init__(self, stream, token, longest):
        self.stream, self.token, self.longest = stream, token, longest
        self.hello, self.covered, self.number, self.notes = None, set(), 0, []

    def greet(self, number=7, nonce=None, proof=None):
        """The handshake; gives what the target says of itself."""
        _, payload = self.stream.receive(HELLO)
        while True:
            self.hello = Hello.read(payload)
            nonce = nonce or os.urandom(16)
            self.stream.is_strict = True
            self.stream.sent = 0
            self.stream.send(CHALLENGE, nonce + struct.pack("<H", self.longest))
            kind, answer = self.stream.receive(PROOF, HELLO)
            if kind == PROOF:
                break
            payload, nonce = answer, None  # a line's target asks again until it is answered
        rule(hmac.compare_digest(answer, target_proof(self.token, nonce, payload)), "the target's proof should be right")
        self.stream.limit_in, self.stream.limit_out = self.longest, self.hello.longest
        self.stream.send(WELCOME, (proof or server_proof(self.token, payload, nonce)) + struct.pack("<I", number))
        return self.hello

    def order(self, order):
        """Sends RUN and DATA, each as long as the target takes."""
        data = order.data(self.hello.regions)
        head, limit, number = order.head(data), self.stream.limit_out, varint(order.number)
        first = limit - len(head)
        self.stream.send(RUN, head + data[:first])
        for at in range(first, len(data), limit - len(number)):
            self.stream.send(DATA, number + data[at:at + limit - len(number)])

    def outcome(self, order, seconds=SECONDS):
        """All that the target tells of the run, each rule checked."""
        words, changed, last, start = [], set(), -1, self.stream.bytes_in
        while True:
            kind, payload = self.stream.receive(EVENTS, COVERAGE, END, NOTE, seconds=seconds)
            reader = Reader(payload)
            if kind == NOTE:
                self.note(reader)
                continue
            number = reader.varint()
            rule(number == order.number, f"{NAMES[kind]} should be of run {order.number}, not {number}")
            if kind == EVENTS:
                words += words_of(reader)
            elif kind == COVERAGE:
                while reader.left():
                    last += reader.varint() + 1
                    rule(last < self.hello.edges, f"edge {last} does not exist")
                    changed.add(last)
            else:
                break
        how, rest = reader.fixed(1), [reader.varint(), reader.varint(64), *(reader.varint() for _ in range(4))]
        reader.end()
        rule(how <= CANNOT_START, f"a run cannot end in way {how}")
        code, fault, word_count, edge_count, microseconds, left_out = rest
        rule(word_count == len(words), f"END should count {len(words)} words, not {word_count}")
        rule(edge_count == len(changed), f"END should count {len(changed)} edges, not {edge_count}")
        self.covered ^= changed
        done = Outcome(words, self.covered, how, code, fault, microseconds, left_out)
        done.payload_bytes = self.stream.bytes_in - start
        return done

    def note(self, reader):
        level, text = reader.fixed(1), reader.bytes(reader.left())
        rule(level <= 2, f"a note cannot have level {level}")
        rule(len(text) <= 200, "a note should have at most 200 bytes")
        self.notes.append((level, text.decode(errors="replace")))

    def run(self, inputs=(), seconds=SECONDS, **options):
        self.number += 1
        order = Order(self.number, inputs=inputs, **options)
        self.order(order)
        return self.outcome(order, seconds)

    def ping(self):
        self.stream.send(PING)
        while True:
            kind, payload = self.stream.receive(PONG, NOTE, seconds=10)
            if kind == PONG:
                rule(payload == b"", "PONG should be empty")
                return
            self.note(Reader(payload))

    def bye(self, reason=OVER, text=b""):
        self.stream.send(BYE, bytes([reason]) + text)
        self.stream.close()


class Target:
    """The target's side, over TCP; `hello` says which program it has."""

    def __init__(self, port, hello, token=b"", host="127.0.0.1"):
        self.hello, self.token, self.nonce, self.session = hello, token, b"", 0
        connection = socket.create_connection((host, port), timeout=SECONDS)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = Stream(connection)
        self.stream.is_strict = True
        self.longest, self.covered, self.last_run = LONGEST, set(), 0

    def say_hello(self):
        """Gives the server's nonce."""
        self.stream.send(HELLO, self.hello.payload())
        _, payload = self.stream.receive(CHALLENGE)
        reader = Reader(payload)
        self.nonce, self.longest = reader.bytes(16), reader.fixed(2)
        reader.end()
        rule(256 <= self.longest <= LONGEST, f"the server's longest payload cannot be {self.longest}")
        return self.nonce

    def prove(self, proof=None):
        """The rest of the handshake; gives the number of the session."""
        hello = self.hello.payload()
        self.stream.send(PROOF, proof if proof is not None else target_proof(self.token, self.nonce, hello))
        _, payload = self.stream.receive(WELCOME)
        reader = Reader(payload)
        right, self.session = reader.bytes(32) == server_proof(self.token, hello, self.nonce), reader.fixed(4)
        reader.end()
        rule(right, "the server's proof should be right")
        self.stream.limit_in, self.stream.limit_out = self.hello.longest, self.longest
        return self.session

    def greet(self):
        self.say_hello()
        return self.prove()

    def next(self, seconds=SECONDS):
        """The next order; None once the campaign is over. Answers PING."""
        while True:
            kind, payload = self.stream.receive(RUN, PING, BYE, seconds=seconds)
            if kind == BYE:
                reason, text = farewell(payload)
                if reason != OVER:
                    raise Closed(f"BYE: {reason} {text}")
                return None
            if kind == RUN:
                break
            rule(payload == b"", "PING should be empty")
            self.stream.send(PONG)
        reader = Reader(payload)
        order, has_modes, size = Order.read_head(reader)
        rule(order.number > self.last_run, f"run {order.number} after run {self.last_run}: numbers should rise")
        self.last_run = order.number
        data = reader.bytes(reader.left())
        while len(data) < size:
            _, payload = self.stream.receive(DATA)
            more = Reader(payload)
            rule(more.varint() == order.number, "DATA should be of the run that is due")
            rule(more.left() > 0, "DATA should have some")
            data += more.bytes(more.left())
        rule(len(data) == size, f"a run's data should have {size} bytes, not {len(data)}")
        order.read_data(data, has_modes, self.hello.regions)
        return order

    def pieces(self, kind, number, numbers):
        """Frames of varints, none of which goes on in the next."""
        payload = varint(number)
        for one in map(varint, numbers):
            if len(payload) + len(one) > self.stream.limit_out:
                self.stream.send(kind, payload)
                payload = varint(number)
            payload += one
        if numbers:
            self.stream.send(kind, payload)

    def end(self, number, outcome, words, edges, **wrong):
        self.stream.send(END, varint(number) + bytes([outcome.how]) + b"".join(
            map(varint, (outcome.code, outcome.fault, words, edges, outcome.microseconds, outcome.left_out))), **wrong)

    def answer(self, order, outcome):
        self.pieces(EVENTS, order.number, outcome.words)
        changed = sorted(self.covered ^ outcome.edges)
        self.pieces(COVERAGE, order.number, [edge - before - 1 for before, edge in zip([-1, *changed], changed)])
        self.covered = set(outcome.edges)
        self.end(order.number, outcome, len(outcome.words), len(changed))

    def close(self):
        self.stream.close()
