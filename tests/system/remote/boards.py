"""Emulated boards, and `plumb serve` beside them, for the tests here and for bench/board. Nothing is left running: Boards
is a context, in which all processes are started."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from result_object import result_object  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
CORTEX_M = ROOT / "examples" / "embedded" / "cortex-m"
SECONDS = 120


def check(condition, message):
    if not condition:
        raise AssertionError(message)


class Machine:
    """A kind of board with Linux, emulated by qemu's user mode."""

    is_bare_metal = False

    def __init__(self, triple, emulator, is_64_bit):
        self.triple, self.emulator, self.word_flag = triple, emulator, "--m64" if is_64_bit else "--m32"
        self.libraries = pathlib.Path("/usr") / triple

    def missing(self):
        """Why it cannot be emulated here; empty if it can."""
        if not shutil.which(self.emulator):
            return f"{self.emulator} is not installed (Debian: qemu-user)"
        if not (self.libraries / "lib").is_dir():
            return f"{self.libraries} is not there (Debian: libc6-dev-*-cross)"
        return ""

    def runner(self):
        return [self.emulator, "-L", str(self.libraries)]

    def flags(self):
        return ["--target", self.triple]

    def build(self, plumb, source, program, *flags):
        return compile_with(plumb, [*self.flags(), "-g", f"-I{ROOT / 'include'}", str(source), "-o", str(program), *flags])

    def build_target(self, plumb, program):
        return compile_with(plumb, [*self.flags(), "--plumb-target-program", "-o", str(program)])


class Host(Machine):
    """The machine itself as a board: no emulation."""

    def __init__(self):
        super().__init__("x86_64-linux-gnu", "", True)

    def missing(self):
        return "" if os.uname().machine == "x86_64" else "this is not an x86-64"

    def runner(self):
        return []


class CortexM:
    """The bare-metal example, on qemu's mps2-an385; the UART is a TCP connection to the server."""

    triple, word_flag, is_bare_metal = "arm-none-eabi", "--m32", True

    def missing(self):
        for tool, package in (("qemu-system-arm", "qemu-system-arm"), ("arm-none-eabi-gcc", "gcc-arm-none-eabi")):
            if not shutil.which(tool):
                return f"{tool} is not installed (Debian: {package})"
        return "" if pathlib.Path("/usr/include/newlib").is_dir() else "newlib is not there (Debian: libnewlib-arm-none-eabi)"

    def flags(self):
        return ["--target", self.triple, "-mcpu=cortex-m3", "-mthumb"]

    def build(self, plumb, source, program, *flags):
        objects = []
        for part in ("startup", "board"):
            objects.append(f"{program}.{part}.o")
            compile_with(plumb, [*self.flags(), "-fno-plumb", "-O1", "-c", str(CORTEX_M / f"{part}.c"), "-o", objects[-1]])
        return compile_with(plumb, [*self.flags(), "-g", f"-I{ROOT / 'include'}", "-nostartfiles", "-T", str(CORTEX_M / "mps2.ld"), *objects,
                                    str(source), "-o", str(program), *flags])


MACHINES = {"arm": Machine("arm-linux-gnueabihf", "qemu-arm", False), "s390x": Machine("s390x-linux-gnu", "qemu-s390x", True),
            "aarch64": Machine("aarch64-linux-gnu", "qemu-aarch64", True), "riscv64": Machine("riscv64-linux-gnu", "qemu-riscv64", True),
            "cortex-m": CortexM(), "host": Host()}


def compile_with(plumb, words):
    done = subprocess.run([str(plumb), "cc", *words], capture_output=True, timeout=SECONDS)
    check(done.returncode == 0, f"plumb cc {' '.join(words)}: exit {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as one:
        return one.getsockname()[1]


def most_memory(process):
    """In KiB, of a process that runs; 0 once it is gone."""
    try:
        for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


def tests_of(directory):
    """Names and bytes of the inputs of all tests, by number."""
    return {path.stem: [(one["name"], one["bytes"]) for one in json.loads(path.read_text())["inputs"]]
            for path in sorted(pathlib.Path(directory).glob("tests/test-*.json"))}


def defects_of(result):
    return {(one["kind"], one.get("line")) for one in result.get("defects", [])}


class Serve:
    """A `plumb serve` that runs, and what it says."""

    def __init__(self, process, address, directory, err):
        self.process, self.address, self.out, self.err, self.port = process, address, directory, err, 0

    def wait_until_listening(self, seconds=SECONDS):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.address.exists() and (text := self.address.read_text()).endswith("\n"):
                self.port = int(text.split()[0].rsplit(":", 1)[1])
                return self
            check(self.process.poll() is None, f"plumb serve ended with {self.process.returncode}\n{self.said()}")
            time.sleep(0.02)
        raise AssertionError(f"plumb serve does not say where it listens\n{self.said()}")

    def said(self):
        return self.err.read_text(errors="replace")[-4000:] if self.err.exists() else ""

    def finish(self, seconds=SECONDS):
        """The result object."""
        try:
            out, _ = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError(f"plumb serve is not done after {seconds} s\n{self.said()}") from None
        check(self.process.returncode in (0, 10, 20), f"plumb serve ended with {self.process.returncode}\n{self.said()}")
        return result_object(out)


class Boards:
    """Starts servers and targets; at the end of the context none is left."""

    def __init__(self, plumb):
        self.plumb, self.processes = str(plumb), []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes:
            self.kill(process)

    def start(self, command, **options):
        process = subprocess.Popen(list(map(str, command)), start_new_session=True, **options)
        self.processes.append(process)
        return process

    def kill(self, process):
        """With all that it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()

    def serve(self, program, out, *options, port=0, token=None):
        """Without a program it goes on with the campaign of `out`."""
        words = [program] if program is not None else ["--resume"]
        if token is not None:
            file = pathlib.Path(f"{out}.token")
            file.write_bytes(token)
            file.chmod(0o600)
            words += ["--token-file", file]
        err, address = pathlib.Path(f"{out}.err"), pathlib.Path(f"{out}.address")
        address.unlink(missing_ok=True)
        with err.open("ab") as log:
            process = self.start([self.plumb, "serve", "--listen", f"127.0.0.1:{port}", "--address-file", address, *words, "--out", out,
                                  "--json", *options], stdout=subprocess.PIPE, stderr=log)
        return Serve(process, address, out, err).wait_until_listening()

    def target(self, machine, target_program, program, port, *options, log=subprocess.DEVNULL):
        """plumb-target on an emulated board."""
        runner = machine.runner()
        words = ["--runner", " ".join(runner)] if runner else []
        return self.start([*runner, target_program, "--server", f"127.0.0.1:{port}", *words, *options, program],
                          stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def cortex_m(self, image, port, log=subprocess.DEVNULL):
        return self.start(["qemu-system-arm", "-M", "mps2-an385", "-nographic", "-monitor", "none", "-chardev",
                           f"socket,id=line,host=127.0.0.1,port={port},reconnect=1", "-serial", "chardev:line", "-kernel", image],
                          stdin=subprocess.DEVNULL, stdout=log, stderr=log)
