#include "result/input_reader.h"

#include <gtest/gtest.h>

namespace plumb::result {
namespace {

TestCase test_of(std::initializer_list<std::string> names) {
  TestCase test;
  for (const std::string& name : names) test.inputs.push_back({name, {static_cast<std::uint8_t>(test.inputs.size())}});
  return test;
}

TEST(InputReader, GivesTheClockToWhoAsksForItAndTheRestInOrder) {
  const TestCase test = test_of({"int", "time()", "char", "clock()", "int"});
  InputReader reader(test);
  EXPECT_EQ(reader.next("time()"), &test.inputs[1]);
  EXPECT_EQ(reader.next("anything"), &test.inputs[0]);
  EXPECT_EQ(reader.next("char"), &test.inputs[2]);
  EXPECT_EQ(reader.next("time()"), nullptr);  // the clock is looked at in another way next
  EXPECT_EQ(reader.next("clock()"), &test.inputs[3]);
  EXPECT_EQ(reader.next("clock()"), nullptr);
  EXPECT_EQ(reader.next("int"), &test.inputs[4]);
  EXPECT_EQ(reader.next("int"), nullptr);
}

TEST(InputReader, HasNoClockWhereTheTestHasNone) {
  const TestCase test = test_of({"int"});
  InputReader reader(test);
  EXPECT_EQ(reader.next("time()"), nullptr);
  EXPECT_EQ(reader.next(""), &test.inputs[0]);
}

TEST(OwnInputs, AreAllButTheClock) {
  const std::vector<TestInput> own = own_inputs(test_of({"time()", "int", "fraction of time()", "x"}));
  ASSERT_EQ(own.size(), 2U);
  EXPECT_EQ(own[0].name, "int");
  EXPECT_EQ(own[1].name, "x");
}

}  // namespace
}  // namespace plumb::result
