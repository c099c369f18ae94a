// An address is taken apart into a sum of values times constants. One of them is the base: an object of this program,
// or else a pointer that exists before the region. In SSA form a sum that was computed before the region still has its
// operands' values, so walking back beyond the region is sound; but what was used there alone is no live-in, so the
// variable part of such an address is the difference of pointer and object.
//
// One place often has many names: each access of a field computes its address anew. Slots of pointers that are not
// known to be apart may not overlap, so pointers that differ by a constant share a base. It is the one that they are
// computed from; or, if that is a sum too, which the code may have no name for, one of them.
#include "instrument/regions/region_address.h"

#include <algorithm>
#include <map>

namespace plumb::instrument {

using program::GlobalId;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;
using term::Op;

namespace {

// Sums of more operands are not addresses that somebody wrote.
constexpr std::size_t kMaxSteps = 64;

std::int64_t wrap(std::uint64_t value, std::uint32_t width) { return BitVector(width, value).to_int64(); }

std::int64_t times(std::int64_t a, std::int64_t b, std::uint32_t width) {
  return wrap(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b), width);
}

std::int64_t plus(std::int64_t a, std::int64_t b, std::uint32_t width) {
  return wrap(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b), width);
}

void add_part(RegionAddress& sum, LinearPart part, std::uint32_t width) {
  const auto same = std::find_if(sum.parts.begin(), sum.parts.end(),
                                 [&](const LinearPart& other) { return other.value == part.value; });
  if (same == sum.parts.end()) {
    if (part.coefficient != 0) sum.parts.push_back(part);
    return;
  }
  same->coefficient = plus(same->coefficient, part.coefficient, width);
  if (same->coefficient == 0) sum.parts.erase(same);
}

}  // namespace

AddressResolver::AddressResolver(const program::Program& program, const program::Function& function,
                                 const program::Uses& uses, std::uint32_t max_slot)
    : program_(program),
      function_(function),
      uses_(uses),
      max_slot_(max_slot),
      global_bases_(program.globals.size(), kNone) {
  for (ValueId v = 0; v < function.values.size(); ++v) {
    const Value& value = function.values[v];
    if (value.kind == ValueKind::GlobalAddress && global_bases_[value.index] == kNone) global_bases_[value.index] = v;
  }
  number_values();
  name_pointers();
}

void AddressResolver::number_values() {
  for (ValueId v = 0; v < function_.values.size(); ++v) numbers_.push_back(v);
  for (program::BlockId b = 0; b < function_.blocks.size(); ++b) {
    std::map<std::vector<std::uint32_t>, ValueId> known;
    for (const Instruction& instruction : function_.instructions_of(b)) {
      if (instruction.kind != Kind::Operator) continue;
      const ValueId result = instruction.first_result;
      std::vector<std::uint32_t> key{static_cast<std::uint32_t>(instruction.op()), function_.values[result].width,
                                     instruction.parameter};
      for (const ValueId v : function_.operands_of(instruction)) key.push_back(numbers_[v]);
      numbers_[result] = known.try_emplace(std::move(key), result).first->second;
    }
  }
}

AddressResolver::Place AddressResolver::place_of(ValueId pointer) const {
  Place place{numbers_[pointer], 0};
  for (std::size_t steps = 0; steps < kMaxSteps; ++steps) {
    const Value& value = function_.values[place.root];
    if (value.kind != ValueKind::Result) break;
    const Instruction& made = function_.instructions[value.index];
    if (made.kind != Kind::Operator || made.op() != Op::Add) break;
    const auto operands = function_.operands_of(made);
    const std::size_t constant = function_.values[operands[1]].kind == ValueKind::Constant ? 1 : 0;
    if (function_.values[operands[constant]].kind != ValueKind::Constant) break;
    place.offset = plus(place.offset, function_.constant(operands[constant]).to_int64(), value.width);
    place.root = numbers_[operands[1 - constant]];
  }
  return place;
}

/// An address that is accessed has a name in the code.
void AddressResolver::name_pointers() {
  for (const Instruction& instruction : function_.instructions) {
    const auto operands = function_.operands_of(instruction);
    const std::size_t addresses =
        instruction.kind == Kind::CopyMemory                                                                        ? 2
        : instruction.kind == Kind::Load || instruction.kind == Kind::Store || instruction.kind == Kind::FillMemory ? 1
                                                                                                                    : 0;
    for (std::size_t i = 0; i < addresses; ++i) {
      if (!program::is_variable(function_.values[operands[i]])) continue;
      const Place place = place_of(operands[i]);
      named_.try_emplace({place.root, uses_.definition(operands[i])}, Place{operands[i], place.offset});
    }
  }
}

bool AddressResolver::has_address(GlobalId global) const {
  const program::GlobalObject& object = program_.globals[global];
  return !object.is_external && !object.is_thread_local && object.size > 0;
}

std::optional<std::uint64_t> AddressResolver::object_size(ValueId base) const {
  const Value& value = function_.values[base];
  if (value.kind == ValueKind::GlobalAddress) {
    if (!has_address(value.index)) return std::nullopt;
    return program_.globals[value.index].size;
  }
  if (value.kind != ValueKind::Result || value.block != 0) return std::nullopt;
  const Instruction& made = function_.instructions[value.index];
  if (made.kind != Kind::Allocate) return std::nullopt;
  const ValueId size = function_.operands_of(made)[0];
  if (function_.values[size].kind != ValueKind::Constant) return std::nullopt;
  return function_.constant(size).to_uint64();
}

std::int64_t AddressResolver::base_offset(ValueId base) const {
  const Value& value = function_.values[base];
  return value.kind == ValueKind::GlobalAddress ? value.offset : 0;
}

bool AddressResolver::is_object(ValueId value) const { return object_size(value).has_value(); }

bool AddressResolver::is_defined_inside(ValueId value, const IsInside& is_inside) const {
  return program::is_variable(function_.values[value]) && is_inside(uses_.definition(value));
}

/// Adds `root`, taken apart as far as it is computed inside. False if it is no sum of manageable size.
bool AddressResolver::add(Sum& sum, ValueId root, const IsInside& is_inside) const {
  const std::uint32_t width = function_.values[root].width;
  std::vector<LinearPart> pending{{root, 1}};
  for (std::size_t steps = 0; !pending.empty(); ++steps) {
    if (steps == kMaxSteps) return false;
    const LinearPart part = pending.back();
    pending.pop_back();
    const Value& value = function_.values[part.value];
    if (value.kind == ValueKind::Constant) {
      const std::int64_t constant = function_.constant(part.value).to_int64();
      sum.offset = plus(sum.offset, times(part.coefficient, constant, width), width);
      continue;
    }
    if (value.kind == ValueKind::GlobalAddress) {
      sum.offset = plus(sum.offset, times(part.coefficient, value.offset, width), width);
      add_part(sum, {global_bases_[value.index], part.coefficient}, width);
      continue;
    }
    if (!program::is_variable(value)) return false;
    const Instruction* made = value.kind == ValueKind::Result && is_defined_inside(part.value, is_inside)
                                  ? &function_.instructions[value.index]
                                  : nullptr;
    if (made == nullptr || made->kind != Kind::Operator) {
      add_part(sum, part, width);
      continue;
    }
    const auto operands = function_.operands_of(*made);
    const auto constant = [&](std::size_t i) -> std::optional<std::int64_t> {
      if (function_.values[operands[i]].kind != ValueKind::Constant) return std::nullopt;
      return function_.constant(operands[i]).to_int64();
    };
    if (made->op() == Op::Add || made->op() == Op::Sub) {
      const std::int64_t sign = made->op() == Op::Add ? 1 : -1;
      pending.push_back({operands[1], times(part.coefficient, sign, width)});
      pending.push_back({operands[0], part.coefficient});
    } else if (made->op() == Op::Mul && (constant(0) || constant(1))) {
      const std::size_t factor = constant(1) ? 1 : 0;
      pending.push_back({operands[1 - factor], times(part.coefficient, *constant(factor), width)});
    } else if (made->op() == Op::Shl && constant(1) && *constant(1) >= 0 && *constant(1) < 32) {
      pending.push_back({operands[0], times(part.coefficient, std::int64_t{1} << *constant(1), width)});
    } else {
      add_part(sum, part, width);
    }
  }
  return true;
}

std::optional<RegionAddress> AddressResolver::resolve(ValueId address, const IsInside& is_inside) const {
  Sum sum;
  if (!add(sum, address, is_inside)) return std::nullopt;
  std::size_t objects = 0;
  for (const LinearPart& part : sum.parts) objects += is_object(part.value) && part.coefficient == 1;
  if (objects > 1) return std::nullopt;
  if (objects == 0) return resolve_pointer(std::move(sum), is_inside);
  const auto base = std::find_if(sum.parts.begin(), sum.parts.end(), [&](const LinearPart& part) {
    return is_object(part.value) && part.coefficient == 1;
  });
  sum.base = base->value;
  sum.parts.erase(base);
  return sum;
}

/// Of a sum without an object: there must be a pointer, and if it is computed from an object, that one counts.
std::optional<RegionAddress> AddressResolver::resolve_pointer(Sum sum, const IsInside& is_inside) const {
  const std::uint32_t width = program_.layout.pointer_width;
  std::optional<RegionAddress> found;
  for (const LinearPart& part : sum.parts) {
    if (part.coefficient != 1 || is_defined_inside(part.value, is_inside)) continue;
    if (function_.values[part.value].kind == ValueKind::GlobalAddress) continue;
    Sum before;
    if (!add(before, part.value, [](program::BlockId) { return true; })) continue;
    const auto object = std::find_if(before.parts.begin(), before.parts.end(), [&](const LinearPart& inner) {
      return inner.coefficient == 1 && is_object(inner.value);
    });
    if (object == before.parts.end()) continue;
    const ValueId base = object->value;
    RegionAddress address = sum;
    address.base = base;
    if (before.parts.size() == 1) {
      add_part(address, {part.value, -1}, width);
      address.offset = plus(address.offset, before.offset, width);
    } else if (object_size(base) <= max_slot_) {
      add_part(address, {base, -1}, width);
    } else {
      continue;
    }
    if (found) return std::nullopt;
    found = std::move(address);
  }
  if (found) return found;
  if (sum.parts.size() != 1 || sum.parts[0].coefficient != 1) return std::nullopt;
  if (is_defined_inside(sum.parts[0].value, is_inside) || !program::is_variable(function_.values[sum.parts[0].value]))
    return std::nullopt;
  const ValueId pointer = sum.parts[0].value;
  sum.parts.clear();
  const Place place = place_of(pointer);
  const Value& root = function_.values[place.root];
  const bool is_sum = root.kind == ValueKind::Result && function_.instructions[root.index].kind == Kind::Operator;
  const auto named = named_.find({place.root, uses_.definition(pointer)});
  if (!is_sum && program::is_variable(root)) {
    sum.base = place.root;
    sum.offset = plus(sum.offset, place.offset, width);
  } else if (named != named_.end()) {
    sum.base = named->second.root;
    sum.offset = plus(sum.offset, place.offset - named->second.offset, width);
  } else {
    sum.base = pointer;
  }
  return sum;
}

std::optional<RegionAccess> AddressResolver::access(InstructionId instruction, ValueId address, std::uint64_t bytes,
                                                    bool is_write, const IsInside& is_inside) const {
  std::optional<RegionAddress> resolved = resolve(address, is_inside);
  if (!resolved || bytes > max_slot_) return std::nullopt;
  const Value& base = function_.values[resolved->base];
  if (is_write && base.kind == ValueKind::GlobalAddress && program_.globals[base.index].is_constant)
    return std::nullopt;
  if (const auto size = object_size(resolved->base)) {
    if (bytes > *size) return std::nullopt;
    const std::uint64_t last = *size - bytes;
    if (resolved->is_constant() ? resolved->offset < 0 || static_cast<std::uint64_t>(resolved->offset) > last
                                : *size > max_slot_)
      return std::nullopt;
  } else if (!resolved->is_constant()) {
    return std::nullopt;
  }
  return RegionAccess{instruction, std::move(*resolved), static_cast<std::uint32_t>(bytes), is_write, false};
}

std::optional<std::vector<RegionAccess>> AddressResolver::accesses(InstructionId id, const IsInside& is_inside) const {
  const Instruction& instruction = function_.instructions[id];
  const auto operands = function_.operands_of(instruction);
  std::vector<RegionAccess> found;
  const auto add_access = [&](ValueId address, std::uint64_t bytes, bool is_write) {
    auto made = access(id, address, bytes, is_write, is_inside);
    if (made) found.push_back(std::move(*made));
    return made.has_value();
  };
  if (instruction.kind == Kind::Load) {
    if (!add_access(operands[0], function_.values[instruction.first_result].width / 8, false)) return std::nullopt;
    return found;
  }
  if (instruction.kind == Kind::Store) {
    if (!add_access(operands[0], function_.values[operands[1]].width / 8, true)) return std::nullopt;
    return found;
  }
  if (function_.values[operands[2]].kind != ValueKind::Constant) return std::nullopt;
  const std::uint64_t bytes = function_.constant(operands[2]).to_uint64();
  if (bytes == 0) return found;
  if (!add_access(operands[0], bytes, true)) return std::nullopt;
  if (instruction.kind == Kind::CopyMemory && !add_access(operands[1], bytes, false)) return std::nullopt;
  for (RegionAccess& made : found) {
    if (!made.address.is_constant()) return std::nullopt;
    made.is_block = true;
  }
  return found;
}

}  // namespace plumb::instrument
