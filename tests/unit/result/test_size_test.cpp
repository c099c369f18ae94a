#include "result/test_size.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

TEST(TestSize, CountsEveryPartOfARun) {
  TestCase test;
  EXPECT_EQ(size_of(test), (TestSize{0, 0, 0}));
  test.inputs = {{"x", {1, 2, 3, 4}}};
  test.environment.arguments = {"-n", ""};
  test.environment.standard_input = {{1, 2, 3}};
  test.environment.files = {{"A", {1}}};
  test.environment.variables = {{"LANG", "C"}};
  test.environment.failing_calls = {7};
  EXPECT_EQ(size_of(test), (TestSize{7, 11, 10 + 45 + 110 + 6 + 1 + 67}));
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

TEST(TestSize, AmongTestsOfOneLengthTheOneWithSmallerValuesIsSmaller) {
  TestCase zero, five, minus_one;
  zero.inputs = {{"x", {0, 0, 0, 0}}};
  five.inputs = {{"x", {5, 0, 0, 0}}};
  minus_one.inputs = {{"x", {255, 255, 255, 255}}};
  EXPECT_LT(size_of(zero), size_of(five));
  EXPECT_LT(size_of(five), size_of(minus_one));
}

}  // namespace
}  // namespace plumb::result
