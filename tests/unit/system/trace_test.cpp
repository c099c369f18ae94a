#include "system/trace.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "random_system.h"

namespace plumb::system {
namespace {

/// Counts up by an input of at most two; bad at 7. `start` is chosen.
System counter() {
  System system;
  TermStore& s = system.store();
  const Term start = system.add_state({4, 0}, "start");
  const Term x = system.add_state({4, 0}, "x");
  const Term step = system.add_input({4, 0}, "step");
  system.set_next(0, start);
  system.set_init(1, start);
  system.set_next(1, s.add(x, step));
  system.add_constraint(s.ult(step, s.constant(4, 3)), "small steps");
  system.add_bad(s.eq(x, s.constant(4, 7)), "seven");
  system.add_bad(s.eq(x, s.constant(4, 15)), "fifteen");
  return system;
}

Trace counting(std::uint64_t start, const std::vector<std::uint64_t>& steps) {
  Trace trace;
  trace.initial.emplace_back(BitVector(4, start));
  for (const std::uint64_t step : steps) trace.steps.push_back({{BitVector(4, step)}, {}});
  return trace;
}

TEST(Replay, SaysWhichBadIsReachedInWhichStep) {
  const Replay replayed = replay(counter(), counting(3, {2, 2, 1, 2}));
  ASSERT_EQ(replayed.reached.size(), 1U);
  EXPECT_EQ(replayed.reached[0].bad, 0U);
  EXPECT_EQ(replayed.reached[0].step, 2U);
  EXPECT_FALSE(replayed.violation);
  EXPECT_TRUE(replayed.reaches(0));
  EXPECT_FALSE(replayed.reaches(1));
}

TEST(Replay, DoesNotCountABadBehindAViolatedConstraint) {
  const Replay replayed = replay(counter(), counting(3, {4, 0}));
  EXPECT_TRUE(replayed.reached.empty());
  ASSERT_TRUE(replayed.violation);
  EXPECT_EQ(replayed.violation->step, 0U);
  EXPECT_EQ(replayed.violation->constraint, 0U);
  // In the step of the violation itself neither.
  EXPECT_TRUE(replay(counter(), counting(7, {5})).reached.empty());
  EXPECT_FALSE(replay(counter(), counting(7, {2})).reached.empty());
}

TEST(Replay, TakesWhatIsMissingForZero) {
  Trace trace;
  trace.steps.resize(3);
  EXPECT_TRUE(replay(counter(), trace).reached.empty());
  EXPECT_FALSE(replay(counter(), trace).violation);
}

TEST(RandomRun, IsTheSameForTheSameSeedAndSatisfiesConstraints) {
  const System system = counter();
  EXPECT_EQ(random_run(system, 5, 20).trace, random_run(system, 5, 20).trace);
  EXPECT_NE(random_run(system, 5, 20).trace, random_run(system, 6, 20).trace);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const System random_system = RandomSystem(seed).make();
    const RandomRun run = random_run(random_system, seed, 20);
    const Replay replayed = replay(random_system, run.trace);
    EXPECT_FALSE(replayed.violation) << seed;
    EXPECT_EQ(replayed.reached.size(), run.replay.reached.size()) << seed;
    EXPECT_EQ(run.is_stuck, run.trace.steps.size() < 20) << seed;
  }
}

TEST(RandomRun, SaysThatItIsStuck) {
  System system;
  const Term x = system.add_state({8, 0}, "x");
  system.set_init(0, system.store().zero(8));
  system.set_next(0, system.store().add(x, system.store().one(8)));
  system.add_constraint(system.store().ult(x, system.store().constant(8, 4)), "below four");
  const RandomRun run = random_run(system, 1, 10);
  EXPECT_TRUE(run.is_stuck);
  EXPECT_EQ(run.trace.steps.size(), 4U);
}

TEST(Witness, RoundTripMakesTheSameRun) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const System system = RandomSystem(seed).make();
    const Trace trace = random_trace(system, seed, 5);
    const Trace read = read_witness(system, write_witness(system, trace), "w");
    ASSERT_EQ(reference_run(system, read), reference_run(system, trace)) << seed;
  }
}

TEST(Witness, IsWrittenAsOtherToolsWriteIt) {
  EXPECT_EQ(write_witness(counter(), counting(6, {1, 0})),
            "sat\nb0\n#0\n0 0110 start#0\n@0\n0 0001 step@0\n#1\n@1\n0 0000 step@1\n.\n");
}

TEST(Witness, RefusesWhatDoesNotFitTheSystem) {
  const System system = counter();
  const auto message = [&](const std::string& text) {
    try {
      read_witness(system, text, "w");
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(message("").find("expected 'sat'"), std::string::npos);
  EXPECT_NE(message("unsat\n").find("w:1: error: expected 'sat', found 'unsat'"), std::string::npos);
  EXPECT_NE(message("sat\nb0\n#0\n").find("expected '.'"), std::string::npos);
  EXPECT_NE(message("sat\n#0\n9 0 x\n.\n").find("w:3: error: there is no state 9: the system has 2"),
            std::string::npos);
  EXPECT_NE(message("sat\n#0\n0 01 x\n.\n").find("expected 4 binary digits, found '01'"), std::string::npos);
  EXPECT_NE(message("sat\n@2\n.\n").find("expected frame 0, found '@2'"), std::string::npos);
  EXPECT_NE(message("sat\n0 0000\n.\n").find("expected '#0' or '@0'"), std::string::npos);
  EXPECT_NE(message("sat\nj0\n").find("justice"), std::string::npos);
}

}  // namespace
}  // namespace plumb::system
