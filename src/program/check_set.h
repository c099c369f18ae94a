#pragma once

#include <cstdint>
#include <optional>
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
  Uninitialised,      ///< a value that was never written decides, is an address or goes to the outside
  Call,               ///< through a pointer to no function, or to one that the call does not fit; by default, too
  Vla,                ///< an array of variable length has a size that is not positive
  PointerArithmetic,  ///< an address is computed that is neither in its object nor just past its end
};
inline constexpr int kCheckCount = static_cast<int>(Check::PointerArithmetic) + 1;
std::string_view name(Check check);  ///< "bounds", "use-after-free", "uninitialised"

/// A set of checks.
class CheckSet {
 public:
  constexpr CheckSet() = default;
  static CheckSet defaults();   ///< Bounds up to Division, and Call
  static CheckSet undefined();  ///< what C leaves undefined, as far as all engines look for it: docs/checking.md
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

/// "default", "undefined", "all", "none", or names with commas; "-leak" takes one out of what stands before it,
/// "default" if that is nothing: "default,overflow", "-leak", "bounds,free". Throws UserError with the names that there
/// are.
CheckSet parse_checks(std::string_view text);
std::string to_string(CheckSet checks);  ///< which parse_checks() takes: "bounds,null,leak", "none"
std::optional<Check> find_check(std::string_view name);
/// All names, for help and messages: "bounds, null, use-after-free".
std::string check_names();
CheckSet joined(CheckSet a, CheckSet b);

/// The check that looks for faults of this kind; nothing is checked for that is always a fault (assertions, traps, …).
bool is_checked(FaultKind kind, CheckSet checks);

}  // namespace plumb::program
