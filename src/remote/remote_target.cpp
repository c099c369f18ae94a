#include "remote/remote_target.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "base/error.h"
#include "concolic/execute/run_end.h"
#include "concolic/search/tracing_target.h"
#include "concolic/trace/stream_reader.h"
#include "runtime/concolic/protocol.h"
#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

using concolic::ProcessEnd;
using concolic::RunLimits;
using concolic::RunRecord;
using concolic::RunRequest;
using replay::RunEnd;

template <typename Number>
std::uint32_t clamped(Number value) {
  const auto most = static_cast<Number>(std::numeric_limits<std::uint32_t>::max());
  return static_cast<std::uint32_t>(std::clamp<Number>(value, 0, most));
}

/// As a run's data has them.
Bytes encode_inputs(std::span<const result::TestInput> inputs) {
  Bytes bytes;
  for (const result::TestInput& input : inputs) {
    put_varint(bytes, input.bytes.size());
    put_bytes(bytes, input.bytes);
  }
  return bytes;
}

RunOrder order_of(const RunRequest& request, const RunLimits& limits, std::size_t regions) {
  RunOrder order;
  order.seed = request.random_seed;
  order.max_inputs = limits.max_inputs;
  order.max_nodes = request.max_nodes != 0 ? request.max_nodes : limits.max_nodes;
  order.max_object = limits.max_object;
  order.milliseconds = clamped(1000 * limits.time.count());
  order.memory = clamped(limits.memory >> 20);
  order.file_size = clamped(limits.file_size >> 10);
  order.processes = limits.processes;
  order.modes.assign(request.modes.begin(), request.modes.end());
  order.modes.resize(regions);
  for (std::uint8_t& mode : order.modes) mode = mode != 0 ? 1 : 0;
  order.inputs = encode_inputs(request.inputs);
  return order;
}

ProcessEnd process_end(const End& end) {
  switch (end.how) {
    case PLUMB_WIRE_EXITED:
      return {ProcessEnd::Kind::Exited, static_cast<int>(end.code)};
    case PLUMB_WIRE_SIGNALLED:
      return {ProcessEnd::Kind::Signalled, static_cast<int>(end.code)};
    case PLUMB_WIRE_TIMED_OUT:
      return {ProcessEnd::Kind::TimedOut};
    default:
      return {ProcessEnd::Kind::Lost};
  }
}

std::uint64_t count_records(const instrument::Subject& subject, std::span<const std::uint32_t> stream) {
  concolic::StreamReader reader(subject, stream);
  std::uint64_t count = 0;
  for (; const auto head = reader.next(); ++count) reader.skip(*head);
  return count;
}

class RemoteTarget : public concolic::TracingTarget {
 public:
  RemoteTarget(const instrument::Subject& subject, const RunLimits& limits, OrderQueue& orders,
               std::atomic<std::uint64_t>& events, RunMemory* memory, bool check_traces)
      : TracingTarget(subject, check_traces), limits_(limits), orders_(orders), events_(events), memory_(memory) {}

  concolic::TargetRun run(const RunRequest& request, const Budget& budget) override {
    concolic::TargetRun run = TracingTarget::run(request, budget);
    // What a target left out, it may have had no room to say.
    if (answer_->end.left_out != 0) {
      std::uint64_t& lost = run.trace.lost[{PLUMB_PIN_FULL, 0}];
      lost = std::max<std::uint64_t>(lost, answer_->end.left_out);
    }
    if (is_new_ && memory_ != nullptr && run.trace.is_complete) {
      RunRequest whole = request;
      whole.inputs = run.trace.inputs;
      memory_->keep(order_of(whole, limits_, subject().regions.size()), answer_);
    }
    return run;
  }

 protected:
  RunRecord execute(const RunRequest& request, const Budget& budget) override {
    const auto start = Budget::Clock::now();
    RunOrder order = order_of(request, limits_, subject().regions.size());
    is_new_ = false;
    answer_ = memory_ != nullptr ? memory_->find(order) : nullptr;
    RunRecord record;
    if (answer_ == nullptr) record.end = ask(std::move(order), budget);
    record.stream = answer_->words;
    record.fault_address = answer_->end.fault_address;
    record.coverage = answer_->coverage;
    if (record.end == RunEnd::Exit) set_end(record, subject(), process_end(answer_->end));
    if (answer_->is_cut) record.end = RunEnd::StreamLimit;
    record.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
    return record;
  }

 private:
  /// Has the run made. RunEnd::Exit if there is an answer, which tells the end; else how a run counts that nobody made.
  RunEnd ask(RunOrder order, const Budget& budget) {
    OrderQueue::Outcome outcome = orders_.run(std::move(order), budget);
    if (outcome.answer) {
      answer_ = std::make_shared<const RunAnswer>(std::move(*outcome.answer));
      events_ += count_records(subject(), answer_->words);
      is_new_ = answer_->end.how <= PLUMB_WIRE_SIGNALLED && !answer_->is_cut;
      return RunEnd::Exit;
    }
    // A run that nobody made says nothing about the program.
    if (!outcome.given_up) budget.check();
    INVARIANT(outcome.given_up.has_value(), "a run should be answered, given up or out of budget");
    RunAnswer none;
    none.coverage.resize(subject().edge_count);
    answer_ = std::make_shared<const RunAnswer>(std::move(none));
    return end_of_loss(*outcome.given_up);
  }

  RunEnd end_of_loss(Loss loss) const {
    if (loss == Loss::Stalled) return RunEnd::Timeout;
    if (loss == Loss::CannotStart && !orders_.has_answered())
      throw UserError("no target can start the program",
                      "is the program on the board the one that plumb cc made, and are its shared libraries there?");
    return RunEnd::Corrupted;
  }

  RunLimits limits_;
  OrderQueue& orders_;
  std::atomic<std::uint64_t>& events_;
  RunMemory* memory_;
  std::shared_ptr<const RunAnswer> answer_;
  bool is_new_ = false;  ///< it was made now, and ended by itself
};

}  // namespace

std::unique_ptr<concolic::Target> make_remote_target(const instrument::Subject& subject, const RunLimits& limits,
                                                     OrderQueue& orders, std::atomic<std::uint64_t>& events,
                                                     RunMemory* memory, bool check_traces) {
  return std::make_unique<RemoteTarget>(subject, limits, orders, events, memory, check_traces);
}

}  // namespace plumb::remote
