#include "cli/prob/state_order.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace plumb::cli::prob {

StateOrder::StateOrder(const chain::Chain& chain) : store_(chain.store), variables_(store_.layout().fields().size()) {
  // The variables that fit 64 bits make a number to sort by, which spares a look at the states; the others decide
  // where these are equal.
  std::size_t in_key = 0;
  for (int bits = 0; in_key < variables_; ++in_key) {
    bits += static_cast<int>(std::bit_width(store_.layout().fields()[in_key].mask));
    if (bits > 64) break;
  }
  struct Entry {
    std::uint64_t key;
    chain::StateId state;
  };
  std::vector<Entry> entries(chain.states);
  for (std::uint64_t s = 0; s < chain.states; ++s) {
    const std::uint64_t* packed = store_.state(static_cast<chain::StateId>(s));
    std::uint64_t key = 0;
    for (std::size_t v = 0; v < in_key; ++v) {
      const StateLayout::Field& field = store_.layout().fields()[v];
      const auto width = static_cast<int>(std::bit_width(field.mask));
      key = (width >= 64 ? 0 : key << width) | ((packed[field.word] >> field.shift) & field.mask);
    }
    entries[s] = {key, static_cast<chain::StateId>(s)};
  }
  std::ranges::sort(entries, [&](const Entry& a, const Entry& b) {
    if (a.key != b.key) return a.key < b.key;
    return in_key < variables_ && is_less(store_.state(a.state), store_.state(b.state), in_key);
  });
  states_.resize(chain.states);
  ranks_.resize(chain.states);
  for (std::uint64_t rank = 0; rank < chain.states; ++rank) {
    states_[rank] = entries[rank].state;
    ranks_[entries[rank].state] = static_cast<std::uint32_t>(rank);
  }
}

bool StateOrder::is_less(const std::uint64_t* a, const std::uint64_t* b, std::size_t first_variable) const {
  for (std::size_t v = first_variable; v < variables_; ++v) {
    const std::int64_t x = store_.layout().get(a, v);
    const std::int64_t y = store_.layout().get(b, v);
    if (x != y) return x < y;
  }
  return false;
}

std::uint32_t StateOrder::rank_of(const std::uint64_t* packed) const {
  const auto found = std::lower_bound(
      states_.begin(), states_.end(), packed,
      [&](chain::StateId s, const std::uint64_t* wanted) { return is_less(store_.state(s), wanted, 0); });
  INVARIANT(found != states_.end(), "a successor should be a state of the chain");
  return static_cast<std::uint32_t>(found - states_.begin());
}

}  // namespace plumb::cli::prob
