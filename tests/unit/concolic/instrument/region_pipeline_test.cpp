// Random C programs (state machines, structs through pointers that may be equal, arrays, switches, calls, loops)
// through the whole pipeline: planned, cloned, instrumented, run and traced, for both word sizes.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <random>
#include <string>

#include "base/file.h"
#include "concolic/execute/executor.h"
#include "concolic/search/search.h"
#include "concolic/trace/trace_builder.h"
#include "instrument/build_subject.h"

namespace plumb::concolic {

using instrument::build_subject;
using instrument::MemorySlot;
using instrument::RegionPlan;
namespace {

class RandomMachine {
 public:
  explicit RandomMachine(unsigned seed) : random_(seed) {}

  std::string make() {
    std::string text = R"(
#include <stdlib.h>
unsigned char __VERIFIER_nondet_uchar(void);
struct machine { int state; unsigned char flag; unsigned short count; unsigned char text[6]; };
static struct machine shared; static unsigned table[8]; static int notes;
static int is_even(unsigned x) { return (x & 1) == 0; }
__attribute__((noinline)) static void note(int *where) { *where += 1; notes ^= *where; }
)";
    text +=
        "__attribute__((noinline)) static int step(struct machine *m, struct machine *n, unsigned char c, "
        "unsigned char d) {\n  int u = 0, w = 1;\n";
    for (int i = 0; i < 5; ++i) text += statement(3);
    text += "  return u + w;\n}\n";
    static const char* const kPlaces[] = {"&local", "&shared", "malloc(sizeof(struct machine))"};
    text += "int main(void) {\n  struct machine local = {0, 0, 0, {0}};\n  struct machine *m = ";
    text += kPlaces[pick(3)];
    text += ";\n  struct machine *n = " + std::string(pick(2) == 0 ? "m" : "&shared") + ";\n  *m = local;\n";
    text += "  int sum = 0;\n  for (int i = 0; i < 2; ++i) {\n";
    text += "    unsigned char c = __VERIFIER_nondet_uchar(), d = __VERIFIER_nondet_uchar();\n";
    text += "    sum += step(m, n, c, d);\n    if (m->state == 3 && m->flag) sum += 7;\n  }\n";
    return text + "  return (sum + m->count + m->text[2] + n->state + notes + (int)table[1]) & 63;\n}\n";
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::string number() { return std::to_string(pick(5)); }

  std::string place() {
    static const char* const kPlaces[] = {"m->state", "m->flag",     "m->count",     "m->text[2]",           "n->state",
                                          "n->count", "n->text[4]",  "table[c & 7]", "m->text[(d & 7) % 6]", "u",
                                          "w",        "shared.count"};
    return kPlaces[pick(12)];
  }

  std::string value() {
    switch (pick(6)) {
      case 0:
        return number();
      case 1:
        return "c";
      case 2:
        return "(" + place() + " + " + number() + ")";
      case 3:
        return "(d ^ " + place() + ")";
      case 4:
        return "(c / (1 + (d & 3)))";
      default:
        return place();
    }
  }

  std::string condition() {
    switch (pick(5)) {
      case 0:
        return "c == " + number();
      case 1:
        return "(d & 3) == " + number() + " && " + place() + " < " + value();
      case 2:
        return "is_even(" + value() + ") || m->state == " + number();
      case 3:
        return "m == n";
      default:
        return place() + " == " + number();
    }
  }

  std::string choice(int depth) {
    static const char* const kValues[] = {"m->state", "c & 3", "n->flag", "u"};
    std::string text = std::string("  switch (") + kValues[pick(4)] + ") {\n";
    for (unsigned i = 0; i < 3; ++i)
      text += "  case " + std::to_string(i) + ":\n" + statement(depth - 1) + (pick(4) == 0 ? "" : "  break;\n");
    if (pick(2) == 0) text += "  default:\n" + (pick(3) == 0 ? std::string("  note(&u);\n") : statement(depth - 1));
    return text + "  }\n";
  }

  std::string statement(int depth) {
    switch (depth == 0 ? 0 : pick(9)) {
      case 1:
      case 2:
        return "  if (" + condition() + ") {\n" + statement(depth - 1) + "  }\n";
      case 3:
        return "  if (" + condition() + ") {\n" + statement(depth - 1) + "  } else {\n" + statement(depth - 1) +
               "  }\n";
      case 4:
      case 5:
        return choice(depth);
      case 6:
        return "  if (" + condition() + ") note(&w); else {\n" + statement(depth - 1) + "  }\n";
      case 7:
        return "  for (int k = 0; k < 2; ++k) {\n" + statement(depth - 1) + "  if (" + condition() + ") break;\n  }\n";
      default:
        return "  " + place() + " = " + value() + ";\n";
    }
  }

  std::mt19937 random_;
};

struct Outcome {
  int code = 0;
  std::vector<std::uint8_t> coverage;
  std::size_t regions = 0;
};

/// One run, of which every condition must hold under its own inputs.
Outcome run_once(const Subject& subject, Executor& executor, std::uint64_t seed, bool with_regions) {
  const std::vector<std::uint8_t> modes(subject.regions.size(), with_regions ? 1 : 0);
  RunRequest request;
  request.random_seed = seed;
  request.modes = modes;
  const RunRecord record = executor.run(request, Budget());
  EXPECT_EQ(record.end, RunEnd::Exit) << name(record.end);
  term::TermStore store;
  TraceBuilder builder(subject, store);
  const Trace trace = builder.build(record.stream);
  EXPECT_TRUE(trace.is_complete) << trace.problem;
  EXPECT_EQ(builder.first_false_node(trace), trace.nodes.size());
  Outcome made{record.code, {record.coverage.begin(), record.coverage.end()}, 0};
  for (const PathNode& node : trace.nodes) made.regions += node.kind == PathNode::Kind::Region;
  return made;
}

SearchReport search_with(const Subject& subject, RegionUse use) {
  SearchOptions options;
  options.regions = use;
  options.check_traces = true;
  return search(subject, options, {}, Budget().with_timeout(std::chrono::milliseconds(600)));
}

bool is_finished(const SearchReport& report) {
  return report.stop == SearchReport::Stop::AllBranches ||
         (report.stop == SearchReport::Stop::Complete && report.is_exhaustive);
}

class RegionPipeline : public testing::TestWithParam<std::uint32_t> {};

TEST_P(RegionPipeline, RandomProgramsDoAndCoverTheSameWithRegionsAndWithout) {
  std::size_t visits = 0, unknown_slots = 0, several_slots = 0, switches = 0, finished = 0;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const std::string source = RandomMachine(seed).make();
    SCOPED_TRACE(source);
    const TemporaryDirectory directory;
    const std::filesystem::path file = directory.path() / "program.c";
    write_file(file, source);
    frontend::LoadOptions options;
    options.files = {file.string()};
    options.word_size = GetParam();
    const Subject subject = build_subject(options, directory.path(), Budget());
    for (const RegionPlan& plan : subject.regions) {
      several_slots += plan.slots.size() > 1;
      for (const MemorySlot& slot : plan.slots) unknown_slots += !slot.is_known;
      const program::Function& function = subject.program.functions[plan.function];
      switches += function.terminator(plan.governor).kind == program::Kind::Switch;
    }
    Executor executor(subject, RunLimits());
    for (std::uint64_t inputs = 1; inputs <= 8; ++inputs) {
      const Outcome by_path = run_once(subject, executor, inputs, false);
      const Outcome by_region = run_once(subject, executor, inputs, true);
      EXPECT_EQ(by_path.code, by_region.code);
      EXPECT_EQ(by_path.coverage, by_region.coverage);
      visits += by_region.regions;
    }
    const SearchReport by_path = search_with(subject, RegionUse::Off);
    const SearchReport by_region = search_with(subject, RegionUse::On);
    EXPECT_EQ(by_region.divergences, 0U);
    if (is_finished(by_path) && is_finished(by_region)) {
      ++finished;
      EXPECT_EQ(by_path.edges_covered, by_region.edges_covered);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(visits, 50U);
  EXPECT_GT(unknown_slots, 10U);
  EXPECT_GT(several_slots, 5U);
  EXPECT_GT(switches, 2U);
  EXPECT_GT(finished, 0U);
}

INSTANTIATE_TEST_SUITE_P(WordSizes, RegionPipeline, testing::Values(64U, 32U), testing::PrintToStringParamName());

}  // namespace
}  // namespace plumb::concolic
