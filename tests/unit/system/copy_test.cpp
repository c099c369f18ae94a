#include "system/copy.h"

#include <gtest/gtest.h>

#include "random_system.h"

namespace plumb::system {
namespace {

TEST(Copy, BehavesAsItsOriginal) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const System system = RandomSystem(seed).make();
    const System copied = copy(system);
    EXPECT_TRUE(copied.problems().empty());
    const Trace trace = random_trace(system, seed, 6);
    ASSERT_EQ(reference_run(copied, trace), reference_run(system, trace)) << seed;
    for (std::size_t i = 0; i < system.states().size(); ++i) EXPECT_EQ(copied.state_name(i), system.state_name(i));
  }
}

TEST(ConeOfInfluence, KeepsWhatABadNeedsThroughNextAndInit) {
  System system;
  TermStore& s = system.store();
  const Term seed = system.add_state({4, 0}, "seed");
  const Term counter = system.add_state({4, 0}, "counter");
  const Term other = system.add_state({4, 0}, "other");
  const Term step = system.add_input({4, 0}, "step");
  const Term noise = system.add_input({4, 0}, "noise");
  system.set_init(1, seed);
  system.set_next(1, s.add(counter, step));
  system.set_next(2, s.add(other, noise));
  system.add_wire(s.add(counter, step), "kept");
  system.add_wire(s.add(counter, other), "dropped");
  system.add_annotation({"text", counter, {{BitVector(4, 1), "one"}}});
  system.add_bad(s.eq(other, s.ones(4)), "other is full");
  system.add_bad(s.eq(counter, s.ones(4)), "counter is full");
  const Part part = cone_of_influence(system, std::vector<std::size_t>{1});
  EXPECT_TRUE(part.system.problems().empty());
  EXPECT_EQ(part.states, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(part.inputs, (std::vector<std::size_t>{0}));
  EXPECT_EQ(part.bads, (std::vector<std::size_t>{1}));
  ASSERT_EQ(part.system.wires().size(), 1U);
  EXPECT_EQ(part.system.wires()[0].name, "kept");
  EXPECT_EQ(part.system.annotations().size(), 1U);
  EXPECT_EQ(cone_of_influence(system).states.size(), 3U);
}

TEST(ConeOfInfluence, ReachesTheSameBadsInTheSameSteps) {
  std::size_t smaller = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const System system = RandomSystem(seed).make();
    const Part part = cone_of_influence(system);
    EXPECT_TRUE(part.system.problems().empty());
    if (part.system.states().size() < system.states().size()) ++smaller;
    const Trace trace = random_trace(part.system, seed, 8);
    const Replay in_part = replay(part.system, trace);
    const Replay in_whole = replay(system, part.widened(trace));
    ASSERT_EQ(in_part.reached.size(), in_whole.reached.size()) << seed;
    for (std::size_t i = 0; i < in_part.reached.size(); ++i) {
      EXPECT_EQ(in_part.reached[i].bad, in_whole.reached[i].bad);
      EXPECT_EQ(in_part.reached[i].step, in_whole.reached[i].step);
    }
    EXPECT_EQ(in_part.violation.has_value(), in_whole.violation.has_value());
  }
  EXPECT_GT(smaller, 20U);
}

}  // namespace
}  // namespace plumb::system
