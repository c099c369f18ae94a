#include "program/analysis/call_graph.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "program/analysis/components.h"
#include "program/function_builder.h"
#include "random_cfg.h"

namespace plumb::program {
namespace {

TEST(Components, AreMutualReachabilityCalleesFirst) {
  std::mt19937 random(31);
  for (int round = 0; round < 3000; ++round) {
    const Cfg graph = random_cfg(random, 12);
    const Components components(graph);
    std::vector<std::vector<bool>> reached;
    for (BlockId b = 0; b < graph.size(); ++b) reached.push_back(reach(graph, b));
    std::size_t members = 0;
    for (std::uint32_t c = 0; c < components.size(); ++c) members += components.members(c).size();
    ASSERT_EQ(members, graph.size());
    for (BlockId a = 0; a < graph.size(); ++a) {
      for (BlockId b = 0; b < graph.size(); ++b) {
        ASSERT_EQ(components.component_of(a) == components.component_of(b), reached[a][b] && reached[b][a]);
        if (reached[a][b]) {
          ASSERT_GE(components.component_of(a), components.component_of(b));
        }
      }
    }
  }
}

TEST(Components, DeepGraphsNeedNoRecursion) {
  EXPECT_EQ(Components(chain(300'000)).size(), 300'000u);
  EXPECT_EQ(Components(nest(100'000)).size(), 3u);  // the loops, the entry and the exit
}

/// A function with `parameters` parameters of width 64 that calls `callees` with zeros, then, if asked, a pointer.
struct Shape {
  std::uint32_t parameters = 0;
  std::vector<FunctionId> callees;
  std::vector<std::uint32_t> indirect;  ///< numbers of arguments
  std::vector<FunctionId> takes_address;
  bool is_variadic = false;
};

Program make_program(const std::vector<Shape>& shapes) {
  Program program;
  for (std::size_t f = 0; f < shapes.size(); ++f) {
    const Shape& shape = shapes[f];
    FunctionBuilder builder(fmt::format("f{}", f));
    for (std::uint32_t i = 0; i < shape.parameters; ++i) builder.add_parameter(64);
    builder.function().is_variadic = shape.is_variadic;
    builder.select(builder.add_block());
    const ValueId zero = builder.constant(64, 0);
    for (const FunctionId target : shape.takes_address) builder.store(zero, builder.function_address(target, 64), 8);
    for (const FunctionId callee : shape.callees)
      builder.emit(Kind::Call, 0, std::vector<ValueId>(shapes[callee].parameters, zero), {}, callee);
    for (const std::uint32_t count : shape.indirect)
      builder.emit(Kind::CallIndirect, 0, std::vector<ValueId>(count + 1, zero));
    builder.return_values({});
    program.functions.push_back(builder.finish());
  }
  return program;
}

TEST(CallGraph, PointersReachFunctionsWhoseAddressIsTakenAndThatHaveNoMoreParameters) {
  const Program program = make_program({
      {0, {1}, {1, 2}, {2, 3, 4}},  // f0 takes the addresses of f2, f3 and f4
      {1, {}, {}, {}},              // never taken
      {1, {}, {}, {}},
      {2, {}, {}, {}},
      {1, {}, {}, {}, true},  // variadic: one argument or more
  });
  const CallGraph graph(program);
  const auto targets = [&](std::uint32_t count) {
    return std::vector<FunctionId>(graph.indirect_targets(count).begin(), graph.indirect_targets(count).end());
  };
  EXPECT_EQ(targets(1), (std::vector<FunctionId>{2, 4}));
  EXPECT_EQ(targets(2), (std::vector<FunctionId>{2, 3, 4})) << "f2 ignores the second";
  EXPECT_EQ(targets(0), (std::vector<FunctionId>{}));
  EXPECT_EQ(graph.callees(0), (std::vector<FunctionId>{1, 2, 3, 4}));
  EXPECT_FALSE(graph.is_address_taken(1));
  EXPECT_TRUE(graph.is_address_taken(4));
}

TEST(CallGraph, APointerInAGlobalTakesTheAddress) {
  Program program = make_program({{0, {}, {0}, {}}, {0, {}, {}, {}}});
  EXPECT_TRUE(CallGraph(program).callees(0).empty());
  GlobalObject table;
  table.relocations.push_back({0, true, 1, 0});
  program.globals.push_back(table);
  EXPECT_EQ(CallGraph(program).callees(0), (std::vector<FunctionId>{1}));
}

TEST(CallGraph, RecursionIsToldDirectMutualAndThroughPointers) {
  const Program program = make_program({
      {0, {1, 2, 4, 6}, {}, {}},
      {0, {1}, {}, {}},  // calls itself
      {0, {3}, {}, {}},  // f2 and f3 call each other
      {0, {2}, {}, {}},
      {1, {}, {1}, {4}},  // calls itself through a pointer
      {0, {}, {}, {}},    // called by nobody
      {0, {}, {}, {}},
  });
  const CallGraph graph(program);
  const std::vector<bool> expected{false, true, true, true, true, false, false};
  for (FunctionId f = 0; f < expected.size(); ++f) EXPECT_EQ(graph.is_recursive(f), expected[f]) << f;
  EXPECT_EQ(graph.component_of(2), graph.component_of(3));
  EXPECT_EQ(graph.components()[graph.component_of(2)], (std::vector<FunctionId>{2, 3}));
  for (const FunctionId callee : graph.callees(0)) EXPECT_LT(graph.component_of(callee), graph.component_of(0));
  const FunctionId root = 0;
  EXPECT_EQ(graph.reachable_from({&root, 1}), (std::vector<bool>{true, true, true, true, true, false, true}));
}

TEST(CallGraph, AnEmptyProgramHasNoComponents) { EXPECT_TRUE(CallGraph(Program{}).components().empty()); }

}  // namespace
}  // namespace plumb::program
