#include "program/check_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <optional>
#include <vector>

#include "base/error.h"
#include "program/fault.h"

namespace plumb::program {
namespace {

constexpr std::array<std::string_view, kCheckCount> kNames = {
    "bounds",   "null",  "use-after-free", "use-after-return", "free", "leak", "division",
    "overflow", "shift", "alignment",      "uninitialised",    "call", "vla",  "pointer-arithmetic"};

CheckSet up_to(Check last) {
  CheckSet checks;
  for (int i = 0; i <= static_cast<int>(last); ++i) checks.add(static_cast<Check>(i));
  return checks;
}

std::string_view without_spaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

[[noreturn]] void report_unknown(std::string_view word) {
  throw UserError(word.empty() ? std::string("a check has no name") : fmt::format("there is no check '{}'", word),
                  fmt::format("use default, undefined, all, none, or some of: {}; -NAME takes one out", check_names()));
}

std::optional<CheckSet> bundle_of(std::string_view word) {
  if (word == "default") return CheckSet::defaults();
  if (word == "undefined") return CheckSet::undefined();
  if (word == "all") return CheckSet::all();
  return std::nullopt;
}

void apply(std::string_view word, bool is_first, CheckSet& checks) {
  const bool is_removal = word.starts_with('-');
  const std::optional<Check> check = find_check(is_removal ? word.substr(1) : word);
  if (check && is_removal) {
    if (is_first) checks = CheckSet::defaults();
    checks.remove(*check);
  } else if (check) {
    checks.add(*check);
  } else if (const std::optional<CheckSet> bundle = bundle_of(word)) {
    checks = joined(checks, *bundle);
  } else if (word == "none") {
    checks = CheckSet::none();
  } else {
    report_unknown(word);
  }
}

/// Nothing for kinds that are always a fault.
std::optional<Check> check_for(FaultKind kind) {
  switch (kind) {
    case FaultKind::ArrayOutOfBounds:
    case FaultKind::PointerOutOfBounds:
    case FaultKind::ArrayPointerOutOfBounds:
      return Check::Bounds;
    case FaultKind::NullDereference:
    case FaultKind::UninitialisedPointer:
    case FaultKind::InvalidPointer:
    case FaultKind::WriteToConstant:
      return Check::Null;
    case FaultKind::UseAfterFree:
      return Check::UseAfterFree;
    case FaultKind::UseAfterReturn:
    case FaultKind::UseAfterScope:
      return Check::UseAfterReturn;
    case FaultKind::DoubleFree:
    case FaultKind::InvalidFree:
      return Check::Free;
    case FaultKind::Leak:
      return Check::Leak;
    case FaultKind::DivisionByZero:
      return Check::Division;
    case FaultKind::SignedOverflow:
      return Check::Overflow;
    case FaultKind::ShiftOutOfRange:
      return Check::Shift;
    case FaultKind::Misaligned:
      return Check::Alignment;
    case FaultKind::UninitialisedRead:
      return Check::Uninitialised;
    case FaultKind::InvalidCall:
      return Check::Call;
    case FaultKind::VlaSize:
      return Check::Vla;
    case FaultKind::PointerArithmetic:
      return Check::PointerArithmetic;
    case FaultKind::Assertion:
    case FaultKind::ErrorReached:
    case FaultKind::Abort:
    case FaultKind::Trap:
    case FaultKind::Unreachable:
    case FaultKind::StackOverflow:
    case FaultKind::Deadlock:
    case FaultKind::DataRace:
      return std::nullopt;
  }
  INVARIANT(false, "a fault kind should be one of those declared");
}

}  // namespace

std::string_view name(Check check) { return kNames[static_cast<std::size_t>(check)]; }

std::optional<Check> find_check(std::string_view name) {
  for (int i = 0; i < kCheckCount; ++i)
    if (kNames[static_cast<std::size_t>(i)] == name) return static_cast<Check>(i);
  return std::nullopt;
}

std::string check_names() { return fmt::format("{}", fmt::join(kNames, ", ")); }

CheckSet joined(CheckSet a, CheckSet b) {
  for (int i = 0; i < kCheckCount; ++i)
    if (b.has(static_cast<Check>(i))) a.add(static_cast<Check>(i));
  return a;
}

CheckSet CheckSet::defaults() {
  CheckSet checks = up_to(Check::Division);
  checks.add(Check::Call);
  return checks;
}

CheckSet CheckSet::undefined() {
  CheckSet checks = all();
  // A leak is defined; the other two are looked for by the interpreter and native code alone.
  for (const Check other : {Check::Leak, Check::Alignment, Check::Uninitialised}) checks.remove(other);
  return checks;
}

CheckSet CheckSet::all() { return up_to(Check::PointerArithmetic); }

CheckSet parse_checks(std::string_view text) {
  CheckSet checks;
  for (bool is_first = true;; is_first = false) {
    const std::size_t comma = text.find(',');
    apply(without_spaces(text.substr(0, comma)), is_first, checks);
    if (comma == std::string_view::npos) return checks;
    text.remove_prefix(comma + 1);
  }
}

std::string to_string(CheckSet checks) {
  std::vector<std::string_view> names;
  for (int i = 0; i < kCheckCount; ++i)
    if (checks.has(static_cast<Check>(i))) names.push_back(kNames[static_cast<std::size_t>(i)]);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ","));
}

bool is_checked(FaultKind kind, CheckSet checks) {
  const std::optional<Check> check = check_for(kind);
  return !check || checks.has(*check);
}

}  // namespace plumb::program
