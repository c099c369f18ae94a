#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"
#include "chain/row_stream.h"
#include "chain/time/row_view.h"

namespace plumb::chain {

/// States of a chain that no transition leaves, in an order of their own.
struct Part {
  std::vector<StateId> members;  ///< states of the chain; empty: all of them, as they are numbered
  /// By state of the chain: its place among the members, for members. May be shared by disjoint parts.
  std::vector<StateId>* local_of = nullptr;

  std::uint64_t size(const Chain& chain) const noexcept { return members.empty() ? chain.states : members.size(); }
  StateId state(std::uint64_t local) const noexcept {
    return members.empty() ? static_cast<StateId>(local) : members[local];
  }
  StateId local(StateId state) const noexcept { return members.empty() ? state : (*local_of)[state]; }

  /// Calls f(state, number of transitions, targets, indices of weights) for each row; states as the chain numbers them.
  /// If the rows are not kept, the part must be the whole chain.
  template <typename F>
  void for_each_row(const Chain& chain, unsigned threads, const Budget& budget, F f) const;
};

/// What flows into each state of an irreducible chain: the transposed rates without loops, and the rate at which each
/// state is left. A stationary vector x has sum(x[i] * rate(i -> j)) = x[j] * exit[j]. Of a dtmc, probabilities are the
/// rates. Of a part of a chain the weights stay indices into the chain's few distinct ones (five or six bytes a
/// transition, four a state); of an aggregated chain they are numbers.
class Inflow {
 public:
  /// Where the transitions into each state begin: 32 bits a state, relative to a base for every 2^16 states.
  struct Starts {
    const std::uint64_t* bases;
    const std::uint32_t* offsets;
    std::uint64_t begin(std::uint64_t state) const noexcept { return bases[state >> kBlockBits] + offsets[state]; }
  };
  template <typename Index>
  struct IndexedView : Starts {
    const StateId* sources;
    const Index* index;
    const double* distinct;
    double rate(std::uint64_t transition) const noexcept { return distinct[index[transition]]; }
  };
  template <typename Index>
  IndexedView(Starts, const StateId*, const Index*, const double*) -> IndexedView<Index>;
  struct PlainView : Starts {
    const StateId* sources;
    const double* rates;
    double rate(std::uint64_t transition) const noexcept { return rates[transition]; }
  };

  Inflow() = default;
  /// Of the given part, which is put into the order in which its states lie closest to those that they lead to
  /// (order.h) if `is_ordered`. The chain's distinct weights must live as long. Two passes over the rows.
  Inflow(const Chain& chain, Part& part, bool is_ordered, unsigned threads, const Budget& budget);

  std::uint64_t size() const noexcept { return exit.size(); }
  std::uint64_t transitions() const noexcept { return sources.size(); }
  std::uint64_t begin(std::uint64_t state) const noexcept { return starts().begin(state); }  ///< also of size()
  std::uint64_t bytes() const noexcept;  ///< of transitions and where they begin
  /// Calls f(view) with the arrays, for kernels.
  template <typename F>
  void visit(F&& f) const {
    if (!distinct_) return f(PlainView{starts(), sources.data(), rates.data()});
    std::visit([&](const auto& index) { f(IndexedView{starts(), sources.data(), index.data(), distinct_}); }, index_);
  }

  /// For an aggregated chain, state after state: the number of transitions into the next one.
  void add_count(std::uint32_t count);

  std::vector<double> exit;
  GrowingArray<StateId> sources;
  std::vector<double> rates;  ///< of an aggregated chain

 private:
  static constexpr unsigned kBlockBits = 16;

  Starts starts() const noexcept { return {bases_.data(), offsets_.data()}; }
  void count(const Chain& chain, Part& part, bool is_ordered, unsigned threads, const Budget& budget);
  template <typename Index>
  void place(const Chain& chain, const Part& part, unsigned threads, const Budget& budget);

  std::vector<std::uint64_t> bases_;
  std::vector<std::uint32_t> offsets_;
  std::variant<GrowingArray<std::uint8_t>, GrowingArray<std::uint16_t>, GrowingArray<std::uint32_t>> index_;
  const double* distinct_ = nullptr;
  std::uint64_t total_ = 0;
};

/// Whether every state leads to every other one; false also where that is not found out cheaply. `is_root_initial`: all
/// states are known to be reached from `root`.
bool is_surely_irreducible(const Inflow& inflow, StateId root, bool is_root_initial, const Budget& budget);

template <typename F>
void Part::for_each_row(const Chain& chain, unsigned threads, const Budget& budget, F f) const {
  if (!chain.rows.is_kept()) {
    RowStream(chain, threads).in_order(budget, [&](const RowBlock& block) {
      std::uint64_t position = 0;
      for (std::uint32_t i = 0; i < block.states; ++i) {
        f(block.first_state + i, block.counts[i], block.targets + position, block.weights + position);
        position += block.counts[i];
      }
    });
    return;
  }
  visit_rows(chain.rows, [&](const auto& view) {
    std::uint64_t position = 0;
    std::uint64_t next = 0;  // the state whose row begins there
    for (std::uint64_t i = 0; i < size(chain); ++i) {
      if ((i & 0xfffff) == 0) budget.check();
      const StateId s = state(i);
      if (s != next) position = chain.rows.begin(s);
      f(s, static_cast<std::uint32_t>(view.counts[s]), view.targets + position, view.index + position);
      position += view.counts[s];
      next = s + std::uint64_t{1};
    }
  });
}

}  // namespace plumb::chain
