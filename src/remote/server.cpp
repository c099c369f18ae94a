#include "remote/server.h"

#include <atomic>
#include <utility>

#include "instrument/fingerprint.h"
#include "remote/link_loop.h"
#include "remote/remote_target.h"

namespace plumb::remote {

namespace {

constexpr std::size_t kRememberedBytes = std::size_t{64} << 20;

SessionOptions session_options(const instrument::Subject& subject, const ServerOptions& options,
                               const concolic::RunLimits& limits) {
  SessionOptions session;
  session.token = options.token;
  session.fingerprint = digest_of(instrument::fingerprint(subject));
  session.edges = subject.edge_count;
  session.regions = static_cast<std::uint32_t>(subject.regions.size());
  session.is_big_endian = subject.program.layout.is_big_endian;
  session.stream_words = limits.stream_words;
  session.times = options.times;
  return session;
}

}  // namespace

struct Server::State {
  State(const instrument::Subject& s, const ServerOptions& options, const concolic::RunLimits& l)
      : subject(s), limits(l), loop(options, session_options(s, options, l)) {}

  const instrument::Subject& subject;
  concolic::RunLimits limits;
  std::atomic<std::uint64_t> events{0};
  RunMemory memory{kRememberedBytes};
  LinkLoop loop;
};

Server::Server(const instrument::Subject& subject, const ServerOptions& options, const concolic::RunLimits& limits)
    : state_(std::make_unique<State>(subject, options, limits)) {}
Server::~Server() = default;

std::vector<std::string> Server::addresses() const { return state_->loop.addresses(); }

LinkStatistics Server::statistics() const {
  LinkStatistics statistics = state_->loop.statistics();
  statistics.events = state_->events;
  return statistics;
}

std::vector<BoardStatus> Server::boards() const { return state_->loop.boards(); }

void Server::set_listener(std::function<void(bool is_warning, const std::string& line)> listener) {
  state_->loop.set_listener(std::move(listener));
}

std::unique_ptr<concolic::Target> Server::make_target(bool check_traces) {
  State& state = *state_;
  return make_remote_target(state.subject, state.limits, state.loop.orders(), state.events, &state.memory,
                            check_traces);
}

std::unique_ptr<concolic::Target> Server::make_repeating_target(bool check_traces) {
  State& state = *state_;
  return make_remote_target(state.subject, state.limits, state.loop.orders(), state.events, nullptr, check_traces);
}

}  // namespace plumb::remote
