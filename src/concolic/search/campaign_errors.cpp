// Which errors and defects a run shows, and which of the inputs that show one is kept.
#include <algorithm>
#include <tuple>

#include "concolic/search/campaign.h"
#include "result/test_size.h"
#include "runtime/checks/checks.h"

namespace plumb::concolic {

using instrument::Site;
using instrument::to_test;

namespace {

/// Places that one site is told apart into by call stacks.
constexpr std::size_t kMaxPlaces = 16;

/// Of tests of the same length one with much smaller values, which is easier to read: it should be worth a new file.
bool is_better(const FoundError& error, const FoundError& known) {
  const result::TestSize size = size_of(error.test);
  const result::TestSize known_size = size_of(known.test);
  const auto length = std::tuple(error.is_after_another, size.parts, size.bytes);
  const auto known_length = std::tuple(known.is_after_another, known_size.parts, known_size.bytes);
  if (length != known_length) return length < known_length;
  return known_size.weight != 0 && 2 * size.weight <= known_size.weight;
}

/// What an access shows behind its first defect in a run is a consequence of that.
bool is_repeated(std::span<const SeenDefect> before, const SeenDefect& defect) {
  return defect.site != 0 && std::ranges::any_of(before, [&](const SeenDefect& d) {
           return d.site == defect.site && d.kind != defect.kind;
         });
}

EdgeId last_edge(const Subject& subject, const Trace& trace) {
  for (auto node = trace.nodes.rbegin(); node != trace.nodes.rend(); ++node) {
    if (node->kind != PathNode::Kind::Branch || node->site >= subject.sites.size()) continue;
    const Site& site = subject.sites[node->site];
    if (node->taken < site.edge_count) return site.first_edge + node->taken;
  }
  return program::kNone;
}

}  // namespace

bool is_error(RunEnd end) { return end == RunEnd::Error || end == RunEnd::Signal || end == RunEnd::Defect; }

/// Gives the error if it is new, or known with a worse input. A run of an earlier session may have been cut off there
/// before its error.
std::optional<std::size_t> Campaign::note_error(const RunNews& news, FoundError error) {
  error.test = to_test(options_.environment, news.inputs);
  const auto known = std::ranges::find_if(report_.errors, [&](const FoundError& e) {
    return e.end == error.end && e.code == error.code && e.site == error.site && e.last_edge == error.last_edge;
  });
  const std::size_t place = static_cast<std::size_t>(known - report_.errors.begin());
  if (known == report_.errors.end()) {
    error.runs = 1;
    report_.errors.push_back(std::move(error));
    last_news_ = report_.runs;
    return place;
  }
  if (news.earlier != 0) return std::nullopt;
  ++known->runs;
  if (!is_better(error, *known)) return std::nullopt;
  known->test = std::move(error.test);
  known->is_after_another = error.is_after_another;
  return place;
}

/// What is wrong in a model is wrong in one of its callers, and one that is told by its allocation has no site of its
/// own.
bool Campaign::is_shared_place(const SeenDefect& defect) const {
  if (defect.site == 0 || defect.kind == PLUMB_DEFECT_LEAK) return true;
  const program::FunctionId function = subject_.sites[defect.site].function;
  return function >= subject_.program.functions.size() || subject_.program.functions[function].is_model;
}

std::optional<std::size_t> Campaign::note_defect(const RunNews& news, const SeenDefect& defect, bool is_after_another) {
  FoundError error;
  error.end = RunEnd::Defect;
  error.code = static_cast<int>(defect.kind);
  error.site = defect.site;
  error.is_after_another = is_after_another;
  const bool is_shared = is_shared_place(defect);
  if (is_shared) error.last_edge = std::min(defect.hash, program::kNone - 1);
  const std::size_t known = report_.errors.size();
  const auto is_of_site = [&](const FoundError& e) {
    return e.end == error.end && e.code == error.code && e.site == error.site;
  };
  const bool is_full = is_shared && std::ranges::count_if(report_.errors, is_of_site) >= std::ptrdiff_t{kMaxPlaces};
  const bool is_known = std::ranges::any_of(
      report_.errors, [&](const FoundError& e) { return is_of_site(e) && e.last_edge == error.last_edge; });
  std::optional<std::size_t> place;
  if (is_known || !is_full) place = note_error(news, std::move(error));
  const std::uint64_t target = defect_target(defect.site, defect.kind);
  const bool is_new = report_.errors.size() != known;
  // That other runs showed it too says nothing about other callers.
  if (is_shared && !is_new && (news.candidate == nullptr || news.candidate->target != target)) return place;
  bool is_settled = false;
  for (SearchTree* each : trees()) is_settled |= each->worklist.settle_defect(target, is_shared, is_new);
  if (is_settled && listener_.on_settled) listener_.on_settled(target);
  return place;
}

std::vector<std::size_t> Campaign::note_errors(const RunNews& news) {
  const TargetRun& run = news.run;
  std::vector<std::size_t> places;
  const std::span<const SeenDefect> defects = run.trace.defects;
  for (std::size_t i = 0; i < defects.size(); ++i) {
    if (is_repeated(defects.first(i), defects[i])) continue;
    if (const auto place = note_defect(news, defects[i], i != 0)) places.push_back(*place);
  }
  if (!is_error(run.end) || run.end == RunEnd::Defect) return places;
  FoundError error;
  error.end = run.end;
  error.code = run.code;
  error.site = run.end == RunEnd::Error ? run.error_site : 0;
  if (error.site == 0) error.last_edge = last_edge(subject_, run.trace);
  if (const auto place = note_error(news, std::move(error))) places.push_back(*place);
  return places;
}

}  // namespace plumb::concolic
