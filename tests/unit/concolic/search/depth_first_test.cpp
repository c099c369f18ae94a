#include <gtest/gtest.h>

#include <algorithm>

#include "unit/concolic/search/search_fixture.h"

namespace plumb::concolic {

namespace {

using Kind = Statement::Kind;

/// Algorithms 2 and 3 of LLSPLAT, word for word: gives the last prefix of each run.
class Transcription {
 public:
  Transcription(const SyntheticProgram& program, RegionUse use)
      : target_(make_synthetic_target(program, log_)),
        solver_(target_->store(), program.mask),
        modes_(program.subject.regions.size(), use == RegionUse::Off ? 0 : 1) {}

  std::vector<std::uint64_t> run_llsplat() {
    while (!is_completed_) {
      Trace trace =
          target_->run({.inputs = inputs_, .random_seed = 1, .modes = modes_, .max_nodes = 1000}, Budget()).trace;
      for (std::size_t i = 0; i < trace.nodes.size(); ++i) add_path_constraint(trace.nodes[i], i);
      solve_constraint(trace);
    }
    return log_.paths;
  }

 private:
  struct BranchNode {
    std::vector<bool> is_covered;  ///< by edge or destination
    bool is_done = false;
  };

  /// addPathConstraint of a BrNode and endBMC of a BmcNode: both have two ways out here, in the latter's terms.
  void add_path_constraint(const PathNode& node, std::size_t i) {
    const std::uint32_t other = 1 - node.taken;
    if (i < history_.size()) {
      if (i == history_.size() - 1 && (node.kind == PathNode::Kind::Branch || history_[i].is_covered[other]))
        history_[i].is_done = true;
    } else {
      history_.push_back({{false, false}, false});
    }
    history_[i].is_covered[node.taken] = true;
  }

  void solve_constraint(const Trace& trace) {
    for (std::size_t j = trace.nodes.size(); j-- > 0;) {
      if (history_[j].is_done) continue;
      for (const Alternative& alternative : trace.alternatives_of(trace.nodes[j])) {
        if (alternative.kind == Alternative::Kind::InnerEdge || history_[j].is_covered[alternative.index]) continue;
        std::vector<term::Term> query;
        for (std::size_t k = 0; k < j; ++k) query.push_back(trace.nodes[k].condition);
        query.push_back(alternative.condition);
        if (solver_.check(query, Budget()).answer != solve::Answer::Sat) continue;
        history_.resize(j + 1);
        inputs_ = target_->inputs_of(trace, solver_.model());
        return;
      }
    }
    is_completed_ = true;
  }

  SyntheticLog log_;
  std::unique_ptr<Target> target_;
  EnumeratingSolver solver_;
  std::vector<std::uint8_t> modes_;
  std::vector<result::TestInput> inputs_;
  std::vector<BranchNode> history_;
  bool is_completed_ = false;
};

SearchOptions depth_first(RegionUse use) {
  SearchOptions options = to_the_end();
  options.strategy = Strategy::DepthFirst;
  options.regions = use;
  return options;
}

std::vector<std::uint64_t> explored_paths(const SyntheticProgram& program, RegionUse use) {
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  parts.make_solver = [&](term::TermStore& store) { return std::make_unique<EnumeratingSolver>(store, program.mask); };
  search(program, depth_first(use), parts);
  return log.paths;
}

TEST(DepthFirst, MakesTheRunsOfAlgorithm3OnRandomPrograms) {
  std::mt19937 random(11);
  std::size_t longest = 0;
  for (int i = 0; i < 60; ++i) {
    const SyntheticProgram program = random_program(random, {.has_checks = false, .max_reads = 3});
    EXPECT_EQ(explored_paths(program, RegionUse::Off), Transcription(program, RegionUse::Off).run_llsplat());
    // Edges inside of regions come when the algorithm has completed.
    auto paths = explored_paths(program, RegionUse::On);
    const auto expected = Transcription(program, RegionUse::On).run_llsplat();
    ASSERT_GE(paths.size(), expected.size());
    paths.resize(expected.size());
    EXPECT_EQ(paths, expected);
    longest = std::max(longest, expected.size());
  }
  EXPECT_GT(longest, 5U);
}

/// Figure 2.2 of LLSPLAT: the region of BB0 with the destinations BB3 and BB7, whose last variable says which.
SyntheticProgram figure_2_2() {
  enum : std::uint32_t { kX, kY, kLess, kExit };
  // Comparisons are with constants, so x > y is the sign of y - x in five bits, which `kLess` keeps.
  SyntheticProgram program;
  program.mask = 15;
  program.max_reads = 2;
  const Statement bb1{.kind = Kind::Xor, .variable = kX, .other = kY};
  Statement bb5{.kind = Kind::If, .variable = kX, .constant = 0};
  bb5.first = {{.kind = Kind::Set, .variable = kExit, .constant = 1}};
  Statement bb6{.kind = Kind::If, .variable = kX, .constant = 9};
  bb6.first = {{.kind = Kind::Set, .variable = kExit, .constant = 1}};
  bb5.second = {bb6};
  Statement bb0{.kind = Kind::If, .variable = kLess, .constant = 6, .compare = Statement::Compare::Less};
  bb0.first = {bb5};
  bb0.second = {bb1};
  Statement region{.kind = Kind::Region, .variable = kExit, .constant = 1};
  region.first = {{.kind = Kind::Add, .variable = kLess, .other = kX, .constant = 0}, bb0};
  region.second = {{.kind = Kind::Error}};
  program.body = {{.kind = Kind::Read, .variable = kX}, {.kind = Kind::Read, .variable = kY}, region};
  program.finish();
  return program;
}

TEST(DepthFirst, ReachesTheErrorOfFigure22InTheSecondRun) {
  const SyntheticProgram program = figure_2_2();
  SyntheticLog log;
  log.fill = {10, 5};
  SearchOptions options = depth_first(RegionUse::On);
  options.until = Until::Error;
  const SearchReport report = search(program, options, parts_for(program, log));
  EXPECT_EQ(report.stop, SearchReport::Stop::Error);
  EXPECT_EQ(report.runs, 2U);
  EXPECT_EQ(report.queries, 1U);
  EXPECT_EQ(report.region_visits, 2U);
}

}  // namespace

}  // namespace plumb::concolic
