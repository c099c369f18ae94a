#include "chain/chain.h"

#include <algorithm>

namespace plumb::chain {

void Rows::add_row(std::vector<Entry>& entries) {
  std::ranges::sort(entries, {}, &Entry::target);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < entries.size();) {
    double weight = entries[i].weight;
    std::size_t next = i + 1;
    while (next < entries.size() && entries[next].target == entries[i].target) weight += entries[next++].weight;
    targets_.push_back(entries[i].target);
    weights_.push_back(weight);
    ++count;
    i = next;
  }
  offsets_.push_back(count);
}

void Rows::finish() {
  offsets_.shrink();
  targets_.shrink();
  weights_.finish();
}

const StateSet* Chain::label(const std::string& name) const noexcept {
  for (const auto& [label, set] : labels)
    if (label == name) return &set;
  return nullptr;
}

}  // namespace plumb::chain
