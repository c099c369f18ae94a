#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "instrument/regions/region_plan.h"
#include "program/analysis/governors.h"
#include "program/fault.h"
#include "program/program.h"
#include "semantics/memory/concrete_bytes.h"

namespace plumb::concolic {

using instrument::RegionPlan;

/// Runs functions block by block with numbers, in a flat memory whose objects lie far apart: the meaning that region
/// formulas have to agree with, written without them. Calls do nothing.
class ReferenceRun {
 public:
  struct Object {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
  };
  struct Fault {
    program::InstructionId instruction = program::kNone;
    program::FaultKind kind{};
  };

  ReferenceRun(const program::Program& program, const program::Function& function)
      : program_(&program), function_(&function) {
    for (const program::GlobalObject& global : program.globals) {
      globals_.push_back(add_object(global.size));
      for (std::uint64_t i = 0; i < global.bytes.size(); ++i) memory[globals_.back() + i] = global.bytes[i];
    }
  }

  std::uint64_t add_object(std::uint64_t size) {
    // No index that is a power of two or one less leads from one object into another.
    const std::uint64_t spacing = program_->layout.pointer_width == 64 ? std::uint64_t{0xa5b1c3} << 24 : 0x65b1c30;
    const std::uint64_t address = (objects.size() + 1) * spacing;
    objects.push_back({address, size});
    for (std::uint64_t i = 0; i < size; ++i) memory[address + i] = 0;
    return address;
  }
  std::uint64_t global_address(program::GlobalId global) const { return globals_[global]; }
  bool is_inside_object(std::uint64_t address, std::uint64_t size) const {
    for (const Object& object : objects)
      if (address >= object.address && address + size <= object.address + object.size && address + size >= address)
        return true;
    return false;
  }

  BitVector value(program::ValueId v) const {
    const program::Value& described = function_->values[v];
    if (described.kind == program::ValueKind::Constant) return function_->constant(v);
    if (described.kind == program::ValueKind::GlobalAddress)
      return BitVector(described.width, globals_[described.index] + static_cast<std::uint64_t>(described.offset));
    return values.at(v);
  }
  std::uint64_t load(std::uint64_t address, std::uint32_t bytes) const {
    std::uint64_t number = 0;
    for (std::uint32_t i = bytes; i-- > 0;) number = number << 8 | memory.at(address + place(i, bytes));
    return number;
  }
  semantics::ByteOrder order() const {
    return program_->layout.is_big_endian ? semantics::ByteOrder::Big : semantics::ByteOrder::Little;
  }

  /// The block's instructions but its terminator; false if one of them faults.
  bool run_block(program::BlockId b) {
    const program::Block& block = function_->blocks[b];
    for (std::uint32_t i = 0; i + 1 < block.instruction_count && !fault; ++i) run(block.first_instruction + i);
    return !fault;
  }
  /// Which edge the terminator takes; nothing if it has none.
  std::optional<std::uint32_t> next_edge(program::BlockId b) const {
    const program::Instruction& terminator = function_->terminator(b);
    const auto operands = function_->operands_of(terminator);
    if (terminator.edge_count == 0) return std::nullopt;
    if (terminator.kind == program::Kind::Branch) return value(operands[0]).is_one() ? 0 : 1;
    if (terminator.kind == program::Kind::Switch)
      for (std::uint32_t i = 1; i < operands.size(); ++i)
        if (value(operands[0]) == value(operands[i])) return i;
    return 0;
  }
  program::BlockId take_edge(program::BlockId b, std::uint32_t index) {
    const program::Edge& edge = function_->successors(b)[index];
    std::vector<BitVector> given;
    for (const program::ValueId v : function_->arguments_of(edge)) given.push_back(value(v));
    for (std::size_t i = 0; i < given.size(); ++i) values[function_->blocks[edge.target].arguments[i]] = given[i];
    return edge.target;
  }

  std::map<program::ValueId, BitVector> values;
  std::map<std::uint64_t, std::uint8_t> memory;
  std::vector<Object> objects;
  std::optional<Fault> fault;

 private:
  bool access(program::InstructionId id, std::uint64_t address, std::uint64_t bytes) {
    if (is_inside_object(address, bytes)) return true;
    fault = {id, program::FaultKind::ArrayPointerOutOfBounds};
    return false;
  }
  /// Of the byte with this number, from the lowest, among `bytes`.
  std::uint32_t place(std::uint32_t i, std::uint32_t bytes) const {
    return program_->layout.is_big_endian ? bytes - 1 - i : i;
  }
  void set(const program::Instruction& instruction, BitVector result) {
    values[instruction.first_result] = std::move(result);
  }
  void run(program::InstructionId id);
  void run_operator(program::InstructionId id);
  std::optional<program::FaultKind> undefined_kind(const program::Instruction& instruction,
                                                   const std::vector<BitVector>& operands) const;
  void run_access(program::InstructionId id);

  const program::Program* program_;
  const program::Function* function_;
  std::vector<std::uint64_t> globals_;
};

/// By the wide result: it does not fit, or the amount is not below the width.
inline std::optional<program::FaultKind> ReferenceRun::undefined_kind(const program::Instruction& instruction,
                                                                      const std::vector<BitVector>& operands) const {
  using program::Check;
  const std::uint32_t width = operands[0].width();
  const auto number = [&](std::size_t i) { return static_cast<__int128>(operands[i].to_int64()); };
  std::optional<__int128> exact;
  if (instruction.op() == term::Op::Add) exact = number(0) + number(1);
  if (instruction.op() == term::Op::Sub) exact = number(0) - number(1);
  if (instruction.op() == term::Op::Mul) exact = number(0) * number(1);
  if (instruction.op() == term::Op::Neg) exact = -number(0);
  const __int128 limit = static_cast<__int128>(1) << (width - 1);
  const bool has_wrap_flag = (instruction.flags & program::kNoSignedWrap) != 0;
  if (program_->checks.has(Check::Overflow) && has_wrap_flag && exact && (*exact >= limit || *exact < -limit))
    return program::FaultKind::SignedOverflow;
  const bool is_shift = (instruction.flags & program::kSourceShift) != 0;
  if (program_->checks.has(Check::Shift) && is_shift && operands[1].to_uint64() >= width)
    return program::FaultKind::ShiftOutOfRange;
  return std::nullopt;
}

inline void ReferenceRun::run_operator(program::InstructionId id) {
  using term::Op;
  const program::Instruction& instruction = function_->instructions[id];
  std::vector<BitVector> operands;
  std::vector<const BitVector*> pointers;
  for (const program::ValueId v : function_->operands_of(instruction)) operands.push_back(value(v));
  for (const BitVector& operand : operands) pointers.push_back(&operand);
  const Op op = instruction.op();
  if (op == Op::Udiv || op == Op::Urem || op == Op::Sdiv || op == Op::Srem || op == Op::Smod) {
    const bool is_signed = op == Op::Sdiv || op == Op::Srem || op == Op::Smod;
    if (operands[1].is_zero())
      fault = {id, program::FaultKind::DivisionByZero};
    else if (is_signed && operands[1].is_ones() && operands[0] == BitVector::min_signed(operands[0].width()))
      fault = {id, program::FaultKind::SignedOverflow};
    if (fault) return;
  }
  if (const std::optional<program::FaultKind> kind = undefined_kind(instruction, operands)) {
    fault = {id, *kind};
    return;
  }
  set(instruction,
      term::evaluate(op, pointers, function_->values[instruction.first_result].width, instruction.parameter));
}

inline void ReferenceRun::run_access(program::InstructionId id) {
  using program::Kind;
  const program::Instruction& instruction = function_->instructions[id];
  const auto operands = function_->operands_of(instruction);
  const std::uint64_t address = value(operands[0]).to_uint64();
  if (instruction.kind == Kind::Load) {
    const std::uint32_t width = function_->values[instruction.first_result].width;
    if (access(id, address, width / 8)) set(instruction, BitVector(width, load(address, width / 8)));
    return;
  }
  if (instruction.kind == Kind::Store) {
    const BitVector stored = value(operands[1]);
    if (!access(id, address, stored.width() / 8)) return;
    for (std::uint32_t i = 0; i < stored.width() / 8; ++i)
      memory[address + place(i, stored.width() / 8)] = static_cast<std::uint8_t>(stored.to_uint64() >> (8 * i));
    return;
  }
  const std::uint64_t size = value(operands[2]).to_uint64();
  if (!access(id, address, size)) return;
  std::vector<std::uint8_t> bytes(size, static_cast<std::uint8_t>(value(operands[1]).to_uint64()));
  if (instruction.kind == Kind::CopyMemory) {
    const std::uint64_t from = value(operands[1]).to_uint64();
    if (!access(id, from, size)) return;
    for (std::uint64_t i = 0; i < size; ++i) bytes[i] = memory.at(from + i);
  }
  for (std::uint64_t i = 0; i < size; ++i) memory[address + i] = bytes[i];
}

inline void ReferenceRun::run(program::InstructionId id) {
  using program::Kind;
  const program::Instruction& instruction = function_->instructions[id];
  const auto operands = function_->operands_of(instruction);
  switch (instruction.kind) {
    case Kind::Operator:
      return run_operator(id);
    case Kind::Float: {
      const BitVector a = value(operands[0]);
      const BitVector b = value(operands.back());
      const std::vector<const BitVector*> pointers{&a, &b};
      const std::uint32_t width = function_->values[instruction.first_result].width;
      return set(instruction,
                 program::evaluate(instruction.float_op(), std::span(pointers).first(operands.size()), width));
    }
    case Kind::Allocate:
      return set(instruction, BitVector(function_->values[instruction.first_result].width,
                                        add_object(value(operands[0]).to_uint64())));
    case Kind::CheckIndex:
      if (!value(operands[0]).ult(value(operands[1]))) fault = {id, program::FaultKind::ArrayOutOfBounds};
      return;
    case Kind::Call:
    case Kind::Intrinsic:
      return;
    default:
      return run_access(id);
  }
}

/// What happens in a region from its governor on.
struct ReferenceVisit {
  std::set<std::pair<program::BlockId, std::uint32_t>> edges;  ///< taken: source and index
  std::optional<program::BlockId> destination;                 ///< nothing if there was a fault
};

/// `run` stands at the end of the governor, and afterwards at the start of the destination.
inline ReferenceVisit run_region(ReferenceRun& run, const RegionPlan& plan) {
  const std::set<program::BlockId> inside(plan.blocks.begin(), plan.blocks.end());
  ReferenceVisit visit;
  program::BlockId b = plan.governor;
  while (true) {
    const std::uint32_t index = *run.next_edge(b);
    visit.edges.insert({b, index});
    b = run.take_edge(b, index);
    if (!inside.contains(b)) {
      visit.destination = b;
      return visit;
    }
    if (!run.run_block(b)) return visit;
  }
}

}  // namespace plumb::concolic
