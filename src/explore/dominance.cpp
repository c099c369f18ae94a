#include "explore/dominance.h"

#include <algorithm>
#include <numeric>

#include "explore/failures.h"
#include "explore/named_variables.h"
#include "program/analysis/call_graph.h"

namespace plumb::explore {

using program::Function;
using program::Instruction;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using program::ValueKind;
using term::Op;

/// Gives values their trends along the flow, with values that meet in one component; what uses a value in another way
/// takes its component out.
class Dominance::Finder {
 public:
  Finder(const Program& program, std::span<const Goal> goals)
      : program_(program), flow_(program, program::CallGraph(program)), variables_(program), failures_(program, goals) {
    trends_.assign(flow_.size(), Trend::None);
    parents_.resize(flow_.size() + program.globals.size());
    std::iota(parents_.begin(), parents_.end(), 0U);
    is_bad_.assign(parents_.size(), false);
  }

  void find(Dominance& into) {
    if (!variables_.has_any()) return;
    do {
      is_changed_ = false;
      for_each_instruction([this](FunctionId f, const Instruction& i) { follow(f, i); });
      for (const auto& [from, to] : flow_.copies())
        if (trends_[from] != Trend::None) give(to, trends_[from], from);
    } while (is_changed_);
    for_each_instruction([this](FunctionId f, const Instruction& i) { look_at_uses(f, i); });
    for (FunctionId f = 0; f < program_.functions.size(); ++f) spoil(flow_.variadic(f));
    spoil(flow_.thread_result());
    report(into);
  }

 private:
  using Node = std::uint32_t;

  template <typename Visit>
  void for_each_instruction(const Visit& visit) {
    for (FunctionId f = 0; f < program_.functions.size(); ++f)
      for (const Instruction& i : program_.functions[f].instructions) visit(f, i);
  }
  Node node_of(GlobalId g) const { return flow_.size() + g; }
  Node root(Node n) {
    while (parents_[n] != n) n = parents_[n] = parents_[parents_[n]];
    return n;
  }
  void join(Node a, Node b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parents_[b] = a;
    is_bad_[a] = is_bad_[a] || is_bad_[b];
  }
  /// What has a trend is used in a way that is not followed.
  void spoil(Node n) {
    if (n >= flow_.size() || trends_[n] != Trend::None) is_bad_[root(n)] = true;
  }
  void give(Node n, Trend trend, Node from) {
    if (root(n) != root(from)) {
      join(n, from);
      is_changed_ = true;
    }
    if (trends_[n] == trend) return;
    if (trends_[n] != Trend::None) {
      spoil(n);
      return;
    }
    trends_[n] = trend;
    is_changed_ = true;
  }

  Trend trend(FunctionId f, ValueId v) const { return trends_[flow_.value(f, v)]; }

  void follow(FunctionId f, const Instruction& i) {
    const Function& function = program_.functions[f];
    if (const GlobalId g = variables_.of(function, i); g != kNone) {
      if (i.kind == Kind::Load) give(flow_.value(f, i.first_result), Trend::Up, node_of(g));
      if (i.kind != Kind::Store) return;
      const Node stored = flow_.value(f, function.operands_of(i)[1]);
      if (trends_[stored] != Trend::None) join(stored, node_of(g));
      if (trends_[stored] == Trend::Down) spoil(stored);
      return;
    }
    if (i.kind != Kind::Operator) return;
    const Trend result = trend_of_result(f, i);
    for (const ValueId v : function.operands_of(i)) {
      if (trend(f, v) == Trend::None) continue;
      if (result == Trend::None)
        spoil(flow_.value(f, v));
      else
        give(flow_.value(f, i.first_result), result, flow_.value(f, v));
    }
  }

  static Trend flipped(Trend trend) {
    return trend == Trend::None ? trend : trend == Trend::Up ? Trend::Down : Trend::Up;
  }
  bool is_zero(const Function& f, ValueId v) const {
    return f.values[v].kind == ValueKind::Constant && f.constant(v).is_zero();
  }

  /// None as well if it has no trend that follows from those of its operands.
  Trend trend_of_result(FunctionId f, const Instruction& i) {
    const Function& function = program_.functions[f];
    const std::span<const ValueId> operands = function.operands_of(i);
    const Trend a = trend(f, operands[0]);
    const Trend b = operands.size() > 1 ? trend(f, operands[1]) : Trend::None;
    const std::uint32_t width = function.values[operands[0]].width;
    switch (i.op()) {
      case Op::Add:
        return a == Trend::Down || b == Trend::Down || width == 1 ? Trend::None : Trend::Up;
      case Op::ZeroExtend:
        return a;
      case Op::SignExtend:
        return a == Trend::Up ? a : Trend::None;
      case Op::Not:
        return width == 1 ? flipped(a) : Trend::None;
      case Op::Eq:
        if (is_zero(function, operands[1])) return flipped(a);
        return is_zero(function, operands[0]) ? flipped(b) : Trend::None;
      case Op::Slt:
      case Op::Sle:
        if (a == Trend::Down || b == Trend::Down || width == 1) return Trend::None;
        [[fallthrough]];
      case Op::Ult:
      case Op::Ule:
        if (a != Trend::None && b != Trend::None) return a == b ? Trend::None : b;
        return a != Trend::None ? flipped(a) : b;
      default:
        return Trend::None;
    }
  }

  void look_at_uses(FunctionId f, const Instruction& i) {
    const Function& function = program_.functions[f];
    const std::span<const ValueId> operands = function.operands_of(i);
    switch (i.kind) {
      case Kind::Operator:
      case Kind::Jump:
      case Kind::Return:
      case Kind::Load:
        return;  // an address with a trend is looked at below
      case Kind::Store:
        if (variables_.of(function, i) != kNone) return;
        break;
      case Kind::Branch: {
        const Trend condition = trend(f, operands[0]);
        if (condition == Trend::None) return;
        if (failures_.are_bound_to_come(f, function.edges_of(i)[condition == Trend::Up ? 0 : 1])) return;
        break;
      }
      case Kind::Call:
        if (program_.functions[i.parameter].has_body()) return;
        break;
      case Kind::Intrinsic:
        if (i.intrinsic() == Intrinsic::Check && failures_.has_goal(f, i) && trend(f, operands[0]) != Trend::Up) return;
        break;
      default:
        break;
    }
    for (const ValueId v : operands) spoil(flow_.value(f, v));
  }

  void report(Dominance& into) {
    into.trends_.resize(program_.functions.size());
    into.grows_.assign(program_.globals.size(), false);
    for (GlobalId g = 0; g < program_.globals.size(); ++g) {
      into.grows_[g] = variables_.has(g) && !is_bad_[root(node_of(g))];
      into.is_on_ = into.is_on_ || into.grows_[g];
    }
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const std::size_t count = program_.functions[f].values.size();
      std::vector<Trend> trends(count, Trend::None);
      for (ValueId v = 0; v < count; ++v)
        if (const Node n = flow_.value(f, v); !is_bad_[root(n)]) trends[v] = trends_[n];
      if (std::ranges::any_of(trends, [](Trend t) { return t != Trend::None; })) into.trends_[f] = std::move(trends);
    }
  }

  const Program& program_;
  const program::ValueFlow flow_;
  const NamedVariables variables_;
  const Failures failures_;
  std::vector<Trend> trends_;  ///< by node of the flow
  std::vector<Node> parents_;  ///< of nodes of the flow, then globals
  std::vector<bool> is_bad_;   ///< by root
  bool is_changed_ = false;
};

Dominance::Dominance(const Program& program, std::span<const Goal> goals) { Finder(program, goals).find(*this); }

}  // namespace plumb::explore
