#include "chain/successor_pipeline.h"

namespace plumb::chain {

SuccessorPipeline::SuccessorPipeline(const Successors& successors, std::uint32_t words, unsigned workers)
    : successors_(successors),
      words_(words),
      limit_(workers == 0 ? 1 : 4 * std::size_t{workers}),
      own_scratch_(successors.scratch()) {
  for (unsigned i = 0; i < workers; ++i) workers_.emplace_back([this](const std::stop_token& stop) { work(stop); });
}

SuccessorPipeline::~SuccessorPipeline() {
  for (std::jthread& worker : workers_) worker.request_stop();
  work_ready_.notify_all();
  workers_.clear();
}

std::unique_ptr<SuccessorPipeline::Block> SuccessorPipeline::fresh() {
  if (free_.empty()) return std::make_unique<Block>();
  std::unique_ptr<Block> block = std::move(free_.back());
  free_.pop_back();
  block->states.clear();
  block->successors.clear();
  block->is_done = false;
  return block;
}

void SuccessorPipeline::put(std::unique_ptr<Block> block) {
  if (!workers_.empty()) {
    const std::scoped_lock lock(mutex_);
    waiting_.push(block.get());
    work_ready_.notify_one();
  }
  in_flight_.push_back(std::move(block));
}

std::unique_ptr<SuccessorPipeline::Block> SuccessorPipeline::take() {
  std::unique_ptr<Block> block = std::move(in_flight_.front());
  in_flight_.pop_front();
  if (workers_.empty()) {
    compute(*block, own_scratch_);
    return block;
  }
  std::unique_lock lock(mutex_);
  block_done_.wait(lock, [&] { return block->is_done; });
  return block;
}

void SuccessorPipeline::compute(Block& block, Successors::Scratch& scratch) const {
  try {
    for (std::uint64_t i = 0; i < block.count; ++i)
      successors_.expand(&block.states[i * words_], scratch, block.successors);
  } catch (...) {
    block.successors.error = std::current_exception();
  }
}

void SuccessorPipeline::work(const std::stop_token& stop) {
  Successors::Scratch scratch = successors_.scratch();
  std::unique_lock lock(mutex_);
  while (work_ready_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    Block* block = waiting_.front();
    waiting_.pop();
    lock.unlock();
    compute(*block, scratch);
    lock.lock();
    block->is_done = true;
    block_done_.notify_one();
  }
}

}  // namespace plumb::chain
