// A session that is cut off at any call of its listener, and gone on with from what was told till then.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "result/campaign/compact.h"
#include "unit/concolic/search/search_fixture.h"

namespace plumb::concolic {

namespace {

using State = result::StoredBranch::State;

/// Keeps what a session tells, as a database does whose transactions end with each test and state, and ends the session
/// after some calls.
class Recorder {
 public:
  explicit Recorder(EarlierSessions& sessions) : kept_(sessions) {
    ++kept_.search.sessions;
    sessions_ = kept_;
  }

  SearchListener listener(std::uint64_t calls) {
    left_ = calls;
    SearchListener listener;
    listener.on_test = [this](const FoundTest& found) {
      count();
      result::StoredTest test;
      test.number = found.number;
      test.test = found.test;
      test.edges = found.edges;
      sessions_.tests.push_back(test);
      kept_ = sessions_;
    };
    listener.on_error = [this](const FoundError& error) {
      count();
      const auto known = std::ranges::find_if(sessions_.errors, [&](const FoundError& e) {
        return e.end == error.end && e.site == error.site && e.last_edge == error.last_edge;
      });
      if (known == sessions_.errors.end())
        sessions_.errors.push_back(error);
      else
        *known = error;
    };
    listener.on_path = [this](const PathRun& run) {
      count();
      if (run.is_earlier) return;
      std::erase_if(sessions_.runs, [&](const result::StoredRun& old) { return old.number == run.replaces; });
      sessions_.runs.push_back({run.number, run.random_seed, result::pack_inputs(run.inputs)});
    };
    listener.on_refuted = [this](std::uint64_t key) { count(), sessions_.search.refuted.push_back(key); };
    listener.on_run_one = [this](std::uint64_t key) { count(), sessions_.search.run_ones.push_back(key); };
    listener.on_settled = [this](std::uint64_t target) { count(), sessions_.search.settled.push_back(target); };
    listener.on_state = [this](const SearchState& state) {
      count();
      result::StoredSearch& search = sessions_.search;
      search.runs = state.search.runs;
      search.depth = state.search.depth;
      search.modes = state.search.modes;
      search.divergences = state.search.divergences;
      search.is_incomplete = state.search.is_incomplete;
      search.has_switched = state.search.has_switched;
      kept_ = sessions_;
    };
    return listener;
  }

 private:
  void count() {
    if (left_-- == 0) throw UserError("killed");
  }

  EarlierSessions& kept_;
  EarlierSessions sessions_;  ///< with what was told since
  std::uint64_t left_ = 0;
};

std::set<SiteId> all_errors(const Oracle& oracle) {
  std::set<SiteId> sites = oracle.errors;
  sites.insert(oracle.defects.begin(), oracle.defects.end());
  return sites;
}

/// Sessions that are cut off, then one to the end. The recorder runs beside each.
SearchReport search_in_sessions(const SyntheticProgram& program, const SearchOptions& options, const SearchParts& parts,
                                std::mt19937& random, EarlierSessions& sessions) {
  for (int i = 0; i < 4; ++i) {
    const EarlierSessions earlier = sessions;
    Recorder recorder(sessions);
    const SearchListener listener = recorder.listener(1 + random() % 60);
    const SearchReport report = search(program.subject, options, listener, Budget(), parts, earlier);
    if (report.problem.empty()) return report;
    EXPECT_EQ(report.problem, "killed");
  }
  const EarlierSessions earlier = sessions;
  Recorder recorder(sessions);
  const SearchListener listener = recorder.listener(~std::uint64_t{0});
  return search(program.subject, options, listener, Budget(), parts, earlier);
}

TEST(Resume, SessionsThatWereCutOffEndWhereOneSessionEnds) {
  std::mt19937 random(11);
  for (int i = 0; i < 150; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = i % 2 == 1});
    const Oracle oracle = enumerate_inputs(program);
    for (const Strategy strategy : {Strategy::Interleaved, Strategy::DepthFirst, Strategy::RandomPath})
      for (const RegionUse use : {RegionUse::Off, RegionUse::On, RegionUse::Auto}) {
        SCOPED_TRACE(testing::Message() << "program " << i << " strategy " << static_cast<int>(strategy) << " regions "
                                        << static_cast<int>(use));
        SearchOptions options = to_the_end();
        options.strategy = strategy;
        options.regions = use;
        SyntheticLog log;
        EarlierSessions sessions;
        SearchParts parts = parts_for(program, log);
        if (i % 3 == 0) parts.limits.runs_of_regions = 1;  // paths are also searched one by one
        const SearchReport report = search_in_sessions(program, options, parts, random, sessions);
        EXPECT_EQ(report.stop, SearchReport::Stop::Complete);
        EXPECT_TRUE(report.is_exhaustive);
        ASSERT_EQ(report.covered, oracle.covered);
        EXPECT_EQ(error_sites(report), all_errors(oracle));
        EXPECT_EQ(report.tests, sessions.tests.size());
        for (std::size_t t = 0; t < sessions.tests.size(); ++t) EXPECT_EQ(sessions.tests[t].number, t + 1);
      }
  }
}

TEST(Resume, NothingIsInfeasibleThatADeeperRunOfASessionThatWasCutOffCovers) {
  std::mt19937 random(16);
  for (int i = 0; i < 150; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = i % 2 == 1});
    const Oracle oracle = enumerate_inputs(program);
    for (const RegionUse use : {RegionUse::Off, RegionUse::On, RegionUse::Auto}) {
      SearchOptions options = to_the_end();
      options.regions = use;
      SyntheticLog log;
      SearchParts parts = parts_for(program, log);
      parts.limits.first_depth = 1;
      EarlierSessions sessions;
      const SearchReport report = search_in_sessions(program, options, parts, random, sessions);
      EXPECT_TRUE(report.is_exhaustive);
      for (std::size_t e = 0; e < oracle.covered.size(); ++e)
        EXPECT_FALSE(report.infeasible[e] != 0 && oracle.covered[e] != 0) << "program " << i << " edge " << e;
      EXPECT_EQ(error_sites(report), all_errors(oracle)) << "program " << i;
    }
  }
}

TEST(Resume, RegionsThatWereSwitchedCostNoCoverage) {
  std::mt19937 random(12);
  for (int i = 0; i < 60; ++i) {
    const SyntheticProgram program = random_program(random, {});
    const Oracle oracle = enumerate_inputs(program);
    SyntheticLog log;
    log.terms_a_visit = 30'000;  // too many: every region is switched to paths
    EarlierSessions sessions;
    const SearchReport report = search_in_sessions(program, to_the_end(), parts_for(program, log), random, sessions);
    SCOPED_TRACE(testing::Message() << "program " << i);
    ASSERT_EQ(report.covered, oracle.covered);
    EXPECT_EQ(error_sites(report), oracle.errors);
  }
}

bool has_pins(const Statements& statements) {
  return std::ranges::any_of(statements, [](const Statement& s) {
    return s.kind == Statement::Kind::Pin || has_pins(s.first) || has_pins(s.second) || has_pins(s.third);
  });
}

TEST(Resume, WhatIsKnownIsNotAskedAgain) {
  std::mt19937 random(13);
  for (int i = 0; i < 60; ++i) {
    RandomShape shape;
    shape.has_checks = false;
    const SyntheticProgram program = random_program(random, shape);
    // Whether a pinned value can be another is asked again: such answers hang on all runs before.
    if (has_pins(program.body)) continue;
    SearchOptions options = to_the_end();
    options.regions = RegionUse::Off;
    SyntheticLog log;
    EarlierSessions sessions;
    Recorder recorder(sessions);
    const SearchListener listener = recorder.listener(~std::uint64_t{0});
    const SearchReport first = search(program.subject, options, listener, Budget(), parts_for(program, log));
    listener.on_state(first.state);
    const SearchReport second = search(program.subject, options, {}, Budget(), parts_for(program, log), sessions);
    EXPECT_EQ(second.queries, 0U);
    EXPECT_EQ(second.runs, first.runs);
    EXPECT_EQ(second.tests, first.tests);
    EXPECT_EQ(second.covered, first.covered);
    EXPECT_EQ(second.is_exhaustive, first.is_exhaustive);
    EXPECT_EQ(second.state.edges, first.state.edges);
  }
}

TEST(Resume, ARunThatLiedKeepsTheCampaignFromBeingExhaustive) {
  std::mt19937 random(14);
  int lies = 0;
  for (int i = 0; i < 60; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SyntheticLog log;
    log.lie_every = 3;
    EarlierSessions sessions;
    Recorder recorder(sessions);
    const SearchReport first =
        search(program.subject, to_the_end(), recorder.listener(1 + random() % 40), Budget(), parts_for(program, log));
    if (first.divergences == 0 || sessions.search.divergences == 0) continue;
    ++lies;
    SyntheticLog honest;
    const SearchReport second =
        search(program.subject, to_the_end(), {}, Budget(), parts_for(program, honest), sessions);
    EXPECT_FALSE(second.is_exhaustive);
  }
  EXPECT_GT(lies, 5);
}

TEST(Resume, StatesOfBranchesSayWhatIsKnownOfThem) {
  using Kind = Statement::Kind;
  SyntheticProgram program;
  Statement outer{.kind = Kind::If, .variable = 0, .constant = 1};
  outer.first.push_back({.kind = Kind::If, .variable = 0, .constant = 2});
  program.body = {{.kind = Kind::Read, .variable = 0}, outer, {.kind = Kind::If, .variable = 0, .constant = 3}};
  program.finish();
  SearchOptions options = to_the_end();
  SyntheticLog log;
  const SearchReport whole = search(program, options, parts_for(program, log));
  ASSERT_TRUE(whole.is_exhaustive);
  const auto count = [](const SearchReport& report, State state) {
    return std::ranges::count(report.state.edges, state);
  };
  EXPECT_EQ(count(whole, State::Infeasible), 1);
  EXPECT_EQ(count(whole, State::Covered), 5);

  SearchParts stubborn = parts_for(program, log);
  const auto make_solver = stubborn.make_solver;
  stubborn.make_solver = [&](term::TermStore& store) -> std::unique_ptr<solve::Solver> {
    return std::make_unique<StubbornSolver>(make_solver(store), [](auto&, auto) { return true; });
  };
  const SearchReport blind = search(program, options, stubborn);
  EXPECT_EQ(count(blind, State::TimedOut), 2);
  EXPECT_EQ(count(blind, State::NotReached), 2);
}

}  // namespace

}  // namespace plumb::concolic
