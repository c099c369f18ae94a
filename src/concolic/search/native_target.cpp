#include "concolic/search/target.h"
#include "concolic/search/tracing_target.h"

namespace plumb::concolic {

namespace {

class NativeTarget : public TracingTarget {
 public:
  NativeTarget(const Subject& subject, const RunLimits& limits, bool check_traces)
      : TracingTarget(subject, check_traces), executor_(subject, limits) {}

 protected:
  RunRecord execute(const RunRequest& request, const Budget& budget) override { return executor_.run(request, budget); }

 private:
  Executor executor_;
};

}  // namespace

std::unique_ptr<Target> make_native_target(const Subject& subject, const RunLimits& limits, bool check_traces) {
  return std::make_unique<NativeTarget>(subject, limits, check_traces);
}

}  // namespace plumb::concolic
