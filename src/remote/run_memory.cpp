#include "remote/run_memory.h"

#include "remote/wire/bytes.h"

namespace plumb::remote {
namespace {

/// All that a run depends on: limits of time and memory are the same for all runs of a server.
std::string key_of(const RunOrder& order) {
  Bytes key;
  put_varint(key, order.seed);
  put_varint(key, order.max_nodes);
  put_varint(key, order.modes.size());
  put_bytes(key, order.modes);
  put_bytes(key, order.inputs);
  return {key.begin(), key.end()};
}

/// The key is there twice.
std::size_t size_of(const std::string& key, const RunAnswer& answer) {
  return 2 * key.size() + sizeof(std::uint32_t) * answer.words.size() + answer.coverage.size() + sizeof answer;
}

}  // namespace

std::shared_ptr<const RunAnswer> RunMemory::find(const RunOrder& order) const {
  const std::string key = key_of(order);
  const std::lock_guard lock(mutex_);
  const auto it = answers_.find(key);
  return it == answers_.end() ? nullptr : it->second;
}

void RunMemory::keep(const RunOrder& order, const std::shared_ptr<const RunAnswer>& answer) {
  std::string key = key_of(order);
  const std::size_t size = size_of(key, *answer);
  if (size > capacity_) return;
  const std::lock_guard lock(mutex_);
  if (!answers_.try_emplace(key, answer).second) return;
  size_ += size;
  order_.push_back(std::move(key));
  while (size_ > capacity_) {
    const auto oldest = answers_.find(order_.front());
    size_ -= size_of(oldest->first, *oldest->second);
    answers_.erase(oldest);
    order_.pop_front();
  }
}

}  // namespace plumb::remote
