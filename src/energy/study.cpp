// Replications go in blocks of a fixed size; a thread runs a whole block, and the blocks are merged in their order.
// Sums are then made in the same order whoever ran what.
#include "energy/study.h"

#include <algorithm>
#include <mutex>

#include "base/error.h"
#include "base/parallel/loop.h"
#include "energy/profile.h"

namespace plumb::energy {
namespace {

constexpr std::uint64_t kBlock = 16;

Summary empty_summary(const Scenario& scenario, bool wants_profile) {
  Summary summary;
  if (wants_profile) summary.profile.resize(scenario.providers.size() * scenario.windows);
  summary.providers.resize(scenario.providers.size());
  summary.loads.resize(scenario.loads.size());
  return summary;
}

void add(Summary& summary, const Outcome& outcome) {
  summary.total.add(outcome.total);
  for (std::size_t i = 0; i < outcome.providers.size(); ++i) summary.providers[i].add(outcome.providers[i]);
  for (std::size_t i = 0; i < outcome.loads.size(); ++i) summary.loads[i].add(outcome.loads[i]);
  ++summary.replications;
  summary.events += outcome.events;
}

void merge(Summary& summary, const Summary& block) {
  summary.total.merge(block.total);
  for (std::size_t i = 0; i < block.providers.size(); ++i) summary.providers[i].merge(block.providers[i]);
  for (std::size_t i = 0; i < block.loads.size(); ++i) summary.loads[i].merge(block.loads[i]);
  for (std::size_t i = 0; i < block.profile.size(); ++i) summary.profile[i].merge(block.profile[i]);
  summary.replications += block.replications;
  summary.events += block.events;
}

/// The replications from `begin` to `end`.
Summary run_block(const Scenario& scenario, const StudyOptions& options, std::uint64_t begin, std::uint64_t end,
                  const Budget& budget) {
  Summary summary = empty_summary(scenario, options.wants_profile);
  for (std::uint64_t i = begin; i < end; ++i) {
    budget.check();
    if (!options.wants_profile) {
      add(summary, simulate(scenario, options.seed, i, budget));
      continue;
    }
    PowerProfile profile(scenario);
    add(summary, simulate(scenario, options.seed, i, budget, &profile));
    for (std::size_t j = 0; j < summary.profile.size(); ++j) summary.profile[j].add(profile.values()[j]);
  }
  return summary;
}

/// The blocks that are done, merged as far as there is none missing before them.
class OrderedMerge {
 public:
  OrderedMerge(Summary summary, const std::function<void(std::uint64_t)>& on_progress)
      : summary_(std::move(summary)), on_progress_(on_progress) {}

  void put(std::uint64_t index, Summary block) {
    const std::scoped_lock lock(mutex_);
    done_ += block.replications;
    early_.emplace_back(index, std::move(block));
    for (auto next = find(merged_); next != early_.end(); next = find(merged_)) {
      merge(summary_, next->second);
      early_.erase(next);
      ++merged_;
    }
    if (on_progress_) on_progress_(done_);
  }
  /// After the last put.
  Summary take() { return std::move(summary_); }

 private:
  using Entry = std::pair<std::uint64_t, Summary>;
  std::vector<Entry>::iterator find(std::uint64_t index) { return std::ranges::find(early_, index, &Entry::first); }

  std::mutex mutex_;
  Summary summary_;
  const std::function<void(std::uint64_t)>& on_progress_;
  std::vector<Entry> early_;
  std::uint64_t merged_ = 0;
  std::uint64_t done_ = 0;
};

}  // namespace

void Samples::add(const Values& values) {
  for (std::size_t i = 0; i < kMetrics; ++i) samples_[i].add(values[metric_at(i)]);
}

void Samples::merge(const Samples& other) {
  for (std::size_t i = 0; i < kMetrics; ++i) samples_[i].merge(other.samples_[i]);
}

Summary run_study(const Scenario& scenario, const StudyOptions& options, const Budget& budget) {
  INVARIANT(options.replications > 0, "a study should have replications");
  const std::uint64_t blocks = (options.replications + kBlock - 1) / kBlock;
  OrderedMerge result(empty_summary(scenario, options.wants_profile), options.on_progress);
  parallel::for_each_index(blocks, options.threads, budget, [&](std::uint64_t block, unsigned) {
    const std::uint64_t end = std::min(options.replications, (block + 1) * kBlock);
    result.put(block, run_block(scenario, options, block * kBlock, end, budget));
  });
  return result.take();
}

}  // namespace plumb::energy
