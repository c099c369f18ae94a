#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "program/program.h"

namespace plumb::program {

enum class Machine : std::uint8_t { X86, X86_64, Arm, AArch64, RiscV32, RiscV64, S390x, Other };

/// A word of a va_list as va_start leaves it, if all arguments lie in memory.
struct VariadicWord {
  std::uint32_t offset = 0;
  bool is_area = false;     ///< the address of the arguments
  std::uint64_t value = 0;  ///< of other words
};

/// What a program's meaning depends on beside its text: the machine that it is compiled for.
struct Platform {
  Machine machine = Machine::Other;
  std::uint32_t pointer_width = 64;
  bool is_big_endian = false;
  /// A signed quotient that does not fit (the least number divided by -1) ends the program, and so does its remainder.
  /// Elsewhere the quotient is taken modulo 2^width, and the remainder is 0.
  bool traps_on_quotients = false;
  /// Of a va_list; 0 if its layout is not known.
  std::uint32_t variadic_list_size = 0;
  /// As if all registers for arguments were used up, so that va_arg takes everything from memory. Empty if an engine
  /// that interprets va_start has no use for it.
  std::span<const VariadicWord> variadic_list{};

  bool is_x86() const noexcept { return machine == Machine::X86 || machine == Machine::X86_64; }
  /// A NaN that is made wider keeps its sign and its bits, and is quiet; elsewhere all become one.
  bool keeps_nans() const noexcept {
    return machine != Machine::RiscV32 && machine != Machine::RiscV64 && machine != Machine::Other;
  }
  /// What leads from frame to frame is no frame pointer but a chain that compilers write if they are asked to.
  bool has_back_chain() const noexcept { return machine == Machine::S390x; }
};

/// What triples begin with, and what they stand for if nothing else in them matters: the first that fits counts.
struct Target {
  std::string_view prefix;
  Platform platform;
};
std::span<const Target> targets();

/// By an LLVM triple, whose first part decides; an empty one stands for x86-64.
Platform platform_of(std::string_view triple);
/// With the pointers and the order of bytes that the code was compiled for. Without a triple it is x86.
Platform platform_of(const DataLayout& layout);

/// Where an argument stands in the area that va_arg reads: as an ABI that passes all of them on the stack has it.
struct VariadicSlot {
  std::uint64_t offset;
  std::uint64_t size;
  std::uint64_t alignment;
};

/// The area where x86-64 saves registers: 6 of 8 bytes, then 8 of 16.
inline constexpr std::uint32_t kSavedIntegers = 48;
inline constexpr std::uint32_t kSavedRegisters = 176;

/// The next one behind `end`, which moves on.
VariadicSlot next_variadic(std::uint64_t& end, std::uint32_t width, std::uint64_t pointer_bytes);

}  // namespace plumb::program
