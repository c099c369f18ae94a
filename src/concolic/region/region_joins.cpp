// Where control comes together: guards, arguments and memory of a block from those of its edges. In place of the
// disjunction of its edges, a block that always follows its dominator has that one's guard; so a chain of conditions
// that come together again does not make the guards behind it grow.
#include <absl/container/flat_hash_set.h>

#include <algorithm>

#include "base/error.h"
#include "concolic/region/region_encoder.h"

namespace plumb::concolic {

using instrument::LiveOut;
using instrument::MemoryCell;

using program::BlockId;
using program::Instruction;
using program::Kind;
using program::kNone;
using program::ValueId;
using semantics::TermBytes;
using term::Term;

void RegionEncoder::find_in_edges() {
  for (std::uint32_t e = 0; e < plan_.edges.size(); ++e)
    if (is_inside_(plan_.edges[e].to)) state(plan_.edges[e].to).in_edges.push_back(e);
}

std::vector<std::uint32_t> RegionEncoder::edges_to(BlockId block) const {
  std::vector<std::uint32_t> edges;
  for (std::uint32_t e = 0; e < plan_.edges.size(); ++e)
    if (plan_.edges[e].to == block) edges.push_back(e);
  return edges;
}

std::vector<Term> RegionEncoder::guards_of(std::span<const std::uint32_t> edges) const {
  std::vector<Term> guards;
  for (const std::uint32_t e : edges) guards.push_back(formula_.guards.edge_guards[e]);
  return guards;
}

/// Edges that can be taken; if there is none, any will do.
std::vector<std::uint32_t> RegionEncoder::live_edges(std::span<const std::uint32_t> edges) const {
  std::vector<std::uint32_t> live;
  for (const std::uint32_t e : edges)
    if (!store_.is_false(formula_.guards.edge_guards[e])) live.push_back(e);
  if (live.empty()) live.push_back(edges[0]);
  return live;
}

std::vector<Term> RegionEncoder::arguments_of(std::span<const std::uint32_t> edges, std::size_t argument) {
  std::vector<Term> values;
  for (const std::uint32_t e : edges) {
    const program::Edge& edge = function_.successors(plan_.edges[e].from)[plan_.edges[e].index];
    values.push_back(term_of(function_.arguments_of(edge)[argument]));
  }
  return values;
}

/// The value whose guard holds, given that one of them does. What most edges agree on needs no guard.
Term RegionEncoder::select(std::span<const Term> guards, std::span<const Term> values) {
  std::vector<std::pair<Term, std::vector<Term>>> groups;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == values[i]; });
    auto& group = same == groups.end() ? groups.emplace_back(values[i], std::vector<Term>{}) : *same;
    group.second.push_back(guards[i]);
  }
  const auto commonest = std::max_element(
      groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  Term selected = commonest->first;
  for (auto group = groups.rbegin(); group != groups.rend(); ++group)
    if (group->first != commonest->first) selected = store_.ite(store_.any_of(group->second), group->first, selected);
  return selected;
}

BlockId RegionEncoder::common_dominator(BlockId a, BlockId b) const {
  while (a != b) {
    BlockId& later = position_.at(a) > position_.at(b) ? a : b;
    later = state(later).dominator;
  }
  return a;
}

bool RegionEncoder::always_follows(BlockId block, BlockId dominator) const {
  absl::flat_hash_set<BlockId> between{dominator};
  std::vector<BlockId> pending{block};
  while (!pending.empty()) {
    const BlockId b = pending.back();
    pending.pop_back();
    for (const std::uint32_t e : state(b).in_edges)
      if (between.insert(plan_.edges[e].from).second) pending.push_back(plan_.edges[e].from);
  }
  return std::all_of(between.begin(), between.end(), [&](BlockId b) {
    const auto successors = function_.successors(b);
    const bool stays = std::all_of(successors.begin(), successors.end(), [&](const program::Edge& edge) {
      return edge.target == block || (edge.target != dominator && between.contains(edge.target));
    });
    return stays && (b == dominator || !state(b).has_fault);
  });
}

void RegionEncoder::enter_block(BlockId block) {
  BlockState& s = state(block);
  INVARIANT(!s.in_edges.empty(), "a block of a region should be reachable in it");
  s.dominator = plan_.edges[s.in_edges[0]].from;
  for (const std::uint32_t e : s.in_edges) s.dominator = common_dominator(s.dominator, plan_.edges[e].from);
  const BlockState& dominator = state(s.dominator);
  const bool follows = s.in_edges.size() > 1 && always_follows(block, s.dominator);
  s.guard = follows ? dominator.guard : store_.any_of(guards_of(s.in_edges));
  s.bounds = dominator.bounds;
  const std::vector<std::uint32_t> edges = live_edges(s.in_edges);
  const std::vector<Term> guards = guards_of(edges);
  const auto& arguments = function_.blocks[block].arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) values_[arguments[i]] = select(guards, arguments_of(edges, i));
  s.memory = join_memory(edges);
}

RegionEncoder::Memory RegionEncoder::join_memory(std::span<const std::uint32_t> edges) {
  Memory joined = state(plan_.edges[edges[0]].from).memory;
  for (std::uint32_t slot = 0; slot < plan_.slots.size(); ++slot) {
    const bool is_same = std::all_of(edges.begin(), edges.end(), [&](std::uint32_t e) {
      return state(plan_.edges[e].from).memory.versions[slot] == joined.versions[slot];
    });
    if (is_same) continue;
    joined.slots[slot] = join_slot(edges, slot);
    joined.versions[slot] = ++last_version_;
  }
  return joined;
}

TermBytes RegionEncoder::join_slot(std::span<const std::uint32_t> edges, std::uint32_t slot) {
  const std::vector<Term> guards = guards_of(edges);
  TermBytes joined = state(plan_.edges[edges[0]].from).memory.slots[slot];
  for (const SlotPiece& piece : pieces_[slot]) {
    if (!piece.is_written) continue;
    std::vector<Term> values;
    for (const std::uint32_t e : edges)
      values.push_back(state(plan_.edges[e].from).memory.slots[slot].load(store_, piece.offset, piece.size));
    const Term value = select(guards, values);
    if (value != values[0]) joined.store(store_, piece.offset, value);
  }
  return joined;
}

void RegionEncoder::leave_block(BlockId block) {
  const Term guard = state(block).guard;
  const Instruction& terminator = function_.terminator(block);
  const auto operands = function_.operands_of(terminator);
  std::vector<Term> conditions;
  if (terminator.kind == Kind::Jump) {
    conditions = {store_.boolean(true)};
  } else if (terminator.kind == Kind::Branch) {
    const Term condition = term_of(operands[0]);
    conditions = {condition, store_.bit_not(condition)};
  } else {
    INVARIANT(terminator.kind == Kind::Switch, "a block of a region should have successors");
    conditions.emplace_back();
    for (const ValueId value : operands.subspan(1))
      conditions.push_back(store_.eq(term_of(operands[0]), term_of(value)));
    conditions[0] = store_.bit_not(store_.any_of(std::span(conditions).subspan(1)));
  }
  for (std::uint32_t e = 0; e < plan_.edges.size(); ++e) {
    if (plan_.edges[e].from != block) continue;
    formula_.guards.edge_guards[e] = store_.bit_and(guard, conditions[plan_.edges[e].index]);
  }
}

/// Of a value that is not defined on every way to the destination nobody asks there: it is 0.
RegionTemplate::Outs RegionEncoder::make_outs(std::uint32_t destination) {
  const std::vector<std::uint32_t> all = edges_to(plan_.destinations[destination]);
  const std::vector<std::uint32_t> edges = live_edges(all);
  const std::vector<Term> guards = guards_of(edges);
  BlockId dominator = plan_.edges[all[0]].from;
  for (const std::uint32_t e : all) dominator = common_dominator(dominator, plan_.edges[e].from);
  absl::flat_hash_set<BlockId> defined;
  for (BlockId b = dominator; b != kNone; b = state(b).dominator) defined.insert(b);
  RegionTemplate::Outs outs;
  const auto& arguments = function_.blocks[plan_.destinations[destination]].arguments;
  for (const LiveOut& out : plan_.outs) {
    if (out.destination == kNone) {
      const bool is_defined = defined.contains(uses_.definition(out.value));
      outs.values.push_back(is_defined ? term_of(out.value) : store_.zero(function_.values[out.value].width));
    } else if (out.destination == destination) {
      const auto argument = std::find(arguments.begin(), arguments.end(), out.value) - arguments.begin();
      outs.values.push_back(select(guards, arguments_of(edges, static_cast<std::size_t>(argument))));
    } else {
      outs.values.emplace_back();
    }
  }
  const Memory memory = join_memory(edges);
  for (const MemoryCell& cell : plan_.cells) {
    const TermBytes& slot = is_sequential_[cell.slot] ? shared_.slots[cell.slot] : memory.slots[cell.slot];
    outs.cells.push_back(slot.load(store_, cell.offset, cell.size));
  }
  return outs;
}

}  // namespace plumb::concolic
