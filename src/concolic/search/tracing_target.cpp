#include "concolic/search/tracing_target.h"

#include "base/error.h"
#include "concolic/trace/trace_check.h"

namespace plumb::concolic {

TracingTarget::TracingTarget(const Subject& subject, bool check_traces)
    : subject_(subject), check_traces_(check_traces) {
  TracingTarget::reset();
}

TargetRun TracingTarget::run(const RunRequest& request, const Budget& budget) {
  const RunRecord record = execute(request, budget);
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

std::vector<result::TestInput> TracingTarget::inputs_of(const Trace& parent, const term::Assignment& model) {
  return TraceBuilder::inputs_of(*store_, parent, model);
}

void TracingTarget::reset() {
  builder_.reset();
  store_.emplace();
  builder_.emplace(subject_, *store_);
}

void TracingTarget::check(const TargetRun& run) const {
  const std::string problem = contradiction_of(subject_, *store_, run.trace, run.coverage);
  INVARIANT(problem.empty(), "a trace should hold under its own inputs: " + problem);
}

}  // namespace plumb::concolic
