// Theorem 2.4.1 of LLSPLAT on random programs: whatever a region gets, its formula says where it is left, by which
// edges, with which values and memory, or what goes wrong first, exactly as running it does.
#include <gtest/gtest.h>

#include <random>

#include "program/verify.h"
#include "random_regions.h"
#include "region_check.h"

namespace plumb::concolic {

using instrument::plan_regions;
namespace {

using program::BlockId;
using program::ValueId;

/// Values that are often equal, zero or extreme.
std::uint64_t interesting(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return random() % 8;
    case 1:
      return ~std::uint64_t{0} << random() % 64;
    case 2:
      return std::uint64_t{1} << random() % 64;
    default:
      return std::uint64_t{random()} << 32 | random();
  }
}

void set_parameters(ReferenceRun& run, const program::Function& f, std::mt19937& random) {
  std::vector<std::uint64_t> pointed;
  for (const ValueId v : f.parameters) {
    const program::Value& value = f.values[v];
    if (!value.is_pointer) {
      run.values[v] = BitVector(value.width, interesting(random));
      continue;
    }
    // Now and then two pointers into one object.
    if (pointed.empty() || random() % 4 != 0) pointed.push_back(run.add_object(RandomProgram::kPointedSize));
    run.values[v] = BitVector(value.width, pointed.back() + RandomProgram::kPointedOffset + random() % 3);
  }
  for (auto& [address, byte] : run.memory)
    byte = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : random() % 4);
}

/// Another visit of the same region: other data, the same pointers.
void change_visit(ReferenceRun& run, const program::Function& f, const RegionPlan& plan, std::mt19937& random,
                  const std::map<std::uint64_t, std::uint8_t>& constant) {
  for (const ValueId v : plan.ins)
    if (!f.values[v].is_pointer && f.values[v].width < 64)
      run.values[v] = BitVector(f.values[v].width, interesting(random));
  for (auto& [address, byte] : run.memory)
    if (!constant.contains(address) && random() % 2 == 0) byte = static_cast<std::uint8_t>(random() % 8);
}

void check_program(const program::Program& program, std::mt19937& random, CheckCounts& counts) {
  const program::Function& f = program.functions[0];
  const std::vector<RegionPlan> plans = plan_regions(program, 0, {});
  std::map<BlockId, std::unique_ptr<RegionCheck>> checks;
  std::map<BlockId, const RegionPlan*> by_governor;
  for (const RegionPlan& plan : plans) {
    checks[plan.governor] = std::make_unique<RegionCheck>(program, plan, random, counts);
    by_governor[plan.governor] = &plan;
  }
  for (int round = 0; round < 12 && !testing::Test::HasFailure(); ++round) {
    ReferenceRun run(program, f);
    std::map<std::uint64_t, std::uint8_t> constant;
    for (program::GlobalId g = 0; g < program.globals.size(); ++g)
      for (std::uint64_t i = 0; program.globals[g].is_constant && i < program.globals[g].size; ++i)
        constant[run.global_address(g) + i] = program.globals[g].bytes[i];
    set_parameters(run, f, random);
    for (const auto& [address, byte] : constant) run.memory[address] = byte;
    BlockId b = 0;
    for (int steps = 0; steps < 40; ++steps) {
      if (!run.run_block(b)) break;
      if (const auto check = checks.find(b); check != checks.end()) {
        check->second->check(run);
        for (int i = 0; i < 8 && !testing::Test::HasFailure(); ++i) {
          ReferenceRun other = run;
          change_visit(other, f, *by_governor[b], random, constant);
          check->second->check(other);
        }
      }
      const auto edge = run.next_edge(b);
      if (!edge) break;
      b = run.take_edge(b, *edge);
    }
  }
}

class RegionFormulasOfWordSize : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RegionFormulasOfWordSize, SayWhatRunningTheRegionDoesOnRandomPrograms) {
  std::mt19937 random(20260);
  CheckCounts counts;
  for (int i = 0; i < 600 && !HasFailure(); ++i) {
    const program::Program program = RandomProgram(random, GetParam()).make();
    ASSERT_TRUE(program::verify(program).empty()) << program::verify(program)[0];
    SCOPED_TRACE("program " + std::to_string(i));
    check_program(program, random, counts);
  }
  if (HasFailure()) return;
  // The sample is not empty in any respect.
  EXPECT_GT(counts.regions, 250U);
  EXPECT_GT(counts.blocks, 2 * counts.regions);
  EXPECT_GT(counts.largest, 8U);
  EXPECT_GT(counts.visits, 15000U);
  EXPECT_GT(counts.destinations, 10000U);
  EXPECT_GT(counts.faults, 1500U);
  EXPECT_GT(counts.values, 2000U);
  EXPECT_GT(counts.arguments, 10000U);
  EXPECT_GT(counts.cells, 50000U);
  EXPECT_GT(counts.side_entries, 2U);
  EXPECT_GT(counts.direct_edges, 100U);
  EXPECT_GT(counts.switches, 40U);
  EXPECT_GT(counts.unmarked, 500U);
}

TEST_P(RegionFormulasOfWordSize, SayWhatRunningTheRegionDoesOnABigEndianMachine) {
  std::mt19937 random(20262);
  CheckCounts counts;
  for (int i = 0; i < 300 && !HasFailure(); ++i) {
    program::Program program = RandomProgram(random, GetParam()).make();
    program.layout.is_big_endian = true;
    SCOPED_TRACE("program " + std::to_string(i));
    check_program(program, random, counts);
  }
  if (HasFailure()) return;
  EXPECT_GT(counts.regions, 100U);
  EXPECT_GT(counts.destinations, 5000U);
  EXPECT_GT(counts.cells, 20000U);
}

TEST_P(RegionFormulasOfWordSize, HaveTheFaultsOfOperatorsThatAreCheckedFor) {
  std::mt19937 random(20261);
  CheckCounts counts;
  program::CheckSet checks;
  checks.add(program::Check::Overflow);
  checks.add(program::Check::Shift);
  for (int i = 0; i < 400 && !HasFailure(); ++i) {
    const program::Program program = RandomProgram(random, GetParam(), checks).make();
    ASSERT_TRUE(program::verify(program).empty()) << program::verify(program)[0];
    SCOPED_TRACE("program " + std::to_string(i));
    check_program(program, random, counts);
  }
  if (HasFailure()) return;
  EXPECT_GT(counts.regions, 150U);
  EXPECT_GT(counts.overflows, 300U);
  EXPECT_GT(counts.shifts, 300U);
  EXPECT_GT(counts.destinations, 3000U);
}

INSTANTIATE_TEST_SUITE_P(Pointers, RegionFormulasOfWordSize, testing::Values(64U, 32U),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace plumb::concolic
