// From a Function to its executable form. Slots are given out in the order of values, parameters first, and never
// shared: frames are not cleared, so a large frame costs address space, not time. The moves of an edge happen at once
// in the Program; here they are put into an order, and a cycle is cut by a slot of its own ("Practical improvements to
// the construction and destruction of static single assignment form", Briggs et al. 1998, section 3.5).

#include "interpret/decode.h"

#include <algorithm>
#include <array>
#include <map>

#include "interpret/definedness.h"
#include "interpret/handlers.h"
#include "semantics/calls.h"
#include "semantics/memory/concrete_bytes.h"
#include "semantics/visible.h"
#include "term/narrow.h"

namespace plumb::interpret {

using program::Block;
using program::is_terminator;
using program::Value;
using program::ValueKind;
using semantics::kUninitialised;

using term::Op;

Code::Code(const Program& of) : program(of), functions(of.functions.size()) {
  for (const Function& function : of.functions)
    has_section_waits |= std::ranges::any_of(function.instructions, [](const Instruction& i) {
      return i.kind == Kind::Intrinsic &&
             (i.intrinsic() == Intrinsic::ThreadWait || i.intrinsic() == Intrinsic::ThreadTimedWait);
    });
}

void Code::decode(FunctionId id) {
  functions[id] = std::make_unique<FunctionCode>();
  Decoder(*this, id, *functions[id]).run();
}

Decoder::Decoder(const Code& code, FunctionId id, FunctionCode& out)
    : code_(code), function_(code.program.functions[id]), out_(out) {
  out_.id = id;
  out_.function = &function_;
}

void Decoder::run() {
  assign_slots();
  out_.block_of.resize(function_.instructions.size());
  out_.edges.resize(function_.edges.size());
  block_start_.resize(function_.blocks.size());
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    block_start_[b] = out_.code.size();
    decode_block(b);
  }
  for (std::size_t e = 0; e < function_.edges.size(); ++e) decode_edge(e);
  for (std::size_t i = 0; i < out_.code.size(); ++i)
    if (terminator_edges_[i] != kNone) out_.code[i].edges = out_.edges.data() + terminator_edges_[i];
  if (is_followed()) follow_definedness(out_);
  out_.entry_instructions = function_.blocks[0].instruction_count;
  out_.has_variables_in_memory = semantics::has_variables_in_memory(function_);
  out_.is_output = semantics::is_output(function_);
  out_.slot_count = next_slot_;
}

std::uint32_t Decoder::new_slots(std::uint32_t width) {
  const std::uint32_t first = next_slot_;
  next_slot_ += words_of(width);
  return first;
}

Operand Decoder::new_constant(std::span<const std::uint64_t> words) {
  const auto first = static_cast<Operand>(out_.pool.size());
  out_.pool.insert(out_.pool.end(), words.begin(), words.end());
  return first | kPool;
}

void Decoder::assign_slots() {
  out_.operand_of.resize(function_.values.size());
  for (const ValueId p : function_.parameters) out_.operand_of[p] = new_slots(function_.values[p].width);
  out_.parameter_words = next_slot_;
  for (ValueId v = 0; v < function_.values.size(); ++v) {
    const Value& value = function_.values[v];
    switch (value.kind) {
      case ValueKind::Parameter:
        break;
      case ValueKind::BlockArgument:
      case ValueKind::Result:
        out_.operand_of[v] = new_slots(value.width);
        break;
      default:
        out_.operand_of[v] = is_thread_local(v) ? new_slots(value.width) : constant_operand(v);
    }
  }
}

bool Decoder::is_thread_local(ValueId v) const {
  const Value& value = function_.values[v];
  return value.kind == ValueKind::GlobalAddress && code_.program.globals[value.index].is_thread_local;
}

Operand Decoder::constant_operand(ValueId v) {
  const Value& value = function_.values[v];
  std::uint64_t word = 0;
  switch (value.kind) {
    case ValueKind::Constant:
      return new_constant(function_.constant(v).words());
    case ValueKind::GlobalAddress:
      word = code_.global_addresses[value.index] + static_cast<std::uint64_t>(value.offset);
      break;
    case ValueKind::FunctionAddress:
      word = code_.function_addresses[value.index];
      break;
    default: {
      // As memory that was never written, so that a pointer of it is seen when it is used.
      const std::vector<std::uint64_t> pattern(words_of(value.width),
                                               std::uint64_t{0x0101'0101'0101'0101} * kUninitialised);
      return new_constant(BitVector::from_words(value.width, pattern).words());
    }
  }
  word &= term::narrow_mask(value.width);
  return new_constant({&word, 1});
}

std::vector<Operand> Decoder::words(std::span<const ValueId> values) const {
  std::vector<Operand> result;
  for (const ValueId v : values)
    for (std::uint32_t i = 0; i < words_of(function_.values[v].width); ++i) result.push_back(operand(v) + i);
  return result;
}

void Decoder::decode_block(BlockId b) {
  const Block& block = function_.blocks[b];
  for (InstructionId i = block.first_instruction; i < block.first_instruction + block.instruction_count; ++i) {
    out_.block_of[i] = b;
    const Instruction& source = function_.instructions[i];
    add_thread_locals(i, source);
    const bool is_last_but_one = i + 2 == block.first_instruction + block.instruction_count;
    if (is_last_but_one && !is_followed() && add_compare_branch(i, source)) {
      out_.block_of[i + 1] = b;
      return;
    }
    add(i, source);
  }
}

/// The addresses of thread-local objects are not constants: each instruction that uses one computes it first.
void Decoder::add_thread_locals(InstructionId id, const Instruction& source) {
  std::vector<ValueId> used(function_.operands_of(source).begin(), function_.operands_of(source).end());
  for (const Edge& e : function_.edges_of(source))
    used.insert(used.end(), function_.arguments_of(e).begin(), function_.arguments_of(e).end());
  for (const ValueId v : used) {
    if (!is_thread_local(v)) continue;
    Decoded& d = append(id, thread_local_address);
    d.result = operand(v);
    d.a = function_.values[v].index;
    d.immediate = static_cast<std::uint64_t>(function_.values[v].offset);
  }
}

Decoded& Decoder::append(InstructionId id, Handler handler) {
  out_.code.push_back({});
  terminator_edges_.push_back(kNone);
  out_.code.back().run = handler;
  out_.code.back().source = id;
  return out_.code.back();
}

void Decoder::add(InstructionId id, const Instruction& source) {
  const std::span<const ValueId> operands = function_.operands_of(source);
  switch (source.kind) {
    case Kind::Operator:
      add_operator(id, source);
      return;
    case Kind::Call:
    case Kind::CallIndirect:
      add_call(id, source);
      return;
    case Kind::Load:
    case Kind::Store:
      add_access(id, source);
      return;
    case Kind::Switch:
      add_switch(id, source);
      return;
    case Kind::Return: {
      Decoded& d = append(id, return_from);
      out_.returns.push_back(words(operands));
      d.extra = static_cast<std::uint32_t>(out_.returns.back().size());
      d.words = out_.returns.back().data();
      return;
    }
    default:
      break;
  }
  Decoded& d = append(id, simple_handler(source));
  if (source.result_count > 0) {
    d.result = operand(source.first_result);
    d.width = function_.values[source.first_result].width;
  }
  if (!operands.empty()) d.a = operand(operands[0]);
  if (source.kind == Kind::CopyMemory || source.kind == Kind::FillMemory) {
    d.b = operand(operands[2]);
  } else if (operands.size() > 1) {
    d.b = operand(operands[1]);
  }
  if (source.kind == Kind::CheckIndex) d.width = function_.values[operands[0]].width;
  if (is_terminator(source.kind)) terminator_edges_.back() = source.first_edge;
}

Handler Decoder::simple_handler(const Instruction& source) const {
  switch (source.kind) {
    case Kind::Float:
      return float_handler(source.float_op(), function_.values[function_.operands_of(source)[0]].width,
                           function_.values[source.first_result].width);
    case Kind::Allocate:
      return allocate;
    case Kind::CopyMemory:
      return copy_memory;
    case Kind::FillMemory:
      return fill_memory;
    case Kind::CheckIndex:
      return check_index;
    case Kind::Intrinsic:
      return intrinsic_handler(source.intrinsic());
    case Kind::Jump:
      return jump;
    case Kind::Branch:
      return branch;
    default:
      INVARIANT(source.kind == Kind::Halt, "every kind of instruction should have a handler");
      return halt;
  }
}

void Decoder::add_access(InstructionId id, const Instruction& source) {
  const std::span<const ValueId> operands = function_.operands_of(source);
  const Operand address = operand(operands[0]);
  const bool is_load = source.kind == Kind::Load;
  const std::uint32_t width = function_.values[is_load ? source.first_result : operands[1]].width;
  if (is_load) {
    Decoded& d = append(id, load_handler(width, is_constant(address)));
    d.result = operand(source.first_result);
    d.a = address;
    d.width = width;
    if (is_constant(address)) d.immediate = pool_word(address);
    return;
  }
  const Operand value = operand(operands[1]);
  Decoded& d = append(id, store_handler(width, is_constant(value)));
  d.a = address;
  d.b = value;
  d.width = width;
  if (is_constant(value)) d.immediate = pool_word(value);
}

void Decoder::add_call(InstructionId id, const Instruction& source) {
  const bool is_direct = source.kind == Kind::Call;
  const std::span<const ValueId> arguments = function_.operands_of(source).subspan(is_direct ? 0 : 1);
  auto site = std::make_unique<CallSite>();
  site->words = words(arguments);
  for (const ValueId v : arguments) site->widths.push_back(function_.values[v].width);
  for (std::uint32_t i = 0; i < source.result_count; ++i)
    site->result_widths.push_back(function_.values[source.first_result + i].width);
  Decoded& d = append(id, is_direct ? call : call_indirect);
  d.site = site.get();
  if (source.result_count > 0) d.result = operand(source.first_result);
  if (is_direct) {
    site->callee = source.parameter;
    const Function& callee = code_.program.functions[source.parameter];
    std::vector<std::uint32_t> wanted;
    for (const ValueId v : callee.parameters) wanted.push_back(callee.values[v].width);
    const bool fits =
        wanted == site->widths && (site->result_widths.empty() || site->result_widths == callee.result_widths);
    if (callee.has_body() && !callee.is_variadic && fits) d.run = call_exact;
  } else {
    d.a = operand(function_.operands_of(source)[0]);
  }
  out_.sites.push_back(std::move(site));
}

void Decoder::add_switch(InstructionId id, const Instruction& source) {
  const std::span<const ValueId> operands = function_.operands_of(source);
  const bool is_narrow = function_.values[operands[0]].width <= 64;
  Decoded& d = append(id, is_narrow ? switch_narrow : switch_wide);
  terminator_edges_.back() = source.first_edge;
  d.a = operand(operands[0]);
  if (!is_narrow) return;
  std::map<std::uint64_t, std::uint32_t> edge_of;
  for (std::uint32_t i = 1; i < operands.size(); ++i) edge_of.try_emplace(pool_word(operand(operands[i])), i);
  SwitchTable table;
  for (const auto& [value, edge] : edge_of) {
    table.cases.push_back(value);
    table.edges.push_back(edge);
  }
  constexpr std::uint64_t kSparseness = 8;
  if (!table.cases.empty() && table.cases.back() - table.cases.front() < kSparseness * table.cases.size()) {
    table.first = table.cases.front();
    table.dense.resize(table.cases.back() - table.first + 1);
    for (std::size_t i = 0; i < table.cases.size(); ++i) table.dense[table.cases[i] - table.first] = table.edges[i];
  }
  d.extra = static_cast<std::uint32_t>(out_.switches.size());
  out_.switches.push_back(std::move(table));
}

}  // namespace plumb::interpret
