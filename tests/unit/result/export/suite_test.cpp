#include "result/export/suite.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

StoredTest ending(std::string end, int code, std::uint32_t number = 1) {
  StoredTest test;
  test.number = number;
  test.end = std::move(end);
  test.code = code;
  return test;
}

TEST(Suite, EndsHaveWords) {
  EXPECT_EQ(end_text(ending("exit", 3)), "exit code 3");
  EXPECT_EQ(end_text(ending("signal", 11)), "signal 11");
  EXPECT_EQ(end_text(ending("error", kDivisionByZero)), "error: division by zero");
  EXPECT_EQ(end_text(ending("error", kMemoryError)), "error: memory, seen by the interpreter");
  EXPECT_EQ(end_text(ending("error", 99)), "error");
  EXPECT_EQ(end_text(ending("timeout", 0)), "timeout");
  EXPECT_EQ(end_text(ending("", 0)), "not recorded");
}

TEST(Losses, CountEachTestOnceAndKeepTheirOrder) {
  Losses losses;
  losses.add(ending("", 0, 1), "b");
  losses.add(ending("", 0, 1), "a");
  losses.add(ending("", 0, 1), "b");
  losses.add(ending("", 0, 2), "b");
  EXPECT_EQ(losses.sentences(), (std::vector<std::string>{"2 tests: b", "1 test: a"}));
}

}  // namespace
}  // namespace plumb::result
