#include "check/task.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/file.h"

namespace plumb::check {
namespace {

using program::Check;
using program::GoalKind;

/// A directory with a program, two property files and whatever a test adds.
class TaskFiles : public testing::Test {
 protected:
  TaskFiles() {
    put("a.c", "int main(void) { return 0; }\n");
    put("reach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n");
    put("memory.prp",
        "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n"
        "CHECK( init(main()), LTL(G valid-memtrack) )\n");
  }

  std::filesystem::path put(const std::string& name, const std::string& text) const {
    std::ofstream(directory_.path() / name) << text;
    return directory_.path() / name;
  }

  Task task(const std::string& text) const { return read_task(put("task.yml", text)); }

  /// `line:column: message; hint`.
  template <typename Read>
  static std::string complaint(const Read& read) {
    try {
      read();
    } catch (const UserError& error) {
      return std::to_string(error.location().line) + ":" + std::to_string(error.location().column) + ": " +
             error.message();
    }
    return "none";
  }
  std::string task_complaint(const std::string& text) const {
    return complaint([&] { task(text); });
  }
  std::string property_complaint(const std::string& text) const {
    return complaint([&] { read_property_file(put("p.prp", text)); });
  }

  TemporaryDirectory directory_;
};

TEST_F(TaskFiles, ATaskOfTheCompetitionIsRead) {
  const Task read = task(
      "format_version: '2.0'\n\ninput_files: 'a.c'\n\nproperties:\n  - property_file: reach.prp\n"
      "    expected_verdict: true\n  - property_file: ./memory.prp\n    expected_verdict: false\n"
      "    subproperty: valid-deref\noptions:\n  language: C\n  data_model: ILP32\n");
  ASSERT_EQ(read.inputs.size(), 1U);
  EXPECT_EQ(read.inputs[0], directory_.path() / "a.c");
  EXPECT_EQ(read.word_size, 32U);
  ASSERT_EQ(read.properties.size(), 2U);
  EXPECT_EQ(read.properties[0].expected, true);
  EXPECT_EQ(read.properties[0].location.line, 6U);
  EXPECT_EQ(read.properties[1].expected, false);
  EXPECT_EQ(read.properties[1].subproperty, "valid-deref");
  EXPECT_EQ(read.properties[1].file, directory_.path() / "memory.prp");
}

TEST_F(TaskFiles, InputsMayBeAListAndPropertiesWithoutVerdict) {
  put("b.c", "");
  const Task read = task("format_version: '1.0'\ninput_files: [a.c, b.c]\nproperties:\n- {property_file: reach.prp}\n");
  EXPECT_EQ(read.inputs.size(), 2U);
  EXPECT_FALSE(read.properties.at(0).expected.has_value());
  EXPECT_FALSE(read.word_size.has_value());
}

TEST_F(TaskFiles, MistakesOfATaskHaveTheirPlace) {
  const std::string head = "format_version: '2.0'\n";
  EXPECT_EQ(task_complaint(""), "1:1: this is no task definition");
  EXPECT_EQ(task_complaint("input_files: a.c\n"), "1:1: the key 'format_version' is missing");
  EXPECT_EQ(task_complaint("format_version: '3.0'\n"), "1:17: format_version '3.0' is not known");
  EXPECT_EQ(task_complaint(head + "input_files:\n  - a.c\n  - gone.c\n"),
            "4:5: there is no file '" + (directory_.path() / "gone.c").string() + "'");
  EXPECT_EQ(task_complaint(head + "input_files: a.c\nproperties:\n  - property_file: no.prp\n"),
            "4:20: there is no file '" + (directory_.path() / "no.prp").string() + "'");
  EXPECT_EQ(
      task_complaint(head + "input_files: a.c\nproperties:\n  - property_file: reach.prp\n    expected_verdict: yes\n"),
      "5:23: 'yes' is not a verdict");
  EXPECT_EQ(task_complaint(head + "input_files: a.c\nproperties: reach.prp\n"), "3:13: a list is expected here");
  EXPECT_EQ(task_complaint(head + "input_files: a.c\noptions:\n  data_model: LLP64\n"), "4:15: the data model 'LLP64'");
  EXPECT_EQ(task_complaint(head + "input_files: a.c\noptions:\n  language: Java\n"),
            "4:13: a task in the language 'Java'");
  EXPECT_EQ(task_complaint(head + "input_files: []\n"), "2:14: the list is empty");
}

TEST_F(TaskFiles, AnErrorCallIsNeitherAnAssertionNorALabel) {
  const std::vector<Specification> read = read_property_file(directory_.path() / "reach.prp");
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].kind, Specification::Kind::Assertions);
  EXPECT_TRUE(read[0].has_errors);
  EXPECT_FALSE(read[0].has_assertions || read[0].has_labels);
  EXPECT_EQ(read[0].text, "CHECK( init(main()), LTL(G ! call(reach_error())) )");
}

TEST_F(TaskFiles, PartsOfMemorySafetyAreOneProperty) {
  const std::vector<Specification> all = read_property_file(directory_.path() / "memory.prp");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].checks, parse_specification("memsafety").at(0).checks);
  EXPECT_TRUE(all[0].checks.has(Check::Leak) && all[0].checks.has(Check::Free) && all[0].checks.has(Check::Bounds));
  const std::vector<Specification> part = read_property_file(put("p.prp", "CHECK(init(main()),LTL(G valid-deref))\n"));
  EXPECT_FALSE(part.at(0).checks.has(Check::Leak) || part.at(0).checks.has(Check::Free));
}

TEST_F(TaskFiles, PropertiesThatAreNotSupportedAreNamedWithTheirPlace) {
  EXPECT_EQ(property_complaint("\n  CHECK( init(main()), LTL(F end) )\n"),
            "2:3: the property 'CHECK( init(main()), LTL(F end) )' is not supported");
  EXPECT_EQ(property_complaint("CHECK( init(main()), LTL(G valid-memcleanup) )"),
            "1:1: the property 'CHECK( init(main()), LTL(G valid-memcleanup) )' is not supported");
  EXPECT_EQ(property_complaint("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"),
            "1:1: 'COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )' is no property that is supported");
  EXPECT_EQ(property_complaint("CHECK( init(start()), LTL(G ! overflow) )"),
            "1:1: a property of runs that begin elsewhere than in main");
  EXPECT_EQ(property_complaint("\n"), "0:0: the file has no property");
}

TEST_F(TaskFiles, WordsOfThePropertyOptionAreChecked) {
  EXPECT_EQ(parse_specification("termination-bound=1000").at(0).bound, 1000U);
  EXPECT_EQ(complaint([] { parse_specification("termination-bound=many"); }),
            "0:0: 'many' is not a number of iterations");
  EXPECT_EQ(complaint([] { parse_specification("termination-bound="); }), "0:0: '' is not a number of iterations");
  EXPECT_EQ(complaint([] { parse_specification("memsafty"); }), "0:0: there is no property 'memsafty' of a program");
  EXPECT_NE(complaint([this] { parse_specification((directory_.path() / "none.prp").string()); }), "none");
  EXPECT_EQ(complaint([] { parse_specification("alignment"); }), "0:0: 'alignment' is no property that can be proved");
}

TEST(Properties, AreCalledAsTheChecksAre) {
  for (int i = 0; i < program::kCheckCount; ++i) {
    const auto check = static_cast<Check>(i);
    if (check == Check::Alignment || check == Check::Uninitialised) continue;
    const std::vector<Specification> all = parse_specification(std::string(program::name(check)));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(name(all[0]), program::name(check));
    EXPECT_EQ(program::to_string(all[0].checks), program::name(check));
    EXPECT_NE(property_words().find(program::name(check)), std::string::npos);
  }
  EXPECT_EQ(parse_specification("undefined").at(0).checks, program::CheckSet::undefined());
  EXPECT_EQ(name(parse_specification("undefined").at(0)), "undefined");
}

TEST_F(TaskFiles, AnAccessViolatesThePropertyOfItsFaultAlone) {
  frontend::LoadOptions load;
  load.files = {put("access.c", "int *volatile p; int main(void) { return *p; }\n")};
  const program::Program program = frontend::load_program(load, {});
  using program::FaultKind;
  const auto goal = [&](const char* word) { return find_goals(program, parse_specification(word).at(0)).at(0); };
  EXPECT_TRUE(is_violation(goal("null"), FaultKind::NullDereference));
  EXPECT_FALSE(is_violation(goal("null"), FaultKind::UseAfterFree));
  EXPECT_TRUE(may_violate(goal("null"), FaultKind::UseAfterFree));
  EXPECT_TRUE(is_violation(goal("use-after-free"), FaultKind::UseAfterFree));
  EXPECT_TRUE(is_violation(goal("memsafety"), FaultKind::UseAfterFree));
}

TEST_F(TaskFiles, GoalsAreThoseOfTheSpecificationAlone) {
  frontend::LoadOptions load;
  load.files = {put("goals.c",
                    "#include <assert.h>\nextern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n"
                    "int main(void) {\n  int a[3], x = __VERIFIER_nondet_int();\n  a[x] = x + 1;\n  assert(x);\n"
                    "  if (x > 9) reach_error();\n  if (x > 8) goto ERROR;\n  return a[0];\nERROR:\n  return 1;\n}\n")
                    .string()};
  const auto kinds = [&](const Specification& specification) {
    frontend::LoadOptions own = load;
    own.error_labels = {"ERROR"};
    prepare(own, specification);
    std::string text;
    const program::Program program = frontend::load_program(own, Budget());
    for (const program::Goal& goal : find_goals(program, specification)) text += std::string(name(goal.kind)) + " ";
    return text;
  };
  EXPECT_EQ(kinds(assertions()), "assertion error error ");
  EXPECT_EQ(kinds(read_property_file(directory_.path() / "reach.prp").at(0)), "error ");
  EXPECT_EQ(kinds(parse_specification("overflow").at(0)), "overflow ");
  EXPECT_NE(kinds(parse_specification("memsafety").at(0)).find("index"), std::string::npos);
}

}  // namespace
}  // namespace plumb::check
