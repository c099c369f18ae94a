#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "result/exit_code.h"
#include "result/verdict.h"

namespace plumb::result {

/// The verdict of a whole run, or of one of its parts: one word for all that was found, from the best to the worst.
enum class Conclusion : std::uint8_t {
  None,        ///< there was nothing to answer
  Answered,    ///< numbers, or what was to be shown
  Written,     ///< files
  Complete,    ///< everything is there, or supported
  Sat,         ///< every check of a script, and so on
  Unsat,       //
  Mixed,       ///< some checks were sat, some unsat
  NoDefect,    ///< and nothing is left to look at
  Holds,       ///< this and the next two as Verdict
  Vacuous,     //
  HoldsUpTo,   //
  Incomplete,  ///< something is missing, or not supported
  Unknown,     ///< a reason says why
  Error,       ///< bad input
  Defect,      ///< confirmed
  Violated,    ///< as Verdict
};
/// "none", "answered", "no-defect", "holds up to", …
std::string_view to_string(Conclusion conclusion);

Conclusion conclusion_of(Verdict verdict);

/// Of a whole that has these parts: a part that failed leaves it Unknown. None if there are no parts.
Conclusion worst(std::span<const Conclusion> parts);

/// The only place where exit codes of results are decided: 10 for a violation or a defect, 20 where something is
/// unknown, vacuous, bounded or incomplete, 2 for bad input, else 0.
ExitCode exit_code(Conclusion conclusion);

/// A conclusion and why, in one sentence.
struct Judgement {
  Conclusion conclusion = Conclusion::Unknown;
  std::string reason;
};

}  // namespace plumb::result
