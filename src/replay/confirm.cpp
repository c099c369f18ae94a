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
#include "replay/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <tuple>

#include "base/error.h"
#include "instrument/build_subject.h"
#include "replay/describe_defect.h"
#include "replay/found_error.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"

namespace plumb::replay {

using instrument::build_replay;
namespace {

using program::FaultKind;

/// The machine or a library refused; the program itself did not say what is wrong.
bool is_refusal(const FoundError& error) {
  return error.end == RunEnd::Signal || error.code == PLUMB_ERROR_STACK || error.code == PLUMB_ERROR_SIGNAL;
}

/// A replay that fails in another way than the traced run is the same defect as long as both are of one class: the
/// properties that the program states, or what the machine refuses (where layout and libc decide about the signal).
bool is_same_class(const FoundError& error, int told, int signal) {
  if (is_refusal(error)) return is_crash(signal) && told == 0;
  if (error.code == PLUMB_ERROR_DIVISION) return told == PLUMB_ERROR_DIVISION || signal == SIGFPE;
  if (told != 0) return told == error.code;
  return error.code == PLUMB_ERROR_ABORT && signal == SIGABRT;
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
                               const DefectReplay& replay) {
  const auto of_kind = [&](FaultKind sought) { return find_defect(replay, {sought, place, /*is_in_model=*/true}); };
  if (!is_refusal(error) || kind == FaultKind::StackOverflow || kind == FaultKind::DivisionByZero)
    if (const result::Defect* same = of_kind(kind)) return same;
  if (kind == FaultKind::DivisionByZero)  // the machine has one word for both
    if (const result::Defect* quotient = of_kind(FaultKind::SignedOverflow)) return quotient;
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

}  // namespace

std::vector<std::uint8_t> given_inputs(std::span<const result::TestInput> inputs) {
  std::vector<std::uint8_t> bytes;
  for (const result::TestInput& input : inputs) {
    const auto size = static_cast<std::uint32_t>(input.bytes.size());
    std::array<std::uint8_t, sizeof size> word{};
    std::memcpy(word.data(), &size, sizeof size);
    bytes.insert(bytes.end(), word.begin(), word.end());
    bytes.insert(bytes.end(), input.bytes.begin(), input.bytes.end());
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

Confirmer::Confirmer(const Subject& subject, frontend::LoadOptions options, RunLimits limits,
                     std::filesystem::path directory)
    : subject_(subject),
      options_(std::move(options)),
      limits_(limits),
      directory_(std::move(directory)),
      interpreted_runs_(options_, limits_.memory, directory_),
      checked_runs_(options_, limits_, directory_) {}

Confirmer::~Confirmer() = default;

Confirmation Confirmer::confirm(const FoundError& error, const Budget& budget) {
  Confirmation confirmation;
  confirmation.defect = describe_found(subject_, error);
  try {
    if (error.end == RunEnd::Defect) {
      confirm_defect(error, confirmation, budget);
    } else {
      confirm_error(error, confirmation, budget);
    }
  } catch (const OutOfBudget& end) {
    const std::string why(to_string(end.stop));
    (confirmation.is_confirmed ? confirmation.defect.note : confirmation.reason) = why;
  }
  confirmation.defect.test = error.test;
  for (result::Defect& other : confirmation.others) other.test = error.test;
  return confirmation;
}

// --- Replays, each made once a test ---

Confirmer::Replays& Confirmer::replays_of(const result::TestCase& test) {
  const auto known = std::ranges::find_if(known_, [&](const auto& each) { return each->test == test; });
  if (known != known_.end()) return **known;
  known_.push_back(std::make_unique<Replays>());
  known_.back()->test = test;
  return *known_.back();
}

const NativeRun& Confirmer::native(Replays& replays, const Budget& budget) {
  budget.check();
  if (executable_.empty()) executable_ = build_replay(options_, directory_, budget);
  if (!replays.native) {
    replays.native = run_natively(executable_, replays.test, limits_, directory_, budget);
    replays.native->output.clear();
  }
  return *replays.native;
}

DefectReplay& Confirmer::interpreted(Replays& replays, const Budget& budget) {
  if (!replays.interpreted) replays.interpreted = interpreted_runs_.replay(replays.test, budget);
  return *replays.interpreted;
}

const DefectReplay& Confirmer::checked(Replays& replays, const Budget& budget) {
  if (replays.checked) return *replays.checked;
  try {
    replays.checked = checked_runs_.run(replays.test, budget);
  } catch (const UserError& problem) {
    replays.checked.emplace();
    replays.checked->problem = fmt::format("there is no checked build: {}", problem.message());
  }
  return *replays.checked;
}

// --- Defects ---

void Confirmer::confirm_defect(const FoundError& error, Confirmation& confirmation, const Budget& budget) {
  Replays& replays = replays_of(error.test);
  const Site& site = site_of(subject_, error);
  SoughtDefect sought;
  sought.kind = kind_of_defect(static_cast<std::uint32_t>(error.code));
  sought.place = confirmation.defect.place;
  sought.is_in_model = site.function != program::kNone && subject_.program.functions[site.function].is_model;
  DefectReplay& exact = interpreted(replays, budget);
  if (find_defect(exact, sought) != nullptr) {
    if (sought.kind == FaultKind::Leak && !std::exchange(replays.has_losses, true))
      interpreted_runs_.find_losses(error.test, exact, budget);
    take_from(exact, sought, confirmation);
    return;
  }
  if (exact.problem.empty()) {
    confirmation.reason = fmt::format("the interpreter, which checks every access, ends with {} and does not show it",
                                      exact.end.empty() ? "another fault" : exact.end);
    return;
  }
  const DefectReplay& native = checked(replays, budget);
  if (take_from(native, sought, confirmation)) return;
  confirmation.reason = fmt::format("{}; {}", exact.problem,
                                    native.problem.empty()
                                        ? fmt::format("the checked build ends with {} and does not show it", native.end)
                                        : native.problem);
}

bool Confirmer::take_from(const DefectReplay& replay, const SoughtDefect& sought, Confirmation& confirmation) const {
  const result::Defect* found = find_defect(replay, sought);
  if (found == nullptr) return false;
  confirmation.is_confirmed = true;
  confirmation.defect = *found;
  if (is_beyond_by_far(sought.kind, found->kind)) {
    confirmation.defect.kind = name(sought.kind);
    confirmation.defect.object.reset();
    confirmation.defect.message =
        fmt::format("{} far beyond {} that its pointer was made from", access_text(*found),
                    sought.kind == FaultKind::PointerOutOfBounds ? "the heap object" : "the variable");
    confirmation.defect.access.reset();
  }
  if (sought.kind == FaultKind::Leak && (sought.place.file.empty() || sought.is_in_model))
    for (const result::Defect& other : replay.defects)
      if (&other != found && other.kind == found->kind) confirmation.others.push_back(other);
  return true;
}

// --- Failures ---

void Confirmer::confirm_error(const FoundError& error, Confirmation& confirmation, const Budget& budget) {
  const NativeRun& end = native(replays_of(error.test), budget);
  switch (end.end) {
    case ProcessResult::End::Signalled:
      if (end.is_sent) {
        confirmation.reason = fmt::format("{} was sent, by the program itself", describe(end));
        return;
      }
      if (is_same_class(error, end.told_error, end.code)) {
        confirmation.is_confirmed = true;
        confirmation.defect.shown_by = fmt::format("native replay: {}", describe(end));
        explain(error, confirmation, budget);
        return;
      }
      [[fallthrough]];
    case ProcessResult::End::Exited:
      confirmation.reason = fmt::format("the replay without instrumentation ended with {}", describe(end));
      return;
    case ProcessResult::End::TimedOut:
    case ProcessResult::End::Cancelled:
      confirmation.reason = "the replay without instrumentation ran out of time";
      return;
    case ProcessResult::End::OutputLimit:
      confirmation.reason = "the replay without instrumentation wrote too much";
      return;
  }
  INVARIANT(false, "every end of a process should be known");
}

void Confirmer::explain(const FoundError& error, Confirmation& confirmation, const Budget& budget) {
  const DefectReplay& replay = interpreted(replays_of(error.test), budget);
  const result::Defect* found = cause_of(error, named(error).kind, confirmation.defect.place, replay);
  if (found != nullptr) {
    std::string shown_by = std::move(confirmation.defect.shown_by);
    confirmation.defect = *found;
    confirmation.defect.shown_by = std::move(shown_by);
    return;
  }
  confirmation.defect.note = replay.problem.empty()
                                 ? fmt::format("the interpreter ends with {}", replay.end)
                                 : fmt::format("the interpreter does not get that far: {}", replay.problem);
}

}  // namespace plumb::replay
