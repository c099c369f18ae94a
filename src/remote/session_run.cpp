// The part of a session that is about one run.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "remote/session.h"
#include "runtime/link/wire.h"

namespace plumb::remote {
namespace {

/// Words beyond those that are kept are counted up to this many times as many: a run that tells more has lost its mind.
constexpr std::uint64_t kMaxOverflow = 4;

/// A bit a region.
void put_modes(Bytes& data, const std::vector<std::uint8_t>& modes) {
  const std::size_t start = data.size();
  data.resize(start + (modes.size() + 7) / 8);
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i] != 0) data[start + i / 8] = static_cast<std::uint8_t>(data[start + i / 8] | 1U << i % 8);
}

}  // namespace

void Session::start(const RunOrder& order, Time now) {
  INVARIANT(is_free(), "a target should have one run at a time");
  INVARIANT(order.modes.size() == options_.regions, "each region should have a mode");
  now_ = now;
  const bool has_modes = order.modes != modes_;
  Bytes data;
  if (has_modes) put_modes(data, order.modes);
  put_bytes(data, order.inputs);
  modes_ = order.modes;
  ++runs_;
  answer_ = {};
  words_ = 0;
  changed_.clear();
  run_time_ = std::chrono::milliseconds(order.milliseconds);
  since_ = now;
  state_ = State::Running;
  const std::size_t before = output_.size();
  send_order(order, data, has_modes ? PLUMB_WIRE_MODES : 0);
  answer_.bytes_sent = output_.size() - before;
}

void Session::send_order(const RunOrder& order, const Bytes& data, std::uint32_t flags) {
  Run run;
  run.number = runs_;
  run.seed = order.seed;
  run.max_inputs = order.max_inputs;
  run.max_nodes = order.max_nodes;
  run.max_object = order.max_object;
  run.milliseconds = order.milliseconds;
  run.memory = order.memory;
  run.file_size = order.file_size;
  run.processes = order.processes;
  run.flags = flags;
  run.data_size = static_cast<std::uint32_t>(data.size());
  ByteView rest = data;
  const auto take = [&](std::size_t head) {
    const ByteView first = rest.first(std::min(rest.size(), longest_payload_ - head));
    rest = rest.subspan(first.size());
    return first;
  };
  run.data = take(encode(run).size());
  send(PLUMB_WIRE_RUN, encode(run));
  const std::size_t head = encode(Data{runs_, {}}).size();
  while (!rest.empty()) send(PLUMB_WIRE_DATA, encode(Data{runs_, take(head)}));
}

void Session::take_of_run(const Frame& frame, Time now) {
  if (take_note(frame)) return;
  switch (frame.kind) {
    case PLUMB_WIRE_EVENTS:
      if (const auto events = parse_events(frame.payload); events && events->run == runs_)
        return take_events_of_run(*events);
      break;
    case PLUMB_WIRE_COVERAGE:
      if (const auto coverage = parse_coverage(frame.payload); coverage && coverage->run == runs_)
        return take_coverage(*coverage);
      break;
    case PLUMB_WIRE_END:
      if (const auto ending = parse_end(frame.payload); ending && ending->run == runs_) return take_end(*ending, now);
      break;
    default:
      break;
  }
  end_broken("a frame came that does not belong to the run");
}

void Session::take_events_of_run(const Events& events) {
  words_ += events.words.size();
  if (words_ > kMaxOverflow * std::max<std::uint64_t>(options_.stream_words, 1))
    return end_broken("a run told more than any can");
  const std::size_t room = options_.stream_words - answer_.words.size();
  const std::size_t kept = std::min(room, events.words.size());
  answer_.is_cut |= kept < events.words.size();
  // Never grown beyond what is kept, where a vector by itself would have room for twice as many.
  if (answer_.words.size() + kept > answer_.words.capacity())
    answer_.words.reserve(std::min<std::size_t>(options_.stream_words, 2 * (answer_.words.size() + kept)));
  answer_.words.insert(answer_.words.end(), events.words.begin(),
                       events.words.begin() + static_cast<std::ptrdiff_t>(kept));
}

void Session::take_coverage(const Coverage& coverage) {
  for (const std::uint32_t distance : coverage.distances) {
    const std::uint64_t edge = (changed_.empty() ? 0 : std::uint64_t{changed_.back()} + 1) + distance;
    if (edge >= options_.edges) return end_broken("an edge was told that the program does not have");
    changed_.push_back(static_cast<std::uint32_t>(edge));
  }
}

void Session::take_end(const End& ending, Time now) {
  if (ending.words != words_ || ending.edges != changed_.size()) return end_broken("the sums of a run do not match");
  for (const std::uint32_t edge : changed_) coverage_[edge] ^= 1U;
  answer_.end = ending;
  answer_.coverage = coverage_;
  state_ = State::Idle;
  since_ = now;
  report(SessionEvent::Kind::Answered).answer = std::move(answer_);
  answer_ = {};
}

}  // namespace plumb::remote
