#include "result/test_size.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

TEST(TestSize, CountsEveryPartOfARun) {
  TestCase test;
  EXPECT_EQ(size_of(test), (TestSize{0, 0}));
  test.inputs = {{"x", {1, 2, 3, 4}}};
  test.environment.arguments = {"-n", ""};
  test.environment.standard_input = {{1, 2, 3}};
  test.environment.files = {{"A", {1}}};
  test.environment.variables = {{"LANG", "C"}};
  test.environment.failing_calls = {7};
  EXPECT_EQ(size_of(test), (TestSize{7, 11}));
}

TEST(TestSize, FewerPartsComeBeforeFewerBytes) {
  TestCase one;
  one.environment.arguments = {"long argument"};
  TestCase two;
  two.environment.arguments = {"a", "b"};
  EXPECT_LT(size_of(one), size_of(two));
  TestCase shorter;
  shorter.environment.arguments = {"short"};
  EXPECT_LT(size_of(shorter), size_of(one));
}

}  // namespace
}  // namespace plumb::result
