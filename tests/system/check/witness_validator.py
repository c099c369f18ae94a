#!/usr/bin/env python3
"""Validates SV-COMP witnesses in format 2.0 (YAML) by native runs; knows nothing of plumb.

    witness_validator.py WITNESS SOURCE [--runs 500]

A violation witness: its structure, the hashes of its task; each follow waypoint of a segment is the return of an input function at the
closing parenthesis of its call, with a value, and the last is the target. The program is run with these values where its calls are
those of the waypoints in order (zero elsewhere), and has to violate the specification at the target's line. A correctness witness: each
invariant is at a loop, over what is in scope there, parses as C, and holds whenever the loop's condition is about to be evaluated, in random
runs. Exit code 1 with what is wrong."""
import argparse
import datetime
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile
import uuid

import yaml

CLANG = "clang-19"
NATIVE = pathlib.Path(__file__).resolve().parents[2] / "tasks" / "native.c"
FOUND, SANITIZED = 66, 99
CALL = re.compile(r"\b__VERIFIER_nondet_(\w+)\s*\(\s*\)")
WAYPOINTS = ("assumption", "branching", "function_enter", "function_return", "target")
PROPERTY = re.compile(r"CHECK\(\s*init\(\s*main\(\)\s*\)\s*,\s*LTL\(\s*G\s*(.*?)\s*\)\s*\)$")


class Invalid(Exception):
    """What is wrong with a witness."""


def need(condition, message):
    if not condition:
        raise Invalid(message)


def keys(mapping, required, optional, where):
    need(isinstance(mapping, dict), f"{where} is no mapping")
    need(required <= set(mapping), f"{where} lacks {', '.join(sorted(required - set(mapping)))}")
    need(set(mapping) <= required | optional, f"{where} has unknown keys {', '.join(sorted(set(mapping) - required - optional))}")
    return mapping


def check_metadata(metadata, source):
    """Gives the properties and the word size."""
    keys(metadata, {"format_version", "uuid", "creation_time", "producer", "task"}, set(), "metadata")
    need(str(metadata["format_version"]) in ("2.0", "2.1"), f"format_version is {metadata['format_version']}")
    try:
        need(str(uuid.UUID(metadata["uuid"])) == metadata["uuid"], "uuid is not in its usual form")
    except (ValueError, AttributeError, TypeError) as error:
        raise Invalid(f"uuid: {error}") from error
    time = metadata["creation_time"]
    if not isinstance(time, datetime.datetime):
        try:
            time = datetime.datetime.fromisoformat(str(time).replace("Z", "+00:00"))
        except ValueError as error:
            raise Invalid(f"creation_time: {error}") from error
    producer = keys(metadata["producer"], {"name", "version"}, {"configuration", "command_line", "description"}, "producer")
    need(all(isinstance(producer[k], str) and producer[k] for k in ("name", "version")), "producer's name or version is empty")
    task = keys(metadata["task"], {"input_files", "input_file_hashes", "specification", "data_model", "language"}, set(), "task")
    need(isinstance(task["input_files"], list) and len(task["input_files"]) == 1, "input_files is no list of one file")
    (file,) = task["input_files"]
    need(pathlib.Path(file).name == source.name, f"input_files names {file}, the source is {source.name}")
    need(task["input_file_hashes"] == {file: hashlib.sha256(source.read_bytes()).hexdigest()}, "input_file_hashes does not fit the source")
    properties = [PROPERTY.match(line.strip()) for line in task["specification"].strip().splitlines()]
    need(properties and all(properties), f"specification {task['specification']!r}")
    need(task["data_model"] in ("ILP32", "LP64"), f"data_model {task['data_model']}")
    need(task["language"] == "C", f"language {task['language']}")
    return [p[1] for p in properties], 32 if task["data_model"] == "ILP32" else 64


def check_location(location, lines, source):
    """Gives line and column (None: the first in the line)."""
    keys(location, {"file_name", "line"}, {"column", "function", "file_hash"}, "location")
    need(pathlib.Path(location["file_name"]).name == source.name, f"location in {location['file_name']}")
    line, column = location["line"], location.get("column")
    need(isinstance(line, int) and 1 <= line <= len(lines), f"line {line} is not in the file")
    need(column is None or (isinstance(column, int) and 1 <= column <= len(lines[line - 1])), f"column {column} is not in line {line}")
    return line, column


def read_follow(waypoint, lines, source):
    """A return with its place and value, or the target with its place."""
    keys(waypoint, {"type", "action", "location"}, {"constraint"}, "waypoint")
    need(waypoint["type"] in WAYPOINTS, f"waypoint of type {waypoint['type']}")
    need(waypoint["action"] == "follow", f"waypoint with action {waypoint['action']}")
    line, column = check_location(waypoint["location"], lines, source)
    if waypoint["type"] == "target":
        need("constraint" not in waypoint, "the target has a constraint")
        return "target", line, column, None
    need(waypoint["type"] == "function_return", f"a waypoint of type {waypoint['type']} is beyond this validator")
    constraint = keys(waypoint.get("constraint"), {"value"}, {"format"}, "constraint")
    need(constraint.get("format", "acsl_expression") == "acsl_expression", f"constraint in format {constraint.get('format')}")
    value = re.fullmatch(r"\\result\s*==\s*\(?\s*(-?\d+)[uUlL]*\s*\)?", constraint["value"])
    need(value, f"constraint {constraint['value']!r}")
    text = lines[line - 1]
    need(column is not None and text[column - 1] == ")", f"{line}:{column} is no closing parenthesis: {text!r}")
    need(any(call.end() == column for call in CALL.finditer(text)), f"{line}:{column} ends no call of an input function: {text!r}")
    return "return", line, column, int(value[1])


def read_sequence(content, lines, source):
    """Waypoints that are followed; the last is the target."""
    need(isinstance(content, list) and content, "content is empty")
    found = []
    for item in content:
        segment = keys(item, {"segment"}, set(), "entry of content")["segment"]
        need(isinstance(segment, list) and len(segment) == 1, "a segment has waypoints that are to be avoided, or none")
        found.append(read_follow(keys(segment[0], {"waypoint"}, set(), "segment")["waypoint"], lines, source))
    need([f[0] for f in found].count("target") == 1 and found[-1][0] == "target", "the target is not the last waypoint, or not the only one")
    return found[:-1], found[-1]


def outside_code(lines):
    """The text with each call of an input function and of the error function knowing its place."""
    changed = []
    for number, text in enumerate(lines, 1):
        def named(call, number=number):
            return f"(witness_at({number}, {call.end()}), {call[0]})"
        text = CALL.sub(named, text)
        text = re.sub(r"\b(reach_error|__VERIFIER_error)\s*\(\s*\)\s*;", rf"witness_reached({number});", text)
        changed.append(text)
    return "\n".join(["void witness_at(int, int); void witness_reached(int);\n#define main task_main\n#line 1", *changed]) + "\n"


def program_of_waypoints(waypoints):
    """C that answers the input functions by the waypoints; native.c asks it before its own values."""
    table = ", ".join(f"{{{line}, {column}, {value}{'ull' if value >= 2**63 else 'll' if value > -2**63 else ''}}}" for _, line, column, value in waypoints)
    table = table.replace("-9223372036854775808", "-9223372036854775807ll - 1")
    return f"""
#include <stdio.h>
#include <unistd.h>
static const struct {{ int line, column; long long value; }} waypoints[] = {{{table}{', ' if table else ''}{{0, 0, 0}}}};
static unsigned next, count = {len(waypoints)};
static int is_here;
void witness_at(int line, int column) {{ is_here = next < count && waypoints[next].line == line && waypoints[next].column == column; }}
long long witness_value(void) {{ return is_here ? waypoints[next++].value : 0; }}
void witness_reached(int line) {{
  printf("\\nreached %d after %u of %u\\n", line, next, count);
  fflush(stdout);
  _exit(66);
}}
void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {{ (void)text, (void)file, (void)function; witness_reached((int)line); }}
void __VERIFIER_assume(int condition) {{ if (!condition) _exit(0); }}
void abort(void) {{ _exit(0); }}
/* Pointers that are left on the stack would hide leaks. */
__attribute__((noinline, no_sanitize("address"))) static void clear_stack(void) {{
  volatile char area[1 << 14];
  for (unsigned k = 0; k < sizeof area; ++k) area[k] = 0;
}}
int task_main();
int main(void) {{
  int code = task_main();
  clear_stack();
  return code == 0 ? 0 : 1;
}}
"""


def input_functions(names):
    types = {"int": "int", "uint": "unsigned", "unsigned": "unsigned", "char": "char", "schar": "signed char", "uchar": "unsigned char",
             "short": "short", "ushort": "unsigned short", "long": "long", "ulong": "unsigned long", "longlong": "long long",
             "ulonglong": "unsigned long long", "bool": "_Bool", "size_t": "__SIZE_TYPE__", "u8": "unsigned char", "u16": "unsigned short", "u32": "unsigned"}
    return "".join(f"{types[n]} __VERIFIER_nondet_{n}(void) {{ return ({types[n]})witness_value(); }}\n" for n in sorted(names))


def compiled(files, flags, directory):
    executable = pathlib.Path(directory, "program")
    done = subprocess.run([CLANG, "-w", "-g", *flags, *map(str, files), "-o", str(executable)], capture_output=True, text=True)
    need(done.returncode == 0, f"does not compile: {done.stderr[-1000:]}")
    return executable


SANITIZERS = {"! overflow": ["-fsanitize=signed-integer-overflow,integer-divide-by-zero", "-fno-sanitize-recover=all"],
              "valid": ["-fsanitize=address", "-fno-omit-frame-pointer"]}


def check_violation(entry, source, lines):
    properties, word_size = check_metadata(entry["metadata"], source)
    waypoints, target = read_sequence(entry["content"], lines, source)
    kind = "valid" if properties[0].startswith("valid-") else properties[0]
    text = outside_code(lines)
    if "label(ERROR)" in kind:
        text = re.sub(r"\bERROR\s*:", "ERROR: witness_reached(__LINE__);", text)
    with tempfile.TemporaryDirectory() as directory:
        changed, answers = pathlib.Path(directory, source.name), pathlib.Path(directory, "answers.c")
        changed.write_text(text)
        answers.write_text(program_of_waypoints(waypoints) + input_functions({c[1] for line in lines for c in CALL.finditer(line)}))
        executable = compiled([changed, answers], [f"-m{word_size}", "-O0", *SANITIZERS.get(kind, [])], directory)
        try:
            # Frames that are kept to see their use after a return would also keep leaks.
            for kept in (0, 1):
                environment = {"ASAN_OPTIONS": f"exitcode={SANITIZED}:detect_leaks=1:detect_stack_use_after_return={kept}",
                               "UBSAN_OPTIONS": f"exitcode={SANITIZED}", "PATH": "/usr/bin:/usr/lib/llvm-19/bin"}
                done = subprocess.run([str(executable)], capture_output=True, text=True, timeout=60, env=environment, cwd=directory)
                if done.returncode in (FOUND, SANITIZED):
                    break
        except subprocess.TimeoutExpired as error:
            raise Invalid("the run does not end") from error
    if kind in SANITIZERS:
        need(done.returncode == SANITIZED, f"the run violates nothing (exit code {done.returncode})\n{done.stderr[-500:]}")
        if "detected memory leaks" not in done.stderr:
            place = re.search(rf"{re.escape(source.name)}:(\d+)", done.stderr)
            need(place and int(place[1]) == target[1], f"the target is line {target[1]}, but: {done.stderr[:700]}")
        return
    reached = re.search(r"^reached (\d+) after (\d+) of (\d+)$", done.stdout, re.M)
    need(done.returncode == FOUND and reached, f"the run does not come to an error (exit code {done.returncode})")
    need(int(reached[1]) == target[1], f"the target is line {target[1]}, the run comes to line {reached[1]}")
    need(reached[2] == reached[3], f"the run takes {reached[2]} of {reached[3]} waypoints")


def closing(text, start):
    """The place of the parenthesis or brace that closes the one at `start`."""
    depth, pairs = 0, {"(": ")", "{": "}"}
    for place in range(start, len(text)):
        if text[place] == text[start]:
            depth += 1
        elif text[place] == pairs[text[start]]:
            depth -= 1
            if depth == 0:
                return place
    raise Invalid("parentheses do not match")


def with_invariant(text, place, number, value):
    """`text` with a test of the invariant where the loop at `place` evaluates its condition."""
    call = f"witness_invariant({number}, !!({value}))"
    keyword = re.compile(r"(for|while|do)\b").match(text, place)
    need(keyword, f"there is no loop: {text[place:place + 30]!r}")
    if keyword[1] == "do":
        body = re.compile(r"\s*\{").match(text, keyword.end())
        need(body, "the body of a do loop is no block")
        end = closing(text, body.end() - 1)
        condition = re.compile(r"\s*while\s*\(").match(text, end + 1)
        return text[:condition.end()] + call + ", " + text[condition.end():]
    opening = re.compile(r"\s*\(").match(text, keyword.end()).end()
    if keyword[1] == "while":
        return text[:opening] + call + ", " + text[opening:]
    end = closing(text, opening - 1)
    parts = text[opening:end].split(";")
    need(len(parts) == 3, "the head of a for loop has not three parts")
    declared = re.match(r"\s*(?:unsigned\s+|signed\s+|const\s+)*(?:int|char|short|long|size_t|_Bool)\b(.*)", parts[0])
    for name in re.findall(r"[A-Za-z_]\w*", declared[1].split("=")[0]) if declared else []:
        need(not re.search(rf"\b{name}\b", value), f"{name} is declared in the loop's head and not in scope at its keyword")
    return text[:opening] + f"{parts[0]}; {call}, {parts[1].strip() or '1'};{parts[2]}" + text[end:]


def check_invariants(entry, source, lines, runs):
    """Gives the number of invariants."""
    _, word_size = check_metadata(entry["metadata"], source)
    need(isinstance(entry["content"], list), "content is no list")
    places = []
    for item in entry["content"]:
        invariant = keys(keys(item, {"invariant"}, set(), "entry of content")["invariant"], {"type", "location", "value", "format"}, set(), "invariant")
        need(invariant["type"] == "loop_invariant", f"invariant of type {invariant['type']}")
        need(invariant["format"] == "c_expression", f"invariant in format {invariant['format']}")
        line, column = check_location(invariant["location"], lines, source)
        text = lines[line - 1]
        column = column or len(text) - len(text.lstrip()) + 1
        need(re.match(r"(for|while|do)\b", text[column - 1:]), f"{line}:{column} is no loop: {text!r}")
        places.append((sum(len(x) + 1 for x in lines[:line - 1]) + column - 1, invariant["value"]))
    if not places:
        return 0
    text = "\n".join(lines) + "\n"
    for number, (place, value) in sorted(enumerate(places), key=lambda p: -p[1][0]):
        text = with_invariant(text, place, number, value)
    with tempfile.TemporaryDirectory() as directory:
        changed, checker = pathlib.Path(directory, source.name), pathlib.Path(directory, "checker.c")
        changed.write_text("void witness_invariant(int, int);\n" + text)
        checker.write_text("#include <stdio.h>\n#include <unistd.h>\nvoid witness_invariant(int number, int holds) {\n  if (holds) return;\n"
                           "  printf(\"invariant %d fails\\n\", number);\n  fflush(stdout);\n  _exit(66);\n}\n")
        objects = []
        for file, extra in ((changed, ["-Dmain=task_main", "-fsanitize=signed-integer-overflow,shift", "-fno-sanitize-recover=all"]), (checker, []), (NATIVE, [])):
            objects.append(pathlib.Path(directory, file.stem + ".o"))
            done = subprocess.run([CLANG, "-w", f"-m{word_size}", "-O1", *extra, "-c", str(file), "-o", str(objects[-1])], capture_output=True, text=True)
            need(done.returncode == 0, f"an invariant is no C: {done.stderr[-1000:]}")
        executable = compiled(objects, [f"-m{word_size}", "-fsanitize=signed-integer-overflow", "-Wl,-z,muldefs"], directory)
        has_input = CALL.search(text)
        done = subprocess.run([str(executable), *(["random", "7", str(runs)] if has_input else ["values"])], capture_output=True, text=True, timeout=300)
        failed = re.search(r"invariant (\d+) fails", done.stdout)
        need(not failed, failed and f"the invariant {places[int(failed[1])][1]!r} fails in a run")
        need(done.returncode in (0, 77), f"a run ends with exit code {done.returncode}: {done.stdout[-300:]} {done.stderr[-300:]}")
    return len(places)


def validate(witness, source, runs=500):
    """Gives the number of invariants, or of values and the target; raises Invalid."""
    entries = yaml.safe_load(witness.read_text())
    need(isinstance(entries, list) and len(entries) == 1, "a witness is a list of one entry")
    entry = keys(entries[0], {"entry_type", "metadata", "content"}, set(), "entry")
    lines = source.read_text().split("\n")
    lines = lines[:-1] if lines[-1] == "" else lines
    if entry["entry_type"] == "violation_sequence":
        check_violation(entry, source, lines)
        return len(entry["content"])
    need(entry["entry_type"] == "invariant_set", f"entry_type {entry['entry_type']}")
    return check_invariants(entry, source, lines, runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("witness", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args()
    try:
        print(f"valid: {validate(options.witness, options.source, options.runs)} waypoints or invariants")
        return 0
    except (Invalid, yaml.YAMLError) as error:
        print(f"invalid: {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
