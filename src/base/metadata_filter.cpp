// The kernel's filters see numbers of system calls and their arguments, not paths, so that the calls are refused
// wherever the file is. A 64-bit process may make 32-bit calls too, which have other numbers; calls of the third kind
// (x32) are refused altogether.
#include "base/metadata_filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace plumb {

namespace {

/// chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat, setting and removing
/// extended attributes, and io_uring_setup, by which all of them can be had.
constexpr std::array<std::uint32_t, 21> kCalls64 = {90,  91,  268, 452, 92,  93,  94,  260, 132, 235, 261,
                                                    280, 188, 189, 190, 197, 198, 199, 463, 466, 425};
constexpr std::array<std::uint32_t, 25> kCalls32 = {15,  94,  306, 452, 182, 95,  16,  298, 30,  271, 299, 320, 412,
                                                    212, 207, 198, 226, 227, 228, 235, 236, 237, 463, 466, 425};
constexpr std::uint32_t kX32 = 0x40000000;

constexpr std::size_t kLength = 6 + kCalls64.size() + kCalls32.size() + 3;
using Filter = std::array<sock_filter, kLength>;

constexpr sock_filter instruction(unsigned code, std::uint32_t operand, std::size_t if_true = 0,
                                  std::size_t if_false = 0) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true), static_cast<std::uint8_t>(if_false),
          operand};
}

constexpr unsigned kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr unsigned kIfEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr unsigned kIfAtLeast = BPF_JMP | BPF_JGE | BPF_K;
constexpr unsigned kReturn = BPF_RET | BPF_K;

constexpr Filter make_filter() {
  constexpr std::size_t kRefuse = kLength - 1;
  Filter filter{};
  std::size_t at = 0;
  const auto put = [&](unsigned code, std::uint32_t operand, std::size_t if_true, std::size_t if_false) {
    // Jumps are relative to the next instruction.
    filter[at] = instruction(code, operand, if_true - at - 1, if_false - at - 1);
    ++at;
  };
  filter[at++] = instruction(kLoad, offsetof(seccomp_data, arch));
  put(kIfEqual, AUDIT_ARCH_I386, 5 + kCalls64.size() + 1, at + 1);
  put(kIfEqual, AUDIT_ARCH_X86_64, at + 1, kRefuse);
  filter[at++] = instruction(kLoad, offsetof(seccomp_data, nr));
  put(kIfAtLeast, kX32, kRefuse, at + 1);
  for (const std::uint32_t call : kCalls64) put(kIfEqual, call, kRefuse, at + 1);
  filter[at++] = instruction(kReturn, SECCOMP_RET_ALLOW);
  filter[at++] = instruction(kLoad, offsetof(seccomp_data, nr));
  for (const std::uint32_t call : kCalls32) put(kIfEqual, call, kRefuse, at + 1);
  filter[at++] = instruction(kReturn, SECCOMP_RET_ALLOW);
  filter[at++] = instruction(kReturn, SECCOMP_RET_ERRNO | EPERM);
  return filter;
}

}  // namespace

bool refuse_metadata_changes() noexcept {
  static constexpr Filter kFilter = make_filter();
  const sock_fprog program{kLength, const_cast<sock_filter*>(kFilter.data())};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

}  // namespace plumb
