#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <set>

#include "unit/concolic/runtime_harness.h"

namespace plumb::concolic::runtime_test {
namespace {

TEST(RuntimeInputs, GivenBytesComeFirstThenZeros) {
  // Three inputs: four bytes, one byte, none.
  start_run({.given = {4, 0x04030201, 1, 0x000000ff, 0}});
  EXPECT_EQ(__plumb_nondet(4, "a"), 0x04030201U);
  EXPECT_EQ(__plumb_nondet(2, "b"), 0x00ffU);
  EXPECT_EQ(__plumb_nondet(8, nullptr), 0U);
  EXPECT_EQ(__plumb_nondet(1, "beyond"), 0U);
  const std::vector<Record> inputs = Decoder(stream()).of_kind(PLUMB_INPUT);
  ASSERT_EQ(inputs.size(), 4U);
  EXPECT_EQ(inputs[0].words, (std::vector<std::uint32_t>{0, 4, 4, 1, 'a', 0x04030201}));
  EXPECT_EQ(inputs[1].words, (std::vector<std::uint32_t>{1, 2, 2, 1, 'b', 0xff}));
  EXPECT_EQ(inputs[2].words, (std::vector<std::uint32_t>{2, 8, 8, 0, 0, 0}));
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_EQ(inputs[i].first_id, i + 1);
}

TEST(RuntimeInputs, ALongerGivenInputIsCutAndTheNextStillFound) {
  start_run({.given = {6, 0x04030201, 0x0605, 2, 0xbbaa}});
  EXPECT_EQ(__plumb_nondet(2, "a"), 0x0201U);
  EXPECT_EQ(__plumb_nondet(2, "b"), 0xbbaaU);
}

TEST(RuntimeInputs, AGivenLengthBeyondTheDataIsHarmless) {
  start_run({.given = {1000, 0x04030201}});
  EXPECT_EQ(__plumb_nondet(8, "a"), 0x04030201U);
  EXPECT_EQ(__plumb_nondet(8, "b"), 0U);
}

TEST(RuntimeInputs, RandomBytesDependOnSeedAndNumberAlone) {
  const auto third_input = [](std::uint64_t seed, std::uint32_t earlier_size, std::uint32_t size) {
    start_run({.random_seed = seed});
    __plumb_nondet(earlier_size, "a");
    __plumb_nondet(earlier_size, "b");
    return __plumb_nondet(size, "c");
  };
  std::set<std::uint64_t> values;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    values.insert(third_input(seed, 1, 8));
    EXPECT_EQ(third_input(seed, 1, 8), third_input(seed, 8, 8));
    EXPECT_EQ(third_input(seed, 1, 4), third_input(seed, 4, 8) & 0xffffffffU);
  }
  EXPECT_EQ(values.size(), 200U);
  values.clear();
  start_run({.random_seed = 1});
  for (int i = 0; i < 200; ++i) values.insert(__plumb_nondet(8, "x"));
  EXPECT_EQ(values.size(), 200U);
}

TEST(RuntimeInputs, RandomBytesFillUpWhatIsGiven) {
  start_run({.random_seed = 7});
  const std::uint64_t all_random = __plumb_nondet(8, "x");
  start_run({.random_seed = 7, .given = {2, 0xbbaa}});
  EXPECT_EQ(__plumb_nondet(8, "x"), (all_random & ~std::uint64_t{0xffff}) | 0xbbaa);
}

TEST(RuntimeInputs, SymbolicMemoryIsAnArrayOfElements) {
  start_run({.random_seed = 3});
  std::array<std::uint32_t, 40> words{};
  __plumb_make_symbolic(words.data(), sizeof words, "words", 4);
  const Decoder decoder(stream());
  const Record input = decoder.of_kind(PLUMB_INPUT).at(0);
  EXPECT_EQ(input.makes, 40U);
  for (std::uint32_t i = 0; i < 40; ++i) {
    EXPECT_EQ(__plumb_load(&words[i], 4), input.first_id + i);
    EXPECT_EQ(words[i], input.words[4 + 2 + i]);  // index, size, element, length, two words of name
  }
}

TEST(RuntimeInputs, AnElementThatDoesNotDivideTheSizeIsAByte) {
  start_run();
  std::array<std::uint8_t, 6> memory{};
  __plumb_make_symbolic(memory.data(), memory.size(), "m", 4);
  EXPECT_EQ(Decoder(stream()).of_kind(PLUMB_INPUT).at(0).makes, 6U);
}

TEST(RuntimeInputs, NothingIsNoInput) {
  start_run({.given = {1, 5}});
  std::uint8_t byte = 0;
  __plumb_make_symbolic(&byte, 0, "m", 1);
  EXPECT_TRUE(stream().empty());
  EXPECT_EQ(__plumb_nondet(1, "x"), 5U);
}

TEST(RuntimeInputs, TheRunEndsAtTheLimitOfInputs) {
  start_run({.max_inputs = 3});
  const auto end = ending_of([] {
    for (;;) __plumb_nondet(4, "x");
  });
  ASSERT_TRUE(end.has_value());
  EXPECT_FALSE(end->is_error);
  EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_END_INPUTS));
  const Decoder decoder(stream());
  EXPECT_EQ(decoder.of_kind(PLUMB_INPUT).size(), 3U);
  EXPECT_EQ(decoder.records().back().kind, static_cast<std::uint32_t>(PLUMB_END));
}

TEST(RuntimeInputs, AnInputThatNoStreamCanCarryEndsTheRun) {
  start_run({.stream_words = 1000});
  static std::array<std::uint8_t, 5000> memory;
  const auto end = ending_of([] { __plumb_make_symbolic(memory.data(), memory.size(), "m", 1); });
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->code, static_cast<std::uint32_t>(PLUMB_END_STREAM));
  EXPECT_EQ(stream().size(), 1U);
}

}  // namespace
}  // namespace plumb::concolic::runtime_test
