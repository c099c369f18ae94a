#include "chain/row_pipeline.h"

#include <algorithm>

namespace plumb::chain {

RowPipeline::RowPipeline(RowSource& source, const StateStore& store, unsigned threads)
    : limit_(threads <= 1 ? 1 : 6 * std::size_t{threads}) {
  for (unsigned i = 0; i < std::max(1U, threads); ++i)
    makers_.push_back(std::make_unique<RowMaker>(source.successors, store, source.weights));
  for (unsigned i = 1; i < threads; ++i)
    workers_.start([this, i](const std::stop_token& stop) {
      std::unique_lock lock(mutex_);
      while (work_ready_.wait(lock, stop, [&] { return find_work() != nullptr; })) help(lock, *makers_[i]);
    });
}

void RowPipeline::put(StateId first, std::uint32_t states) {
  std::unique_ptr<Item> item;
  if (free_.empty()) {
    item = std::make_unique<Item>();
  } else {
    item = std::move(free_.back());
    free_.pop_back();
    item->stage = Stage::Put;
    item->is_taken = false;
  }
  item->draft.first = first;
  item->draft.states = states;
  const std::scoped_lock lock(mutex_);
  drafts_.push_back(std::move(item));
  work_ready_.notify_one();
}

RowPipeline::Item* RowPipeline::find_work() noexcept {
  for (const std::unique_ptr<Item>& item : drafts_) {
    if (item->is_taken) continue;
    if (item->stage == Stage::Numbered || (item->stage == Stage::Put && !is_growing_)) return item.get();
  }
  return nullptr;
}

bool RowPipeline::help(std::unique_lock<std::mutex>& lock, RowMaker& maker) {
  Item* item = find_work();
  if (item == nullptr) return false;
  item->is_taken = true;
  const bool expands = item->stage == Stage::Put;
  if (expands) ++readers_;
  lock.unlock();
  try {
    if (expands) {
      maker.expand(item->draft);
      maker.look_up(item->draft);
    } else {
      maker.finish(item->draft);
    }
  } catch (...) {
    // Out of memory: told to the owner when it takes the block.
    item->draft.successors.error = std::current_exception();
  }
  lock.lock();
  if (expands) --readers_;
  item->is_taken = false;
  item->stage = expands ? Stage::Expanded : Stage::Finished;
  work_done_.notify_all();
  return true;
}

void RowPipeline::wait_for(const Item& item, Stage stage) {
  std::unique_lock lock(mutex_);
  while (item.stage < stage)
    if (!help(lock, *makers_[0])) work_done_.wait(lock);
}

RowDraft* RowPipeline::next_expanded() {
  if (numbered_ == drafts_.size()) return nullptr;
  Item& item = *drafts_[numbered_];
  wait_for(item, Stage::Expanded);
  return &item.draft;
}

void RowPipeline::set_numbered() {
  const std::scoped_lock lock(mutex_);
  drafts_[numbered_++]->stage = Stage::Numbered;
  work_ready_.notify_one();
}

RowDraft* RowPipeline::next_finished(bool waits) {
  if (numbered_ == 0) return nullptr;
  Item& item = *drafts_.front();
  if (!waits) {
    const std::scoped_lock lock(mutex_);
    if (item.stage != Stage::Finished) return nullptr;
  }
  wait_for(item, Stage::Finished);
  if (item.draft.successors.error) std::rethrow_exception(item.draft.successors.error);
  return &item.draft;
}

void RowPipeline::drop() {
  const std::scoped_lock lock(mutex_);
  free_.push_back(std::move(drafts_.front()));
  drafts_.pop_front();
  --numbered_;
}

void RowPipeline::grow(StateStore& store, std::uint64_t more) {
  std::unique_lock lock(mutex_);
  is_growing_ = true;
  work_done_.wait(lock, [&] { return readers_ == 0; });
  lock.unlock();
  store.grow(more);
  lock.lock();
  is_growing_ = false;
  work_ready_.notify_all();
}

}  // namespace plumb::chain
