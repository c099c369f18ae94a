#!/usr/bin/env python3
"""What clang computes at compile time although C leaves it undefined is in no program that it makes: a gap, in every
place where an expression may stand, for `plumb check` and `plumb test`.

    computed.py PLUMB            all scenarios
    computed.py PLUMB NAME…      those whose name contains one of the words

A scenario's docstring is its claim."""
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from frame import PLUMB, SECONDS, Files, check, result_object, run_scenarios, shown  # noqa: E402

# By name: the expression, one like it that is defined, and the property.
EXPRESSIONS = {
    "sum": ("2147483647 + 2", "2147483647 + 0", "overflow"),
    "difference": ("-2147483647 - 2", "-2147483646 - 1", "overflow"),
    "product": ("65536 * 65536", "65536 * 32767", "overflow"),
    "negation": ("-(-2147483647 - 1)", "-(-2147483647)", "overflow"),
    "quotient_that_does_not_fit": ("(-2147483647 - 1) / -1", "(-2147483647 - 1) / 2", "overflow"),
    "remainder_that_does_not_fit": ("(-2147483647 - 1) % -1", "-2147483647 % -1", "overflow"),
    "quotient": ("5 / 0", "5 / 1", "division"),
    "remainder": ("5 % 0", "5 % 1", "division"),
    "shift_left": ("1 << 40", "1 << 30", "shift"),
    "shift_right": ("1 >> 33", "1 >> 31", "shift"),
    "shift_by_less_than_zero": ("1 << -1", "1 << 0", "shift"),
}
# Bodies of functions with @ where the expression stands. Constant expressions of the language (sizes of types, cases,
# enumerators, initialisers of static variables) are none: they are no part of a run.
CONTEXTS = (
    "return (int)(@);", "int v = @; return v;", "int v; v = @; return v;", "return c ? @ : 0;", "int v = c ? 3 : @; return v;",
    "return c ?: @;", "return c && (@);", "return a[(@) & 3];", "return f(@);", "return f(f(@));", "return c + (@);", "return (@) ^ c;",
    "if (@) return 1; return 0;", "while (c && (@)) c = 0; return 0;", "do c = 0; while (c && (@)); return c;",
    "for (int i = 0; i < 1; i = (@) | 1) ; return 0;", "return (int)(long)(@);", "long v = 1L + (@); return v != 0;", "return (c, @);",
    "@; return c;", "(void)(@); return c;", "int v[2] = {1, @}; return v[1];", "struct {int x, y;} s = {.y = @}; return s.y;",
    "return ((int[]){@})[0];", "return ({ int t = @; t; });", "c += @; return c;", "return *(a + ((@) & 3));",
    "switch (@) { case 1: return 1; } return 0;", "return !(@);", "return (@) < c;", "int *p = &a[(@) & 3]; return *p;",
    "double d = @; return d > 0;", "return ((@));", "return _Generic(1, int: @);", "return __builtin_choose_expr(1, @, 0);",
    "return __builtin_expect(@, 1);", "return (*g)(@);", "return M(@);", "return __builtin_abs(@);", "b.x = @; return b.x;",
    "return __builtin_alloca(((@) & 3) + 1) != 0;", "return b.y[(@) & 1];", "return a[(@) & 3]++;", "int v[c + ((@) & 3) + 1]; return sizeof v > 9;",
)
HEAD = """#define M(x) ((x) | 0)
extern int __VERIFIER_nondet_int(void);
static struct {int x : 9; int y[2];} b;
static int a[4];
static int f(int x) { return x; }
static int (*g)(int) = f;
"""


def program(expression):
    """A function on a line for each context, and a main() that calls them all; the number of the first one's line."""
    bodies = [f"static int f{i}(int c) {{ {body.replace('@', expression)} }}\n" for i, body in enumerate(CONTEXTS)]
    calls = "".join(f"  f{i}(c);\n" for i in range(len(bodies)))
    return HEAD + "".join(bodies) + f"int main(void) {{\n  int c = __VERIFIER_nondet_int() & 1;\n{calls}  return 0;\n}}\n", HEAD.count("\n") + 1


def run(files, command, *arguments):
    done = subprocess.run([PLUMB, command, *map(str, arguments), "--timeout", "20", "--json", "-q"], capture_output=True, timeout=SECONDS, cwd=files.path)
    return result_object(done.stdout), done


def computed_lines(result):
    return {gap["line"] for gap in result["gaps"] if gap["kind"] == "skipped" and "what the compiler computes" in gap["text"]}


def everywhere(name):
    text, defined, asked = EXPRESSIONS[name]

    def scenario(files):
        source, first = program(text)
        files("program.c", source)
        result, done = run(files, "check", "program.c", "--property", asked, "--engine", "explore")
        check(result["verdict"] in ("unknown", "violated"), shown(done))
        lines = computed_lines(result)
        lost = [body for i, body in enumerate(CONTEXTS) if first + i not in lines]
        # What is in the code after all is a violation there.
        for body in lost:
            files("one.c", HEAD + f"int main(void) {{\n  int c = 1 | __VERIFIER_nondet_int();\n  {body.replace('@', text)}\n}}\n")
            alone, done = run(files, "check", "one.c", "--property", asked)
            check(alone["verdict"] == "violated", f"nothing is said of {body!r}\n{shown(done)}")
        source, first = program(defined)
        files("program.c", source)
        result, done = run(files, "check", "program.c", "--property", asked, "--engine", "explore")
        check(not computed_lines(result), f"{defined}\n{shown(done)}")

    scenario.__name__ = f"a_computed_{name}_is_a_gap_everywhere"
    scenario.__doc__ = f"'{text}' is a gap wherever it stands, and with operands that are defined it is none."
    return scenario


SMALL = "#include <plumb/plumb.h>\n{}int main(void) {{\n  int x = plumb_symbolic_int(\"x\");\n  if (x == 3) return {};\n  return 0;\n}}\n"


def tests_say_so_too(files):
    """`plumb test` claims no absence over such an expression, if one of its checks is about it."""
    for text, _, asked in EXPRESSIONS.values():
        files("small.c", SMALL.format("", text))
        result, done = run(files, "test", "small.c", "--checks", f"none,{asked}")
        check(result["verdict"] == "unknown" and computed_lines(result) == {4}, f"{text}\n{shown(done)}")
        check("what the compiler computes" in result["reason"], shown(done))
    result, done = run(files, "test", "small.c", "--checks", "none,leak")
    check(done.returncode == 0 and not result["gaps"], shown(done))


def pragmas_hide_nothing(files):
    """A warning that the source turns off is no less a gap."""
    off = '#pragma clang diagnostic ignored "-Weverything"\n#pragma GCC diagnostic ignored "-Wdivision-by-zero"\n'
    for text, _, asked in EXPRESSIONS.values():
        files("small.c", SMALL.format(off, text))
        result, done = run(files, "check", "small.c", "--property", asked, "--engine", "bmc")
        check(result["verdict"] == "unknown" and computed_lines(result) == {6}, f"{text}\n{shown(done)}")


def carried_code_says_so_too(files):
    """A program that plumb cc made has the same gaps; without its source nothing is known of them."""
    files("small.c", "int main(int count, char **words) {\n  return count == 3 && words ? 2147483647 + 2 : 0;\n}\n")
    subprocess.run([PLUMB, "cc", "-w", "-o", "small", "small.c"], check=True, capture_output=True, timeout=SECONDS, cwd=files.path)
    for command, arguments in (("check", ("--property", "overflow")), ("test", ("--checks", "overflow"))):
        result, done = run(files, command, "small", *arguments)
        check(result["verdict"] == "unknown" and computed_lines(result) == {2}, shown(done))
    (files.path / "small.c").unlink()
    for command, arguments in (("check", ("--property", "overflow")), ("test", ("--checks", "overflow"))):
        result, done = run(files, command, "small", *arguments)
        check(result["verdict"] == "unknown" and "cannot be compiled again" in str(result["gaps"]), shown(done))


SCENARIOS = [*map(everywhere, EXPRESSIONS), tests_say_so_too, pragmas_hide_nothing, carried_code_says_so_too]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Files))
