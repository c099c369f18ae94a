#include "concolic/search/distances.h"

#include <algorithm>

namespace plumb::concolic {

using instrument::Site;

using program::BlockId;
using program::FunctionId;

namespace {

std::vector<FunctionId> addressed_functions(const program::Program& program) {
  std::vector<bool> is_addressed(program.functions.size());
  const auto mark = [&](std::uint32_t f) {
    if (f < is_addressed.size() && program.functions[f].has_body()) is_addressed[f] = true;
  };
  for (const auto& function : program.functions)
    for (const auto& value : function.values)
      if (value.kind == program::ValueKind::FunctionAddress) mark(value.index);
  for (const auto& global : program.globals)
    for (const auto& relocation : global.relocations)
      if (relocation.is_function) mark(relocation.index);
  std::vector<FunctionId> functions;
  for (FunctionId f = 0; f < is_addressed.size(); ++f)
    if (is_addressed[f]) functions.push_back(f);
  return functions;
}

}  // namespace

Distances::Distances(const Subject& subject) : subject_(subject) {
  Node nodes = 0;
  for (const auto& function : subject.program.functions) {
    first_node_.push_back(nodes);
    nodes += 2 * static_cast<Node>(function.blocks.size());
  }
  predecessors_.resize(nodes);
  distance_.assign(nodes, kFar);
  tails_of_site_.resize(subject.sites.size());
  targets_.resize(subject.edge_count);
  is_counted_.resize(subject.edge_count);
  for (const Site& site : subject.sites)
    for (std::uint32_t i = 0; i < site.edge_count; ++i) is_counted_[site.first_edge + i] = site.is_counted;
  const auto addressed = addressed_functions(subject.program);
  for (FunctionId f = 0; f < subject.program.functions.size(); ++f) add_function(f, addressed);
}

void Distances::add_call(Node from, Node behind, FunctionId callee) {
  const program::Function& called = subject_.program.functions[callee];
  if (!called.has_body()) return;
  predecessors_[head(callee, 0)].push_back(from);
  for (BlockId b = 0; b < called.blocks.size(); ++b)
    if (called.terminator(b).kind == program::Kind::Return) predecessors_[behind].push_back(tail(callee, b));
}

void Distances::add_function(FunctionId f, std::span<const FunctionId> addressed) {
  const auto& functions = subject_.program.functions;
  const program::Function& function = functions[f];
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    predecessors_[tail(f, b)].push_back(head(f, b));
    const auto successors = function.successors(b);
    const bool has_site = f < subject_.terminator_sites.size() && b < subject_.terminator_sites[f].size();
    const SiteId site = has_site ? subject_.terminator_sites[f][b] : 0;
    if (site != 0) tails_of_site_[site].push_back(tail(f, b));
    for (std::uint32_t i = 0; i < successors.size(); ++i) {
      const Node to = head(f, successors[i].target);
      predecessors_[to].push_back(tail(f, b));
      if (site != 0 && i < subject_.sites[site].edge_count) targets_[subject_.sites[site].first_edge + i].push_back(to);
    }
    for (const auto& instruction : function.instructions_of(b)) {
      if (instruction.kind == program::Kind::Call && instruction.parameter < functions.size())
        add_call(head(f, b), tail(f, b), instruction.parameter);
      else if (instruction.kind == program::Kind::CallIndirect)
        for (const FunctionId callee : addressed) add_call(head(f, b), tail(f, b), callee);
    }
  }
}

bool Distances::wants(SiteId id) const {
  const Site& site = subject_.sites[id];
  if (!site.is_counted) return false;
  for (std::uint32_t i = 0; i < site.edge_count; ++i)
    if (covered_[site.first_edge + i] == 0) return true;
  return false;
}

void Distances::update() {
  if (!is_stale_) return;
  is_stale_ = false;
  std::fill(distance_.begin(), distance_.end(), kFar);
  std::vector<Node> queue;
  for (SiteId site = 1; site < tails_of_site_.size(); ++site) {
    if (tails_of_site_[site].empty() || !wants(site)) continue;
    for (const Node n : tails_of_site_[site]) {
      distance_[n] = 0;
      queue.push_back(n);
    }
  }
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Node p : predecessors_[queue[i]])
      if (distance_[p] == kFar) {
        distance_[p] = distance_[queue[i]] + 1;
        queue.push_back(p);
      }
}

std::uint32_t Distances::of_block(FunctionId function, BlockId block) {
  update();
  if (function >= first_node_.size() || block >= subject_.program.functions[function].blocks.size()) return kFar;
  return distance_[head(function, block)];
}

std::uint32_t Distances::of_edge(EdgeId edge) {
  if (edge >= targets_.size()) return kFar;
  if (covered_[edge] == 0 && is_counted_[edge]) return 0;
  update();
  std::uint32_t nearest = kFar;
  for (const Node n : targets_[edge]) nearest = std::min(nearest, distance_[n]);
  return nearest == kFar ? kFar : nearest + 1;
}

}  // namespace plumb::concolic
