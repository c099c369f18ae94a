#include "unroll/thread_plan.h"

#include <set>

#include "semantics/visible.h"

namespace plumb::unroll {

using program::BlockId;
using program::Function;
using program::Instruction;
using program::InstructionId;
using program::Intrinsic;
using program::Kind;
using program::kNone;
using program::ValueId;
using program::ValueKind;

namespace {

/// Objects of the stack whose addresses never leave the values of their call, and which values are such addresses.
class OwnObjects {
 public:
  explicit OwnObjects(const Function& function)
      : function_(function), root_of_(function.values.size(), kNone), has_escaped_(function.values.size(), false) {
    for (const Instruction& i : function.instructions)
      if (i.kind == Kind::Allocate) root_of_[i.first_result] = i.first_result;
    do {
      is_changed_ = false;
      for (BlockId b = 0; b < function.blocks.size(); ++b)
        for (const Instruction& i : function.instructions_of(b)) look_at(i);
    } while (is_changed_);
  }

  bool is_own(ValueId address) const { return root_of_[address] != kNone && !has_escaped_[root_of_[address]]; }

 private:
  void escape(ValueId v) {
    if (root_of_[v] == kNone || has_escaped_[root_of_[v]]) return;
    has_escaped_[root_of_[v]] = true;
    is_changed_ = true;
  }
  void flow(ValueId from, ValueId to) {
    if (root_of_[from] == kNone || root_of_[from] == root_of_[to]) return;
    if (root_of_[to] != kNone) {
      escape(from);
      escape(to);
      return;
    }
    root_of_[to] = root_of_[from];
    is_changed_ = true;
  }
  static bool is_address(const Instruction& i, std::size_t operand) {
    switch (i.kind) {
      case Kind::Load:
      case Kind::FillMemory:
      case Kind::CheckIndex:
        return true;
      case Kind::Store:
        return operand == 0;
      case Kind::CopyMemory:
        return true;
      case Kind::Intrinsic:
        break;
      default:
        return false;
    }
    switch (i.intrinsic()) {
      case Intrinsic::EnterScope:
      case Intrinsic::LeaveScope:
      case Intrinsic::UnsetMemory:
      case Intrinsic::MakeSymbolic:
      case Intrinsic::CheckPointer:
        return true;
      case Intrinsic::ThreadCreate:
        return operand == 0;
      case Intrinsic::ThreadJoin:
        return operand == 1;
      default:
        return false;
    }
  }
  void look_at(const Instruction& i) {
    const std::span<const ValueId> operands = function_.operands_of(i);
    if (i.kind == Kind::Operator) {
      if (function_.values[i.first_result].width > 1)
        for (const ValueId v : operands) flow(v, i.first_result);
      return;
    }
    for (std::size_t o = 0; o < operands.size(); ++o)
      if (!is_address(i, o)) escape(operands[o]);
    for (const program::Edge& edge : function_.edges_of(i)) {
      const std::span<const ValueId> given = function_.arguments_of(edge);
      for (std::size_t a = 0; a < given.size(); ++a) flow(given[a], function_.blocks[edge.target].arguments[a]);
    }
  }

  const Function& function_;
  std::vector<ValueId> root_of_;  ///< by value: the Allocate that it is the address of, with or without an offset
  std::vector<bool> has_escaped_;
  bool is_changed_ = false;
};

/// What touches nothing that others have and never ends the run.
bool is_of_one_thread(Intrinsic what) {
  switch (what) {
    case Intrinsic::Nondet:
    case Intrinsic::UnsetValue:
    case Intrinsic::UnsetMemory:
    case Intrinsic::StackSave:
    case Intrinsic::StackRestore:
    case Intrinsic::ThreadSelf:
    case Intrinsic::ThreadYield:
    case Intrinsic::Malloc:
    case Intrinsic::Calloc:
    case Intrinsic::AlignedAlloc:
    case Intrinsic::CondSignal:
    case Intrinsic::CondBroadcast:
    case Intrinsic::AtomicEnd:
    case Intrinsic::Fence:
      return true;
    default:
      return false;
  }
}

}  // namespace

ThreadPlan::ThreadPlan(const program::Program& program, const program::UnwindingPlan& plan) : plan_(plan) {
  const Function& function = plan.function();
  block_of_.resize(function.instructions.size(), kNone);
  live_before_.resize(function.instructions.size());
  for (BlockId b = 0; b < function.blocks.size(); ++b)
    for (std::uint32_t i = 0; i < function.blocks[b].instruction_count; ++i)
      block_of_[function.blocks[b].first_instruction + i] = b;
  find_switches(program);
}

void ThreadPlan::find_switches(const program::Program& program) {
  const Function& function = plan_.function();
  const OwnObjects own(function);
  const auto is_kept = [&](ValueId address) {
    const program::Value& value = function.values[address];
    return own.is_own(address) || (value.kind == ValueKind::GlobalAddress && program.globals[value.index].is_constant);
  };
  for (const Instruction& i : function.instructions) {
    bool is_switch = semantics::is_visible(function, i, true);  // objects of a call end with its return
    const std::span<const ValueId> operands = function.operands_of(i);
    if (i.kind == Kind::Intrinsic) is_switch = !is_of_one_thread(i.intrinsic());
    if (i.kind == Kind::Intrinsic && (i.intrinsic() == Intrinsic::EnterScope || i.intrinsic() == Intrinsic::LeaveScope))
      is_switch = !is_kept(operands[0]);
    if (i.kind == Kind::Load || i.kind == Kind::Store || i.kind == Kind::FillMemory) is_switch = !is_kept(operands[0]);
    if (i.kind == Kind::CopyMemory) is_switch = !is_kept(operands[0]) || !is_kept(operands[1]);
    is_switch_.push_back(is_switch);
  }
}

std::span<const ValueId> ThreadPlan::live_before(InstructionId i) {
  if (live_before_[i]) return *live_before_[i];
  const Function& function = plan_.function();
  const BlockId b = block_of_[i];
  std::set<ValueId> live;
  for (const program::Edge& edge : function.successors(b))
    live.insert(plan_.live_ins(edge.target).begin(), plan_.live_ins(edge.target).end());
  const auto use = [&](ValueId v) {
    if (program::is_variable(function.values[v])) live.insert(v);
  };
  const program::Block& block = function.blocks[b];
  for (InstructionId at = block.first_instruction + block.instruction_count; at-- > i;) {
    const Instruction& instruction = function.instructions[at];
    for (std::uint32_t r = 0; r < instruction.result_count; ++r) live.erase(instruction.first_result + r);
    for (const ValueId v : function.operands_of(instruction)) use(v);
    for (const program::Edge& edge : function.edges_of(instruction))
      for (const ValueId v : function.arguments_of(edge)) use(v);
  }
  live_before_[i] = std::make_unique<std::vector<ValueId>>(live.begin(), live.end());
  return *live_before_[i];
}

}  // namespace plumb::unroll
