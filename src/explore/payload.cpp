#include "explore/payload.h"

#include <algorithm>

#include "explore/failures.h"
#include "explore/named_variables.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/value_flow.h"

namespace plumb::explore {

using program::Function;
using program::FunctionId;
using program::GlobalId;
using program::Instruction;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using program::ValueId;
using program::ValueKind;

/// Goes from what decides back to all that it is made of.
class Payload::Finder {
 public:
  Finder(const program::Program& program, std::span<const program::Goal> goals)
      : program_(program),
        flow_(program, program::CallGraph(program)),
        variables_(program),
        failures_(program, goals),
        other_memory_(flow_.size() + static_cast<Node>(program.globals.size())),
        sources_(other_memory_ + 1),
        decides_(other_memory_ + 1, false) {
    for (const auto& [from, to] : flow_.copies()) sources_[to].push_back(from);
    for (FunctionId f = 0; f < program_.functions.size(); ++f)
      for (const Instruction& i : program_.functions[f].instructions) add(f, i);
    for (FunctionId f = 0; f < program_.functions.size(); ++f) mark(flow_.variadic(f));
    mark(flow_.thread_result());
    while (!open_.empty()) {
      const Node n = open_.back();
      open_.pop_back();
      for (const Node source : sources_[n]) mark(source);
    }
  }

  void report(Payload& into) const {
    for (GlobalId g = 0; g < program_.globals.size(); ++g)
      into.globals_.push_back(variables_.has(g) && !decides_[flow_.size() + g]);
    into.values_.resize(program_.functions.size());
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      std::vector<bool> is_payload(function.values.size(), false);
      for (ValueId v = 0; v < is_payload.size(); ++v)
        is_payload[v] = is_variable(function.values[v]) && !decides_[flow_.value(f, v)];
      if (std::ranges::any_of(is_payload, [](bool is) { return is; })) into.values_[f] = std::move(is_payload);
    }
  }

 private:
  using Node = std::uint32_t;

  static bool is_variable(const program::Value& v) {
    return v.kind == ValueKind::Parameter || v.kind == ValueKind::BlockArgument || v.kind == ValueKind::Result;
  }
  void mark(Node n) {
    if (decides_[n]) return;
    decides_[n] = true;
    open_.push_back(n);
  }
  /// What a Load reads or a Store writes.
  Node memory_of(const Function& f, const Instruction& i) const {
    const GlobalId g = variables_.of(f, i);
    return g == kNone ? other_memory_ : flow_.size() + g;
  }

  void add(FunctionId f, const Instruction& i) {
    const Function& function = program_.functions[f];
    const std::span<const ValueId> operands = function.operands_of(i);
    const auto node = [&](std::size_t operand) { return flow_.value(f, operands[operand]); };
    for (const ValueId v : operands)
      if (function.values[v].is_pointer) mark(flow_.value(f, v));
    switch (i.kind) {
      case Kind::Operator:
        for (std::size_t o = 0; o < operands.size(); ++o) sources_[flow_.value(f, i.first_result)].push_back(node(o));
        return;
      case Kind::Load:
        sources_[flow_.value(f, i.first_result)].push_back(memory_of(function, i));
        mark(node(0));
        return;
      case Kind::Store:
        sources_[memory_of(function, i)].push_back(node(1));
        mark(node(0));
        return;
      case Kind::Branch:
        if (!failures_.are_bound_to_come(f, function.edges_of(i)[0]) &&
            !failures_.are_bound_to_come(f, function.edges_of(i)[1]))
          mark(node(0));
        return;
      case Kind::Call:
        if (program_.functions[i.parameter].has_body()) return;
        break;
      case Kind::CallIndirect:
        mark(node(0));
        return;
      case Kind::Intrinsic:
        if (i.intrinsic() == Intrinsic::Check && failures_.has_goal(f, i)) return;
        break;
      case Kind::Return:
      case Kind::Jump:
        return;
      default:
        break;
    }
    for (std::size_t o = 0; o < operands.size(); ++o) mark(node(o));
  }

  const program::Program& program_;
  const program::ValueFlow flow_;
  const NamedVariables variables_;
  const Failures failures_;
  const Node other_memory_;  ///< behind the nodes of the flow and of globals
  std::vector<std::vector<Node>> sources_;
  std::vector<bool> decides_;
  std::vector<Node> open_;
};

Payload::Payload(const program::Program& program, std::span<const program::Goal> goals) {
  Finder(program, goals).report(*this);
}

}  // namespace plumb::explore
