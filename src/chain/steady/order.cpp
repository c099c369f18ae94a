#include "chain/steady/order.h"

#include <algorithm>
#include <numeric>

namespace plumb::chain {
namespace {

constexpr std::uint64_t kSample = 200'000;  ///< states
constexpr std::uint64_t kRadixBits = 16;
constexpr std::uint64_t kRadix = std::uint64_t{1} << kRadixBits;

std::uint64_t offset_of(const StateStore& store, const StateLayout::Field& field, StateId s) {
  return (store.state(s)[field.word] >> field.shift) & field.mask;
}

/// One stable pass of radix sort by the bits of a field from `shift` on.
void counting_sort(const StateStore& store, const StateLayout::Field& field, std::uint64_t shift,
                   std::vector<StateId>& states, std::vector<StateId>& scratch) {
  const auto digit = [&](StateId s) { return (offset_of(store, field, s) >> shift) % kRadix; };
  std::vector<std::uint64_t> next(std::min(field.mask >> shift, kRadix - 1) + 2);
  for (const StateId s : states) ++next[digit(s) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  scratch.resize(states.size());
  for (const StateId s : states) scratch[next[digit(s)]++] = s;
  states.swap(scratch);
}

}  // namespace

Activity::Activity(const Chain& chain)
    : chain_(chain),
      weights_(chain.rows.weights().distinct().data()),
      stride_(chain.states / kSample + 1),
      changes_(chain.store.layout().fields().size()) {}

void Activity::add(StateId from, StateId to, double weight) {
  const std::uint64_t* a = chain_.store.state(from);
  const std::uint64_t* b = chain_.store.state(to);
  const std::span<const StateLayout::Field> fields = chain_.store.layout().fields();
  for (std::size_t v = 0; v < fields.size(); ++v)
    if (((a[fields[v].word] ^ b[fields[v].word]) >> fields[v].shift & fields[v].mask) != 0) changes_[v] += weight;
}

std::vector<std::size_t> Activity::variables() const {
  std::vector<std::size_t> result(changes_.size());
  std::iota(result.begin(), result.end(), std::size_t{0});
  std::ranges::stable_sort(result, {}, [&](std::size_t v) { return changes_[v]; });
  return result;
}

void sort_by_values(const Chain& chain, const std::vector<std::size_t>& variables, Part& part) {
  if (part.members.empty()) {
    part.members.resize(chain.states);
    std::iota(part.members.begin(), part.members.end(), StateId{0});
    part.local_of->resize(chain.states);
  }
  std::vector<StateId> scratch;
  for (std::size_t k = variables.size(); k-- > 0;) {
    const StateLayout::Field& field = chain.store.layout().fields()[variables[k]];
    for (std::uint64_t shift = 0; shift < 64 && (field.mask >> shift) != 0; shift += kRadixBits)
      counting_sort(chain.store, field, shift, part.members, scratch);
  }
  for (std::uint64_t i = 0; i < part.members.size(); ++i) (*part.local_of)[part.members[i]] = static_cast<StateId>(i);
}

}  // namespace plumb::chain
