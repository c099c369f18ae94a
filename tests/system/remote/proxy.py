"""A TCP proxy between targets and a server that does what bad lines do, by a plan that a seed decides.

A plan is a function: (number of the connection, "up" or "down") -> [(offset in bytes, fault)], by rising offsets. Faults:

    ("cut",)            both ends are closed
    ("delay", seconds)  nothing goes on for so long
    ("flip", bit)       a bit of the byte at the offset is turned
    ("drop", count)     bytes are lost
    ("repeat", count)   bytes come twice
    ("stall",)          what follows never arrives, and nothing is closed

Line is the same for serial lines, of which nothing is ever closed.
"""
import os
import pty
import random
import socket
import threading
import time
import tty

FAULTS = ("cut", "delay", "flip", "drop", "repeat")


def no_faults(_connection, _direction):
    return []


def seeded(seed, connections, first=200, last=4000, kinds=FAULTS):
    """The first so many connections have a fault each, of the kinds in turn, in either direction, at a byte from `first` to
    `last` (of what the server sends, which is less, an eighth of that); a delay is followed by a cut, as it breaks nothing
    by itself. Later connections have none."""

    def plan(connection, direction):
        dice = random.Random(seed * 1000003 + connection)
        if connection >= connections or dice.choice(("up", "up", "down")) != direction:
            return []
        scale = 1 if direction == "up" else 8
        at, kind = dice.randrange(first, last) // scale, kinds[connection % len(kinds)]
        fault = {"cut": ("cut",), "delay": ("delay", dice.uniform(0.2, 1.5)), "flip": ("flip", dice.randrange(8)), "stall": ("stall",),
                 "drop": ("drop", dice.randrange(1, 40)), "repeat": ("repeat", dice.randrange(1, 40))}[kind]
        return [(at, fault)] + ([(at + first // scale, ("cut",))] if kind == "delay" else [])

    return plan


class Direction:
    """Moves bytes from one socket to another, with the faults of its plan."""

    def __init__(self, source, sink, faults, record):
        self.source, self.sink, self.faults, self.record = source, sink, list(faults), record
        self.at, self.dropping, self.happened, self.is_stalled = 0, 0, [], False

    def pass_on(self, content):
        if self.dropping:
            lost = min(self.dropping, len(content))
            self.dropping -= lost
            content = content[lost:]
        if content and not self.is_stalled:
            self.sink.sendall(content)

    def apply(self, fault, rest):
        """What becomes of the bytes from the fault on; None closes the connection."""
        self.happened.append(fault[0])
        if fault[0] == "cut":
            return None
        if fault[0] == "delay":
            time.sleep(fault[1])
        elif fault[0] == "flip":
            return bytes([rest[0] ^ 1 << fault[1]]) + rest[1:]
        elif fault[0] == "drop":
            self.dropping += fault[1]
        elif fault[0] == "repeat":
            return rest[:fault[1]] + rest
        elif fault[0] == "stall":
            self.is_stalled = True
        return rest

    def run(self):
        try:
            while content := self.source.recv(65536):
                self.record.append(content)
                while self.faults and self.faults[0][0] < self.at + len(content):
                    offset, fault = self.faults.pop(0)
                    before = max(0, offset - self.at)
                    self.pass_on(content[:before])
                    self.at, content = self.at + before, self.apply(fault, content[before:])
                    if content is None:
                        return
                self.pass_on(content)
                self.at += len(content)
        except OSError:
            pass
        finally:
            for one in (self.source, self.sink):
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass


class Proxy:
    """Listens on loopback; `port` may be set later, for a server that comes up again elsewhere. `records[i]["up"]` has
    what target i sent, "down" what it was sent by the server. Before the server is there connections are closed."""

    def __init__(self, port, plan=no_faults):
        self.to, self.plan, self.records, self.directions = port, plan, [], []
        self.sockets = []
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                target, _ = self.listener.accept()
            except OSError:
                return
            try:
                server = socket.create_connection(("127.0.0.1", self.to), timeout=10)
            except OSError:
                target.close()
                continue
            server.settimeout(None)
            self.connect(target, server)

    def connect(self, target, server):
        number = len(self.records)
        self.records.append({"up": [], "down": []})
        self.sockets += [target, server]
        for name, source, sink in (("up", target, server), ("down", server, target)):
            source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            direction = Direction(source, sink, self.plan(number, name), self.records[number][name])
            self.directions.append(direction)
            threading.Thread(target=direction.run, daemon=True).start()

    def happened(self):
        """The faults that came about, in no order."""
        return [kind for direction in self.directions for kind in direction.happened]

    def recorded(self, connection, direction):
        return b"".join(self.records[connection][direction])

    def cut_all(self):
        for one in self.sockets:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self):
        self.listener.close()
        self.cut_all()


class Terminal:
    """The hidden end of a terminal, with a socket's methods."""

    def __init__(self):
        self.descriptor, self.device_descriptor = pty.openpty()
        tty.setraw(self.device_descriptor)
        self.device = os.ttyname(self.device_descriptor)  # held open: a line does not end when a program closes it

    def recv(self, size):
        return os.read(self.descriptor, size)

    def sendall(self, content):
        while content:
            content = content[os.write(self.descriptor, content):]

    def shutdown(self, _how):
        pass


class Line:
    """Two terminals whose bytes go from one to the other: `board` and `server` are their devices. All faults but cuts."""

    def __init__(self, plan=no_faults):
        ends = Terminal(), Terminal()
        self.board, self.server = ends[0].device, ends[1].device
        self.records = {"up": [], "down": []}
        self.directions = [Direction(*ends, plan(0, "up"), self.records["up"]), Direction(*ends[::-1], plan(0, "down"), self.records["down"])]
        for direction in self.directions:
            threading.Thread(target=direction.run, daemon=True).start()

    def happened(self):
        return [kind for direction in self.directions for kind in direction.happened]
