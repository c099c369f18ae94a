// What a run means for the campaign: its coverage, whether it is kept as a test, whether it is an error, and whether
// its paths were all that there is.
#include <algorithm>

#include "concolic/search/campaign.h"
#include "concolic/search/search_gaps.h"
#include "runtime/checks/checks.h"

namespace plumb::concolic {

using instrument::Site;
using instrument::to_test;

namespace {

constexpr std::chrono::seconds kStateInterval{3};

/// Otherwise the program as the user has it would not have come to this end, and the run covers nothing. A run that the
/// tool ended at a defect is made again to its end.
bool is_run_of_program(RunEnd end) {
  return end != RunEnd::AssumeFailed && end != RunEnd::MissingCode && end != RunEnd::Defect;
}

/// The tool, not the program, ended the run: what would have come is not known.
bool is_cut_off(RunEnd end) {
  switch (end) {
    case RunEnd::Exit:
    case RunEnd::AssumeFailed:
    case RunEnd::DepthLimit:  // handled by deeper runs
    case RunEnd::Error:
    case RunEnd::Signal:
    case RunEnd::Defect:  // made again without the region that it ended in
      return false;
    case RunEnd::InputLimit:
    case RunEnd::StreamLimit:
    case RunEnd::MissingCode:
    case RunEnd::Timeout:
    case RunEnd::Killed:
    case RunEnd::FileLimit:
    case RunEnd::Corrupted:
      return true;
  }
  return true;
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
      return node.taken == 1 && node.checked.object == candidate.checked.object;
    // Where a fault in a region or a call leads natively is not for the formula to say.
    case Alternative::Kind::Violation:
      return node.kind == PathNode::Kind::Region || node.taken == 0 || is_elsewhere(run, candidate);
    case Alternative::Kind::Target:
      return true;
  }
  return true;
}

bool is_elsewhere(const TargetRun& run, const Candidate& candidate) {
  if (!candidate.is_defect() || !reaches(run.trace, candidate)) return false;
  const PathNode& node = run.trace.nodes[candidate.node];
  return node.taken == 1 && node.checked.object != candidate.checked.object;
}

/// A run whose assumption fails is no run of the program, so what it covered does not count.
std::vector<EdgeId> Campaign::merge_coverage(const TargetRun& run) {
  std::vector<EdgeId> fresh;
  if (!is_run_of_program(run.end)) return fresh;
  const std::size_t edges = std::min(run.coverage.size(), report_.covered.size());
  bool has_changed = false;
  for (EdgeId edge = 0; edge < edges; ++edge) {
    if (run.coverage[edge] == 0 || report_.covered[edge] != 0) continue;
    report_.covered[edge] = 1;
    has_changed = true;
    if (is_counted_[edge]) fresh.push_back(edge);
  }
  report_.edges_covered += static_cast<std::uint32_t>(fresh.size());
  if (has_changed)
    for (SearchTree* tree : trees()) tree->worklist.coverage_changed();
  return fresh;
}

/// The formula of a region ends at a defect, and the run with it. Made again without that region, it goes on.
void Campaign::leave_region(const RunNews& news) {
  const auto& nodes = news.run.trace.nodes;
  const bool is_inside =
      !nodes.empty() && nodes.back().kind == PathNode::Kind::Region && nodes.back().taken == program::kNone;
  is_incomplete_ |= !is_inside;
  if (!is_inside) return;
  // Others may have been ended there before this one was noticed.
  if (cost_model_.rule_out(nodes.back().site)) is_final_round_ = false;
  regions_tree_.starts.push_front({{news.inputs.begin(), news.inputs.end()}, news.origin->random_seed, 0});
}

void Campaign::keep_test(const RunNews& news, std::vector<EdgeId> new_edges, std::span<const std::size_t> errors) {
  FoundTest test;
  test.number = ++last_test_;
  ++report_.tests;
  test.test = to_test(options_.environment, news.inputs);
  test.end = news.run.end;
  test.code = news.run.code;
  // Behind a defect the program without checks need not go on as the run did.
  const auto& defects = news.run.trace.defects;
  if (!defects.empty() && defects[0].kind != PLUMB_DEFECT_LEAK) {
    test.end = RunEnd::Defect;
    test.code = static_cast<int>(defects[0].kind);
  }
  test.new_edges = std::move(new_edges);
  const std::size_t edges = std::min(news.run.coverage.size(), is_counted_.size());
  for (EdgeId edge = 0; edge < edges && is_run_of_program(news.run.end); ++edge)
    if (is_counted_[edge] && news.run.coverage[edge] != 0) test.edges.push_back(edge);
  test.seconds = report_.seconds_earlier + seconds();
  for (const std::size_t place : errors) {
    report_.errors[place].test_number = test.number;
    if (listener_.on_error) listener_.on_error(report_.errors[place]);
  }
  if (listener_.on_test) listener_.on_test(test);
  const auto ends_search = [&](std::size_t place) {
    return !options_.ends_search || options_.ends_search(report_.errors[place]);
  };
  if (options_.until == Until::Error && std::ranges::any_of(errors, ends_search)) stop(SearchReport::Stop::Error);
}

void Campaign::note_candidate(const RunNews& news, bool is_new) {
  if (news.candidate == nullptr) return;
  const Candidate& candidate = *news.candidate;
  if (!is_new) tree(candidate.origin->tree).worklist.failed(candidate);
  if (candidate.is_escape || candidate.is_defect()) return;
  if (candidate.kind != Alternative::Kind::Violation || !is_error(news.run.end)) return;
  for (SearchTree* each : trees()) each->worklist.settle(candidate);
  if (listener_.on_settled) listener_.on_settled(candidate.target);
}

void Campaign::count(const RunNews& news) {
  const Trace& trace = news.run.trace;
  report_.inputs_read = std::max<std::uint64_t>(report_.inputs_read, report_.paths == 0 ? trace.inputs.size() : 0);
  if (news.earlier != 0) {
    news.origin->number = news.earlier;
    ++report_.reruns;
  } else {
    news.origin->number = ++report_.runs;
  }
  report_.seconds_running += news.run.seconds;
  ++report_.ends[news.run.end];
  for (const auto& [what, count] : trace.lost) report_.lost[what] += count;
  report_.region_visits += trace.region_visits;
  report_.symbolic_nodes += trace.nodes.size();
  // Single paths are more than was asked for, so what they leave out is not missing.
  if (news.origin->tree != TreeId::Regions) return;
  has_lost_ |= !trace.lost.empty();
  is_incomplete_ |= is_cut_off(news.run.end) || !trace.is_complete;
}

void Campaign::tell_path(const RunNews& news, bool is_new_path) {
  if (is_new_path && listener_.on_path)
    listener_.on_path({.number = news.origin->number,
                       .replaces = news.replaces,
                       .is_earlier = news.earlier != 0,
                       .random_seed = news.origin->random_seed,
                       .end = news.run.end,
                       .code = news.run.code,
                       .inputs = news.inputs});
  const Candidate* candidate = news.candidate;
  if (candidate == nullptr || candidate->is_elsewhere() || !listener_.on_run_one) return;
  if (candidate->origin->tree != TreeId::Regions) return;
  if (is_elsewhere(news.run, *candidate)) return;  // it is asked for once more
  // The ways on from an edge inside of a region are known by its candidate alone, which is asked for again.
  const bool leads_on = candidate->via || candidate->kind == Alternative::Kind::InnerEdge;
  if (!leads_on || news.run.end != RunEnd::AssumeFailed) listener_.on_run_one(candidate->key);
}

void Campaign::tell_flaws() {
  if (!listener_.on_state) return;
  const std::uint32_t flaws = (is_incomplete_ ? 1U : 0U) | (diverged_ != 0 ? 2U : 0U) | (has_switched() ? 4U : 0U);
  if ((flaws & ~told_flaws_) == 0) return;
  told_flaws_ |= flaws;
  listener_.on_state(state());
}

void Campaign::ran(const RunNews& news) {
  const std::lock_guard lock(mutex_);
  const TargetRun& run = news.run;
  const Trace& trace = run.trace;
  // What the end of the budget cut off is as if it had not been run: a later session does.
  const bool is_cut = news.is_divergence || is_cut_off(run.end) || !trace.is_complete;
  // Memory may be free again in a moment, but this run would be missing.
  if (is_cut && report_.runs != 0 && budget_.exceeded()) return stop(SearchReport::Stop::Budget);
  count(news);
  const bool is_new_path = paths_.insert(trace.nodes.empty() ? 0 : trace.nodes.back().prefix).second;
  if (is_new_path) ++report_.paths;
  SearchTree& own = tree(news.origin->tree);
  if (news.is_divergence) ++report_.divergences;
  if (news.is_divergence && own.id == TreeId::Regions) ++diverged_;
  tell_flaws();
  tell_path(news, is_new_path);

  std::vector<EdgeId> fresh = merge_coverage(run);
  const bool is_new = !fresh.empty();
  const bool is_told = news.earlier != 0;  // what a run of an earlier session showed was told then
  if (is_new || !is_told) own.runs_without_news = is_new ? 0 : own.runs_without_news + 1;
  shares_.ran(own.id, fresh.size());
  if (is_new) share_test(news);
  news.origin->new_edges = static_cast<std::uint32_t>(fresh.size());
  note_candidate(news, is_new);
  if (is_new) last_news_ = report_.runs;
  const std::vector<std::size_t> errors = note_errors(news);
  const bool is_first = report_.tests == 0 && is_run_of_program(run.end);
  const bool is_bad = is_error(run.end) || !trace.defects.empty();
  const bool is_wanted = options_.all_errors && is_new_path && is_bad && !is_told;
  if (is_new || !errors.empty() || is_first || is_wanted) keep_test(news, std::move(fresh), errors);

  if (run.end == RunEnd::AssumeFailed) note_uncounted(news);
  if (run.end == RunEnd::Defect) leave_region(news);
  if (news.candidate != nullptr && is_elsewhere(run, *news.candidate))
    own.worklist.ask_elsewhere(*news.candidate, news.origin);
  if (run.end == RunEnd::DepthLimit || trace.is_cut) keep_cut_run(news);
}

void Campaign::note_uncounted(const RunNews& news) {
  const std::size_t edges = std::min(news.run.coverage.size(), report_.covered.size());
  for (EdgeId edge = 0; edge < edges; ++edge)
    if (is_counted_[edge] && news.run.coverage[edge] != 0 && report_.covered[edge] == 0)
      news.origin->uncounted.push_back(edge);
}

/// Of runs that were cut off on the same path one is enough: all ways on from there are found from it, but for those
/// that take an edge inside of a region which has to count yet.
void Campaign::keep_cut_run(const RunNews& news) {
  const Origin& origin = *news.origin;
  const std::uint64_t way = origin.via ? mix(origin.via.node, origin.via.index) : 0;
  SearchTree& own = tree(origin.tree);
  if (!own.cut_paths.insert(mix(mix(origin.prefix, origin.max_nodes), way)).second) return;
  if (origin.max_nodes >= max_depth_ || own.cut_runs.size() >= limits_.max_cut_runs)
    is_bounded_ |= own.id == TreeId::Regions;
  else
    own.cut_runs.push_back(news.origin);
}

void Campaign::tell_progress() {
  if (!listener_.on_progress) return;
  const auto now = Budget::Clock::now();
  if (now - last_progress_ < std::chrono::milliseconds(250)) return;
  last_progress_ = now;
  listener_.on_progress({.edges_covered = report_.edges_covered,
                         .edges_total = report_.edges_total,
                         .runs = report_.runs,
                         .pending = regions_tree_.worklist.pending()});
  if (!listener_.on_state || now - last_state_ < kStateInterval) return;
  last_state_ = now;
  listener_.on_state(state());
}

result::StoredBranch::State Campaign::state_of(EdgeId edge, bool is_open, bool is_reached) const {
  using State = result::StoredBranch::State;
  if (report_.covered[edge] != 0) return State::Covered;
  if (timed_out_[edge]) return State::TimedOut;
  if (is_open) return State::Open;
  if (regions_tree_.worklist.refuted_edges()[edge]) return State::Refuted;
  return is_reached ? State::Open : State::NotReached;
}

SearchState Campaign::state() const {
  SearchState state;
  state.search.seconds = report_.seconds_earlier + seconds();
  state.search.runs = report_.runs;
  state.search.divergences = diverged_;
  state.search.depth = regions_tree_.depth;
  state.search.is_incomplete = is_incomplete_;
  state.search.has_switched = has_switched();
  state.search.modes = cost_model_.modes()->bytes;
  state.edges.resize(report_.covered.size(), result::StoredBranch::State::NotReached);
  const std::vector<bool> open = regions_tree_.worklist.open_edges();
  for (const Site& site : subject_.sites) {
    if (!site.is_counted || site.edge_count == 0) continue;
    const auto first = report_.covered.begin() + site.first_edge;
    const bool is_reached =
        std::any_of(first, first + site.edge_count, [](std::uint8_t covered) { return covered != 0; });
    for (EdgeId edge = site.first_edge; edge < site.first_edge + site.edge_count; ++edge)
      state.edges[edge] = state_of(edge, open[edge], is_reached);
  }
  return state;
}

bool Campaign::is_exhaustive() const {
  const bool is_decided_outside =
      std::ranges::any_of(subject_.sites, [](const Site& site) { return site.is_counted && site.depends_on_outside; });
  const bool was_switched = has_switched() && !is_final_round_;
  return report_.stop == SearchReport::Stop::Complete && !is_bounded_ && !is_incomplete_ && !was_switched &&
         regions_tree_.cut_runs.empty() && !has_lost_ && diverged_ == 0 && open_queries_ == 0 &&
         !regions_tree_.worklist.has_dropped() && !is_decided_outside && report_.gaps.empty();
}

SearchReport Campaign::report() {
  const std::lock_guard lock(mutex_);
  report_.regions_switched = cost_model_.switched();
  report_.gaps = search_gaps(subject_, report_);
  report_.is_exhaustive = is_exhaustive();
  report_.infeasible.assign(report_.covered.size(), 0);
  if (report_.is_exhaustive)
    for (EdgeId edge = 0; edge < report_.covered.size(); ++edge)
      report_.infeasible[edge] = is_counted_[edge] && report_.covered[edge] == 0 ? 1 : 0;
  report_.seconds_total = seconds();
  report_.state = state();
  report_.state.search.stop = name(report_.stop);
  for (EdgeId edge = 0; edge < report_.covered.size(); ++edge)
    if (report_.infeasible[edge] != 0) report_.state.edges[edge] = result::StoredBranch::State::Infeasible;
  return report_;
}

}  // namespace plumb::concolic
