#include "result/campaign/compact.h"

#include <gtest/gtest.h>

#include <random>

namespace plumb::result {
namespace {

TEST(Compact, RisingNumbersComeBack) {
  const std::vector<std::vector<std::uint32_t>> lists = {
      {}, {0}, {0, 1, 2}, {127, 128, 300, 70'000}, {0, 0xffffffff}, {0xffffffff}};
  for (const auto& list : lists) EXPECT_EQ(unpack_rising(pack_rising(list)), list);
}

TEST(Compact, InputsComeBack) {
  const std::vector<TestInput> inputs = {{"int", {1, 2, 3, 4}},
                                         {"", {}},
                                         {"buffer", std::vector<std::uint8_t>(1000, 0xff)},
                                         {std::string("a\0b", 3), {0}}};
  EXPECT_EQ(unpack_inputs(pack_inputs(inputs)), inputs);
  EXPECT_EQ(unpack_inputs({}), std::vector<TestInput>{});
}

TEST(Compact, BytesThatWereCutAreRefused) {
  const std::vector<TestInput> inputs = {{"int", {1, 2, 3, 4}}};
  const auto bytes = pack_inputs(inputs);
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_FALSE(unpack_inputs(std::span(bytes).first(size))) << size;
  const std::vector<std::uint8_t> open_group = {0x80};
  EXPECT_FALSE(unpack_rising(open_group));
  const std::vector<std::uint8_t> twice = {5, 0};
  EXPECT_FALSE(unpack_rising(twice));
  const std::vector<std::uint8_t> too_large = {0xff, 0xff, 0xff, 0xff, 0x7f};
  EXPECT_FALSE(unpack_rising(too_large));
}

TEST(Compact, RandomBytesAreReadOrRefused) {
  std::mt19937 random(3);
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::uint8_t> bytes(random() % 24);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % 5 == 0 ? random() : random() % 6);
    if (const auto numbers = unpack_rising(bytes)) {
      EXPECT_EQ(unpack_rising(pack_rising(*numbers)), numbers);
    }
    if (const auto inputs = unpack_inputs(bytes)) {
      EXPECT_EQ(unpack_inputs(pack_inputs(*inputs)), inputs);
    }
  }
}

}  // namespace
}  // namespace plumb::result
