#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "result/verdict.h"

namespace plumb::result {

/// Why a run is not followed exactly.
enum class GapKind : std::uint8_t {
  Unsupported,  ///< a construct or an intrinsic that is not followed: what stands behind it is not looked at
  MissingBody,  ///< a function without body and model: its result is any value, what else it does is left out
  Mismatch,     ///< a call with another signature than the callee has
  Pinned,       ///< the world decides a value, and here it has one that was chosen
  EndedRun,     ///< runs end at a fault that nobody asked about
  Undriven,     ///< a wire that nothing drives
  Replaced,     ///< a replay makes a library call with a replacement
  Schedule,     ///< other orders of threads than those that were run
  Skipped,      ///< a part of the input that was not read
};
inline constexpr int kGapKindCount = static_cast<int>(GapKind::Skipped) + 1;
std::string_view to_string(GapKind kind);  ///< "unsupported", "missing-body"

/// What can be wrong because of a gap.
enum class Weakens : std::uint8_t {
  Absence,    ///< a violation may be behind it
  Violation,  ///< a violation that is found may not be one: it must be replayed where the gap is not
  Both,
};
std::string_view to_string(Weakens weakens);  ///< "absence", "violation", "both"

/// Something that is not followed exactly, where a run can come to it. Whoever drops anything records one.
struct Gap {
  GapKind kind = GapKind::Unsupported;
  SourceLocation place{};  ///< may be unknown
  std::string function{};  ///< that the place is in
  std::string text{};      ///< what is not followed, without the place: "inline assembly", "getpid() gives 1000"
  Weakens weakens = Weakens::Absence;

  friend bool operator==(const Gap& a, const Gap& b);
};
/// "unsupported at a.c:3:5 in main: inline assembly", without the parts that are not known.
std::string to_text(const Gap& gap);
/// Adds those that are not there yet; keeps the order.
void add_gaps(std::vector<Gap>& to, std::span<const Gap> from);

/// What may be said of a property that nothing violates as far as an engine looked.
struct Absence {
  Verdict verdict = Verdict::Unknown;
  std::string reason{};
  bool except_gaps = false;  ///< it is said although there are gaps, which the user accepts
};
/// The only place where absence is claimed. `found` is Holds, Vacuous, HoldsUpTo or Unknown, as it would be without
/// gaps; `reachable` are the gaps that a run may come to, as far as is known. A gap that weakens absence makes it
/// Unknown, or, where the user `accepts` gaps, leaves the verdict with "except behind: …" in the reason.
Absence claim_absence(Verdict found, std::string_view reason, std::span<const Gap> reachable, bool accepts);

}  // namespace plumb::result
