#include "result/export/testcomp.h"

#include <gtest/gtest.h>

#include <cstring>

namespace plumb::result {
namespace {

template <class Number>
TestInput input(std::string name, Number number) {
  std::vector<std::uint8_t> bytes(sizeof number);
  std::memcpy(bytes.data(), &number, sizeof number);
  return {std::move(name), std::move(bytes)};
}

StoredTest stored(std::vector<TestInput> inputs, std::string end = "exit") {
  StoredTest test;
  test.number = 7;
  test.test.inputs = std::move(inputs);
  test.end = std::move(end);
  return test;
}

/// The elements of the only test.
std::string elements(std::vector<TestInput> inputs) {
  const std::vector<StoredTest> tests = {stored(std::move(inputs))};
  const std::string text = to_testcomp(tests, {}, {}).files.back().content;
  const std::size_t start = text.find("<testcase>\n") + 11;
  return text.substr(start, text.find("</testcase>") - start);
}

TEST(TestComp, ValuesOfNondetFunctionsAreNumbersWithTheirType) {
  EXPECT_EQ(elements({input<std::int32_t>("int", -5)}), "  <input type=\"int\">-5</input>\n");
  EXPECT_EQ(elements({input<std::uint8_t>("unsigned char", 200)}), "  <input type=\"unsigned char\">200</input>\n");
  EXPECT_EQ(elements({input<std::int8_t>("char", -56)}), "  <input type=\"char\">-56</input>\n");
  EXPECT_EQ(elements({input<std::uint64_t>("unsigned long", ~0ULL)}),
            "  <input type=\"unsigned long\">18446744073709551615</input>\n");
  EXPECT_EQ(elements({input<double>("double", 0.1)}), "  <input type=\"double\">0.1</input>\n");
  EXPECT_EQ(elements({input<float>("float", -1.5F)}), "  <input type=\"float\">-1.5</input>\n");
  __extension__ using Wide = __int128;
  EXPECT_EQ(elements({input<Wide>("__int128", -3)}), "  <input type=\"__int128\">-3</input>\n");
}

TEST(TestComp, OfABoolOnlyTheLowestBitCounts) {
  EXPECT_EQ(elements({input<std::uint8_t>("_Bool", 254)}), "  <input type=\"_Bool\">0</input>\n");
  EXPECT_EQ(elements({input<std::uint8_t>("_Bool", 255)}), "  <input type=\"_Bool\">1</input>\n");
}

TEST(TestComp, NamedObjectsAreNumbersOrBytesOfAVariable) {
  EXPECT_EQ(elements({input<std::int16_t>("speed", -1)}), "  <input variable=\"speed\">-1</input>\n");
  EXPECT_EQ(elements({{"s", {1, 255, 3}}}),
            "  <input variable=\"s[0]\" type=\"unsigned char\">1</input>\n"
            "  <input variable=\"s[1]\" type=\"unsigned char\">255</input>\n"
            "  <input variable=\"s[2]\" type=\"unsigned char\">3</input>\n");
}

TEST(TestComp, MemoryWithoutANameIsGivenByteByByteWhateverItsSize) {
  EXPECT_EQ(elements({{"", {1, 0}}}),
            "  <input type=\"unsigned char\">1</input>\n  <input type=\"unsigned char\">0</input>\n");
}

TEST(TestComp, InputsWithoutBytesAreNotAskedFor) { EXPECT_EQ(elements({{"a", {}}}), ""); }

TEST(TestComp, OnlyCallsOfReachErrorAreErrorsThere) {
  std::vector<StoredTest> tests = {stored({}, "error"), stored({}, "error"), stored({}, "signal")};
  tests[0].code = kErrorReached;
  tests[1].code = kAssertion;
  tests[2].code = kErrorReached;
  const Export made = to_testcomp(tests, {}, {});
  EXPECT_NE(made.files[1].content.find("<testcase coversError=\"true\">"), std::string::npos);
  EXPECT_NE(made.files[2].content.find("<testcase>"), std::string::npos);
  EXPECT_NE(made.files[3].content.find("<testcase>"), std::string::npos);
}

TEST(TestComp, MetadataNameTheAimAndTheWordSize) {
  const SuiteProgram program{{"a & b.c"}, {}, "start", 32};
  const std::string text = to_testcomp({}, program, {"", "", "", true}).files.front().content;
  EXPECT_NE(text.find("COVER( init(start()), FQL(COVER EDGES(@CALL(reach_error))) )"), std::string::npos);
  EXPECT_NE(text.find("<architecture>32bit</architecture>"), std::string::npos);
  EXPECT_NE(text.find("<programfile>a &amp; b.c</programfile>"), std::string::npos);
}

TEST(TestComp, AnEnvironmentIsALossThatIsNamed) {
  std::vector<StoredTest> tests = {stored({}), stored({})};
  tests[1].test.environment.arguments = {"-n"};
  const Export made = to_testcomp(tests, {}, {});
  ASSERT_EQ(made.losses.size(), 1U);
  EXPECT_TRUE(made.losses.front().starts_with("1 test: arguments"));
}

}  // namespace
}  // namespace plumb::result
