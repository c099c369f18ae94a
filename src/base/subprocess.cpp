// A dialogue with a child over pipes that never block: every call turns one loop around poll(), which writes what the
// child takes, reads what it prints on either stream, and looks at the budget at least every 20 ms. So a child that
// prints before it has read all of its input cannot deadlock with us. The child leads a process group. It is reaped
// only after the group was killed, because its id, which is the group's too, may belong to somebody else afterwards.
#include "base/subprocess.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/spawn.h"

namespace plumb {

namespace {

constexpr std::chrono::milliseconds kPollInterval{20};
constexpr std::size_t kErrorLimit = std::size_t{64} << 10;

/// write() that gives EPIPE without the signal, whatever the process has set up for it: SIGPIPE goes to the writing
/// thread, so it is enough to block it there and to take it back if it came.
ssize_t write_without_signal(int descriptor, std::string_view text) {
  sigset_t pipe_signal;
  sigset_t before;
  sigset_t pending;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  sigpending(&pending);
  const bool was_pending = sigismember(&pending, SIGPIPE) == 1;
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
  const ssize_t size = ::write(descriptor, text.data(), text.size());
  const int error = errno;
  if (size < 0 && error == EPIPE && !was_pending) {
    const timespec at_once{0, 0};
    while (sigtimedwait(&pipe_signal, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return size;
}

/// The groups of all children that are not reaped yet.
class LiveGroups {
 public:
  void add(pid_t group) {
    const std::lock_guard lock(mutex_);
    groups_.push_back(group);
  }
  void remove(pid_t group) {
    const std::lock_guard lock(mutex_);
    std::erase(groups_, group);
  }
  void kill_all() {
    const std::lock_guard lock(mutex_);
    for (const pid_t group : groups_) ::kill(-group, SIGKILL);
  }

 private:
  std::mutex mutex_;
  std::vector<pid_t> groups_;
};

LiveGroups& live_groups() {
  // Never destroyed, since a subprocess may be owned by another static object.
  static LiveGroups* const instance = new LiveGroups;
  return *instance;
}

bool try_again(ssize_t size) { return size < 0 && (errno == EINTR || errno == EAGAIN); }

}  // namespace

struct Subprocess::State {
  State(Spawned started, const ProcessLimits& given) : child(std::move(started)), limits(given) {
    live_groups().add(child.pid);
  }

  bool budget_ended(const Budget& budget);
  void turn(const Budget& budget, std::string_view* pending);
  void write_some(std::string_view& pending);
  bool read_output();
  bool read_error();
  void notice_exit();
  void kill_group() const noexcept;
  void stop(ProcessResult::End reason);
  void reap();
  std::optional<std::string> take_line(std::size_t length, std::size_t newline);

  Spawned child;
  ProcessLimits limits;
  std::string output;        ///< printed, and not taken by read_line() yet from `taken` on
  std::size_t taken = 0;     ///< prefix of `output` that was taken, cut off when it makes up half
  std::size_t searched = 0;  ///< prefix of `output` that has no newline beyond `taken`
  std::string error;
  bool ended = false;  ///< the child has exited, perhaps not reaped yet
  bool reaped = false;
  int status = 0;
  std::optional<ProcessResult::End> stopped;
};

void Subprocess::State::kill_group() const noexcept {
  if (!reaped) ::kill(-child.pid, SIGKILL);
}

void Subprocess::State::stop(ProcessResult::End reason) {
  if (!stopped && !ended) stopped = reason;
  kill_group();
}

bool Subprocess::State::budget_ended(const Budget& budget) {
  const std::optional<Stop> why = budget.exceeded();
  if (why) stop(*why == Stop::Time ? ProcessResult::End::TimedOut : ProcessResult::End::Cancelled);
  return why.has_value();
}

void Subprocess::State::write_some(std::string_view& pending) {
  const ssize_t size = write_without_signal(child.input.get(), pending);
  if (size >= 0) {
    pending.remove_prefix(static_cast<std::size_t>(size));
  } else if (!try_again(size)) {
    child.input.close();
  }
}

/// False if there is nothing to read now.
bool Subprocess::State::read_output() {
  std::array<char, 1 << 16> buffer;
  const ssize_t size = ::read(child.output.get(), buffer.data(), buffer.size());
  if (try_again(size)) return false;
  if (size <= 0) {
    child.output.close();
    return false;
  }
  const std::uint64_t room = limits.output - std::min<std::uint64_t>(limits.output, output.size() - taken);
  output.append(buffer.data(), std::min(static_cast<std::size_t>(size), static_cast<std::size_t>(room)));
  if (static_cast<std::uint64_t>(size) > room) {
    // Even a child that has exited meanwhile must not pass for one whose whole output we have.
    stopped = stopped.value_or(ProcessResult::End::OutputLimit);
    kill_group();
    child.output.close();
  }
  return child.output.is_open();
}

bool Subprocess::State::read_error() {
  std::array<char, 1 << 14> buffer;
  const ssize_t size = ::read(child.error.get(), buffer.data(), buffer.size());
  if (try_again(size)) return false;
  if (size <= 0) {
    child.error.close();
    return false;
  }
  error.append(buffer.data(), std::min(static_cast<std::size_t>(size), kErrorLimit - error.size()));
  return true;
}

/// Once the child has exited, its descendants go too, and what is in the pipes is all that counts: a descendant that
/// left the group could keep them open for ever.
void Subprocess::State::notice_exit() {
  if (ended) return;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
  ended = true;
  kill_group();
  child.input.close();
  while (child.output.is_open() && read_output()) {
  }
  while (child.error.is_open() && read_error()) {
  }
  child.output.close();
  child.error.close();
}

/// One round: waits until something can be done or it is time to look at the budget again, and does it.
void Subprocess::State::turn(const Budget& budget, std::string_view* pending) {
  std::array<pollfd, 5> waiting{{{child.output.get(), POLLIN, 0},
                                 {child.error.get(), POLLIN, 0},
                                 {pending != nullptr ? child.input.get() : -1, POLLOUT, 0},
                                 {child.exit.get(), POLLIN, 0},
                                 {child.guard.descriptor(), POLLIN, 0}}};
  std::chrono::duration<double, std::milli> patience = kPollInterval;
  if (const auto left = budget.time_left()) patience = std::min<decltype(patience)>(patience, *left);
  // Rounded up, lest the last millisecond before a deadline be spent in a busy loop.
  poll(waiting.data(), waiting.size(), static_cast<int>(patience.count()) + 1);
  if (waiting[0].revents != 0 && child.output.is_open()) read_output();
  if (waiting[1].revents != 0 && child.error.is_open()) read_error();
  if (waiting[2].revents != 0 && child.input.is_open()) write_some(*pending);
  if (waiting[4].revents != 0) child.guard.answer();
  notice_exit();
}

void Subprocess::State::reap() {
  if (reaped) return;
  kill_group();
  live_groups().remove(child.pid);
  while (waitpid(child.pid, &status, 0) < 0 && errno == EINTR) {
  }
  ended = true;
  reaped = true;
}

std::optional<std::string> Subprocess::State::take_line(std::size_t length, std::size_t newline) {
  std::string line = output.substr(taken, length);
  taken += length + newline;
  searched = taken;
  if (taken > output.size() / 2) {
    output.erase(0, taken);
    taken = searched = 0;
  }
  return line;
}

Subprocess::Subprocess(const std::vector<std::string>& arguments, const ProcessLimits& limits,
                       const std::filesystem::path& working_directory)
    : state_(std::make_unique<State>(spawn(arguments, limits, working_directory), limits)) {}

Subprocess::~Subprocess() { state_->reap(); }

bool Subprocess::write(std::string_view text, const Budget& budget) {
  while (!text.empty()) {
    if (!state_->child.input.is_open() || state_->budget_ended(budget)) return false;
    state_->turn(budget, &text);
  }
  return state_->child.input.is_open();
}

void Subprocess::close_input() { state_->child.input.close(); }

std::optional<std::string> Subprocess::read_line(const Budget& budget) {
  State& s = *state_;
  for (;;) {
    const std::size_t newline = s.output.find('\n', s.searched);
    if (newline != std::string::npos) return s.take_line(newline - s.taken, 1);
    s.searched = s.output.size();
    if (!s.child.output.is_open()) {
      // The rest of a line that was cut off by our own kill is not a line.
      if (s.output.size() == s.taken || s.stopped) return std::nullopt;
      return s.take_line(s.output.size() - s.taken, 0);
    }
    if (s.budget_ended(budget)) return std::nullopt;
    s.turn(budget, nullptr);
  }
}

ProcessResult Subprocess::finish(const Budget& budget) {
  State& s = *state_;
  s.child.input.close();
  // A killed child needs no budget: it is about to end.
  while (!s.ended && !s.stopped && !s.budget_ended(budget)) s.turn(budget, nullptr);
  s.reap();

  ProcessResult result;
  result.end = s.stopped.value_or(WIFSIGNALED(s.status) ? ProcessResult::End::Signalled : ProcessResult::End::Exited);
  result.code = WIFSIGNALED(s.status) ? WTERMSIG(s.status) : WEXITSTATUS(s.status);
  result.output = std::move(s.output);
  result.output.erase(0, s.taken);
  result.error = std::move(s.error);
  s.child.output.close();
  s.child.error.close();
  s.output.clear();
  s.error.clear();
  s.taken = s.searched = 0;
  return result;
}

void Subprocess::kill() noexcept { state_->kill_group(); }

ProcessResult run_process(const std::vector<std::string>& arguments, std::string_view input, const Budget& budget,
                          const ProcessLimits& limits, const std::filesystem::path& working_directory) {
  Subprocess process(arguments, limits, working_directory);
  // A child that stops reading its input may still give its answer.
  process.write(input, budget);
  return process.finish(budget);
}

void kill_all_subprocesses() noexcept {
  try {
    live_groups().kill_all();
  } catch (...) {
    // Only locking can fail, and then the process is beyond help.
  }
}

}  // namespace plumb
