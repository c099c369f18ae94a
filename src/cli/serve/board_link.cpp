#include "cli/serve/board_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/file.h"
#include "base/log.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{100};
/// A target that was lost comes back within seconds, or not at all.
constexpr std::chrono::seconds kPatience{5};

/// As a target elsewhere would write it.
std::string reachable(const std::string& address) {
  for (const std::string_view any : {"0.0.0.0:", "[::]:"})
    if (address.starts_with(any)) return "THIS-MACHINE:" + address.substr(any.size());
  return address;
}

}  // namespace

BoardLink::BoardLink(const instrument::BoardProgram& program, const ServeOptions& options, const Context& context)
    : options_(options),
      context_(context),
      budget_(context.budget.with_own_cancellation()),
      server_(program.subject, server_options(options), options.search.engine.limits) {
  // Before the server's threads may ask for it.
  progress_.emplace("serving " + options_.program.front(), context_.common.quiet);
  server_.set_listener([this](bool is_warning, const std::string& line) { note(is_warning, line); });
  if (!options_.address_file.empty())
    write_file(options_.address_file, fmt::format("{}\n", fmt::join(server_.addresses(), "\n")));
  if (!context_.common.quiet) progress_->around([&] { announce(program); });
  watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

void BoardLink::announce(const instrument::BoardProgram& program) const {
  const std::string token = options_.token_file.empty() ? "" : " --token-file FILE";
  std::string text;
  for (const std::string& address : server_.addresses()) {
    text += fmt::format("plumb: listening on {}\n", address);
    if (!instrument::is_bare_metal(program.machine))
      text += fmt::format("plumb: on the board: plumb-target --server {}{} {}\n", reachable(address), token,
                          quoted_word(options_.program.front()));
  }
  for (const std::string& device : options_.serial) text += fmt::format("plumb: listening on {}\n", device);
  static_cast<void>(std::fputs(text.c_str(), stderr));
  static_cast<void>(std::fflush(stderr));
}

void BoardLink::note(bool is_warning, const std::string& line) {
  const auto write = [&] { log().log(is_warning ? spdlog::level::warn : spdlog::level::info, "{}", line); };
  const std::lock_guard lock(mutex_);
  if (progress_) {
    progress_->around(write);
  } else {
    write();
  }
}

void BoardLink::wait_for_targets() {
  const std::size_t wanted = options_.wait_for_targets;
  if (wanted > 1) set_status(fmt::format("to begin with {}", wanted));
  while (server_.boards().size() < wanted && !budget_.exceeded()) std::this_thread::sleep_for(kLook);
  set_status("");
}

void BoardLink::set_status(std::string status) {
  const std::lock_guard lock(mutex_);
  status_ = std::move(status);
}

void BoardLink::finish() {
  const std::lock_guard lock(mutex_);
  progress_.reset();
}

Budget BoardLink::with_patience(const Budget& budget) {
  const std::lock_guard lock(mutex_);
  patience_ = {budget.with_own_cancellation(), Clock::now()};
  return patience_->budget;
}

LinkReport BoardLink::report() const {
  LinkReport report{server_.statistics(), server_.boards(), {}};
  const std::lock_guard lock(mutex_);
  report.lost = lost_;
  return report;
}

std::string BoardLink::status_text(std::size_t boards, const remote::LinkStatistics& link) const {
  std::string text = boards == 0 ? "waiting for a target" : boards == 1 ? "1 board" : fmt::format("{} boards", boards);
  if (!status_.empty()) text += ", " + status_;
  if (link.runs > 0) text += fmt::format(", {:.0f} bytes a run", bytes_per_run(link));
  return text;
}

void BoardLink::watch(const std::stop_token& stop) {
  Clock::time_point last_seen = Clock::now();
  while (!stop.stop_requested()) {
    // Not with our lock: the server may be waiting for it in note().
    const std::size_t boards = server_.boards().size();
    const remote::LinkStatistics link = server_.statistics();
    if (boards > 0) last_seen = Clock::now();
    std::unique_lock lock(mutex_);
    if (options_.lost_after.count() > 0 && lost_.empty() && Clock::now() - last_seen > options_.lost_after) {
      lost_ = fmt::format("no target was connected for {:g} s", options_.lost_after.count());
      budget_.cancel();
    }
    if (patience_ && Clock::now() - std::max(last_seen, patience_->since) > kPatience) patience_->budget.cancel();
    if (progress_) progress_->set_status(status_text(boards, link));
    wake_.wait_for(lock, stop, kLook, [] { return false; });
  }
}

}  // namespace plumb::cli
