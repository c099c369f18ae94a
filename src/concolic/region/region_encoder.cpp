// The formula of a governed region, after Gao 2018, section 2.4.2: execution guards of blocks, edge formulas, a version
// of each variable a block. We deviate in four ways. Guards and versions are terms, not variables with equations, so a
// template is a set of terms and an instance is the same terms over other operands. Programs are in SSA form already:
// in place of x' = ite(g, e, x) in every block there is an ite where blocks join. Memory has versions of its own, a
// slot at a time. And an instruction can go wrong: a fault is one more way out of the region, so that what comes after
// it is guarded by its absence, and exactly one of destination and fault guards holds.
#include "concolic/region/region_encoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "semantics/float_terms.h"
#include "semantics/operators.h"

namespace plumb::concolic {

using instrument::find_slot;
using instrument::is_access;
using instrument::make_pieces;
using instrument::MemorySlot;
using semantics::condition;
using semantics::operator_faults;
using semantics::OperatorFault;

using program::BlockId;
using program::FaultKind;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;
using semantics::TermBytes;
using term::Term;

namespace {

/// Larger objects that are read or written at a variable offset are arrays: each execution makes the formula anew, and
/// an array whose content is known is made once.
constexpr std::uint32_t kMaxChoices = 64;

}  // namespace

RegionEncoder::RegionEncoder(const program::Program& program, const RegionPlan& plan, term::TermStore& store)
    : program_(program),
      platform_(program::platform_of(program.layout)),
      function_(program.functions[plan.function]),
      plan_(plan),
      store_(store),
      uses_(function_),
      resolver_(program, function_, uses_, plan.max_slot),
      is_inside_([this](BlockId b) { return b != plan_.governor && position_.contains(b); }),
      is_sequential_(plan.slots.size(), false) {
  position_[plan.governor] = 0;
  for (const BlockId b : plan.blocks) position_[b] = static_cast<std::uint32_t>(position_.size());
  states_.resize(position_.size());
}

RegionFormula RegionEncoder::run() {
  make_variables();
  find_in_edges();
  formula_.guards.edge_guards.resize(plan_.edges.size());
  BlockState& governor = states_[0];
  governor.guard = store_.boolean(true);
  governor.memory = shared_;
  leave_block(plan_.governor);
  for (const BlockId b : plan_.blocks) {
    enter_block(b);
    const program::Block& block = function_.blocks[b];
    for (std::uint32_t i = 0; i + 1 < block.instruction_count; ++i) encode(b, block.first_instruction + i);
    leave_block(b);
  }
  for (std::uint32_t d = 0; d < plan_.destinations.size(); ++d) {
    const std::vector<Term> guards = guards_of(edges_to(plan_.destinations[d]));
    formula_.guards.destination_guards.push_back(store_.any_of(guards));
    formula_.outs.push_back(make_outs(d));
  }
  return std::move(formula_);
}

void RegionEncoder::make_variables() {
  for (const ValueId v : plan_.ins) {
    formula_.ins.push_back(store_.variable(function_.values[v].width, fmt::format("in.{}", v)));
    values_[v] = formula_.ins.back();
  }
  std::vector<RegionAccess> accesses;
  for (const BlockId b : plan_.blocks) {
    const program::Block& block = function_.blocks[b];
    for (InstructionId i = block.first_instruction; i < block.first_instruction + block.instruction_count; ++i) {
      if (!is_access(function_.instructions[i].kind)) continue;
      const auto found = resolver_.accesses(i, is_inside_);
      INVARIANT(found, "every access of a planned region should have been resolved");
      accesses.insert(accesses.end(), found->begin(), found->end());
    }
  }
  for (const RegionAccess& access : accesses) {
    const std::uint32_t slot = find_slot(resolver_, plan_.slots, access).slot;
    if (access.is_write && !access.address.is_constant() && plan_.slots[slot].size > kMaxChoices)
      is_sequential_[slot] = true;
  }
  pieces_ = make_pieces(resolver_, plan_.slots, accesses);
  for (std::uint32_t slot = 0; slot < plan_.slots.size(); ++slot) {
    formula_.slot_addresses.push_back(store_.variable(program_.layout.pointer_width, fmt::format("address.{}", slot)));
    make_content(slot, pieces_[slot]);
  }
}

/// The content of constant globals is known already, unless it contains addresses.
void RegionEncoder::make_content(std::uint32_t slot, std::span<const SlotPiece> pieces) {
  const MemorySlot& memory = plan_.slots[slot];
  const Value& base = function_.values[memory.base];
  const TermBytes::Options options{
      .order = program_.layout.is_big_endian ? semantics::ByteOrder::Big : semantics::ByteOrder::Little,
      .max_choices = kMaxChoices,
      .max_reads = kMaxChoices};
  TermBytes content({}, memory.size, options);
  const program::GlobalObject* global = base.kind == ValueKind::GlobalAddress ? &program_.globals[base.index] : nullptr;
  if (global != nullptr && global->is_constant && global->relocations.empty()) {
    const auto start = static_cast<std::size_t>(memory.offset + resolver_.base_offset(memory.base));
    std::vector<std::uint8_t> bytes(memory.size, 0);
    for (std::size_t i = 0; i < bytes.size() && start + i < global->bytes.size(); ++i)
      bytes[i] = global->bytes[start + i];
    content = TermBytes(bytes, bytes.size(), options);
  } else {
    for (const SlotPiece& piece : pieces) {
      const Term variable = store_.variable(piece.size * 8, fmt::format("memory.{}.{}", slot, piece.offset));
      content.store(store_, piece.offset, variable);
      formula_.pieces.push_back({slot, piece.offset, piece.size, variable});
    }
  }
  shared_.slots.push_back(std::move(content));
  shared_.versions.push_back(0);
}

Term RegionEncoder::object_start(ValueId base) {
  const auto slot = std::find_if(plan_.slots.begin(), plan_.slots.end(),
                                 [&](const MemorySlot& candidate) { return candidate.base == base; });
  INVARIANT(slot != plan_.slots.end(), "an address that a region uses should have a slot");
  const Term address = formula_.slot_addresses[static_cast<std::size_t>(slot - plan_.slots.begin())];
  const auto start = static_cast<std::uint64_t>(-slot->offset - resolver_.base_offset(base));
  return store_.add(address, store_.constant(store_.width(address), start));
}

Term RegionEncoder::term_of(ValueId v) {
  if (const auto known = values_.find(v); known != values_.end()) return known->second;
  const Value& value = function_.values[v];
  Term made;
  if (value.kind == ValueKind::Constant) {
    made = store_.constant(function_.constant(v));
  } else if (value.kind == ValueKind::GlobalAddress) {
    const Term offset = store_.constant(value.width, static_cast<std::uint64_t>(value.offset));
    made = store_.add(object_start(resolver_.global_base(value.index)), offset);
  } else {
    made = object_start(v);
  }
  values_[v] = made;
  return made;
}

void RegionEncoder::add_fault(BlockId block, InstructionId instruction, FaultKind kind, Term condition) {
  BlockState& s = state(block);
  const Term guard = store_.bit_and(s.guard, condition);
  if (store_.is_false(guard)) return;
  formula_.faults.push_back({instruction, kind});
  formula_.guards.fault_guards.push_back(guard);
  s.guard = store_.bit_and(s.guard, store_.bit_not(condition));
  s.has_fault = true;
}

Term RegionEncoder::encode_operator(BlockId block, InstructionId id) {
  const Instruction& instruction = function_.instructions[id];
  std::array<Term, 3> terms{};
  const auto operands = function_.operands_of(instruction);
  for (std::size_t i = 0; i < operands.size(); ++i) terms[i] = term_of(operands[i]);
  const auto used = std::span(terms).first(operands.size());
  for (const OperatorFault& fault : operator_faults(function_, instruction, platform_, program_.checks))
    add_fault(block, id, fault.kind, condition(store_, fault, used));
  const std::uint32_t parameter = instruction.parameter == kNone ? 0 : instruction.parameter;
  return store_.make(instruction.op(), used, function_.values[instruction.first_result].width, parameter);
}

void RegionEncoder::encode(BlockId block, InstructionId id) {
  const Instruction& instruction = function_.instructions[id];
  const auto operands = function_.operands_of(instruction);
  if (instruction.kind == Kind::Operator) {
    values_[instruction.first_result] = encode_operator(block, id);
  } else if (instruction.kind == Kind::Float) {
    std::vector<Term> terms;
    for (const ValueId v : operands) terms.push_back(term_of(v));
    const std::uint32_t width = function_.values[instruction.first_result].width;
    values_[instruction.first_result] = *semantics::float_result(store_, instruction.float_op(), terms, width);
  } else if (instruction.kind == Kind::CheckIndex) {
    const Term index = term_of(operands[0]);
    const Term count = term_of(operands[1]);
    add_fault(block, id, FaultKind::ArrayOutOfBounds, store_.ule(count, index));
    if (store_.is_constant(count)) state(block).bounds.try_emplace(index, store_.value(count).to_uint64());
  } else {
    INVARIANT(is_access(instruction.kind), "a region should contain nothing that has no encoding");
    encode_access(block, id);
  }
}

void RegionEncoder::encode_access(BlockId block, InstructionId id) {
  const Instruction& instruction = function_.instructions[id];
  const auto operands = function_.operands_of(instruction);
  const auto accesses = resolver_.accesses(id, is_inside_);
  if (accesses->empty()) return;
  const RegionAccess& first = accesses->front();
  if (instruction.kind == Kind::Load) {
    values_[instruction.first_result] = load(block, first);
  } else if (instruction.kind == Kind::Store) {
    store(block, first, term_of(operands[1]));
  } else if (instruction.kind == Kind::CopyMemory) {
    copy(block, first, (*accesses)[1]);
  } else {
    fill(block, first, term_of(operands[1]));
  }
}

}  // namespace plumb::concolic
