#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value/state_store.h"
#include "chain/model.h"
#include "chain/offsets.h"
#include "chain/state_set.h"
#include "chain/value_column.h"

namespace plumb::chain {

struct RowSource;  // row_maker.h

/// Sparse rows: a row is a state of a dtmc or ctmc, or a choice of an mdp. A transition is a target and the index of
/// its weight among the few distinct ones: five or six bytes. Transitions of a row have different targets, in ascending
/// order. Immutable once made; read by any number of threads. Where rows are not kept (is_kept()), there are only their
/// numbers and lengths and the distinct weights, and RowStream computes the rest.
class Rows {
 public:
  std::uint64_t size() const noexcept { return offsets_.size(); }
  std::uint64_t transitions() const noexcept { return offsets_.total(); }
  bool is_kept() const noexcept { return targets_.size() == offsets_.total(); }
  std::uint64_t begin(std::uint64_t row) const noexcept { return offsets_.begin(row); }
  std::uint32_t count(std::uint64_t row) const noexcept { return offsets_.count(row); }
  StateId target(std::uint64_t transition) const noexcept { return targets_[transition]; }
  double weight(std::uint64_t transition) const noexcept { return weights_[transition]; }

  /// For kernels that go through all of it: plain arrays, to be dispatched on once.
  const StateId* targets() const noexcept { return targets_.data(); }
  const ValueColumn& weights() const noexcept { return weights_; }
  const Offsets& offsets() const noexcept { return offsets_; }
  std::uint64_t bytes() const noexcept { return targets_.bytes() + weights_.bytes() + offsets_.bytes(); }

  /// Calls f(target, weight) for the transitions of a row.
  template <typename F>
  void for_each(std::uint64_t row, F&& f) const {
    const std::uint64_t first = begin(row);
    for (std::uint64_t i = first; i < first + count(row); ++i) f(target(i), weight(i));
  }

  /// Weights are doubles, or fractions in all rows.
  template <typename Weight>
  struct EntryOf {
    StateId target;
    Weight weight;
  };
  using Entry = EntryOf<double>;
  using ExactEntry = EntryOf<Fraction>;
  /// The next row; entries with the same target are added up. Sorts `entries`.
  void add_row(std::vector<Entry>& entries);
  void add_row(std::vector<ExactEntry>& entries);
  /// Rows that are sorted, by their lengths, with weights by their number in a table that set_weights() gives.
  void append(std::span<const std::uint32_t> counts, std::span<const StateId> targets,
              std::span<const std::uint32_t> weights);
  /// As append(), keeping the lengths alone. Drops what is kept of rows before.
  void append_lengths(std::span<const std::uint32_t> counts);
  /// Of rows that were appended: the weights, and their places there by the numbers that they had.
  void set_weights(std::vector<double> distinct, std::vector<Fraction> fractions,
                   std::span<const std::uint32_t> renamed);
  void finish();

  /// Whether the weights are known as fractions.
  bool is_exact() const noexcept { return weights_.is_exact(); }
  /// As for_each(), of exact rows.
  template <typename F>
  void for_each_exact(std::uint64_t row, F&& f) const {
    const std::uint64_t first = begin(row);
    for (std::uint64_t i = first; i < first + count(row); ++i) f(target(i), weights_.fractions()[weights_.index()[i]]);
  }

 private:
  template <typename Weight>
  void add_entries(std::vector<EntryOf<Weight>>& entries);

  Offsets offsets_;
  GrowingArray<StateId> targets_;
  ValueColumn weights_;
};

/// The reachable part of a model, or a chain made by hand. Of a dtmc the weights of a row are probabilities that sum to
/// one, of a ctmc they are rates. The states of an mdp have choices, a row each.
struct Chain {
  Kind kind = Kind::Dtmc;
  std::uint64_t states = 0;
  Rows rows;
  Offsets choices;      ///< of an mdp: how many rows each state has; empty otherwise, where state and row are the same
  NarrowArray actions;  ///< of an mdp, by row; empty if they were not asked for
  std::vector<StateId> initial;
  StateSet deadlocks;                 ///< had no way on and were given a loop (with probability or rate one)
  StateStore store;                   ///< the values of the variables; empty for a chain made by hand
  std::shared_ptr<RowSource> source;  ///< of rows that are not kept; refers to the model

  struct Rewards {
    std::string name;
    ValueColumn states;  ///< by state; empty where all are zero
    /// By row, empty where all are zero. What a row earns when it is taken: for a dtmc expected over its transitions,
    /// for a ctmc multiplied by their rates (what is earned per unit of time).
    ValueColumn rows;
  };
  std::vector<Rewards> rewards;
  std::vector<std::pair<std::string, StateSet>> labels;

  std::uint64_t first_row(StateId s) const noexcept { return choices.size() == 0 ? s : choices.begin(s); }
  std::uint32_t row_count(StateId s) const noexcept { return choices.size() == 0 ? 1 : choices.count(s); }
  const StateSet* label(const std::string& name) const noexcept;
};

/// Throws UserError if the rows are not kept: "`what` needs the transitions in memory …".
void require_rows(const Chain& chain, std::string_view what);

}  // namespace plumb::chain
