#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/budget.h"
#include "chain/chain.h"

namespace plumb::chain {

class RowMaker;  // row_maker.h

/// Some consecutive states and their rows. The arrays live until the call that was given the block returns.
struct RowBlock {
  StateId first_state = 0;
  std::uint32_t states = 0;
  std::uint64_t first_row = 0;         ///< the number of the first state's first row
  std::uint64_t first_transition = 0;  ///< the number of its first transition
  std::uint32_t rows = 0;
  std::uint32_t transitions = 0;
  const std::uint32_t* row_counts = nullptr;  ///< by state: how many rows it has; null: one each
  const std::uint32_t* counts = nullptr;      ///< by row: how many transitions it has
  const StateId* targets = nullptr;           ///< by transition, ascending within a row
  const std::uint32_t* weights = nullptr;     ///< by transition: index into chain.rows.weights().distinct()

  std::uint32_t rows_of(std::uint32_t state) const noexcept { return row_counts ? row_counts[state] : 1; }
};

/// The rows of a chain from the first state to the last, in blocks: read from where they are kept, or computed once
/// more by the successor function where they are not (Rows::is_kept()). Every pass gives the same rows. The model that
/// the chain was built from must still exist. Not to be used by two passes at once.
class RowStream {
 public:
  using Visit = std::function<void(const RowBlock&)>;

  /// `threads` 0: all cores.
  RowStream(const Chain& chain, unsigned threads);
  ~RowStream();

  enum class Order : std::uint8_t { Forward, Backward };
  /// Calls `visit` in this thread, block after block in the order of states or against it, while other threads prepare
  /// later blocks.
  void in_order(const Budget& budget, const Visit& visit, Order order = Order::Forward) const;
  /// Calls `visit` from several threads at once, each block once, in no order. `visit` must not throw.
  void in_parallel(const Budget& budget, const Visit& visit) const;

 private:
  const Chain& chain_;
  unsigned threads_;
  mutable std::vector<std::unique_ptr<RowMaker>> makers_;  ///< they know more from pass to pass
};

}  // namespace plumb::chain
