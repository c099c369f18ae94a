#include <gtest/gtest.h>

#include <array>

#include "lang/bip/property/property.h"
#include "unit/lang/bip/property/small_model.h"

namespace plumb::bip {
namespace {

constexpr std::size_t kLength = 8;

/// A run stands still in each of the four values of two bools: a sequence of them is a sequence of visible states.
class MonitorTest : public ::testing::Test {
 protected:
  MonitorTest() {
    hand_made::add_component(model_, "a", "A", {"S"}, {"bool p", "bool q"});
    for (std::int64_t value = 0; value < 4; ++value)
      runs_.emplace_back(model_, std::vector<std::optional<std::int64_t>>{value & 1, value >> 1});
  }

  /// Calls check(letters, verdicts) with all sequences of kLength letters (bit 0: p, bit 1: q).
  template <typename Check>
  void for_all_sequences(const Property& property, const Check& check) const {
    std::array<unsigned, kLength> letters{};
    std::array<bool, kLength> verdicts{};
    for (unsigned code = 0; code < 1U << (2 * kLength); ++code) {
      Monitor monitor(model_, property);
      for (std::size_t i = 0; i < kLength; ++i) {
        letters[i] = (code >> (2 * i)) & 3;
        verdicts[i] = monitor.is_violated(runs_[letters[i]]);
      }
      check(letters, verdicts);
    }
  }

  Model model_;
  std::vector<bip::Run> runs_;
};

TEST_F(MonitorTest, AResponseIsViolatedWhereAPremiseIsLateFirst) {
  for (std::uint64_t within = 0; within <= 4; ++within) {
    const Property property = parse_property(model_, "a.p leads to a.q within " + std::to_string(within), {});
    std::size_t violated = 0;
    for_all_sequences(property, [&](const auto& letters, const auto& verdicts) {
      // Late in state i: some state at least `within` before had the premise, and none from there to i the condition.
      for (std::size_t i = 0; i < kLength; ++i) {
        bool is_late = false;
        bool has_condition = false;
        for (std::size_t back = 0; back <= i; ++back) {
          const unsigned letter = letters[i - back];
          has_condition = has_condition || (letter & 2) != 0;
          is_late = is_late || (back >= within && (letter & 1) != 0 && !has_condition);
        }
        ASSERT_EQ(verdicts[i], is_late) << "within " << within;
        violated += is_late ? 1 : 0;
      }
    });
    EXPECT_GT(violated, 0U);
  }
}

TEST_F(MonitorTest, AContractIsAboutRunsThatStartWithItsPremise) {
  const Property property = read_contract(model_, "a.p\na.q\n", "p.txt");
  for_all_sequences(property, [&](const auto& letters, const auto& verdicts) {
    for (std::size_t i = 0; i < kLength; ++i) ASSERT_EQ(verdicts[i], (letters[0] & 1) != 0 && (letters[i] & 2) == 0);
  });
}

TEST_F(MonitorTest, AnInvariantIsViolatedWhereItDoesNotHold) {
  const Property property = parse_property(model_, "a.p => a.q", {});
  for_all_sequences(property, [&](const auto& letters, const auto& verdicts) {
    for (std::size_t i = 0; i < kLength; ++i) ASSERT_EQ(verdicts[i], letters[i] == 1);
  });
}

TEST_F(MonitorTest, DeadlocksAndCyclesAreThoseOfTheRun) {
  const Property deadlock = parse_property(model_, "deadlock", {});
  EXPECT_TRUE(Monitor(model_, deadlock).is_violated(runs_[0]));
  model_.priority_cycles.push_back(std::move(parse_property(model_, "a.p && a.q", {}).condition->expression));
  const auto properties = default_properties(model_, false);
  ASSERT_EQ(properties.size(), 1U);
  for (unsigned letter = 0; letter < 4; ++letter)
    EXPECT_EQ(Monitor(model_, properties[0]).is_violated(runs_[letter]), letter == 3);
  Model::Component& component = model_.components[0];
  component.ports.push_back({"step", {}, {}, false});
  component.transitions.push_back({{}, 0, 0, 0, nullptr, {}});
  Model::Interaction step;
  step.name = step.connector = "a.step";
  step.ports = {{0, 0}};
  model_.interactions.push_back(std::move(step));
  EXPECT_FALSE(Monitor(model_, deadlock).is_violated(bip::Run(model_)));
}

}  // namespace
}  // namespace plumb::bip
