#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "concolic/search/candidate.h"
#include "result/test_size.h"
#include "runtime/checks/checks.h"
#include "unit/concolic/search/search_fixture.h"

namespace plumb::concolic {

namespace {

using Kind = Statement::Kind;
using Compare = Statement::Compare;

constexpr Strategy kStrategies[] = {Strategy::Interleaved, Strategy::DepthFirst, Strategy::Generational,
                                    Strategy::Coverage, Strategy::RandomPath};
constexpr RegionUse kUses[] = {RegionUse::Off, RegionUse::On, RegionUse::Auto};

std::set<SiteId> sites(const SearchReport& report, RunEnd end) {
  std::set<SiteId> result;
  for (const FoundError& error : report.errors)
    if (error.end == end) result.insert(error.site);
  return result;
}

/// The error of the site whose test shows its defect first in a plain run.
void expect_shown(const SyntheticProgram& program, const FoundError& error) {
  std::vector<std::uint8_t> inputs;
  for (const result::TestInput& input : error.test.inputs) inputs.push_back(input.bytes.at(0));
  const ConcreteRun run = run_concretely(program, inputs);
  EXPECT_TRUE(run.defects.contains(error.site)) << "site " << error.site;
}

Statement read(std::uint32_t variable) { return {.kind = Kind::Read, .variable = variable}; }
Statement access(std::uint32_t variable, std::uint8_t limit, std::uint32_t other = 3) {
  return {.kind = Kind::Access, .variable = variable, .other = other, .constant = limit, .compare = Compare::Less};
}
Statement when(std::uint32_t variable, std::uint8_t value, Statements then) {
  Statement s{.kind = Kind::If, .variable = variable, .constant = value};
  s.first = std::move(then);
  return s;
}
SyntheticProgram program_of(Statements body) {
  SyntheticProgram program;
  program.body = std::move(body);
  program.finish();
  return program;
}

TEST(SearchDefects, FindsExactlyThoseThereAreWithEveryStrategyAndRegionUse) {
  std::mt19937 random(11);
  std::size_t defects = 0, left = 0;
  for (int i = 0; i < 100; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = true});
    const Oracle oracle = enumerate_inputs(program);
    defects += oracle.defects.size();
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
        ASSERT_EQ(sites(report, RunEnd::Defect), oracle.defects);
        EXPECT_EQ(sites(report, RunEnd::Error), oracle.errors);
        EXPECT_EQ(report.divergences, 0U);
        for (const FoundError& error : report.errors)
          if (error.end == RunEnd::Defect) expect_shown(program, error);
        if (use == RegionUse::On) left += report.regions_switched;
      }
  }
  EXPECT_GT(defects, 50U);
  EXPECT_GT(left, 20U);
}

TEST(SearchDefects, FindsThoseThereAreUntilAllBranchesAreCovered) {
  std::mt19937 random(12);
  for (int i = 0; i < 100; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = true});
    SearchOptions options;
    const SearchReport report = search(program, options);
    EXPECT_EQ(sites(report, RunEnd::Defect), enumerate_inputs(program).defects) << "program " << i;
  }
}

TEST(SearchDefects, FindsTheSameWithTwoJobs) {
  std::mt19937 random(13);
  for (int i = 0; i < 40; ++i) {
    const SyntheticProgram program = random_program(random, {.has_accesses = true});
    SearchOptions options = to_the_end();
    options.jobs = 2;
    const SearchReport report = search(program, options);
    EXPECT_TRUE(report.is_exhaustive);
    EXPECT_EQ(sites(report, RunEnd::Defect), enumerate_inputs(program).defects);
  }
}

TEST(SearchDefects, FindsThoseThatDependOnACombinationOfCoveredBranches) {
  // Both branches are covered by runs that take one of them each; the access fails behind both.
  const SyntheticProgram program =
      program_of({read(0), read(1), when(0, 1, {{.kind = Kind::Add, .variable = 2, .other = 2, .constant = 1}}),
                  when(1, 1, {{.kind = Kind::Add, .variable = 2, .other = 2, .constant = 1}}), access(2, 2)});
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  EXPECT_EQ(sites(search(program, {}, parts), RunEnd::Defect).size(), 1U);
  SyntheticProgram unchecked = program;
  unchecked.subject.program.checks = program::CheckSet::none();
  const SearchReport report = search(unchecked, {}, parts_for(unchecked, log));
  EXPECT_EQ(report.stop, SearchReport::Stop::AllBranches);
  EXPECT_TRUE(report.errors.empty());
}

TEST(SearchDefects, PrefersATestThatShowsTheDefectBeforeOthers) {
  const SyntheticProgram program = program_of({read(0), access(0, 2), read(1), access(1, 3)});
  SyntheticLog log;
  log.fill = {7, 7};
  const SearchReport report = search(program, to_the_end(), parts_for(program, log));
  ASSERT_EQ(report.errors.size(), 2U);
  EXPECT_FALSE(report.errors[0].is_after_another);
  EXPECT_FALSE(report.errors[1].is_after_another);
  EXPECT_LT(report.errors[1].test.inputs.at(0).bytes.at(0) & 7, 2);
}

TEST(SearchDefects, SaysWhatOnlyComesBehindAnother) {
  // The second access can fail only if the first did: as the line behind an index that is out of bounds.
  const SyntheticProgram program = program_of({read(0), access(0, 5), access(0, 6)});
  const SearchReport report = search(program, to_the_end());
  ASSERT_EQ(report.errors.size(), 2U);
  EXPECT_FALSE(report.errors[0].is_after_another);
  EXPECT_TRUE(report.errors[1].is_after_another);
  EXPECT_TRUE(report.is_exhaustive);
}

/// A pointer that input chooses: below 3 it leads into one object, below 6 into another, else it is wrong.
class ChosenPointer : public Target {
 public:
  ChosenPointer() { reset(); }
  TargetRun run(const RunRequest& request, const Budget&) override {
    const std::uint8_t byte = request.inputs.empty() ? 0 : request.inputs[0].bytes.at(0);
    const term::Term is_first = store_->ult(variable_, store_->constant(8, 3));
    const term::Term is_second =
        store_->bit_and(store_->bit_not(is_first), store_->ult(variable_, store_->constant(8, 6)));
    const bool held = byte < 6;
    const std::uint32_t object = byte < 3 || !held ? 1 : 2;
    const term::Term inside = object == 1 ? is_first : is_second;
    TargetRun run;
    run.trace.inputs = {{"byte", {byte}}};
    run.trace.variables = {{variable_}};
    run.trace.alternatives = {{.kind = held ? Alternative::Kind::Violation : Alternative::Kind::Assumption,
                               .index = PLUMB_DEFECT_POINTER,
                               .condition = held ? store_->bit_not(inside) : inside}};
    run.trace.nodes = {{.kind = PathNode::Kind::Check,
                        .site = 1,
                        .taken = held ? 1U : 0U,
                        .condition = held ? inside : store_->bit_not(inside),
                        .alternative_count = 1,
                        .prefix = mix(held ? 1 : 2, object),
                        .checked = {.defect = PLUMB_DEFECT_POINTER, .object = object}}};
    if (!held) run.trace.defects = {{.kind = PLUMB_DEFECT_POINTER, .site = 1}};
    return run;
  }
  term::TermStore& store() override { return *store_; }
  std::vector<result::TestInput> inputs_of(const Trace&, const term::Assignment& model) override {
    const auto value = std::get<BitVector>(model.at(variable_)).to_uint64();
    return {{"byte", {static_cast<std::uint8_t>(value)}}};
  }
  void reset() override {
    store_.emplace();
    variable_ = store_->variable(8, "byte");
  }
  std::span<const TraceBuilder::RegionCost> region_costs() override { return {}; }

 private:
  std::optional<term::TermStore> store_;
  term::Term variable_;
};

TEST(SearchDefects, APointerIntoAnotherObjectIsNoDefectAndHidesNone) {
  const SyntheticProgram program = program_of({{.kind = Kind::Access}});
  SearchParts parts;
  parts.make_target = [] { return std::make_unique<ChosenPointer>(); };
  parts.make_solver = [](term::TermStore& store) { return std::make_unique<EnumeratingSolver>(store, 7); };
  const SearchReport report = search(program, to_the_end(), parts);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_GE(report.errors[0].test.inputs.at(0).bytes.at(0), 6);
  EXPECT_TRUE(report.is_exhaustive);
  EXPECT_EQ(report.divergences, 0U);
  EXPECT_EQ(report.paths, 3U);
}

TEST(SearchDefects, TellsEachOfARunBeforeItsTest) {
  const SyntheticProgram program = program_of({read(0), access(0, 2), access(0, 3)});
  SyntheticLog log;
  log.fill = {7};
  std::vector<std::uint32_t> told;
  SearchListener listener;
  listener.on_error = [&](const FoundError& error) {
    EXPECT_EQ(error.end, RunEnd::Defect);
    EXPECT_EQ(error.code, PLUMB_DEFECT_INDEX);
    told.push_back(error.test_number);
  };
  listener.on_test = [&](const FoundTest& test) {
    if (test.number == 1) {
      EXPECT_EQ(told, std::vector<std::uint32_t>({1, 1}));
    }
  };
  search(program.subject, to_the_end(), listener, Budget(), parts_for(program, log));
  EXPECT_GE(told.size(), 2U);
}

TEST(SearchDefects, StopsAtTheFirstIfAskedTo) {
  const SyntheticProgram program = program_of({read(0), access(0, 2), read(1), access(1, 3)});
  SearchOptions options;
  options.until = Until::Error;
  const SearchReport report = search(program, options);
  EXPECT_EQ(report.stop, SearchReport::Stop::Error);
  EXPECT_EQ(report.errors.size(), 1U);
}

TEST(SearchDefects, IsNotExhaustiveIfAViolationHadNoAnswer) {
  const SyntheticProgram program = program_of({read(0), access(0, 2)});
  SyntheticLog log;
  SearchParts parts = parts_for(program, log);
  parts.make_solver = [](term::TermStore& store) -> std::unique_ptr<solve::Solver> {
    return std::make_unique<StubbornSolver>(solve::make_solver(store, "native"),
                                            [](term::TermStore&, std::span<const term::Term>) { return true; });
  };
  EXPECT_FALSE(search(program, to_the_end(), parts).is_exhaustive);
}

TEST(SearchDefects, DoesNotStarveCoverage) {
  // A hundred accesses that cannot fail stand before a row of branches.
  Statements body = {read(0), read(1), read(2), read(3)};
  for (int i = 0; i < 100; ++i) body.push_back(access(0, 8));
  body.push_back(when(1, 3, {when(2, 5, {when(3, 6, {})})}));
  const SyntheticProgram program = program_of(body);
  const SearchReport report = search(program, {});
  EXPECT_EQ(report.edges_covered, report.edges_total);
  EXPECT_TRUE(report.errors.empty());
}

}  // namespace

}  // namespace plumb::concolic
