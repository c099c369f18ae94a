// The engine's side of the fork server, after AFL's. The server is a child subreaper: what a run leaves behind becomes
// the server's child when its own parent is gone, wherever it moved to (another group, another session), so that the
// kernel's list of the server's children names every straggler. A run's child leads a group of its own, which is killed
// first; after that the list is read and killed until nothing new appears.
#include "concolic/execute/fork_server.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <vector>

#include "base/error.h"
#include "concolic/execute/launch.h"
#include "runtime/concolic/protocol.h"

namespace plumb::concolic {

namespace {

using Clock = Budget::Clock;
using std::chrono::milliseconds;

/// How long the server may take to start, and to tell of a child that was killed.
constexpr milliseconds kStartTime{10'000};
constexpr milliseconds kAnswerTime{2'000};
/// How often a cancelled budget is noticed.
constexpr milliseconds kSlice{50};

void set_limit(pid_t pid, __rlimit_resource resource, std::uint64_t amount) noexcept {
  rlimit current{};
  if (prlimit(pid, resource, nullptr, &current) != 0) return;
  // At the hard limit of time the kernel kills; the signal that tells why comes at the soft one.
  const rlimit wanted{std::min<rlim_t>(amount, current.rlim_max), std::min<rlim_t>(amount + 1, current.rlim_max)};
  prlimit(pid, resource, &wanted, nullptr);
}

/// Bytes of address space; 0 if the process has gone.
std::uint64_t address_space(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/statm", pid));
  std::uint64_t pages = 0;
  file >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// The numbers in the kernel's list of children.
std::vector<pid_t> read_children(int file) {
  std::vector<pid_t> result;
  std::array<char, 4096> buffer;
  const ssize_t size = pread(file, buffer.data(), buffer.size(), 0);
  const char* at = buffer.data();
  const char* const end = at + std::max<ssize_t>(size, 0);
  while (at < end) {
    pid_t pid = 0;
    const auto [next, error] = std::from_chars(at, end, pid);
    // What the buffer cuts off may be half a number; the next round sees it whole.
    if (error != std::errc() || next == end) break;
    result.push_back(pid);
    at = next + 1;
  }
  return result;
}

/// Ended, whether its parent has waited for it or not: its own children have another parent by now.
bool has_ended(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text;
  if (!std::getline(file, text)) return true;
  // The state follows the name, which stands in parentheses and may hold any.
  const std::size_t close = text.rfind(')');
  return close + 2 >= text.size() || text[close + 2] == 'Z' || text[close + 2] == 'X';
}

}  // namespace

ForkServer::ForkServer(const std::filesystem::path& executable, int segment,
                       const std::filesystem::path& working_directory, const RunLimits& limits)
    : limits_(limits) {
  Launched launched = launch_target(executable, segment, working_directory, limits.file_size, limits.sandbox);
  pid_ = launched.pid;
  commands_ = std::move(launched.commands);
  answers_ = std::move(launched.answers);
  guard_ = std::move(launched.guard);
  const std::string list = fmt::format("/proc/{0}/task/{0}/children", pid_);
  children_ = FileDescriptor(open(list.c_str(), O_RDONLY | O_CLOEXEC));
}

ForkServer::~ForkServer() {
  if (is_reaped_) return;
  // Stopped first, so that it starts nothing while its children are killed; they are lost sight of once it is gone.
  kill(pid_, SIGSTOP);
  kill_stragglers();
  kill(-pid_, SIGKILL);
  kill(pid_, SIGKILL);
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
}

ForkServer::Read ForkServer::read_word(std::uint32_t& word, Clock::time_point deadline, const Budget& budget) {
  std::array<char, sizeof word> bytes;
  std::size_t have = 0;
  for (;;) {
    const ssize_t size = recv(answers_.get(), bytes.data() + have, bytes.size() - have, MSG_DONTWAIT);
    if (size == 0) return Read::Closed;
    if (size < 0 && errno != EINTR && errno != EAGAIN) return Read::Closed;
    if (size > 0) {
      have += static_cast<std::size_t>(size);
      if (have < bytes.size()) continue;
      std::memcpy(&word, bytes.data(), sizeof word);
      return Read::Word;
    }
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    if (left <= milliseconds::zero() || budget.exceeded()) return Read::Late;
    std::array<pollfd, 2> waiting{{{answers_.get(), POLLIN, 0}, {guard_.descriptor(), POLLIN, 0}}};
    poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, kSlice).count()));
    if (waiting[1].revents != 0) guard_.answer();
  }
}

void ForkServer::limit(pid_t child) {
  // The address space of the idle server is known only now that it has started; from here on children inherit the
  // limit, the first one gets it here.
  if (!is_limited_) {
    if (const std::uint64_t idle = address_space(pid_); idle != 0) {
      set_limit(pid_, RLIMIT_AS, idle + limits_.memory);
      set_limit(child, RLIMIT_AS, idle + limits_.memory);
      is_limited_ = true;
    }
  }
  set_limit(child, RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limits_.time.count())) + 1);
}

ForkServer::Ending ForkServer::run(const Budget& budget) {
  const Budget unlimited;
  const std::uint32_t command = PLUMB_RUN;
  if (send(commands_.get(), &command, sizeof command, MSG_NOSIGNAL) != sizeof command) return {Ending::Kind::Lost, 0};
  std::uint32_t word = 0;
  // A server that was started just now links the program first, which is no part of the run.
  if (read_word(word, Clock::now() + kStartTime, unlimited) != Read::Word) return {Ending::Kind::Lost, 0};
  const auto child = static_cast<pid_t>(word);
  if (child <= 1) return {Ending::Kind::Lost, 0};
  has_started_ = true;
  limit(child);

  Ending ending;
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limits_.time);
  Read read = read_word(word, deadline, budget);
  if (read == Read::Late) {
    ending.kind = Ending::Kind::TimedOut;
    kill(child, SIGKILL);
    read = read_word(word, Clock::now() + kAnswerTime, unlimited);
  }
  if (read != Read::Word) return {Ending::Kind::Lost, 0};
  ending.status = static_cast<int>(word);
  // Its group may live on without it.
  kill(-child, SIGKILL);
  if (!kill_stragglers()) ending.kind = Ending::Kind::Lost;
  guard_.forget_other_sessions();
  return ending;
}

bool ForkServer::kill_stragglers() {
  if (!children_.is_open()) return true;
  constexpr int kRounds = 1000;
  std::vector<pid_t> known;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<pid_t> found = read_children(children_.get());
    if (found.empty()) return true;
    for (const pid_t pid : found) kill(pid, SIGKILL);
    // The dead stay in the list until the server has waited for them, which it does before its next run.
    if (found == known && std::ranges::all_of(found, has_ended)) return true;
    if (found == known) poll(nullptr, 0, 1);
    known = std::move(found);
  }
  return false;
}

std::string ForkServer::describe_end() {
  const auto deadline = Clock::now() + milliseconds(500);
  while (!is_reaped_ && Clock::now() < deadline) {
    const pid_t got = waitpid(pid_, &wait_status_, WNOHANG);
    if (got == pid_) is_reaped_ = true;
    if (!is_reaped_) poll(nullptr, 0, 5);
  }
  if (!is_reaped_) return "does not answer";
  if (WIFSIGNALED(wait_status_)) return fmt::format("was killed by signal {}", WTERMSIG(wait_status_));
  return fmt::format("exited with code {}", WEXITSTATUS(wait_status_));
}

}  // namespace plumb::concolic
