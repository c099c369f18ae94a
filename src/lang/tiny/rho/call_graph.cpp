#include "lang/tiny/rho/call_graph.h"

#include <algorithm>

namespace plumb::tiny {
namespace {

/// Of a body, those of the predicates that it uses included.
void collect_callees(const Program& program, const Statement& body, std::vector<bool>& seen_predicates,
                     std::vector<FunctionId>& callees) {
  for_each_root(body, [&](const Expression& root) {
    for_each_expression(root, [&](const Expression& e) {
      if (e.kind != Expression::Kind::Call) return;
      if (!program.functions[e.function].is_predicate) {
        callees.push_back(e.function);
      } else if (!seen_predicates[e.function]) {
        seen_predicates[e.function] = true;
        collect_callees(program, *program.functions[e.function].body, seen_predicates, callees);
      }
    });
  });
}

}  // namespace

CallGraph::CallGraph(const Program& program)
    : callees_(program.functions.size()), reachable_(program.functions.size()) {
  const std::size_t count = program.functions.size();
  for (FunctionId f = 0; f < count; ++f) {
    if (program.functions[f].is_predicate) continue;
    std::vector<bool> seen(count);
    collect_callees(program, *program.functions[f].body, seen, callees_[f]);
    std::sort(callees_[f].begin(), callees_[f].end());
    callees_[f].erase(std::unique(callees_[f].begin(), callees_[f].end()), callees_[f].end());
  }
  reachable_ = reachable_from(program.entry);
  std::vector<std::vector<bool>> reach;
  for (FunctionId f = 0; f < count; ++f) reach.push_back(reachable_from(f));
  recursive_.resize(count);
  component_.resize(count);
  for (FunctionId f = 0; f < count; ++f) {
    recursive_[f] =
        std::any_of(callees_[f].begin(), callees_[f].end(), [&](FunctionId callee) { return reach[callee][f]; });
    component_[f] = f;
    for (FunctionId g = 0; g < f; ++g) {
      if (reach[f][g] && reach[g][f]) {
        component_[f] = component_[g];
        break;
      }
    }
  }
}

std::vector<bool> CallGraph::reachable_from(FunctionId function) const {
  std::vector<bool> seen(callees_.size());
  std::vector<FunctionId> work{function};
  seen[function] = true;
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const FunctionId callee : callees_[f]) {
      if (seen[callee]) continue;
      seen[callee] = true;
      work.push_back(callee);
    }
  }
  return seen;
}

}  // namespace plumb::tiny
