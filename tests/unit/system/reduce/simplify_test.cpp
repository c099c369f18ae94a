#include "system/reduce/simplify.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <random>
#include <set>

#include "system/encode_cut_points.h"
#include "system/graph_run.h"
#include "unit/system/graph_interpreter.h"
#include "unit/system/random_control_graph.h"
#include "unit/system/random_value.h"

namespace plumb::system {
namespace {

using term::Sort;
using term::Term;
using term::Value;

/// What a graph starts with and is given.
struct Choices {
  std::vector<std::optional<Value>> initial;
  std::vector<std::deque<Value>> inputs;
};

Choices random_choices(const ControlGraph& graph, std::size_t count, std::mt19937_64& random) {
  Choices choices;
  for (const ControlGraph::Variable& variable : graph.variables)
    choices.initial.push_back(random_value(graph.store().sort(variable.term), random));
  for (const Term input : graph.inputs) {
    std::deque<Value>& values = choices.inputs.emplace_back();
    for (std::size_t i = 0; i < count; ++i) values.push_back(random_value(graph.store().sort(input), random));
  }
  return choices;
}

/// How a run went: the properties that failed in the order of their first failure.
struct Course {
  std::vector<std::size_t> failed;
  bool has_ended = false;
  bool is_starved = false;
};

Course follow(const ControlGraph& graph, Choices choices, const std::vector<bool>& wanted, std::size_t steps) {
  Course course;
  GraphRun run(
      graph,
      [&](std::size_t input) -> Value {
        std::deque<Value>& left = choices.inputs[input];
        if (left.empty()) {
          course.is_starved = true;
          return term::zero_value(graph.store().sort(graph.inputs[input]));
        }
        Value value = left.front();
        left.pop_front();
        return value;
      },
      choices.initial);
  std::set<std::size_t> seen;
  for (std::size_t i = 0; i < steps && run.step(); ++i) {
    if (course.is_starved) return course;
    for (const std::size_t property : run.failed())
      if (wanted[property] && seen.insert(property).second) course.failed.push_back(property);
  }
  course.has_ended = run.has_ended();
  return course;
}

TEST(GraphRun, DoesWhatAnInterpreterOfTheGraphDoes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    const ControlGraph graph = RandomControlGraph(seed).make();
    std::mt19937_64 random(seed);
    Choices choices = random_choices(graph, 100, random);
    GraphInterpreter interpreter(graph);
    interpreter.choices() = choices.inputs;
    for (std::size_t v = 0; v < graph.variables.size(); ++v) {
      const ControlGraph::Variable& variable = graph.variables[v];
      term::Evaluator evaluator(graph.store(), interpreter.values());
      interpreter.values()[variable.term] = variable.init ? evaluator.value(variable.init) : *choices.initial[v];
    }
    GraphRun run(
        graph,
        [&](std::size_t input) {
          Value value = choices.inputs[input].front();
          choices.inputs[input].pop_front();
          return value;
        },
        choices.initial);
    for (int i = 0; i < 60 && !interpreter.has_ended(); ++i) {
      interpreter.forget_failures();
      interpreter.execute();
      ASSERT_TRUE(run.step());
      std::vector<std::size_t> failed;
      for (const auto& [label, check] : interpreter.failures())
        failed.push_back(graph.statements[label].checks[check].property);
      ASSERT_EQ(run.failed(), failed);
      ASSERT_EQ(run.has_ended(), interpreter.has_ended());
      for (std::size_t v = 0; v < graph.variables.size(); ++v)
        ASSERT_EQ(run.value(v), interpreter.values().at(graph.variables[v].term));
    }
  }
}

/// Runs that end fail the same properties in both graphs. A run that does not, as far as it is followed, fails no
/// property that it does not fail in the simplified graph; if loops are kept, the other way round as well.
void expect_same_failures(std::uint64_t seed, const ControlGraph& graph, const ControlGraph& simplified, Loops loops,
                          const std::vector<bool>& wanted) {
  std::mt19937_64 random(seed);
  for (int round = 0; round < 5; ++round) {
    const Choices choices = random_choices(graph, 4000, random);
    const Course whole = follow(graph, choices, wanted, 300);
    const Course part = follow(simplified, choices, wanted, 600);
    if (whole.is_starved || part.is_starved) continue;
    if (loops == Loops::MayBeEndless) {
      const Course prefix = follow(simplified, choices, wanted, 20);
      const Course longer = follow(graph, choices, wanted, 4000);
      for (const std::size_t property : prefix.failed)
        EXPECT_TRUE(longer.is_starved || std::ranges::count(longer.failed, property) == 1) << "property " << property;
    }
    if (whole.has_ended) {
      EXPECT_EQ(std::set(part.failed.begin(), part.failed.end()), std::set(whole.failed.begin(), whole.failed.end()));
    } else {
      for (const std::size_t property : whole.failed)
        EXPECT_TRUE(std::ranges::count(part.failed, property) == 1) << "property " << property;
    }
  }
}

TEST(Simplify, KeepsWhichPropertiesFailInRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    const ControlGraph graph = RandomControlGraph(seed).make();
    SimplifyOptions options{{}, seed % 2 == 0 ? Loops::End : Loops::MayBeEndless, 500};
    std::vector<bool> wanted(graph.properties.size(), false);
    for (std::size_t p = 0; p < wanted.size(); ++p) {
      if ((seed + p) % 3 == 0) continue;
      options.properties.push_back(p);
      wanted[p] = true;
    }
    const ControlGraph simplified = simplify(graph, options, Budget());
    ASSERT_EQ(simplified.problems(), std::vector<std::string>());
    expect_same_failures(seed, graph, simplified, options.loops, wanted);
  }
}

/// A graph that is written statement by statement.
class SimplifyTest : public testing::Test {
 protected:
  Term variable(std::uint32_t width, std::optional<std::uint64_t> init, const std::string& name) {
    const Term made = store().variable(width, name);
    graph_.variables.push_back({made, init ? store().constant(width, *init) : Term{}, 0, true});
    return made;
  }
  Term array(std::uint32_t width, std::uint32_t index_width, const std::string& name) {
    const Term made = store().variable(Sort{width, index_width}, name);
    graph_.variables.push_back({made, {}, std::uint64_t{1} << index_width, true});
    return made;
  }
  ControlGraph::Statement& statement() { return graph_.statements.emplace_back(); }
  Term always() { return store().boolean(true); }
  term::TermStore& store() { return graph_.store(); }
  ControlGraph simplified() {
    SimplifyOptions options;
    for (std::size_t p = 0; p < graph_.properties.size(); ++p) options.properties.push_back(p);
    return simplify(graph_, options, Budget());
  }
  static std::size_t reachable(const ControlGraph& graph) { return control_flow(graph).order.size(); }

  ControlGraph graph_;
};

TEST_F(SimplifyTest, ExecutesALoopThatInitialisesAnArrayBehindAnInput) {
  graph_.properties = {"p"};
  const Term n = variable(8, {}, "n");
  const Term i = variable(8, {}, "i");
  const Term a = array(8, 4, "a");
  const Term input = store().variable(8, "in");
  graph_.inputs = {input};
  statement().assignments = {{n, input}, {i, store().zero(8)}};
  graph_.statements[0].targets = {{always(), 1}};
  // 1: while (i < 16) a[i] = 2 * i, i++;
  statement().targets = {{store().ult(i, store().constant(8, 16)), 2}, {always(), 3}};
  statement().assignments = {{a, store().store(a, store().extract(i, 3, 0), store().add(i, i))},
                             {i, store().add(i, store().one(8))}};
  graph_.statements[2].targets = {{always(), 1}};
  // 3: assert(a[n & 15] != 31)
  statement().checks = {
      {store().distinct(store().select(a, store().extract(n, 3, 0)), store().constant(8, 31)), 0, {}}};
  const ControlGraph made = simplified();
  const ControlFlow flow = control_flow(made);
  EXPECT_TRUE(std::ranges::none_of(flow.order, [&](auto label) { return flow.is_loop_head[label]; }));
  EXPECT_EQ(made.problems(), std::vector<std::string>());
}

TEST_F(SimplifyTest, LeavesALoopThatItCannotFinishAsItWas) {
  graph_.properties = {"p"};
  const Term i = variable(32, 0, "i");
  statement().targets = {{store().ult(i, store().constant(32, 1'000'000'000)), 1}, {always(), 2}};
  statement().assignments = {{i, store().add(i, store().one(32))}};
  graph_.statements[1].targets = {{always(), 0}};
  statement().checks = {{store().eq(i, store().constant(32, 1'000'000'000)), 0, {}}};
  SimplifyOptions options{{0}, Loops::End, 1000};
  const ControlGraph made = simplify(graph_, options, Budget());
  EXPECT_TRUE(made.store().is_constant(made.variables[0].init));
  EXPECT_TRUE(made.store().value(made.variables[0].init).is_zero());
  EXPECT_EQ(reachable(made), 3U);
}

TEST_F(SimplifyTest, LeavesOutALoopThatNoPropertyDependsOn) {
  graph_.properties = {"p"};
  const Term x = variable(8, {}, "x");
  const Term i = variable(8, {}, "i");
  statement().targets = {{store().ult(i, store().constant(8, 10)), 1}, {always(), 2}};
  statement().assignments = {{i, store().add(i, store().one(8))}};
  graph_.statements[1].targets = {{always(), 0}};
  statement().checks = {{store().distinct(x, store().constant(8, 3)), 0, {}}};
  EXPECT_EQ(reachable(simplified()), 2U);
}

TEST_F(SimplifyTest, KeepsAnEndlessLoopWhoseOnlyExitIsTheFailingCheck) {
  graph_.properties = {"p"};
  const Term x = variable(8, {}, "x");
  const Term input = store().variable(8, "in");
  graph_.inputs = {input};
  // 0: while (1) { if (x == 3) error; x = in & 2; }
  statement().targets = {{store().eq(x, store().constant(8, 3)), 2}, {always(), 1}};
  statement().assignments = {{x, store().bit_and(input, store().constant(8, 2))}};
  graph_.statements[1].targets = {{always(), 0}};
  statement().checks = {{store().boolean(false), 0, {}}};
  EXPECT_EQ(reachable(simplify(graph_, {{0}, Loops::MayBeEndless}, Budget())), 3U);
  EXPECT_EQ(reachable(simplify(graph_, {{0}, Loops::End}, Budget())), 2U);
}

TEST_F(SimplifyTest, KeepsTheBranchThatEndsARunBeforeTheCheck) {
  graph_.properties = {"p"};
  const Term x = variable(8, {}, "x");
  const Term y = variable(8, {}, "y");
  statement().targets = {{store().eq(y, store().zero(8)), 1}, {always(), 2}};
  statement().checks = {{store().distinct(x, store().constant(8, 3)), 0, {}}};
  statement();
  EXPECT_EQ(reachable(simplified()), 3U);
}

}  // namespace
}  // namespace plumb::system
