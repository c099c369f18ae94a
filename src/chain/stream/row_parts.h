#pragma once

#include <cstdint>
#include <optional>

#include "base/budget.h"
#include "chain/row_stream.h"
#include "chain/time/parallel.h"
#include "chain/time/row_view.h"

namespace plumb::chain {

/// How many rows states have, for kernels.
class ChoiceCounts {
 public:
  explicit ChoiceCounts(const Chain& chain) : chain_(chain), is_one_(chain.choices.size() == 0) {
    chain.choices.counts().visit([&](auto counts) {
      if constexpr (sizeof(counts[0]) == 1) bytes_ = counts.data();
    });
  }
  std::uint32_t operator[](std::uint64_t s) const noexcept {
    if (is_one_) return 1;
    return bytes_ ? bytes_[s] : chain_.row_count(static_cast<StateId>(s));
  }

 private:
  const Chain& chain_;
  bool is_one_;
  const std::uint8_t* bytes_ = nullptr;
};

/// Consecutive states, and a view that has their rows somewhere.
template <typename View>
struct RowPart {
  View view;
  std::uint64_t first = 0;  ///< state
  std::uint64_t last = 0;
  std::uint64_t row = 0;          ///< the first row of `first`, in the view
  std::uint64_t position = 0;     ///< its first transition, in the view
  std::uint64_t rows_before = 0;  ///< of the chain, before the view's first
};

/// Passes of a kernel over all rows of a chain, be they kept or not. What the kernel computes for a state must not
/// depend on where parts begin and end.
class RowPasses {
 public:
  RowPasses(const Chain& chain, unsigned threads) : chain_(chain), threads_(thread_count(threads, chain.states)) {
    if (!chain.rows.is_kept()) stream_.emplace(chain, threads_);
  }

  /// Calls f(RowPart) from several threads at once; it must not throw.
  template <typename F>
  void run(const Budget& budget, F&& f) const {
    if (!stream_) {
      visit_rows(chain_.rows, [&](const auto& view) {
        parallel_parts(chain_.states, threads_, [&](std::uint64_t first, std::uint64_t last) {
          if (first == last) return;
          const std::uint64_t row = chain_.first_row(static_cast<StateId>(first));
          f(RowPart<std::remove_cvref_t<decltype(view)>>{view, first, last, row, chain_.rows.begin(row), 0});
        });
      });
      return;
    }
    const double* distinct = chain_.rows.weights().distinct().data();
    stream_->in_parallel(budget, [&](const RowBlock& block) {
      using View = RowView<std::uint32_t, std::uint32_t>;
      const View view{block.counts, block.targets, block.weights, distinct};
      f(RowPart<View>{view, block.first_state, std::uint64_t{block.first_state} + block.states, 0, 0, block.first_row});
    });
  }

 private:
  const Chain& chain_;
  unsigned threads_;
  std::optional<RowStream> stream_;
};

}  // namespace plumb::chain
