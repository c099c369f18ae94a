#include "result/coverage/coverage.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace plumb::result {
namespace {

/// One file with a function that uses a macro with a macro in it, and a header whose function two units have.
constexpr std::string_view kExport = R"({"data": [{
  "files": [
    {"filename": "/p/src/n.c", "summary": {
      "branches": {"count": 6, "covered": 2, "notcovered": 4, "percent": 33}, "functions": {"count": 1, "covered": 1},
      "lines": {"count": 10, "covered": 5}, "mcdc": {"count": 3, "covered": 1}, "regions": {"count": 8, "covered": 4}}},
    {"filename": "/p/lib/h.h", "summary": {
      "branches": {"count": 2, "covered": 1}, "functions": {"count": 1, "covered": 1}, "lines": {"count": 1, "covered": 1},
      "mcdc": {"count": 0, "covered": 0}, "regions": {"count": 3, "covered": 2}}}],
  "functions": [
    {"name": "g", "filenames": ["/p/src/n.c", "/p/src/n.c", "/p/src/n.c"],
     "branches": [[8, 19, 8, 24, 5, 0, 0, 0, 4], [2, 19, 2, 28, 0, 3, 2, 0, 4]],
     "regions": [[4, 1, 11, 2, 1, 0, 0, 0], [7, 3, 7, 8, 1, 0, 1, 1], [3, 29, 3, 32, 1, 1, 2, 1]]},
    {"name": "n.c:hh", "filenames": ["/p/lib/h.h"], "branches": [[1, 38, 1, 43, 0, 1, 0, 0, 4]],
     "regions": [[1, 29, 1, 54, 1, 0, 0, 0]]},
    {"name": "n2.c:hh", "filenames": ["/p/lib/h.h"], "branches": [[1, 38, 1, 43, 2, 4, 0, 0, 4]],
     "regions": [[1, 29, 1, 54, 6, 0, 0, 0]]}],
  "totals": {}}], "type": "llvm.coverage.json.export", "version": "2.0.1"})";

TEST(Coverage, NumbersOfFilesAreThoseOfTheTool) {
  const Coverage coverage = parse_coverage(kExport);
  ASSERT_EQ(coverage.files.size(), 2U);
  EXPECT_EQ(coverage.files[1].file, "/p/src/n.c");
  EXPECT_EQ(coverage.files[1].summary.lines, (Ratio{5, 10}));
  EXPECT_EQ(coverage.files[1].summary.conditions, (Ratio{1, 3}));
  EXPECT_EQ(coverage.totals().branches, (Ratio{3, 8}));
}

TEST(Coverage, ABranchOfAMacroIsPlacedWhereTheOutermostMacroIsUsed) {
  const Coverage coverage = parse_coverage(kExport);
  const BranchRegion& branch = coverage.branches[1];
  EXPECT_TRUE(branch.is_in_macro);
  EXPECT_EQ(branch.begin, (TextPosition{2, 19}));
  EXPECT_EQ(branch.use, (TextPosition{7, 3}));
  EXPECT_EQ(branch.use_file, "/p/src/n.c");
  EXPECT_FALSE(coverage.branches[2].is_in_macro);
}

TEST(Coverage, CopiesOfAFunctionInAHeaderAreAddedUp) {
  const Coverage coverage = parse_coverage(kExport);
  ASSERT_EQ(coverage.branches.size(), 3U);
  EXPECT_EQ(coverage.branches[0].function, "hh");
  EXPECT_EQ(coverage.branches[0].times_true, 2U);
  EXPECT_EQ(coverage.branches[0].times_false, 5U);
}

TEST(Coverage, IsRestrictedToFilesThatARegularExpressionFinds) {
  const Coverage part = restricted(parse_coverage(kExport), "/src/[^/]*\\.c$");
  ASSERT_EQ(part.files.size(), 1U);
  EXPECT_EQ(part.totals().branches, (Ratio{2, 6}));
  EXPECT_EQ(part.branches.size(), 2U);
  EXPECT_THROW(restricted(part, "("), UserError);
}

TEST(Coverage, SomethingElseThanAnExportIsAnError) {
  EXPECT_THROW(parse_coverage("no JSON"), UserError);
  EXPECT_THROW(parse_coverage("{}"), UserError);
  EXPECT_THROW(parse_coverage(R"({"data": [{"files": [], "functions": [{"name": "f"}]}]})"), UserError);
}

}  // namespace
}  // namespace plumb::result
