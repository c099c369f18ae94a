#include "system/data_independence.h"

#include <gtest/gtest.h>

#include <random>

#include "unit/effort.h"
#include "unit/prove/explicit_states.h"

namespace plumb::system {
namespace {

using prove::ExplicitStates;

/// Words that are moved, chosen and compared, some flags, and now and then an operator that looks inside a word.
class Mover {
 public:
  explicit Mover(std::uint64_t seed) : random_(seed) {}

  System make() {
    auto& s = system_.store();
    for (int i = 0; i < 3; ++i) words_.push_back(system_.add_state(Sort{kWidth, 0}, "w" + std::to_string(i)));
    flags_.push_back(system_.add_state(Sort{1, 0}, "f"));
    const std::size_t states = 4;
    if (below(2) == 0) words_.push_back(system_.add_input(Sort{kWidth, 0}, "in"));
    flags_.push_back(system_.add_input(Sort{1, 0}, "choice"));
    for (std::size_t i = 0; i + 1 < states; ++i) {
      if (below(2) == 0) system_.set_init(i, i > 0 && below(2) == 0 ? words_[below(i)] : s.constant(kWidth, below(2)));
      if (below(8) != 0) system_.set_next(i, word(2));
    }
    system_.set_init(states - 1, s.boolean(false));
    system_.set_next(states - 1, s.bit_xor(flag(), flags_[0]));
    system_.add_bad(s.bit_and(flag(), flag()), "bad");
    if (below(3) == 0) system_.add_constraint(s.bit_or(flag(), flag()), "constraint");
    return std::move(system_);
  }

 private:
  static constexpr std::uint32_t kWidth = 3;

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  Term word(int depth) {
    auto& s = system_.store();
    if (depth > 0 && below(2) == 0) return s.ite(flag(), word(depth - 1), word(depth - 1));
    if (below(4) == 0) return s.constant(kWidth, below(2));
    if (below(40) == 0) return s.add(words_[below(words_.size())], s.constant(kWidth, 1));
    return words_[below(words_.size())];
  }
  Term flag() {
    auto& s = system_.store();
    const Term one = below(3) == 0 ? flags_[below(flags_.size())] : s.eq(word(1), word(1));
    return below(2) == 0 ? one : s.bit_not(one);
  }

  std::mt19937_64 random_;
  System system_;
  std::vector<Term> words_;
  std::vector<Term> flags_;
};

TEST(DataIndependence, ABadIsReachedInTheSameStepWithFewerBits) {
  std::size_t narrowed = 0;
  std::size_t reached = 0;
  for (std::uint64_t seed = 1; seed <= test::effort(150); ++seed) {
    SCOPED_TRACE(seed);
    const System whole = Mover(seed).make();
    const NarrowedSystem narrow = narrow_independent_data(whole);
    const ExplicitStates truth(whole);
    const ExplicitStates claim(narrow.system);
    ASSERT_EQ(truth.first_step(0), claim.first_step(0));
    EXPECT_EQ(truth.is_vacuous(), claim.is_vacuous());
    narrowed += !narrow.data.empty();
    reached += truth.first_step(0).has_value();
  }
  EXPECT_GT(narrowed, 40U);
  EXPECT_GT(reached, 20U);
}

TEST(DataIndependence, ATraceDoesTheSameInTheWholeSystem) {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const System whole = Mover(seed).make();
    const NarrowedSystem narrow = narrow_independent_data(whole);
    if (narrow.data.empty()) continue;
    const RandomRun run = random_run(narrow.system, seed, 12);
    const Replay replayed = replay(whole, narrow.widened(run.trace));
    EXPECT_FALSE(replayed.violation);
    ASSERT_EQ(replayed.reached.size(), run.replay.reached.size());
    for (std::size_t i = 0; i < replayed.reached.size(); ++i) {
      EXPECT_EQ(replayed.reached[i].step, run.replay.reached[i].step);
      ++compared;
    }
  }
  EXPECT_GT(compared, 20U);
}

/// What is left unsaid in a trace is zero in both systems, whatever code zero is.
TEST(DataIndependence, AMissingChoiceStandsForItsCode) {
  System whole;
  auto& s = whole.store();
  const Term x = whole.add_state(Sort{8, 0}, "x");
  whole.set_next(0, x);
  whole.add_bad(s.eq(x, s.constant(8, 7)), "seven");
  const NarrowedSystem narrow = narrow_independent_data(whole);
  ASSERT_EQ(narrow.data.size(), 1U);
  EXPECT_EQ(narrow.data[0].bits, 1U);
  Trace trace;
  trace.steps.resize(1);
  EXPECT_EQ(replay(narrow.system, trace).reaches(0), replay(whole, narrow.widened(trace)).reaches(0));
}

TEST(DataIndependence, WhatIsComputedWithStaysAsItIs) {
  System whole;
  auto& s = whole.store();
  const Term x = whole.add_state(Sort{8, 0}, "x");
  const Term y = whole.add_state(Sort{8, 0}, "y");
  whole.set_init(0, s.constant(8, 0));
  whole.set_init(1, s.constant(8, 0));
  whole.set_next(0, s.add(x, s.constant(8, 1)));
  whole.set_next(1, x);
  whole.add_bad(s.eq(y, s.constant(8, 200)), "far");
  EXPECT_TRUE(narrow_independent_data(whole).data.empty());
}

}  // namespace
}  // namespace plumb::system
