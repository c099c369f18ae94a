// Stationary vectors by elimination without subtractions: Grassmann, Taksar and Heyman, "Regenerative Analysis and
// Steady State Distributions for Markov Chains", Operations Research 33 (1985). Eliminating a state gives its
// transitions to its successors; what it earns and the time that is spent in it go to its predecessors in the same way,
// so the average reward is a quotient of two sums of positive numbers, and going back gives the bias of each state.
// O'Cinneide, "Entrywise perturbation theory and error analysis for Markov chains" (1993): relative errors e of the
// rates make relative errors of at most 2ne in the stationary vector, whatever the rates, which bounds rounding. We
// work in a band, after reverse Cuthill-McKee ordering.

#include "chain/steady/elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace plumb::chain {
namespace {

constexpr double kMostWork = 4e9;               // multiplications: about two seconds
constexpr double kMostEntries = 6.4e7;          // half a gigabyte
constexpr std::uint64_t kMostStates = 500'000;  // for which an order is looked for

std::uint64_t bandwidth_of(const Inflow& inflow, const std::vector<StateId>& place) {
  std::uint64_t result = 0;
  for (std::uint64_t j = 0; j < inflow.size(); ++j)
    for (std::uint64_t t = inflow.begin(j); t < inflow.begin(j + 1); ++t) {
      const std::uint64_t i = inflow.sources[t];
      const std::uint64_t a = place.empty() ? i : place[i];
      const std::uint64_t b = place.empty() ? j : place[j];
      result = std::max(result, a < b ? b - a : a - b);
    }
  return result;
}

bool is_affordable(std::uint64_t size, const BandOrder& order) {
  return order.work(size) <= kMostWork &&
         static_cast<double>(size) * static_cast<double>(2 * order.bandwidth + 1) <= kMostEntries;
}

struct Neighbours {
  std::vector<std::uint64_t> starts;
  std::vector<StateId> list;

  explicit Neighbours(const Inflow& inflow) : starts(inflow.size() + 1) {
    const auto for_each_edge = [&](auto f) {
      for (std::uint64_t j = 0; j < inflow.size(); ++j)
        for (std::uint64_t t = inflow.begin(j); t < inflow.begin(j + 1); ++t) {
          f(inflow.sources[t], static_cast<StateId>(j));
          f(static_cast<StateId>(j), inflow.sources[t]);
        }
    };
    for_each_edge([&](StateId a, StateId) { ++starts[a + 1]; });
    for (std::uint64_t s = 0; s < inflow.size(); ++s) starts[s + 1] += starts[s];
    list.resize(starts.back());
    std::vector<std::uint64_t> next(starts.begin(), starts.end() - 1);
    for_each_edge([&](StateId a, StateId b) { list[next[a]++] = b; });
  }
  std::uint64_t degree(StateId s) const { return starts[s + 1] - starts[s]; }
};

/// Breadth-first from `root`, successors by degree; the order of visits.
std::vector<StateId> breadth_first(const Neighbours& graph, StateId root) {
  const std::uint64_t size = graph.starts.size() - 1;
  std::vector<StateId> order{root};
  order.reserve(size);
  StateSet seen(size);
  seen.insert(root);
  for (std::size_t head = 0; head < order.size(); ++head) {
    const StateId s = order[head];
    const std::size_t first = order.size();
    for (std::uint64_t t = graph.starts[s]; t < graph.starts[s + 1]; ++t) {
      if (seen.contains(graph.list[t])) continue;
      seen.insert(graph.list[t]);
      order.push_back(graph.list[t]);
    }
    std::ranges::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(), {},
                             [&](StateId v) { return graph.degree(v); });
  }
  return order;
}

BandOrder cuthill_mckee(const Inflow& inflow) {
  const Neighbours graph(inflow);
  // The last state of a search is far out; two searches suffice for a root at the rim.
  StateId root = breadth_first(graph, 0).back();
  root = breadth_first(graph, root).back();
  const std::vector<StateId> visits = breadth_first(graph, root);
  BandOrder result;
  result.place.resize(inflow.size());
  for (std::size_t i = 0; i < visits.size(); ++i) result.place[visits[i]] = static_cast<StateId>(visits.size() - 1 - i);
  result.bandwidth = bandwidth_of(inflow, result.place);
  return result;
}

/// Rows of the rates from each place to those at most `bandwidth` away.
class Band {
 public:
  Band(const Inflow& inflow, const BandOrder& order)
      : width_(order.bandwidth), stride_(2 * order.bandwidth + 1), rates_(inflow.size() * stride_) {
    inflow.visit([&](const auto& view) {
      for (std::uint64_t j = 0; j < inflow.size(); ++j)
        for (std::uint64_t t = view.begin(j); t < view.begin(j + 1); ++t) {
          const std::uint64_t i = view.sources[t];
          *at(order.place.empty() ? i : order.place[i], order.place.empty() ? j : order.place[j]) += view.rate(t);
        }
    });
  }
  double* at(std::uint64_t i, std::uint64_t j) noexcept { return &rates_[i * stride_ + (j + width_ - i)]; }
  std::uint64_t first(std::uint64_t k) const noexcept { return k > width_ ? k - width_ : 0; }

 private:
  std::uint64_t width_;
  std::uint64_t stride_;
  std::vector<double> rates_;
};

/// Takes state k out of the chain of the states before it. Its column then has the expected visits to it per unit of
/// time in each state. Returns its rate to states that are left.
double take_out(Band& band, std::uint64_t k) {
  const std::uint64_t first = band.first(k);
  const double* out = band.at(k, first);
  double sum = 0;
  for (std::uint64_t j = 0; j < k - first; ++j) sum += out[j];
  INVARIANT(sum > 0, "a state of an irreducible chain should have a way to the states before it");
  for (std::uint64_t i = first; i < k; ++i) {
    double& in = *band.at(i, k);
    if (in == 0) continue;
    in /= sum;
    double* row = band.at(i, first);
    const double share = in;
    for (std::uint64_t j = 0; j < k - first; ++j) row[j] += share * out[j];
    *band.at(i, i) = 0;
  }
  return sum;
}

/// The range of long double lets probabilities differ by thousands of orders of magnitude without under- or overflow.
std::vector<double> stationary_vector(Band& band, std::uint64_t size, const BandOrder& order) {
  constexpr long double kGreat = 1e4000L;
  std::vector<long double> x(size);
  x[0] = 1;
  long double total = 1;
  for (std::uint64_t k = 1; k < size; ++k) {
    long double sum = 0;
    for (std::uint64_t i = band.first(k); i < k; ++i) sum += x[i] * *band.at(i, k);
    x[k] = sum;
    total += sum;
    if (sum < kGreat) continue;
    for (std::uint64_t i = 0; i <= k; ++i) x[i] /= kGreat;
    total /= kGreat;
  }
  std::vector<double> result(size);
  for (std::uint64_t s = 0; s < size; ++s)
    result[s] = static_cast<double>(x[order.place.empty() ? s : order.place[s]] / total);
  return result;
}

}  // namespace

std::optional<BandOrder> elimination_order(const Inflow& inflow, const Budget& budget) {
  BandOrder given;
  given.bandwidth = bandwidth_of(inflow, {});
  constexpr double kCheap = 1e7;
  if (inflow.size() > kMostStates || given.work(inflow.size()) <= kCheap)
    return is_affordable(inflow.size(), given) ? std::optional(given) : std::nullopt;
  budget.check();
  BandOrder found = cuthill_mckee(inflow);
  if (given.bandwidth <= found.bandwidth) found = std::move(given);
  return is_affordable(inflow.size(), found) ? std::optional(std::move(found)) : std::nullopt;
}

StationaryElimination eliminate(const Inflow& inflow, const BandOrder& order, const std::vector<double>& reward,
                                const Budget& budget) {
  const std::uint64_t size = inflow.size();
  const bool has_reward = !reward.empty();
  Band band(inflow, order);
  const auto place = [&](std::uint64_t s) { return order.place.empty() ? s : order.place[s]; };
  std::vector<double> earned(has_reward ? size : 0);
  std::vector<double> time(has_reward ? size : 0, 1.0);
  std::vector<double> leave(size);
  for (std::uint64_t s = 0; has_reward && s < size; ++s) earned[place(s)] = reward[s];
  for (std::uint64_t k = size - 1; k > 0; --k) {
    if (k % 256 == 0) budget.check();
    leave[k] = take_out(band, k);
    if (!has_reward) continue;
    for (std::uint64_t i = band.first(k); i < k; ++i) {
      earned[i] += *band.at(i, k) * earned[k];
      time[i] += *band.at(i, k) * time[k];
    }
  }
  StationaryElimination result;
  result.stationary = stationary_vector(band, size, order);
  const double n = static_cast<double>(size);
  const double b = static_cast<double>(std::min(order.bandwidth, size));
  result.relative_error = (n * n * (b + 6) + n * (b + 4)) * std::numeric_limits<double>::epsilon() / 2 * 1.1;
  if (!has_reward) return result;
  result.average = earned[0] / time[0];
  std::vector<double> bias(size);
  for (std::uint64_t k = 1; k < size; ++k) {
    const std::uint64_t first = band.first(k);
    const double* out = band.at(k, first);
    double sum = 0;
    for (std::uint64_t j = first; j < k; ++j) sum += out[j - first] * bias[j];
    bias[k] = (sum + earned[k] - result.average * time[k]) / leave[k];
  }
  result.bias.resize(size);
  for (std::uint64_t s = 0; s < size; ++s) result.bias[s] = bias[place(s)];
  return result;
}

}  // namespace plumb::chain
