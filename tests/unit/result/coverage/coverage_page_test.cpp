#include "result/coverage/coverage_page.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/subprocess.h"

namespace plumb::result {
namespace {

CoveragePage sample() {
  CoveragePage page;
  page.program = "a<b>.c";
  page.base = "/p";
  page.coverage.files = {{"/p/a<b>.c", {{5, 7}, {1, 2}, {}, {1, 1}, {3, 4}}}};
  page.uncovered = {{"/p/a<b>.c", {3, 7}, true, "f", "case '<'", {UncoveredReason::Refuted}}};
  page.tests = {{7, "-n \"\x01\xff\"", "exit code 1", "exit code 0", false, true}};
  page.notes = {"a & b"};
  page.sources = "sources";
  return page;
}

TEST(CoveragePage, IsWellFormedWhateverNamesAndInputsContain) {
  const ProcessResult result = run_process({"xmllint", "--noout", "-"}, to_html(sample()), {});
  EXPECT_EQ(result.code, 0) << result.error;
}

TEST(CoveragePage, LeadsToTheLinesThatDidNotRun) {
  const std::string html = to_html(sample());
  EXPECT_NE(html.find("href=\"sources/coverage/p/a%3Cb%3E.c.html#L3\""), std::string::npos);
  EXPECT_NE(html.find("refuted on the paths of the runs"), std::string::npos);
  EXPECT_NE(html.find("(recorded: exit code 0)"), std::string::npos);
  EXPECT_NE(html.find(kPageMark), std::string::npos);
}

TEST(CoveragePage, PercentagesAreNotRoundedUp) {
  EXPECT_EQ(percent({999'999, 1'000'000}), "99.9 %");
  EXPECT_EQ(percent({7, 7}), "100.0 %");
  EXPECT_EQ(percent({0, 0}), "");
}

TEST(CoveragePage, FilesBeneathTheBaseAreShownRelativeToIt) {
  EXPECT_EQ(shown_name("/p/src/a.c", "/p"), "src/a.c");
  EXPECT_EQ(shown_name("/q/a.c", "/p"), "/q/a.c");
  EXPECT_EQ(shown_name("/q/a.c", ""), "/q/a.c");
}

TEST(CoveragePage, ATestIsShownInALine) {
  TestCase test;
  test.inputs = {{"x", {0xff, 0xff, 0xff, 0xff}}, {"text", {'a', '\n', 0, 1, 2, 3, 4, 5, 6}}, {"none", {}}};
  test.environment.arguments = {"-n", "a b", ""};
  test.environment.standard_input = std::vector<std::uint8_t>{'q', '"'};
  test.environment.files = {{"A", {0}}};
  test.environment.variables = {{"V", "1"}};
  test.environment.failing_calls = {2, 5};
  EXPECT_EQ(
      short_text(test, 200),
      R"(V="1" -n "a b" "" stdin="q\"" file A="\x00" failing calls 2, 5 x=-1 text="a\n\x00\x01\x02\x03\x04\x05\x06" none=0)");
  EXPECT_EQ(short_text(test, 4), "V=\"1…");
}

}  // namespace
}  // namespace plumb::result
