#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "base/parallel/threads.h"
#include "chain/row_maker.h"

namespace plumb::chain {

/// Blocks of rows on their way from packed states to finished rows: expanded and looked up by any thread, numbered by
/// the owner in the order in which they were put, finished by any thread and taken by the owner in that order. So
/// nothing depends on how fast anybody was. The owner lends a hand where it would have to wait.
class RowPipeline {
 public:
  /// `threads` counts the owner's.
  RowPipeline(RowSource& source, const StateStore& store, unsigned threads);

  bool is_full() const noexcept { return drafts_.size() >= limit_; }
  bool is_empty() const noexcept { return drafts_.empty(); }
  void put(StateId first, std::uint32_t states);
  /// The oldest block that has not been numbered, with its transitions looked up; null if there is none.
  RowDraft* next_expanded();
  /// All targets of next_expanded() have numbers now: others may finish it.
  void set_numbered();
  /// The oldest block, finished; null if it is not and `waits` is false, or if it is not numbered. It lives until
  /// drop().
  RowDraft* next_finished(bool waits);
  void drop();
  /// Makes room in the store's table while nobody looks anything up.
  void grow(StateStore& store, std::uint64_t more);

 private:
  enum class Stage : std::uint8_t { Put, Expanded, Numbered, Finished };
  struct Item {
    RowDraft draft;
    Stage stage = Stage::Put;
    bool is_taken = false;  ///< somebody works on it
  };

  /// Does what is to be done for one block, the oldest that somebody can do something for; false if there is none.
  bool help(std::unique_lock<std::mutex>& lock, RowMaker& maker);
  Item* find_work() noexcept;
  void wait_for(const Item& item, Stage stage);

  std::size_t limit_;
  std::deque<std::unique_ptr<Item>> drafts_;
  std::vector<std::unique_ptr<Item>> free_;
  std::size_t numbered_ = 0;  ///< of drafts_, from the front
  std::vector<std::unique_ptr<RowMaker>> makers_;
  std::mutex mutex_;
  std::condition_variable_any work_ready_;
  std::condition_variable_any work_done_;
  bool is_growing_ = false;
  unsigned readers_ = 0;
  parallel::Threads workers_;  // last: they use all of the above
};

}  // namespace plumb::chain
