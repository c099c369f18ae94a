#include "concolic/execute/executor.h"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.h"
#include "concolic/execute/fork_server.h"
#include "concolic/execute/run_end.h"
#include "concolic/execute/shared_segment.h"
#include "replay/scratch_directory.h"

namespace plumb::concolic {

using replay::ScratchDirectory;

namespace {

constexpr std::uint64_t kInputBytes = std::uint64_t{1} << 20;

ProcessEnd process_end(const ForkServer::Ending& ending) {
  switch (ending.kind) {
    case ForkServer::Ending::Kind::TimedOut:
      return {ProcessEnd::Kind::TimedOut};
    case ForkServer::Ending::Kind::Lost:
      return {ProcessEnd::Kind::Lost};
    case ForkServer::Ending::Kind::Ended:
      break;
  }
  if (WIFSIGNALED(ending.status)) return {ProcessEnd::Kind::Signalled, WTERMSIG(ending.status)};
  return {ProcessEnd::Kind::Exited, WEXITSTATUS(ending.status)};
}

}  // namespace

struct Executor::State {
  State(const Subject& s, const RunLimits& l) : subject(s), limits(l) { share(kInputBytes); }

  void share(std::uint64_t input_bytes) {
    server.reset();
    segment.emplace(subject.edge_count, static_cast<std::uint32_t>(subject.regions.size()), limits.stream_words,
                    input_bytes);
  }

  void start() { server.emplace(subject.executable, segment->descriptor(), scratch.path(), limits); }

  /// A server that is lost before it has answered once, twice in a row, cannot be started.
  ForkServer::Ending run_server(const Budget& budget) {
    for (int attempt = 0;; ++attempt) {
      if (!server) start();
      const ForkServer::Ending ending = server->run(budget);
      if (ending.kind != ForkServer::Ending::Kind::Lost) return ending;
      const bool had_started = server->has_started();
      const std::string how = had_started ? std::string() : server->describe_end();
      server.reset();
      if (had_started) return ending;
      if (attempt > 0) {
        throw UserError(fmt::format("cannot run '{}': it {} before its first run", subject.executable.string(), how),
                        "is it a program that plumb has instrumented, and are its shared libraries there?");
      }
    }
  }

  const Subject& subject;
  RunLimits limits;
  std::uint32_t runs = 0;
  ScratchDirectory scratch;
  std::optional<SharedSegment> segment;
  std::optional<ForkServer> server;
};

Executor::Executor(const Subject& subject, const RunLimits& limits)
    : state_(std::make_unique<State>(subject, limits)) {}
Executor::~Executor() = default;

const RunLimits& Executor::limits() const noexcept { return state_->limits; }

RunRecord Executor::run(const RunRequest& request, const Budget& budget) {
  State& state = *state_;
  const auto start = Budget::Clock::now();
  const std::uint64_t needed = SharedSegment::input_size(request.inputs);
  if (needed > state.segment->input_capacity()) state.share(std::bit_ceil(needed));
  state.segment->prepare(request, state.limits, ++state.runs);
  const ForkServer::Ending ending = state.run_server(budget);
  const SharedSegment::Outcome outcome = state.segment->collect();
  if (!state.scratch.reset()) state.server.reset();

  RunRecord record;
  record.stream = state.segment->stream();
  record.coverage = state.segment->coverage();
  record.fault_address = outcome.fault_address;
  set_end(record, state.subject, outcome.is_sane ? process_end(ending) : ProcessEnd{ProcessEnd::Kind::Lost});
  record.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
  return record;
}

}  // namespace plumb::concolic
