#include <gtest/gtest.h>

#include <random>

#include "prove/certificate.h"
#include "unit/prove/explicit_states.h"
#include "unit/prove/guess_programs.h"
#include "unit/system/random_system.h"

namespace plumb::prove {
namespace {

using namespace std::chrono_literals;

/// What the engine says, against the truth; true if it decides.
bool agrees(const System& system, std::size_t bad) {
  const ExplicitStates truth(system);
  const Result result = guess_invariants(system, bad, Budget().with_timeout(20s));
  const auto first = truth.first_step(bad);
  if (is_proof(result.verdict)) {
    EXPECT_FALSE(first);
    EXPECT_EQ(result.verdict == Verdict::Vacuous, truth.is_vacuous());
    const Check check = check_certificate(system, bad, *result.certificate, Budget().with_timeout(20s));
    EXPECT_TRUE(check.is_confirmed()) << check.reason;
  } else if (result.verdict == Verdict::Violated) {
    EXPECT_TRUE(first);
    EXPECT_TRUE(system::replay(system, *result.trace).reaches(bad));
  } else {
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    return false;
  }
  return true;
}

/// Loops over a few words of three bits, with assignments, comparisons and an assertion of all kinds.
System random_program(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t bound) { return random() % bound; };
  GraphProgram p(3);
  auto& s = p.store();
  std::vector<term::Term> words = {p.parameter("n"), p.variable("x", below(3)), p.variable("y", below(3))};
  const term::Term flag = p.flag("b", below(2) == 0);
  const auto word = [&]() -> term::Term { return words[below(words.size())]; };
  const auto operand = [&] { return below(3) == 0 ? p.number(below(8)) : word(); };
  const auto condition = [&]() -> term::Term {
    switch (below(6)) {
      case 0:
        return s.ult(word(), operand());
      case 1:
        return s.slt(word(), operand());
      case 2:
        return s.distinct(word(), operand());
      case 3:
        return flag;
      case 4:
        return s.ule(operand(), word());
      default:
        return s.eq(s.add(words[1], words[2]), operand());
    }
  };
  const auto value = [&]() -> term::Term {
    switch (below(5)) {
      case 0:
        return operand();
      case 1:
        return s.sub(word(), p.number(1));
      case 2:
        return s.add(word(), operand());
      default:
        return s.add(word(), p.number(1 + below(2)));
    }
  };
  const GraphProgram::Label last = 4;
  for (GraphProgram::Label label = 0; label < last; ++label) {
    GraphProgram::Step step;
    const std::uint64_t target = 1 + below(2);
    if (below(3) != 0) step.assignments.emplace_back(words[target], value());
    if (below(3) == 0) step.assignments.emplace_back(words[3 - target], value());
    if (below(4) == 0) step.assignments.emplace_back(flag, condition());
    const term::Term guard = below(4) == 0 ? p.coin() : condition();
    step.targets = {{guard, static_cast<GraphProgram::Label>(below(last + 1))}, {{}, label + 1}};
    if (below(4) == 0) step.check = s.bit_or(condition(), condition());
    p.add(step);
  }
  p.add({.check = s.bit_or(condition(), s.bit_or(condition(), condition()))});
  return p.make();
}

TEST(GuessRandom, ProgramsAreDecidedAsByTheEnumerationOfAllStates) {
  std::size_t decided = 0;
  std::size_t looked_at = 0;
  for (std::uint64_t seed = 1; looked_at < 250; ++seed) {
    SCOPED_TRACE(seed);
    const System system = random_program(seed);
    if (ExplicitStates::bits(system) > 13) continue;
    ++looked_at;
    decided += agrees(system, 0);
  }
  EXPECT_GT(decided, looked_at / 2);
}

TEST(GuessRandom, SystemsOfAllKindsAreDecidedAsByTheEnumerationOfAllStates) {
  system::RandomSystem::Shape shape;
  shape.max_index_width = 1;
  std::size_t looked_at = 0;
  std::size_t decided = 0;
  for (std::uint64_t seed = 1; looked_at < 300; ++seed) {
    SCOPED_TRACE(seed);
    shape.max_width = static_cast<std::uint32_t>(1 + seed % 4);
    shape.operators = 6 + seed % 12;
    const System system = system::RandomSystem(seed * 4241, shape).make();
    if (ExplicitStates::bits(system) > 8) continue;
    ++looked_at;
    decided += agrees(system, seed % system.bads().size());
  }
  EXPECT_GT(decided, looked_at / 2);
}

}  // namespace
}  // namespace plumb::prove
