// The one table of machines. ABIs: System V for i386 and x86-64, AAPCS for ARM and AArch64, RISC-V's LP64D, s390x's
// ELF.
#include "program/platform.h"

#include <algorithm>
#include <array>

namespace plumb::program {
namespace {

constexpr std::uint64_t kRegistersUsed = kSavedIntegers | std::uint64_t{kSavedRegisters} << 32;
constexpr std::array kSystemV = {VariadicWord{0, false, kRegistersUsed}, VariadicWord{8, true, 0},
                                 VariadicWord{16, false, 0}};
constexpr std::array kPointer = {VariadicWord{0, true, 0}};

constexpr std::array kTable = {
    Target{"x86_64", {Machine::X86_64, 64, false, true, 24, kSystemV}},
    Target{"i386", {Machine::X86, 32, false, true, 4, kPointer}},
    Target{"i486", {Machine::X86, 32, false, true, 4, kPointer}},
    Target{"i586", {Machine::X86, 32, false, true, 4, kPointer}},
    Target{"i686", {Machine::X86, 32, false, true, 4, kPointer}},
    Target{"aarch64_be", {Machine::AArch64, 64, true, false, 32, {}}},
    Target{"aarch64", {Machine::AArch64, 64, false, false, 32, {}}},
    Target{"arm64", {Machine::AArch64, 64, false, false, 32, {}}},
    Target{"armeb", {Machine::Arm, 32, true, false, 4, kPointer}},
    Target{"arm", {Machine::Arm, 32, false, false, 4, kPointer}},
    Target{"thumbeb", {Machine::Arm, 32, true, false, 4, kPointer}},
    Target{"thumb", {Machine::Arm, 32, false, false, 4, kPointer}},
    Target{"riscv32", {Machine::RiscV32, 32, false, false, 4, kPointer}},
    Target{"riscv64", {Machine::RiscV64, 64, false, false, 8, kPointer}},
    Target{"s390x", {Machine::S390x, 64, true, true, 32, {}}},
};

bool has(std::string_view triple, std::string_view part) { return triple.find(part) != std::string_view::npos; }

}  // namespace

std::span<const Target> targets() { return kTable; }

Platform platform_of(std::string_view triple) {
  if (triple.empty()) return kTable.front().platform;
  const auto* const found =
      std::ranges::find_if(kTable, [&](const Target& target) { return triple.starts_with(target.prefix); });
  if (found == kTable.end()) return {};
  Platform platform = found->platform;
  const bool is_x32 = platform.machine == Machine::X86_64 && has(triple, "x32");
  const bool is_apple =
      platform.machine == Machine::AArch64 && (has(triple, "darwin") || has(triple, "macos") || has(triple, "ios"));
  if (is_x32 || is_apple || has(triple, "windows")) {
    platform.variadic_list_size = 0;
    platform.variadic_list = {};
  }
  return platform;
}

Platform platform_of(const DataLayout& layout) {
  const bool is_narrow = layout.triple.empty() && layout.pointer_width == 32;
  Platform platform = platform_of(is_narrow ? std::string_view("i386") : std::string_view(layout.triple));
  platform.pointer_width = layout.pointer_width;
  platform.is_big_endian = layout.is_big_endian;
  return platform;
}

VariadicSlot next_variadic(std::uint64_t& end, std::uint32_t width, std::uint64_t pointer_bytes) {
  const bool is_long = pointer_bytes == 8 && (width == 80 || width == 128);
  const std::uint64_t alignment = is_long ? 16 : pointer_bytes;
  const auto round_up = [&](std::uint64_t n) { return (n + alignment - 1) / alignment * alignment; };
  const VariadicSlot slot{round_up(end), round_up((width + 7) / 8), alignment};
  end = slot.offset + slot.size;
  return slot;
}

}  // namespace plumb::program
