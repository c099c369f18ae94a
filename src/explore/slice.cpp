#include "explore/slice.h"

#include <algorithm>

#include "explore/named_variables.h"
#include "program/analysis/call_graph.h"
#include "program/analysis/dominators.h"
#include "program/analysis/value_flow.h"
#include "semantics/operators.h"

namespace plumb::explore {

using program::BlockId;
using program::Edge;
using program::Function;
using program::FunctionId;
using program::GlobalId;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;
using program::ValueId;
using program::ValueKind;

/// Takes every branch for one that matters to nobody, goes back from what matters to all that it is made of, and then
/// finds branches that decide about that, until there are no more.
class Slice::Finder {
 public:
  Finder(const program::Program& program, const program::Platform& platform)
      : program_(program),
        platform_(platform),
        flow_(program, program::CallGraph(program)),
        variables_(program),
        other_memory_(flow_.size() + static_cast<Node>(program.globals.size())),
        sources_(other_memory_ + 1),
        matters_(other_memory_ + 1, false) {
    for (const auto& [from, to] : flow_.copies()) sources_[to].push_back(from);
    for (FunctionId f = 0; f < program_.functions.size(); ++f) add(f);
    for (FunctionId f = 0; f < program_.functions.size(); ++f) mark(flow_.variadic(f));
    mark(flow_.thread_result());
    do {
      go_back();
    } while (find_deciding());
  }

  void report(Slice& into) const {
    into.left_out_.resize(program_.functions.size());
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      into.left_out_[f].assign(function.instructions.size(), 0);
      for (InstructionId i = 0; i < function.instructions.size(); ++i)
        if (is_left_out(f, function.instructions[i])) into.left_out_[f][i] = 1;
      into.has_any_ = into.has_any_ || std::ranges::count(into.left_out_[f], 1U) > 0;
    }
    for (const Candidate& c : branches_) into.left_out_[c.function][c.branch] = kMeets + c.meeting;
  }

 private:
  using Node = std::uint32_t;
  /// A branch whose ways meet without a loop.
  struct Candidate {
    FunctionId function = 0;
    InstructionId branch = 0;
    BlockId meeting = 0;
    std::vector<BlockId> between;
  };

  void mark(Node n) {
    if (matters_[n]) return;
    matters_[n] = true;
    open_.push_back(n);
  }
  void go_back() {
    while (!open_.empty()) {
      const Node n = open_.back();
      open_.pop_back();
      for (const Node source : sources_[n]) mark(source);
    }
  }
  Node memory_of(const Function& f, const Instruction& i) const {
    const GlobalId g = variables_.of(f, i);
    return g == kNone ? other_memory_ : flow_.size() + g;
  }
  /// Its value is there before the block is entered, and reading it asks for nothing.
  static bool is_plain(const Function& f, ValueId v) { return f.values[v].kind != ValueKind::Undefined; }

  void add(FunctionId f) {
    const Function& function = program_.functions[f];
    if (!function.has_body()) return;
    for (const Instruction& i : function.instructions) add(f, function, i);
    const program::Cfg cfg(function);
    const auto after = program::DominatorTree::post_dominators(cfg);
    for (BlockId b = 0; b < cfg.size(); ++b) {
      const auto last = static_cast<InstructionId>(&function.instructions_of(b).back() - function.instructions.data());
      if (function.instructions[last].kind != Kind::Branch) continue;
      Candidate c{f, last, after.immediate(b), {}};
      if (c.meeting != kNone && find_between(cfg, b, c))
        branches_.push_back(std::move(c));
      else
        mark(flow_.value(f, function.operands_of(function.instructions[last])[0]));
    }
  }

  void add(FunctionId f, const Function& function, const Instruction& i) {
    const std::span<const ValueId> operands = function.operands_of(i);
    const auto node = [&](std::size_t operand) { return flow_.value(f, operands[operand]); };
    for (const ValueId v : operands)
      if (function.values[v].is_pointer) mark(flow_.value(f, v));
    const bool asks = !std::ranges::all_of(operands, [&](ValueId v) { return is_plain(function, v); });
    switch (i.kind) {
      case Kind::Operator:
        for (std::size_t o = 0; o < operands.size(); ++o) sources_[flow_.value(f, i.first_result)].push_back(node(o));
        if (asks || !semantics::operator_faults(function, i, platform_, program_.checks).is_empty())
          mark(flow_.value(f, i.first_result));
        return;
      case Kind::Load:
        sources_[flow_.value(f, i.first_result)].push_back(memory_of(function, i));
        mark(node(0));
        return;
      case Kind::Store:
        sources_[memory_of(function, i)].push_back(node(1));
        mark(node(0));
        // A pointer says that its object is not lost, and who can see it.
        if (asks || function.values[operands[1]].is_pointer || memory_of(function, i) == other_memory_)
          mark(memory_of(function, i));
        return;
      case Kind::Call:
        if (program_.functions[i.parameter].has_body()) return;
        break;
      case Kind::Return:
      case Kind::Jump:
      case Kind::Branch:
        return;
      default:
        break;
    }
    for (std::size_t o = 0; o < operands.size(); ++o) mark(node(o));
    for (std::uint32_t r = 0; r < i.result_count; ++r) mark(flow_.value(f, i.first_result + r));
  }

  /// False if there is a loop on the way.
  static bool find_between(const program::Cfg& cfg, BlockId from, Candidate& c) {
    constexpr std::size_t kMostBlocks = 64;
    std::vector<std::uint32_t> entered(cfg.size(), 0);
    std::vector<BlockId> open;
    const auto enter = [&](BlockId b) {
      if (b == c.meeting || entered[b]++ != 0) return;
      c.between.push_back(b);
      open.push_back(b);
    };
    for (const BlockId b : cfg.successors(from)) enter(b);
    while (!open.empty() && c.between.size() <= kMostBlocks) {
      const BlockId b = open.back();
      open.pop_back();
      for (const BlockId next : cfg.successors(b)) enter(next);
    }
    if (c.between.size() > kMostBlocks || entered[from] != 0) return false;
    // Without a loop, all of them can be taken away one after the other, each after those that lead to it.
    for (const BlockId b : cfg.successors(from))
      if (b != c.meeting) --entered[b];
    std::vector<BlockId> free;
    for (const BlockId b : c.between)
      if (entered[b] == 0) free.push_back(b);
    std::size_t taken = 0;
    while (taken < free.size()) {
      for (const BlockId next : cfg.successors(free[taken++]))
        if (next != c.meeting && --entered[next] == 0) free.push_back(next);
    }
    return free.size() == c.between.size();
  }

  bool is_left_out(FunctionId f, const Instruction& i) const {
    const Function& function = program_.functions[f];
    if (i.kind == Kind::Store) return !matters_[memory_of(function, i)];
    if (i.kind == Kind::Load) return variables_.of(function, i) != kNone && !matters_[flow_.value(f, i.first_result)];
    return i.kind == Kind::Operator && !matters_[flow_.value(f, i.first_result)];
  }

  /// Whichever way control takes, what matters is the same.
  bool decides_nothing(const Candidate& c) const {
    const Function& function = program_.functions[c.function];
    std::vector<const Edge*> into;  // the block where the ways meet
    const auto look_at = [&](const Instruction& last) {
      return std::ranges::all_of(function.edges_of(last), [&](const Edge& edge) {
        if (edge.target == c.meeting) into.push_back(&edge);
        const std::span<const ValueId> given = function.arguments_of(edge);
        return std::ranges::all_of(given, [&](ValueId v) { return is_plain(function, v); });
      });
    };
    if (!look_at(function.instructions[c.branch])) return false;
    for (const BlockId b : c.between) {
      const std::span<const Instruction> all = function.instructions_of(b);
      for (const Instruction& i : all.first(all.size() - 1))
        if (!is_left_out(c.function, i)) return false;
      if (all.back().kind != Kind::Jump && all.back().kind != Kind::Branch) return false;
      for (const ValueId v : function.blocks[b].arguments)
        if (matters_[flow_.value(c.function, v)]) return false;
      if (!look_at(all.back())) return false;
    }
    const std::span<const ValueId> arguments = function.blocks[c.meeting].arguments;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      if (!matters_[flow_.value(c.function, arguments[a])]) continue;
      const ValueId given = function.arguments_of(*into.front())[a];
      for (const Edge* edge : into)
        if (function.arguments_of(*edge)[a] != given) return false;
    }
    return true;
  }

  bool find_deciding() {
    const auto decides = [&](const Candidate& c) { return !decides_nothing(c); };
    const auto found = std::stable_partition(branches_.begin(), branches_.end(), std::not_fn(decides));
    const bool has_found = found != branches_.end();
    for (auto c = found; c != branches_.end(); ++c) {
      const Function& function = program_.functions[c->function];
      mark(flow_.value(c->function, function.operands_of(function.instructions[c->branch])[0]));
    }
    branches_.erase(found, branches_.end());
    return has_found;
  }

  const program::Program& program_;
  const program::Platform& platform_;
  const program::ValueFlow flow_;
  const NamedVariables variables_;
  const Node other_memory_;  ///< behind the nodes of the flow and of globals
  std::vector<std::vector<Node>> sources_;
  std::vector<bool> matters_;
  std::vector<Node> open_;
  std::vector<Candidate> branches_;  ///< that decide nothing, as far as is known
};

Slice::Slice(const program::Program& program, const program::Platform& platform) {
  Finder(program, platform).report(*this);
}

}  // namespace plumb::explore
