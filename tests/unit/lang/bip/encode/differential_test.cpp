// The systems of every engine against Run, state by state and as whole graphs.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "models.h"
#include "system/trace.h"
#include "walk.h"

namespace plumb::bip {
namespace {

using walk::States;
using walk::View;

std::vector<Run> start(const Model& model, const Encoding& encoding, View& view) {
  std::vector<std::optional<std::int64_t>> initial(model.variables.size());
  for (VariableId v = 0; v < encoding.initial.size(); ++v)
    if (encoding.initial[v]) {
      const BitVector bits = view.simulator().bits(encoding.system.states()[*encoding.initial[v]].variable);
      initial[v] = static_cast<std::int64_t>(bits.to_uint64());
    }
  return walk::settle_all({Run(model, initial)});
}

/// The run among `runs` that is in the state that the view shows.
const Run* find(const std::vector<Run>& runs, const View& view) {
  const auto found = std::ranges::find(runs, view.state(), &Run::state);
  return found == runs.end() ? nullptr : &*found;
}

void follow(const Model& model, const Encoding& encoding, const system::Trace& trace, std::size_t& interactions) {
  View view(model, encoding);
  view.simulator().reset(trace.initial);
  std::vector<Run> possible;
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    view.simulator().play(trace, k);
    if (k == 0) possible = start(model, encoding, view);
    if (!view.is_visible()) continue;
    const Run* run = find(possible, view);
    ASSERT_NE(run, nullptr) << "step " << k << " is in a state that the model cannot be in";
    const std::vector<InteractionId> fired = view.fired();
    ASSERT_EQ(fired.empty(), run->is_deadlocked()) << "step " << k;
    std::vector<Run> next = {*run};
    for (const InteractionId interaction : fired) {
      std::vector<Run> behind;
      for (const Run& before : next) {
        const std::vector<InteractionId> choices = before.choices();
        ASSERT_TRUE(std::ranges::binary_search(choices, interaction)) << "step " << k;
        std::ranges::copy(walk::fire_all(model, before, interaction), std::back_inserter(behind));
      }
      next = walk::settle_all(behind);
      ++interactions;
    }
    possible = std::vector<Run>(next);
  }
}

TEST(Differential, RandomRunsAreRunsOfTheModel) {
  for (const auto& [name, text, bits] : models::kAll)
    for (const Engine engine : walk::kEngines) {
      const Model model = models::read(text, bits + 1);
      const Encoding encoding = encode(model, {}, engine);
      std::size_t interactions = 0;
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(fmt::format("{}, engine {}, seed {}", name, static_cast<int>(engine), seed));
        follow(model, encoding, system::random_run(encoding.system, seed, 60).trace, interactions);
      }
      EXPECT_GT(interactions, 20U) << name;
    }
}

TEST(Differential, TheParallelEngineFiresSeveralAtOnce) {
  const Model model = models::read(models::kRings);
  const Encoding encoding = encode(model, {}, Engine::Parallel);
  View view(model, encoding);
  std::size_t most = 0;
  const system::RandomRun run = system::random_run(encoding.system, 1, 200);
  view.simulator().reset(run.trace.initial);
  for (std::size_t k = 0; k < run.trace.steps.size(); ++k) {
    view.simulator().play(run.trace, k);
    if (view.is_visible()) most = std::max(most, view.fired().size());
  }
  EXPECT_EQ(most, 3U);
}

/// All values of all variables of these widths, one after the other; false when they are over.
bool advance(std::vector<std::uint64_t>& values, const std::vector<std::uint32_t>& widths) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (++values[i] < (std::uint64_t{1} << widths[i])) return true;
    values[i] = 0;
  }
  return false;
}

using Graph = std::map<State, States, walk::Less>;  ///< of visible states

/// The initial states are the successors of an empty one.
Graph graph_of(const Model& model) {
  Graph graph;
  const std::vector<VariableId> free = free_variables(model);
  std::vector<std::uint32_t> widths;
  for (const VariableId v : free) widths.push_back(model.variables[v].type == Type::Bool ? 1 : model.bits);
  std::vector<std::uint64_t> values(free.size());
  std::vector<Run> left;
  do {
    std::vector<std::optional<std::int64_t>> initial(model.variables.size());
    for (std::size_t i = 0; i < free.size(); ++i) initial[free[i]] = static_cast<std::int64_t>(values[i]);
    std::ranges::copy(walk::settle_all({Run(model, initial)}), std::back_inserter(left));
  } while (advance(values, widths));
  for (const Run& run : left) graph[State{}].insert(run.state());
  while (!left.empty()) {
    const Run run = left.back();
    left.pop_back();
    if (graph.contains(run.state())) continue;
    States& successors = graph[run.state()];
    for (const InteractionId interaction : run.choices())
      for (const Run& behind : walk::settle_all(walk::fire_all(model, run, interaction))) {
        successors.insert(behind.state());
        left.push_back(behind);
      }
    if (run.is_deadlocked()) successors.insert(run.state());
  }
  return graph;
}

/// Enumerates the states of a system with all their inputs.
class SystemGraph {
 public:
  SystemGraph(const Model& model, const Encoding& encoding) : encoding_(encoding), view_(model, encoding) {
    for (const system::Term input : system().inputs()) input_widths_.push_back(system().store().width(input));
    for (std::size_t i = 0; i < system().states().size(); ++i) {
      widths_.push_back(system().store().width(system().states()[i].variable));
      if (!system().states()[i].init) free_.push_back(i);
    }
  }

  Graph make() {
    std::vector<std::uint32_t> free_widths;
    for (const std::size_t i : free_) free_widths.push_back(widths_[i]);
    std::vector<std::uint64_t> values(free_.size());
    do {
      std::vector<std::optional<system::Value>> initial(widths_.size());
      for (std::size_t i = 0; i < free_.size(); ++i) initial[free_[i]] = BitVector(free_widths[i], values[i]);
      view_.simulator().reset(initial);
      explore(State{}, snapshot());
    } while (advance(values, free_widths));
    while (!left_.empty()) {
      const std::vector<std::uint64_t> state = left_.back();
      left_.pop_back();
      step_from_visible(state);
    }
    return std::move(graph_);
  }

 private:
  const system::System& system() const { return encoding_.system; }
  std::vector<std::uint64_t> snapshot() {
    view_.simulator().evaluate();
    std::vector<std::uint64_t> values;
    // States without next are read in initial values alone.
    for (const system::State& state : system().states())
      values.push_back(state.next ? view_.simulator().bits(state.variable).to_uint64() : 0);
    return values;
  }
  void restore(const std::vector<std::uint64_t>& state, const std::vector<std::uint64_t>& inputs) {
    for (std::size_t i = 0; i < state.size(); ++i) view_.simulator().set_state(i, BitVector(widths_[i], state[i]));
    for (std::size_t i = 0; i < inputs.size(); ++i)
      view_.simulator().set_input(i, BitVector(input_widths_[i], inputs[i]));
    view_.simulator().evaluate();
  }
  std::set<std::vector<std::uint64_t>> successors(const std::vector<std::uint64_t>& state) {
    std::set<std::vector<std::uint64_t>> result;
    std::vector<std::uint64_t> inputs(input_widths_.size());
    do {
      restore(state, inputs);
      view_.simulator().step();
      result.insert(snapshot());
    } while (advance(inputs, input_widths_));
    return result;
  }
  /// To the visible states behind `state`, which are successors of the visible state `from`.
  void explore(const State& from, const std::vector<std::uint64_t>& state) {
    std::vector<std::vector<std::uint64_t>> left = {state};
    std::set<std::vector<std::uint64_t>> seen;
    while (!left.empty()) {
      const std::vector<std::uint64_t> now = left.back();
      left.pop_back();
      if (!seen.insert(now).second) continue;
      restore(now, std::vector<std::uint64_t>(input_widths_.size()));
      if (view_.is_visible()) {
        graph_[from].insert(view_.state());
        if (visible_.insert(now).second) left_.push_back(now);
      } else {
        std::ranges::copy(successors(now), std::back_inserter(left));
      }
    }
  }
  void step_from_visible(const std::vector<std::uint64_t>& state) {
    restore(state, std::vector<std::uint64_t>(input_widths_.size()));
    const State from = view_.state();
    graph_[from];
    for (const std::vector<std::uint64_t>& next : successors(state)) explore(from, next);
  }

  const Encoding& encoding_;
  View view_;
  std::vector<std::uint32_t> input_widths_;
  std::vector<std::uint32_t> widths_;
  std::vector<std::size_t> free_;
  std::set<std::vector<std::uint64_t>> visible_;
  std::vector<std::vector<std::uint64_t>> left_;
  Graph graph_;
};

TEST(Differential, TheGraphsOfVisibleStatesAreEqual) {
  for (const auto& [name, text, bits] : models::kAll) {
    const Model model = models::read(text, bits);
    const Graph expected = graph_of(model);
    EXPECT_GT(expected.size(), 4U) << name;
    for (const Engine engine : walk::kEngines) {
      SCOPED_TRACE(fmt::format("{}, engine {}", name, static_cast<int>(engine)));
      const Encoding encoding = encode(model, {}, engine);
      const Graph graph = SystemGraph(model, encoding).make();
      ASSERT_EQ(graph.size(), expected.size());
      for (const auto& [state, successors] : graph) {
        const auto there = expected.find(state);
        ASSERT_NE(there, expected.end());
        if (engine != Engine::Parallel)
          EXPECT_EQ(successors, there->second);
        else
          EXPECT_TRUE(std::ranges::includes(successors, there->second, walk::Less{}));
      }
    }
  }
}

TEST(Differential, InitializedVariablesStartWithZero) {
  const Model model = models::read(models::kFree, 2, true);
  const Graph expected = graph_of(model);
  EXPECT_EQ(expected.at(State{}).size(), 1U);
  for (const Engine engine : walk::kEngines) {
    const Encoding encoding = encode(model, {}, engine);
    EXPECT_EQ(SystemGraph(model, encoding).make(), expected);
  }
}

}  // namespace
}  // namespace plumb::bip
