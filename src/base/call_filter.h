#pragma once

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace plumb {

/// Writes a program for the kernel's filters of system calls, which see the number of a call and its arguments, not
/// what these point to. A 64-bit process may make 32-bit calls too, which have other numbers; calls of the third kind
/// (x32) are to be refused altogether. Private to those who install filters.
class CallFilter {
 public:
  static constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
  static constexpr std::uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  static constexpr std::uint32_t kAsk = SECCOMP_RET_USER_NOTIF;

  constexpr void load_architecture() { load(offsetof(seccomp_data, arch)); }
  constexpr void load_number() { load(offsetof(seccomp_data, nr)); }
  /// Its lower half, which is all of a process number or a command.
  constexpr void load_argument(std::size_t index) {
    load(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
  }
  constexpr void give(std::uint32_t action) { put(BPF_RET | BPF_K, action); }

  /// What `body` writes is run only if the value that was loaded last is this one; it must give something.
  template <typename Body>
  constexpr void if_equal(std::uint32_t value, const Body& body) {
    only_if(BPF_JEQ, value, body);
  }
  template <typename Body>
  constexpr void if_at_least(std::uint32_t value, const Body& body) {
    only_if(BPF_JGE, value, body);
  }

  constexpr const sock_filter* data() const noexcept { return instructions_.data(); }
  constexpr std::uint16_t size() const noexcept { return static_cast<std::uint16_t>(size_); }

  static constexpr std::uint32_t kX32 = 0x40000000;

 private:
  constexpr void put(unsigned code, std::uint32_t operand) {
    instructions_[size_++] = {static_cast<std::uint16_t>(code), 0, 0, operand};
  }
  constexpr void load(std::size_t offset) { put(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)); }
  template <typename Body>
  constexpr void only_if(unsigned test, std::uint32_t value, const Body& body) {
    const std::size_t jump = size_;
    put(BPF_JMP | BPF_K | test, value);
    body();
    const std::size_t skipped = size_ - jump - 1;
    // Not a constant expression where the jump would be too long.
    if (skipped > UINT8_MAX) throw skipped;
    instructions_[jump].jf = static_cast<std::uint8_t>(skipped);
  }

  std::array<sock_filter, 128> instructions_{};
  std::size_t size_ = 0;
};

}  // namespace plumb
