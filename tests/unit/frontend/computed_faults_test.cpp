#include "frontend/computed_faults.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/file.h"
#include "frontend/compilations.h"

namespace plumb::frontend {
namespace {

using program::Check;
using program::CheckSet;

class ComputedFaultsTest : public testing::Test {
 protected:
  CompileJob job(const std::string& text) const {
    write_file(directory_.path() / "a.c", text);
    return {"a.c", directory_.path(), {}};
  }

  std::vector<ComputedFault> of(const std::string& expression, CheckSet asked = CheckSet::all()) const {
    return computed_faults(job("int f(int c) {\n  return " + expression + ";\n}\n"), {}, asked, work_.path(), {});
  }

  const std::filesystem::path& work() const { return work_.path(); }

 private:
  TemporaryDirectory directory_;
  TemporaryDirectory work_;
};

TEST_F(ComputedFaultsTest, StandWhereTheExpressionDoes) {
  const std::vector<ComputedFault> found = of("c ? 2147483647 + 2 : 0");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.file, "a.c");
  EXPECT_EQ(found[0].place.line, 2U);
  EXPECT_TRUE(found[0].checks.has(Check::Overflow));
  EXPECT_FALSE(found[0].checks.has(Check::Shift));
}

TEST_F(ComputedFaultsTest, AreThoseOfConstantsAlone) {
  for (const char* defined : {"2147483647 + 0", "5 / 1", "1 << 31", "1 >> 31", "-(-2147483647)", "c / 7", "c % -1"})
    EXPECT_TRUE(of(defined).empty()) << defined;
  // The checks of the program find these.
  for (const char* kept : {"c + 2147483647", "c * 2", "c / 0"})
    EXPECT_FALSE(std::ranges::any_of(of(kept), [](const ComputedFault& fault) {
      return fault.message.starts_with("a");
    })) << kept;
}

TEST_F(ComputedFaultsTest, OfInitialisersAreFoundIfOverflowIsAsked) {
  const std::string quotient = "((int[]){1, (-2147483647 - 1) / -1})[1]";
  CheckSet overflow;
  overflow.add(Check::Overflow);
  EXPECT_EQ(of(quotient, overflow).size(), 1U);
}

TEST_F(ComputedFaultsTest, AreAGapOfAllWhereTheSourceIsGone) {
  const std::vector<ComputedFault> found = computed_faults({"gone.c", {}, {}}, {}, CheckSet::all(), work(), {});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].place.file, "gone.c");
  EXPECT_TRUE(found[0].checks.has(Check::Division) && found[0].checks.has(Check::Shift));
}

TEST_F(ComputedFaultsTest, OfSourcesThatWereNotedAreThoseOfThatCompilation) {
  Compilations compilations;
  CheckSet division;
  division.add(Check::Division);
  compilations.note(job("int f(void) {\n  return 5 / 0;\n}\n"), {});
  EXPECT_EQ(compilations.computed_faults(division, {}).size(), 1U);
}

}  // namespace
}  // namespace plumb::frontend
