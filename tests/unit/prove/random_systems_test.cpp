#include <gtest/gtest.h>

#include <random>

#include "base/subprocess.h"
#include "prove/certificate.h"
#include "unit/effort.h"
#include "unit/prove/explicit_states.h"
#include "unit/system/random_system.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

/// Small enough to enumerate, with all kinds of states, inputs and arrays; the same for the same number.
std::vector<System> small_systems(std::size_t count) {
  std::vector<System> systems;
  system::RandomSystem::Shape shape;
  shape.max_index_width = 1;
  for (std::uint64_t seed = 1; systems.size() < count; ++seed) {
    shape.max_width = static_cast<std::uint32_t>(1 + seed % 3);
    shape.operators = 6 + seed % 12;
    System system = system::RandomSystem(seed * 7919, shape).make();
    if (ExplicitStates::bits(system) > 8) continue;
    systems.push_back(std::move(system));
  }
  return systems;
}

/// A program: a counter of labels, each with a few guarded assignments to words, to an array and to the counter itself.
/// Some words never change and bound what the others are compared with; the same for the same seed.
System small_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  System system;
  auto& store = system.store();
  const term::Term pc = system.add_state({2, 0}, "pc");
  const term::Term bound = system.add_state({2, 0}, "bound");
  const term::Term i = system.add_state({2, 0}, "i");
  const term::Term array = system.add_state({1, 1}, "array");
  const term::Term coin = system.add_input({1, 0}, "coin");
  const term::Term last = store.constant(2, 3);
  const auto condition = [&]() -> term::Term {
    switch (below(5)) {
      case 0:
        return store.ult(i, bound);
      case 1:
        return store.eq(store.select(array, store.bit(i, 0)), store.boolean(below(2) != 0));
      case 2:
        return coin;
      case 3:
        return store.eq(i, store.constant(2, below(4)));
      default:
        return store.ult(bound, i);
    }
  };
  term::Term next_pc = pc;
  term::Term next_i = i;
  term::Term next_array = array;
  term::Term bad = store.boolean(false);
  for (std::uint64_t label = 0; label < 3; ++label) {
    const term::Term here = store.eq(pc, store.constant(2, label));
    const term::Term taken = store.bit_and(here, condition());
    const term::Term otherwise = store.bit_and(here, store.bit_not(taken));
    next_pc = store.ite(taken, store.constant(2, below(4)), next_pc);
    next_pc = store.ite(otherwise, below(2) == 0 ? last : store.constant(2, below(4)), next_pc);
    if (below(3) != 0) next_i = store.ite(taken, store.add(i, store.one(2)), next_i);
    if (below(4) == 0) next_i = store.ite(otherwise, store.zero(2), next_i);
    if (below(2) == 0)
      next_array = store.ite(taken, store.store(array, store.bit(i, 0), store.bit(bound, 1)), next_array);
    bad = store.bit_or(bad, store.bit_and(otherwise, store.bit_and(condition(), condition())));
  }
  system.set_init(0, store.zero(2));
  if (below(2) == 0) system.set_init(2, store.zero(2));
  system.set_next(0, next_pc);
  system.set_next(1, bound);
  system.set_next(2, next_i);
  system.set_next(3, next_array);
  system.add_bad(bad, "bad");
  if (below(3) == 0) system.add_constraint(store.bit_or(store.ult(i, last), store.distinct(pc, last)), "constraint");
  return system;
}

/// What every engine promises, against the truth. `is_complete`: it must come to a decision.
void expect_true(const System& system, std::size_t bad, const ExplicitStates& truth, const Result& result,
                 bool is_complete) {
  const auto first = truth.first_step(bad);
  switch (result.verdict) {
    case Verdict::Holds:
    case Verdict::Vacuous:
      EXPECT_FALSE(first) << result.engine;
      EXPECT_TRUE(result.is_rechecked);
      EXPECT_EQ(result.verdict == Verdict::Vacuous, truth.is_vacuous()) << result.engine;
      ASSERT_TRUE(result.certificate);
      {
        const Check check = check_certificate(system, bad, *result.certificate, Budget().with_timeout(20s));
        EXPECT_TRUE(check.is_confirmed()) << result.engine << ": " << check.reason;
      }
      break;
    case Verdict::HoldsUpTo:
      EXPECT_TRUE(!first || *first > result.bound) << result.engine;
      EXPECT_FALSE(is_complete);
      break;
    case Verdict::Violated:
      ASSERT_TRUE(first) << result.engine;
      ASSERT_TRUE(result.trace);
      EXPECT_EQ(result.trace->steps.size(), result.bound + 1);
      EXPECT_TRUE(system::replay(system, *result.trace).reaches(bad));
      EXPECT_GE(result.bound, *first);
      break;
    case Verdict::Unknown:
      EXPECT_FALSE(is_complete) << result.engine << ": " << result.reason;
      break;
  }
}

TEST(RandomSystems, BmcSplitBmcKInductionModesAndAbcAgreeWithTheEnumerationOfAllStates) {
  const bool has_abc = find_program("berkeley-abc").has_value();
  static const char* const kScripts[] = {"pdr",
                                         "scl; scorr; dc2; balance; pdr",
                                         "int",
                                         "balance; rewrite; refactor; int",
                                         "ssweep -r; pdr",
                                         "retime; pdr",
                                         "scl; dprove",
                                         "ind; pdr",
                                         "scorr; int",
                                         "lcorr; scl -m; retime -M 3; balance; dprove"};
  std::size_t number = 0;
  std::size_t decided = 0;
  for (const System& system : small_systems(test::effort(80))) {
    SCOPED_TRACE(number);
    const ExplicitStates truth(system);
    const std::size_t bad = number % system.bads().size();
    const Budget budget = Budget().with_timeout(20s);

    const Result bounded = bmc(system, bad, budget, {.max_bound = 12});
    expect_true(system, bad, truth, bounded, false);
    if (bounded.verdict == Verdict::Violated) {
      EXPECT_EQ(bounded.bound, *truth.first_step(bad));
    } else if (bounded.verdict == Verdict::HoldsUpTo) {
      EXPECT_EQ(bounded.bound, 12U);
    }
    expect_true(system, bad, truth, k_induction(system, bad, budget), true);
    expect_true(system, bad, truth, prove_by_modes(system, bad, budget), false);
    expect_true(system, bad, truth, bmc_split(system, bad, budget, {.bmc = {.max_bound = 12}, .max_bits = 3}), false);
    if (has_abc) {
      AbcProveOptions options;
      options.script = kScripts[number % std::size(kScripts)];
      const Result by_abc = abc_prove(system, bad, budget, options);
      expect_true(system, bad, truth, by_abc, false);
      decided += by_abc.verdict != Verdict::Unknown;
    }
    ++number;
  }
  if (has_abc) {
    EXPECT_GE(decided, number - number / 50);
  }
}

TEST(RandomSystems, ProgramsWithControlAndFreeParametersAreDecidedAsByEnumeration) {
  std::size_t holds = 0;
  std::size_t split_decides = 0;
  std::size_t paths_decide = 0;
  for (std::uint64_t seed = 1; seed <= test::effort(60); ++seed) {
    SCOPED_TRACE(seed);
    const System system = small_program(seed);
    const ExplicitStates truth(system);
    const Budget budget = Budget().with_timeout(20s);
    const Result bounded = bmc(system, 0, budget, {.max_bound = 40});
    expect_true(system, 0, truth, bounded, false);
    if (truth.first_step(0)) {
      EXPECT_EQ(bounded.verdict, Verdict::Violated);
      EXPECT_EQ(bounded.bound, *truth.first_step(0));
    }
    expect_true(system, 0, truth, k_induction(system, 0, budget), true);
    expect_true(system, 0, truth, prove_by_modes(system, 0, budget), false);
    const Result split = bmc_split(system, 0, budget, {.bmc = {.max_bound = 40}, .max_bits = 9, .threads = 2});
    expect_true(system, 0, truth, split, false);
    if (truth.first_step(0)) {
      EXPECT_NE(split.verdict, Verdict::HoldsUpTo);
    }
    const Result by_path = path_bmc(system, 0, budget, {.max_bound = 40});
    expect_true(system, 0, truth, by_path, false);
    paths_decide += is_final(by_path.verdict);
    holds += !truth.first_step(0);
    split_decides += is_final(split.verdict);
  }
  EXPECT_GT(holds, 10U);
  EXPECT_LT(holds, 100U);
  EXPECT_GT(split_decides, 10U);
  EXPECT_GT(paths_decide, 10U);
}

}  // namespace
}  // namespace plumb::prove
