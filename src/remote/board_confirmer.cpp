#include "remote/board_confirmer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "instrument/board_program.h"
#include "replay/describe_defect.h"
#include "replay/found_error.h"
#include "runtime/checks/checks.h"
#include "runtime/concolic/protocol.h"

namespace plumb::remote {
namespace {

using concolic::TargetRun;
using replay::FoundError;
using replay::RunEnd;
using replay::SeenDefect;

/// The same kind at the same site, and in a model in the same call. Without a site, what the search tells places apart
/// by decides; that is a sum of addresses, which another board may have elsewhere, so that only one of the kind is the
/// same, too.
const SeenDefect* find(const instrument::Subject& subject, const FoundError& error,
                       const std::vector<SeenDefect>& seen) {
  const auto is_alike = [&](const SeenDefect& each) {
    return static_cast<int>(each.kind) == error.code && each.site == error.site;
  };
  const auto is_same = [&](const SeenDefect& each) {
    return is_alike(each) && std::min(each.hash, program::kNone - 1) == error.last_edge;
  };
  auto found = std::ranges::find_if(seen, is_same);
  if (found == seen.end() && site_of_model_call(subject, error) == 0) found = std::ranges::find_if(seen, is_alike);
  if (found == seen.end()) return nullptr;
  const bool is_certain = error.site != 0 || is_same(*found) || std::ranges::count_if(seen, is_alike) == 1;
  return is_certain ? &*found : nullptr;
}

bool shows_failure(const FoundError& error, const TargetRun& run) {
  return run.end == error.end && run.code == error.code && (error.site == 0 || run.error_site == error.site);
}

std::string describe(const TargetRun& run) {
  if (run.end == RunEnd::Exit || run.end == RunEnd::Signal)
    return fmt::format("{} {}", run.end == RunEnd::Exit ? "exit code" : "signal", run.code);
  return std::string(name(run.end));
}

/// Why what a run showed again says nothing about the program; empty if it does.
std::string doubt(const instrument::Subject& subject, const FoundError& error, const TargetRun& run) {
  if (error.end == RunEnd::Signal && !replay::is_crash(error.code))
    return fmt::format("{} was sent to the program", replay::signal_name(error.code));
  // On bare metal the program's objects are in the runtime's own memory: with more of it, the pointer were not null.
  const bool is_full = run.trace.lost.contains({PLUMB_PIN_FULL, 0});
  if (is_full && instrument::is_bare_metal(subject.program.layout.triple) &&
      named(error).kind == program::FaultKind::NullDereference)
    return "the memory of the runtime was full, so that an allocation may have failed (--plumb-arena)";
  return {};
}

/// What the run itself told is better than what is known of the kind; places are the search's.
void take_from(const SeenDefect& seen, std::uint32_t pointer_width, result::Defect& defect) {
  result::Defect told = replay::describe_seen(seen, pointer_width);
  defect.message = std::move(told.message);
  defect.access = told.access;
  defect.object = std::move(told.object);
  if (seen.kind != PLUMB_DEFECT_LEAK || !defect.object || defect.place.file.empty()) return;
  defect.object->allocated = {{defect.function, defect.place, false}};
}

}  // namespace

BoardConfirmer::BoardConfirmer(const instrument::Subject& subject, Server& server)
    : subject_(subject), target_(server.make_repeating_target()) {}

replay::Confirmation BoardConfirmer::confirm(const FoundError& error, const Budget& budget) {
  replay::Confirmation confirmation;
  confirmation.defect = replay::describe_found(subject_, error);
  confirmation.defect.test = error.test;
  try {
    judge(error, confirmation, budget);
  } catch (const OutOfBudget& end) {
    confirmation.reason = to_string(end.stop);
  }
  return confirmation;
}

void BoardConfirmer::judge(const FoundError& error, replay::Confirmation& confirmation, const Budget& budget) {
  target_->reset();
  const TargetRun run =
      target_->run({.inputs = error.test.inputs, .random_seed = 0, .modes = {}, .max_nodes = 0}, budget);
  const SeenDefect* seen = error.end == RunEnd::Defect ? find(subject_, error, run.trace.defects) : nullptr;
  if (seen == nullptr && !(error.end != RunEnd::Defect && shows_failure(error, run))) {
    confirmation.reason = fmt::format("a second run on the target ended with {} and did not show it", describe(run));
    return;
  }
  confirmation.reason = doubt(subject_, error, run);
  if (!confirmation.reason.empty()) return;
  result::Defect& defect = confirmation.defect;
  confirmation.is_confirmed = true;
  defect.shown_by = "a second run on the target";
  defect.is_after_another = seen != nullptr && seen != &run.trace.defects.front();
  if (seen != nullptr) take_from(*seen, subject_.program.layout.pointer_width, defect);
}

}  // namespace plumb::remote
