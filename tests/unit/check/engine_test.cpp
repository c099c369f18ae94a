#include "check/engine.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/result/engine_table.h"

namespace plumb::check {
namespace {

TEST(Engines, AreInTheDocument) { result::expect_documented(engines(), "checking.md"); }

TEST(Engines, AllRunByDefault) {
  EXPECT_EQ(engines().defaults(), (std::vector<std::string>{"circuit", "bmc", "tester"}));
}

TEST(Engines, OneThatDoesNotExistIsAnErrorBeforeAnythingRuns) {
  Settings settings;
  settings.engines = {"circuit", "k-induction"};
  EXPECT_THROW(check(Program(), {}, settings, Budget()), UserError);
}

}  // namespace
}  // namespace plumb::check
