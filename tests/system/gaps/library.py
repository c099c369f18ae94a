#!/usr/bin/env python3
"""What plumb knows of the library that a header declares, function by function, and that no claim of absence hides the rest.

    library.py PLUMB            all scenarios
    library.py PLUMB NAME…      those whose name contains one of the words
    library.py PLUMB --write    writes the table in docs/library.md

A scenario's docstring is its claim. The functions are those that clang finds declared in the system's headers; which of
them have a model, `plumb doctor` says; what a model leaves to the world is read from the calls of the models themselves."""
import json
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

CLANG = "clang-19"
HEADERS = ("assert.h complex.h ctype.h errno.h fcntl.h fenv.h inttypes.h libgen.h locale.h math.h pthread.h semaphore.h setjmp.h "
           "signal.h stdio.h stdlib.h string.h strings.h sys/stat.h sys/time.h threads.h time.h unistd.h wchar.h wctype.h").split()
LINKED = {}  # the name that the header gives the linker, by function
TABLE = ROOT / "docs" / "library.md"
BEGIN, END = "<!-- generated: tests/system/gaps/library.py --write -->\n", "<!-- end -->\n"

# What a model asks plumb for. The engines of `check` follow none of the gaps.
ANY = {"plumb_host_any", "plumb_host_clock", "plumb_host_write"}
GAPS = {"plumb_host_gap", "plumb_host_open", "plumb_host_read", "plumb_host_close", "plumb_host_seek", "plumb_thread_create",
        "plumb_thread_exit", "plumb_thread_wait", "plumb_thread_timed_wait", "plumb_cond_timed_wait", "plumb_mutex_kind",
        "pthread_join", "setjmp", "_setjmp", "sigsetjmp", "longjmp", "_longjmp", "siglongjmp"}
# Writing to a stream, which is taken to succeed.
SUCCEEDS = "plumb_stream_write"
# They change nothing that a program sees; what they read is a gap of memory safety.
OUTPUT = {"fwprintf", "putwchar", "vwprintf", "wprintf"}
# Parameters that are no scalars.
STRUCTURES = {"cookie_io_functions_t", "const union sigval"}


def preamble(headers):
    return "#define _GNU_SOURCE\n#pragma clang diagnostic ignored \"-Weverything\"\n" + "".join(f"#include <{header}>\n" for header in headers)


def declared():
    """By header: the functions that a program may call, with the types of their parameters."""
    seen, found = set(), {}
    for header in HEADERS:
        done = subprocess.run([CLANG, "-x", "c", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-"], capture_output=True,
                              input=preamble([header]).encode(), timeout=SECONDS)
        found[header] = {}
        for node in json.loads(done.stdout)["inner"]:
            name = node.get("name", "")
            if node["kind"] != "FunctionDecl" or node.get("isImplicit") or name.startswith("__") or name in seen:
                continue
            seen.add(name)
            LINKED[name] = node.get("mangledName", name)
            parameters = [p["type"]["qualType"] for p in node.get("inner", []) if p["kind"] == "ParmVarDecl"]
            found[header][name] = parameters
    return found


def argument(kind):
    if kind.endswith("*") or "(*)" in kind or "[" in kind or "restrict" in kind or kind in ("va_list", "__gnuc_va_list"):
        return "text" if "char" in kind and "**" not in kind else "(void *)room"
    return f"({kind}){{0}}" if kind in STRUCTURES else "1"


def program(functions, body="c = any_int();\n  if (c > 5) c = 5;\n  assert(c <= 5);"):
    """Calls one of the functions, whichever an input says, each in a line of its own; then the body. With the lines."""
    text = preamble(HEADERS) + ("extern int __VERIFIER_nondet_int(void);\n#define any_int __VERIFIER_nondet_int\n"
                                "long room[64];\nchar text[] = \"r\";\nint main(void) {\n  int c = any_int();\n"
                                "  switch (c) {\n")
    lines = {}
    for number, (name, parameters) in enumerate(functions.items()):
        lines[text.count("\n") + 1] = name
        text += f"    case {number}: ({name})({', '.join(argument(kind) for kind in parameters)}); break;\n"
    return text + f"  }}\n  {body}\n  return 0;\n}}\n", lines


def plumb(files, *arguments):
    done = subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, timeout=SECONDS, cwd=files.path)
    try:
        return result_object(done.stdout)
    except ValueError:
        raise AssertionError(shown(done)) from None


def without_body(files, functions):
    files("all.c", program(functions)[0])
    result = plumb(files, "doctor", "all.c", "--json", "-q")
    check("results" in result, str(result))
    return {entry["text"] for entry in result["results"] if entry["kind"] == "missing-function"}


def calls_of_models():
    """By function of the models: what it calls."""
    calls = {}
    for source in sorted((ROOT / "runtime" / "models").glob("*.c")):
        ir = subprocess.run([CLANG, "-S", "-emit-llvm", "-ffreestanding", "-fno-builtin", "-o", "-", source], capture_output=True,
                            timeout=SECONDS).stdout.decode()
        name = None
        for line in ir.splitlines():
            if line.startswith("define "):
                name = re.search(r"@([\w.]+)\(", line).group(1)
                local = f"{source.stem}:" if " internal " in line else ""
                calls[local + name] = called = set()
            elif name and " call " in f" {line}":
                called.update(re.findall(r"call [^@]*@([\w.]+)\(", line))
        names = {key.split(":")[1] for key in calls if key.startswith(source.stem + ":")}
        for key in calls:
            calls[key] = {f"{source.stem}:{c}" if c in names and f"{source.stem}:{c}" in calls else c for c in calls[key]}
    calls[SUCCEEDS] = set()
    return calls


def reaches(calls, name, goals):
    seen, todo = set(), [name]
    while todo:
        at = todo.pop()
        if at in goals:
            return True
        if at not in seen:
            seen.add(at)
            todo += calls.get(at, ())
    return False


def classes(files):
    """By header and class, the names."""
    found, calls = declared(), calls_of_models()
    everything = {name: parameters for functions in found.values() for name, parameters in functions.items()}
    missing = without_body(files, everything)
    table = {}
    for header, functions in found.items():
        row = table[header] = {"exact": [], "any": [], "gap": [], "none": []}
        for name in functions:
            kind = "none" if LINKED[name] in missing else "gap" if reaches(calls, name, GAPS) else "any" if reaches(calls, name, ANY) else "exact"
            row[kind].append(name)
    return found, table


def table_text(table):
    text = "| header | the model decides | any value where the world decides | a gap, at least on some way |\n|---|---|---|---|\n"
    for header, row in table.items():
        cells = [", ".join(f"`{name}`" for name in sorted(row[kind])) for kind in ("exact", "any", "gap")]
        if any(cells):
            text += f"| `<{header}>` | " + " | ".join(cells) + " |\n"
    return text


def functions_without_a_model_are_gaps(files):
    """Every declared function without a model is recorded as a gap where it is called, and nothing holds behind it."""
    found, table = classes(files)
    without = {name: parameters for header in found for name, parameters in found[header].items() if name in table[header]["none"]}
    source, _ = program(without)
    functions = {LINKED[name] for name in without}
    files("none.c", source)
    result = plumb(files, "check", "none.c", "--engine", "bmc", "--timeout", "60", "--json", "-q")
    check(result["verdict"] == "unknown", result["verdict"])
    named = {re.search(r"'(\w+)'", gap["text"]).group(1) for gap in result["gaps"] if gap["kind"] == "missing-body"}
    check(functions - OUTPUT <= named, f"not recorded: {sorted(functions - OUTPUT - named)}")


def the_table_in_the_docs_is_true(files):
    """docs/library.md lists what is modelled, and how."""
    _, table = classes(files)
    text = TABLE.read_text()
    check(table_text(table) in text, "docs/library.md is not what library.py --write writes")


# False on some machine that POSIX allows, mostly on this one. A proof of it is wrong.
WORLD = {
    "getpid": "getpid() == 1", "getppid": "getppid() == 0", "getuid": "getuid() == 1000", "geteuid": "geteuid() == 1000",
    "getgid": "getgid() == 1000", "getegid": "getegid() == 1000", "access": 'access("/etc/passwd", F_OK) != 0',
    "stat": 'stat("/etc/passwd", &status) != 0', "lstat": 'lstat("/etc/passwd", &status) != 0', "fstat": "fstat(0, &status) != 0",
    "getenv": 'getenv("PATH") == 0', "secure_getenv": 'secure_getenv("PATH") == 0', "system": 'system("true") != 0',
    "system-null": "system(0) == 0", "fopen": 'fopen("/dev/null", "w+") == 0', "fopen-read": 'fopen("/etc/passwd", "r") == 0',
    "freopen": 'freopen(0, "w", stdout) == 0', "tmpfile": "tmpfile() == 0", "umask": "umask(0) == 022", "alarm": "alarm(0) == 0",
    "isatty": "isatty(0) == 0", "sysconf": "sysconf(_SC_NPROCESSORS_ONLN) == -1", "getcwd": "getcwd(buffer, 1) != 0 || getcwd(buffer, 9)[1] == 0",
    "open": 'open("/dev/null", O_RDWR) == -1', "open-plain": 'open("/dev/null", O_WRONLY) == -1', "fcntl": "fcntl(1, F_GETFL) == 0",
    "mkdir": 'mkdir("made", 0700) != 0', "remove": 'remove("made") != 0', "rename": 'rename("made", "other") != 0',
    "unlink": 'unlink("made") != 0', "sleep": "sleep(1) == 0", "gettimeofday": "gettimeofday(&pair, 0) == 0 && pair.tv_usec == 0",
    "clock_gettime": "clock_gettime(CLOCK_REALTIME, &exact) == 0 && exact.tv_nsec == 0",
    "timespec_get": "timespec_get(&exact, TIME_UTC) == TIME_UTC && exact.tv_nsec == 0", "time": "time(0) == 1", "clock": "clock() == 0",
    "localtime": "localtime(&now)->tm_hour == 0", "mktime": "mktime(&date) == 0", "setlocale": 'setlocale(LC_ALL, "")[0] == \'C\'',
    "setlocale-named": 'setlocale(LC_ALL, "de_DE.UTF-8") == 0', "tmpnam": "tmpnam(buffer) == 0", "mkstemp": 'mkstemp(buffer) == -1',
    "popen": 'popen("true", "r") == 0', "signal": "signal(SIGHUP, SIG_DFL) == SIG_DFL", "raise": "(raise(SIGHUP), 0)",
    "fetestexcept": "fetestexcept(FE_ALL_EXCEPT) == 0", "fesetround": "(fesetround(FE_UPWARD), one + little == one)",
    "thrd_create": "thrd_create(&thread, 0, 0) == 1", "fork": "fork() == 0", "fdopen": 'fdopen(77, "r") != 0', "nanosleep": "nanosleep(&exact, 0) == 0",
    "sigaction": "(sigaction(SIGHUP, 0, &action), action.sa_flags == 0)", "sigprocmask": "(sigprocmask(0, 0, &set), sigismember(&set, SIGHUP) == 0)",
}


def what_the_world_decides_is_not_proved(files):
    """No assertion holds whose truth the file system, the clock, the environment or another process decides."""
    wrong = []
    for name, condition in WORLD.items():
        files("world.c", preamble(HEADERS) + "struct stat status;\nchar buffer[20] = \"/tmp/plumbXXXXXX\";\nstruct timeval pair;\nstruct timespec exact;\n"
              "time_t now;\nstruct tm date = {.tm_year = 70, .tm_mday = 1};\nthrd_t thread;\nsigset_t set;\nstruct sigaction action;\n"
              "volatile float one = 1.0f, little = 1e-10f;\n" f"int main(void) {{\n  assert({condition});\n  return 0;\n}}\n")
        for engine in ("bmc", "circuit"):
            # No native run: it is not to change this machine's files.
            result = plumb(files, "check", "world.c", "--engine", engine, "--timeout", "5", "--json", "-q")
            if result["verdict"] not in ("unknown", "violated"):
                wrong.append(f"{name} ({engine}): {result['verdict']}")
    check(not wrong, "; ".join(wrong))


SCENARIOS = [functions_without_a_model_are_gaps, the_table_in_the_docs_is_true, what_the_world_decides_is_not_proved]

if __name__ == "__main__":
    if "--write" in sys.argv:
        before, rest = TABLE.read_text().split(BEGIN)
        TABLE.write_text(before + BEGIN + table_text(classes(Files())[1]) + END + rest.split(END)[1])
        sys.exit(0)
    sys.exit(run_scenarios(SCENARIOS, Files))
