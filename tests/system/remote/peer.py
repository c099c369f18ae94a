"""Both ends of docs/remote-protocol.md, written from that document alone: a server that hands out runs, to hold targets
against it, and a target that answers as a test says, to hold `plumb serve` against it. Whoever uses them decides what goes
wrong: every frame can be sent with a wrong checksum, number, length or content.

All reading has a deadline. What breaks a rule of the document is a Violation, which says the rule."""
import hashlib
import hmac
import os
import socket
import struct
import time
import zlib

VERSION = 1
SYNC = b"pl"
HEAD = 12
LONGEST = 16384
GREETING = 128
SECONDS = 30  # for whatever the other side has to say

HELLO, PROOF, EVENTS, COVERAGE, END, NOTE, PONG = range(0x01, 0x08)
CHALLENGE, WELCOME, RUN, DATA, PING, BYE, RESTART = range(0x81, 0x88)
NAMES = dict(zip((*range(0x01, 0x08), *range(0x81, 0x88)), (
    "HELLO PROOF EVENTS COVERAGE END NOTE PONG CHALLENGE WELCOME RUN DATA PING BYE RESTART").split()))
BIG_ENDIAN, LONG_POINTERS, BARE_METAL = 1, 2, 4
EXITED, SIGNALLED, TIMED_OUT, LOST, CANNOT_START = range(5)
OVER, NOT_UNDERSTOOD, OTHER_VERSION, REFUSED, TOO_SLOW, TOO_MANY = range(6)


class Violation(Exception):
    """The other side does not keep to the document."""


class Closed(Exception):
    """The other side is gone."""


def rule(holds, text):
    if not holds:
        raise Violation(text)


# --- Numbers and frames ---


def varint(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


class Reader:
    """A payload, from its beginning to its end."""

    def __init__(self, content):
        self.content, self.at = content, 0

    def left(self):
        return len(self.content) - self.at

    def bytes(self, count):
        rule(self.left() >= count, "a payload should not end early")
        self.at += count
        return self.content[self.at - count:self.at]

    def fixed(self, count):
        return int.from_bytes(self.bytes(count), "little")

    def varint(self, bits=32):
        number = shift = 0
        while True:
            byte = self.bytes(1)[0]
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                rule(byte != 0 or shift == 7, "a varint should not be longer than it must be")
                rule(number < 1 << bits, f"a varint should fit {bits} bits")
                return number
            rule(shift < bits, f"a varint should fit {bits} bits")

    def end(self):
        rule(self.left() == 0, "a payload should end where its kind says")


def frame(kind, number, payload=b"", version=VERSION, length=None, crc=None):
    middle = struct.pack("<BBHH", version, kind, len(payload) if length is None else length, number)
    crc = zlib.crc32(middle + payload) if crc is None else crc
    return SYNC + middle + struct.pack("<I", crc) + payload


class Stream:
    """Frames over a socket, both ways, numbered. `log` has (is received, kind, payload) of all."""

    def __init__(self, connection):
        self.connection, self.buffer, self.log = connection, b"", []
        self.sent = self.received = 0  # numbers of the next frames
        self.bytes_in = self.bytes_out = 0
        self.is_strict = False  # nothing may stand between frames
        self.limit_in = self.limit_out = GREETING
        self.skipped = b""

    def write(self, content):
        try:
            self.connection.sendall(content)
        except OSError as error:
            raise Closed(str(error)) from error
        self.bytes_out += len(content)

    def send(self, kind, payload=b"", **wrong):
        number = wrong.pop("number", self.sent)
        self.log.append((False, kind, payload))
        self.write(frame(kind, number & 0xffff, payload, **wrong))
        self.sent = (number + 1) & 0xffff

    def fill(self, count, deadline):
        while len(self.buffer) < count:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"nothing came in time; there are {len(self.buffer)} bytes of {count}")
            self.connection.settimeout(left)
            try:
                more = self.connection.recv(65536)
            except socket.timeout:
                continue
            except OSError as error:
                raise Closed(str(error)) from error
            finally:
                self.connection.settimeout(SECONDS)
            if not more:
                raise Closed(f"with {len(self.buffer)} bytes of a frame" if self.buffer else "")
            self.bytes_in += len(more)
            self.buffer += more

    def skip(self):
        """One byte, which is no frame's beginning."""
        rule(not self.is_strict, f"nothing should stand between frames, but {self.buffer[:16].hex(' ')} does")
        self.skipped += self.buffer[:1]
        self.buffer = self.buffer[1:]

    def receive(self, *kinds, seconds=SECONDS):
        """Kind and payload of the next frame, which is one of the given kinds, if any are given."""
        deadline = time.monotonic() + seconds
        while True:
            self.fill(HEAD, deadline)
            version, kind, length, number, crc = struct.unpack("<BBHHI", self.buffer[2:HEAD])
            is_frame = self.buffer[:2] == SYNC and version == VERSION and length <= self.limit_in
            if self.is_strict:
                rule(self.buffer[:2] == SYNC, f"a frame should begin with 70 6c, not {self.buffer[:2].hex(' ')}")
                rule(version == VERSION, f"the version should be 1, not {version}")
                rule(length <= self.limit_in, f"a payload of {length} is longer than {self.limit_in}")
            if is_frame:
                self.fill(HEAD + length, deadline)
                payload = self.buffer[HEAD:HEAD + length]
                is_frame = zlib.crc32(self.buffer[2:8] + payload) == crc
                rule(is_frame or not self.is_strict, f"the checksum of a frame of kind {kind:#x} is wrong")
            if is_frame:
                break
            self.skip()
        self.buffer = self.buffer[HEAD + length:]
        self.log.append((True, kind, payload))
        if kind in (HELLO, RESTART):
            self.received = 0
        rule(number == self.received, f"the number of {NAMES.get(kind, hex(kind))} should be {self.received}, not {number}")
        self.received = (number + 1) & 0xffff
        if kinds and kind == BYE and BYE not in kinds:
            raise Closed(f"BYE: {farewell(payload)}")
        rule(not kinds or kind in kinds, f"{[NAMES[one] for one in kinds]} is due, not {NAMES.get(kind, hex(kind))}")
        return kind, payload

    def close(self):
        self.connection.close()


def farewell(payload):
    """Reason and text of BYE."""
    reader = Reader(payload)
    reason, text = reader.fixed(1), reader.bytes(reader.left())
    rule(reason <= TOO_MANY, f"BYE should have a reason that exists, not {reason}")
    rule(len(text) <= 120, "the text of BYE should have at most 120 bytes")
    return reason, text.decode(errors="replace")


def target_proof(token, nonce, hello):
    return hmac.digest(token, b"plumb target 1" + nonce + hello, hashlib.sha256)


def server_proof(token, hello, nonce):
    return hmac.digest(token, b"plumb server 1" + hello + nonce, hashlib.sha256)


class Hello:
    """What a target says of itself."""

    def __init__(self, fingerprint=bytes(32), edges=0, regions=0, flags=0, name=b"peer", longest=LONGEST, version=VERSION, nonce=None):
        self.fingerprint, self.edges, self.regions, self.flags = fingerprint, edges, regions, flags
        self.name, self.longest, self.version = name, longest, version
        self.nonce = nonce if nonce is not None else os.urandom(16)

    def payload(self):
        return (struct.pack("<HBBH", self.version, self.flags, len(self.name), self.longest) + self.nonce + self.fingerprint
                + struct.pack("<II", self.edges, self.regions) + self.name)

    @staticmethod
    def read(payload):
        reader = Reader(payload)
        version, flags, length, longest = reader.fixed(2), reader.fixed(1), reader.fixed(1), reader.fixed(2)
        nonce, fingerprint, edges, regions = reader.bytes(16), reader.bytes(32), reader.fixed(4), reader.fixed(4)
        name = reader.bytes(length)
        reader.end()
        rule(version == VERSION, f"HELLO's version should be 1, not {version}")
        rule(flags < 8, f"HELLO has unknown flags {flags:#x}")
        rule(length <= 32, "a name should have at most 32 bytes")
        rule(256 <= longest <= LONGEST, f"the longest payload should be 256 to 16384, not {longest}")
        return Hello(fingerprint, edges, regions, flags, name, longest, version, nonce)


# --- Runs ---


class Order:
    """What RUN asks for. `inputs` are bytes; `modes` is a set of regions to summarise, or None to leave them."""

    FIELDS = ("max_inputs", "max_nodes", "max_object", "milliseconds", "memory", "file_size", "processes")

    def __init__(self, number=1, seed=0, inputs=(), modes=None, **limits):
        self.number, self.seed, self.inputs, self.modes = number, seed, list(inputs), modes
        self.limits = dict(zip(self.FIELDS, (1000, 100000, 1536, 2000, 0, 1024, 8)))
        self.limits.update(limits)

    def data(self, regions):
        bits = b""
        if self.modes is not None:
            bits = sum(1 << region for region in self.modes).to_bytes((regions + 7) // 8, "little")
        return bits + b"".join(varint(len(one)) + one for one in self.inputs)

    def head(self, data):
        return (varint(self.number) + varint(self.seed) + b"".join(varint(self.limits[name]) for name in self.FIELDS)
                + varint(0 if self.modes is None else 1) + varint(len(data)))

    @staticmethod
    def read_head(reader):
        """The order without its data, whether modes are part of it, and how many bytes it has."""
        order = Order(reader.varint(), reader.varint(64))
        for name in Order.FIELDS:
            order.limits[name] = reader.varint()
        flags = reader.varint()
        rule(flags <= 1, f"RUN has unknown flags {flags:#x}")
        return order, flags == 1, reader.varint()

    def read_data(self, data, has_modes, regions):
        reader = Reader(data)
        if has_modes:
            bits = int.from_bytes(reader.bytes((regions + 7) // 8), "little")
            rule(bits >> regions == 0, "bits of modes beyond the last region should be 0")
            self.modes = {region for region in range(regions) if bits >> region & 1}
        while reader.left():
            self.inputs.append(reader.bytes(reader.varint()))


class Outcome:
    """What a target tells of a run."""

    def __init__(self, words=(), edges=(), how=EXITED, code=0, fault=0, microseconds=0, left_out=0):
        self.words, self.edges = list(words), set(edges)
        self.how, self.code, self.fault, self.microseconds, self.left_out = how, code, fault, microseconds, left_out
        self.payload_bytes = 0  # of its frames, with their heads


def words_of(reader):
    words = []
    while reader.left():
        words.append(reader.varint())
    return words


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
