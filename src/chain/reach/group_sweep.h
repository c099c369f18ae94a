#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/parallel/crew.h"
#include "chain/reach/row_list.h"
#include "chain/reach/sweep.h"

namespace plumb::chain {

/// Gauss-Seidel over the states of a large component by several threads, with the same result for any number of them.
///
/// The numbers between the first and the last state are cut into kLanes lanes, and those into blocks. A pass goes
/// through the lanes side by side: the blocks that are at the same place in their lanes are computed together, each on
/// a copy of its own values, so that it sees what it has computed itself and of the others what they had before; then
/// all are written back. Only the states of kLanes blocks at a time are a step behind.
template <typename Index>
class GroupSweep {
 public:
  static constexpr unsigned kLanes = 8;
  static constexpr std::uint32_t kBlock = 4096;

  /// `sweepers` has one for each worker of the crew. Groups of fewer than kLargeComponent states can be swept by any
  /// worker, by a GroupSweep of its own.
  GroupSweep(const Chain& chain, std::span<Sweeper<Index>> sweepers, unsigned worker, parallel::Crew& crew,
             const Budget& budget)
      : chain_(chain), sweepers_(sweepers), worker_(worker), crew_(crew), budget_(budget), lists_(crew.size()) {}

  /// The states that passes are about, in ascending order; they have to live as long as passes are made. Takes memory
  /// for small groups only.
  void set_group(std::span<const StateId> group) {
    group_ = group;
    if (group.size() < kLargeComponent) lists_[0].load(chain_, group);
  }

  /// Calls f(sweeper, state, rows, values, slots, lane) for the states of the group, in ascending order or backwards in
  /// each lane: `values` is what to read at targets and slots[n] where the state's own value under x[n] is. There are
  /// kLanes lanes, and f must keep what it counts by lane.
  template <std::size_t N, typename F>
  void pass(const std::array<double*, N>& x, bool backward, F&& f) {
    std::array<const double*, N> read;
    std::ranges::copy(x, read.begin());
    if (group_.size() < kLargeComponent) {
      std::array<double*, N> slots;
      for (std::size_t k = 0; k < group_.size(); ++k) {
        const std::size_t i = backward ? group_.size() - 1 - k : k;
        const StateId s = group_[i];
        for (std::size_t n = 0; n < N; ++n) slots[n] = x[n] + s;
        f(sweepers_[worker_], s, lists_[0].rows(i), Vectors<N>{read}, slots, 0U);
      }
      return;
    }
    patches_.resize(std::size_t{kLanes} * N * kBlock);
    const std::uint64_t range = std::uint64_t{group_.back()} - group_.front() + 1;
    const std::uint64_t phases = (range + std::uint64_t{kLanes} * kBlock - 1) / (std::uint64_t{kLanes} * kBlock);
    std::atomic<bool> is_over = false;
    crew_.run([&](unsigned worker) {
      for (std::uint64_t k = 0; k < phases; ++k) {
        const std::uint64_t phase = backward ? phases - 1 - k : k;
        for (unsigned lane = worker; lane < kLanes; lane += crew_.size()) {
          blocks_[lane] = block_of(lane, phase, phases);
          compute<N>(blocks_[lane], read, backward, worker, lane, f);
        }
        if (worker == 0 && k % 64 == 63 && budget_.exceeded()) is_over = true;
        crew_.sync();
        if (is_over) return;
        for (unsigned lane = worker; lane < kLanes; lane += crew_.size()) write_back<N>(x, lane);
        crew_.sync();
      }
    });
    if (is_over) budget_.check();
  }

  /// Gone through by this worker.
  std::uint64_t transitions() const noexcept { return sweepers_[worker_].transitions(); }
  unsigned worker() const noexcept { return worker_; }
  parallel::Crew& crew() noexcept { return crew_; }
  std::span<Sweeper<Index>> sweepers() noexcept { return sweepers_; }

 private:
  struct Block {
    StateId first = 0;
    std::uint32_t size = 0;
    std::span<const StateId> members;
  };

  Block block_of(unsigned lane, std::uint64_t phase, std::uint64_t phases) const {
    const std::uint64_t first = group_.front() + (lane * phases + phase) * kBlock;
    const std::uint64_t last = std::min<std::uint64_t>(first + kBlock, std::uint64_t{group_.back()} + 1);
    if (first >= last) return {0, 0, {}};
    const auto begin = std::ranges::lower_bound(group_, static_cast<StateId>(first));
    const auto end = std::lower_bound(begin, group_.end(), last);
    return {static_cast<StateId>(first), static_cast<std::uint32_t>(last - first), {begin, end}};
  }

  template <std::size_t N>
  double* patch(unsigned lane, std::size_t n) {
    return patches_.data() + (std::size_t{lane} * N + n) * kBlock;
  }

  template <std::size_t N, typename F>
  void compute(const Block& block, const std::array<const double*, N>& read, bool backward, unsigned worker,
               unsigned lane, F& f) {
    PatchedVectors<N> values{read, {}, block.first, block.size};
    std::array<double*, N> own;
    for (std::size_t n = 0; n < N; ++n) {
      values.patch[n] = own[n] = patch<N>(lane, n);
      std::copy_n(read[n] + block.first, block.size, own[n]);
    }
    RowList& list = lists_[worker];
    list.load(chain_, block.members);
    Sweeper<Index>& sweeper = sweepers_[worker];
    std::array<double*, N> slots;
    for (std::size_t k = 0; k < block.members.size(); ++k) {
      const std::size_t i = backward ? block.members.size() - 1 - k : k;
      const StateId s = block.members[i];
      for (std::size_t n = 0; n < N; ++n) slots[n] = own[n] + (s - block.first);
      f(sweeper, s, list.rows(i), values, slots, lane);
    }
  }

  template <std::size_t N>
  void write_back(const std::array<double*, N>& x, unsigned lane) {
    const Block& block = blocks_[lane];
    for (std::size_t n = 0; n < N; ++n) {
      const double* from = patch<N>(lane, n);
      for (const StateId s : block.members) x[n][s] = from[s - block.first];
    }
  }

  const Chain& chain_;
  std::span<Sweeper<Index>> sweepers_;
  unsigned worker_;
  parallel::Crew& crew_;
  const Budget& budget_;
  std::span<const StateId> group_;
  std::array<Block, kLanes> blocks_;
  std::vector<RowList> lists_;   ///< by worker
  std::vector<double> patches_;  ///< by lane and vector
};

}  // namespace plumb::chain
