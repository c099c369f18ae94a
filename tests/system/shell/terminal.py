"""Terminals for tests: a pseudo-terminal of Python's own, and tmux."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|\x07|\x1b\][^\x07]*\x07")
PROMPT = "plumb> "
SECONDS = 60


class PtyTerminal:
    """A program in a pseudo-terminal. What it prints is kept without escape sequences."""

    def __init__(self, arguments, directory, environment):
        self.text = ""
        self.status = None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.chdir(directory)
            os.execvpe(arguments[0], arguments, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.master)

    def read(self, seconds):
        """What is there to read within the time; False at the end of the program."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += ESCAPES.sub("", data.decode(errors="replace")).replace("\r\n", "\n").replace("\r", "")
        return bool(data)

    def wait(self, found, since=0, seconds=SECONDS):
        """Until found(text since that position) holds; returns that text."""
        end = time.monotonic() + seconds
        while not found(self.text[since:]):
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain; the terminal shows\n{self.text[since:]}")
            if not self.read(0.2) and not found(self.text[since:]):
                raise AssertionError(f"the program ended; the terminal shows\n{self.text[since:]}")
        return self.text[since:]

    def wait_prompt(self, since=0, seconds=SECONDS):
        return self.wait(lambda text: text.endswith(PROMPT), since, seconds)

    def type(self, keys):
        """Sends keys; returns the position behind what was printed before."""
        position = len(self.text)
        os.write(self.master, keys.encode())
        return position

    def command(self, line, seconds=SECONDS):
        """Types a line at the prompt; returns what is printed up to the next one."""
        since = self.type(line + "\n")
        text = self.wait(lambda shown: "\n" in shown and shown.endswith("\n" + PROMPT), since, seconds)
        return text[text.index("\n") + 1 : -len(PROMPT)]

    def end(self, seconds=SECONDS):
        """Waits for the program to end; returns its exit code."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self.status = os.waitstatus_to_exitcode(status)
                return self.status
        raise AssertionError(f"the program did not end; the terminal shows\n{self.text}")


class TmuxTerminal:
    """The same in a window of tmux, typed key by key and read off the screen with its history."""

    def __init__(self, arguments, directory, environment):
        self.socket = f"plumb-test-{os.getpid()}"
        command = ["env", *(f"{name}={value}" for name, value in environment.items()
                            if name.startswith(("XDG_", "PATH"))), *arguments]
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", "160", "-y", "50", "-c", str(directory), *command)

    @staticmethod
    def is_installed():
        return shutil.which("tmux") is not None

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-L", self.socket, *arguments], capture_output=True, text=True, check=True).stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run(["tmux", "-L", self.socket, "kill-server"], capture_output=True)

    def screen(self):
        return "\n".join(line.rstrip() for line in self.tmux("capture-pane", "-p", "-J", "-S", "-").splitlines()).strip("\n")

    def wait_prompts(self, count, seconds=SECONDS):
        end = time.monotonic() + seconds
        while True:
            screen = self.screen()
            if screen.count("\n" + PROMPT.strip()) >= count and screen.endswith(PROMPT.strip()):
                return screen
            if time.monotonic() > end:
                raise AssertionError(f"waited in vain; the screen shows\n{screen}")
            time.sleep(0.1)

    def wait_prompt(self):
        return self.wait_prompts(1)

    def command(self, line):
        before = self.screen()
        count = before.count("\n" + PROMPT.strip())
        self.tmux("send-keys", "-l", line)
        self.tmux("send-keys", "Enter")
        after = self.wait_prompts(count + 1)
        shown = after[len(before):]
        return shown[shown.index("\n") + 1 : -len(PROMPT.strip())]
