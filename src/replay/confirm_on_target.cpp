// Where nothing but the instrumented program with its checks can run, an error counts if another run of its test there
// shows the same kind at the same site, in a model in the same call. Not counted are signals that are no crash, and
// null pointers where the target had too little memory.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "replay/confirmer.h"
#include "replay/describe_defect.h"
#include "runtime/checks/checks.h"

namespace plumb::replay {
namespace {

/// The same kind at the same site, and in a model in the same call. Without a site, what the search tells places apart
/// by decides; that is a sum of addresses, which another board may have elsewhere, so that only one of the kind is the
/// same, too.
const SeenDefect* find(const Subject& subject, const FoundError& error, const std::vector<SeenDefect>& seen) {
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

bool shows_failure(const FoundError& error, const Replay& again) {
  return again.ending.end == error.end && again.ending.code == error.code &&
         (error.site == 0 || again.error_site == error.site);
}

/// Why what a run showed again says nothing about the program; empty if it does.
std::string doubt(const FoundError& error, const Replay& again) {
  if (error.end == RunEnd::Signal && !is_crash(error.code))
    return fmt::format("{} was sent to the program", signal_name(error.code));
  if (again.lacks_memory && named(error).kind == program::FaultKind::NullDereference)
    return "the memory of the runtime was full, so that an allocation may have failed (--plumb-arena)";
  return {};
}

/// What the run itself told is better than what is known of the kind; places are the search's.
void take_from(const SeenDefect& seen, std::uint32_t pointer_width, result::Defect& defect) {
  result::Defect told = describe_seen(seen, pointer_width);
  defect.message = std::move(told.message);
  defect.access = told.access;
  defect.object = std::move(told.object);
  if (seen.kind != PLUMB_DEFECT_LEAK || !defect.object || defect.place.file.empty()) return;
  defect.object->allocated = {{defect.function, defect.place, false}};
}

}  // namespace

void Confirmer::confirm_on_target(const Subject& subject, const FoundError& error, Confirmation& made,
                                  const Budget& budget) {
  const Replay again = target_->run({error.test}, budget);
  const SeenDefect* seen = error.end == RunEnd::Defect ? find(subject, error, again.seen) : nullptr;
  if (seen == nullptr && !(error.end != RunEnd::Defect && shows_failure(error, again))) {
    made.reason = fmt::format("a second run on the {} ended with {} and did not show it", target_->name(), again.end);
    return;
  }
  made.reason = doubt(error, again);
  if (!made.reason.empty()) return;
  made.is_confirmed = true;
  made.defect.shown_by = fmt::format("a second run on the {}", target_->name());
  made.defect.is_after_another = seen != nullptr && seen != &again.seen.front();
  if (seen != nullptr) take_from(*seen, subject.program.layout.pointer_width, made.defect);
}

}  // namespace plumb::replay
