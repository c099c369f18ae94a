#!/usr/bin/env python3
"""Reports of defects, as a user and other tools read them: text, JSON, SARIF, JUnit; suppressions; --checks.

    run.py PLUMB                        all scenarios
    run.py PLUMB NAME…                  those whose name contains one of the words
    run.py PLUMB --official DIRECTORY   SARIF is held against the official schema too, which DIRECTORY keeps
"""
import json
import pathlib
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

import jsonschema

OFFICIAL = None
if "--official" in sys.argv:
    at = sys.argv.index("--official")
    OFFICIAL = sys.argv[at + 1]
    del sys.argv[at:at + 2]
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from frame import PLUMB, SECONDS, Files, check, expect, result_object, run_scenarios, shown  # noqa: E402
import official  # noqa: E402
import sarif_subset  # noqa: E402

# A double free in a function that main calls, if an input says so.
LIST = """#include <plumb/plumb.h>
#include <stdlib.h>
static int *make(void) {
  return malloc(20);
}
static void clear(int *list, int twice) {
  free(list);
  if (twice == 77)
    free(list);
}
int main(void) {
  int twice = plumb_symbolic_int("twice");
  int *list = make();
  clear(list, twice);
  return 0;
}
"""

# On one input two defects: an index, and after it a leak.
TWO = """#include <plumb/plumb.h>
#include <stdlib.h>
static int table[5];
int main(void) {
  int i = plumb_symbolic_int("i");
  if (i < 0 || i > 5) return 0;
  table[i] = 1;
  char *lost = malloc(8);
  lost[0] = 'x';
  if (i != 5) free(lost);
  return 0;
}
"""

CLEAN = """#include <plumb/plumb.h>
static int table[5];
int main(void) {
  unsigned i = plumb_symbolic_uint("i");
  if (i < 5) table[i] = 1;
  return table[0];
}
"""

OVERFLOW = """#include <plumb/plumb.h>
int main(void) {
  int x = plumb_symbolic_int("x");
  if (x < 0) return 0;
  return x + 1 < 0;
}
"""


def plumb(*arguments, **keywords):
    return subprocess.run([PLUMB, *map(str, arguments)], capture_output=True, timeout=SECONDS, start_new_session=True, **keywords)


class Work(Files):
    def test(self, source, *arguments, codes=(0, 10)):
        """The object; the results go to `out`."""
        result = plumb("test", source, "--json", "--out", "out", *arguments, cwd=self.path)
        check(result.returncode in codes, f"expected exit code {codes}\n{shown(result)}")
        return result_object(result.stdout)

    def sarif(self, name="out.sarif"):
        """The only run of a report that is valid."""
        log = json.loads((self.path / name).read_text())
        problems = [f"{'/'.join(map(str, p.absolute_path))}: {p.message[:200]}"
                    for p in jsonschema.Draft7Validator(sarif_subset.SCHEMA).iter_errors(log)]
        check(not problems, "\n".join(problems[:10]))
        sarif_subset.check_references(log)
        if OFFICIAL:
            found = official.problems(pathlib.Path(OFFICIAL), log)
            check(not found, "\n".join(found[:10]))
        return log["runs"][0]

    def junit(self, name="out.xml"):
        tree = ElementTree.parse(self.path / name).getroot()
        suite = tree.find("testsuite")
        cases = suite.findall("testcase")
        for attribute, count in (("tests", len(cases)), ("failures", len(suite.findall("testcase/failure"))),
                                 ("skipped", len(suite.findall("testcase/skipped"))), ("errors", 0)):
            check(int(suite.get(attribute)) == count, f"{attribute} should be {count}: {suite.attrib}")
        return cases


def kinds(defects):
    return sorted((d["kind"], d["line"]) for d in defects)


# --- Scenarios. The docstring is the claim. ---

def text_has_kind_place_stacks_object_input_and_command(files):
    """The text of a defect has its kind and place first, then stacks with lines of the source, the object with where it was allocated and freed, and the input."""
    files("list.c", LIST)
    result = expect(plumb("test", "list.c", cwd=files.path), 10,
                    "defect: double-free at list.c:9:5 in clear: second free of a heap object of 20 bytes\n",
                    "clear list.c:9:5\n         free(list);\n", "main list.c:14:3\n         clear(list, twice);\n",
                    "  20-byte heap object allocated here:\n", "make list.c:4:10\n         return malloc(20);\n",
                    "  freed here:\n", "clear list.c:7:3\n         free(list);\n", "    twice = 77\n", "  to see it again: plumb ")
    lines = result.stdout.decode().splitlines()
    check(any(line.split() == ["branch", "coverage", "100", "%"] for line in lines), shown(result))
    check(any(line.split() == ["double-free", "list.c:9"] for line in lines), shown(result))
    check(lines[-1].startswith("1 defect found"), shown(result))


def the_command_shows_it_again(files):
    """The command that the report ends with shows the same defect, for an input that the interpreter runs and for one with arguments."""
    files("list.c", LIST)
    files("words.c", """#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "ab") != 0) return 0;
  char *copy = malloc(2);
  if (copy) strcpy(copy, argv[1]);
  free(copy);
  return 0;
}
""")
    for source, arguments, kind, line in (("list.c", [], "double-free", 9), ("words.c", ["--sym-args", 0, 1, 2], "pointer-out-of-bounds", 6)):
        found = files.test(source, *arguments, codes=(10,))
        check(kinds(found["defects"]) == [(kind, line)], f"{found['defects']}")
        words = shlex.split(found["defects"][0]["replay"])
        check(words[0] == "plumb", f"{words}")
        again = plumb(*words[1:], "--json", cwd=files.path)
        expect(again, 10)
        check((kind, line) in kinds(result_object(again.stdout)["defects"]), shown(again))


def object_has_all_of_the_defect(files):
    """In JSON a defect has access, object, stacks, input and how it was confirmed; the file of the input has the same."""
    files("two.c", TWO)
    found = files.test("two.c")
    check(kinds(found["defects"]) == [("array-out-of-bounds", 7), ("leak", 8)], f"{found['defects']}")
    index, leak = sorted(found["defects"], key=lambda d: d["line"])
    check(index["failing_inputs"][0]["value"] == 5 and index["file"] == "two.c" and index["function"] == "main", f"{index}")
    check(index["stack"][0]["line"] == 7 and index["confirmed_by"], f"{index}")
    check(leak["object"]["kind"] == "heap" and leak["object"]["size"] == 8 and leak["object"]["allocated"]["line"] == 8, f"{leak}")
    check(leak["stack"] == [], f"{leak}")
    saved = json.loads((files.path / index["test"]).read_text())
    check(saved["inputs"] == index["failing_inputs"] and saved["defect"]["line"] == 7, f"{saved}")
    check(found["checks"] == ["bounds", "null", "use-after-free", "use-after-return", "free", "leak", "division", "call"], f"{found['checks']}")
    check(any("overflow" in text for text in found["assumptions"]), "what is not looked for should be said")


def sarif_is_valid_and_complete(files):
    """SARIF is valid, names the rule, the place, the stacks and the way from allocation to the second free, and carries the input."""
    files("list.c", LIST)
    files.test("list.c", "--sarif", "out.sarif")
    run = files.sarif()
    (result,) = run["results"]
    check(result["ruleId"] == "double-free" and result["suppressions"] == [], f"{result}")
    place = result["locations"][0]
    check(place["physicalLocation"]["artifactLocation"]["uri"] == "list.c", f"{place}")
    check(place["physicalLocation"]["region"] == {"startLine": 9, "startColumn": 5, "snippet": {"text": "free(list);"}}, f"{place}")
    check(place["logicalLocations"][0]["name"] == "clear", f"{place}")
    steps = [step["location"]["physicalLocation"]["region"]["startLine"] for step in result["codeFlows"][0]["threadFlows"][0]["locations"]]
    check(steps == [4, 7, 14, 9], f"allocated, freed, called, freed again: {steps}")
    check(len(result["stacks"]) == 3, f"{result['stacks']}")
    attached = result["attachments"][0]["artifactLocation"]["uri"]
    check((files.path / attached).is_file(), f"{attached} should be the input's file")
    invocation = run["invocations"][0]
    check(invocation["exitCode"] == 10 and invocation["arguments"][0] == "test", f"{invocation}")


def sarif_of_odd_names_and_no_defects(files):
    """Names with spaces and letters of other languages are URIs; a run without defects has a list of no results, not none."""
    files("straße 1.c", LIST.replace("    free(list);", "    /* größe */ free(list);"))
    files.test("straße 1.c", "--sarif", "out.sarif", "--junit", "out.xml")
    region = files.sarif()["results"][0]["locations"][0]["physicalLocation"]
    check(region["artifactLocation"]["uri"] == "stra%C3%9Fe%201.c", f"{region}")
    check(region["region"]["startColumn"] == 17, f"columns should count characters: {region}")
    files.junit()
    files("clean.c", CLEAN)
    files.test("clean.c", "--sarif", "out.sarif", "--junit", "out.xml", codes=(0,))
    check(files.sarif()["results"] == [], "no results")
    check(len(files.junit()) == 1, "the search is the one test case")


def fingerprints_stay_when_lines_move(files):
    """The same defect has the same fingerprint after lines were added above it, and another one has another."""
    def prints():
        files.test("two.c", "--sarif", "out.sarif")
        return {r["ruleId"]: r["partialFingerprints"] for r in files.sarif()["results"]}
    files("two.c", TWO)
    before = prints()
    files("two.c", "/* A new\n * comment.\n */\n" + TWO.replace("  table[i]", "\ttable[i]"))
    check(prints() == before and len(before) == 2, "fingerprints should not depend on the number of the line")
    files("two.c", TWO.replace("table[i] = 1", "table[i] = 2"))
    after = prints()
    check(after["leak"] == before["leak"] and after["array-out-of-bounds"] != before["array-out-of-bounds"], f"{before} {after}")


def junit_has_a_failure_a_defect(files):
    """JUnit's XML has the search as a passed case and each defect as a failed one, with its report."""
    files("two.c", TWO)
    files.test("two.c", "--junit", "out.xml")
    search, *defects = files.junit()
    check(search.find("failure") is None and search.find("skipped") is None, "the search gave an answer")
    check([case.find("failure").get("type") for case in defects] == ["array-out-of-bounds", "leak"], f"{[c.attrib for c in defects]}")
    check("#0 main two.c:7:" in defects[0].find("failure").text, defects[0].find("failure").text)


def a_suppression_hides_one_defect_and_no_other(files):
    """What a file or a comment suppresses is counted and reported as suppressed; another defect of the same input stays, and decides the exit code."""
    files("two.c", TWO)
    files("known.txt", "# kept for now\nleak:two.c:8   # the list\n")
    found = files.test("two.c", "--suppress", "known.txt", "--sarif", "out.sarif", "--junit", "out.xml", codes=(10,))
    check(kinds(found["defects"]) == [("array-out-of-bounds", 7)] and kinds(found["suppressed"]) == [("leak", 8)], f"{found['defects']}")
    check(found["suppressed"][0]["suppressed"] == {"in_source": False, "text": "leak:two.c:8", "file": "known.txt", "line": 2}, f"{found['suppressed']}")
    check("1 suppressed" in found["reason"], found["reason"])
    suppressed = {r["ruleId"]: [s["kind"] for s in r["suppressions"]] for r in files.sarif()["results"]}
    check(suppressed == {"array-out-of-bounds": [], "leak": ["external"]}, f"{suppressed}")
    check(sum(case.find("skipped") is not None for case in files.junit()) == 1, "the suppressed one is skipped")
    files("two.c", TWO.replace("malloc(8);", "malloc(8); /* plumb: ignore(leak) */"))
    found = files.test("two.c", codes=(10,))
    check(kinds(found["defects"]) == [("array-out-of-bounds", 7)] and found["suppressed"][0]["suppressed"]["in_source"], f"{found}")


def what_is_suppressed_is_no_defect(files):
    """If all is suppressed the exit code is 0 and the summary counts it; a pattern without use is a note."""
    files("two.c", TWO.replace("= 1;", "= 1; // plumb: ignore(array-out-of-bounds, leak)"))
    files("known.txt", "leak:main\ndouble-free:elsewhere.c\n")
    expect(plumb("test", "two.c", "--suppress", "known.txt", cwd=files.path), 0, "no defect found beside 2 suppressed",
           "suppressed", "leak at two.c:8", "(known.txt:1)", "(comment)", "known.txt:2: the suppression 'double-free:elsewhere.c' matched no defect")
    files("two.c", TWO.replace("= 1;", "= 1; // plumb: ignore(leak)"))
    found = files.test("two.c", codes=(10,))
    check(kinds(found["defects"]) == [("array-out-of-bounds", 7), ("leak", 8)], "a comment is about its line and its kinds")


def until_error_goes_on_after_what_is_suppressed(files):
    """With --until error a suppressed defect does not end the search: the one behind it is found."""
    files("behind.c", """#include <plumb/plumb.h>
static int table[5];
int main(void) {
  unsigned i = plumb_symbolic_uint("i"), j = plumb_symbolic_uint("j");
  if (i > 5) return 0;
  table[i] = 1; /* plumb: ignore(all) */
  if (j == 123456) table[j] = 2;
  return 0;
}
""")
    found = files.test("behind.c", "--until", "error", codes=(10,))
    check(kinds(found["defects"]) == [("array-out-of-bounds", 7)], f"{found['defects']}")


def checks_are_chosen(files):
    """--checks says what is looked for: all, none, some, all but one, in plumb test and plumb run."""
    files("two.c", TWO)
    check(kinds(files.test("two.c", "--checks=-leak")["defects"]) == [("array-out-of-bounds", 7)], "without leaks")
    check(kinds(files.test("two.c", "--checks", "leak")["defects"]) == [("leak", 8)], "leaks alone")
    check(files.test("two.c", "--checks", "none", codes=(20,))["defects"] == [], "nothing")
    files("overflow.c", OVERFLOW)
    check(files.test("overflow.c", codes=(0,))["defects"] == [], "not by default")
    found = files.test("overflow.c", "--checks", "default,overflow", codes=(10,))
    check(kinds(found["defects"]) == [("signed-overflow", 5)], f"{found['defects']}")
    test = files.path / found["defects"][0]["test"]
    expect(plumb("run", "overflow.c", "--input", test, cwd=files.path), 0)
    expect(plumb("run", "overflow.c", "--input", test, "--checks", "overflow", cwd=files.path), 10, err="signed-overflow at overflow.c:5:")


def a_campaign_keeps_its_checks(files):
    """--resume goes on with the checks that the campaign was begun with, and refuses others with a remedy."""
    files("overflow.c", OVERFLOW)
    files.test("overflow.c", "--checks", "default,overflow", codes=(10,))
    again = plumb("test", "--resume", "--out", "out", "--json", cwd=files.path)
    expect(again, 10)
    check(kinds(result_object(again.stdout)["defects"]) == [("signed-overflow", 5)], shown(again))
    expect(plumb("test", "--resume", "--out", "out", "--checks", "default", cwd=files.path), 2,
           err=("this campaign was begun with --checks ", "overflow", "--input"))


def replay_looks_for_defects_in_given_tests(files):
    """plumb replay --checks runs tests in a build with checks: it reports the same defects, and none on inputs that have none."""
    files("two.c", TWO)
    files.test("two.c")
    result = plumb("replay", "out", "--checks", "default", "--json", "--sarif", "out.sarif", cwd=files.path)
    expect(result, 10)
    check(kinds(result_object(result.stdout)["defects"]) == [("array-out-of-bounds", 7), ("leak", 8)], shown(result))
    check(len(files.sarif()["results"]) == 2, "in SARIF too")
    files("good/a.json", '{"plumb": "1.0", "inputs": [{"name": "i", "bytes": "04000000"}]}')
    expect(plumb("replay", "good", "two.c", "--checks", "default", cwd=files.path), 0, "no defect in 1 test")
    files("bad.json", '{"plumb": "1.0", "inputs": [{"name": "i", "bytes": "05000000"}]}')
    expect(plumb("replay", "bad.json", "two.c", "--checks", "bounds", cwd=files.path), 10, "array-out-of-bounds  two.c:7", "1 defect in 1 test")
    expect(plumb("replay", "out", "--sarif", "x.sarif", cwd=files.path), 2, err="--checks")


def bad_options_are_told_before_any_work(files):
    """An unknown check, a bad or unreadable file of suppressions and a report that cannot be written end with exit code 2, a message and a remedy, before anything is tested."""
    files("clean.c", CLEAN)
    files("bad.txt", "leak:a.c\nleek:b.c\n")
    files("taken/x", "")
    for arguments, parts in ((["--checks", "bounds,nul"], ["nul", "null"]),
                             (["--checks", "everything"], ["everything", "bounds"]),
                             (["--suppress", "bad.txt"], ["bad.txt:2", "'leek' is no kind of defect", "leak"]),
                             (["--suppress", "missing.txt"], ["missing.txt"]),
                             (["--suppress", "taken"], ["taken"]),
                             (["--sarif", "taken"], ["taken", "is a directory", "--sarif"]),
                             (["--junit", "clean.c/x.xml"], ["clean.c/x.xml", "cannot be written", "--junit"])):
        result = expect(plumb("test", "clean.c", *arguments, cwd=files.path), 2, err=parts)
        check(not (files.path / "plumb-out" / "tests").exists(), f"nothing should have been tested\n{shown(result)}")


SCENARIOS = [text_has_kind_place_stacks_object_input_and_command, the_command_shows_it_again, object_has_all_of_the_defect,
             sarif_is_valid_and_complete, sarif_of_odd_names_and_no_defects, fingerprints_stay_when_lines_move,
             junit_has_a_failure_a_defect, a_suppression_hides_one_defect_and_no_other, what_is_suppressed_is_no_defect,
             until_error_goes_on_after_what_is_suppressed, checks_are_chosen, a_campaign_keeps_its_checks,
             replay_looks_for_defects_in_given_tests, bad_options_are_told_before_any_work]

if __name__ == "__main__":
    sys.exit(run_scenarios(SCENARIOS, Work))
