#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace plumb::program {

enum class FaultKind : std::uint8_t;  // fault.h

/// What programs under test are checked for.
enum class Check : std::uint8_t {
  Bounds,  ///< array indices, and accesses through pointers beyond their object
  Null,    ///< null and wild pointers, writes to constants
  UseAfterFree,
  UseAfterReturn,
  Free,  ///< double and invalid free
  Leak,
  Division,  ///< by zero
  // Not by default
  Overflow,  ///< of signed arithmetic
  Shift,     ///< out of range
  Alignment,
  Uninitialised,  ///< a value that was never written decides, is an address or goes to the outside
};
inline constexpr int kCheckCount = static_cast<int>(Check::Uninitialised) + 1;
std::string_view name(Check check);  ///< "bounds", "use-after-free", "uninitialised"

/// A set of checks.
class CheckSet {
 public:
  constexpr CheckSet() = default;
  static CheckSet defaults();  ///< Bounds up to Division
  static CheckSet all();
  static constexpr CheckSet none() { return {}; }

  constexpr bool has(Check check) const noexcept { return (bits_ >> static_cast<unsigned>(check) & 1U) != 0; }
  constexpr void add(Check check) noexcept { bits_ |= 1U << static_cast<unsigned>(check); }
  constexpr void remove(Check check) noexcept { bits_ &= ~(1U << static_cast<unsigned>(check)); }
  constexpr bool is_empty() const noexcept { return bits_ == 0; }
  friend constexpr bool operator==(CheckSet, CheckSet) = default;

 private:
  std::uint32_t bits_ = 0;
};

/// "default", "all", "none", or names with commas; "-leak" takes one out of what stands before it, "default" if that is
/// nothing: "default,overflow", "-leak", "bounds,free". Throws UserError with the names that there are.
CheckSet parse_checks(std::string_view text);
std::string to_string(CheckSet checks);  ///< which parse_checks() takes: "bounds,null,leak", "none"

/// The check that looks for faults of this kind; nothing is checked for that is always a fault (assertions, traps, …).
bool is_checked(FaultKind kind, CheckSet checks);

}  // namespace plumb::program
