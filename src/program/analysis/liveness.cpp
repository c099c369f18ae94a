// In SSA form a variable is live from its definition down to its uses, so its live blocks are found by walking upwards
// from each use until the definition, stopping where the walk has been before (Appel and Palsberg, "Modern compiler
// implementation", section 19.6). The cost is the size of the answer; no equations are iterated.
#include "program/analysis/liveness.h"

#include <algorithm>

#include "program/analysis/cfg.h"

namespace plumb::program {
namespace {

/// Calls visit(v) for each use of a value in the block, edges included.
template <typename Visit>
void for_each_use(const Function& function, BlockId b, Visit visit) {
  for (const Instruction& instruction : function.instructions_of(b))
    for (const ValueId v : function.operands_of(instruction)) visit(v);
  for (const Edge& edge : function.successors(b))
    for (const ValueId v : function.arguments_of(edge)) visit(v);
}

template <typename Visit>
void for_each_definition(const Function& function, BlockId b, Visit visit) {
  if (b == 0)
    for (const ValueId v : function.parameters) visit(v);
  for (const ValueId v : function.blocks[b].arguments) visit(v);
  for (const Instruction& instruction : function.instructions_of(b))
    for (std::uint32_t i = 0; i < instruction.result_count; ++i) visit(instruction.first_result + i);
}

void sort_unique(std::vector<ValueId>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

using Row = std::pair<BlockId, ValueId>;

/// Into compressed rows; the pairs come by rising value.
void compress(const std::vector<Row>& pairs, std::size_t block_count, std::vector<std::size_t>& start,
              std::vector<ValueId>& values) {
  start.assign(block_count + 1, 0);
  for (const Row& pair : pairs) ++start[pair.first + 1];
  for (std::size_t b = 0; b < block_count; ++b) start[b + 1] += start[b];
  values.resize(pairs.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const auto& [b, v] : pairs) values[next[b]++] = v;
}

}  // namespace

bool is_variable(const Value& value) noexcept {
  return value.kind == ValueKind::Parameter || value.kind == ValueKind::BlockArgument ||
         value.kind == ValueKind::Result;
}

Uses::Uses(const Function& function) : definition_(function.values.size(), kNone), start_(function.values.size() + 1) {
  const auto block_count = static_cast<BlockId>(function.blocks.size());
  std::vector<BlockId> last(function.values.size(), kNone);
  const auto for_each_user = [&](auto visit) {
    std::fill(last.begin(), last.end(), kNone);
    for (BlockId b = 0; b < block_count; ++b) {
      for_each_use(function, b, [&](ValueId v) {
        if (last[v] == b || !is_variable(function.values[v])) return;
        last[v] = b;
        visit(v, b);
      });
    }
  };
  for (BlockId b = 0; b < block_count; ++b) for_each_definition(function, b, [&](ValueId v) { definition_[v] = b; });
  for_each_user([this](ValueId v, BlockId) { ++start_[v + 1]; });
  for (std::size_t v = 0; v + 1 < start_.size(); ++v) start_[v + 1] += start_[v];
  users_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for_each_user([&](ValueId v, BlockId b) { users_[next[v]++] = b; });
}

LiveValues live_values(const Function& function, const Uses& uses, std::span<const BlockId> blocks) {
  std::vector<BlockId> sorted(blocks.begin(), blocks.end());
  sort_unique(sorted);
  const auto is_inside = [&](BlockId b) { return std::binary_search(sorted.begin(), sorted.end(), b); };
  LiveValues live;
  for (const BlockId b : sorted) {
    for_each_use(function, b, [&](ValueId v) {
      if (is_variable(function.values[v]) && !is_inside(uses.definition(v))) live.ins.push_back(v);
    });
    for_each_definition(function, b, [&](ValueId v) {
      const std::span<const BlockId> users = uses.users(v);
      if (!std::all_of(users.begin(), users.end(), is_inside)) live.outs.push_back(v);
    });
  }
  sort_unique(live.ins);
  sort_unique(live.outs);
  return live;
}

Liveness::Liveness(const Function& function, const Uses& uses) {
  const Cfg cfg(function);
  std::vector<Row> ins, outs;
  std::vector<ValueId> in_seen(cfg.size(), kNone), out_seen(cfg.size(), kNone);
  std::vector<BlockId> work;
  for (ValueId v = 0; v < function.values.size(); ++v) {
    const auto mark_in = [&](BlockId b) {
      if (b == uses.definition(v) || in_seen[b] == v) return;
      in_seen[b] = v;
      ins.emplace_back(b, v);
      work.push_back(b);
    };
    for (const BlockId user : uses.users(v)) mark_in(user);
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (const BlockId predecessor : cfg.predecessors(b)) {
        if (out_seen[predecessor] == v) continue;
        out_seen[predecessor] = v;
        outs.emplace_back(predecessor, v);
        mark_in(predecessor);
      }
    }
  }
  compress(ins, cfg.size(), in_start_, in_);
  compress(outs, cfg.size(), out_start_, out_);
}

}  // namespace plumb::program
