"""Debian source packages, fetched and made ready to compile: each gives a compilation database of one program."""
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

CLANG = "clang-19"


def run(command, directory, log, **environment):
    """Runs to the end or raises, with the end of what it said."""
    with open(log, "ab") as output:
        code = subprocess.run(command, cwd=directory, stdout=output, stderr=output, stdin=subprocess.DEVNULL,
                              env={**os.environ, **environment}).returncode
    if code != 0:
        tail = Path(log).read_text(errors="replace")[-2000:]
        raise RuntimeError(f"{' '.join(map(str, command))} in {directory}: exit code {code}\n{tail}")


class Apt:
    """This machine's package sources, asked for source packages with a private state; nothing outside of `directory` changes."""

    def __init__(self, directory):
        self.directory = directory
        for part in ("state/lists/partial", "cache/archives/partial", "parts"):
            (directory / part).mkdir(parents=True, exist_ok=True)
        etc = Path("/etc/apt")
        for path in [etc / "sources.list", *etc.glob("sources.list.d/*")]:
            if path.suffix in (".list", ".sources") and path.is_file():
                lines = [self.as_source(line) for line in path.read_text().splitlines()]
                (directory / "parts" / path.name).write_text("\n".join(lines) + "\n")
        self.options = [f"-oDir::State={directory}/state", f"-oDir::Cache={directory}/cache", "-oDir::Etc::SourceList=/dev/null",
                        f"-oDir::Etc::SourceParts={directory}/parts", "-oAPT::Sandbox::User=root"]
        self.updated = False

    @staticmethod
    def as_source(line):
        if line.startswith("deb "):
            return "deb-src " + line[4:]
        return "Types: deb-src" if line.startswith("Types:") else line

    def update(self):
        # A source that has no source packages is an error to apt and nothing to us.
        if not self.updated:
            subprocess.run(["apt-get", "-qq", *self.options, "update"], capture_output=True)
        self.updated = True

    def versions(self, package):
        """All that are offered, newest first."""
        shown = subprocess.run(["apt-cache", *self.options, "showsrc", "--only-source", package], capture_output=True, text=True).stdout
        found = list(dict.fromkeys(line.split()[1] for line in shown.splitlines() if line.startswith("Version:")))

        def older(a, b):
            return subprocess.run(["dpkg", "--compare-versions", a, "lt", b]).returncode == 0

        for i in range(len(found)):
            for j in range(i + 1, len(found)):
                if older(found[i], found[j]):
                    found[i], found[j] = found[j], found[i]
        return found

    def source(self, package, log):
        """The directory of its unpacked source."""
        target = self.directory / "sources" / package
        if not target.exists():
            self.update()
            errors = ["no version is offered"]
            aside = target.with_name(package + ".part")
            for version in self.versions(package):
                shutil.rmtree(aside, ignore_errors=True)
                aside.mkdir(parents=True)
                try:
                    run(["apt-get", "-qq", *self.options, "source", f"{package}={version}"], aside, log)
                    aside.rename(target)
                    break
                except RuntimeError as error:  # a mirror may lack the newest
                    errors.append(str(error))
            else:
                raise RuntimeError(f"{package}: {errors[-1]}")
        return next(p for p in sorted(target.iterdir()) if p.is_dir())


def fragments(directory):
    """Options that make clang write down its commands."""
    (directory / "commands").mkdir(exist_ok=True)
    return f"CC={CLANG} -gen-cdb-fragment-path {directory}/commands"


def database(directory, wanted=lambda entry: True):
    """compile_commands.json from the fragments that a build left. A file that was compiled more than once counts once, as an archive gives
    the linker only the first of several definitions."""
    entries = {}
    for fragment in sorted((directory / "commands").glob("*.json")):
        entry = json.loads(fragment.read_text().strip().rstrip(","))
        if "-c" in entry["arguments"] and wanted(entry):
            entries.setdefault(entry["file"], entry)
    path = directory / "compile_commands.json"
    path.write_text(json.dumps(list(entries.values()), indent=1))
    return [str(path)]


def zlib(directory, log):
    run(["./configure", "--static"], directory, log, CC=CLANG)
    run(["make", fragments(directory), "CFLAGS=-O0 -w -D_LARGEFILE64_SOURCE=1", "libz.a", "minigzip"], directory, log)
    return database(directory)


def lua(directory, _):
    # Debian's build writes this header.
    architecture = subprocess.run(["dpkg-architecture", "-qDEB_HOST_MULTIARCH"], capture_output=True, text=True, check=True).stdout.strip()
    (directory / "src" / "lua5.4-deb-multiarch.h").write_text(f'#define DEB_HOST_MULTIARCH "{architecture}"\n')
    return [str(p) for p in sorted((directory / "src").glob("*.c")) if p.name != "luac.c"]


def sqlite3(directory, log):
    run(["./configure", "--disable-tcl"], directory, log, CC=CLANG)
    run(["make", "sqlite3.c"], directory, log)
    return [str(directory / "sqlite3.c")]


def jq(directory, log):
    run(["autoreconf", "-fi"], directory, log)
    run(["./configure", "--disable-docs", "--disable-maintainer-mode", "--disable-shared"], directory, log, CC=CLANG)
    run(["make", fragments(directory), "CFLAGS=-O0 -w"], directory, log)
    return database(directory, lambda entry: not entry["file"].endswith(("jq_test.c", "inject_errors.c")))


def coreutils(directory, log):
    # All tools as one program: their mains have different names then.
    run(["./configure", "--enable-single-binary=symlinks", "--disable-nls", "--without-openssl"], directory, log, CC=CLANG, FORCE_UNSAFE_CONFIGURE="1")
    (directory / "built.mk").write_text("built-sources: $(BUILT_SOURCES)\n")
    run(["make", "-f", "Makefile", "-f", "built.mk", "built-sources"], directory, log)
    run(["make", fragments(directory), "CFLAGS=-O0 -w", "LDFLAGS=-Wl,-t,-t", "src/coreutils"], directory, log)
    # A tool may define what the archive of common functions defines too; the linker says which objects it took.
    linked = set(re.findall(r"^(?:\(\S+\)|\S+/)([^/()\s]+\.o)$", log.read_text(errors="replace"), re.MULTILINE))
    return database(directory, lambda entry: Path(entry["output"]).name in linked)


PACKAGES = {"zlib": zlib, "lua5.4": lua, "sqlite3": sqlite3, "jq": jq, "coreutils": coreutils}


def prepare(package, work):
    """What `plumb ir` is given to read this package's program. Done once; the answer is kept beside the sources."""
    kept = work / f"{package}.json"
    if kept.exists():
        return json.loads(kept.read_text())
    log = work / f"{package}.log"
    log.unlink(missing_ok=True)
    files = PACKAGES[package](Apt(work).source(package, log), log)
    kept.write_text(json.dumps(files))
    return files
