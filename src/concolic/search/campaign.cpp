#include "concolic/search/campaign.h"

#include <algorithm>
#include <utility>

#include "result/campaign/compact.h"

namespace plumb::concolic {

using instrument::Site;
using instrument::to_inputs;

namespace {

/// Division by zero ends a run, so which other branches it takes does not matter.
bool checks_memory(program::CheckSet checks) {
  checks.remove(program::Check::Division);
  return !checks.is_empty();
}

SearchReport empty_report(std::uint32_t edges) {
  SearchReport report;
  report.covered.resize(edges);
  return report;
}

}  // namespace

Campaign::Campaign(const Subject& subject, const SearchOptions& options, const SearchListener& listener,
                   const Budget& budget, const SearchLimits& limits, const EarlierSessions& earlier)
    : subject_(subject),
      options_(options),
      listener_(listener),
      budget_(budget),
      limits_(limits),
      report_(empty_report(subject.edge_count)),
      cost_model_(subject.regions.size(), options.regions),
      regions_tree_(TreeId::Regions, subject, options, report_.covered, limits) {
  is_counted_.resize(subject.edge_count);
  for (const Site& site : subject.sites)
    for (std::uint32_t i = 0; i < site.edge_count; ++i) is_counted_[site.first_edge + i] = site.is_counted;
  report_.edges_total = static_cast<std::uint32_t>(std::count(is_counted_.begin(), is_counted_.end(), true));
  max_depth_ = std::max(1U, options.limits.max_nodes);
  if (options.max_depth != 0) max_depth_ = std::min(max_depth_, options.max_depth);
  regions_tree_.depth =
      std::min(options.environment.is_empty() ? limits.first_depth : limits.first_depth_of_programs, max_depth_);
  timed_out_.resize(subject.edge_count);
  checks_memory_ = checks_memory(subject.program.checks);
  for (const auto& seed : options.seeds)
    regions_tree_.starts.push_back({to_inputs(options.environment, seed), first_start().random_seed, 0});
  if (earlier.runs.empty()) regions_tree_.starts.push_back(first_start());
  restore(earlier);
}

SearchStart Campaign::first_start() const {
  // 0 would stand for zeros.
  return {to_inputs(options_.environment, {}), mix(options_.seed, 0) | 1, 0};
}

/// Keys depend on the modes: those of other modes than the last ones are asked for again, which costs only time.
void Campaign::restore(const EarlierSessions& earlier) {
  if (earlier.search.sessions == 0) return;
  report_.runs = earlier.search.runs;
  report_.tests = earlier.tests.size();
  last_test_ = earlier.tests.empty() ? 0 : earlier.tests.back().number;
  report_.divergences = earlier.search.divergences;
  diverged_ = earlier.search.divergences;
  report_.errors = earlier.errors;
  report_.seconds_earlier = earlier.search.seconds;
  is_incomplete_ = earlier.search.is_incomplete;
  had_switched_ = earlier.search.has_switched;
  regions_tree_.depth = std::clamp(earlier.search.depth, regions_tree_.depth, max_depth_);
  cost_model_.restore(earlier.search.modes);
  regions_tree_.worklist.restore(earlier.search);
  for (const result::StoredTest& test : earlier.tests)
    for (const EdgeId edge : test.edges)
      if (edge < report_.covered.size() && is_counted_[edge] && std::exchange(report_.covered[edge], 1) == 0)
        ++report_.edges_covered;
  regions_tree_.worklist.coverage_changed();
  // In their order: then the ways that each went by chance are known before others could ask for them.
  for (const result::StoredRun& run : earlier.runs) {
    auto inputs = result::unpack_inputs(run.inputs);
    is_incomplete_ |= !inputs;
    regions_tree_.starts.push_back(
        {std::move(inputs).value_or(std::vector<result::TestInput>{}), run.random_seed, run.number});
    report_.runs = std::max(report_.runs, run.number);
  }
  // Of a campaign that was merged from others without their runs, the tests are what is known.
  for (const result::StoredTest& test : earlier.tests) {
    new_tests_.push_back({to_inputs(options_.environment, test.test), first_start().random_seed, 0});
    if (earlier.runs.empty()) regions_tree_.starts.push_back(new_tests_.back());
  }
}

double Campaign::seconds() const { return std::chrono::duration<double>(Budget::Clock::now() - start_).count(); }

// --- What to do next ---

std::optional<Job> Campaign::take() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (is_over_) return std::nullopt;
    if (budget_.exceeded()) {
      stop(SearchReport::Stop::Budget);
      return std::nullopt;
    }
    if (auto job = next()) {
      ++busy_;
      return job;
    }
    if (is_over_) return std::nullopt;
    if (busy_ != 0) {
      changed_.wait_for(lock, std::chrono::milliseconds(100));
      continue;
    }
    if (deepen(regions_tree_) || start_final_round()) continue;
    stop(SearchReport::Stop::Complete);
  }
}

std::optional<Job> Campaign::next_start(SearchTree& tree) {
  Job job;
  job.tree = tree.id;
  if (!tree.starts.empty()) {
    SearchStart& start = tree.starts.front();
    job.kind = Job::Kind::Start;
    job.inputs = std::move(start.inputs);
    job.random_seed = start.random_seed;
    job.earlier = start.earlier;
    tree.starts.pop_front();
    return job;
  }
  if (tree.extensions.empty()) return std::nullopt;
  job.kind = Job::Kind::Extend;
  job.origin = std::move(tree.extensions.front());
  tree.extensions.pop_front();
  return job;
}

namespace {

std::optional<Job> solve_job(std::optional<Candidate> candidate) {
  if (!candidate) return std::nullopt;
  Job job;
  job.kind = Job::Kind::Solve;
  job.tree = candidate->origin->tree;
  job.candidate = std::move(*candidate);
  return job;
}

}  // namespace

std::vector<SearchTree*> Campaign::trees() {
  std::vector<SearchTree*> all = {&regions_tree_};
  if (paths_tree_ != nullptr) all.push_back(paths_tree_.get());
  return all;
}

std::optional<Job> Campaign::next() {
  const bool is_started = report_.runs != 0 && regions_tree_.starts.empty();
  if (options_.until == Until::AllBranches && is_started && covers_all()) {
    // What is left are checks that may fail: they are no branches, and the point of testing all the same.
    if (auto job = next_defect()) return job;
    if (!wants_further_runs()) {
      if (busy_ == 0) stop(SearchReport::Stop::AllBranches);
      return std::nullopt;
    }
  }
  start_paths_if_due();
  if (paths_tree_ != nullptr && shares_.is_turn_of_paths())
    if (auto job = next(*paths_tree_)) return job;
  return next(regions_tree_);
}

std::optional<Job> Campaign::next_defect() {
  for (SearchTree* tree : trees())
    if (auto job = solve_job(tree->worklist.take_urgent())) return job;
  for (SearchTree* tree : trees())
    if (auto job = solve_job(tree->worklist.take_defect())) return job;
  return std::nullopt;
}

std::optional<Job> Campaign::next(SearchTree& tree) {
  if (options_.strategy != Strategy::DepthFirst && tree.runs_without_news >= limits_.stall_runs &&
      tree.extensions.empty())
    deepen(tree);
  // Longer runs, those of earlier sessions and other ways in turn, so that none keeps the others waiting.
  const bool has_new_start = !tree.starts.empty() && tree.starts.front().earlier == 0;
  const bool wants_starts_only = options_.until == Until::AllBranches && covers_all() && !tree.starts.empty();
  if (has_new_start || wants_starts_only || ++tree.turn % 2 == 0)
    if (auto job = next_start(tree)) return job;
  if (auto job = solve_job(tree.worklist.take())) return job;
  if (auto job = next_start(tree)) return job;
  if (auto job = solve_job(tree.worklist.take_retry())) return job;
  // Deeper runs come before escapes, of which there may be no end.
  if (busy_ == 0 && deepen(tree)) return next_start(tree);
  if (auto job = solve_job(tree.worklist.take_late_defect())) return job;
  return solve_job(tree.worklist.take_escape());
}

bool Campaign::may_search_paths() const {
  return options_.regions == RegionUse::Auto && options_.strategy == Strategy::Interleaved && !subject_.regions.empty();
}

/// What is small is done with by then.
void Campaign::start_paths_if_due() {
  if (paths_tree_ != nullptr || !may_search_paths() || !regions_tree_.starts.empty()) return;
  if (report_.runs < limits_.runs_of_regions || report_.region_visits == 0) return;
  paths_tree_ = std::make_unique<SearchTree>(TreeId::Paths, subject_, options_, report_.covered, limits_);
  paths_tree_->depth = regions_tree_.depth;
  paths_tree_->starts.assign(std::make_move_iterator(new_tests_.begin()), std::make_move_iterator(new_tests_.end()));
  paths_tree_->starts.push_back(first_start());
  new_tests_.clear();
  Modes modes;
  modes.epoch = ~std::uint32_t{0};  // of no other
  modes.bytes.assign(subject_.regions.size(), 0);
  path_modes_ = std::make_shared<const Modes>(std::move(modes));
  shares_.start();
}

/// What is new in one tree has ways on in the other.
void Campaign::share_test(const RunNews& news) {
  if (!may_search_paths()) return;
  SearchStart start{{news.inputs.begin(), news.inputs.end()}, news.origin->random_seed, 0};
  if (paths_tree_ == nullptr)
    new_tests_.push_back(std::move(start));
  else
    tree(news.origin->tree == TreeId::Paths ? TreeId::Regions : TreeId::Paths).starts.push_back(std::move(start));
}

bool Campaign::wants_further_runs() const {
  return checks_memory_ && report_.runs - last_news_ < std::max(limits_.further_runs, last_news_);
}

bool Campaign::deepen(SearchTree& tree) {
  if (tree.cut_runs.empty() || tree.depth >= max_depth_) return false;
  tree.depth = tree.depth > max_depth_ / 2 ? max_depth_ : 2 * tree.depth;
  tree.runs_without_news = 0;
  std::sort(tree.cut_runs.begin(), tree.cut_runs.end(), [](const auto& a, const auto& b) {
    return std::pair(~a->new_edges, a->number) < std::pair(~b->new_edges, b->number);
  });
  tree.extensions.insert(tree.extensions.end(), tree.cut_runs.begin(), tree.cut_runs.end());
  tree.cut_runs.clear();
  // At once: runs of this depth that a later session repeated at a smaller one would be cut off on the same path, and
  // taken for the same.
  if (tree.id == TreeId::Regions && listener_.on_state) listener_.on_state(state());
  return true;
}

/// Runs of different modes share no nodes, so what a candidate of one stands for may have been run in another and not
/// been followed up there. When regions were switched, everything is gone through once more in the last modes; what was
/// refuted stays so, and what had no answer is asked for again where it still comes up.
bool Campaign::start_final_round() {
  if (is_final_round_ || !has_switched()) return false;
  is_final_round_ = true;
  cost_model_.freeze();
  regions_tree_.worklist.restart();
  regions_tree_.cut_paths.clear();
  open_queries_ = 0;
  regions_tree_.starts.push_back(first_start());
  return true;
}

void Campaign::done() {
  const std::lock_guard lock(mutex_);
  --busy_;
  tell_progress();
  changed_.notify_all();
}

void Campaign::stop(SearchReport::Stop why) {
  if (is_over_) return;
  is_over_ = true;
  report_.stop = why;
  changed_.notify_all();
}

void Campaign::give_up(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  if (report_.problem.empty()) report_.problem = problem;
  is_incomplete_ = true;
  stop(SearchReport::Stop::Budget);
}

std::shared_ptr<const Modes> Campaign::modes(TreeId tree) const {
  const std::lock_guard lock(mutex_);
  return tree == TreeId::Paths ? path_modes_ : cost_model_.modes();
}

std::uint32_t Campaign::depth(TreeId id) const {
  const std::lock_guard lock(mutex_);
  return tree(id).depth;
}

std::vector<std::uint8_t> Campaign::covered() const {
  const std::lock_guard lock(mutex_);
  return report_.covered;
}

std::chrono::duration<double> Campaign::query_time(const Candidate& candidate) const {
  return candidate.attempts == 0 ? std::min(limits_.first_query_time, options_.query_time) : options_.query_time;
}

void Campaign::found(Enumeration enumeration, TreeId id) {
  const std::lock_guard lock(mutex_);
  is_bounded_ |= enumeration.is_bounded && id == TreeId::Regions;
  tree(id).worklist.add(std::move(enumeration));
}

void Campaign::answered(const QueryNews& news) {
  const std::lock_guard lock(mutex_);
  const TreeId id = news.candidate.origin->tree;
  const bool is_of_regions = id == TreeId::Regions;
  Worklist& worklist = tree(id).worklist;
  shares_.asked(id);
  ++report_.queries;
  report_.seconds_solving += news.seconds;
  if (news.answer != solve::Answer::Sat) worklist.failed(news.candidate);
  const bool is_of_edge = news.candidate.edge < timed_out_.size() && !news.candidate.is_escape;
  if (is_of_edge && is_of_regions) timed_out_[news.candidate.edge] = news.answer == solve::Answer::Unknown;
  switch (news.answer) {
    case solve::Answer::Sat:
      ++report_.sat;
      break;
    case solve::Answer::Unsat:
      ++report_.unsat;
      worklist.refuted(news.candidate);
      if (is_of_regions && listener_.on_refuted && !news.candidate.is_elsewhere())
        listener_.on_refuted(news.candidate.key);
      break;
    case solve::Answer::Unknown:
      ++report_.unknown;
      worklist.was_hard(news.candidate);
      if (news.candidate.attempts == 0 && limits_.first_query_time < options_.query_time) {
        Candidate again = news.candidate;
        ++again.attempts;
        worklist.retry_later(std::move(again));
      } else if (is_of_regions) {
        ++open_queries_;
      }
      break;
  }
  // A query that was cut off because everything ends says nothing about its regions.
  if (is_of_regions && !budget_.exceeded()) cost_model_.asked(news.regions, news.answer == solve::Answer::Unknown);
}

void Campaign::reran(TreeId tree, double seconds, bool is_divergence) {
  const std::lock_guard lock(mutex_);
  shares_.reran(tree);
  ++report_.reruns;
  report_.seconds_running += seconds;
  if (is_divergence) ++report_.divergences;
  if (is_divergence && tree == TreeId::Regions) ++diverged_;
  tell_flaws();
}

void Campaign::instantiated(std::uint32_t region, std::uint64_t visits, std::uint64_t terms) {
  const std::lock_guard lock(mutex_);
  cost_model_.instantiated(region, visits, terms);
  shares_.instantiated(terms);
}

}  // namespace plumb::concolic
