"""Numbers, frames and payloads of docs/remote-protocol.md, written from that document alone. All reading has a deadline. What
breaks a rule of the document is a Violation, which says the rule."""
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
