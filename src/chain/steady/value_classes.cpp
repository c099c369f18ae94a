// Aggregation along the variables. Of each variable we look at the marginal process: the flow between its values, over
// all states, relative to the probability of the values. The two groups of values that exchange fastest are merged,
// over and over (the time scales of Simon and Ando's nearly decomposable systems, found per variable), until there are
// few enough groups of states. What is slow, such as failure and repair, stays apart.

#include "chain/steady/value_classes.h"

#include <absl/container/flat_hash_map.h>

#include <algorithm>
#include <limits>

namespace plumb::chain {
namespace {

constexpr std::uint64_t kMostValues = 256;    ///< of a variable; more are taken together to begin with
constexpr std::uint64_t kSample = 1'000'000;  ///< states whose inflow is looked at
constexpr StateId kNone = ~StateId{0};

/// The groups of values of one variable, and the flow between them.
class Marginal {
 public:
  Marginal(const StateLayout::Field& field, std::uint64_t greatest)
      : field_(field), size_(std::min(greatest + 1, kMostValues)), greatest_(greatest), groups_(size_) {
    class_of_.resize(size_);
    for (std::size_t v = 0; v < size_; ++v) class_of_[v] = static_cast<std::uint32_t>(v);
    mass_.resize(size_);
    values_.assign(size_, 1);
    flow_.resize(size_ * size_);
  }

  std::size_t value(const std::uint64_t* state) const noexcept {
    const std::uint64_t offset = (state[field_.word] >> field_.shift) & field_.mask;
    return greatest_ < kMostValues ? offset : offset * kMostValues / (greatest_ + 1);
  }
  std::uint32_t class_of(const std::uint64_t* state) const noexcept { return class_of_[value(state)]; }
  std::size_t size() const noexcept { return size_; }
  std::size_t groups() const noexcept { return groups_; }
  void add_mass(const std::uint64_t* state, double x) { mass_[value(state)] += x; }
  void add_flow(const std::uint64_t* from, const std::uint64_t* to, double x) {
    const std::size_t a = value(from);
    const std::size_t b = value(to);
    if (a != b) flow_[a * size_ + b] += x;
  }

  struct Pair {
    double rate = 0;
    std::size_t a = 0;
    std::size_t b = 0;
  };
  /// The two that exchange fastest. The more values they have, the slower is the exchange inside of them.
  Pair fastest() const {
    Pair best;
    for (std::size_t a = 0; a < size_; ++a)
      for (std::size_t b = a + 1; b < size_; ++b) {
        if (mass_[a] <= 0 || mass_[b] <= 0) continue;
        const double rate = (flow_[a * size_ + b] / mass_[a] + flow_[b * size_ + a] / mass_[b]) /
                            static_cast<double>(values_[a] + values_[b]);
        if (rate > best.rate) best = {rate, a, b};
      }
    return best;
  }
  void merge(const Pair& pair) {
    const auto [rate, a, b] = pair;
    for (std::size_t c = 0; c < size_; ++c) {
      flow_[a * size_ + c] += flow_[b * size_ + c];
      flow_[c * size_ + a] += flow_[c * size_ + b];
    }
    flow_[a * size_ + a] = 0;
    mass_[a] += mass_[b];
    mass_[b] = 0;
    values_[a] += values_[b];
    for (std::uint32_t& c : class_of_)
      if (c == b) c = static_cast<std::uint32_t>(a);
    --groups_;
  }

 private:
  StateLayout::Field field_;
  std::size_t size_;
  std::uint64_t greatest_;
  std::size_t groups_;
  std::vector<std::uint32_t> class_of_;
  std::vector<double> mass_;
  std::vector<std::size_t> values_;
  std::vector<double> flow_;
};

std::vector<Marginal> marginals(const Inflow& inflow, const std::vector<double>& x, const PartValues& values) {
  const auto state = [&](std::uint64_t i) { return values.store->state(values.part->state(i)); };
  std::vector<Marginal> result;
  for (const StateLayout::Field& field : values.store->layout().fields()) {
    std::uint64_t greatest = 0;
    for (std::uint64_t i = 0; i < x.size(); ++i)
      greatest = std::max(greatest, (state(i)[field.word] >> field.shift) & field.mask);
    result.emplace_back(field, greatest);
  }
  const std::uint64_t stride = x.size() / kSample + 1;
  inflow.visit([&](const auto& view) {
    for (std::uint64_t j = 0; j < x.size(); j += stride) {
      for (Marginal& m : result) m.add_mass(state(j), x[j]);
      for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t) {
        const double flow = x[view.sources[t]] * view.rate(t);
        for (Marginal& m : result) m.add_flow(state(view.sources[t]), state(j), flow);
      }
    }
  });
  return result;
}

/// Merges values until there are about `reduction` times fewer groups of states; false if that is not to be had.
bool merge_values(std::vector<Marginal>& marginals, double reduction) {
  std::vector<Marginal::Pair> fastest;
  for (const Marginal& m : marginals) fastest.push_back(m.fastest());
  for (double done = 1; done < reduction;) {
    const auto best = std::ranges::max_element(fastest, {}, &Marginal::Pair::rate);
    if (best == fastest.end() || best->rate <= 0) return false;
    Marginal& marginal = marginals[static_cast<std::size_t>(best - fastest.begin())];
    done *= static_cast<double>(marginal.groups()) / static_cast<double>(marginal.groups() - 1);
    marginal.merge(*best);
    *best = marginal.fastest();
  }
  return true;
}

}  // namespace

ValueGroups group_values(const Inflow& inflow, const std::vector<double>& x, const PartValues& values, double reduction,
                         const Budget& budget) {
  ValueGroups result;
  if (!values.store) return result;
  std::vector<Marginal> parts = marginals(inflow, x, values);
  budget.check();
  double combinations = 1;
  for (const Marginal& m : parts) combinations *= static_cast<double>(m.size());
  if (combinations >= 0x1p63 || !merge_values(parts, reduction)) return result;
  absl::flat_hash_map<std::uint64_t, StateId> number;
  result.group_of.assign(x.size(), kNone);
  for (std::uint64_t i = 0; i < x.size(); ++i) {
    if ((i & 0xfffff) == 0) budget.check();
    const std::uint64_t* state = values.store->state(values.part->state(i));
    std::uint64_t key = 0;
    for (const Marginal& m : parts) key = key * m.size() + m.class_of(state);
    const auto [place, is_new] = number.try_emplace(key, result.count);
    if (is_new) ++result.count;
    result.group_of[i] = place->second;
  }
  return result;
}

}  // namespace plumb::chain
