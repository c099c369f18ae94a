// One body over the ways that kernels have to confine signals, and none: what a program may do within must be as it is
// without a sandbox. SIGURG is sent, which does nothing to a process that does not ask for it: a sandbox with a hole
// should not take the machine with it.
#include "base/signal_guard.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <thread>

#include "base/sandbox.h"

namespace plumb {
namespace {

using Body = std::function<int()>;

constexpr int kNotEntered = 99;

int errno_of(long result) { return result < 0 ? errno : 0; }

/// Of a process that is started and ends as `body` wants: its exit code, or 128 and its signal.
int run(const std::optional<SandboxPowers>& powers, const Body& body) {
  std::optional<Sandbox> sandbox;
  if (powers) sandbox.emplace(std::vector<std::filesystem::path>(), *powers);
  const pid_t pid = fork();
  if (pid == 0) {
    setsid();
    if (sandbox && (unshare(sandbox->clone_flags()) != 0 || sandbox->enter() != nullptr)) _exit(kNotEntered);
    _exit(body());
  }
  SignalGuard guard;
  int status = 0;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (sandbox && guard.descriptor() < 0) guard = sandbox->guard(pid);
    pollfd waiting{guard.descriptor(), POLLIN, 0};
    poll(&waiting, 1, 1);
    guard.answer();
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A process that does nothing, has blocked all signals and leads a group, or a session.
pid_t start_target(bool has_session = false) {
  int ready[2];
  if (pipe(ready) != 0) return -1;
  const pid_t pid = fork();
  if (pid == 0) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, nullptr);
    if (has_session ? setsid() < 0 : setpgid(0, 0) != 0) _exit(1);
    if (write(ready[1], "x", 1) != 1) _exit(1);
    // Not for ever, lest a failing test leave it behind.
    poll(nullptr, 0, 60'000);
    _exit(0);
  }
  char byte = 0;
  const bool is_ready = read(ready[0], &byte, 1) == 1;
  close(ready[0]);
  close(ready[1]);
  return is_ready ? pid : -1;
}

/// The same, without a parent of its own.
pid_t start_orphan() {
  int told[2];
  if (pipe(told) != 0) return -1;
  const pid_t between = fork();
  if (between == 0) {
    const pid_t pid = start_target(true);
    _exit(write(told[1], &pid, sizeof pid) == sizeof pid ? 0 : 1);
  }
  waitpid(between, nullptr, 0);
  pid_t pid = -1;
  if (read(told[0], &pid, sizeof pid) != sizeof pid) pid = -1;
  close(told[0]);
  close(told[1]);
  return pid;
}

bool has_pending(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/status", pid));
  std::string word;
  bool result = false;
  while (file >> word)
    if ((word == "SigPnd:" || word == "ShdPnd:") && file >> word) result |= word.find_first_not_of('0') < word.size();
  return result;
}

void stop(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

int send_by_descriptor(pid_t pid) {
  const auto descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
  const int error = errno_of(syscall(SYS_pidfd_send_signal, descriptor, SIGURG, nullptr, 0));
  close(descriptor);
  return error;
}

int send_information(long call, pid_t pid) {
  siginfo_t information{};
  information.si_code = SI_QUEUE;
  if (call == SYS_rt_sigqueueinfo) return errno_of(syscall(call, pid, SIGURG, &information));
  return errno_of(syscall(call, pid, pid, SIGURG, &information));
}

/// Data that come to a socket are told to its owner.
int send_by_socket(int owner) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  int error = errno_of(fcntl(ends[0], F_SETOWN, owner));
  fcntl(ends[0], F_SETFL, O_ASYNC);
  if (write(ends[1], "x", 1) != 1) error = EIO;
  close(ends[0]);
  close(ends[1]);
  return error;
}

int send_by_32_bit_call(pid_t pid) {
  long result = 37;
  asm volatile("int $0x80" : "+a"(result) : "b"(pid), "c"(SIGURG) : "memory", "r8", "r9", "r10", "r11");
  errno = static_cast<int>(-result);
  return errno_of(result);
}

struct Way {
  const char* name;
  int (*send)(pid_t pid);
};
const std::vector<Way>& ways() {
  static const std::vector<Way> all = [] {
    std::vector<Way> result = {
        {"kill", [](pid_t pid) { return errno_of(kill(pid, SIGURG)); }},
        {"kill a group", [](pid_t pid) { return errno_of(kill(-pid, SIGURG)); }},
        {"tkill", [](pid_t pid) { return errno_of(syscall(SYS_tkill, pid, SIGURG)); }},
        {"tgkill", [](pid_t pid) { return errno_of(syscall(SYS_tgkill, pid, pid, SIGURG)); }},
        {"rt_sigqueueinfo", [](pid_t pid) { return send_information(SYS_rt_sigqueueinfo, pid); }},
        {"rt_tgsigqueueinfo", [](pid_t pid) { return send_information(SYS_rt_tgsigqueueinfo, pid); }},
        {"pidfd_send_signal", send_by_descriptor},
        {"a socket's owner", send_by_socket},
        {"a socket's group", [](pid_t pid) { return send_by_socket(-pid); }},
    };
    // Kernels without 32-bit calls fault.
    if (run(std::nullopt, [] { return send_by_32_bit_call(getpid()); }) == 0)
      result.push_back({"32-bit kill", send_by_32_bit_call});
    return result;
  }();
  return all;
}

/// 0 if all ways lead to this process, else the number of the first that does not.
int try_all(pid_t pid) {
  for (std::size_t i = 0; i < ways().size(); ++i) {
    sigset_t urgent;
    const bool is_self = pid == getpid();
    if (is_self) {
      sigfillset(&urgent);
      sigprocmask(SIG_SETMASK, &urgent, nullptr);
    }
    const bool is_sent = ways()[i].send(pid) == 0 && has_pending(pid);
    if (is_self) {
      const timespec at_once{0, 0};
      while (sigtimedwait(&urgent, nullptr, &at_once) > 0) {
      }
    }
    if (!is_sent) return static_cast<int>(i) + 1;
  }
  return 0;
}

struct Variant {
  friend void PrintTo(const Variant& variant, std::ostream* out) { *out << variant.name; }

  std::string name;
  SandboxPowers powers;
};

std::vector<Variant> variants() {
  const SandboxPowers& here = sandbox_powers();
  std::vector<Variant> result;
  if (here.landlock >= SandboxPowers::kScopes) result.push_back({"Landlock", {false, false, here.landlock, false}});
  if (!here.has_guard) return result;
  result.push_back({"Guard", {false, false, 0, true}});
  if (here.landlock >= 2) result.push_back({"GuardAndOldLandlock", {false, false, 2, true}});
  if (here.has_namespaces) result.push_back({"GuardAndNamespaces", {true, here.needs_user, 0, true}});
  if (here.has_namespaces) result.push_back({"GuardAndUserNamespace", {true, true, 0, true}});
  return result;
}

class SignalGuardTest : public testing::TestWithParam<Variant> {
 protected:
  /// Confined and not.
  static void expect_both(int code, const Body& body) {
    EXPECT_EQ(run(std::nullopt, body), code) << "without a sandbox";
    EXPECT_EQ(run(GetParam().powers, body), code);
  }
};

TEST_P(SignalGuardTest, NoSignalReachesAProcessOutside) {
  const pid_t victim = start_target();
  ASSERT_GT(victim, 0);
  for (const Way& way : ways()) {
    EXPECT_NE(run(GetParam().powers, [&] { return way.send(victim); }), kNotEntered);
    EXPECT_FALSE(has_pending(victim)) << way.name;
  }
  EXPECT_EQ(run(GetParam().powers, [&] { return errno_of(kill(victim, 0)); }), EPERM);
  EXPECT_EQ(run(GetParam().powers, [&] { return errno_of(kill(victim, SIGKILL)); }), EPERM);
  EXPECT_EQ(run(GetParam().powers, [&] { return errno_of(kill(-victim, SIGKILL)); }), EPERM);
  EXPECT_EQ(waitpid(victim, nullptr, WNOHANG), 0) << "the process should live";
  // Signals do arrive if nothing keeps them.
  for (const Way& way : ways()) EXPECT_EQ(run(std::nullopt, [&] { return way.send(victim); }), 0) << way.name;
  EXPECT_TRUE(has_pending(victim));
  stop(victim);
}

TEST_P(SignalGuardTest, NoSignalReachesWhoeverStartedIt) {
  EXPECT_EQ(run(GetParam().powers, [] { return errno_of(kill(getppid(), 0)); }), EPERM);
  EXPECT_EQ(run(GetParam().powers,
                [] {
                  const pid_t child = fork();
                  if (child == 0) _exit(errno_of(kill(getsid(0), 0)) == 0 && errno_of(kill(1, 0)) == EPERM ? 0 : 1);
                  int status = 0;
                  waitpid(child, &status, 0);
                  return WEXITSTATUS(status);
                }),
            0);
}

TEST_P(SignalGuardTest, AChildIsReachedInAllWays) {
  expect_both(0, [] {
    const pid_t child = start_target();
    const int result = try_all(child);
    stop(child);
    return result;
  });
}

TEST_P(SignalGuardTest, ADaemonOfASessionOfItsOwnIsReachedInAllWays) {
  expect_both(0, [] {
    const pid_t child = start_orphan();
    const int result = try_all(child);
    kill(child, SIGKILL);
    return result;
  });
}

TEST_P(SignalGuardTest, TheProcessItselfIsReachedInAllWays) {
  expect_both(0, [] { return try_all(getpid()); });
}

TEST_P(SignalGuardTest, AProcessThatEndsItselfIsSeenToEndBySignal) {
  expect_both(128 + SIGABRT, []() -> int { abort(); });
  expect_both(128 + SIGTERM, [] { return errno_of(raise(SIGTERM)); });
  expect_both(128 + SIGKILL, [] { return errno_of(kill(getpid(), SIGKILL)); });
  expect_both(128 + SIGTERM, [] { return errno_of(kill(0, SIGTERM)); });
  expect_both(SIGUSR2, [] {
    const pid_t child = fork();
    if (child == 0) raise(SIGUSR2);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  });
}

TEST_P(SignalGuardTest, AGroupIsReachedAfterItsLeaderHasEnded) {
  expect_both(0, [] {
    int ready[2];
    if (pipe(ready) != 0) return 1;
    const pid_t leader = fork();
    if (leader == 0) {
      setpgid(0, 0);
      const pid_t member = fork();
      if (member == 0) {
        poll(nullptr, 0, 60'000);
        _exit(0);
      }
      _exit(write(ready[1], &member, sizeof member) == sizeof member ? 0 : 1);
    }
    waitpid(leader, nullptr, 0);
    pid_t member = 0;
    if (read(ready[0], &member, sizeof member) != sizeof member || kill(member, 0) != 0) return 2;
    if (kill(-leader, SIGKILL) != 0) return 3;
    // An orphan's end is not ours to wait for; it may be nobody's until its new parent has time.
    for (int i = 0; i < 10'000 && kill(member, 0) == 0; ++i) {
      std::ifstream file(fmt::format("/proc/{}/stat", member));
      std::string word;
      file >> word >> word >> word;
      if (word == "Z") return 0;
      poll(nullptr, 0, 1);
    }
    return kill(member, 0) == 0 ? 4 : 0;
  });
}

TEST_P(SignalGuardTest, ASignalToAllIsOneToAllWithin) {
  const pid_t victim = start_target();
  ASSERT_GT(victim, 0);
  EXPECT_EQ(run(GetParam().powers,
                [] {
                  const pid_t child = start_target();
                  const pid_t daemon = start_orphan();
                  const int error = errno_of(kill(-1, SIGURG));
                  const bool is_reached = has_pending(child) && has_pending(daemon) && !has_pending(getpid());
                  stop(child);
                  kill(daemon, SIGKILL);
                  return error != 0 ? 1 : is_reached ? 0 : 2;
                }),
            0);
  EXPECT_FALSE(has_pending(victim));
  stop(victim);
}

TEST_P(SignalGuardTest, MistakesAreToldAsEver) {
  const pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, nullptr, 0);
  expect_both(ESRCH, [&] { return errno_of(kill(gone, SIGURG)); });
  expect_both(ESRCH, [&] { return errno_of(kill(-gone, SIGURG)); });
  expect_both(ESRCH, [&] { return errno_of(syscall(SYS_tgkill, gone, gone, SIGURG)); });
  expect_both(ESRCH, [] { return errno_of(kill(std::numeric_limits<pid_t>::min(), SIGURG)); });
  expect_both(EINVAL, [] { return errno_of(kill(getpid(), 999)); });
  expect_both(EINVAL, [] { return errno_of(syscall(SYS_tkill, 0, SIGURG)); });
  expect_both(EINVAL, [] { return errno_of(syscall(SYS_tgkill, getpid(), -1, SIGURG)); });
  expect_both(EBADF, [] { return errno_of(syscall(SYS_pidfd_send_signal, 999, SIGURG, nullptr, 0)); });
  expect_both(EPERM, [] { return errno_of(setsid()); });
}

TEST_P(SignalGuardTest, ThreadsSignalEachOther) {
  expect_both(0, [] {
    sigset_t urgent;
    sigemptyset(&urgent);
    sigaddset(&urgent, SIGURG);
    pthread_sigmask(SIG_BLOCK, &urgent, nullptr);
    const pthread_t first = pthread_self();
    int error = -1;
    std::thread other([&] { error = pthread_kill(first, SIGURG); });
    int got = 0;
    sigwait(&urgent, &got);
    other.join();
    return error == 0 && got == SIGURG ? 0 : 1;
  });
}

TEST_P(SignalGuardTest, AProgramWithoutSignalsNeedsNobody) {
  // Nobody answers while this thread waits.
  const Sandbox sandbox({}, GetParam().powers);
  const pid_t pid = fork();
  if (pid == 0) {
    if (unshare(sandbox.clone_flags()) != 0 || sandbox.enter() != nullptr) _exit(kNotEntered);
    const pid_t child = fork();
    if (child == 0) _exit(kill(0, 0) == 0 ? 7 : 0);
    int status = 0;
    waitpid(child, &status, 0);
    _exit(WEXITSTATUS(status));
  }
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

// Otherwise a guard that judges wrongly would only be taken for absent.
TEST(SignalGuard, IsFoundWhereTheKernelTakesIt) {
  const pid_t pid = fork();
  if (pid == 0) _exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && SignalGuard::install() >= 0 ? 0 : 1);
  int status = 0;
  waitpid(pid, &status, 0);
  EXPECT_EQ(sandbox_powers().has_guard, status == 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, SignalGuardTest, testing::ValuesIn(variants()),
                         [](const auto& param) { return param.param.name; });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SignalGuardTest);

}  // namespace
}  // namespace plumb
