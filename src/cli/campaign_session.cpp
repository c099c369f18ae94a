#include "cli/campaign_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "cli/campaign_options.h"
#include "result/campaign/compact.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;
using concolic::FoundTest;
using replay::FoundError;
using result::CampaignStore;
using result::StoredBranch;

}  // namespace

CampaignSession::CampaignSession(fs::path directory) : path_(std::move(directory)), directory_(path_) {}

result::StoredProgram CampaignSession::open() {
  store_.emplace(path_, CampaignStore::Mode::Resume);
  return store_->program();
}

std::size_t CampaignSession::begin(const instrument::Subject& subject, const result::StoredProgram& program) {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error)
    throw UserError(SourceLocation{path_.string()}, fmt::format("cannot make the directory: {}", error.message()),
                    "name another directory with --out");
  // Files go first: whenever the process ends, each that is there is a test of the database that is there.
  std::size_t old = 0;
  store_.emplace(path_, CampaignStore::Mode::Create, [&] { old = directory_.prepare(); });
  branches_ = branches_of(subject);
  store_->set_program(program);
  store_state({});
  store_->commit();
  return old;
}

std::string CampaignSession::remedy() const {
  return fmt::format("begin a new one with the tests of this one as seeds: --input {} --out DIR",
                     directory_.tests().string());
}

void CampaignSession::check_environment(const std::string& environment) const {
  const result::StoredProgram stored = store_->program();
  const auto found = stored.options.find(kEnvironmentWord);
  if (found == stored.options.end() || found->second != environment)
    throw UserError(SourceLocation{path_.string()},
                    "this campaign was begun with other symbolic arguments, files or variables", remedy());
}

void CampaignSession::check_checks(program::CheckSet checks) const {
  const result::StoredProgram stored = store_->program();
  const auto found = stored.options.find(kChecksWord);
  const std::string before =
      found == stored.options.end() ? program::to_string(program::CheckSet::defaults()) : found->second;
  if (before != program::to_string(checks))
    throw UserError(SourceLocation{path_.string()}, fmt::format("this campaign was begun with --checks {}", before),
                    remedy());
}

concolic::EarlierSessions CampaignSession::resume(const instrument::Subject& subject,
                                                  const result::StoredProgram& program) {
  if (store_->program().fingerprint != program.fingerprint)
    throw UserError(SourceLocation{path_.string()}, "the program has changed since this campaign began", remedy());
  branches_ = branches_of(subject);
  for (const StoredBranch& branch : store_->branches())
    if (const auto known = branches_.find(branch.edge); known != branches_.end()) known->second.state = branch.state;
  concolic::EarlierSessions earlier;
  earlier.search = store_->search();
  earlier.tests = store_->tests();
  earlier.runs = store_->runs();
  earlier.errors = found_errors(store_->errors());
  errors_ = earlier.errors.size();
  std::set<std::uint32_t> seen;
  for (const result::StoredTest& test : earlier.tests) {
    const std::size_t before = seen.size();
    seen.insert(test.edges.begin(), test.edges.end());
    milestones_.push_back({test.number, test.seconds, seen.size() - before});
  }
  covered_ = static_cast<std::uint32_t>(seen.size());
  directory_.restore(earlier.tests, earlier.errors, branches_);
  store_->set_program(program);
  sessions_ = earlier.search.sessions + 1;
  result::StoredSearch begun = earlier.search;
  begun.sessions = sessions_;
  begun.stop.clear();
  store_->set_search(begun);
  store_->commit();
  return earlier;
}

void CampaignSession::attempt(const std::function<void()>& write) {
  if (problem_) return;
  try {
    write();
  } catch (const UserError& error) {
    problem_.emplace(error);
  }
}

void CampaignSession::listen_to(concolic::SearchListener& listener) {
  const auto guarded = [this](const auto& write) {
    attempt(write);
    if (problem_) throw UserError(*problem_);
  };
  listener.on_test = [=, this](const FoundTest& found) { guarded([&] { store_test(found); }); };
  listener.on_error = [=, this](const FoundError& error) {
    guarded([&] { store_error(error); });
    untold_errors_.push_back(error);
  };
  listener.on_path = [=, this](const concolic::PathRun& run) {
    if (run.is_earlier) return;
    guarded([&] { store_->add_run({run.number, run.random_seed, result::pack_inputs(run.inputs)}, run.replaces); });
  };
  listener.on_refuted = [=, this](std::uint64_t key) { guarded([&] { store_->add_refuted(key); }); };
  listener.on_run_one = [=, this](std::uint64_t key) { guarded([&] { store_->add_run_one(key); }); };
  listener.on_settled = [=, this](std::uint64_t target) { guarded([&] { store_->add_settled(target); }); };
  listener.on_state = [=, this](const concolic::SearchState& state) {
    guarded([&] {
      store_state(state);
      store_->commit();
    });
  };
}

void CampaignSession::store_test(const FoundTest& found) {
  const result::StoredTest test{.number = found.number,
                                .test = found.test,
                                .end = std::string(replay::name(found.end)),
                                .code = found.code,
                                .seconds = found.seconds,
                                .edges = found.edges};
  store_->add_test(test);
  for (const FoundError& error : std::exchange(untold_errors_, {}))
    directory_.write_error(error, nlohmann::ordered_json::object());
  covered_ += static_cast<std::uint32_t>(found.new_edges.size());
  milestones_.push_back({found.number, found.seconds, found.new_edges.size()});
  directory_.write_test(test, found.new_edges, branches_);
}

void CampaignSession::store_error(const FoundError& error) {
  store_->set_error({.end = std::string(replay::name(error.end)),
                     .code = error.code,
                     .site = error.site,
                     .edge = error.last_edge,
                     .test = error.test,
                     .test_number = error.test_number,
                     .runs = error.runs});
}

void CampaignSession::store_state(const concolic::SearchState& state) {
  std::vector<StoredBranch> branches;
  for (auto& [edge, branch] : branches_) {
    if (edge < state.edges.size()) {
      // That a query of an earlier session had no answer stays true until there is one.
      const bool is_still_open =
          state.edges[edge] == StoredBranch::State::Open || state.edges[edge] == StoredBranch::State::NotReached;
      if (!is_still_open || branch.state != StoredBranch::State::TimedOut) branch.state = state.edges[edge];
    }
    branches.push_back(branch);
  }
  store_->set_branches(branches);
  result::StoredSearch search = state.search;
  search.sessions = sessions_;
  store_->set_search(search);
  store_->add_progress({search.seconds, search.runs, covered_, static_cast<std::uint32_t>(branches_.size())});
}

void CampaignSession::finish(const concolic::SearchReport& report) {
  attempt([&] {
    for (const FoundError& error : report.errors) store_error(error);
    store_state(report.state);
    store_->commit();
  });
}

result::MinimisedSuite CampaignSession::minimise() {
  const std::vector<result::StoredTest> tests = store_->tests();
  result::MinimisedSuite suite = result::minimise(tests);
  std::vector<std::uint32_t> removed;
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (!std::ranges::binary_search(suite.kept, i)) removed.push_back(tests[i].number);
  attempt([&] {
    store_->remove_tests(removed);
    for (const std::uint32_t number : removed) directory_.remove_test(number);
  });
  return suite;
}

}  // namespace plumb::cli
