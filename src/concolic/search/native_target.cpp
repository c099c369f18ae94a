#include <optional>

#include "base/error.h"
#include "concolic/search/target.h"
#include "concolic/trace/trace_check.h"

namespace plumb::concolic {

namespace {

class NativeTarget : public Target {
 public:
  NativeTarget(const Subject& subject, const RunLimits& limits, bool check_traces)
      : subject_(subject), executor_(subject, limits), check_traces_(check_traces) {
    reset();
  }

  TargetRun run(const RunRequest& request, const Budget& budget) override {
    const RunRecord record = executor_.run(request, budget);
    TargetRun run;
    run.end = record.end;
    run.code = record.code;
    run.error_site = record.error_site;
    run.coverage = record.coverage;
    run.seconds = record.seconds;
    run.trace = builder_->build(record.stream);
    if (check_traces_) check(run);
    return run;
  }

  term::TermStore& store() override { return *store_; }

  std::vector<result::TestInput> inputs_of(const Trace& parent, const term::Assignment& model) override {
    return TraceBuilder::inputs_of(*store_, parent, model);
  }

  void reset() override {
    builder_.reset();
    store_.emplace();
    builder_.emplace(subject_, *store_);
  }

  std::span<const TraceBuilder::RegionCost> region_costs() override { return builder_->region_costs(); }

 private:
  void check(const TargetRun& run) const {
    const std::string problem = contradiction_of(subject_, *store_, run.trace, run.coverage);
    INVARIANT(problem.empty(), "a trace should hold under its own inputs: " + problem);
  }

  const Subject& subject_;
  Executor executor_;
  bool check_traces_;
  std::optional<term::TermStore> store_;
  std::optional<TraceBuilder> builder_;
};

}  // namespace

std::unique_ptr<Target> make_native_target(const Subject& subject, const RunLimits& limits, bool check_traces) {
  return std::make_unique<NativeTarget>(subject, limits, check_traces);
}

}  // namespace plumb::concolic
