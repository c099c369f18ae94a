#include <map>
#include <vector>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

namespace {

class RandomPath : public SearchStrategy {
 public:
  explicit RandomPath(std::uint64_t seed) : state_(mix(seed, 0x72616e646f6d)) {}

  void add(std::span<const CandidateId> ids, const CandidateTable& table) override {
    for (const CandidateId id : ids) levels_[table.at(id).node].push_back(id);
  }

  std::optional<CandidateId> pick(const CandidateTable& table) override {
    while (!levels_.empty()) {
      // Down from the root, past a level with candidates three times of four; past the last one, again from the root.
      auto level = levels_.begin();
      while (random() % 4 != 0)
        if (++level == levels_.end()) level = levels_.begin();
      std::vector<CandidateId>& ids = level->second;
      while (!ids.empty()) {
        std::swap(ids[random() % ids.size()], ids.back());
        if (table.contains(ids.back())) return ids.back();
        ids.pop_back();
      }
      levels_.erase(level);
    }
    return std::nullopt;
  }

  void compact(const CandidateTable& table) override {
    for (auto& [level, ids] : levels_) std::erase_if(ids, [&](CandidateId id) { return !table.contains(id); });
    std::erase_if(levels_, [](const auto& level) { return level.second.empty(); });
  }

 private:
  std::uint64_t random() { return state_ = mix(state_, 1); }

  std::map<std::uint32_t, std::vector<CandidateId>> levels_;  ///< by the number of nodes before
  std::uint64_t state_;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_random_path(std::uint64_t seed) { return std::make_unique<RandomPath>(seed); }

}  // namespace plumb::concolic
