#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "frontend/load.h"
#include "program/function_builder.h"
#include "program/verify.h"
#include "region_check.h"

namespace plumb::concolic {

using instrument::plan_regions;
using instrument::RegionLimits;
namespace {

using program::BlockId;
using program::FunctionBuilder;
using program::ValueId;
using term::Op;

program::Program program_of(program::Function function) {
  program::Program program;
  program.functions.push_back(std::move(function));
  program.entry = 0;
  EXPECT_TRUE(program::verify(program).empty());
  return program;
}

/// The example of LLSPLAT, Fig. 2.2a, with block i for BBi, over words of 4 bits. Arguments of BB3, BB6 and BB7 stand
/// for x and y.
program::Program figure() {
  FunctionBuilder b("figure");
  const ValueId x0 = b.add_parameter(4, false, "x");
  const ValueId y0 = b.add_parameter(4, false, "y");
  for (int i = 0; i < 8; ++i) b.add_block();
  const ValueId x3 = b.add_block_argument(3, 4);
  b.add_block_argument(3, 4);
  const ValueId x6 = b.add_block_argument(6, 4);
  const ValueId x7 = b.add_block_argument(7, 4);
  b.add_block_argument(7, 4);
  b.select(0);
  b.branch(b.op(Op::Ult, {y0, x0}), {1, {}}, {2, {}});
  b.select(1);
  b.jump({3, {b.op(Op::Sub, {x0, y0}), y0}});
  b.select(2);
  const ValueId x1 = b.op(Op::Sub, {y0, x0});
  b.branch(b.op(Op::Ult, {y0, x1}), {4, {}}, {5, {}});
  b.select(4);
  b.jump({6, {b.op(Op::Sub, {y0, x1})}});
  b.select(5);
  const ValueId x2 = b.op(Op::Sub, {y0, x1});
  b.branch(b.op(Op::Eq, {x2, b.constant(4, 0)}), {7, {x2, y0}}, {6, {x2}});
  b.select(6);
  b.branch(b.op(Op::Eq, {x6, b.constant(4, 9)}), {7, {x6, x6}}, {3, {x6, x6}});
  for (const ValueId result : {x3, x7}) {
    b.select(result == x3 ? 3 : 7);
    b.return_values({});
  }
  return program_of(b.finish());
}

TEST(RegionFigure, HasTheRegionAndDestinationsOfThePaper) {
  const auto plans = plan_regions(figure(), 0, {});
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_EQ(plans[0].governor, 0U);
  std::vector<BlockId> blocks = plans[0].blocks;
  std::sort(blocks.begin(), blocks.end());
  EXPECT_EQ(blocks, (std::vector<BlockId>{1, 2, 4, 5, 6}));
  EXPECT_EQ(plans[0].destinations, (std::vector<BlockId>{3, 7}));
  EXPECT_EQ(plans[0].ins.size(), 3U);  // x, y and the governor's condition
  EXPECT_EQ(plans[0].outs.size(), 4U);
  EXPECT_TRUE(plans[0].slots.empty());
}

TEST(RegionFigure, AgreesWithRunsForAllInputs) {
  const program::Program program = figure();
  const auto plans = plan_regions(program, 0, {});
  std::mt19937 random(1);
  CheckCounts counts;
  RegionCheck check(program, plans[0], random, counts);
  for (std::uint64_t inputs = 0; inputs < 256 && !HasFailure(); ++inputs) {
    ReferenceRun run(program, program.functions[0]);
    run.values[program.functions[0].parameters[0]] = BitVector(4, inputs % 16);
    run.values[program.functions[0].parameters[1]] = BitVector(4, inputs / 16);
    ASSERT_TRUE(run.run_block(0));
    check.check(run);
  }
  EXPECT_EQ(counts.destinations, 256U);
}

TEST(RegionFigure, HasTheEdgeFormulasOfTableTwoPointOne) {
  const program::Program program = figure();
  const auto plans = plan_regions(program, 0, {});
  term::TermStore store;
  RegionTemplate region(program, plans[0], store);
  EXPECT_TRUE(region.faults().empty());
  for (std::uint64_t inputs = 0; inputs < 256; ++inputs) {
    const std::uint64_t x0 = inputs % 16;
    const std::uint64_t y0 = inputs / 16;
    RegionVisit visit;
    for (const ValueId v : plans[0].ins)
      visit.ins.push_back(
          store.constant(program.functions[0].values[v].width, v == program.functions[0].parameters[0]   ? x0
                                                               : v == program.functions[0].parameters[1] ? y0
                                                                                                         : x0 > y0));
    const RegionInstance instance = region.instantiate(visit);
    const bool g1 = x0 > y0;
    const bool g2 = !g1;
    const std::uint64_t x1 = (y0 - x0) & 15;
    const bool g4 = g2 && x1 > y0;
    const bool g5 = g2 && !(x1 > y0);
    const std::uint64_t x2 = (y0 - x1) & 15;
    const bool g6 = g4 || (g5 && x2 != 0);
    const std::uint64_t y1 = (y0 - x1) & 15;
    EXPECT_TRUE(store.is_constant(instance.destination_guards[0]));
    EXPECT_EQ(store.is_true(instance.destination_guards[0]), g1 || (g6 && y1 != 9));
    EXPECT_EQ(store.is_true(instance.destination_guards[1]), (g5 && !(x2 != 0)) || (g6 && y1 == 9));
  }
}

/// n conditions one after the other, each with an empty else, that change one variable.
program::Program chain_of_conditions(std::uint32_t n) {
  FunctionBuilder b("chain");
  const ValueId c = b.add_parameter(32);
  ValueId state = b.add_parameter(32);
  b.select(b.add_block());
  for (std::uint32_t i = 0; i < n; ++i) {
    const BlockId then_block = b.add_block();
    const BlockId join = b.add_block();
    const ValueId joined = b.add_block_argument(join, 32);
    b.branch(b.op(Op::Ult, {state, c}), {then_block, {}}, {join, {state}});
    b.select(then_block);
    b.jump({join, {b.op(Op::Mul, {state, c})}});
    b.select(join);
    state = joined;
  }
  const BlockId end = b.add_block();
  b.jump({end, {}});
  b.select(end);
  b.return_values({});
  return program_of(b.finish());
}

TEST(RegionFormulas, OfAChainOfConditionsGrowLinearly) {
  std::vector<std::size_t> sizes;
  for (const std::uint32_t n : {16U, 32U, 64U}) {
    const program::Program program = chain_of_conditions(n);
    const auto plans = plan_regions(program, 0, {});
    ASSERT_EQ(plans.size(), 1U);
    EXPECT_EQ(plans[0].blocks.size(), 2 * n);
    term::TermStore store;
    RegionTemplate region(program, plans[0], store);
    sizes.push_back(region.size());
  }
  EXPECT_LE(sizes[1], sizes[0] * 9 / 4);
  EXPECT_LE(sizes[2], sizes[1] * 9 / 4);
}

TEST(RegionFormulas, KnowThatJoinsAlwaysFollowTheirCondition) {
  const program::Program program = chain_of_conditions(8);
  const auto plans = plan_regions(program, 0, {});
  term::TermStore store;
  RegionTemplate region(program, plans[0], store);
  RegionVisit visit;
  for (const ValueId v : plans[0].ins) visit.ins.push_back(store.variable(program.functions[0].values[v].width, "in"));
  const RegionInstance instance = region.instantiate(visit);
  ASSERT_EQ(instance.destination_guards.size(), 1U);
  EXPECT_TRUE(store.is_true(instance.destination_guards[0]));
}

constexpr const char* kSource = R"(
void stop(void); int dispatch_one(int);
struct pair { int a; int b; };
struct pair left, right;
int word; unsigned char bytes[8]; unsigned char line[200]; int table[4]; const int squares[5] = {0, 1, 4, 9, 16};
int result;

void side_entry(int a, int b) { int x = 0; if (a) { if (b) x = 1; stop(); } if (x + b > 3) result = x; stop(); }
void one_path_writes(int a) { if (a > 3) { word = a; } result = word + 1; if (a > 7) result = word; stop(); }
void both_paths_write(int a) { if (a > 3) { word = a; table[1] = 2; } else { table[1] = a; } result = word + table[1]; stop(); }
void overlap(int a) { if (a & 1) { *(int *)(bytes + 2) = a; } else { bytes[3] = (unsigned char)a; } word = *(short *)(bytes + 3); stop(); }
void copies(int a) { if (a > 0) { left = right; left.a = a; } else { right = left; right.b = 0; } result = left.a + right.b; stop(); }
void indexed(int i, int v) { if (v > 2) { table[i] = v; } else { v = table[i & 3]; } result = table[2] + squares[v]; stop(); }
void checked_on_one_path(unsigned i, int v) { if (v) { table[i] = 1; } else { word = 2; } result = *(table + i); stop(); }
void written_line(unsigned char i, unsigned char j, int v) { if (v > 0) { line[i] = 1; if (v > 5) line[j] = 2; } else { line[3] = 7; } result = line[j] + line[3]; stop(); }
void divides(int a, int b) { if (a > 1) { result = a / b; } else { result = a % (b - 1); } word = result / 3; stop(); }
void pointers(struct pair *p, int *q, int v) { if (v) { p->a = v; *q = v + 1; } else { p->b = *q; } result = p->a; stop(); }
void inner_pointer(int i, int v) { int *p = table + i; if (v) { *p = v; p[1] = 3; } else { result = *p; } if (v > 3) result = 1; stop(); }
void fields(struct pair *p, int v) {
  int *a = &p->b, *b = &p->b, *c = &p->a;
  if (v) { *a = v; if (*c == 3) *c = *b; } if (*b == v) result = *c;
  stop();
}
void elements(struct pair *p, int i, int v) {
  int *a = &p[i & 1].b, *b = &p[i & 1].b, *c = &p[i & 1].a;
  if (v) { *a = v; if (*c == 3) *c = *b; } if (*b == v) result = *c;
  stop();
}
int lexer(int state, char c) {
  if (state == 0 && c == '[') state = 1;
  if (state == 1 && c == '(') state = 2;
  if (state == 2 && c == '{') state = 3;
  if (state == 3 && c == '~') state = 4;
  if (state == 4 && c == 'a') state = 5;
  if (state == 5 && c == 'x') state = 6;
  if (state == 6 && c == '}') state = 7;
  if (state == 7) stop();
  return state;
}
int dispatch(int op, int x) {
  int y;
  if (x > 100) { switch (op) { case 0: y = x + 1; break; case 1: y = x * 2; break; case 7: y = op; break; default: y = -x; } }
  else { switch (op & 3) { case 0: y = 5; break; case 2: y = x; break; default: y = x - 1; } }
  stop();
  return y;
}
void ordered(double a, float b) { if (a < 0.0) { if (b >= 1.0f) result = 1; else result = 2; } else { if (a == 3.0) result = 3; } stop(); }
void widened(float a, float b) { if (a > 1.0) { if (b + 0 == 0) result = 1; double d = b; if (d < a) result = 2; } else { if (a == 0.1) result = 3; } stop(); }
const char *names(int a) { const char *s = "x"; if (a > 2) { s = "long"; } else { if (a == 0) s = "null"; } stop(); return s; }

volatile int port; extern int foreign; int huge[300]; struct node { struct node *next; int value; }; struct node *list;
float ratio; __int128 wide; int (*handler)(int);
void reads_port(int a) { if (a) { result = port; } else { result = 1; } stop(); }
void reads_foreign(int a) { if (a) { result = foreign; } else { result = 1; } stop(); }
void reads_huge(int a, int i) { if (a) { result = huge[i]; } else { result = 1; } stop(); }
void reads_huge_at_constant(int a) { if (a) { result = huge[290]; } else { huge[7] = 1; } stop(); }
void follows_list(int a) { if (a) { result = list->value; } else { result = 1; } stop(); }
void computes_ratio(int a) { if (a) { ratio = ratio * 2; } else { result = 1; } stop(); }
void widens(int a) { if (a) { wide = wide + 1; } else { result = 1; } stop(); }
void stores_function(int a) { if (a) { handler = dispatch_one; } else { result = 1; } stop(); }
)";

/// The C text above, compiled once.
const program::Program& compiled() {
  static const program::Program program = [] {
    const auto path = std::filesystem::temp_directory_path() / ("plumb-region-" + std::to_string(getpid()) + ".c");
    std::ofstream(path) << kSource;
    frontend::LoadOptions options;
    options.files = {path.string()};
    options.entry = "";
    options.link_models = false;
    program::Program made = frontend::load_program(options, Budget{});
    std::filesystem::remove(path);
    return made;
  }();
  return program;
}

std::vector<RegionPlan> plans_of(const std::string& name, const RegionLimits& limits = {}) {
  return plan_regions(compiled(), *compiled().find_function(name), {}, limits);
}

class RegionOfSource : public testing::TestWithParam<const char*> {};

TEST_P(RegionOfSource, AgreesWithRuns) {
  const program::Program& program = compiled();
  const auto id = program.find_function(GetParam());
  ASSERT_TRUE(id.has_value());
  const program::Function& f = program.functions[*id];
  const std::vector<RegionPlan> plans = plans_of(GetParam());
  ASSERT_FALSE(plans.empty());
  std::mt19937 random(11);
  CheckCounts counts;
  std::map<BlockId, std::unique_ptr<RegionCheck>> checks;
  for (const RegionPlan& plan : plans)
    checks[plan.governor] = std::make_unique<RegionCheck>(program, plan, random, counts);
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    ReferenceRun run(program, f);
    std::set<std::uint64_t> constant;
    for (program::GlobalId g = 0; g < program.globals.size(); ++g)
      for (std::uint64_t i = 0; program.globals[g].is_constant && i < program.globals[g].size; ++i)
        constant.insert(run.global_address(g) + i);
    for (auto& [address, byte] : run.memory)
      if (random() % 4 != 0 && !constant.contains(address))
        byte = static_cast<std::uint8_t>(random() % 2 == 0 ? random() : random() % 3);
    for (const ValueId v : f.parameters) {
      const std::uint64_t number = random() % 2 == 0   ? random() % 9
                                   : random() % 4 == 0 ? 0 - (random() % 3)
                                                       : random() % 256;
      run.values[v] = BitVector(f.values[v].width, f.values[v].is_pointer ? run.add_object(16) + 4 : number);
    }
    BlockId b = 0;
    while (run.run_block(b)) {
      if (checks.contains(b)) checks[b]->check(run);
      const auto edge = run.next_edge(b);
      if (!edge) break;
      b = run.take_edge(b, *edge);
    }
  }
  EXPECT_GT(counts.visits, 30U);
}

INSTANTIATE_TEST_SUITE_P(Cases, RegionOfSource,
                         testing::Values("side_entry", "one_path_writes", "both_paths_write", "overlap", "copies",
                                         "indexed", "checked_on_one_path", "written_line", "divides", "pointers",
                                         "inner_pointer", "fields", "elements", "lexer", "dispatch", "ordered",
                                         "widened", "names", "reads_huge_at_constant"),
                         [](const auto& tested) { return std::string(tested.param); });

TEST(RegionPlan, CoversAWholeFunctionOfConditions) {
  const auto plans = plans_of("lexer");
  ASSERT_EQ(plans.size(), 1U);
  EXPECT_GT(plans[0].blocks.size(), 14U);
  EXPECT_TRUE(plans[0].slots.empty());
}

TEST(RegionPlan, LeavesOutWhatCannotBeEncoded) {
  for (const char* name :
       {"reads_port", "reads_foreign", "reads_huge", "follows_list", "computes_ratio", "widens", "stores_function"})
    EXPECT_TRUE(plans_of(name).empty()) << name;
}

TEST(RegionPlan, LeavesOutExcludedBlocks) {
  const program::FunctionId f = *compiled().find_function("one_path_writes");
  const auto plans = plan_regions(compiled(), f, {});
  ASSERT_EQ(plans.size(), 1U);
  std::vector<bool> excluded(compiled().functions[f].blocks.size(), false);
  excluded[plans[0].blocks[0]] = true;
  for (const RegionPlan& plan : plan_regions(compiled(), f, excluded))
    EXPECT_EQ(std::count(plan.blocks.begin(), plan.blocks.end(), plans[0].blocks[0]), 0);
}

TEST(RegionPlan, CutsRegionsThatAreTooLarge) {
  const program::Program program = chain_of_conditions(100);
  RegionLimits limits;
  limits.max_blocks = 20;
  const auto plans = plan_regions(program, 0, {}, limits);
  ASSERT_GT(plans.size(), 5U);
  std::size_t blocks = 0;
  for (const RegionPlan& plan : plans) {
    EXPECT_LE(plan.blocks.size(), 20U);
    blocks += plan.blocks.size();
  }
  EXPECT_GT(blocks, 150U);
  limits = {};
  limits.max_instructions = 30;
  for (const RegionPlan& plan : plan_regions(program, 0, {}, limits)) {
    std::size_t instructions = 0;
    for (const BlockId b : plan.blocks) instructions += program.functions[0].blocks[b].instruction_count;
    EXPECT_LE(instructions, 30U);
  }
  limits = {};
  limits.max_ins = 0;
  EXPECT_TRUE(plan_regions(program, 0, {}, limits).empty());
}

TEST(RegionPlan, TakesWholeObjectsForVariableOffsetsAndWordsAsCells) {
  const auto plans = plans_of("indexed");
  ASSERT_EQ(plans.size(), 1U);
  bool has_table = false;
  for (std::uint32_t i = 0; i < plans[0].slots.size(); ++i) {
    const MemorySlot& slot = plans[0].slots[i];
    if (slot.size != 16) continue;
    has_table = true;
    EXPECT_TRUE(slot.is_known && slot.is_written);
    EXPECT_EQ(std::count_if(plans[0].cells.begin(), plans[0].cells.end(),
                            [&](const MemoryCell& cell) { return cell.slot == i && cell.size == 4; }),
              4);
  }
  EXPECT_TRUE(has_table);
}

TEST(RegionPlan, TakesPointersFromOutsideAsBasesAndNotAsLiveIns) {
  const auto plans = plans_of("pointers");
  ASSERT_EQ(plans.size(), 1U);
  const program::Function& f = compiled().functions[plans[0].function];
  for (const ValueId v : plans[0].ins) EXPECT_FALSE(f.values[v].is_pointer);
  std::size_t unknown = 0;
  for (const MemorySlot& slot : plans[0].slots) unknown += !slot.is_known;
  EXPECT_EQ(unknown, 2U);
}

TEST(RegionPlan, GivesAddressesThatDifferByAConstantOneBase) {
  for (const char* name : {"fields", "elements"}) {
    const auto plans = plans_of(name);
    ASSERT_EQ(plans.size(), 1U) << name;
    std::set<ValueId> bases;
    for (const MemorySlot& slot : plans[0].slots)
      if (!slot.is_known) bases.insert(slot.base);
    EXPECT_EQ(bases.size(), 1U) << name;
  }
}

TEST(RegionPlan, KnowsTheObjectOfAPointerThatWasComputedBefore) {
  const auto plans = plans_of("inner_pointer");
  ASSERT_EQ(plans.size(), 2U);  // the second begins where the first is left
  const program::Function& f = compiled().functions[plans[0].function];
  EXPECT_TRUE(
      std::all_of(plans[0].slots.begin(), plans[0].slots.end(), [](const MemorySlot& slot) { return slot.is_known; }));
  EXPECT_TRUE(
      std::any_of(plans[0].ins.begin(), plans[0].ins.end(), [&](ValueId v) { return f.values[v].width == 64; }));
}

TEST(RegionTemplate, MakesNoMoreTermsAVisitThanAFewTimesItsSize) {
  const program::Program program = chain_of_conditions(100);
  const auto plans = plan_regions(program, 0, {});
  term::TermStore store;
  RegionTemplate region(program, plans[0], store);
  for (int visits = 0; visits < 5; ++visits) {
    const std::uint32_t before = store.size();
    RegionVisit visit;
    for (const ValueId v : plans[0].ins)
      visit.ins.push_back(store.variable(program.functions[0].values[v].width, "in"));
    region.instantiate(visit);
    region.outs(0);
    EXPECT_LE(store.size() - before, 2 * region.size() + visit.ins.size());
  }
}

TEST(RegionTemplate, FoldsAVisitWithConstantsToConstants) {
  const auto plans = plans_of("lexer");
  term::TermStore store;
  RegionTemplate region(compiled(), plans[0], store);
  RegionVisit visit;
  for (const ValueId v : plans[0].ins)
    visit.ins.push_back(store.constant(compiled().functions[plans[0].function].values[v].width, 1));
  const RegionInstance instance = region.instantiate(visit);
  std::size_t taken = 0;
  for (std::uint32_t d = 0; d < instance.destination_guards.size(); ++d) {
    ASSERT_TRUE(store.is_constant(instance.destination_guards[d]));
    taken += store.is_true(instance.destination_guards[d]);
    for (const term::Term value : region.outs(d).values) EXPECT_TRUE(!value || store.is_constant(value));
  }
  EXPECT_EQ(taken, 1U);
}

}  // namespace
}  // namespace plumb::concolic
