#pragma once

#include <sys/types.h>

#include <cstdint>
#include <vector>

#include "base/file_descriptor.h"

struct seccomp_notif;

namespace plumb {

/// Judges the signals that a confined process and its descendants send, where the kernel cannot do it by itself: each
/// of those calls waits until whoever started the process has looked at it. Signals within pass, as do those to a
/// process that does not exist; others are refused with EPERM. A signal to all processes goes to all those within.
///
/// Whoever holds a guard waits for descriptor() together with what it waits for anyway, and calls answer(). When the
/// guard goes, calls fail with ENOSYS. Not thread-safe.
class SignalGuard {
 public:
  /// Of nobody.
  SignalGuard() = default;
  /// `calls`: what install() gave in the process `first`, passed on to this one.
  SignalGuard(FileDescriptor calls, pid_t first);

  /// In a process that leads a session in which it is alone. Makes system calls only; needs PR_SET_NO_NEW_PRIVS.
  /// Gives a descriptor that is closed on exec, or -1 with the reason in errno.
  static int install() noexcept;

  /// Readable when a call waits, -1 if there is nobody to guard any more.
  int descriptor() const noexcept { return calls_.get(); }
  /// Judges the calls that wait; does not wait for more.
  void answer();
  /// All processes outside the session of the first one have ended, and their numbers may come to be others'.
  void forget_other_sessions();

 private:
  struct Ruling {
    bool passes = false;
    int error = 0;  ///< given to the caller if it does not pass; 0: success
  };
  Ruling judge(const seccomp_notif& call);
  Ruling judge_process(pid_t process) const;
  Ruling judge_process_or_group(pid_t number) const;
  Ruling judge_descriptor(const seccomp_notif& call) const;
  Ruling signal_all(const seccomp_notif& call, int signal) const;
  Ruling note_session(const seccomp_notif& call);
  bool is_within(pid_t session) const;
  bool is_waiting(const seccomp_notif& call) const;

  FileDescriptor calls_;
  /// Of all processes within: a session is entered by being born in it alone, and made by a call that is noted here.
  std::vector<pid_t> sessions_;
  std::vector<std::uint64_t> request_;  ///< as large as this kernel wants them
  std::vector<std::uint64_t> response_;
};

}  // namespace plumb
