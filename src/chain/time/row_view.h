#pragma once

#include <cstdint>

#include "chain/chain.h"

namespace plumb::chain {

/// Rows as plain arrays of known widths, for kernels that go through many of them: transitions follow each other, so a
/// kernel asks for the first position of its part once and counts on from there.
template <typename Count, typename Index>
struct RowView {
  const Count* counts;
  const StateId* targets;
  const Index* index;
  const double* weights;

  double weight(std::uint64_t transition) const noexcept { return weights[index[transition]]; }
};

/// Calls f with the view of the widths that the rows have.
template <typename F>
void visit_rows(const Rows& rows, F&& f) {
  rows.offsets().counts().visit([&](auto counts) {
    rows.weights().index().visit(
        [&](auto index) { f(RowView{counts.data(), rows.targets(), index.data(), rows.weights().distinct().data()}); });
  });
}

}  // namespace plumb::chain
