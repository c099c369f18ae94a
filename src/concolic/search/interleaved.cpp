#include <array>

#include "concolic/search/strategy.h"

namespace plumb::concolic {

namespace {

class Interleaved : public SearchStrategy {
 public:
  Interleaved(const Subject& subject, Distances& distances, std::uint64_t seed)
      : parts_{make_coverage_guided(subject, distances), make_generational(), make_random_path(seed)} {}

  void add(std::span<const CandidateId> ids, const CandidateTable& table) override {
    for (auto& part : parts_) part->add(ids, table);
  }
  std::optional<CandidateId> pick(const CandidateTable& table) override {
    return parts_[turn_++ % parts_.size()]->pick(table);
  }
  void failed(std::uint64_t target) override {
    for (auto& part : parts_) part->failed(target);
  }
  void compact(const CandidateTable& table) override {
    for (auto& part : parts_) part->compact(table);
  }

 private:
  std::array<std::unique_ptr<SearchStrategy>, 3> parts_;
  std::size_t turn_ = 0;
};

}  // namespace

std::unique_ptr<SearchStrategy> make_interleaved(const Subject& subject, Distances& distances, std::uint64_t seed) {
  return std::make_unique<Interleaved>(subject, distances, seed);
}

std::unique_ptr<SearchStrategy> make_strategy(Strategy strategy, const Subject& subject, Distances& distances,
                                              std::uint64_t seed) {
  switch (strategy) {
    case Strategy::Interleaved:
      return make_interleaved(subject, distances, seed);
    case Strategy::DepthFirst:
      return make_depth_first();
    case Strategy::Generational:
      return make_generational();
    case Strategy::Coverage:
      return make_coverage_guided(subject, distances);
    case Strategy::RandomPath:
      return make_random_path(seed);
  }
  return nullptr;
}

}  // namespace plumb::concolic
