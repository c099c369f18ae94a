#include "system/encode_liveness.h"

namespace plumb::system {

using Label = ControlGraph::Label;

Accesses::Accesses(const ControlGraph& graph, const Budget& budget) : graph_(graph) {
  for (std::size_t i = 0; i < graph.variables.size(); ++i)
    positions_[graph.variables[i].term] = static_cast<std::uint32_t>(i);
  for (const ControlGraph::Statement& statement : graph.statements) {
    budget.check();
    std::vector<Term> read;
    for (const ControlGraph::Check& check : statement.checks) read.push_back(check.condition);
    for (const ControlGraph::Target& target : statement.targets) read.push_back(target.condition);
    Statement& made = statements_.emplace_back();
    made.reads = positions_of(read);
    for (const ControlGraph::Assignment& assignment : statement.assignments)
      made.writes.push_back({positions_.at(assignment.variable), positions_of({{assignment.value}})});
  }
}

std::optional<std::uint32_t> Accesses::position(Term variable) const {
  const std::uint32_t* found = positions_.find(variable);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

std::vector<std::uint32_t> Accesses::positions_of(std::span<const Term> terms) {
  seen_.clear();
  std::vector<std::uint32_t> found;
  for (const Term variable : term::support(graph_.store(), terms, seen_))
    if (const std::uint32_t* at = positions_.find(variable)) found.push_back(*at);
  return found;
}

std::vector<VariableSet> live_variables(const ControlGraph& graph, const ControlFlow& flow, const Accesses& accesses,
                                        const VariableSet& kept, const Budget& budget) {
  std::vector<VariableSet> live(graph.statements.size());
  for (const Label label : flow.order) live[label] = kept;
  // Against the order of execution, so that only loops need further rounds.
  for (bool is_changed = true; is_changed;) {
    is_changed = false;
    for (std::size_t i = flow.order.size(); i-- > 0;) {
      budget.check();
      const Label label = flow.order[i];
      VariableSet behind = kept;
      for (const ControlGraph::Target& target : live_targets(graph, label))
        for (std::size_t v = 0; v < behind.size(); ++v)
          if (live[target.label][v]) behind[v] = true;
      VariableSet here = behind;
      const Accesses::Statement& statement = accesses[label];
      for (const Accesses::Write& write : statement.writes) here[write.variable] = kept[write.variable];
      for (const Accesses::Write& write : statement.writes)
        if (behind[write.variable])
          for (const std::uint32_t read : write.reads) here[read] = true;
      for (const std::uint32_t read : statement.reads) here[read] = true;
      if (here == live[label]) continue;
      live[label] = std::move(here);
      is_changed = true;
    }
  }
  return live;
}

}  // namespace plumb::system
