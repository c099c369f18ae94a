#include "concolic/execute/executor.h"

#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "base/error.h"
#include "concolic/execute/fork_server.h"
#include "concolic/execute/scratch_directory.h"
#include "concolic/execute/shared_segment.h"
#include "concolic/trace/stream_reader.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {

namespace {

constexpr std::uint64_t kInputBytes = std::uint64_t{1} << 20;

/// The end that the runtime itself wrote down, if it did.
struct WrittenEnd {
  std::optional<RunEnd> end;
  int code = 0;
  SiteId site = 0;
};

RunEnd of_end_code(std::uint32_t code) {
  switch (code) {
    case PLUMB_END_ASSUME:
      return RunEnd::AssumeFailed;
    case PLUMB_END_INPUTS:
      return RunEnd::InputLimit;
    case PLUMB_END_DEPTH:
      return RunEnd::DepthLimit;
    case PLUMB_END_STREAM:
      return RunEnd::StreamLimit;
    case PLUMB_END_MISSING:
      return RunEnd::MissingCode;
    default:
      return RunEnd::Corrupted;
  }
}

RunEnd of_error_code(std::uint32_t code) {
  if (code == PLUMB_ERROR_SIGNAL) return RunEnd::Signal;
  return code == PLUMB_ERROR_DEFECT ? RunEnd::Defect : RunEnd::Error;
}

/// Does a record that ends a run stand among the last words? They may also be the middle of another record: a yes is
/// only worth a closer look.
bool may_have_end(std::span<const std::uint32_t> stream) {
  const auto is_kind = [&](std::size_t from_end, std::uint32_t kind) {
    return stream.size() >= from_end && (stream[stream.size() - from_end] & 0xffU) == kind;
  };
  return is_kind(1, PLUMB_END) || is_kind(2, PLUMB_ERROR) || is_kind(3, PLUMB_ERROR);
}

WrittenEnd written_end(const Subject& subject, std::span<const std::uint32_t> stream) {
  WrittenEnd result;
  if (!may_have_end(stream)) return result;
  StreamReader reader(subject, stream);
  std::uint32_t defect = 0;
  while (const std::optional<RecordHead> head = reader.next()) {
    if (head->kind == PLUMB_ERROR) {
      result.site = reader.word();
      if (result.site >= subject.sites.size()) result.site = 0;
      result.end = of_error_code(head->code);
      result.code = static_cast<int>(*result.end == RunEnd::Defect ? defect : head->code);
      break;
    }
    if (head->kind == PLUMB_DEFECT) defect = head->code;
    if (head->kind == PLUMB_END) {
      result.end = of_end_code(head->code);
      break;
    }
    reader.skip(*head);
  }
  if (reader.has_failed()) result.end = RunEnd::Corrupted;
  return result;
}

void set_end(RunRecord& record, int status, const WrittenEnd& written) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  record.error_site = written.site;
  if (signal == SIGXFSZ) {
    record.end = RunEnd::FileLimit;
  } else if (signal == SIGXCPU) {
    record.end = RunEnd::Timeout;
  } else if (written.end && *written.end != RunEnd::Signal) {
    record.end = *written.end;
    record.code = written.code;
  } else if (signal == SIGKILL) {
    record.end = RunEnd::MemoryLimit;
  } else if (signal != 0) {
    record.end = RunEnd::Signal;
    record.code = signal;
  } else {
    record.end = RunEnd::Exit;
    record.code = WEXITSTATUS(status);
  }
}

}  // namespace

std::string_view name(RunEnd end) {
  switch (end) {
    case RunEnd::Exit:
      return "exit";
    case RunEnd::AssumeFailed:
      return "assume-failed";
    case RunEnd::InputLimit:
      return "input-limit";
    case RunEnd::DepthLimit:
      return "depth-limit";
    case RunEnd::StreamLimit:
      return "stream-limit";
    case RunEnd::MissingCode:
      return "missing-code";
    case RunEnd::Error:
      return "error";
    case RunEnd::Signal:
      return "signal";
    case RunEnd::Defect:
      return "defect";
    case RunEnd::Timeout:
      return "timeout";
    case RunEnd::MemoryLimit:
      return "memory-limit";
    case RunEnd::FileLimit:
      return "file-limit";
    case RunEnd::Corrupted:
      return "corrupted";
  }
  return "?";
}

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
  if (ending.kind == ForkServer::Ending::Kind::TimedOut) {
    record.end = RunEnd::Timeout;
  } else if (ending.kind == ForkServer::Ending::Kind::Lost || !outcome.is_sane) {
    record.end = RunEnd::Corrupted;
  } else {
    set_end(record, ending.status, written_end(state.subject, record.stream));
  }
  record.seconds = std::chrono::duration<double>(Budget::Clock::now() - start).count();
  return record;
}

}  // namespace plumb::concolic
