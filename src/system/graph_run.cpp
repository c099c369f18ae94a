#include "system/graph_run.h"

#include <utility>

#include "base/error.h"
#include "system/encode_blocks.h"
#include "term/evaluator.h"

namespace plumb::system {

struct GraphRun::State {
  State(const ControlGraph& of, InputSource source)
      : graph(of), inputs(std::move(source)), read(of.statements.size()), evaluator(of.store(), values) {
    const std::vector<std::optional<Label>> readers = readers_of_inputs(graph);
    for (std::size_t i = 0; i < readers.size(); ++i)
      if (readers[i]) read[*readers[i]].push_back(i);
  }

  /// What an assignment makes of its variable; of an array that is changed in places, these alone.
  struct Change {
    Term variable;
    std::optional<term::Value> whole;
    std::vector<std::pair<BitVector, BitVector>> elements;  ///< the newest first
  };
  Change evaluate(const ControlGraph::Assignment& assignment);
  void apply(Change change);

  const ControlGraph& graph;
  InputSource inputs;
  std::vector<std::vector<std::size_t>> read;  ///< by label: positions of inputs
  term::Assignment values;                     ///< complete for the graph's variables
  term::Evaluator evaluator;
};

GraphRun::State::Change GraphRun::State::evaluate(const ControlGraph::Assignment& assignment) {
  const TermStore& store = graph.store();
  Change change{assignment.variable, {}, {}};
  static_cast<void>(evaluator.bits(assignment.value));
  if (store.is_array(assignment.value)) {
    Term t = assignment.value;
    while (store.op(t) == term::Op::Store || store.op(t) == term::Op::Ite) {
      if (store.op(t) == term::Op::Ite) {
        t = store.child(t, evaluator.is_true(store.child(t, 0)) ? 1 : 2);
        continue;
      }
      BitVector index = evaluator.bits(store.child(t, 1));
      change.elements.emplace_back(std::move(index), evaluator.bits(store.child(t, 2)));
      t = store.child(t, 0);
    }
    if (t == assignment.variable) return change;
    change.elements.clear();
  }
  change.whole = evaluator.value(assignment.value);
  return change;
}

void GraphRun::State::apply(Change change) {
  term::Value& value = values.at(change.variable);
  if (change.whole) {
    value = std::move(*change.whole);
    return;
  }
  for (auto element = change.elements.rbegin(); element != change.elements.rend(); ++element)
    std::get<term::ArrayValue>(value).elements.insert_or_assign(element->first, element->second);
}

GraphRun::GraphRun(const ControlGraph& graph, InputSource inputs,
                   const std::vector<std::optional<term::Value>>& initial)
    : state_(std::make_unique<State>(graph, std::move(inputs))), at_(graph.entry) {
  for (std::size_t v = 0; v < graph.variables.size(); ++v) {
    const ControlGraph::Variable& variable = graph.variables[v];
    if (variable.init) {
      state_->values[variable.term] = state_->evaluator.value(variable.init);
    } else if (v < initial.size() && initial[v]) {
      state_->values[variable.term] = *initial[v];
    } else {
      state_->values[variable.term] = term::zero_value(graph.store().sort(variable.term));
    }
  }
  state_->evaluator.clear();
}

GraphRun::~GraphRun() = default;

bool GraphRun::step() {
  failed_.clear();
  if (has_ended_) return false;
  State& state = *state_;
  const ControlGraph::Statement& statement = state.graph.statements[at_];
  for (const std::size_t input : state.read[at_]) state.values[state.graph.inputs[input]] = state.inputs(input);
  state.evaluator.clear();
  for (const ControlGraph::Check& check : statement.checks)
    if (!state.evaluator.is_true(check.condition)) failed_.push_back(check.property);
  std::optional<Label> next;
  for (const ControlGraph::Target& target : statement.targets) {
    if (!state.evaluator.is_true(target.condition)) continue;
    next = target.label;
    break;
  }
  std::vector<State::Change> changes;
  changes.reserve(statement.assignments.size());
  for (const ControlGraph::Assignment& assignment : statement.assignments)
    changes.push_back(state.evaluate(assignment));
  for (State::Change& change : changes) state.apply(std::move(change));
  has_ended_ = !next.has_value();
  if (next) at_ = *next;
  return true;
}

std::optional<std::size_t> GraphRun::run(const std::vector<bool>& wanted, const Budget& budget) {
  while (step()) {
    budget.check();
    for (const std::size_t property : failed_)
      if (wanted.empty() || wanted[property]) return property;
  }
  return std::nullopt;
}

const term::Value& GraphRun::value(std::size_t variable) const {
  return state_->values.at(state_->graph.variables[variable].term);
}

}  // namespace plumb::system
