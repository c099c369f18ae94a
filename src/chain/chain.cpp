#include "chain/chain.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace plumb::chain {

template <typename Weight>
void Rows::add_entries(std::vector<EntryOf<Weight>>& entries) {
  std::ranges::sort(entries, {}, &EntryOf<Weight>::target);
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < entries.size();) {
    Weight weight = entries[i].weight;
    std::size_t next = i + 1;
    while (next < entries.size() && entries[next].target == entries[i].target) weight += entries[next++].weight;
    targets_.push_back(entries[i].target);
    weights_.push_back(weight);
    ++count;
    i = next;
  }
  offsets_.push_back(count);
}

void Rows::add_row(std::vector<Entry>& entries) { add_entries(entries); }
void Rows::add_row(std::vector<ExactEntry>& entries) { add_entries(entries); }

void Rows::append(std::span<const std::uint32_t> counts, std::span<const StateId> targets,
                  std::span<const std::uint32_t> weights) {
  offsets_.append(counts);
  std::ranges::copy(targets, targets_.extend(targets.size()));
  weights_.append(weights);
}

void Rows::append_lengths(std::span<const std::uint32_t> counts) {
  if (!targets_.empty()) {
    targets_ = {};
    weights_ = {};
  }
  offsets_.append(counts);
}

void Rows::set_weights(std::vector<double> distinct, std::vector<Fraction> fractions,
                       std::span<const std::uint32_t> renamed) {
  weights_.set_distinct(std::move(distinct), std::move(fractions), renamed);
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

void require_rows(const Chain& chain, std::string_view what) {
  if (chain.rows.is_kept()) return;
  throw UserError(fmt::format("{} needs the transitions in memory, and they are not kept there", what),
                  "give more memory, or leave out what says that they are to be computed again and again");
}

}  // namespace plumb::chain
