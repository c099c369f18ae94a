#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/value/state_store.h"
#include "chain/row_stream.h"
#include "chain/successors.h"
#include "chain/weight_table.h"

namespace plumb::chain {

/// What it takes to compute rows once more.
struct RowSource {
  RowSource(const Model& model, const StateLayout& layout) : successors(model, layout), weights(successors.reals()) {}

  Successors successors;
  WeightTable weights;
};

/// The rows of some consecutive states in the making: first with packed targets, then with their numbers where those
/// are known, then sorted.
struct RowDraft {
  StateId first = 0;
  std::uint32_t states = 0;
  SuccessorBlock successors;
  GrowingArray<StateId> ids;            ///< by transition, kMissing where the state has no number yet
  GrowingArray<std::uint32_t> missing;  ///< those transitions

  // Finished rows; states without a way on have a loop.
  GrowingArray<std::uint32_t> row_counts;  ///< by state
  GrowingArray<std::uint32_t> counts;      ///< by row
  GrowingArray<StateId> targets;
  GrowingArray<std::uint32_t> weights;
  GrowingArray<Action> actions;  ///< by row
  GrowingArray<Value> rewards;   ///< by row: one for each structure that rewards actions
  std::vector<StateId> deadlocks;

  RowBlock block() const noexcept;
};

/// Makes rows. Of one thread; several may work over one store while another thread inserts.
class RowMaker {
 public:
  RowMaker(const Successors& successors, const StateStore& store, WeightTable& weights);

  /// The successors of draft.states states from draft.first on. What goes wrong is in the draft.
  void expand(RowDraft& draft);
  /// Looks up the targets. The store must not grow meanwhile.
  void look_up(RowDraft& draft) const;
  /// Sorts rows and adds up transitions to the same state; every target must have its number.
  void finish(RowDraft& draft);

 private:
  /// Writes one row behind the others; the number of its transitions.
  std::uint32_t finish_row(const StateId* ids, const std::uint32_t* weights, std::uint32_t count, StateId* targets,
                           std::uint32_t* indices);

  const Successors& successors_;
  const StateStore& store_;
  std::unique_ptr<Successors::Scratch> scratch_;
  std::vector<std::uint64_t> keys_;
};

}  // namespace plumb::chain
