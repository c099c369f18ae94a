#include "program/forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "program/analysis/call_graph.h"
#include "program/analysis/cfg.h"
#include "program/analysis/dominators.h"
#include "program/analysis/loops.h"

namespace plumb::program {
namespace {

/// Whether a loop counts from one constant to another in constant steps: a block that runs in every round leaves the
/// loop by comparing a counter with a constant. Looks at SSA values only, as a reader would.
class CountedLoops {
 public:
  explicit CountedLoops(const Function& function)
      : function_(function), cfg_(function), loops_(cfg_), dominators_(DominatorTree::dominators(cfg_)) {}

  const LoopForest& loops() const noexcept { return loops_; }

  bool is_counted(LoopId loop) const {
    return std::ranges::any_of(loops_.blocks(loop), [&](BlockId b) { return is_counted_exit(loop, b); });
  }

 private:
  bool is_counted_exit(LoopId loop, BlockId b) const {
    const Instruction& terminator = function_.terminator(b);
    if (terminator.kind != Kind::Branch) return false;
    const auto leaves = [&](const Edge& edge) { return !loops_.contains(loop, edge.target); };
    const auto runs_before = [&](BlockId latch) { return dominators_.dominates(b, latch); };
    return std::ranges::any_of(function_.edges_of(terminator), leaves) &&
           std::ranges::all_of(loops_.all()[loop].latches, runs_before) &&
           is_counter_test(loop, function_.operands_of(terminator)[0]);
  }

  bool is_counter_test(LoopId loop, ValueId condition) const {
    const Instruction* test = operator_of(condition);
    while (test != nullptr && test->op() == term::Op::Not) test = operator_of(function_.operands_of(*test)[0]);
    if (test == nullptr || !term::is_predicate(test->op()) || test->operand_count != 2) return false;
    const ValueId left = function_.operands_of(*test)[0];
    const ValueId right = function_.operands_of(*test)[1];
    return (is_constant(left) && is_counter(loop, right)) || (is_constant(right) && is_counter(loop, left));
  }

  /// The value is an argument of the header that starts as a constant and grows or shrinks by one in each round, or is
  /// made of it.
  bool is_counter(LoopId loop, ValueId value) const {
    value = origin(value);
    const Value& argument = function_.values[value];
    const BlockId header = loops_.all()[loop].header;
    if (argument.kind != ValueKind::BlockArgument || argument.block != header) return false;
    for (const BlockId source : cfg_.predecessors(header)) {
      for (const Edge& edge : function_.successors(source)) {
        if (edge.target != header) continue;
        const ValueId given = function_.arguments_of(edge)[argument.index];
        if (loops_.contains(loop, source) ? given == value || origin(given) != value : !is_constant(given))
          return false;
      }
    }
    return true;
  }

  /// What is left of a value without conversions and constants that are added.
  ValueId origin(ValueId value) const {
    for (const Instruction* made = operator_of(value); made != nullptr; made = operator_of(value)) {
      const std::span<const ValueId> operands = function_.operands_of(*made);
      switch (made->op()) {
        case term::Op::ZeroExtend:
        case term::Op::SignExtend:
          value = operands[0];
          break;
        case term::Op::Add:
        case term::Op::Sub:
          if (is_constant(operands[1])) {
            value = operands[0];
          } else if (is_constant(operands[0]) && made->op() == term::Op::Add) {
            value = operands[1];
          } else {
            return value;
          }
          break;
        default:
          return value;
      }
    }
    return value;
  }

  bool is_constant(ValueId value) const { return function_.values[value].kind == ValueKind::Constant; }

  /// The pure operator that makes the value; null if another thing does.
  const Instruction* operator_of(ValueId value) const {
    if (function_.values[value].kind != ValueKind::Result) return nullptr;
    const Instruction& made = function_.instructions[function_.values[value].index];
    return made.kind == Kind::Operator ? &made : nullptr;
  }

  const Function& function_;
  Cfg cfg_;
  LoopForest loops_;
  DominatorTree dominators_;
};

bool is_input(Intrinsic intrinsic) {
  return intrinsic == Intrinsic::Nondet || intrinsic == Intrinsic::MakeSymbolic || intrinsic == Intrinsic::HostRead;
}

class Forecaster {
 public:
  explicit Forecaster(const Program& program) : program_(program), calls_(program) {}

  Forecast run() {
    find_running();
    find_readers();
    for (FunctionId f = 0; f < program_.functions.size(); ++f) {
      const Function& function = program_.functions[f];
      if (!function.has_body()) continue;
      if (!running_[f]) {
        result_.unused += function.is_model ? 0 : 1;
        continue;
      }
      ++(function.is_model ? result_.models : result_.functions);
      look_at_instructions(f);
      if (!function.is_model) look_at_loops(f);
    }
    look_at_recursion();
    look_at_parameters();
    for (auto& [key, concern] : found_) result_.concerns.push_back(std::move(concern));
    return std::move(result_);
  }

 private:
  void find_running() {
    if (program_.entry == kNone) {
      running_.assign(program_.functions.size(), true);
      return;
    }
    std::vector<FunctionId> roots = {program_.entry};
    roots.insert(roots.end(), program_.constructors.begin(), program_.constructors.end());
    roots.insert(roots.end(), program_.destructors.begin(), program_.destructors.end());
    running_ = calls_.reachable_from(roots);
  }

  /// Models that read from outside, themselves or through others: a call of one is where input enters.
  void find_readers() {
    reads_.assign(program_.functions.size(), false);
    for (const std::vector<FunctionId>& component : calls_.components()) {
      const auto reads = [&](FunctionId f) {
        const Function& function = program_.functions[f];
        return function.is_model &&
               (std::ranges::any_of(
                    function.instructions,
                    [](const Instruction& i) { return i.kind == Kind::Intrinsic && is_input(i.intrinsic()); }) ||
                std::ranges::any_of(calls_.direct_callees(f), [&](FunctionId g) { return reads_[g]; }));
      };
      const bool any = std::ranges::any_of(component, reads);
      for (const FunctionId f : component) reads_[f] = any;
    }
  }

  void add(ConcernKind kind, FunctionId function, const Location& location, std::string text) {
    // Loops of a function are different loops; other places of the same kind are counted.
    const std::uint32_t line = kind == ConcernKind::UnboundedLoop ? location.line : 0;
    const auto [at, is_new] = found_.try_emplace({kind, function, line, text});
    if (is_new) {
      at->second = {kind, function, location, std::move(text), 1};
    } else {
      ++at->second.count;
    }
  }

  void look_at_instructions(FunctionId f) {
    const Function& function = program_.functions[f];
    for (const Instruction& instruction : function.instructions) {
      const Location& location = instruction.location.is_known() ? instruction.location : function.location;
      switch (instruction.kind) {
        case Kind::Call:
          look_at_call(f, instruction.parameter, location);
          break;
        case Kind::Halt:
          if (instruction.halt_reason() == HaltReason::Unsupported)
            add(ConcernKind::Unsupported, f, location,
                instruction.parameter == kNone ? "not supported" : program_.messages[instruction.parameter]);
          break;
        case Kind::CallIndirect:
          if (!function.is_model) add(ConcernKind::IndirectCall, f, location, "call through a pointer");
          break;
        case Kind::Float:
          if (!function.is_model) add(ConcernKind::FloatingPoint, f, location, "floating point arithmetic");
          break;
        case Kind::Intrinsic:
          look_at_intrinsic(f, instruction, location);
          break;
        case Kind::Branch:
        case Kind::Switch:
          result_.branches += function.is_model || (instruction.flags & kSynthetic) != 0 ? 0 : 1;
          break;
        default:
          break;
      }
    }
  }

  void look_at_call(FunctionId f, FunctionId callee, const Location& location) {
    const Function& called = program_.functions[callee];
    if (!called.has_body()) add(ConcernKind::MissingFunction, f, location, called.name);
    if (!program_.functions[f].is_model && called.is_model && reads_[callee])
      add(ConcernKind::Input, f, location, called.name);
  }

  void look_at_intrinsic(FunctionId f, const Instruction& instruction, const Location& location) {
    const Intrinsic intrinsic = instruction.intrinsic();
    if (intrinsic == Intrinsic::ThreadCreate) add(ConcernKind::Thread, f, location, "creates a thread");
    if (program_.functions[f].is_model || !is_input(intrinsic)) return;
    const bool is_named = intrinsic == Intrinsic::Nondet && instruction.parameter != kNone;
    add(ConcernKind::Input, f, location,
        is_named ? fmt::format("any {}", program_.messages[instruction.parameter]) : std::string(name(intrinsic)));
  }

  void look_at_loops(FunctionId f) {
    const Function& function = program_.functions[f];
    const CountedLoops counted(function);
    const LoopForest& forest = counted.loops();
    result_.loops += forest.all().size() + forest.irreducible_edges().size();
    for (LoopId loop = 0; loop < forest.all().size(); ++loop)
      if (!counted.is_counted(loop))
        add(ConcernKind::UnboundedLoop, f, place_of_block(function, forest.all()[loop].header), "loop");
    for (const auto& [source, target] : forest.irreducible_edges())
      add(ConcernKind::UnboundedLoop, f, place_of_block(function, target), "loop with several entries");
  }

  static Location place_of_block(const Function& function, BlockId b) {
    for (const Instruction& instruction : function.instructions_of(b))
      if (instruction.location.is_known()) return instruction.location;
    return function.location;
  }

  void look_at_recursion() {
    for (const std::vector<FunctionId>& component : calls_.components()) {
      const FunctionId f = component.front();
      if (!calls_.is_recursive(f) || !running_[f]) continue;
      const auto is_users = [&](FunctionId g) {
        return !program_.functions[g].is_model && program_.functions[g].has_body();
      };
      const auto users = std::ranges::find_if(component, is_users);
      if (users == component.end()) continue;
      constexpr std::size_t kShown = 6;
      std::string text;
      for (std::size_t i = 0; i < std::min(component.size(), kShown); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : ", ", program_.functions[component[i]].name);
      if (component.size() > kShown) text += fmt::format(" and {} more", component.size() - kShown);
      add(ConcernKind::Recursion, *users, program_.functions[*users].location, std::move(text));
    }
  }

  void look_at_parameters() {
    if (program_.entry == kNone || program_.functions[program_.entry].parameters.empty()) return;
    const Function& entry = program_.functions[program_.entry];
    add(ConcernKind::Input, program_.entry, entry.location, fmt::format("parameters of {}", entry.name));
  }

  struct Key {
    ConcernKind kind;
    FunctionId function;
    std::uint32_t line;
    std::string text;
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  const Program& program_;
  CallGraph calls_;
  std::vector<bool> running_;
  std::vector<bool> reads_;
  std::map<Key, Concern> found_;
  Forecast result_;
};

}  // namespace

std::string_view name(ConcernKind kind) {
  static constexpr std::array<std::string_view, kConcernKindCount> kNames = {
      "missing-function", "unsupported",    "unbounded-loop", "recursion",
      "indirect-call",    "floating-point", "thread",         "input"};
  return kNames[static_cast<std::size_t>(kind)];
}

Forecast forecast(const Program& program) { return Forecaster(program).run(); }

}  // namespace plumb::program
