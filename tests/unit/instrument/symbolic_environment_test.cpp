#include "instrument/symbolic_environment.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::instrument {
namespace {

using result::TestCase;
using result::TestInput;
using Bytes = std::vector<std::uint8_t>;

SymbolicEnvironment everything() {
  SymbolicEnvironment environment;
  environment.arguments = {{"-v", 0, 0, 0}, {{}, 1, 3, 4}, {"--", 0, 0, 0}, {{}, 1, 1, 2}};
  environment.standard_input = 5;
  environment.file_count = 2;
  environment.file_size = 6;
  environment.variables = {{"LANG", 3}, {"HOME", 2}};
  environment.failing_calls = 2;
  return environment;
}

TEST(SymbolicEnvironment, WithoutOneInputsAreTheTestsOwn) {
  const TestCase test{{{"int", {1, 2, 3, 4}}, {"x", {}}}};
  EXPECT_TRUE(SymbolicEnvironment{}.is_empty());
  EXPECT_EQ(to_inputs({}, test), test.inputs);
  EXPECT_EQ(to_test({}, test.inputs), test);
}

TEST(SymbolicEnvironment, EveryRunIsATestAndEveryTestARun) {
  const SymbolicEnvironment environment = everything();
  TestCase test;
  test.environment.arguments = {"-v", "ab", "", "--", "x"};
  test.environment.standard_input = Bytes{1, 0, 2};
  test.environment.files = {{"A", {}}, {"B", {9, 0, 0, 9, 1, 2}}};
  test.environment.variables = {{"LANG", "C"}, {"HOME", ""}};
  test.environment.failing_calls = {0, 7};
  test.inputs = {{"int", {1, 2, 3, 4}}};
  EXPECT_EQ(to_test(environment, to_inputs(environment, test)), test);
}

TEST(SymbolicEnvironment, RandomRunsKeepTheirMeaning) {
  const SymbolicEnvironment environment = everything();
  const std::vector<TestInput> shape = to_inputs(environment, {});
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::vector<TestInput> inputs = shape;
    for (TestInput& input : inputs)
      for (std::uint8_t& byte : input.bytes) byte = static_cast<std::uint8_t>(random() % 4 == 0 ? 0 : random() % 7);
    const TestCase test = to_test(environment, inputs);
    EXPECT_GE(test.environment.arguments.size(), 4u);
    EXPECT_LE(test.environment.arguments.size(), 6u);
    EXPECT_EQ(to_test(environment, to_inputs(environment, test)), test);
  }
}

TEST(SymbolicEnvironment, TheListOfInputsNeverDependsOnTheTest) {
  const SymbolicEnvironment environment = everything();
  TestCase large;
  large.environment.arguments = {"-v", "longer than allowed", "b", "c", "--", "d", "e", "f"};
  large.environment.files = {{"A", Bytes(100, 7)}, {"C", {1}}};
  large.environment.standard_input = Bytes(100, 8);
  large.environment.failing_calls = {1, 2, 3};
  const auto least = to_inputs(environment, {});
  const auto most = to_inputs(environment, large);
  ASSERT_EQ(least.size(), most.size());
  for (std::size_t i = 0; i < least.size(); ++i) {
    EXPECT_EQ(least[i].name, most[i].name);
    EXPECT_EQ(least[i].bytes.size(), most[i].bytes.size());
  }
}

TEST(SymbolicEnvironment, ZerosAreTheLeastArgumentsAndFullFiles) {
  const TestCase test = to_test(everything(), {});
  EXPECT_EQ(test.environment.arguments, (std::vector<std::string>{"-v", "", "--", ""}));
  EXPECT_EQ(test.environment.files[1].bytes, Bytes(6));
  EXPECT_EQ(test.environment.standard_input, Bytes(5));
  EXPECT_TRUE(test.environment.failing_calls.empty());
  EXPECT_EQ(to_test(everything(), to_inputs(everything(), {})), test);
}

TEST(SymbolicEnvironment, MoreMissingThanThereIsLeavesAnEmptyFile) {
  SymbolicEnvironment environment;
  environment.file_count = 1;
  environment.file_size = 3;
  for (const std::uint32_t missing : {0U, 1U, 3U, 4U, 0xffffffffU}) {
    Bytes word;
    for (unsigned i = 0; i < 4; ++i) word.push_back(static_cast<std::uint8_t>(missing >> (8 * i)));
    const TestCase test = to_test(environment, std::vector<TestInput>{{"A-missing", word}, {"A-data", {1, 2, 3}}});
    EXPECT_EQ(test.environment.files[0].bytes.size(), missing < 3 ? 3 - missing : 0) << missing;
  }
}

TEST(SymbolicEnvironment, TextTellsEveryPart) {
  EXPECT_EQ(to_text(everything(), "wc"),
            "text 7763\ntext 2d76\narguments 1 3 4\ntext 2d2d\narguments 1 1 2\nvariable LANG 3\nvariable HOME 2\n"
            "files 2 6\nstdin 5\nfailing 2\n");
  EXPECT_EQ(most_arguments(everything()), 7u);
}

}  // namespace
}  // namespace plumb::instrument
