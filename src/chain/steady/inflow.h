#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

/// What flows into each state of an irreducible chain: the transposed rates without loops, and the rate at which each
/// state is left. A stationary vector x has sum(x[i] * rate(i -> j)) = x[j] * exit[j]. Of a dtmc, probabilities are the
/// rates. Of a component of a chain the weights stay indices into the chain's few distinct ones; of an aggregated chain
/// they are numbers.
class Inflow {
 public:
  template <typename Index>
  struct IndexedView {
    const std::uint64_t* starts;
    const StateId* sources;
    const Index* index;
    const double* distinct;
    double rate(std::uint64_t transition) const noexcept { return distinct[index[transition]]; }
  };
  struct PlainView {
    const std::uint64_t* starts;
    const StateId* sources;
    const double* rates;
    double rate(std::uint64_t transition) const noexcept { return rates[transition]; }
  };

  Inflow() = default;
  /// Of the states `members` (ascending; empty: all), which no transition leaves; local_of[s] is the position of s
  /// among them (empty: the same). The chain must live as long.
  Inflow(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
         const Budget& budget);

  std::uint64_t size() const noexcept { return exit.size(); }
  std::uint64_t transitions() const noexcept { return sources.size(); }
  std::uint64_t bytes() const noexcept;
  /// Calls f(view) with the arrays, for kernels.
  template <typename F>
  void visit(F&& f) const {
    if (!distinct_) return f(PlainView{starts.data(), sources.data(), rates.data()});
    std::visit([&](const auto& index) { f(IndexedView{starts.data(), sources.data(), index.data(), distinct_}); },
               index_);
  }

  std::vector<double> exit;
  std::vector<std::uint64_t> starts;  ///< by state, and the end
  GrowingArray<StateId> sources;
  std::vector<double> rates;  ///< of an aggregated chain

 private:
  std::variant<GrowingArray<std::uint8_t>, GrowingArray<std::uint16_t>, GrowingArray<std::uint32_t>> index_;
  const double* distinct_ = nullptr;
};

}  // namespace plumb::chain
