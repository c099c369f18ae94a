#pragma once

#include <optional>

#include "concolic/search/target.h"

namespace plumb::concolic {

/// A target whose runs leave record streams: what is the same wherever the program runs.
class TracingTarget : public Target {
 public:
  /// The subject must outlive it. `check_traces` as in SearchOptions.
  TracingTarget(const Subject& subject, bool check_traces);

  TargetRun run(const RunRequest& request, const Budget& budget) override;
  term::TermStore& store() override { return *store_; }
  std::vector<result::TestInput> inputs_of(const Trace& parent, const term::Assignment& model) override;
  void reset() override;
  std::span<const TraceBuilder::RegionCost> region_costs() override { return builder_->region_costs(); }

 protected:
  /// One run; views are good until the next.
  virtual RunRecord execute(const RunRequest& request, const Budget& budget) = 0;
  const Subject& subject() const noexcept { return subject_; }

 private:
  void check(const TargetRun& run) const;

  const Subject& subject_;
  bool check_traces_;
  std::optional<term::TermStore> store_;
  std::optional<TraceBuilder> builder_;
};

}  // namespace plumb::concolic
