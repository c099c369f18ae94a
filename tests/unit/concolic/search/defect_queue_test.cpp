#include "concolic/search/defect_queue.h"

#include <gtest/gtest.h>

namespace plumb::concolic {
namespace {

constexpr std::uint32_t kAll = ~0U;

class DefectQueueTest : public ::testing::Test {
 protected:
  CandidateId add(std::uint64_t target, std::uint32_t visit = 1, std::uint32_t node = 0) {
    Candidate candidate;
    candidate.target = target;
    candidate.visit = visit;
    candidate.node = node;
    const CandidateId id = next_++;
    queue_.add(id, candidate);
    table_.emplace(id, candidate);
    return id;
  }
  std::vector<CandidateId> drain(std::uint32_t max_attempts = kAll) {
    std::vector<CandidateId> order;
    while (const auto id = queue_.pick(table_, max_attempts)) {
      order.push_back(*id);
      table_.erase(*id);
    }
    return order;
  }
  using Ids = std::vector<CandidateId>;

  DefectQueue queue_;
  CandidateTable table_;
  CandidateId next_ = 0;
};

TEST_F(DefectQueueTest, TargetsTakeTurnsAndVisitsComeByTheirRank) {
  const CandidateId third = add(1, 3), second = add(1, 2), deep = add(1, 1, 9), first = add(1, 1, 4), other = add(2, 1);
  EXPECT_EQ(drain(), (Ids{first, other, deep, second, third}));
}

TEST_F(DefectQueueTest, ATargetThatWasTriedOftenEnoughWaitsUntilThereIsNoLimit) {
  add(1);
  add(1);
  add(1);
  EXPECT_EQ(drain(2).size(), 2U);
  EXPECT_EQ(drain().size(), 1U);
}

TEST_F(DefectQueueTest, AHardTargetWaitsForTheOthers) {
  const CandidateId first = add(1), again = add(1), other = add(2), last = add(2);
  EXPECT_EQ(queue_.pick(table_, kAll), first);
  table_.erase(first);
  queue_.was_hard(1);
  EXPECT_EQ(drain(), (Ids{other, last, again}));
}

TEST_F(DefectQueueTest, WhatIsSettledComesOnlyWhenAskedFor) {
  const CandidateId before = add(1), other = add(2);
  EXPECT_TRUE(queue_.settle(1));
  EXPECT_FALSE(queue_.settle(1));
  const CandidateId after = add(1);
  EXPECT_EQ(drain(), Ids{other});
  EXPECT_TRUE(queue_.is_settled(1));
  EXPECT_EQ(queue_.pick_settled(table_), before);
  EXPECT_EQ(queue_.pick_settled(table_), after);
  EXPECT_EQ(queue_.pick_settled(table_), std::nullopt);
}

TEST_F(DefectQueueTest, ASharedPlaceIsSettledWhenNothingNewComesOfIt) {
  for (int round = 0; round < 3; ++round)
    for (int i = 0; i < 4; ++i) EXPECT_FALSE(queue_.repeated(1, i == 0));
  EXPECT_TRUE(queue_.repeated(1, false));
  EXPECT_TRUE(queue_.is_settled(1));
}

TEST_F(DefectQueueTest, CandidatesThatAreGoneArePassedOver) {
  const CandidateId gone = add(1), kept = add(1), late = add(2);
  table_.erase(gone);
  queue_.compact(table_);
  table_.erase(late);
  EXPECT_EQ(drain(), Ids{kept});
}

}  // namespace
}  // namespace plumb::concolic
