#include "remote/run_memory.h"

#include <gtest/gtest.h>

namespace plumb::remote {
namespace {

RunOrder order(std::uint64_t seed, Bytes inputs) {
  RunOrder result;
  result.seed = seed;
  result.max_nodes = 64;
  result.modes = {1, 0};
  result.inputs = std::move(inputs);
  return result;
}

std::shared_ptr<const RunAnswer> answer(std::size_t words) {
  RunAnswer result;
  result.words.resize(words);
  return std::make_shared<const RunAnswer>(std::move(result));
}

TEST(RunMemory, TellsRunsApartByAllThatTheyDependOn) {
  RunMemory memory(1 << 20);
  const RunOrder kept = order(7, {1, 2, 3});
  const auto its = answer(5);
  memory.keep(kept, its);
  EXPECT_EQ(memory.find(kept), its);
  EXPECT_EQ(memory.find(order(8, {1, 2, 3})), nullptr);
  EXPECT_EQ(memory.find(order(7, {1, 2})), nullptr);
  RunOrder other = kept;
  other.max_nodes = 65;
  EXPECT_EQ(memory.find(other), nullptr);
  other = kept;
  other.modes = {1, 1};
  EXPECT_EQ(memory.find(other), nullptr);
  // The same bytes, cut elsewhere.
  other = kept;
  other.modes = {1, 0, 1};
  other.inputs = {2, 3};
  EXPECT_EQ(memory.find(other), nullptr);
}

TEST(RunMemory, ForgetsTheOldestWhenItIsFull) {
  RunMemory memory(10'000);
  for (std::uint64_t i = 0; i < 10; ++i) memory.keep(order(i, {}), answer(500));
  EXPECT_EQ(memory.find(order(0, {})), nullptr);
  EXPECT_NE(memory.find(order(9, {})), nullptr);
  EXPECT_NE(memory.find(order(7, {})), nullptr);
  memory.keep(order(10, {}), answer(5000));
  EXPECT_EQ(memory.find(order(10, {})), nullptr);
  EXPECT_NE(memory.find(order(9, {})), nullptr);
}

}  // namespace
}  // namespace plumb::remote
