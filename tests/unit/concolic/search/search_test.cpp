#include <gtest/gtest.h>

#include <algorithm>

#include "unit/concolic/search/search_fixture.h"

namespace plumb::concolic {

using instrument::Site;

namespace {

constexpr Strategy kStrategies[] = {Strategy::Interleaved, Strategy::DepthFirst, Strategy::Generational,
                                    Strategy::Coverage, Strategy::RandomPath};
constexpr RegionUse kUses[] = {RegionUse::Off, RegionUse::On, RegionUse::Auto};
using Kind = Statement::Kind;

bool has_ite(term::TermStore& store, std::span<const term::Term> query) {
  std::vector<term::Term> work(query.begin(), query.end());
  term::TermSet seen;
  while (!work.empty()) {
    const term::Term t = work.back();
    work.pop_back();
    if (seen.contains(t)) continue;
    seen[t] = {};
    if (store.op(t) == term::Op::Ite) return true;
    for (unsigned i = 0; i < store.arity(t); ++i) work.push_back(store.child(t, i));
  }
  return false;
}

TEST(Search, CoversExactlyTheFeasibleEdgesWithEveryStrategyAndRegionUse) {
  std::mt19937 random(1);
  for (int i = 0; i < 120; ++i) {
    const SyntheticProgram program = random_program(random, {});
    const Oracle oracle = enumerate_inputs(program);
    for (const Strategy strategy : kStrategies)
      for (const RegionUse use : kUses) {
        SCOPED_TRACE(testing::Message() << "program " << i << " strategy " << static_cast<int>(strategy) << " regions "
                                        << static_cast<int>(use));
        SearchOptions options = to_the_end();
        options.strategy = strategy;
        options.regions = use;
        const SearchReport report = search(program, options);
        EXPECT_EQ(report.stop, SearchReport::Stop::Complete);
        EXPECT_TRUE(report.is_exhaustive);
        ASSERT_EQ(report.covered, oracle.covered);
        for (std::size_t e = 0; e < report.covered.size(); ++e) EXPECT_NE(report.infeasible[e], report.covered[e]);
        EXPECT_EQ(error_sites(report), oracle.errors);
        EXPECT_EQ(report.divergences, 0U);
        EXPECT_EQ(report.queries, report.sat + report.unsat + report.unknown);
        // Every solution is a run, and without edges inside of regions every run is a path of its own.
        EXPECT_EQ(report.runs, report.sat + 1);
        EXPECT_TRUE(use != RegionUse::Off || report.paths == report.runs);
      }
  }
}

TEST(Search, GivesTheSameRunsForASeed) {
  std::mt19937 random(2);
  for (int i = 0; i < 20; ++i) {
    const SyntheticProgram program = random_program(random, {});
    std::vector<std::uint64_t> paths[2];
    for (auto& p : paths) {
      SyntheticLog log;
      SearchOptions options = to_the_end();
      options.seed = 7;
      search(program, options, parts_for(program, log));
      p = log.paths;
    }
    EXPECT_EQ(paths[0], paths[1]);
  }
}

TEST(Search, CallsNothingInfeasibleThatTheOutsideMayDecide) {
  std::mt19937 random(9);
  for (int i = 0; i < 20; ++i) {
    SyntheticProgram program = random_program(random, {});
    const auto counted = std::ranges::find_if(program.subject.sites, [](const Site& site) { return site.is_counted; });
    if (counted == program.subject.sites.end()) continue;
    counted->depends_on_outside = true;
    const SearchReport report = search(program, to_the_end());
    EXPECT_FALSE(report.is_exhaustive);
    EXPECT_TRUE(std::ranges::none_of(report.infeasible, [](std::uint8_t edge) { return edge != 0; }));
  }
}

TEST(Search, CoversTheSameWithTwoJobs) {
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SearchOptions options = to_the_end();
    options.jobs = 2;
    const SearchReport report = search(program, options);
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
  }
}

TEST(Search, GoesOnAfterTheStoreWasDropped) {
  std::mt19937 random(4);
  std::uint64_t resets = 0, reruns = 0;
  for (int i = 0; i < 30; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SyntheticLog log;
    SearchParts parts = parts_for(program, log);
    parts.limits.max_terms = 40;
    const SearchReport report = search(program, to_the_end(), parts);
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
    resets += log.resets;
    reruns += report.reruns;
  }
  EXPECT_GT(resets, 0U);
  EXPECT_GT(reruns, 0U);
}

TEST(Search, CountsDivergencesOfATargetThatLies) {
  std::mt19937 random(5);
  std::uint64_t divergences = 0;
  for (int i = 0; i < 30; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SyntheticLog log;
    log.lie_every = 2;
    const SearchReport report = search(program, to_the_end(), parts_for(program, log));
    EXPECT_FALSE(report.divergences != 0 && report.is_exhaustive);
    divergences += report.divergences;
  }
  EXPECT_GT(divergences, 0U);
}

TEST(Search, IsNotExhaustiveUnderABoundThatCutSomethingOff) {
  SyntheticProgram program;
  Statement loop{.kind = Kind::While, .variable = 0, .constant = 5, .compare = Statement::Compare::Less, .trips = 4};
  loop.first = {{.kind = Kind::Read, .variable = 0}};
  program.body = {loop};
  program.finish();
  EXPECT_TRUE(search(program, to_the_end()).is_exhaustive);
  SearchOptions shallow = to_the_end();
  shallow.max_depth = 2;
  const SearchReport cut = search(program, shallow);
  EXPECT_EQ(cut.stop, SearchReport::Stop::Complete);
  EXPECT_FALSE(cut.is_exhaustive);
  EXPECT_GT(cut.ends.at(RunEnd::DepthLimit), 0U);
  SearchOptions few_trips = to_the_end();
  few_trips.max_loop = 1;
  const SearchReport looped = search(program, few_trips);
  EXPECT_FALSE(looped.is_exhaustive);
  EXPECT_LT(looped.paths, search(program, to_the_end()).paths);
}

TEST(Search, RunsDeeperUntilAllPathsWereGone) {
  std::mt19937 random(6);
  std::uint64_t cut = 0;
  for (int i = 0; i < 30; ++i) {
    // Without assumptions: of a run that was cut off nobody knows whether a later one would have failed.
    const SyntheticProgram program = random_program(random, {.has_checks = false});
    SyntheticLog log;
    SearchParts parts = parts_for(program, log);
    parts.limits.first_depth = 1;
    const SearchReport report = search(program, to_the_end(), parts);
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
    if (const auto it = report.ends.find(RunEnd::DepthLimit); it != report.ends.end()) cut += it->second;
  }
  EXPECT_GT(cut, 0U);
}

TEST(Search, ReachesTheEndOfAWordInAFewRunsWithRegions) {
  for (const int steps : {9, 20}) {
    const SyntheticProgram program = lexer(static_cast<std::uint8_t>(steps));
    SearchOptions options;
    options.until = Until::Error;
    const SearchReport report = search(program, options);
    EXPECT_EQ(report.stop, SearchReport::Stop::Error);
    ASSERT_EQ(report.errors.size(), 1U);
    EXPECT_LE(report.runs, 40U);
    EXPECT_LE(report.queries, 80U);
  }
}

TEST(Search, TriesAgainWhatHadNoAnswerAtFirst) {
  std::mt19937 random(8);
  for (int i = 0; i < 20; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SyntheticLog log;
    SearchParts parts = parts_for(program, log);
    std::set<std::vector<term::Term>> seen;
    parts.make_solver = [&](term::TermStore& store) {
      return std::make_unique<StubbornSolver>(
          solve::make_solver(store, "native"), [&](term::TermStore&, std::span<const term::Term> query) {
            return seen.insert(std::vector<term::Term>(query.begin(), query.end())).second;
          });
    };
    SearchOptions options = to_the_end();
    options.regions = RegionUse::On;
    const SearchReport report = search(program, options, parts);
    EXPECT_GE(report.unknown, (report.sat + report.unsat) / 2);
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
  }
}

TEST(Search, IsNotExhaustiveWithAQueryWithoutAnswer) {
  SyntheticProgram program;
  Statement branch{.kind = Kind::If, .variable = 0, .constant = 3};
  program.body = {{.kind = Kind::Read, .variable = 0}, branch};
  program.finish();
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  parts.make_solver = [](term::TermStore& store) {
    return std::make_unique<StubbornSolver>(solve::make_solver(store, "native"), [](auto&, auto) { return true; });
  };
  const SearchReport report = search(program, to_the_end(), parts);
  EXPECT_EQ(report.stop, SearchReport::Stop::Complete);
  EXPECT_EQ(report.unknown, 2U);
  EXPECT_FALSE(report.is_exhaustive);
  EXPECT_EQ(report.infeasible, std::vector<std::uint8_t>(2));
}

TEST(Search, IsCompletePerPathAfterARegionWithoutAnswersWasSwitched) {
  std::mt19937 random(9);
  std::uint64_t switched = 0;
  for (int i = 0; i < 1000; ++i) {
    const SyntheticProgram program = random_program(random, {});
    // One that is blamed seldom stays on, and its queries without an answer.
    if (program.subject.regions.size() != 1) continue;
    SyntheticLog log;
    SearchParts parts = parts_for(program, log);
    parts.make_solver = [](term::TermStore& store) {
      return std::make_unique<StubbornSolver>(solve::make_solver(store, "native"), has_ite);
    };
    const SearchReport report = search(program, to_the_end(), parts);
    if (report.regions_switched == 0) continue;
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered) << i;
    EXPECT_TRUE(report.is_exhaustive) << i;
    ++switched;
  }
  EXPECT_GT(switched, 3U);
}

TEST(Search, StaysCompleteWhenRegionsGrowTooLarge) {
  std::mt19937 random(10);
  std::uint64_t switched = 0;
  for (int i = 0; i < 40; ++i) {
    const SyntheticProgram program = random_program(random, {});
    SyntheticLog log;
    log.terms_a_visit = 1'000'000;
    const SearchReport report = search(program, to_the_end(), parts_for(program, log));
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
    switched += report.regions_switched;
  }
  EXPECT_GT(switched, 0U);
}

TEST(Search, IsNotExhaustiveWhenCandidatesWereDropped) {
  const SyntheticProgram program = lexer(9);
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  parts.limits.max_candidates = 10;
  SearchOptions options = to_the_end();
  options.max_depth = 4;
  const SearchReport report = search(program, options, parts);
  EXPECT_EQ(report.stop, SearchReport::Stop::Complete);
  EXPECT_FALSE(report.is_exhaustive);
}

TEST(Search, TriesEveryValueOfAPinOnceAndIsNotExhaustive) {
  SyntheticProgram program;
  Statement branch{.kind = Kind::If, .variable = 0, .constant = 3};
  program.body = {{.kind = Kind::Read, .variable = 0}, {.kind = Kind::Pin, .variable = 0}, branch};
  program.finish();
  const SearchReport report = search(program, to_the_end());
  EXPECT_EQ(report.covered, (std::vector<std::uint8_t>{1, 1}));
  EXPECT_EQ(report.runs, 8U);
  EXPECT_EQ(report.queries, 8U);
  EXPECT_EQ(report.unsat, 1U);
  EXPECT_FALSE(report.is_exhaustive);
  EXPECT_FALSE(report.lost.empty());
}

TEST(Search, StopsWhenAllBranchesAreCoveredButTriesChecksFirst) {
  SyntheticProgram program;
  Statement branch{.kind = Kind::If, .variable = 0, .constant = 3};
  Statement loop{.kind = Kind::While, .variable = 0, .constant = 7, .compare = Statement::Compare::Less, .trips = 100};
  loop.first = {{.kind = Kind::Read, .variable = 0},
                {.kind = Kind::Check, .variable = 0, .constant = 9, .compare = Statement::Compare::Less}};
  program.max_reads = 100;
  program.body = {
      {.kind = Kind::Read, .variable = 0}, branch, loop, {.kind = Kind::Check, .variable = 0, .constant = 0}};
  program.finish();
  program.subject.program.checks = program::CheckSet::none();
  SearchOptions options;
  const SearchReport report = search(program, options);
  EXPECT_EQ(report.stop, SearchReport::Stop::AllBranches);
  EXPECT_EQ(report.edges_covered, report.edges_total);
  EXPECT_EQ(report.errors.size(), 1U);
  EXPECT_LE(report.queries, 40U);
}

TEST(Search, KeepsTheShortestInputOfAnErrorAndTellsOfTestsAtOnce) {
  SyntheticProgram program;
  Statement loop{.kind = Kind::While, .variable = 0, .constant = 3, .compare = Statement::Compare::Less, .trips = 4};
  loop.first = {{.kind = Kind::Read, .variable = 0}};
  program.body = {loop, {.kind = Kind::Error}};
  program.finish();
  SyntheticLog log;
  std::vector<FoundTest> tests;
  std::vector<FoundError> errors;
  SearchListener listener;
  listener.on_test = [&](const FoundTest& test) { tests.push_back(test); };
  listener.on_error = [&](const FoundError& error) { errors.push_back(error); };
  const SearchReport report = search(program.subject, to_the_end(), listener, Budget(), parts_for(program, log));
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors[0].test.inputs.size(), 1U);
  EXPECT_EQ(report.errors[0].runs, report.runs);
  EXPECT_EQ(errors.back().test, report.errors[0].test);
  EXPECT_EQ(tests.size(), report.tests);
  EXPECT_EQ(tests[report.errors[0].test_number - 1].test, report.errors[0].test);
  for (std::size_t i = 0; i < tests.size(); ++i) EXPECT_EQ(tests[i].number, i + 1);
}

TEST(Search, DoesNotCountWhatARunWithAFailedAssumptionCovers) {
  SyntheticProgram program;
  Statement branch{.kind = Kind::If, .variable = 0, .constant = 0};
  program.body = {{.kind = Kind::Read, .variable = 0}, branch, {.kind = Kind::Assume, .variable = 0, .constant = 4}};
  program.finish();
  const SearchReport report = search(program, to_the_end());
  EXPECT_EQ(report.covered, (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(report.infeasible, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_TRUE(report.is_exhaustive);
  EXPECT_EQ(report.tests, 1U);
}

/// read; statements, which leave a 0 in variable 3; assume(variable 3 == 1)
SyntheticProgram with_an_assumption_that_fails(Statements statements) {
  SyntheticProgram program;
  program.body = {{.kind = Kind::Read, .variable = 0}, {.kind = Kind::Read, .variable = 1}};
  for (Statement& s : statements) program.body.push_back(std::move(s));
  program.body.push_back({.kind = Kind::Assume, .variable = 3, .constant = 1});
  program.finish();
  return program;
}

TEST(Search, AWayOnWhichOnlyAKnownErrorCountsIsCovered) {
  const SyntheticProgram program = with_an_assumption_that_fails(
      {{.kind = Kind::If, .variable = 0, .constant = 0}, {.kind = Kind::Check, .variable = 1, .constant = 0}});
  for (const Strategy strategy : kStrategies) {
    SearchOptions options = to_the_end();
    options.strategy = strategy;
    const SearchReport report = search(program, options);
    EXPECT_EQ(report.covered, (std::vector<std::uint8_t>{1, 1}));
    EXPECT_EQ(report.errors.size(), 1U);
    EXPECT_TRUE(report.is_exhaustive);
  }
}

TEST(Search, AnEdgeInARegionOnWhichOnlyAKnownErrorCountsIsCovered) {
  Statement region{.kind = Kind::Region, .variable = 3, .constant = 0};
  Statement inner{.kind = Kind::If, .variable = 0, .constant = 0};
  inner.first.push_back({.kind = Kind::Set, .variable = 2, .constant = 1});
  region.first = {inner};
  const SyntheticProgram program =
      with_an_assumption_that_fails({region, {.kind = Kind::Check, .variable = 1, .constant = 0}});
  SearchOptions options = to_the_end();
  options.regions = RegionUse::On;
  const SearchReport report = search(program, options);
  EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
  EXPECT_TRUE(report.is_exhaustive);
}

TEST(Search, AnEdgeInARegionIsCoveredWhenTheAssumptionLiesBehindTheDepth) {
  SyntheticProgram program;
  Statement region{.kind = Kind::Region, .variable = 3, .constant = 0};
  Statement inner{.kind = Kind::If, .variable = 0, .constant = 3};
  inner.first.push_back({.kind = Kind::Set, .variable = 2, .constant = 1});
  region.first = {inner};
  program.body = {{.kind = Kind::Read, .variable = 0},
                  {.kind = Kind::Read, .variable = 1},
                  region,
                  {.kind = Kind::If, .variable = 1, .constant = 1},
                  {.kind = Kind::Assume, .variable = 1, .constant = 5}};
  program.finish();
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  parts.limits.first_depth = 1;
  SearchOptions options = to_the_end();
  options.regions = RegionUse::On;
  const SearchReport report = search(program, options, parts);
  EXPECT_EQ(report.covered, enumerate_inputs(program).covered);
  EXPECT_TRUE(report.is_exhaustive);
}

TEST(Search, CallsNothingInfeasibleThatARunBeyondItsFirstDepthCovers) {
  std::mt19937 random(15);
  for (int i = 0; i < 200; ++i) {
    const SyntheticProgram program = random_program(random, {});
    const Oracle oracle = enumerate_inputs(program);
    for (const RegionUse use : kUses) {
      SyntheticLog log;
      SearchParts parts = parts_for(program, log);
      parts.limits.first_depth = 1;
      SearchOptions options = to_the_end();
      options.regions = use;
      const SearchReport report = search(program, options, parts);
      EXPECT_TRUE(report.is_exhaustive);
      for (std::size_t e = 0; e < oracle.covered.size(); ++e)
        EXPECT_FALSE(report.infeasible[e] != 0 && oracle.covered[e] != 0) << "program " << i << " edge " << e;
      EXPECT_EQ(error_sites(report), oracle.errors) << "program " << i;
    }
  }
}

TEST(Search, ABudgetThatIsOverEndsItAtOnce) {
  const SyntheticProgram program = lexer(9);
  SyntheticLog log;
  Budget budget;
  budget.cancel();
  const SearchReport report = search(program.subject, {}, {}, budget, parts_for(program, log));
  EXPECT_EQ(report.stop, SearchReport::Stop::Budget);
  EXPECT_EQ(report.runs, 0U);
  EXPECT_FALSE(report.is_exhaustive);
}

}  // namespace

}  // namespace plumb::concolic
