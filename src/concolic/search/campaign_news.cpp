// What a run means for the campaign: its coverage, whether it is kept as a test, whether it is an error, and whether
// its paths were all that there is.
#include <algorithm>

#include "concolic/search/campaign.h"

namespace plumb::concolic {

namespace {

bool is_error(RunEnd end) { return end == RunEnd::Error || end == RunEnd::Signal; }

/// The tool, not the program, ended the run: what would have come is not known.
bool is_cut_off(RunEnd end) {
  switch (end) {
    case RunEnd::Exit:
    case RunEnd::AssumeFailed:
    case RunEnd::DepthLimit:  // handled by deeper runs
    case RunEnd::Error:
    case RunEnd::Signal:
      return false;
    case RunEnd::InputLimit:
    case RunEnd::StreamLimit:
    case RunEnd::Timeout:
    case RunEnd::MemoryLimit:
    case RunEnd::FileLimit:
    case RunEnd::Corrupted:
      return true;
  }
  return true;
}

std::pair<std::size_t, std::size_t> length(const result::TestCase& test) {
  std::size_t bytes = 0;
  for (const auto& input : test.inputs) bytes += input.bytes.size();
  return {test.inputs.size(), bytes};
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

bool follows(const TargetRun& run, const Candidate& candidate) {
  if (!reaches(run.trace, candidate)) return false;
  const auto covers = [&](EdgeId edge) { return edge < run.coverage.size() && run.coverage[edge] != 0; };
  if (candidate.via && !covers(candidate.via.edge)) return false;
  if (candidate.is_escape) return true;
  const PathNode& node = run.trace.nodes[candidate.node];
  switch (candidate.kind) {
    case Alternative::Kind::Edge:
    case Alternative::Kind::Destination:
      return node.taken == candidate.index;
    case Alternative::Kind::InnerEdge:
      return covers(candidate.edge);
    case Alternative::Kind::Assumption:
      return node.taken == 1;
    // Where a fault in a region or a call leads natively is not for the formula to say.
    case Alternative::Kind::Violation:
      return node.kind == PathNode::Kind::Region || node.taken == 0;
    case Alternative::Kind::Target:
      return true;
  }
  return true;
}

/// A run whose assumption fails is no run of the program, so what it covered does not count.
std::vector<EdgeId> Campaign::merge_coverage(const TargetRun& run) {
  std::vector<EdgeId> fresh;
  if (run.end == RunEnd::AssumeFailed) return fresh;
  const std::size_t edges = std::min(run.coverage.size(), report_.covered.size());
  bool has_changed = false;
  for (EdgeId edge = 0; edge < edges; ++edge) {
    if (run.coverage[edge] == 0 || report_.covered[edge] != 0) continue;
    report_.covered[edge] = 1;
    has_changed = true;
    if (is_counted_[edge]) fresh.push_back(edge);
  }
  report_.edges_covered += static_cast<std::uint32_t>(fresh.size());
  if (has_changed) worklist_.coverage_changed();
  return fresh;
}

/// Gives the error if it is new, or known with a longer input.
FoundError* Campaign::note_error(const RunNews& news) {
  const TargetRun& run = news.run;
  FoundError error;
  error.end = run.end;
  error.code = run.code;
  error.site = run.end == RunEnd::Error ? run.error_site : 0;
  if (error.site == 0) error.last_edge = last_edge(subject_, run.trace);
  error.test.inputs.assign(news.inputs.begin(), news.inputs.end());
  const auto known = std::find_if(report_.errors.begin(), report_.errors.end(), [&](const FoundError& e) {
    return e.end == error.end && e.code == error.code && e.site == error.site && e.last_edge == error.last_edge;
  });
  if (known == report_.errors.end()) {
    error.runs = 1;
    report_.errors.push_back(std::move(error));
    return &report_.errors.back();
  }
  ++known->runs;
  if (length(known->test) <= length(error.test)) return nullptr;
  known->test = std::move(error.test);
  return &*known;
}

void Campaign::keep_test(const RunNews& news, std::vector<EdgeId> new_edges, FoundError* error) {
  FoundTest test;
  test.number = static_cast<std::uint32_t>(++report_.tests);
  test.test.inputs.assign(news.inputs.begin(), news.inputs.end());
  test.end = news.run.end;
  test.code = news.run.code;
  test.new_edges = std::move(new_edges);
  test.seconds = seconds();
  if (listener_.on_test) listener_.on_test(test);
  if (error == nullptr) return;
  error->test_number = test.number;
  if (listener_.on_error) listener_.on_error(*error);
  if (options_.until == Until::Error) stop(ExploreReport::Stop::Error);
}

void Campaign::note_candidate(const RunNews& news, bool is_new) {
  if (news.candidate == nullptr) return;
  const Candidate& candidate = *news.candidate;
  if (news.is_divergence) ++report_.divergences;
  if (!is_new) worklist_.failed(candidate);
  if (candidate.is_escape) return;
  if (candidate.kind == Alternative::Kind::Violation && is_error(news.run.end)) worklist_.settle(candidate);
}

void Campaign::ran(const RunNews& news) {
  const std::lock_guard lock(mutex_);
  const TargetRun& run = news.run;
  const Trace& trace = run.trace;
  news.origin->number = ++report_.runs;
  if (report_.runs == 1) report_.inputs_read = trace.inputs.size();
  report_.seconds_running += run.seconds;
  ++report_.ends[run.end];
  for (const auto& [what, count] : trace.lost) report_.lost[what] += count;
  report_.region_visits += trace.region_visits;
  report_.symbolic_nodes += trace.nodes.size();
  const bool is_new_path = paths_.insert(trace.nodes.empty() ? 0 : trace.nodes.back().prefix).second;
  if (is_new_path) ++report_.paths;
  is_incomplete_ |= is_cut_off(run.end) || !trace.is_complete;

  std::vector<EdgeId> fresh = merge_coverage(run);
  const bool is_new = !fresh.empty();
  runs_without_news_ = is_new ? 0 : runs_without_news_ + 1;
  news.origin->new_edges = static_cast<std::uint32_t>(fresh.size());
  note_candidate(news, is_new);
  FoundError* error = is_error(run.end) ? note_error(news) : nullptr;
  const bool is_first = report_.tests == 0 && run.end != RunEnd::AssumeFailed;
  if (is_new || error != nullptr || is_first) keep_test(news, std::move(fresh), error);

  // Of runs that were cut off on the same path one is enough: all ways on from there are found from it.
  if (run.end != RunEnd::DepthLimit || !is_new_path) return;
  if (news.origin->max_nodes >= max_depth_ || cut_runs_.size() >= limits_.max_cut_runs)
    is_bounded_ = true;
  else
    cut_runs_.push_back(news.origin);
}

void Campaign::tell_progress() {
  if (!listener_.on_progress) return;
  const auto now = Budget::Clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(250)) return;
  last_progress_ = now;
  listener_.on_progress({.edges_covered = report_.edges_covered,
                         .edges_total = report_.edges_total,
                         .runs = report_.runs,
                         .pending = worklist_.pending()});
}

bool Campaign::is_exhaustive() const {
  const bool is_decided_outside =
      std::ranges::any_of(subject_.sites, [](const Site& site) { return site.is_counted && site.depends_on_outside; });
  const bool was_switched = cost_model_.switched() != 0 && !is_final_round_;
  return report_.stop == ExploreReport::Stop::Complete && !is_bounded_ && !is_incomplete_ && !was_switched &&
         cut_runs_.empty() && report_.lost.empty() && report_.divergences == 0 && open_queries_ == 0 &&
         !worklist_.has_dropped() && !is_decided_outside;
}

ExploreReport Campaign::report() {
  const std::lock_guard lock(mutex_);
  report_.regions_switched = cost_model_.switched();
  report_.is_exhaustive = is_exhaustive();
  report_.infeasible.assign(report_.covered.size(), 0);
  if (report_.is_exhaustive)
    for (EdgeId edge = 0; edge < report_.covered.size(); ++edge)
      report_.infeasible[edge] = is_counted_[edge] && report_.covered[edge] == 0 ? 1 : 0;
  report_.seconds_total = seconds();
  return report_;
}

}  // namespace plumb::concolic
