#include "concolic/search/campaign.h"

#include <algorithm>
#include <utility>

#include "result/campaign/compact.h"

namespace plumb::concolic {

namespace {

/// Division by zero ends a run, so which other branches it takes does not matter.
bool checks_memory(program::CheckSet checks) {
  checks.remove(program::Check::Division);
  return !checks.is_empty();
}

ExploreReport empty_report(std::uint32_t edges) {
  ExploreReport report;
  report.covered.resize(edges);
  return report;
}

}  // namespace

Campaign::Campaign(const Subject& subject, const ExploreOptions& options, const ExploreListener& listener,
                   const Budget& budget, const SearchLimits& limits, const EarlierSessions& earlier)
    : subject_(subject),
      options_(options),
      listener_(listener),
      budget_(budget),
      limits_(limits),
      report_(empty_report(subject.edge_count)),
      cost_model_(subject.regions.size(), options.regions),
      worklist_(subject, options.strategy, options.seed, report_.covered, limits) {
  is_counted_.resize(subject.edge_count);
  for (const Site& site : subject.sites)
    for (std::uint32_t i = 0; i < site.edge_count; ++i) is_counted_[site.first_edge + i] = site.is_counted;
  report_.edges_total = static_cast<std::uint32_t>(std::count(is_counted_.begin(), is_counted_.end(), true));
  max_depth_ = std::max(1U, options.limits.max_nodes);
  if (options.max_depth != 0) max_depth_ = std::min(max_depth_, options.max_depth);
  depth_ = std::min(options.environment.is_empty() ? limits.first_depth : limits.first_depth_of_programs, max_depth_);
  timed_out_.resize(subject.edge_count);
  checks_memory_ = checks_memory(subject.program.checks);
  for (const auto& seed : options.seeds)
    starts_.push_back({to_inputs(options.environment, seed), first_start().random_seed, 0});
  if (earlier.runs.empty()) starts_.push_back(first_start());
  restore(earlier);
}

Campaign::Start Campaign::first_start() const {
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
  report_.errors = earlier.errors;
  report_.seconds_earlier = earlier.search.seconds;
  is_incomplete_ = earlier.search.is_incomplete;
  had_switched_ = earlier.search.has_switched;
  depth_ = std::clamp(earlier.search.depth, depth_, max_depth_);
  cost_model_.restore(earlier.search.modes);
  worklist_.restore(earlier.search);
  for (const result::StoredTest& test : earlier.tests)
    for (const EdgeId edge : test.edges)
      if (edge < report_.covered.size() && is_counted_[edge] && std::exchange(report_.covered[edge], 1) == 0)
        ++report_.edges_covered;
  worklist_.coverage_changed();
  // In their order: then the ways that each went by chance are known before others could ask for them.
  for (const result::StoredRun& run : earlier.runs) {
    auto inputs = result::unpack_inputs(run.inputs);
    is_incomplete_ |= !inputs;
    starts_.push_back({std::move(inputs).value_or(std::vector<result::TestInput>{}), run.random_seed, run.number});
    report_.runs = std::max(report_.runs, run.number);
  }
  // Of a campaign that was merged from others without their runs, the tests are what is known.
  if (earlier.runs.empty())
    for (const result::StoredTest& test : earlier.tests)
      starts_.push_back({to_inputs(options_.environment, test.test), first_start().random_seed, 0});
}

double Campaign::seconds() const { return std::chrono::duration<double>(Budget::Clock::now() - start_).count(); }

// --- What to do next ---

std::optional<Job> Campaign::take() {
  std::unique_lock lock(mutex_);
  while (true) {
    if (is_over_) return std::nullopt;
    if (budget_.exceeded()) {
      stop(ExploreReport::Stop::Budget);
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
    if (deepen() || start_final_round()) continue;
    stop(ExploreReport::Stop::Complete);
  }
}

std::optional<Job> Campaign::next_start() {
  if (!starts_.empty()) {
    Start& start = starts_.front();
    Job job{.kind = Job::Kind::Start,
            .inputs = std::move(start.inputs),
            .random_seed = start.random_seed,
            .earlier = start.earlier,
            .origin = {},
            .candidate = {}};
    starts_.pop_front();
    return job;
  }
  if (extensions_.empty()) return std::nullopt;
  Job job;
  job.kind = Job::Kind::Extend;
  job.origin = std::move(extensions_.front());
  extensions_.pop_front();
  return job;
}

std::optional<Job> Campaign::next() {
  const auto solve = [](std::optional<Candidate> candidate) {
    Job job;
    job.kind = Job::Kind::Solve;
    job.candidate = std::move(*candidate);
    return job;
  };
  const bool is_started = report_.runs != 0 && starts_.empty();
  if (options_.until == Until::AllBranches && is_started && covers_all()) {
    // What is left are checks that may fail: they are no branches, and the point of testing all the same.
    if (auto candidate = worklist_.take_urgent()) return solve(std::move(candidate));
    if (auto candidate = worklist_.take_defect()) return solve(std::move(candidate));
    if (!wants_further_runs()) {
      if (busy_ == 0) stop(ExploreReport::Stop::AllBranches);
      return std::nullopt;
    }
  }
  if (options_.strategy != Strategy::DepthFirst && runs_without_news_ >= limits_.stall_runs && extensions_.empty())
    deepen();
  // Longer runs, those of earlier sessions and other ways in turn, so that none keeps the others waiting.
  const bool has_new_start = !starts_.empty() && starts_.front().earlier == 0;
  const bool wants_starts_only = options_.until == Until::AllBranches && covers_all() && !starts_.empty();
  if (has_new_start || wants_starts_only || ++turn_ % 2 == 0)
    if (auto job = next_start()) return job;
  if (auto candidate = worklist_.take()) return solve(std::move(candidate));
  if (auto job = next_start()) return job;
  if (auto candidate = worklist_.take_retry()) return solve(std::move(candidate));
  // Deeper runs come before escapes, of which there may be no end.
  if (busy_ == 0 && deepen()) return next_start();
  if (auto candidate = worklist_.take_late_defect()) return solve(std::move(candidate));
  if (auto candidate = worklist_.take_escape()) return solve(std::move(candidate));
  return std::nullopt;
}

bool Campaign::wants_further_runs() const {
  return checks_memory_ && report_.runs - last_news_ < std::max(limits_.further_runs, last_news_);
}

bool Campaign::deepen() {
  if (cut_runs_.empty() || depth_ >= max_depth_) return false;
  depth_ = depth_ > max_depth_ / 2 ? max_depth_ : 2 * depth_;
  runs_without_news_ = 0;
  std::sort(cut_runs_.begin(), cut_runs_.end(), [](const auto& a, const auto& b) {
    return std::pair(~a->new_edges, a->number) < std::pair(~b->new_edges, b->number);
  });
  extensions_.insert(extensions_.end(), cut_runs_.begin(), cut_runs_.end());
  cut_runs_.clear();
  // At once: runs of this depth that a later session repeated at a smaller one would be cut off on the same path, and
  // taken for the same.
  if (listener_.on_state) listener_.on_state(state());
  return true;
}

/// Runs of different modes share no nodes, so what a candidate of one stands for may have been run in another and not
/// been followed up there. When regions were switched, everything is gone through once more in the last modes; what was
/// refuted stays so, and what had no answer is asked for again where it still comes up.
bool Campaign::start_final_round() {
  if (is_final_round_ || !has_switched()) return false;
  is_final_round_ = true;
  cost_model_.freeze();
  worklist_.restart();
  cut_paths_.clear();
  open_queries_ = 0;
  starts_.push_back(first_start());
  return true;
}

void Campaign::done() {
  const std::lock_guard lock(mutex_);
  --busy_;
  tell_progress();
  changed_.notify_all();
}

void Campaign::stop(ExploreReport::Stop why) {
  if (is_over_) return;
  is_over_ = true;
  report_.stop = why;
  changed_.notify_all();
}

void Campaign::give_up(const std::string& problem) {
  const std::lock_guard lock(mutex_);
  if (report_.problem.empty()) report_.problem = problem;
  is_incomplete_ = true;
  stop(ExploreReport::Stop::Budget);
}

std::shared_ptr<const Modes> Campaign::modes() const {
  const std::lock_guard lock(mutex_);
  return cost_model_.modes();
}

std::uint32_t Campaign::depth() const {
  const std::lock_guard lock(mutex_);
  return depth_;
}

std::vector<std::uint8_t> Campaign::covered() const {
  const std::lock_guard lock(mutex_);
  return report_.covered;
}

std::chrono::duration<double> Campaign::query_time(const Candidate& candidate) const {
  return candidate.attempts == 0 ? std::min(limits_.first_query_time, options_.query_time) : options_.query_time;
}

void Campaign::found(Enumeration enumeration) {
  const std::lock_guard lock(mutex_);
  is_bounded_ |= enumeration.is_bounded;
  worklist_.add(std::move(enumeration));
}

void Campaign::answered(const QueryNews& news) {
  const std::lock_guard lock(mutex_);
  ++report_.queries;
  report_.seconds_solving += news.seconds;
  if (news.answer != solve::Answer::Sat) worklist_.failed(news.candidate);
  const bool is_of_edge = news.candidate.edge < timed_out_.size() && !news.candidate.is_escape;
  if (is_of_edge) timed_out_[news.candidate.edge] = news.answer == solve::Answer::Unknown;
  switch (news.answer) {
    case solve::Answer::Sat:
      ++report_.sat;
      break;
    case solve::Answer::Unsat:
      ++report_.unsat;
      worklist_.refuted(news.candidate);
      if (listener_.on_refuted && !news.candidate.is_elsewhere()) listener_.on_refuted(news.candidate.key);
      break;
    case solve::Answer::Unknown:
      ++report_.unknown;
      worklist_.was_hard(news.candidate);
      if (news.candidate.attempts == 0 && limits_.first_query_time < options_.query_time) {
        Candidate again = news.candidate;
        ++again.attempts;
        worklist_.retry_later(std::move(again));
      } else {
        ++open_queries_;
      }
      break;
  }
  // A query that was cut off because everything ends says nothing about its regions.
  if (!budget_.exceeded()) cost_model_.asked(news.regions, news.answer == solve::Answer::Unknown);
}

void Campaign::reran(double seconds, bool is_divergence) {
  const std::lock_guard lock(mutex_);
  ++report_.reruns;
  report_.seconds_running += seconds;
  if (is_divergence) ++report_.divergences;
  tell_flaws();
}

void Campaign::instantiated(std::uint32_t region, std::uint64_t visits, std::uint64_t terms) {
  const std::lock_guard lock(mutex_);
  cost_model_.instantiated(region, visits, terms);
}

}  // namespace plumb::concolic
