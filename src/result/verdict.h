#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace plumb::result {

/// What is known about a property, from the best to the worst.
enum class Verdict : std::uint8_t {
  Holds,      ///< in every run
  Vacuous,    ///< in every run, since no run comes to where it is decided or none satisfies what is assumed
  HoldsUpTo,  ///< in every run up to a bound, which the engine names
  Unknown,    ///< the engine says why
  Violated,   ///< a run that was replayed violates it
};
/// "holds", "vacuous", "holds up to", "unknown", "violated".
std::string_view to_string(Verdict verdict);

/// Nothing violates it in any run: Holds or Vacuous.
constexpr bool is_proof(Verdict verdict) { return verdict == Verdict::Holds || verdict == Verdict::Vacuous; }
/// More work would not change it: a proof or a violation.
constexpr bool is_final(Verdict verdict) { return is_proof(verdict) || verdict == Verdict::Violated; }

/// Of several properties; Unknown if there are none, since nothing was shown.
Verdict worst(std::span<const Verdict> verdicts);
/// Of one property that has several goals: the worst, but one goal that holds with substance is enough for the others
/// not to make it vacuous.
Verdict of_goals(std::span<const Verdict> verdicts);

}  // namespace plumb::result
