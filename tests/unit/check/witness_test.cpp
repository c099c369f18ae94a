#include "check/witness.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "check/yaml.h"
#include "result/export/sha256.h"

namespace plumb::check {
namespace {

WitnessTask task_of(const std::string& file) {
  return {{file}, {result::sha256("x")}, "CHECK( init(main()), LTL(G ! call(reach_error())) )", "LP64", "1.2"};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(ViolationWitness, HasAReturnForEachInputAtItsClosingParenthesisAndTheTargetLast) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  write_file(file,
             "int main(void) {\n"
             "  int x = __VERIFIER_nondet_int();\n"
             "  unsigned y = f(__VERIFIER_nondet_uint (\n"
             "  ) );\n"
             "  READ(x);\n"
             "  plumb_symbolic(&x, 4, \"x\");\n"
             "  if (x) reach_error();\n"
             "}\n");
  Counterexample found;
  found.test.inputs = {{"int", {0xfd, 0xff, 0xff, 0xff}},
                       {"unsigned int", {0xfd, 0xff, 0xff, 0xff}},
                       {"int", {7, 0, 0, 0}},
                       {"x", {1, 0, 0, 0}}};
  found.input_places = {{file, 2, 11}, {file, 3, 18}, {file, 5, 3}, {file, 6, 3}};
  found.failure = {file, 7, 10};
  found.function = "main";
  const std::string text = violation_witness(task_of(file), found, "2026-01-02T03:04:05Z", 1);
  const YamlNode root = parse_yaml(text, "witness.yml");
  ASSERT_EQ(root.items.size(), 1U);
  EXPECT_EQ(root.items.front().find("content")->items.size(), 4U) << text;
  EXPECT_TRUE(has(text,
                  "value: \"\\\\result == -3\"\n          format: \"acsl_expression\"\n        location:\n          "
                  "file_name: \"" +
                      file + "\"\n          line: 2\n          column: 33\n"))
      << text;
  EXPECT_TRUE(has(text, "value: \"\\\\result == 4294967293\"")) << text;
  EXPECT_TRUE(has(text, "line: 4\n          column: 3\n")) << text;
  EXPECT_TRUE(has(text, "value: \"\\\\result == 7\"")) << text;
  EXPECT_FALSE(has(text, "result == 1")) << text;
  EXPECT_TRUE(
      text.ends_with("type: \"target\"\n        action: \"follow\"\n        location:\n          file_name: \"" + file +
                     "\"\n          line: 7\n          column: 10\n          function: \"main\"\n"))
      << text;
}

TEST(ViolationWitness, SaysValuesThatNothingSetBehindTheirDeclarations) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.c").string();
  write_file(file,
             "int main(void) {\n"
             "  unsigned char x;\n"
             "  int a[2], y = __VERIFIER_nondet_int();\n"
             "  long z;\n"
             "\n"
             "  if (x == 200 && a[1] == 3 && z == -1 && y == 1) reach_error();\n"
             "}\n");
  Counterexample found;
  found.test.inputs = {{"int", {1, 0, 0, 0}}};
  found.input_places = {{file, 3, 17}};
  found.test.unset = {{"main.x:2", 0, 0, {200}},
                      {"main.a:3", 0, 4, {3, 0, 0, 0}},
                      {"main.z:4", 0, 0, std::vector<std::uint8_t>(8, 0xff)}};
  found.unset_places = {{{file, 2, 17}, 0}, {{file, 3, 7}, 0}, {{file, 4, 8}, 1}};
  found.failure = {file, 6, 51};
  found.function = "main";
  const std::string text = violation_witness(task_of(file), found, "2026-01-02T03:04:05Z", 1);
  const YamlNode root = parse_yaml(text, "witness.yml");
  EXPECT_EQ(root.items.front().find("content")->items.size(), 4U) << text;
  const auto at = [&](std::string_view part) { return text.find(part); };
  EXPECT_TRUE(has(text, "value: \"x == 200\"")) << text;
  EXPECT_TRUE(has(text, "line: 3\n          column: 3\n")) << text;
  EXPECT_TRUE(has(text, "line: 6\n          column: 3\n")) << text;
  EXPECT_LT(at("x == 200"), at("result == 1"));
  EXPECT_LT(at("result == 1"), at("z == -1"));
  EXPECT_FALSE(has(text, "== 3")) << text;
}

TEST(ViolationWitness, OfAPreprocessedFileHasItsOwnLines) {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "a.i").string();
  write_file(file,
             "# 1 \"src/a.c\"\n"
             "# 1 \"/usr/include/b.h\" 1\n"
             "int __VERIFIER_nondet_int(void);\n"
             "# 2 \"src/a.c\" 2\n"
             "int main(void) {\n"
             "  int x = __VERIFIER_nondet_int();\n"
             "# 9 \"src/a.c\"\n"
             "  reach_error();\n"
             "}\n");
  Counterexample found;
  found.test.inputs = {{"int", {1, 0, 0, 0}}};
  found.input_places = {{"src/a.c", 3, 11}};
  found.failure = {"src/a.c", 9, 3};
  const std::string text = violation_witness(task_of(file), found, "t", 1);
  EXPECT_TRUE(has(text, "file_name: \"" + file + "\"\n          line: 6\n          column: 33\n")) << text;
  EXPECT_TRUE(has(text, "file_name: \"" + file + "\"\n          line: 8\n          column: 3\n")) << text;
}

TEST(ViolationWitness, OfLargestAndSmallestNumbersHasConstantsOfC) {
  Counterexample found;
  const std::vector<std::uint8_t> ones(8, 0xff);
  found.test.inputs = {{"unsigned long", ones}, {"long", {0, 0, 0, 0, 0, 0, 0, 0x80}}, {"_Bool", {1}}};
  found.input_places = {{"b.c", 1, 1}, {"b.c", 2, 1}, {"b.c", 3, 1}};
  found.failure = {"b.c", 4, 1};
  const std::string text = violation_witness(task_of("b.c"), found, "t", 1);
  EXPECT_TRUE(has(text, "result == 18446744073709551615ULL"));
  EXPECT_TRUE(has(text, "result == -9223372036854775807 - 1"));
  EXPECT_TRUE(has(text, "result == 1\""));
}

TEST(Witness, HasTheMetadataThatTheFormatWants) {
  const std::string text =
      correctness_witness(task_of("dir \"x\"/b.c"), {{{"b.c", 3, 5}, "f", "i <= \"n\""}}, "2026-01-02T03:04:05Z", 7);
  for (const std::string_view part :
       {"- entry_type: \"invariant_set\"\n", "format_version: \"2.0\"\n", "creation_time: \"2026-01-02T03:04:05Z\"\n",
        "name: \"Plumbline\"\n", "version: \"1.2\"\n", "- \"dir \\\"x\\\"/b.c\"\n", "data_model: \"LP64\"\n",
        "language: \"C\"\n", "type: \"loop_invariant\"\n", "value: \"i <= \\\"n\\\"\"\n", "format: \"c_expression\"\n",
        "line: 3\n", "column: 5\n", "function: \"f\"\n"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_TRUE(has(correctness_witness(task_of("b.c"), {}, "t", 7), "content: []\n"));
  EXPECT_NE(correctness_witness(task_of("b.c"), {}, "t", 7), correctness_witness(task_of("b.c"), {}, "t", 8));
  EXPECT_EQ(correctness_witness(task_of("b.c"), {}, "t", 7), correctness_witness(task_of("b.c"), {}, "t", 7));
}

}  // namespace
}  // namespace plumb::check
