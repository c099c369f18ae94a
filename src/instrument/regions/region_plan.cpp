// Pollution and governors depend on each other: whether an access can be encoded depends on where its pointer is
// defined, inside or outside of the region, and the regions depend on what is polluted. So blocks that pollute whatever
// the region is come first; then governors are computed, blocks that do not fit into their region are added to the
// polluted ones, and so on until nothing changes. Pollution only grows, so this ends. In one region only those blocks
// are added before which no other one stands: the region will end there, and what comes later may well fit into the
// region that begins after it.
#include "instrument/regions/region_plan.h"

#include <absl/container/flat_hash_set.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "instrument/regions/region_address.h"
#include "instrument/regions/region_marks.h"
#include "instrument/regions/region_memory.h"
#include "program/analysis/liveness.h"
#include "program/platform.h"
#include "semantics/float_terms.h"

namespace plumb::instrument {

using program::BlockId;
using program::Edge;
using program::Function;
using program::Governor;
using program::GovernorInput;
using program::Governors;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;

namespace {

constexpr std::uint32_t kMaxWidth = 64;

/// The operand is an address that the instruction accesses.
bool is_address(Kind kind, std::size_t operand) {
  return is_access(kind) && (operand == 0 || (operand == 1 && kind == Kind::CopyMemory));
}

/// Two edges of the region lead to one block.
bool has_join(const RegionPlan& plan) {
  absl::flat_hash_set<BlockId> entered;
  return std::any_of(plan.edges.begin(), plan.edges.end(),
                     [&](const RegionEdge& edge) { return !entered.insert(edge.to).second; });
}

class RegionPlanner {
 public:
  RegionPlanner(const program::Program& program, program::FunctionId id, const RegionLimits& limits)
      : id_(id),
        function_(program.functions[id]),
        platform_(program::platform_of(program.layout)),
        checks_(program.checks),
        limits_(limits),
        uses_(function_),
        resolver_(program, function_, uses_, limits.max_slot) {}

  std::vector<RegionPlan> run(const std::vector<bool>& excluded);

 private:
  GovernorInput find_input(const std::vector<bool>& excluded) const;
  bool is_usable(ValueId value) const;
  bool can_encode(const Instruction& instruction) const;
  bool can_encode(BlockId block) const;
  bool can_govern(BlockId block) const;

  /// Adds blocks of the region to the polluted ones; false if there is nothing to add.
  bool pollute(const Governors& governors, const Governor& governor, GovernorInput& input) const;
  std::optional<std::vector<RegionAccess>> accesses_of(BlockId block, const IsInside& is_inside) const;
  BlockId first_too_many(const Governor& governor) const;

  RegionPlan plan(const Governors& governors, const Governor& governor) const;
  void add_edges(RegionPlan& plan) const;
  void add_memory(RegionPlan& plan, std::span<const RegionAccess> accesses) const;
  void add_ins(RegionPlan& plan, std::span<const RegionAccess> accesses, const IsInside& is_inside) const;
  void add_outs(RegionPlan& plan, const IsInside& is_inside) const;
  template <typename Visit>
  void for_each_number(const RegionPlan& plan, Visit visit) const;

  program::FunctionId id_;
  const Function& function_;
  program::Platform platform_;
  program::CheckSet checks_;
  RegionLimits limits_;
  program::Uses uses_;
  AddressResolver resolver_;
};

/// A region can name the value.
bool RegionPlanner::is_usable(ValueId v) const {
  const Value& value = function_.values[v];
  if (value.kind == ValueKind::Undefined || value.kind == ValueKind::FunctionAddress) return false;
  if (value.kind == ValueKind::GlobalAddress && !resolver_.has_address(value.index)) return false;
  return value.width <= kMaxWidth;
}

bool RegionPlanner::can_encode(const Instruction& instruction) const {
  if ((instruction.flags & (program::kVolatile | program::kAtomic)) != 0) return false;
  const auto operands = function_.operands_of(instruction);
  for (const ValueId v : operands)
    if (!is_usable(v)) return false;
  for (std::uint32_t i = 0; i < instruction.result_count; ++i)
    if (function_.values[instruction.first_result + i].width > kMaxWidth) return false;
  for (const Edge& edge : function_.edges_of(instruction))
    for (const ValueId v : function_.arguments_of(edge))
      if (!is_usable(v)) return false;
  switch (instruction.kind) {
    case Kind::Operator:
    case Kind::Load:
    case Kind::Store:
    case Kind::CopyMemory:
    case Kind::FillMemory:
    case Kind::CheckIndex:
    case Kind::Jump:
    case Kind::Branch:
    case Kind::Switch:
      return true;
    case Kind::Float:
      if (instruction.float_op() == program::FloatOp::Convert && !platform_.keeps_nans()) return false;
      return semantics::is_float_term(instruction.float_op(), function_.values[operands[0]].width,
                                      function_.values[instruction.first_result].width);
    default:
      return false;
  }
}

bool RegionPlanner::can_encode(BlockId b) const {
  for (const ValueId v : function_.blocks[b].arguments)
    if (function_.values[v].width > kMaxWidth) return false;
  const auto instructions = function_.instructions_of(b);
  return std::all_of(instructions.begin(), instructions.end(), [&](const Instruction& i) { return can_encode(i); });
}

/// It ends in a choice, which a region's formula begins with, that can be encoded.
bool RegionPlanner::can_govern(BlockId b) const {
  const Instruction& terminator = function_.terminator(b);
  return (terminator.kind == Kind::Branch || terminator.kind == Kind::Switch) && can_encode(terminator);
}

GovernorInput RegionPlanner::find_input(const std::vector<bool>& excluded) const {
  GovernorInput input = program::governor_input(function_);
  input.rule = program::GovernorRule::Wide;
  for (BlockId b = 0; b < function_.blocks.size(); ++b) {
    if ((b < excluded.size() && excluded[b]) || !can_encode(b)) input.has_call[b] = true;
    input.ends_in_branch[b] = can_govern(b);
  }
  return input;
}

std::optional<std::vector<RegionAccess>> RegionPlanner::accesses_of(BlockId b, const IsInside& is_inside) const {
  std::vector<RegionAccess> all;
  const program::Block& block = function_.blocks[b];
  for (InstructionId i = block.first_instruction; i < block.first_instruction + block.instruction_count; ++i) {
    if (!is_access(function_.instructions[i].kind)) continue;
    const auto found = resolver_.accesses(i, is_inside);
    if (!found) return std::nullopt;
    all.insert(all.end(), found->begin(), found->end());
  }
  return all;
}

/// The first block with which the region would be too large; kNone if it is not.
BlockId RegionPlanner::first_too_many(const Governor& governor) const {
  std::uint64_t blocks = 0;
  std::uint64_t instructions = 0;
  for (const BlockId b : governor.region) {
    instructions += function_.blocks[b].instruction_count;
    if (++blocks > limits_.max_blocks || instructions > limits_.max_instructions) return b;
  }
  return kNone;
}

bool RegionPlanner::pollute(const Governors& governors, const Governor& governor, GovernorInput& input) const {
  if (const BlockId b = first_too_many(governor); b != kNone) return input.has_call[b] = true;
  const IsInside is_inside = [&](BlockId b) { return governors.governor_of(b) == governor.block; };
  std::vector<BlockId> after;  // blocks that follow one that was added
  bool is_changed = false;
  const auto is_after = [&](BlockId b) { return std::find(after.begin(), after.end(), b) != after.end(); };
  for (const BlockId b : governor.region) {
    const bool comes_later = is_after(b);
    if (!comes_later && accesses_of(b, is_inside)) continue;
    if (!comes_later) is_changed = input.has_call[b] = true;
    for (const Edge& edge : function_.successors(b)) after.push_back(edge.target);
  }
  if (is_changed) return true;
  const RegionPlan made = plan(governors, governor);
  if (made.ins.size() <= limits_.max_ins && made.outs.size() <= limits_.max_outs) return false;
  return input.has_call[governor.region[governor.region.size() / 2]] = true;
}

std::vector<RegionPlan> RegionPlanner::run(const std::vector<bool>& excluded) {
  const program::Cfg cfg(function_);
  GovernorInput input = find_input(excluded);
  while (true) {
    const Governors governors(cfg, input);
    bool is_changed = false;
    for (const Governor& governor : governors.all()) is_changed = pollute(governors, governor, input) || is_changed;
    if (is_changed) continue;
    std::vector<RegionPlan> plans;
    for (const Governor& governor : governors.all()) plans.push_back(plan(governors, governor));
    std::erase_if(plans, [](const RegionPlan& made) { return !has_join(made); });
    return plans;
  }
}

RegionPlan RegionPlanner::plan(const Governors& governors, const Governor& governor) const {
  RegionPlan made;
  made.function = id_;
  made.governor = governor.block;
  made.max_slot = limits_.max_slot;
  made.blocks = governor.region;
  made.destinations = governor.destinations;
  const IsInside is_inside = [&](BlockId b) { return governors.governor_of(b) == governor.block; };
  std::vector<RegionAccess> accesses;
  for (const BlockId b : made.blocks) {
    const auto found = accesses_of(b, is_inside);
    INVARIANT(found, "every access of a region should have been resolved");
    accesses.insert(accesses.end(), found->begin(), found->end());
  }
  add_edges(made);
  add_memory(made, accesses);
  add_ins(made, accesses, is_inside);
  add_outs(made, is_inside);
  made.marks = find_marks(function_, checks_, uses_, resolver_, made, accesses);
  return made;
}

void RegionPlanner::add_edges(RegionPlan& plan) const {
  const auto add = [&](BlockId from) {
    const auto successors = function_.successors(from);
    for (std::uint32_t i = 0; i < successors.size(); ++i) plan.edges.push_back({from, i, successors[i].target});
  };
  add(plan.governor);
  for (const BlockId b : plan.blocks) add(b);
}

/// Calls visit(value) for all operands of the region but addresses of accesses, and for those of the governor's branch.
template <typename Visit>
void RegionPlanner::for_each_number(const RegionPlan& plan, Visit visit) const {
  const auto visit_instruction = [&](const Instruction& instruction) {
    const auto operands = function_.operands_of(instruction);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (!is_address(instruction.kind, i)) visit(operands[i]);
    for (const Edge& edge : function_.edges_of(instruction))
      for (const ValueId v : function_.arguments_of(edge)) visit(v);
  };
  visit_instruction(function_.terminator(plan.governor));
  for (const BlockId b : plan.blocks)
    for (const Instruction& instruction : function_.instructions_of(b)) visit_instruction(instruction);
}

void RegionPlanner::add_memory(RegionPlan& plan, std::span<const RegionAccess> accesses) const {
  std::vector<ValueId> named;
  for_each_number(plan, [&](ValueId v) {
    const Value& value = function_.values[v];
    if (value.kind == ValueKind::GlobalAddress) named.push_back(resolver_.global_base(value.index));
  });
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  plan.slots = make_slots(resolver_, accesses, named, limits_.max_slot);
  const auto pieces = make_pieces(resolver_, plan.slots, accesses);
  for (std::uint32_t slot = 0; slot < pieces.size(); ++slot)
    for (const SlotPiece& piece : pieces[slot])
      if (piece.is_written) plan.cells.push_back({slot, piece.offset, piece.size});
}

void RegionPlanner::add_ins(RegionPlan& plan, std::span<const RegionAccess> accesses, const IsInside& is_inside) const {
  const auto add = [&](ValueId v) {
    if (program::is_variable(function_.values[v]) && !is_inside(uses_.definition(v))) plan.ins.push_back(v);
  };
  for_each_number(plan, add);
  for (const RegionAccess& access : accesses)
    for (const LinearPart& part : access.address.parts) add(part.value);
  std::sort(plan.ins.begin(), plan.ins.end());
  plan.ins.erase(std::unique(plan.ins.begin(), plan.ins.end()), plan.ins.end());
  std::erase_if(plan.ins, [&](ValueId v) {
    return std::any_of(plan.slots.begin(), plan.slots.end(), [&](const MemorySlot& slot) { return slot.base == v; });
  });
}

void RegionPlanner::add_outs(RegionPlan& plan, const IsInside& is_inside) const {
  for (const ValueId v : program::live_values(function_, uses_, plan.blocks).outs) plan.outs.push_back({v, kNone});
  for (std::uint32_t d = 0; d < plan.destinations.size(); ++d) {
    const std::vector<ValueId>& arguments = function_.blocks[plan.destinations[d]].arguments;
    for (std::size_t a = 0; a < arguments.size(); ++a) {
      std::vector<ValueId> given;
      for (const RegionEdge& edge : plan.edges)
        if (edge.to == plan.destinations[d])
          given.push_back(function_.arguments_of(function_.successors(edge.from)[edge.index])[a]);
      const bool is_known = !program::is_variable(function_.values[given[0]]) || !is_inside(uses_.definition(given[0]));
      const bool is_same = std::count(given.begin(), given.end(), given[0]) == std::ssize(given);
      if (!is_known || !is_same) plan.outs.push_back({arguments[a], d});
    }
  }
}

}  // namespace

std::vector<RegionPlan> plan_regions(const program::Program& program, program::FunctionId function,
                                     const std::vector<bool>& excluded, const RegionLimits& limits) {
  if (!program.functions[function].has_body()) return {};
  return RegionPlanner(program, function, limits).run(excluded);
}

}  // namespace plumb::instrument
