"""Boards that qemu's user mode stands in for, the runtime compiled for each, and a driver of the program's fork server that
speaks runtime/concolic/protocol.h in the machine's byte order."""
import glob
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
HERE = pathlib.Path(__file__).resolve().parent
SHARED, COMMANDS, ANSWERS = 197, 198, 199
MAGIC, VERSION, RUN = 0x706C6D62, 3, 1
STEP = 65536
STREAM_WORDS = 1 << 16
HEAD_WORDS = 23
CONSTANT, OPERATOR, INPUT, LOST, DEFECT, ERROR, END = 1, 2, 4, 15, 20, 21, 22


class Machine:
    def __init__(self, triple, order, bits):
        self.triple, self.order, self.bits = triple, order, bits
        self.emulator = None if triple.startswith("x86_64") else "qemu-" + triple.split("-")[0]
        self.program = self.target = None

    def missing(self):
        """Why it cannot be tried here; empty if it can."""
        if not shutil.which("clang-19"):
            return "clang-19 is not installed"
        if self.emulator is None:
            return "" if os.uname().machine == "x86_64" else "this is not an x86-64"
        if not shutil.which(self.emulator):
            return f"{self.emulator} is not installed (Debian: qemu-user)"
        if not pathlib.Path(f"/usr/{self.triple}/lib/libc.so.6").exists():
            return f"/usr/{self.triple} has no C library (Debian: libc6-dev-*-cross)"
        return ""

    def runner(self):
        return [self.emulator, "-L", f"/usr/{self.triple}"] if self.emulator else []

    def _clang(self, words, directory):
        chain = ["-mbackchain"] if self.triple.startswith("s390x") else []
        command = ["clang-19", f"--target={self.triple}", *chain, *words]
        done = subprocess.run(command, cwd=directory, capture_output=True, timeout=300)
        assert done.returncode == 0, f"{command}: {done.stderr.decode(errors='replace')[-3000:]}"

    def build(self, directory):
        """The program with the runtime, as src/concolic/CMakeLists.txt compiles that, and plumb-target."""
        parts = pathlib.Path(directory) / self.triple
        parts.mkdir(exist_ok=True)
        sources = [name for name in glob.glob(f"{ROOT}/runtime/concolic/*.c") + glob.glob(f"{ROOT}/runtime/checks/*.c")
                   if not pathlib.Path(name).name.startswith("replay")]
        flags = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-O2", "-fPIC", "-fno-builtin", "-fno-stack-protector",
                 "-fno-omit-frame-pointer"]
        for source in sources:  # two folders have files of the same name
            path = pathlib.Path(source)
            self._clang([*flags, "-c", source, "-o", str(parts / f"{path.parent.name}-{path.stem}.o")], parts)
        self._clang(["-nostdlib", "-r", f"-Wl,-T,{ROOT}/runtime/checks/sections.ld",
                     *sorted(map(str, parts.glob("*.o"))), "-o", str(parts / "runtime")], parts)
        program = parts / "program"
        self._clang(["-std=c99", "-Wall", "-O1", "-fno-builtin", "-fno-omit-frame-pointer", "-no-pie", f"-I{ROOT}",
                     str(HERE / "program.c"), "-Xlinker", str(parts / "runtime"), "-Wl,-z,now", "-lpthread", "-o", str(program)], parts)
        self.target = parts / "plumb-target"
        self._clang(["-std=c99", "-Wall", "-Wextra", "-pedantic", "-O2",
                     *sorted(glob.glob(f"{ROOT}/runtime/target/*.c") + glob.glob(f"{ROOT}/runtime/link/*.c")),
                     "-o", str(self.target)], parts)
        self.program = program


MACHINES = [Machine("x86_64-linux-gnu", "<", 64), Machine("arm-linux-gnueabihf", "<", 32), Machine("aarch64-linux-gnu", "<", 64),
            Machine("riscv64-linux-gnu", "<", 64), Machine("s390x-linux-gnu", ">", 64)]


class Run:
    """What a run left: its wait status, and the records of its stream."""

    def __init__(self, status, words, fault, coverage):
        self.signal = status & 0x7F
        self.code = status >> 8 & 0xFF
        self.fault, self.coverage = fault, coverage
        self.inputs, self.defects, self.errors, self.lost = [], [], [], []
        at = 0
        while at < len(words):
            kind, code, width = words[at] & 0xFF, words[at] >> 8 & 0xFF, words[at] >> 16
            if kind == INPUT:
                _, size, _, name = words[at + 1:at + 5]
                packed = words[at + 5 + (name + 3) // 4:at + 5 + (name + 3) // 4 + (size + 3) // 4]
                self.inputs.append(b"".join(word.to_bytes(4, "little") for word in packed)[:size])
                at += 5 + (name + 3) // 4 + (size + 3) // 4
            elif kind == DEFECT:
                site, access, where = words[at + 1:at + 4]
                address, base, size = (words[i] | words[i + 1] << 32 for i in (at + 4, at + 6, at + 8))
                self.defects.append({"kind": code, "object": width, "site": site, "access": access, "hash": where,
                                     "address": address, "base": base, "size": size})
                at += 10
            elif kind == ERROR:
                self.errors.append(code)
                at += 2
            elif kind == LOST:
                self.lost.append(code)
                at += 2
            elif kind == END:
                at += 1
            else:
                raise AssertionError(f"a record of kind {kind} is not expected here: {[hex(word) for word in words]}")

    def kinds(self):
        return [defect["kind"] for defect in self.defects]


class ForkServer:
    """Runs of the program with inputs, through shared memory."""

    def __init__(self, machine):
        self.machine = machine
        self.order = machine.order
        size = 4 * STEP + 4 * STREAM_WORDS
        self.memory = os.memfd_create("plumb")
        os.truncate(self.memory, size)
        self.commands, commands = socket.socketpair()
        self.answers, answers = socket.socketpair()
        self.answers.settimeout(60)
        self.head = [MAGIC, VERSION, size, STEP, STEP, 2 * STEP, STEP, 3 * STEP, 0, STEP, 4 * STEP, STREAM_WORDS, 0, 0, 100, 1000,
                     1536, 4, 0, 0, 0, 0, 0]
        assert len(self.head) == HEAD_WORDS
        self._write(0, self.head)

        def connect():
            for ours, theirs in ((self.memory, SHARED), (commands.fileno(), COMMANDS), (answers.fileno(), ANSWERS)):
                os.dup2(ours, theirs, inheritable=True)

        self.process = subprocess.Popen([*machine.runner(), str(machine.program)], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False,
                                        preexec_fn=connect, start_new_session=True)
        commands.close()
        answers.close()

    def _write(self, offset, words):
        os.pwrite(self.memory, struct.pack(f"{self.order}{len(words)}I", *words), offset)

    def _word(self):
        got = b""
        while len(got) < 4:
            more = self.answers.recv(4 - len(got))
            assert more, "the fork server should answer"
            got += more
        return struct.unpack(f"{self.order}I", got)[0]

    def run(self, *inputs):
        given = b""
        for content in inputs:
            given += struct.pack(f"{self.order}I", len(content)) + content + bytes(-len(content) % 4)
        os.pwrite(self.memory, given, 3 * STEP)
        os.pwrite(self.memory, bytes(STEP), STEP)
        self.head[8] = len(given)
        self._write(0, self.head)
        self.commands.sendall(struct.pack(f"{self.order}I", RUN))
        child = self._word()
        assert child > 1, "the fork server should start a process"
        status = self._word()
        head = struct.unpack(f"{self.order}{HEAD_WORDS}I", os.pread(self.memory, 4 * HEAD_WORDS, 0))
        count = head[19]
        assert count <= STREAM_WORDS, f"{count} words do not fit into the stream"
        words = struct.unpack(f"{self.order}{count}I", os.pread(self.memory, 4 * count, 4 * STEP))
        return Run(status, words, head[21] | head[22] << 32, os.pread(self.memory, STEP, STEP))

    def close(self):
        self.commands.close()
        self.answers.close()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        os.close(self.memory)
