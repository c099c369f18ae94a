#include "explore/store.h"

namespace plumb::explore {

Store::Store() { intern(Data{}); }

Store::RulesId Store::intern(const Rules& rules) {
  std::vector<std::uint64_t> key;
  rules.append_to(key);
  const auto next = static_cast<RulesId>(rules_.size());
  const auto [known, is_new] = rules_ids_.try_emplace(std::move(key), next);
  if (is_new) rules_.push_back(rules);
  return known->second;
}

std::uint32_t Store::intern(Data data) {
  const std::uint64_t size = (data.values.size() + data.constraints.size()) * sizeof(Term) + sizeof(Data);
  const auto next = static_cast<std::uint32_t>(data_.size());
  const auto [known, is_new] = data_ids_.try_emplace(std::move(data), next);
  if (is_new) {
    data_.push_back(&known->first);
    data_bytes_ += size;
  }
  return known->second;
}

std::uint64_t Store::bytes() const noexcept { return blobs.bytes() + trees.bytes() + data_bytes_; }

}  // namespace plumb::explore
