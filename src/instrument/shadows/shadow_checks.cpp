// Checks of what depends on input. Before the code looks whether an access or operation is right in this run, the
// runtime is told what is checked, so that the engine can look for inputs with which it is wrong.
#include <llvm/IR/Constants.h>

#include <algorithm>

#include "frontend/lower/operators.h"
#include "instrument/checks/check_marks.h"
#include "instrument/shadows/shadow_function.h"
#include "program/platform.h"
#include "runtime/checks/checks.h"
#include "semantics/operators.h"

namespace plumb::instrument {

using program::Check;
using term::Op;

namespace {

std::uint32_t access_word(const MemoryAccess& access) {
  return static_cast<std::uint32_t>(access.size) | (access.is_write ? PLUMB_ACCESS_WRITE : 0);
}

}  // namespace

void FunctionShadows::replace(llvm::Value& old, llvm::Value& made) {
  prepared_.symbolic[&made] = prepared_.may_be_symbolic(old);
  prepared_.symbolic_memory[&made] = prepared_.memory_may_be_symbolic(old);
  for (PlainRegion* region : regions_) {
    std::ranges::replace(region->ins, &old, &made);
    std::ranges::replace(region->bases, &old, &made);
  }
  for (ConcreteLoop& loop : loops_) std::ranges::replace(loop.entering, &old, &made);
}

// --- Accesses ---

CheckedAddress FunctionShadows::check_access(llvm::Instruction& instruction) {
  const auto access = access_of(instruction, layout_);
  CheckedAddress at{access->address(), shadow(access->address(), instruction)};
  if (!is_zero(at.shadow) && !checks_.tested_before(instruction)) at = tell_access(instruction, *access, at);
  at = checks_.check_access(instruction, at);
  access->pointer->set(at.value);
  shadows_[at.value] = {at.shadow};
  return at;
}

CheckedAddress FunctionShadows::tell_access(llvm::Instruction& instruction, const MemoryAccess& access,
                                            CheckedAddress given) {
  const AccessPlan* plan = checks_.plan(*access.pointer);
  const bool is_tested = plan != nullptr && plan->test != AccessTest::None;
  const bool is_aligned = access.alignment.value() > 1 && prepared_.checks.has(Check::Alignment);
  if (!is_tested && !is_aligned) return given;
  llvm::Value* root_id = is_tested ? shadow(plan->root, instruction) : runtime_.word(0);
  CodeBuilder builder(instruction);
  llvm::Instruction* rare = rarely(builder.CreateIsNotNull(given.shadow), instruction);
  CodeBuilder code(*rare);
  llvm::Value* site = runtime_.word(site_of(instruction));
  if (is_aligned)
    runtime_.call(
        code, RuntimeFunction::Alignment,
        {site, given.shadow, given.value, runtime_.word(static_cast<std::uint32_t>(access.alignment.value()))});
  if (!is_tested) return given;
  if (!is_zero(root_id)) runtime_.when(code, RuntimeFunction::Root, {site, root_id, plan->root});
  llvm::Value* made = runtime_.call(code, RuntimeFunction::Access,
                                    {site, given.shadow, given.value, runtime_.word(access_word(access)), plan->root,
                                     runtime_.size(plan->object.size)});
  llvm::Value* kept = code.CreateSelect(code.CreateICmpEQ(made, given.value), given.shadow, runtime_.word(0));
  llvm::BasicBlock* block = instruction.getParent();
  llvm::PHINode* place = llvm::PHINode::Create(made->getType(), 2, "told", block->begin());
  for (llvm::BasicBlock* from : llvm::predecessors(block))
    place->addIncoming(from == rare->getParent() ? made : given.value, from);
  return {place, merge(kept, rare, instruction)};
}

// --- Addresses ---

void FunctionShadows::tell_index(llvm::GetElementPtrInst& address, const frontend::CheckedIndex& checked) {
  llvm::Value* index = address.getOperand(checked.operand);
  llvm::Value* id = shadow(index, address);
  if (is_zero(id)) return;
  CodeBuilder builder(address);
  CodeBuilder code(*rarely(builder.CreateIsNotNull(id), address));
  const std::uint32_t width = runtime_.size_type()->getBitWidth();
  llvm::Value* wide = operators(code).resize(id, width_of(index->getType(), layout_), width, true);
  llvm::Value* value = code.CreateZExt(code.CreateSExtOrTrunc(index, runtime_.size_type()), code.getInt64Ty());
  runtime_.call(code, RuntimeFunction::Index,
                {runtime_.word(site_of(address)), wide, value, code.getInt64(checked.limit)});
}

void FunctionShadows::visit_indices(llvm::GetElementPtrInst& address) {
  if (const auto before = checks_.tested_before(address)) {
    checks_.check_indices(address, nullptr, *address.getNextNode());
    return replace(address, *before->value);
  }
  for (const frontend::CheckedIndex& checked : marked_indices(llvm::cast<llvm::GEPOperator>(address)))
    tell_index(address, checked);
  wait(address);
  llvm::Instruction& next = *address.getNextNode();
  llvm::Value* id = shadow(&address, next);
  const CheckedAddress made = checks_.check_indices(address, id, next);
  shadows_[made.value] = {made.shadow};
  replace(address, *made.value);
}

// --- Blocks ---

void FunctionShadows::tell_block(const llvm::Use& pointer, llvm::Value* size, bool is_write,
                                 llvm::Instruction& position) {
  const AccessPlan* plan = checks_.plan(pointer);
  if (plan == nullptr || plan->test == AccessTest::None) return;
  llvm::Value* address_id = shadow(pointer.get(), position);
  const bool has_size = is_tracked(size->getType(), layout_);
  llvm::Value* size_id = has_size ? shadow(size, position) : runtime_.word(0);
  if (is_zero(address_id) && is_zero(size_id)) return;
  CodeBuilder builder(position);
  CodeBuilder code(*rarely(builder.CreateIsNotNull(builder.CreateOr(address_id, size_id)), position));
  const std::uint32_t width = runtime_.size_type()->getBitWidth();
  size_id = operators(code).resize(size_id, width_of(size->getType(), layout_), width, false);
  runtime_.call(code, RuntimeFunction::Block,
                {runtime_.word(site_of(position)), address_id, pointer.get(), size_id,
                 code.CreateZExtOrTrunc(size, runtime_.size_type()), runtime_.word(is_write)});
}

void FunctionShadows::tell_buffers(llvm::CallBase& call) {
  if (!has_access_checks(prepared_.checks)) return;
  for (const Buffer& buffer : buffers_of(call)) {
    // A function that may write less is no proof that it writes more; a product is seen when it is wrong.
    if (buffer.is_written || buffer.count >= 0) continue;
    tell_block(call.getArgOperandUse(buffer.argument), call.getArgOperand(buffer.size), false, call);
  }
}

bool FunctionShadows::tell_size(llvm::CallBase& call, RuntimeFunction f) {
  if (!prepared_.checks.has(Check::Bounds)) return false;
  const bool is_product = f == RuntimeFunction::Calloc;
  if (!is_product && f != RuntimeFunction::Malloc && f != RuntimeFunction::Realloc) return false;
  llvm::SmallVector<llvm::Value*, 2> factors;
  for (llvm::Value* argument : call.args())
    if (argument->getType() == runtime_.size_type()) factors.push_back(argument);
  if (factors.size() != (is_product ? 2U : 1U) || !call.getType()->isPointerTy()) return false;
  llvm::Value* first = shadow(factors.front(), call);
  llvm::Value* second = is_product ? shadow(factors.back(), call) : runtime_.word(0);
  if (is_zero(first) && is_zero(second)) return true;
  llvm::Instruction& next = after(call);
  CodeBuilder builder(next);
  CodeBuilder code(*rarely(builder.CreateIsNotNull(builder.CreateOr(first, second)), next));
  llvm::Value* size = factors.front();
  llvm::Value* id = first;
  if (is_product) {
    id = operators(code).binary(Op::Mul, runtime_.size_type()->getBitWidth(), {first, bits_of(code, factors[0])},
                                {second, bits_of(code, factors[1])});
    size = code.CreateMul(size, factors[1]);
  }
  runtime_.call(code, RuntimeFunction::Sized, {&call, size, id});
  return true;
}

// --- Operators ---

void FunctionShadows::check_operator(llvm::Instruction& instruction) {
  const std::optional<Op> op = frontend::integer_operator(instruction.getOpcode());
  const program::Platform platform = program::platform_of(prepared_.subject.program.layout);
  const bool is_quotient = op && semantics::is_signed_division(*op) &&
                           (platform.traps_on_quotients || prepared_.checks.has(Check::Overflow));
  if (is_tracked(instruction.getType(), layout_) && (is_quotient || is_marked_operator(instruction))) {
    llvm::Value* a = instruction.getOperand(0);
    llvm::Value* b = instruction.getOperand(1);
    llvm::Value* b_id = shadow(b, instruction);
    llvm::Value* a_id = instruction.isShift() ? runtime_.word(0) : shadow(a, instruction);
    if (!is_zero(a_id) || !is_zero(b_id)) {
      CodeBuilder builder(instruction);
      CodeBuilder code(*rarely(builder.CreateIsNotNull(builder.CreateOr(a_id, b_id)), instruction));
      llvm::Value* site = runtime_.word(site_of(instruction));
      llvm::Value* width = runtime_.word(width_of(instruction.getType(), layout_));
      if (instruction.isShift()) {
        runtime_.call(code, RuntimeFunction::Shift, {site, width, b_id, bits_of(code, b)});
      } else {
        runtime_.call(code, RuntimeFunction::Overflow,
                      {site, runtime_.word(static_cast<std::uint32_t>(*op)), width, a_id, bits_of(code, a), b_id,
                       bits_of(code, b)});
      }
    }
  }
  checks_.check_operator(instruction);
}

}  // namespace plumb::instrument
