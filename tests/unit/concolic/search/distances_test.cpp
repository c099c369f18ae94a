#include "concolic/search/distances.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "program/function_builder.h"

namespace plumb::concolic {

using instrument::Site;

namespace {

using program::BlockId;
using program::FunctionBuilder;

/// A function whose blocks all branch, with a counted site each.
Subject random_subject(std::mt19937& random, BlockId blocks) {
  Subject subject;
  subject.sites.resize(1);
  subject.terminator_sites.resize(1);
  FunctionBuilder builder("main");
  const auto condition = builder.undefined(1);
  for (BlockId b = 0; b < blocks; ++b) builder.add_block();
  for (BlockId b = 0; b < blocks; ++b) {
    builder.select(b);
    const auto target = [&] { return 1 + static_cast<BlockId>(random() % (blocks - 1)); };
    builder.branch(condition, {target(), {}}, {target(), {}});
    Site site;
    site.first_edge = subject.edge_count;
    site.edge_count = 2;
    site.is_counted = true;
    subject.edge_count += 2;
    subject.sites.push_back(site);
    subject.terminator_sites[0].push_back(b + 1);
  }
  subject.program.functions.push_back(builder.finish());
  subject.program.entry = 0;
  return subject;
}

TEST(Distances, AreShortestPathsOnRandomGraphs) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const BlockId blocks = 2 + static_cast<BlockId>(random() % 10);
    const Subject subject = random_subject(random, blocks);
    std::vector<std::uint8_t> covered(subject.edge_count);
    for (auto& c : covered) c = random() % 4 != 0;
    Distances distances(subject);
    distances.set_covered(covered);
    // Bellman and Ford: in blocks, of which a step is two nodes.
    std::vector<std::uint32_t> expected(blocks, Distances::kFar);
    for (BlockId b = 0; b < blocks; ++b)
      if (covered[2 * b] == 0 || covered[2 * b + 1] == 0) expected[b] = 1;
    for (BlockId i = 0; i < blocks; ++i)
      for (BlockId b = 0; b < blocks; ++b)
        for (const auto& edge : subject.program.functions[0].successors(b))
          expected[b] = std::min(expected[b], expected[edge.target] + 2);
    for (BlockId b = 0; b < blocks; ++b) {
      EXPECT_EQ(distances.of_block(0, b), std::min(expected[b], Distances::kFar));
      for (std::uint32_t i = 0; i < 2; ++i) {
        const std::uint32_t behind = expected[subject.program.functions[0].successors(b)[i].target];
        const std::uint32_t otherwise = behind >= Distances::kFar ? Distances::kFar : behind + 1;
        EXPECT_EQ(distances.of_edge(2 * b + i), covered[2 * b + i] == 0 ? 0 : otherwise);
      }
    }
  }
}

/// main: block 0 calls `callee` and jumps to block 1, which branches. callee: block 0 branches and returns.
Subject with_call(program::Kind call) {
  Subject subject;
  subject.sites.resize(3);
  for (SiteId s = 1; s <= 2; ++s) {
    subject.sites[s].first_edge = 2 * (s - 1);
    subject.sites[s].edge_count = 2;
    subject.sites[s].is_counted = true;
  }
  subject.edge_count = 4;
  FunctionBuilder main("main");
  for (int i = 0; i < 3; ++i) main.add_block();
  main.select(0);
  if (call == program::Kind::Call) {
    main.emit(call, 0, {}, {}, 1);
  } else {
    const auto address = main.function_address(1, 64);
    main.emit(call, 0, std::span(&address, 1));
  }
  main.jump({1, {}});
  main.select(1);
  main.branch(main.undefined(1), {2, {}}, {2, {}});
  main.select(2);
  main.return_values({});
  FunctionBuilder callee("callee");
  callee.add_block();
  callee.add_block();
  callee.select(0);
  callee.branch(callee.undefined(1), {1, {}}, {1, {}});
  callee.select(1);
  callee.return_values({});
  subject.program.functions.push_back(main.finish());
  subject.program.functions.push_back(callee.finish());
  subject.program.entry = 0;
  subject.terminator_sites = {{0, 1, 0}, {2, 0}};
  return subject;
}

TEST(Distances, LeadIntoCallsAndOutOfReturns) {
  for (const auto kind : {program::Kind::Call, program::Kind::CallIndirect}) {
    const Subject subject = with_call(kind);
    Distances distances(subject);
    const std::vector<std::uint8_t> callee_open = {1, 1, 0, 1};
    distances.set_covered(callee_open);
    EXPECT_EQ(distances.of_block(0, 0), 2U);
    EXPECT_EQ(distances.of_block(0, 1), Distances::kFar);
    // The way back leads behind the call, not into it again.
    EXPECT_EQ(distances.of_block(1, 1), Distances::kFar);
    const std::vector<std::uint8_t> caller_open = {0, 1, 1, 1};
    distances.set_covered(caller_open);
    EXPECT_EQ(distances.of_block(1, 1), 4U);
    EXPECT_EQ(distances.of_edge(2), 5U);
    EXPECT_EQ(distances.of_edge(0), 0U);
  }
}

}  // namespace

}  // namespace plumb::concolic
