#include "lang/tiny/subject.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/lang/tiny/random_program.h"

namespace plumb::tiny {
namespace {

Options bits(std::uint32_t width) {
  Options options;
  options.int_width = width;
  return options;
}

std::size_t property(const Subject& subject, const std::string& name) {
  for (const std::size_t bad : subject.properties()) {
    if (subject.property_name(bad) == name) return bad;
  }
  ADD_FAILURE() << "no property " << name;
  return 0;
}

/// A random trace that reaches the bad.
system::Trace counterexample(const Subject& subject, std::size_t bad) {
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    system::RandomRun run = system::random_run(subject.system(), seed, 200);
    if (run.replay.reaches(bad)) return run.trace;
  }
  ADD_FAILURE() << "no run reaches " << subject.property_name(bad);
  return {};
}

const VariableValue& input(const Counterexample& counterexample, const std::string& name) {
  for (const VariableValue& value : counterexample.inputs) {
    if (value.name == name) return value;
  }
  ADD_FAILURE() << "no input " << name;
  static const VariableValue none{"", false, false, {0}};
  return none;
}

const std::string kAdd =
    "class test {\n int x;\n int y;\n void main() {\n  int z;\n  @pre add { x > 0 && y > 0; }\n"
    "  z = x + y;\n  @post add { z > x && z > y; }\n }\n};\n";

TEST(Subject, CounterexampleHasTheInputsThatMakeTheProgramFail) {
  const Subject subject = make_subject(kAdd, "add.c", bits(4));
  const std::size_t bad = property(subject, "postcondition add");
  const Counterexample found = explain(subject, bad, counterexample(subject, bad));
  EXPECT_EQ(found.failure.kind, "postcondition");
  EXPECT_EQ(found.failure.name, "add");
  EXPECT_EQ(found.failure.place.line, 8U);
  const std::uint64_t x = input(found, "x").values[0];
  const std::uint64_t y = input(found, "y").values[0];
  EXPECT_GT(x, 0U);
  EXPECT_GT(y, 0U);
  EXPECT_GT(x + y, 15U);
  EXPECT_EQ(found.outcome.end, Outcome::End::Failed);
}

TEST(Subject, CounterexampleToAPropertyMayPassOtherFailures) {
  const Subject subject = make_subject(kAdd, "add.c", bits(4));
  const std::size_t overflow = property(subject, "overflow");
  const Counterexample found = explain(subject, overflow, counterexample(subject, overflow));
  EXPECT_EQ(found.failure.kind, "overflow");
  EXPECT_EQ(found.failure.place.line, 7U);
}

TEST(Subject, TraceThatDoesNotReachTheBadIsNoCounterexample) {
  const Subject subject = make_subject(kAdd, "add.c", bits(4));
  system::Trace zeros;
  zeros.steps.resize(10);
  EXPECT_THROW(explain(subject, property(subject, "overflow"), zeros), InternalError);
}

TEST(Subject, DisagreementOfSystemAndProgramIsAnInternalError) {
  Subject subject = make_subject(kAdd, "add.c", bits(4));
  const std::size_t bad = property(subject, "overflow");
  const system::Trace trace = counterexample(subject, bad);
  // As if the way from the source to the graph had changed the program.
  std::vector<Warning> warnings;
  subject.program = parse(
      "class test {\n int x;\n int y;\n void main() {\n  int z;\n  @pre add { x > 0 && y > 0; }\n"
      "  z = x | y;\n  @post add { z >= x && z >= y; }\n }\n};\n",
      "add.c", warnings);
  EXPECT_THROW(explain(subject, bad, trace), InternalError);
}

TEST(Subject, PropertiesLeaveOutTheCoverAndEndWithTheTerminationBound) {
  Options options = bits(4);
  options.encoding.termination_bound = 3;
  const Subject subject = make_subject(kAdd, "add.c", options);
  ASSERT_TRUE(subject.lowered.cover.has_value());
  const std::vector<std::size_t> properties = subject.properties();
  EXPECT_EQ(std::count(properties.begin(), properties.end(), *subject.lowered.cover), 0);
  EXPECT_EQ(properties.size() + 1, subject.system().bads().size());
  EXPECT_EQ(subject.property_name(properties.back()), "termination within 3 steps");
}

TEST(Subject, TerminationBoundThatIsPassedIsExplainedByTheSystemAlone) {
  Options options = bits(4);
  options.encoding.termination_bound = 3;
  const Subject subject = make_subject("void main() { while (true) { } }", "t.tiny", options);
  const std::size_t bad = subject.properties().back();
  const Counterexample found = explain(subject, bad, counterexample(subject, bad));
  EXPECT_EQ(found.failure.kind, "termination");
  EXPECT_EQ(found.outcome.end, Outcome::End::OutOfSteps);
}

TEST(Subject, CoverIsExplainedByARunThatFinishes) {
  const Subject subject = make_subject(kAdd, "add.c", bits(4));
  const std::size_t cover = *subject.lowered.cover;
  const Counterexample found = explain(subject, cover, counterexample(subject, cover));
  EXPECT_EQ(found.outcome.end, Outcome::End::Finished);
  EXPECT_EQ(found.failure.kind, "cover");
}

TEST(Subject, ChoicesOnTheWayAreGivenInTheirOrder) {
  const Subject subject = make_subject(
      "int s = 0; void main() { for (int i = 0; i < 3; i++) { int x; assume(x < 4);"
      " s = s * 4 + x; } assert(s != 27); }",
      "t.tiny", bits(8));
  const std::size_t bad = property(subject, "assertion at line 1");
  // 27 is the choices 1, 2, 3.
  const Counterexample found = [&] {
    system::Trace trace;
    trace.steps.resize(40);
    const auto position =
        static_cast<std::size_t>(std::find(subject.lowered.graph.inputs.begin(), subject.lowered.graph.inputs.end(),
                                           subject.lowered.choices.at("main::x")) -
                                 subject.lowered.graph.inputs.begin());
    const system::Encoding::Choice& choice = subject.encoding.choices[position];
    EXPECT_TRUE(choice.input.has_value());
    for (std::uint64_t order = 0; order < 64; ++order) {
      for (std::size_t k = 0; k < trace.steps.size(); ++k) {
        trace.steps[k].inputs.assign(subject.system().inputs().size(), std::nullopt);
        trace.steps[k].inputs[*choice.input] = BitVector(8, (order >> (2 * (k % 3))) & 3);
      }
      if (system::replay(subject.system(), trace).reaches(bad)) return explain(subject, bad, trace);
    }
    ADD_FAILURE() << "no order of the choices reaches the assertion";
    return Counterexample{};
  }();
  EXPECT_EQ(found.failure.kind, "assertion");
}

TEST(Subject, EveryFailureOfRandomRunsIsExplained) {
  std::size_t explained = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomProgram::Shape shape;
    shape.statements = 5;
    Options options = bits(4);
    options.array_size = 2;
    options.stack_size = 3;
    const Subject subject = make_subject(RandomProgram(seed, shape).make(), "t.tiny", options);
    const system::RandomRun run = system::random_run(subject.system(), seed, 150);
    for (const system::Replay::Reached& reached : run.replay.reached) {
      const Counterexample found = explain(subject, reached.bad, run.trace);
      EXPECT_EQ(found.step, reached.step);
      EXPECT_EQ(found.failure.kind, subject.lowered.properties[reached.bad].kind);
      ++explained;
    }
  }
  EXPECT_GT(explained, 60U);
}

}  // namespace
}  // namespace plumb::tiny
