"""What the runners of system tests share: scenarios that run plumb as a user would, each in a directory of its own."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from result_object import result_object  # noqa: E402, F401: for runners

PLUMB = str(pathlib.Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "plumb"
SECONDS = 120


def check(condition, message):
    if not condition:
        raise AssertionError(message)


def shown(result):
    """A finished process, for people."""
    return (f"{result.args}: exit {result.returncode}\nstdout: {result.stdout[-3000:].decode(errors='replace')}\n"
            f"stderr: {result.stderr[-3000:].decode(errors='replace')}")


def expect(result, codes, *parts, err=()):
    """Gives the result if it has one of the exit codes, all parts in its output and `err` on standard error."""
    codes = (codes,) if isinstance(codes, int) else codes
    check(result.returncode in codes, f"expected exit code {codes}\n{shown(result)}")
    for part in parts:
        check(part in result.stdout.decode(errors="replace"), f"expected {part!r} in the output\n{shown(result)}")
    for part in [err] if isinstance(err, str) else err:
        check(part in result.stderr.decode(errors="replace"), f"expected {part!r} on standard error\n{shown(result)}")
    return result


class Files:
    """A directory with the files of one scenario, where plumb runs."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.path = pathlib.Path(self.directory.name)

    def __call__(self, name, content=""):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
        return path


def run_scenarios(scenarios, files):
    """The command line's scenarios, each with a new `files()`; gives the exit code. A scenario's docstring is its claim."""
    words = sys.argv[2:]
    chosen = [scenario for scenario in scenarios if not words or any(word in scenario.__name__ for word in words)]
    failed = 0
    for scenario in chosen:
        try:
            scenario(files())
            print(f"{scenario.__name__}: passed", flush=True)
        except Exception as error:  # one that goes wrong in any way costs no other
            failed += 1
            print(f"{scenario.__name__}: FAILED: {scenario.__doc__}\n{type(error).__name__} {error}\n", flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} scenarios passed")
    return 1 if failed or not chosen else 0
