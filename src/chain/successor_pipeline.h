#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

#include "chain/successors.h"

namespace plumb::chain {

/// Blocks of states whose successors are computed by other threads while blocks before them are numbered. Blocks come
/// back in the order in which they were given out, so nothing depends on how fast anybody was.
class SuccessorPipeline {
 public:
  struct Block {
    std::vector<std::uint64_t> states;  ///< packed, copied, for the store moves while it grows
    std::uint64_t count = 0;
    SuccessorBlock successors;
    bool is_done = false;
  };

  /// With `workers` 0 the work is done in take().
  SuccessorPipeline(const Successors& successors, std::uint32_t words, unsigned workers);
  ~SuccessorPipeline();

  bool is_full() const noexcept { return in_flight_.size() >= limit_; }
  bool is_empty() const noexcept { return in_flight_.empty(); }
  /// A block to fill and to give to put().
  std::unique_ptr<Block> fresh();
  void put(std::unique_ptr<Block> block);
  /// The oldest block, done.
  std::unique_ptr<Block> take();
  void recycle(std::unique_ptr<Block> block) { free_.push_back(std::move(block)); }

 private:
  void work(const std::stop_token& stop);
  void compute(Block& block, Successors::Scratch& scratch) const;

  const Successors& successors_;
  std::uint32_t words_;
  std::size_t limit_;
  std::deque<std::unique_ptr<Block>> in_flight_;
  std::vector<std::unique_ptr<Block>> free_;
  Successors::Scratch own_scratch_;
  std::mutex mutex_;
  std::condition_variable_any work_ready_;
  std::condition_variable block_done_;
  std::queue<Block*> waiting_;
  std::vector<std::jthread> workers_;  // last: they use all of the above
};

}  // namespace plumb::chain
