#include "program/analysis/call_graph.h"

#include <algorithm>

#include "program/analysis/cfg.h"
#include "program/analysis/components.h"

namespace plumb::program {
namespace {

void sort_unique(std::vector<std::uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

}  // namespace

CallGraph::CallGraph(const Program& program)
    : direct_(program.functions.size()),
      indirect_(program.functions.size()),
      address_taken_(program.functions.size(), false),
      component_of_(program.functions.size(), 0),
      recursive_(program.functions.size(), false) {
  for (FunctionId f = 0; f < program.functions.size(); ++f) collect_calls(program, f);
  collect_addresses(program);
  find_targets(program);
  find_components();
}

void CallGraph::collect_calls(const Program& program, FunctionId f) {
  for (const Instruction& instruction : program.functions[f].instructions) {
    if (instruction.kind == Kind::Call) direct_[f].push_back(instruction.parameter);
    if (instruction.kind == Kind::CallIndirect) indirect_[f].push_back(instruction.operand_count - 1);
    if (instruction.kind != Kind::Intrinsic) continue;
    if (instruction.intrinsic() == Intrinsic::ThreadCreate) indirect_[f].push_back(1);
    if (instruction.intrinsic() == Intrinsic::AtExit) indirect_[f].push_back(0);
  }
  sort_unique(direct_[f]);
  sort_unique(indirect_[f]);
  for (const std::uint32_t count : indirect_[f]) targets_[count];
}

void CallGraph::collect_addresses(const Program& program) {
  for (const Function& function : program.functions)
    for (const Value& value : function.values)
      if (value.kind == ValueKind::FunctionAddress) address_taken_[value.index] = true;
  for (const GlobalObject& global : program.globals)
    for (const Relocation& relocation : global.relocations)
      if (relocation.is_function) address_taken_[relocation.index] = true;
}

void CallGraph::find_targets(const Program& program) {
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (!address_taken_[f]) continue;
    const auto parameters = static_cast<std::uint32_t>(program.functions[f].parameters.size());
    for (auto target = targets_.lower_bound(parameters); target != targets_.end(); ++target)
      target->second.push_back(f);
  }
}

void CallGraph::find_components() {
  const auto function_count = static_cast<std::uint32_t>(direct_.size());
  if (function_count == 0) return;
  // A vertex for each function, then one for each number of arguments that stands between its calls and targets.
  Cfg::EdgeList edges;
  std::map<std::uint32_t, std::uint32_t> hubs;
  for (const auto& [count, functions] : targets_) {
    const std::uint32_t hub = function_count + static_cast<std::uint32_t>(hubs.size());
    hubs[count] = hub;
    for (const FunctionId target : functions) edges.emplace_back(hub, target);
  }
  for (FunctionId f = 0; f < function_count; ++f) {
    for (const FunctionId callee : direct_[f]) edges.emplace_back(f, callee);
    for (const std::uint32_t count : indirect_[f]) edges.emplace_back(f, hubs[count]);
  }
  const Cfg graph(function_count + static_cast<std::uint32_t>(hubs.size()), edges);
  const Components components(graph);
  for (std::uint32_t c = 0; c < components.size(); ++c) {
    std::vector<FunctionId> functions;
    for (const std::uint32_t vertex : components.members(c))
      if (vertex < function_count) functions.push_back(vertex);
    if (functions.empty()) continue;
    std::sort(functions.begin(), functions.end());
    for (const FunctionId f : functions) {
      component_of_[f] = static_cast<std::uint32_t>(components_.size());
      recursive_[f] = components.members(c).size() > 1 || std::binary_search(direct_[f].begin(), direct_[f].end(), f);
    }
    components_.push_back(std::move(functions));
  }
}

std::span<const FunctionId> CallGraph::indirect_targets(std::uint32_t argument_count) const {
  const auto found = targets_.find(argument_count);
  return found == targets_.end() ? std::span<const FunctionId>{} : std::span<const FunctionId>(found->second);
}

std::vector<FunctionId> CallGraph::callees(FunctionId f) const {
  std::vector<FunctionId> all = direct_[f];
  for (const std::uint32_t count : indirect_[f]) {
    const std::span<const FunctionId> targets = indirect_targets(count);
    all.insert(all.end(), targets.begin(), targets.end());
  }
  sort_unique(all);
  return all;
}

std::vector<bool> CallGraph::reachable_from(std::span<const FunctionId> roots) const {
  std::vector<bool> reached(direct_.size(), false);
  std::map<std::uint32_t, bool> hub_reached;
  std::vector<FunctionId> work;
  const auto visit = [&](FunctionId f) {
    if (reached[f]) return;
    reached[f] = true;
    work.push_back(f);
  };
  for (const FunctionId root : roots) visit(root);
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (const FunctionId callee : direct_[f]) visit(callee);
    for (const std::uint32_t count : indirect_[f]) {
      if (std::exchange(hub_reached[count], true)) continue;
      for (const FunctionId target : indirect_targets(count)) visit(target);
    }
  }
  return reached;
}

}  // namespace plumb::program
