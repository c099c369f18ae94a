#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/signal_guard.h"

namespace plumb {

/// Whether a program under test is confined: Auto as far as the kernel allows it, On completely or not at all.
enum class SandboxUse : std::uint8_t { Auto, On, Off };

/// What the kernel lets us keep from a child, found out once by trying.
struct SandboxPowers {
  bool has_namespaces = false;  ///< of mounts, network, IPC and host name
  bool needs_user = false;      ///< only together with a user namespace
  int landlock = 0;             ///< version of its interface, 0: none
  bool has_guard = false;       ///< signals can be judged by whoever started the child (base/signal_guard.h)

  bool confines_files() const noexcept { return has_namespaces || landlock >= kTruncation; }
  bool confines_signals() const noexcept { return landlock >= kScopes || has_guard; }
  bool confines_network() const noexcept { return has_namespaces; }
  bool is_complete() const noexcept { return confines_files() && confines_signals() && confines_network(); }
  bool needs_guard() const noexcept { return has_guard && landlock < kScopes; }
  /// "the network (needs user namespaces)"; empty if nothing is missing.
  std::string missing() const;

  static constexpr int kTruncation = 3;
  static constexpr int kScopes = 6;
};
const SandboxPowers& sandbox_powers();
/// From now on as if the machine had these, which it must have: for tests of what other machines do. Gives what it was
/// before. Not thread-safe.
SandboxPowers replace_sandbox_powers(const SandboxPowers& powers);

/// Whether to make a sandbox. Throws UserError if it must be complete and cannot be.
bool wants_sandbox(SandboxUse use);
/// What a program may do that runs so: "the sandbox does not keep the program from: …"; empty if nothing.
std::string sandbox_gaps(SandboxUse use);

/// What a confined program may open for writing beside its directories: without them programs cannot live, and nothing
/// is kept there.
inline constexpr std::array<const char*, 5> kSandboxDevices = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                                               "/dev/urandom"};

/// Keeps a child that runs foreign code with arbitrary arguments from doing harm: it reads the file system as it is,
/// but changes nothing outside of some directories, opens no device but /dev/null and its like, signals no process
/// outside, has no network and no privileges over the machine. Made before the child is started, entered in the child.
class Sandbox {
 public:
  /// `writable`: existing directories. Throws UserError if one cannot be opened.
  explicit Sandbox(const std::vector<std::filesystem::path>& writable);
  /// With no more than these, which the machine must have.
  Sandbox(const std::vector<std::filesystem::path>& writable, const SandboxPowers& powers);
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  /// What clone() has to be told beyond its usual.
  int clone_flags() const noexcept;
  /// In the child, which may share our memory: makes system calls only. The working directory has to be
  /// entered again, by its path. Gives null, or what could not be done, with the reason in errno.
  const char* enter() const noexcept;
  /// In the parent, once the child has entered: what has to be asked about its signals as long as it lives.
  SignalGuard guard(pid_t child) const;

 private:
  const char* map_user() const noexcept;
  const char* make_read_only() const noexcept;
  const char* drop_privileges() const noexcept;
  const char* restrict() const noexcept;
  const char* hand_over_signals() const noexcept;

  SandboxPowers powers_;
  std::vector<std::string> writable_;
  std::string user_map_;
  std::string group_map_;
  FileDescriptor from_child_;  ///< sockets by which the child passes its calls on, if signals need a guard
  FileDescriptor to_parent_;
};

/// Starts a child that shares our memory, as vfork does, but on a stack of its own, and waits until it has executed a
/// program or ended. `function` must not return and may only make system calls on data prepared before. All signals are
/// blocked in it. Gives its number, or -1 with the reason in errno.
pid_t start_child(int clone_flags, void (*function)(void*), void* argument);

}  // namespace plumb
