// Mechanisms of the kernel, each for what the others cannot. Namespaces: in a mount namespace of its own the child
// sees all mounts read-only and without devices, except for the directories that are bound writable, so that even
// permissions and times of other files stay; it has no network and no shared IPC objects. They take privileges or a
// user namespace, which containers often forbid. Landlock takes none: it refuses to open, make or remove files
// elsewhere and to signal processes outside, but knows nothing of permissions and times; where it stands alone, a
// filter of system calls refuses to change those anywhere. Signals, which Landlock knows about since Linux 6.12, are
// judged by ourselves before that (base/signal_guard.h). Capabilities that reach beyond files are dropped for good.
#include "base/sandbox.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/metadata_filter.h"

namespace plumb {

namespace {

namespace fs = std::filesystem;

constexpr int kNamespaces = CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS;
/// What callers put in place in the child has smaller numbers.
constexpr int kAbovePlaced = 256;
constexpr std::size_t kStackSize = std::size_t{128} << 10;

/// What a program that runs as the superuser keeps: these concern files, which the mounts protect.
constexpr std::array kKeptCapabilities = {CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID, CAP_SETGID, CAP_SETUID};

// The kernel's interface, since headers may be older than the kernel.
struct LandlockRuleset {
  std::uint64_t files;
  std::uint64_t network;
  std::uint64_t scopes;
};
struct [[gnu::packed]] LandlockPath {
  std::uint64_t allowed;
  std::int32_t directory;
};
constexpr long kLandlockCreate = 444;
constexpr long kLandlockAdd = 445;
constexpr long kLandlockRestrict = 446;
constexpr std::uint64_t kWriteFile = 1U << 1U;
constexpr std::uint64_t kChangesOfFirst = 0x1ff0U | kWriteFile;  ///< remove and make entries of any kind
constexpr std::uint64_t kRefer = 1U << 13U;
constexpr std::uint64_t kTruncate = 1U << 14U;
constexpr std::uint64_t kDeviceControl = 1U << 15U;
constexpr std::uint64_t kConnect = 3;   ///< bind and connect by TCP
constexpr std::uint64_t kScopeAll = 3;  ///< abstract sockets and signals

std::uint64_t file_changes(int version) noexcept {
  std::uint64_t result = kChangesOfFirst;
  if (version >= 2) result |= kRefer;
  if (version >= 3) result |= kTruncate;
  if (version >= 5) result |= kDeviceControl;
  return result;
}

struct MountAttributes {
  std::uint64_t set;
  std::uint64_t clear;
  std::uint64_t propagation;
  std::uint64_t user;
};
constexpr long kMountSetattr = 442;
constexpr std::uint64_t kReadOnly = 1;
constexpr std::uint64_t kNoSetuid = 2;
constexpr std::uint64_t kNoDevices = 4;

bool set_mount(const char* path, unsigned flags, const MountAttributes& attributes) noexcept {
  return syscall(kMountSetattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0;
}

bool write_to(const char* file, const char* text, std::size_t size) noexcept {
  const int descriptor = open(file, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool is_written = write(descriptor, text, size) == static_cast<ssize_t>(size);
  const int error = errno;
  close(descriptor);
  errno = error;
  return is_written;
}

bool allow(int ruleset, const char* path, std::uint64_t allowed) noexcept {
  const int target = open(path, O_PATH | O_CLOEXEC);
  if (target < 0) return false;
  const LandlockPath rule{allowed, target};
  const bool is_added = syscall(kLandlockAdd, ruleset, 1, &rule, 0) == 0;
  close(target);
  return is_added;
}

void try_sandbox(void* argument) { _exit((*static_cast<const Sandbox**>(argument))->enter() == nullptr ? 0 : 1); }

bool can_enter(const Sandbox& sandbox) {
  const Sandbox* tried = &sandbox;
  const pid_t pid = start_child(sandbox.clone_flags(), try_sandbox, &tried);
  if (pid < 0) return false;
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

/// A child is told by its parent whether it may signal itself and its parent.
bool can_guard_signals() {
  SandboxPowers wanted;
  wanted.has_guard = true;
  const Sandbox sandbox({}, wanted);
  const pid_t pid = fork();
  if (pid < 0) return false;
  if (pid == 0) {
    if (sandbox.enter() != nullptr) _exit(1);
    _exit(kill(getpid(), 0) == 0 && kill(getppid(), 0) != 0 && errno == EPERM ? 0 : 1);
  }
  SignalGuard guard;
  int status = 0;
  for (;;) {
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status == 0;
    if (ended < 0 && errno != EINTR) return false;
    if (guard.descriptor() < 0) guard = sandbox.guard(pid);
    pollfd waiting{guard.descriptor(), POLLIN, 0};
    poll(&waiting, 1, 1);
    guard.answer();
  }
}

SandboxPowers find_powers() {
  SandboxPowers found;
  const long version = syscall(kLandlockCreate, nullptr, 0, 1);
  found.landlock = version > 0 ? static_cast<int>(version) : 0;
  if (found.landlock != 0 && !can_enter(Sandbox({}, found))) found.landlock = 0;
  SandboxPowers wanted = found;
  wanted.has_namespaces = true;
  if (!can_enter(Sandbox({}, wanted))) {
    wanted.needs_user = true;
    if (!can_enter(Sandbox({}, wanted))) wanted = found;
  }
  wanted.has_guard = can_guard_signals();
  return wanted;
}

SandboxPowers& powers_in_use() {
  static SandboxPowers powers = find_powers();
  return powers;
}

/// The descriptor travels in a message of one byte.
struct Parcel {
  Parcel() noexcept {
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  char byte = 0;
  iovec content{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};
};

}  // namespace

pid_t start_child(int clone_flags, void (*function)(void*), void* argument) {
  struct Start {
    void (*function)(void*);
    void* argument;
  } start{function, argument};
  const auto stack = std::make_unique<std::byte[]>(kStackSize);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto enter = [](void* given) {
    const Start& it = *static_cast<Start*>(given);
    it.function(it.argument);
    return 127;
  };
  const pid_t pid = clone(enter, stack.get() + kStackSize, CLONE_VM | CLONE_VFORK | SIGCHLD | clone_flags, &start);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

std::string SandboxPowers::missing() const {
  std::string result;
  const auto add = [&](std::string_view text) { result += fmt::format("{}{}", result.empty() ? "" : ", ", text); };
  if (!confines_files()) add("changes of files (needs user namespaces or Landlock of Linux 6.2)");
  if (!confines_signals()) add("signals to other processes (needs Landlock of Linux 6.12 or notifications of seccomp)");
  if (!confines_network()) add("the network (needs user namespaces)");
  return result;
}

const SandboxPowers& sandbox_powers() { return powers_in_use(); }

SandboxPowers replace_sandbox_powers(const SandboxPowers& powers) { return std::exchange(powers_in_use(), powers); }

bool wants_sandbox(SandboxUse use) {
  if (use == SandboxUse::Off) return false;
  const SandboxPowers& powers = sandbox_powers();
  if (use == SandboxUse::On && !powers.is_complete())
    throw UserError(fmt::format("cannot keep programs under test from: {}", powers.missing()),
                    "`--sandbox auto` does as much as this machine allows");
  return powers.has_namespaces || powers.landlock != 0 || powers.has_guard;
}

std::string sandbox_gaps(SandboxUse use) {
  if (use == SandboxUse::Off) return "the program under test ran without a sandbox";
  if (sandbox_powers().is_complete()) return {};
  return "the sandbox does not keep the program from: " + sandbox_powers().missing();
}

Sandbox::Sandbox(const std::vector<fs::path>& writable) : Sandbox(writable, sandbox_powers()) {}

Sandbox::Sandbox(const std::vector<fs::path>& writable, const SandboxPowers& powers)
    : powers_(powers), user_map_(fmt::format("{0} {0} 1", geteuid())), group_map_(fmt::format("{0} {0} 1", getegid())) {
  for (const fs::path& path : writable) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error || !fs::is_directory(real, error))
      throw UserError(fmt::format("cannot confine a program to '{}': it is not a directory", path.string()));
    writable_.push_back(real.string());
  }
  if (!powers_.needs_guard()) return;
  std::array<int, 2> ends{-1, -1};
  if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw UserError(fmt::format("cannot confine a program: {}", std::generic_category().message(errno)));
  from_child_ = FileDescriptor(ends[0]);
  const FileDescriptor low(ends[1]);
  to_parent_ = FileDescriptor(fcntl(low.get(), F_DUPFD_CLOEXEC, kAbovePlaced));
  if (!to_parent_.is_open())
    throw UserError(fmt::format("cannot confine a program: {}", std::generic_category().message(errno)));
}

int Sandbox::clone_flags() const noexcept {
  if (!powers_.has_namespaces) return 0;
  return powers_.needs_user ? kNamespaces | CLONE_NEWUSER : kNamespaces;
}

const char* Sandbox::enter() const noexcept {
  if (powers_.needs_user)
    if (const char* failed = map_user()) return failed;
  if (powers_.has_namespaces)
    if (const char* failed = make_read_only()) return failed;
  if (const char* failed = drop_privileges()) return failed;
  if (powers_.landlock != 0)
    if (const char* failed = restrict()) return failed;
  if (powers_.landlock != 0 && !powers_.has_namespaces && !refuse_metadata_changes()) return "filter system calls of";
  return powers_.needs_guard() ? hand_over_signals() : nullptr;
}

const char* Sandbox::hand_over_signals() const noexcept {
  constexpr const char* kFailed = "confine the signals of";
  if (getsid(0) != getpid() && setsid() < 0) return kFailed;
  const int calls = SignalGuard::install();
  if (calls < 0) return kFailed;
  Parcel parcel;
  cmsghdr* const inner = CMSG_FIRSTHDR(&parcel.header);
  inner->cmsg_level = SOL_SOCKET;
  inner->cmsg_type = SCM_RIGHTS;
  inner->cmsg_len = CMSG_LEN(sizeof calls);
  std::memcpy(CMSG_DATA(inner), &calls, sizeof calls);
  const bool is_sent = sendmsg(to_parent_.get(), &parcel.header, MSG_NOSIGNAL | MSG_DONTWAIT) == 1;
  const int error = errno;
  close(calls);
  errno = error;
  return is_sent ? nullptr : kFailed;
}

SignalGuard Sandbox::guard(pid_t child) const {
  if (!from_child_.is_open()) return {};
  Parcel parcel;
  if (recvmsg(from_child_.get(), &parcel.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) != 1) return {};
  const cmsghdr* const inner = CMSG_FIRSTHDR(&parcel.header);
  if (inner == nullptr || inner->cmsg_type != SCM_RIGHTS) return {};
  int calls = -1;
  std::memcpy(&calls, CMSG_DATA(inner), sizeof calls);
  return {FileDescriptor(calls), child};
}

const char* Sandbox::map_user() const noexcept {
  // Absent before Linux 3.19, where it is not needed.
  if (!write_to("/proc/self/setgroups", "deny", 4) && errno != ENOENT) return "make a user namespace for";
  if (!write_to("/proc/self/uid_map", user_map_.data(), user_map_.size()) ||
      !write_to("/proc/self/gid_map", group_map_.data(), group_map_.size()))
    return "make a user namespace for";
  return nullptr;
}

const char* Sandbox::make_read_only() const noexcept {
  constexpr const char* kFailed = "make the file system read-only for";
  // Private first, lest what follows shows outside.
  if (!set_mount("/", AT_RECURSIVE, {0, 0, MS_PRIVATE, 0})) return kFailed;
  for (const std::string& path : writable_)
    if (mount(path.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) != 0) return kFailed;
  for (const char* device : kSandboxDevices)
    if (mount(device, device, nullptr, MS_BIND, nullptr) != 0 && errno != ENOENT) return kFailed;
  if (!set_mount("/", AT_RECURSIVE, {kReadOnly | kNoSetuid | kNoDevices, 0, 0, 0})) return kFailed;
  for (const std::string& path : writable_)
    if (!set_mount(path.c_str(), 0, {0, kReadOnly, 0, 0})) return kFailed;
  for (const char* device : kSandboxDevices)
    if (!set_mount(device, 0, {0, kNoDevices, 0, 0}) && errno != ENOENT) return kFailed;
  return nullptr;
}

const char* Sandbox::drop_privileges() const noexcept {
  constexpr const char* kFailed = "drop the privileges of";
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return kFailed;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  if (syscall(SYS_capget, &header, sets.data()) != 0) return kFailed;
  std::uint64_t kept = 0;
  for (const int capability : kKeptCapabilities) kept |= std::uint64_t{1} << static_cast<unsigned>(capability);
  // Of the bounding set first, for which one of those is needed that are dropped then.
  for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; ++capability) {
    if ((kept >> static_cast<unsigned>(capability) & 1U) != 0) continue;
    if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return kFailed;
  }
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  for (std::size_t half = 0; half < sets.size(); ++half) {
    const auto mask = static_cast<std::uint32_t>(kept >> (32U * half));
    sets[half].effective &= mask;
    sets[half].permitted &= mask;
    sets[half].inheritable &= mask;
  }
  return syscall(SYS_capset, &header, sets.data()) == 0 ? nullptr : kFailed;
}

const char* Sandbox::restrict() const noexcept {
  constexpr const char* kFailed = "restrict";
  const int version = powers_.landlock;
  const std::uint64_t changes = file_changes(version);
  const LandlockRuleset rules{changes, version >= 4 ? kConnect : 0, version >= SandboxPowers::kScopes ? kScopeAll : 0};
  const std::size_t size = version >= SandboxPowers::kScopes ? 24 : version >= 4 ? 16 : 8;
  const auto ruleset = static_cast<int>(syscall(kLandlockCreate, &rules, size, 0));
  if (ruleset < 0) return kFailed;
  const std::uint64_t of_device = changes & (kWriteFile | kTruncate | kDeviceControl);
  for (const char* device : kSandboxDevices)
    if (!allow(ruleset, device, of_device) && errno != ENOENT) return kFailed;
  for (const std::string& path : writable_)
    if (!allow(ruleset, path.c_str(), changes)) return kFailed;
  if (syscall(kLandlockRestrict, ruleset, 0) != 0) return kFailed;
  close(ruleset);
  return nullptr;
}

}  // namespace plumb
