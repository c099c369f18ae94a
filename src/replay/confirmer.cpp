// Nothing that the search found counts before a replay without its instrumentation shows it on the same inputs: the
// runtime, its shadow memory and the other layout of memory can make a program fail that would not. What shows it
// depends on what it is.
//
// A failure (assertion, abort, signal, division by zero, stack overflow) is shown by the program itself, built without
// any instrumentation. The interpreter then tells the kind, the place and the call stack, which for a wild write often
// lie far before the crash.
//
// A defect (an access beyond its object, a leak) may do nothing natively, so something that checks has to show it, and
// the interpreter decides if it runs the test to its end: it knows every object exactly, has no address that it takes
// on trust, and goes on after a defect as the traced run did. If it does not show the defect, the checked build is not
// asked: that build has the passes and the runtime in common with what found it, so it would repeat their mistakes.
// Where the two disagree honestly, because the program depends on addresses, the time or a library's details, a true
// finding is lost as a note; a false one is never reported. The checked build decides where the interpreter has no say:
// it cannot run the program or does not get to the end, or the test has variables or failing calls. What is reported is
// what the replay showed where it showed it; the site of the search only says which of its defects is meant.
#include "replay/confirmer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "base/error.h"
#include "replay/describe_defect.h"
#include "replay/found_error.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {
namespace {

using program::FaultKind;

/// The machine or a library refused; the program itself did not say what is wrong.
bool is_refusal(const FoundError& error) {
  return error.end == RunEnd::Signal || error.code == PLUMB_ERROR_STACK || error.code == PLUMB_ERROR_SIGNAL;
}

/// What the machine may refuse of what the interpreter shows: a program goes on after the rest.
bool can_crash(std::string_view kind) {
  using enum FaultKind;
  return std::ranges::none_of(std::array{Leak, Assertion, ErrorReached, SignedOverflow, ShiftOutOfRange, Misaligned,
                                         UninitialisedRead, Deadlock},
                              [kind](FaultKind each) { return name(each) == kind; });
}

/// The fault that made a program fail. What comes first did: a wild write often lies far before the crash. But a stack
/// that is full and a division say themselves what they are.
const result::Defect* cause_of(const FoundError& error, FaultKind kind, const SourceLocation& place,
                               const Replay& replay) {
  const auto of_kind = [&](FaultKind sought) { return find_defect(replay, {sought, place, /*is_in_model=*/true}); };
  if (!is_refusal(error) || kind == FaultKind::StackOverflow || kind == FaultKind::DivisionByZero)
    if (const result::Defect* same = of_kind(kind)) return same;
  if (kind == FaultKind::DivisionByZero)  // the machine has one word for both
    if (const result::Defect* quotient = of_kind(FaultKind::SignedOverflow)) return quotient;
  if (kind == FaultKind::Assertion)  // the runtime has one word for both
    if (const result::Defect* size = of_kind(FaultKind::VlaSize)) return size;
  if (!is_refusal(error)) return nullptr;
  const auto first = std::ranges::find_if(replay.defects, can_crash, &result::Defect::kind);
  return first == replay.defects.end() ? nullptr : &*first;
}

/// The search checks against the object that a pointer was made from, replays against what lies at the address: if that
/// is nothing, the search has the better word.
bool is_beyond_by_far(FaultKind found, std::string_view shown) {
  const bool is_beyond = found == FaultKind::PointerOutOfBounds || found == FaultKind::ArrayPointerOutOfBounds;
  return is_beyond && shown == name(FaultKind::InvalidPointer);
}

std::string access_text(const result::Defect& defect) {
  if (!defect.access) return "access";
  return fmt::format("{} of {} byte{}", defect.access->is_write ? "write" : "read", defect.access->size,
                     defect.access->size == 1 ? "" : "s");
}

/// Whether the replay shows it; then it is what the replay says of it.
bool take_from(const Replay& replay, const SoughtDefect& sought, Confirmation& made) {
  const result::Defect* found = find_defect(replay, sought);
  if (found == nullptr) return false;
  made.is_confirmed = true;
  made.defect = *found;
  if (is_beyond_by_far(sought.kind, found->kind)) {
    made.defect.kind = name(sought.kind);
    made.defect.object.reset();
    made.defect.message =
        fmt::format("{} far beyond {} that its pointer was made from", access_text(*found),
                    sought.kind == FaultKind::PointerOutOfBounds ? "the heap object" : "the variable");
    made.defect.access.reset();
  }
  if (sought.kind == FaultKind::Leak && (sought.place.file.empty() || sought.is_in_model))
    for (const result::Defect& other : replay.defects)
      if (&other != found && other.kind == found->kind) made.others.push_back(other);
  return true;
}

}  // namespace

Confirmer::Confirmer(Builds& builds, const RunLimits& limits)
    : here_(Here{builds, {builds, limits.memory}, {builds, limits}, {builds, limits}}) {}

Confirmation Confirmer::confirm(const Subject& subject, const FoundError& error, const Budget& budget) {
  Confirmation made;
  made.defect = describe_found(subject, error);
  try {
    if (target_ != nullptr) {
      confirm_on_target(subject, error, made, budget);
    } else if (error.end == RunEnd::Defect) {
      confirm_defect(subject, error, made, budget);
    } else {
      confirm_failure(error, made, budget);
    }
  } catch (const OutOfBudget& end) {
    const std::string why(to_string(end.stop));
    (made.is_confirmed ? made.defect.note : made.reason) = why;
  }
  made.defect.test = error.test;
  for (result::Defect& other : made.others) other.test = error.test;
  return made;
}

// --- Replays, each made once a test ---

Confirmer::Replays& Confirmer::replays_of(const result::TestCase& test) {
  const auto known = std::ranges::find_if(known_, [&](const auto& each) { return *each->evidence.test() == test; });
  if (known != known_.end()) return **known;
  known_.push_back(std::make_unique<Replays>());
  known_.back()->evidence.run = test;
  return *known_.back();
}

const NativeRun& Confirmer::native(Replays& replays, const Budget& budget) {
  if (!replays.native) {
    replays.native = here_->native.run_test(*replays.evidence.test(), budget);
    replays.native->output.clear();
  }
  return *replays.native;
}

Replay& Confirmer::interpreted(Replays& replays, const Budget& budget) {
  if (!replays.interpreted) replays.interpreted = here_->interpreter.run(replays.evidence, budget);
  return *replays.interpreted;
}

const Replay& Confirmer::checked(Replays& replays, const Budget& budget) {
  if (replays.checked) return *replays.checked;
  try {
    replays.checked = here_->checked.run(replays.evidence, budget);
  } catch (const UserError& problem) {
    replays.checked.emplace();
    replays.checked->problem = fmt::format("there is no checked build: {}", problem.message());
  }
  return *replays.checked;
}

// --- Defects ---

void Confirmer::confirm_defect(const Subject& subject, const FoundError& error, Confirmation& made,
                               const Budget& budget) {
  Replays& replays = replays_of(error.test);
  const Site& site = site_of(subject, error);
  SoughtDefect sought;
  sought.kind = kind_of_defect(static_cast<std::uint32_t>(error.code));
  sought.place = made.defect.place;
  sought.is_in_model = site.function != program::kNone && subject.program.functions[site.function].is_model;
  Replay& exact = interpreted(replays, budget);
  if (find_defect(exact, sought) != nullptr) {
    if (sought.kind == FaultKind::Leak && !std::exchange(replays.has_losses, true))
      here_->interpreter.find_losses(error.test, exact, budget);
    take_from(exact, sought, made);
    return;
  }
  if (exact.problem.empty()) {
    made.reason = fmt::format("the interpreter, which checks every access, ends with {} and does not show it",
                              exact.end.empty() ? "another fault" : exact.end);
    return;
  }
  const Replay& native = checked(replays, budget);
  if (take_from(native, sought, made)) return;
  made.reason = fmt::format("{}; {}", exact.problem,
                            native.problem.empty()
                                ? fmt::format("the checked build ends with {} and does not show it", native.end)
                                : native.problem);
}

// --- Failures ---

void Confirmer::confirm_failure(const FoundError& error, Confirmation& made, const Budget& budget) {
  const Ending& end = native(replays_of(error.test), budget).ending;
  if (is_failure(end) && is_same_end({error.end, error.code}, end)) {
    made.is_confirmed = true;
    made.defect.shown_by = fmt::format("native replay: {}", describe(end));
    explain(error, made, budget);
  } else if (end.is_sent) {
    made.reason = fmt::format("{} was sent, by the program itself", describe(end));
  } else {
    made.reason = fmt::format("the replay without instrumentation {} {}", is_cut(end) ? "was cut off:" : "ended with",
                              describe(end));
  }
}

void Confirmer::explain(const FoundError& error, Confirmation& made, const Budget& budget) {
  const Replay& replay = interpreted(replays_of(error.test), budget);
  const result::Defect* found = cause_of(error, named(error).kind, made.defect.place, replay);
  if (found != nullptr) {
    std::string shown_by = std::move(made.defect.shown_by);
    made.defect = *found;
    made.defect.shown_by = std::move(shown_by);
    return;
  }
  made.defect.note = replay.problem.empty() ? fmt::format("the interpreter ends with {}", replay.end)
                                            : fmt::format("the interpreter does not get that far: {}", replay.problem);
}

}  // namespace plumb::replay
