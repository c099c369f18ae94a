#include "paths/graph.h"

#include <algorithm>

#include "base/error.h"

namespace plumb::paths {

VariableId Graph::add_variable(Term term, std::string name) {
  INVARIANT(terms->is_variable(term), "a variable of the graph should be one of the store");
  const auto id = static_cast<VariableId>(variables.size());
  const bool is_new = variable_of_.emplace(term, id).second;
  INVARIANT(is_new, "a term should be one variable");
  variables.push_back({term, std::move(name), {}});
  return id;
}

NodeId Graph::add_node(VariableId defines, Term definition, std::vector<Ancestor> cond_anc) {
  const auto id = static_cast<NodeId>(nodes.size());
  nodes.push_back({defines, definition, std::move(cond_anc)});
  variables[defines].def_nodes.push_back(id);
  return id;
}

ConditionId Graph::add_condition(Term condition) {
  conditions.push_back(condition);
  return static_cast<ConditionId>(conditions.size() - 1);
}

std::optional<VariableId> Graph::variable_of(Term term) const {
  const auto found = variable_of_.find(term);
  if (found == variable_of_.end()) return std::nullopt;
  return found->second;
}

std::vector<VariableId> Graph::variables_in(Term t) const {
  if (const auto known = variables_in_.find(t); known != variables_in_.end()) return known->second;
  seen_.clear();
  const Term roots[] = {t};
  std::vector<VariableId> found;
  for (const Term each : term::support(*terms, roots, seen_))
    if (const auto id = variable_of(each)) found.push_back(*id);
  std::sort(found.begin(), found.end());
  return variables_in_.emplace(t, std::move(found)).first->second;
}

}  // namespace plumb::paths
