// A budget that ends while terms or states are made, and no solver looks at it, ends the work there.
#include <gtest/gtest.h>

#include "prove/base_case.h"
#include "prove/modes/wandering.h"
#include "prove/runs.h"
#include "prove/unrolling.h"
#include "unit/prove/known_systems.h"

namespace plumb::prove {
namespace {

class EndedBudget : public testing::Test {
 protected:
  EndedBudget() { ended_.cancel(); }

  const Budget ended_ = Budget().with_own_cancellation();
  System system_ = counter(8, 9, 12);
};

TEST_F(EndedBudget, StopsTheComparisonOfSteps) {
  Unrolling unrolling(system_, Unrolling::Start::Arbitrary);
  EXPECT_THROW(unrolling.differ(0, 1, ended_), OutOfBudget);
  EXPECT_TRUE(static_cast<bool>(unrolling.differ(0, 1, Budget())));
}

TEST_F(EndedBudget, StopsTheNextStepOfRuns) {
  Runs runs(system_);
  runs.extend(Budget());
  EXPECT_THROW(runs.changed(ended_), OutOfBudget);
  EXPECT_THROW(runs.extend(ended_), OutOfBudget);
}

TEST_F(EndedBudget, LeavesTheStepsThatAreCovered) {
  BaseCase base(system_, 1);
  for (std::size_t step = 0; step < 3; ++step) EXPECT_EQ(base.next(Budget()).answer, solve::Answer::Unsat);
  EXPECT_FALSE(base.is_surely_at_rest(ended_));
  EXPECT_EQ(base.change(ended_).answer, solve::Answer::Unknown);
  EXPECT_EQ(base.next(ended_).answer, solve::Answer::Unknown);
  EXPECT_EQ(base.next(ended_).reason, "cancelled");
  EXPECT_EQ(base.covered(), 3U);
}

TEST_F(EndedBudget, StopsRandomRuns) {
  Wandering wandering(system_, 1);
  EXPECT_THROW(wandering.run(100, ended_), OutOfBudget);
  EXPECT_TRUE(wandering.states().empty());
}

TEST(Wandering, OfManyRegistersLooksAtTheFirst) {
  // All pairs would be 200 million for each state.
  System system;
  for (std::size_t i = 0; i < 20'000; ++i) {
    const Term variable = system.add_state({4, 0}, "r" + std::to_string(i));
    system.set_init(i, system.store().zero(4));
    system.set_next(i, variable);
  }
  system.add_bad(system.store().boolean(false), "never");
  Wandering wandering(system, 1);
  EXPECT_TRUE(wandering.run(1, Budget()));
  EXPECT_EQ(wandering.states().size(), 1U);
}

}  // namespace
}  // namespace plumb::prove
