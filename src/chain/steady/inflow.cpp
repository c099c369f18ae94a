#include "chain/steady/inflow.h"

#include "chain/time/row_view.h"

namespace plumb::chain {

Inflow::Inflow(const Chain& chain, const std::vector<StateId>& members, const std::vector<StateId>& local_of,
               const Budget& budget)
    : distinct_(chain.rows.weights().distinct().data()) {
  const std::uint64_t size = members.empty() ? chain.states : members.size();
  exit.resize(size);
  starts.resize(size + 1);
  const auto local = [&](StateId s) { return local_of.empty() ? s : local_of[s]; };
  const auto for_each_transition = [&](const auto& view, auto f) {
    for (std::uint64_t i = 0; i < size; ++i) {
      if ((i & 0xfffff) == 0) budget.check();
      const std::uint64_t row = members.empty() ? i : members[i];
      const std::uint64_t first = chain.rows.begin(row);
      for (std::uint64_t t = first; t < first + view.counts[row]; ++t)
        if (view.targets[t] != row) f(static_cast<StateId>(i), local(view.targets[t]), t);
    }
  };
  visit_rows(chain.rows, [&](const auto& view) {
    for_each_transition(view, [&](StateId i, StateId j, std::uint64_t t) {
      exit[i] += view.weight(t);
      ++starts[j + 1];
    });
    for (std::uint64_t j = 0; j < size; ++j) starts[j + 1] += starts[j];
    sources.resize(starts[size]);
    using Index = std::remove_cvref_t<decltype(view.index[0])>;
    GrowingArray<Index> index;
    index.resize(starts[size]);
    // The next free place of state j is kept in starts[j]; afterwards that is the end of j, and everything moves up by
    // one.
    for_each_transition(view, [&](StateId i, StateId j, std::uint64_t t) {
      const std::uint64_t place = starts[j]++;
      sources[place] = i;
      index[place] = view.index[t];
    });
    for (std::uint64_t j = size; j > 0; --j) starts[j] = starts[j - 1];
    starts[0] = 0;
    index_ = std::move(index);
  });
}

std::uint64_t Inflow::bytes() const noexcept {
  return sources.bytes() + starts.size() * 8 + exit.size() * 8 + rates.size() * 8 +
         std::visit([](const auto& index) { return index.bytes(); }, index_);
}

}  // namespace plumb::chain
