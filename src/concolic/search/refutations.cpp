#include "concolic/search/refutations.h"

#include <algorithm>

namespace plumb::concolic {

namespace {

/// Of one condition: the reasons why it cannot hold differ with the path, and old ones are seldom seen again.
constexpr std::size_t kMaxCores = 32;
/// A large one is a part of few queries.
constexpr std::size_t kMaxSize = 64;

}  // namespace

void Refutations::add(std::span<const term::Term> core, term::Term asked) {
  if (core.size() > kMaxSize || std::ranges::find(core, asked) == core.end()) return;
  std::vector<Core>& cores = cores_[asked];
  if (cores.size() == kMaxCores) cores.erase(cores.begin());
  Core& added = cores.emplace_back();
  for (const term::Term t : core)
    if (t != asked) added.others.push_back(t);
}

bool Refutations::refute(std::span<const term::Term> query, term::Term asked) {
  const auto known = cores_.find(asked);
  if (known == cores_.end()) return false;
  members_.clear();
  members_.insert(query.begin(), query.end());
  const auto is_part = [&](const Core& core) {
    return std::ranges::all_of(core.others, [&](term::Term t) { return members_.contains(t); });
  };
  const auto found = std::ranges::find_if(known->second, is_part);
  if (found == known->second.end()) return false;
  // What refuted once does so again: it stays the longest.
  std::rotate(found, found + 1, known->second.end());
  return true;
}

void Refutations::clear() { cores_.clear(); }

}  // namespace plumb::concolic
