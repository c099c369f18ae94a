// A filter of system calls hands every call that sends a signal to the process that started the program, and lets it
// wait there (seccomp's user notifications, Linux 5.5). What is within is told by sessions: the first process leads one
// of its own, a session is never entered from outside, and the calls that make new ones come here too. So processes
// whose parent has ended, daemons among them, are known as well, and all members of a group are within if one is.
// Arguments are plain numbers that do not change while a call waits; only a process number that is freed and given
// to somebody else between judgement and call could get through.
#include "base/signal_guard.h"

#include <fmt/core.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/call_filter.h"

namespace plumb {

namespace {

namespace fs = std::filesystem;

enum class Kind : std::uint8_t { Process, ThreadOfProcess, ProcessOrGroup, Descriptor, Session, Owner };

struct Call {
  std::uint32_t number64;
  std::uint32_t number32;
  Kind kind;
};
constexpr pid_t kAll = -1;
constexpr Call kKill = {62, 37, Kind::ProcessOrGroup};
constexpr Call kFcntl = {72, 55, Kind::Owner};
constexpr Call kFcntl64 = {72, 221, Kind::Owner};
constexpr Call kIoctl = {16, 54, Kind::Owner};
/// rt_sigqueueinfo tkill tgkill rt_tgsigqueueinfo pidfd_send_signal setsid
constexpr std::array<Call, 6> kAsked = {{{129, 178, Kind::Process},
                                         {200, 238, Kind::Process},
                                         {234, 270, Kind::ThreadOfProcess},
                                         {297, 335, Kind::ThreadOfProcess},
                                         {424, 424, Kind::Descriptor},
                                         {112, 66, Kind::Session}}};
/// The same by ioctl, and by a structure that the filter cannot see: rare enough to be refused.
constexpr std::uint32_t kSetOwnerOfFile = 0x8901;
constexpr std::uint32_t kSetOwnerOfSocket = 0x8902;
constexpr std::uint32_t kSetOwnerByStructure = 15;
constexpr std::uint32_t kSetOwner = 8;

/// With the number of the call loaded.
constexpr void write_calls(CallFilter& filter, std::uint32_t Call::* number) {
  const auto refuse = [&] { filter.give(CallFilter::kRefuse); };
  const auto ask = [&] { filter.give(CallFilter::kAsk); };
  filter.if_equal(kKill.*number, [&] {
    filter.load_argument(0);
    filter.if_equal(0, [&] { filter.give(CallFilter::kAllow); });  // its own group
    ask();
  });
  for (const Call& call : kAsked) filter.if_equal(call.*number, ask);
  for (const Call& call : {kFcntl, kFcntl64})
    filter.if_equal(call.*number, [&] {
      filter.load_argument(1);
      filter.if_equal(kSetOwner, ask);
      filter.if_equal(kSetOwnerByStructure, refuse);
      filter.give(CallFilter::kAllow);
    });
  filter.if_equal(kIoctl.*number, [&] {
    filter.load_argument(1);
    filter.if_equal(kSetOwnerOfFile, refuse);
    filter.if_equal(kSetOwnerOfSocket, refuse);
    filter.give(CallFilter::kAllow);
  });
  filter.give(CallFilter::kAllow);
}

constexpr CallFilter make_filter() {
  CallFilter filter;
  filter.load_architecture();
  filter.if_equal(AUDIT_ARCH_X86_64, [&] {
    filter.load_number();
    filter.if_at_least(CallFilter::kX32, [&] { filter.give(CallFilter::kRefuse); });
    write_calls(filter, &Call::number64);
  });
  filter.if_equal(AUDIT_ARCH_I386, [&] {
    filter.load_number();
    write_calls(filter, &Call::number32);
  });
  filter.give(CallFilter::kRefuse);
  return filter;
}

Kind kind_of(const seccomp_data& data) {
  const auto number = data.arch == AUDIT_ARCH_I386 ? &Call::number32 : &Call::number64;
  const auto called = static_cast<std::uint32_t>(data.nr);
  if (called == kKill.*number) return kKill.kind;
  for (const Call& call : kAsked)
    if (called == call.*number) return call.kind;
  return kFcntl.kind;
}

/// The number on a line of one of the kernel's files, if there is one. Such a file can end at any time.
std::optional<pid_t> read_number(const std::string& file, std::string_view name) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.starts_with(name)) continue;
    const std::size_t digits = std::min(line.find_first_not_of(" \t", name.size()), line.size());
    pid_t result = 0;
    const auto [end, failure] = std::from_chars(line.data() + digits, line.data() + line.size(), result);
    return failure == std::errc() ? std::optional(result) : std::nullopt;
  }
  return std::nullopt;
}

std::vector<pid_t> all_processes() {
  std::vector<pid_t> result;
  std::error_code error;
  for (auto at = fs::directory_iterator("/proc", error); !error && at != fs::directory_iterator();
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    pid_t process = 0;
    const auto [end, failure] = std::from_chars(name.data(), name.data() + name.size(), process);
    if (failure == std::errc() && end == name.data() + name.size()) result.push_back(process);
  }
  return result;
}

pid_t as_number(std::uint64_t argument) { return static_cast<pid_t>(static_cast<std::uint32_t>(argument)); }

}  // namespace

int SignalGuard::install() noexcept {
  static constexpr CallFilter kFilter = make_filter();
  const sock_fprog program{kFilter.size(), const_cast<sock_filter*>(kFilter.data())};
  const auto try_with = [&](unsigned long flags) {
    return static_cast<int>(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program));
  };
  // SPEC_ALLOW: filters once made the whole process slower, for safety from what it may do to itself.
  constexpr unsigned long kFlags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  // Before Linux 5.19 a call that waits can be interrupted by a signal, which its like without a guard cannot.
  const int descriptor = try_with(kFlags | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV);
  return descriptor < 0 && errno == EINVAL ? try_with(kFlags) : descriptor;
}

SignalGuard::SignalGuard(FileDescriptor calls, pid_t first) : calls_(std::move(calls)), sessions_{first} {
  seccomp_notif_sizes sizes{};
  syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes);
  const auto words = [](std::size_t bytes, std::size_t least) { return std::max(bytes, least) / 8 + 1; };
  request_.resize(words(sizes.seccomp_notif, sizeof(seccomp_notif)));
  response_.resize(words(sizes.seccomp_notif_resp, sizeof(seccomp_notif_resp)));
}

void SignalGuard::answer() {
  for (;;) {
    pollfd waiting{calls_.get(), POLLIN, 0};
    if (!calls_.is_open() || poll(&waiting, 1, 0) <= 0) return;
    if ((waiting.revents & POLLIN) == 0) {
      // Nobody is left who could call.
      calls_.close();
      return;
    }
    std::ranges::fill(request_, 0);
    std::ranges::fill(response_, 0);
    seccomp_notif call{};
    // ENOENT: the caller was killed meanwhile.
    if (ioctl(calls_.get(), SECCOMP_IOCTL_NOTIF_RECV, request_.data()) != 0) continue;
    std::memcpy(&call, request_.data(), sizeof call);
    const Ruling verdict = judge(call);
    seccomp_notif_resp response{};
    response.id = call.id;
    if (verdict.passes) response.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    response.error = -verdict.error;
    std::memcpy(response_.data(), &response, sizeof response);
    ioctl(calls_.get(), SECCOMP_IOCTL_NOTIF_SEND, response_.data());
  }
}

void SignalGuard::forget_other_sessions() {
  if (sessions_.size() > 1) sessions_.resize(1);
}

SignalGuard::Ruling SignalGuard::judge(const seccomp_notif& call) {
  const auto& arguments = call.data.args;
  switch (kind_of(call.data)) {
    case Kind::Process:
      return judge_process(as_number(arguments[0]));
    case Kind::ThreadOfProcess:
      return judge_process(as_number(arguments[1]));
    case Kind::Descriptor:
      return judge_descriptor(call);
    case Kind::Session:
      return note_session(call);
    case Kind::ProcessOrGroup:
      if (as_number(arguments[0]) == kAll) return signal_all(call, as_number(arguments[1]));
      return judge_process_or_group(as_number(arguments[0]));
    case Kind::Owner:
      return judge_process_or_group(as_number(arguments[2]));
  }
  return {false, EPERM};
}

bool SignalGuard::is_within(pid_t session) const { return std::ranges::find(sessions_, session) != sessions_.end(); }

/// The caller is the one that it was when its call came: its number has not gone to somebody else.
bool SignalGuard::is_waiting(const seccomp_notif& call) const {
  std::uint64_t id = call.id;
  return ioctl(calls_.get(), SECCOMP_IOCTL_NOTIF_ID_VALID, &id) == 0;
}

SignalGuard::Ruling SignalGuard::judge_process(pid_t process) const {
  // Means nobody: the kernel knows what to say.
  if (process <= 0) return {true};
  const pid_t session = getsid(process);
  if (session < 0) return {false, ESRCH};
  return is_within(session) ? Ruling{true} : Ruling{false, EPERM};
}

SignalGuard::Ruling SignalGuard::judge_process_or_group(pid_t number) const {
  if (number >= 0 || number == std::numeric_limits<pid_t>::min()) return judge_process(number);
  const pid_t group = -number;
  // While it lives, the process that a group is named after is in the group's session.
  if (getsid(group) >= 0) return judge_process(group);
  for (const pid_t process : all_processes())
    if (getpgid(process) == group) return judge_process(process);
  return {false, ESRCH};
}

SignalGuard::Ruling SignalGuard::judge_descriptor(const seccomp_notif& call) const {
  const std::string file = fmt::format("/proc/{}/fdinfo/{}", call.pid, as_number(call.data.args[0]));
  const std::optional<pid_t> process = read_number(file, "Pid:");
  const bool is_closed = !process && access(file.c_str(), F_OK) != 0 && errno == ENOENT;
  if (!is_waiting(call)) return {false, EPERM};
  if (is_closed) return {true};
  // A directory of /proc can stand for a process, too.
  if (!process || *process == 0) return {false, EPERM};
  return *process < 0 ? Ruling{false, ESRCH} : judge_process(*process);
}

/// As the kernel does it: all but the caller, and success whether or not there are any.
SignalGuard::Ruling SignalGuard::signal_all(const seccomp_notif& call, int signal) const {
  const std::optional<pid_t> caller = read_number(fmt::format("/proc/{}/status", call.pid), "Tgid:");
  if (!is_waiting(call) || !caller) return {false, EPERM};
  if (signal < 0 || signal > SIGRTMAX) return {false, EINVAL};
  for (const pid_t process : all_processes())
    if (process != *caller && is_within(getsid(process))) kill(process, signal);
  return {};
}

/// A session is named after the process that makes it, not after the thread that calls. Where the call fails, there is
/// no session of this name.
SignalGuard::Ruling SignalGuard::note_session(const seccomp_notif& call) {
  const std::optional<pid_t> caller = read_number(fmt::format("/proc/{}/status", call.pid), "Tgid:");
  if (!is_waiting(call) || !caller) return {false, EPERM};
  if (!is_within(*caller)) sessions_.push_back(*caller);
  return {true};
}

}  // namespace plumb
