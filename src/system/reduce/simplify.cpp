#include "system/reduce/simplify.h"

#include <algorithm>

#include "system/copy.h"
#include "system/encode_liveness.h"
#include "term/substitution.h"

namespace plumb::system {

using term::Term;
using Label = ControlGraph::Label;

namespace {

ControlGraph copy_of(const ControlGraph& graph, const std::vector<std::size_t>& properties) {
  ControlGraph made;
  TermCopier copier(graph.store(), made.store());
  const auto copied = [&](Term t) { return t ? copier.copy(t) : t; };
  for (const ControlGraph::Variable& v : graph.variables)
    made.variables.push_back({copied(v.term), copied(v.init), v.elements, v.is_hidden});
  for (const Term input : graph.inputs) made.inputs.push_back(copied(input));
  for (const NamedTerm& wire : graph.wires) made.wires.push_back({copied(wire.term), wire.name});
  made.properties = graph.properties;
  made.entry = graph.entry;
  std::vector<bool> matters(graph.properties.size(), false);
  for (const std::size_t property : properties) matters[property] = true;
  for (const ControlGraph::Statement& from : graph.statements) {
    ControlGraph::Statement& to = made.statements.emplace_back();
    to.location = from.location;
    to.text = from.text;
    for (const ControlGraph::Check& check : from.checks)
      if (matters[check.property]) to.checks.push_back({copied(check.condition), check.property, check.location});
    for (const ControlGraph::Assignment& a : from.assignments)
      to.assignments.push_back({copied(a.variable), copied(a.value)});
    for (const ControlGraph::Target& target : from.targets)
      to.targets.push_back({copied(target.condition), target.label});
  }
  return made;
}

/// Statements that control cannot come to go; the others keep their order.
void drop_unreachable(ControlGraph& graph) {
  const ControlFlow flow = control_flow(graph);
  std::vector<Label> moved(graph.statements.size(), 0);
  std::vector<ControlGraph::Statement> kept;
  for (std::size_t label = 0; label < graph.statements.size(); ++label) {
    if (!flow.is_reachable[label]) continue;
    moved[label] = static_cast<Label>(kept.size());
    fold_targets(graph, graph.statements[label]);
    kept.push_back(std::move(graph.statements[label]));
  }
  for (ControlGraph::Statement& statement : kept)
    for (ControlGraph::Target& target : statement.targets) target.label = moved[target.label];
  graph.entry = moved[graph.entry];
  graph.statements = std::move(kept);
}

/// Finds variables that hold one constant wherever they are read.
class ConstantFinder {
 public:
  ConstantFinder(const ControlGraph& graph, const Budget& budget)
      : graph_(graph), flow_(control_flow(graph)), accesses_(graph, budget), reads_(graph.variables.size()) {
    for (const Label label : flow_.order) {
      const Accesses::Statement& statement = accesses_[label];
      for (const std::uint32_t read : statement.reads) reads_[read].push_back(label);
      for (const Accesses::Write& write : statement.writes)
        for (const std::uint32_t read : write.reads) reads_[read].push_back(label);
    }
  }

  const ControlFlow& flow() const noexcept { return flow_; }

  /// By variable; null: none.
  std::vector<Term> find(const Budget& budget) {
    std::vector<Term> values(graph_.variables.size());
    std::vector<bool> is_varied(graph_.variables.size(), false);
    std::vector<std::vector<Label>> writers(graph_.variables.size());
    for (const Label label : flow_.order)
      for (std::size_t i = 0; i < accesses_[label].writes.size(); ++i) {
        const std::uint32_t v = accesses_[label].writes[i].variable;
        const Term value = graph_.statements[label].assignments[i].value;
        writers[v].push_back(label);
        if (!graph_.store().is_constant(value) || (values[v] && values[v] != value)) is_varied[v] = true;
        values[v] = value;
      }
    for (std::size_t v = 0; v < values.size(); ++v) {
      const Term init = graph_.variables[v].init;
      if (is_varied[v]) values[v] = {};
      if (is_varied[v] || (init && values[v] == init)) continue;
      if (!values[v]) {
        if (init && graph_.store().is_constant(init)) values[v] = init;
        continue;
      }
      budget.check();
      if (is_read_before(v, writers[v])) values[v] = {};
    }
    return values;
  }

 private:
  /// A read can see the initial value.
  bool is_read_before(std::size_t variable, const std::vector<Label>& writers) {
    if (reads_[variable].empty()) return false;
    std::vector<std::uint8_t> marks(graph_.statements.size(), 0);
    for (const Label label : writers) marks[label] |= kWrites;
    for (const Label label : reads_[variable]) marks[label] |= kReads;
    std::vector<Label> stack = {graph_.entry};
    while (!stack.empty()) {
      const Label label = stack.back();
      stack.pop_back();
      if ((marks[label] & kSeen) != 0) continue;
      marks[label] |= kSeen;
      if ((marks[label] & kReads) != 0) return true;
      if ((marks[label] & kWrites) != 0) continue;
      for (const ControlGraph::Target& target : graph_.statements[label].targets) stack.push_back(target.label);
    }
    return false;
  }
  static constexpr std::uint8_t kReads = 1, kWrites = 2, kSeen = 4;

  const ControlGraph& graph_;
  ControlFlow flow_;
  Accesses accesses_;
  std::vector<std::vector<Label>> reads_;  ///< by variable
};

}  // namespace

void fold_targets(ControlGraph& graph, ControlGraph::Statement& statement) {
  const term::TermStore& store = graph.store();
  std::vector<ControlGraph::Target> kept;
  for (const ControlGraph::Target& target : statement.targets) {
    if (store.is_false(target.condition)) continue;
    kept.push_back(target);
    if (store.is_true(target.condition)) break;
  }
  // Equal targets in a row at the end need no condition.
  while (kept.size() > 1 && kept[kept.size() - 2].label == kept.back().label) kept.erase(kept.end() - 2);
  statement.targets = std::move(kept);
}

void replace_constants(ControlGraph& graph, const Budget& budget) {
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    ConstantFinder finder(graph, budget);
    const std::vector<Term> values = finder.find(budget);
    term::Substitution substitution(graph.store());
    for (std::size_t v = 0; v < values.size(); ++v)
      if (values[v]) substitution.add(graph.variables[v].term, values[v]);
    for (const Label label : finder.flow().order) {
      ControlGraph::Statement& statement = graph.statements[label];
      for_each_term(statement, [&](Term& t) {
        const Term made = substitution.apply(t);
        is_changed = is_changed || made != t;
        t = made;
      });
      std::erase_if(statement.checks,
                    [&](const ControlGraph::Check& check) { return graph.store().is_true(check.condition); });
      fold_targets(graph, statement);
    }
    budget.check();
  }
}

ControlGraph simplify(const ControlGraph& graph, const SimplifyOptions& options, const Budget& budget) {
  ControlGraph made = copy_of(graph, options.properties);
  replace_constants(made, budget);
  execute_in_advance(made, options.max_statements, budget);
  slice(made, options.loops, budget);
  replace_constants(made, budget);
  drop_unreachable(made);
  return made;
}

}  // namespace plumb::system
