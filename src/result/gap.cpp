#include "result/gap.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace plumb::result {
namespace {

/// A reason names so many gaps, and counts the others.
constexpr std::size_t kMostNamed = 3;
/// So many are compared with each that is there.
constexpr std::size_t kFew = 8;

std::string named(const std::vector<const Gap*>& gaps) {
  std::string text;
  for (std::size_t i = 0; i < std::min(gaps.size(), kMostNamed); ++i) text += (i == 0 ? "" : "; ") + to_text(*gaps[i]);
  if (gaps.size() > kMostNamed) text += fmt::format("; and {} more", gaps.size() - kMostNamed);
  return text;
}

}  // namespace

std::string_view to_string(GapKind kind) {
  switch (kind) {
    case GapKind::Unsupported:
      return "unsupported";
    case GapKind::MissingBody:
      return "missing-body";
    case GapKind::Mismatch:
      return "mismatch";
    case GapKind::Pinned:
      return "pinned";
    case GapKind::EndedRun:
      return "ended-run";
    case GapKind::Undriven:
      return "undriven";
    case GapKind::Replaced:
      return "replaced";
    case GapKind::Schedule:
      return "schedule";
    case GapKind::Skipped:
      return "skipped";
  }
  return "";
}

std::string_view to_string(Weakens weakens) {
  switch (weakens) {
    case Weakens::Absence:
      return "absence";
    case Weakens::Violation:
      return "violation";
    case Weakens::Both:
      return "both";
  }
  return "";
}

bool operator==(const Gap& a, const Gap& b) {
  return a.kind == b.kind && a.place.file == b.place.file && a.place.line == b.place.line &&
         a.place.column == b.place.column && a.function == b.function && a.text == b.text && a.weakens == b.weakens;
}

std::string to_text(const Gap& gap) {
  std::string text(to_string(gap.kind));
  if (const std::string place = gap.place.to_string(); !place.empty()) text += " at " + place;
  if (!gap.function.empty()) text += " in " + gap.function;
  return text + ": " + gap.text;
}

void add_gaps(std::vector<Gap>& to, std::span<const Gap> from) {
  if (from.size() < kFew) {
    for (const Gap& gap : from)
      if (std::ranges::find(to, gap) == to.end()) to.push_back(gap);
    return;
  }
  to.reserve(to.size() + from.size());  // what is known points into it
  const auto hash = [](const Gap* gap) {
    return std::hash<std::string_view>()(gap->text) * 31 + gap->place.line * 1031U + gap->place.column;
  };
  const auto equal = [](const Gap* a, const Gap* b) { return *a == *b; };
  std::unordered_set<const Gap*, decltype(hash), decltype(equal)> known(2 * to.capacity(), hash, equal);
  for (const Gap& gap : to) known.insert(&gap);
  for (const Gap& gap : from)
    if (!known.contains(&gap)) known.insert(&to.emplace_back(gap));
}

Absence claim_absence(Verdict found, std::string_view reason, std::span<const Gap> reachable, bool accepts) {
  INVARIANT(found != Verdict::Violated, "absence should not be claimed of what is violated");
  std::vector<const Gap*> hiding;
  for (const Gap& gap : reachable)
    if (gap.weakens != Weakens::Violation) hiding.push_back(&gap);
  if (hiding.empty() || found == Verdict::Unknown) return {found, std::string(reason), false};
  if (!accepts) return {Verdict::Unknown, "not followed: " + named(hiding), false};
  const std::string behind = "except behind: " + named(hiding);
  return {found, reason.empty() ? behind : fmt::format("{}; {}", reason, behind), true};
}

}  // namespace plumb::result
