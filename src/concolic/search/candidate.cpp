#include "concolic/search/candidate.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "result/campaign/compact.h"

namespace plumb::concolic {

namespace {

std::uint64_t site_key(std::uint32_t site, PathNode::Kind kind) {
  return std::uint64_t{site} << 8 | static_cast<std::uint8_t>(kind);
}

std::uint64_t site_key(const PathNode& node) { return site_key(node.site, node.kind); }

std::uint64_t alternative_key(Alternative::Kind kind, std::uint32_t index) {
  return std::uint64_t{index} << 8 | static_cast<std::uint8_t>(kind);
}

/// The way that the run went at the node, as another run would see it.
std::optional<std::uint64_t> taken_key(const PathNode& node) {
  switch (node.kind) {
    case PathNode::Kind::Branch:
      return alternative_key(Alternative::Kind::Edge, node.taken);
    case PathNode::Kind::Region:
      if (node.taken == program::kNone) return std::nullopt;
      return alternative_key(Alternative::Kind::Destination, node.taken);
    case PathNode::Kind::Assume:
    case PathNode::Kind::Check:
    case PathNode::Kind::Division:
      return alternative_key(node.taken != 0 ? Alternative::Kind::Assumption : Alternative::Kind::Violation,
                             node.checked.defect);
    case PathNode::Kind::CallTarget:
    case PathNode::Kind::Constraint:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  // The finaliser of splitmix64: every bit of both words reaches every bit of the result.
  std::uint64_t z = a * 0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::uint64_t defect_target(SiteId site, std::uint32_t defect) {
  return mix(site_key(site, PathNode::Kind::Check), alternative_key(Alternative::Kind::Violation, defect));
}

std::vector<result::TestInput> Origin::unpacked_inputs() const {
  auto unpacked = result::unpack_inputs(inputs);
  INVARIANT(unpacked.has_value(), "inputs that were packed should come back");
  return std::move(*unpacked);
}

Enumeration enumerate(const Trace& trace, const std::shared_ptr<const Origin>& origin, std::size_t first,
                      std::uint32_t max_loop, std::span<const std::uint8_t> covered) {
  Enumeration result;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> visits;
  for (std::size_t i = 0; i < trace.nodes.size(); ++i) {
    const PathNode& node = trace.nodes[i];
    const std::uint32_t visit = ++visits[site_key(node)];
    if (i < first) continue;
    Candidate candidate;
    candidate.origin = origin;
    candidate.before = i == 0 ? 0 : trace.nodes[i - 1].prefix;
    candidate.node = static_cast<std::uint32_t>(i);
    const std::uint64_t place = mix(candidate.before, i);
    candidate.visit = visit;
    candidate.site = node.site;
    candidate.node_kind = node.kind;
    candidate.taken = node.taken;
    candidate.checked = node.checked;
    // A check of another object is another question at the same place.
    const auto key = [&](std::uint64_t target) {
      return node.checked.defect == 0 ? mix(place, target) : mix(mix(place, target), node.checked.object);
    };
    if (const auto taken = taken_key(node)) result.taken.push_back(key(mix(site_key(node), *taken)));
    const auto add = [&](std::uint64_t what) {
      candidate.target = mix(site_key(node), what);
      candidate.key = key(candidate.target);
      result.candidates.push_back(candidate);
    };
    if (node.kind == PathNode::Kind::Constraint) {
      candidate.is_escape = true;
      add(~std::uint64_t{0});
      continue;
    }
    if (max_loop != 0 && visit > max_loop) {
      result.is_bounded |= node.alternative_count != 0;
      continue;
    }
    for (const Alternative& alternative : trace.alternatives_of(node)) {
      const bool is_inner = alternative.kind == Alternative::Kind::InnerEdge;
      if (is_inner && (alternative.edge >= covered.size() || covered[alternative.edge] != 0)) continue;
      candidate.kind = alternative.kind;
      candidate.index = alternative.index;
      candidate.edge = alternative.edge;
      add(alternative_key(alternative.kind, alternative.index));
    }
  }
  return result;
}

bool reaches(const Trace& trace, const Candidate& candidate) {
  if (candidate.node >= trace.nodes.size()) return false;
  const PathNode& node = trace.nodes[candidate.node];
  const std::uint64_t before = candidate.node == 0 ? 0 : trace.nodes[candidate.node - 1].prefix;
  return before == candidate.before && node.kind == candidate.node_kind && node.site == candidate.site;
}

std::vector<Candidate> enumerate_via(const std::vector<Candidate>& candidates, const Via& via) {
  std::vector<Candidate> result;
  for (const Candidate& candidate : candidates) {
    const bool is_inner = candidate.kind == Alternative::Kind::InnerEdge;
    if (candidate.is_escape || is_inner || candidate.node < via.node) continue;
    Candidate& copy = result.emplace_back(candidate);
    copy.via = via;
    copy.key = mix(copy.key, mix(via.node, via.index));
  }
  return result;
}

namespace {

const Alternative* find(const Trace& trace, std::uint32_t node, Alternative::Kind kind, std::uint32_t index) {
  const auto all = trace.alternatives_of(trace.nodes[node]);
  const auto it =
      std::find_if(all.begin(), all.end(), [&](const Alternative& a) { return a.kind == kind && a.index == index; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace

std::vector<term::Term> query_of(term::TermStore& store, const Trace& trace, const Candidate& candidate) {
  std::vector<term::Term> query;
  for (std::uint32_t i = 0; i < candidate.node; ++i) query.push_back(trace.nodes[i].condition);
  if (candidate.via) {
    const Alternative* via = find(trace, candidate.via.node, Alternative::Kind::InnerEdge, candidate.via.index);
    if (via == nullptr) return {};
    query.push_back(via->condition);
  }
  if (candidate.is_escape) {
    query.push_back(store.bit_not(trace.nodes[candidate.node].condition));
    return query;
  }
  const Alternative* alternative = find(trace, candidate.node, candidate.kind, candidate.index);
  if (alternative == nullptr) return {};
  query.push_back(alternative->condition);
  return query;
}

term::Term near_of(const Trace& trace, const Candidate& candidate) {
  if (candidate.is_escape) return {};
  const Alternative* alternative = find(trace, candidate.node, candidate.kind, candidate.index);
  return alternative == nullptr ? term::Term{} : alternative->near;
}

}  // namespace plumb::concolic
