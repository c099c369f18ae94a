#include "explore/dominance.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "program/analysis/call_graph.h"
#include "semantics/calls.h"
#include "term/narrow.h"

namespace plumb::explore {

using program::BlockId;
using program::CodePoint;
using program::Function;
using program::GoalKind;
using program::Instruction;
using program::InstructionId;
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
      : program_(program), flow_(program, program::CallGraph(program)) {
    for (const Goal& goal : goals)
      if (goal.kind == GoalKind::Assertion || goal.kind == GoalKind::Error) goals_.push_back(goal.at);
    trends_.assign(flow_.size(), Trend::None);
    parents_.resize(flow_.size() + program.globals.size());
    std::iota(parents_.begin(), parents_.end(), 0U);
    is_bad_.assign(parents_.size(), false);
  }

  void find(Dominance& into) {
    find_variables();
    if (std::ranges::none_of(is_variable_, [](bool is) { return is; })) return;
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

  /// Loaded and stored as a whole, and by its name alone.
  void find_variables() {
    for (const program::GlobalObject& g : program_.globals)
      is_variable_.push_back(!g.is_constant && !g.is_external && !g.is_thread_local && g.size >= 1 && g.size <= 8 &&
                             g.relocations.empty());
    for (const program::GlobalObject& g : program_.globals)
      for (const program::Relocation& r : g.relocations)
        if (!r.is_function) is_variable_[r.index] = false;
    for (const Function& f : program_.functions) {
      for (const Instruction& i : f.instructions)
        if (const GlobalId g = variable_of(f, i); g != kNone && accessed_width(f, i) != program_.globals[g].size * 8)
          is_variable_[g] = false;
      // Operands of instructions and of edges alike.
      std::vector<bool> is_address(f.operands.size(), false);
      for (const Instruction& i : f.instructions)
        if (i.kind == Kind::Load || i.kind == Kind::Store) is_address[i.first_operand] = true;
      for (std::size_t o = 0; o < f.operands.size(); ++o) {
        const program::Value& v = f.values[f.operands[o]];
        if (v.kind == ValueKind::GlobalAddress && (!is_address[o] || v.offset != 0)) is_variable_[v.index] = false;
      }
    }
  }
  /// That a Load or Store names.
  GlobalId variable_of(const Function& f, const Instruction& i) const {
    if (i.kind != Kind::Load && i.kind != Kind::Store) return kNone;
    const program::Value& address = f.values[f.operands_of(i)[0]];
    return address.kind == ValueKind::GlobalAddress && is_variable_[address.index] ? address.index : kNone;
  }
  static std::uint64_t accessed_width(const Function& f, const Instruction& i) {
    return f.values[i.kind == Kind::Load ? i.first_result : f.operands_of(i)[1]].width;
  }

  Trend trend(FunctionId f, ValueId v) const { return trends_[flow_.value(f, v)]; }

  void follow(FunctionId f, const Instruction& i) {
    const Function& function = program_.functions[f];
    if (const GlobalId g = variable_of(function, i); g != kNone) {
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
        if (variable_of(function, i) != kNone) return;
        break;
      case Kind::Branch: {
        const Trend condition = trend(f, operands[0]);
        if (condition == Trend::None) return;
        if (is_bound_to_fail(f, function.edges_of(i)[condition == Trend::Up ? 0 : 1])) return;
        break;
      }
      case Kind::Call:
        if (program_.functions[i.parameter].has_body()) return;
        break;
      case Kind::Intrinsic:
        if (i.intrinsic() == Intrinsic::Check && is_goal(f, i) && trend(f, operands[0]) != Trend::Up) return;
        break;
      default:
        break;
    }
    for (const ValueId v : operands) spoil(flow_.value(f, v));
  }

  bool is_goal(FunctionId f, const Instruction& i) const {
    const auto at = static_cast<InstructionId>(&i - program_.functions[f].instructions.data());
    return std::ranges::find(goals_, CodePoint{f, at}) != goals_.end();
  }

  /// What is known of a function's values where an edge was taken.
  using Known = absl::flat_hash_map<ValueId, std::uint64_t>;

  std::optional<std::uint64_t> known(const Function& f, const Known& values, ValueId v) const {
    if (f.values[v].width > 64) return std::nullopt;
    if (f.values[v].kind == ValueKind::Constant) return f.constant(v).to_uint64();
    const auto found = values.find(v);
    return found == values.end() ? std::nullopt : std::optional(found->second);
  }

  /// Nothing but the violation of a goal comes of taking the edge, whatever other threads do.
  bool is_bound_to_fail(FunctionId f, const program::Edge& taken) const {
    Known values;
    take(program_.functions[f], taken, values);
    return is_bound_to_fail(f, taken.target, std::move(values), kMaxCalls);
  }

  void take(const Function& f, const program::Edge& edge, Known& values) const {
    const Known before = values;
    for (std::uint32_t a = 0; a < edge.argument_count; ++a) {
      const ValueId argument = f.blocks[edge.target].arguments[a];
      values.erase(argument);
      if (const auto given = known(f, before, f.arguments_of(edge)[a])) values[argument] = *given;
    }
  }

  bool is_bound_to_fail(FunctionId f, BlockId b, Known values, int calls) const {
    const Function& function = program_.functions[f];
    for (std::size_t blocks = 0; blocks <= function.blocks.size(); ++blocks) {
      const program::Edge* next = nullptr;
      for (const Instruction& i : function.instructions_of(b)) {
        const std::span<const ValueId> operands = function.operands_of(i);
        if (i.kind == Kind::Operator && !may_fault(i.op())) {
          evaluate(function, i, values);
        } else if (i.kind == Kind::Jump) {
          next = &function.edges_of(i)[0];
        } else if (i.kind == Kind::Branch && known(function, values, operands[0])) {
          next = &function.edges_of(i)[*known(function, values, operands[0]) != 0 ? 0 : 1];
        } else if (i.kind == Kind::Call && calls > 0) {
          return is_call_bound_to_fail(function, i, values, calls - 1);
        } else {
          return i.kind == Kind::Intrinsic && is_goal(f, i) &&
                 (i.intrinsic() == Intrinsic::AssertFail || i.intrinsic() == Intrinsic::Error);
        }
      }
      take(function, *next, values);
      b = next->target;
    }
    return false;
  }

  bool is_call_bound_to_fail(const Function& function, const Instruction& i, const Known& values, int calls) const {
    const Function& callee = program_.functions[i.parameter];
    if (!callee.has_body() || semantics::call_fit(function, i, callee) != semantics::CallFit::Exact) return false;
    Known given;
    for (std::size_t p = 0; p < callee.parameters.size(); ++p)
      if (const auto argument = known(function, values, function.operands_of(i)[p]))
        given[callee.parameters[p]] = *argument;
    return is_bound_to_fail(i.parameter, 0, std::move(given), calls);
  }

  void evaluate(const Function& function, const Instruction& i, Known& values) const {
    const std::span<const ValueId> operands = function.operands_of(i);
    values.erase(i.first_result);
    std::array<std::uint64_t, 3> numbers{};
    for (std::size_t o = 0; o < operands.size(); ++o) {
      const auto operand = known(function, values, operands[o]);
      if (!operand) return;
      numbers[o] = *operand;
    }
    const std::uint32_t width = function.values[i.first_result].width;
    if (width <= 64)
      values[i.first_result] = term::evaluate_narrow(i.op(), width, function.values[operands[0]].width, i.parameter,
                                                     numbers[0], numbers[1], numbers[2]);
  }

  static bool may_fault(Op op) {
    return op == Op::Udiv || op == Op::Urem || op == Op::Sdiv || op == Op::Srem || op == Op::Add || op == Op::Sub ||
           op == Op::Mul || op == Op::Neg || op == Op::Shl || op == Op::Lshr || op == Op::Ashr;
  }

  void report(Dominance& into) {
    into.trends_.resize(program_.functions.size());
    into.grows_.assign(program_.globals.size(), false);
    for (GlobalId g = 0; g < program_.globals.size(); ++g) {
      into.grows_[g] = is_variable_[g] && !is_bad_[root(node_of(g))];
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

  /// Calls on the way to a violation.
  static constexpr int kMaxCalls = 4;

  const Program& program_;
  const program::ValueFlow flow_;
  std::vector<CodePoint> goals_;
  std::vector<bool> is_variable_;  ///< by global
  std::vector<Trend> trends_;      ///< by node of the flow
  std::vector<Node> parents_;      ///< of nodes of the flow, then globals
  std::vector<bool> is_bad_;       ///< by root
  bool is_changed_ = false;
};

Dominance::Dominance(const Program& program, std::span<const Goal> goals) { Finder(program, goals).find(*this); }

}  // namespace plumb::explore
