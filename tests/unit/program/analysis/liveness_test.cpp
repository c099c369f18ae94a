#include "program/analysis/liveness.h"

#include <gtest/gtest.h>

#include <set>

#include "program/analysis/accessed_variables.h"
#include "random_program.h"

namespace plumb::program {
namespace {

using Values = std::set<ValueId>;

Function random_arithmetic(std::mt19937& random, std::uint32_t max_blocks) {
  return random_function(
      random, "f", random_cfg(random, max_blocks), 2, [&](FunctionBuilder& builder, std::vector<ValueId>& available) {
        const auto any = [&] { return available[pick(random, static_cast<std::uint32_t>(available.size()))]; };
        for (std::uint32_t i = pick(random, 4); i > 0; --i) {
          switch (pick(random, 3)) {
            case 0:
              available.push_back(builder.op(term::Op::Add, {any(), any()}));
              break;
            case 1:
              available.push_back(builder.load(any(), 64, 8));
              break;
            default:
              builder.store(any(), any(), 8);
          }
        }
      });
}

struct BlockSets {
  Values used, defined;
};

std::vector<BlockSets> block_sets(const Function& function) {
  std::vector<BlockSets> sets(function.blocks.size());
  for (BlockId b = 0; b < function.blocks.size(); ++b) {
    sets[b].defined.insert(function.blocks[b].arguments.begin(), function.blocks[b].arguments.end());
    if (b == 0) sets[b].defined.insert(function.parameters.begin(), function.parameters.end());
    const auto use = [&](ValueId v) {
      if (is_variable(function.values[v])) sets[b].used.insert(v);
    };
    for (const Instruction& instruction : function.instructions_of(b)) {
      for (const ValueId v : function.operands_of(instruction)) use(v);
      for (std::uint32_t r = 0; r < instruction.result_count; ++r) sets[b].defined.insert(instruction.first_result + r);
      for (const Edge& edge : function.edges_of(instruction))
        for (const ValueId v : function.arguments_of(edge)) use(v);
    }
  }
  return sets;
}

TEST(Liveness, SolvesTheDataFlowEquationsOnRandomFunctions) {
  std::mt19937 random(21);
  for (int round = 0; round < 1500; ++round) {
    const Function function = random_arithmetic(random, 10);
    const std::vector<BlockSets> sets = block_sets(function);
    std::vector<Values> in(function.blocks.size()), out(function.blocks.size());
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < function.blocks.size(); ++b) {
        const std::size_t before = in[b].size() + out[b].size();
        for (const Edge& edge : function.successors(b)) out[b].insert(in[edge.target].begin(), in[edge.target].end());
        Values live = out[b];
        live.insert(sets[b].used.begin(), sets[b].used.end());
        for (const ValueId v : live)
          if (!sets[b].defined.contains(v)) in[b].insert(v);
        changed |= in[b].size() + out[b].size() != before;
      }
    }
    const Liveness liveness(function, Uses(function));
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      const auto actual_in = liveness.live_in(b), actual_out = liveness.live_out(b);
      ASSERT_TRUE(std::equal(actual_in.begin(), actual_in.end(), in[b].begin(), in[b].end())) << round << " " << b;
      ASSERT_TRUE(std::equal(actual_out.begin(), actual_out.end(), out[b].begin(), out[b].end())) << round << " " << b;
    }
  }
}

TEST(Liveness, ASetOfBlocksExchangesWhatIsDefinedOnOneSideAndUsedOnTheOther) {
  std::mt19937 random(22);
  for (int round = 0; round < 1500; ++round) {
    const Function function = random_arithmetic(random, 10);
    const std::vector<BlockSets> sets = block_sets(function);
    std::vector<BlockId> blocks;
    BlockSets inside, outside;
    for (BlockId b = 0; b < function.blocks.size(); ++b) {
      const bool is_inside = pick(random, 2) == 0;
      if (is_inside) blocks.push_back(b);
      BlockSets& side = is_inside ? inside : outside;
      side.used.insert(sets[b].used.begin(), sets[b].used.end());
      side.defined.insert(sets[b].defined.begin(), sets[b].defined.end());
    }
    std::vector<ValueId> ins, outs;
    std::set_intersection(inside.used.begin(), inside.used.end(), outside.defined.begin(), outside.defined.end(),
                          std::back_inserter(ins));
    std::set_intersection(inside.defined.begin(), inside.defined.end(), outside.used.begin(), outside.used.end(),
                          std::back_inserter(outs));
    std::shuffle(blocks.begin(), blocks.end(), random);
    const LiveValues live = live_values(function, Uses(function), blocks);
    ASSERT_EQ(live.ins, ins);
    ASSERT_EQ(live.outs, outs);
  }
}

TEST(AccessedVariables, AreTheValuesAndMemoryAccessesOfTheRegion) {
  FunctionBuilder builder("f");
  const ValueId p = builder.add_parameter(64, true);
  const ValueId x = builder.add_parameter(32);
  for (int i = 0; i < 4; ++i) builder.add_block();
  const ValueId joined = builder.add_block_argument(3, 32);
  builder.add_result(32);
  builder.select(0);
  const ValueId condition = builder.op(term::Op::Ult, {x, builder.constant(32, 9)});
  builder.branch(condition, {1, {}}, {2, {}});
  builder.select(1);
  const ValueId loaded = builder.load(p, 32, 4);
  builder.jump({3, {loaded}});
  builder.select(2);
  const ValueId sum = builder.op(term::Op::Add, {x, x});
  builder.store(p, sum, 4);
  builder.jump({3, {x}});
  builder.select(3);
  builder.return_values({&joined, 1});
  const Function function = builder.finish();

  const Governors governors(function);
  ASSERT_EQ(governors.all().size(), 1u);
  const AccessedVariables accessed = accessed_variables(function, Uses(function), governors.all()[0]);
  EXPECT_EQ(accessed.values.ins, (std::vector<ValueId>{p, x}));
  EXPECT_TRUE(accessed.values.outs.empty());
  ASSERT_EQ(accessed.reads.size(), 1u);
  EXPECT_EQ(function.instructions[accessed.reads[0]].first_result, loaded);
  ASSERT_EQ(accessed.writes.size(), 1u);
  EXPECT_EQ(function.instructions[accessed.writes[0]].kind, Kind::Store);
}

}  // namespace
}  // namespace plumb::program
