// Two trees of the same program, with summaries of regions and without, searched in turn.
#include "concolic/search/search_tree.h"

#include <gtest/gtest.h>

#include "unit/concolic/search/search_fixture.h"

namespace plumb::concolic {

namespace {

SearchParts parts_with_both_trees(const SyntheticProgram& program, SyntheticLog& log) {
  SearchParts parts = parts_for(program, log);
  parts.limits.runs_of_regions = 1;
  return parts;
}

/// Turns of the second tree among `count` runs, if each run of a tree covers so many new edges.
int turns_of_paths(std::uint64_t news_of_regions, std::uint64_t news_of_paths, int count) {
  Shares shares;
  int turns = 0;
  for (int i = 0; i < count; ++i) {
    const bool is_turn = shares.is_turn_of_paths();
    turns += is_turn ? 1 : 0;
    shares.ran(is_turn ? TreeId::Paths : TreeId::Regions, is_turn ? news_of_paths : news_of_regions);
  }
  return turns;
}

TEST(Shares, ATreeThatFindsMoreHasMoreTurnsAndNoneHasLessThanAQuarter) {
  EXPECT_NEAR(turns_of_paths(0, 0, 10'000), 5'000, 100);
  EXPECT_NEAR(turns_of_paths(1, 1, 10'000), 5'000, 100);
  EXPECT_NEAR(turns_of_paths(5, 0, 10'000), 2'500, 100);
  EXPECT_NEAR(turns_of_paths(0, 5, 10'000), 7'500, 100);
  EXPECT_GT(turns_of_paths(1, 2, 10'000), 6'000);
  EXPECT_LT(turns_of_paths(2, 1, 10'000), 4'000);
}

TEST(Shares, RunsWithLargeFormulasAreFewer) {
  Shares shares;
  int turns = 0;
  for (int i = 0; i < 10'000; ++i) {
    const bool is_turn = shares.is_turn_of_paths();
    turns += is_turn ? 1 : 0;
    if (!is_turn) shares.instantiated(7 * 8 * 512);
    shares.ran(is_turn ? TreeId::Paths : TreeId::Regions, 0);
  }
  EXPECT_NEAR(turns, 8'889, 200);
}

TEST(SearchTrees, BothTogetherCoverExactlyTheFeasibleEdgesAndAreExhaustive) {
  std::mt19937 random(21);
  std::uint64_t more_runs = 0;
  for (int i = 0; i < 120; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = i % 2 == 1});
    const Oracle oracle = enumerate_inputs(program);
    for (const unsigned jobs : {1U, 2U}) {
      SCOPED_TRACE(testing::Message() << "program " << i << " jobs " << jobs);
      SyntheticLog log;
      log.keeps_paths = jobs == 1;
      SearchOptions options = to_the_end();
      options.jobs = jobs;
      const SearchReport report = search(program, options, parts_with_both_trees(program, log));
      EXPECT_EQ(report.stop, SearchReport::Stop::Complete);
      EXPECT_TRUE(report.is_exhaustive);
      ASSERT_EQ(report.covered, oracle.covered);
      std::set<SiteId> errors = oracle.errors;
      errors.insert(oracle.defects.begin(), oracle.defects.end());
      EXPECT_EQ(error_sites(report), errors);
      EXPECT_EQ(report.divergences, 0U);
      more_runs += report.runs - std::min(report.runs, report.sat + 1);
    }
  }
  EXPECT_GT(more_runs, 0U) << "tests of one tree should have been run in the other";
}

TEST(SearchTrees, TheSameRunsAreMadeForASeed) {
  std::mt19937 random(22);
  for (int i = 0; i < 20; ++i) {
    const SyntheticProgram program = random_program(random, {});
    std::vector<std::uint64_t> paths[2];
    for (auto& p : paths) {
      SyntheticLog log;
      search(program, to_the_end(), parts_with_both_trees(program, log));
      p = log.paths;
    }
    EXPECT_EQ(paths[0], paths[1]);
  }
}

}  // namespace

}  // namespace plumb::concolic
