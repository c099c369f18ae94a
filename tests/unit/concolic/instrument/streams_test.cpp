// Addresses that rise in a loop are held against a limit instead of the map, and loops whose edges are all covered go
// on without coverage: what is told of a run must be the same to the byte.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "runtime/checks/checks.h"
#include "unit/concolic/instrument/instrumenter_fixture.h"

namespace plumb::concolic::testing {

using instrument::EdgeId;
using instrument::Site;
namespace {

using Form = InstrumentedProgram::Form;

/// Loops over an object `o` of `n` bytes that ends with a zero if it is right, else goes on behind its end.
const std::vector<std::string> kLoops = {
    "const char* p = o; while (*p) ++p; sum += p - o;",
    "unsigned long i = 0; while (o[i]) ++i; sum += i;",
    "const int* p = (const int*)(void*)o; while (*p) p++; sum += p - (const int*)(void*)o;",
    "const char* p = o + 1; for (; *p; ++p) { const char *t = p, *w = \"xy\"; while (*w && *t == *w) { ++t; ++w; } sum "
    "+= !*w; }",
    "for (unsigned i = 0; i < n; ++i) o[i] = (char)(i + 1); sum += o[0];",
    "int i; for (i = 0; at(o + i); ++i) sum += i;",
};

struct Kernel {
  std::size_t size = 0;  ///< of the object
  bool is_right = true;
};

std::string program_of(const std::vector<Kernel>& kernels, const std::string& loop) {
  std::string text =
      "#include <stdlib.h>\n#include <string.h>\nstatic unsigned long sum;\n"
      "static int at(const char* p) { return *p; }\n";
  for (std::size_t i = 0; i < kernels.size(); ++i)
    text += fmt::format(
        "static void f{}(void) {{ char* o = malloc({}); unsigned n = {}; memset(o, 'x', {}); "
        "if ({}) memset(o + {} - 4, 0, 4); {} free(o); }}\n",
        i, kernels[i].size, kernels[i].size + (kernels[i].is_right ? 0 : 1), kernels[i].size,
        static_cast<int>(kernels[i].is_right), kernels[i].size, loop);
  text += "int main(void) {\n";
  for (std::size_t i = 0; i < kernels.size(); ++i) text += fmt::format("  f{}();\n", i);
  return text + "  return (int)(sum & 63);\n}\n";
}

TEST(PointerStreams, TheFirstByteBehindAnObjectIsToldAndNoneInIt) {
  std::vector<Kernel> kernels;
  for (const std::size_t size : {8, 12, 16, 20, 24, 56, 60, 64, 68, 72, 76, 124, 128, 132, 192, 196, 4096})
    for (const bool is_right : {true, false}) kernels.push_back({size, is_right});
  for (const std::string& loop : kLoops) {
    InstrumentedProgram program(program_of(kernels, loop), Form::Prepared);
    EXPECT_NE(program.prepared().module->getFunction("plumb.look"), nullptr) << loop;
    const TracedRun run = program.run(1);
    EXPECT_EQ(run.end, RunEnd::Exit) << loop;
    std::map<std::size_t, std::set<std::uint64_t>> offsets;
    for (const SeenDefect& defect : run.trace.defects) {
      EXPECT_EQ(defect.kind, static_cast<std::uint32_t>(PLUMB_DEFECT_POINTER)) << loop;
      const std::size_t line = program.prepared().subject.sites[defect.site].location.line;
      if (line >= 5) offsets[line - 5].insert(defect.address - defect.object_base);
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      const bool is_callee = loop.find("at(") != std::string::npos;
      const std::set<std::uint64_t> expected =
          kernels[i].is_right || is_callee ? std::set<std::uint64_t>{} : std::set<std::uint64_t>{kernels[i].size};
      EXPECT_EQ(offsets[i], expected) << loop << " " << kernels[i].size;
    }
  }
}

TEST(PointerStreams, MemoryThatTheLoopFreesIsLookedAtAgain) {
  InstrumentedProgram program(R"(#include <stdlib.h>
static void release(char* p) { free(p); }
static void drop(char* p, int i) { if (i == 3) release(p); }
int main(void) {
  unsigned long sum = 0;
  char* a = calloc(100, 1), *b = calloc(100, 1), *c = calloc(100, 1);
  for (int i = 0; i < 50; ++i) { sum += a[i]; if (i == 7) free(a); }
  for (char* p = b; p < b + 50; ++p) { sum += *p; drop(b, (int)(p - b)); }
  void (*volatile indirect)(char*) = release;
  for (int i = 0; i < 50; ++i) { sum += c[i]; if (i == 9) indirect(c); }
  return (int)sum;
})",
                              Form::Prepared);
  const TracedRun run = program.run(1);
  std::map<std::size_t, std::uint64_t> offsets;
  for (const SeenDefect& defect : run.trace.defects) {
    EXPECT_EQ(defect.kind, static_cast<std::uint32_t>(PLUMB_DEFECT_FREED));
    offsets.emplace(program.prepared().subject.sites[defect.site].location.line, defect.address - defect.object_base);
  }
  EXPECT_EQ(offsets, (std::map<std::size_t, std::uint64_t>{{7, 8}, {8, 4}, {10, 10}}));
}

TEST(PointerStreams, BytesPastTheEndOfACopyOfAnySizeAreTold) {
  const std::vector<int> sizes = {1, 7, 8, 40, 57, 63, 64, 65, 200};
  std::string text =
      "#include <stdlib.h>\n#include <string.h>\nstatic unsigned long n;\nint main(void) {\n"
      "char *a, *b = calloc(300, 1);\n";
  for (const int size : sizes)
    text += fmt::format(
        "n = {}; a = malloc({}); memcpy(a, b, n); memcpy(b, a + 1, n - 1); memmove(a, b, 0 * n);\n"
        "memcpy(a + 1, b, n);\nmemcpy(b, a, n + 1); free(a);\n",
        size, size);
  text += "memcpy((char*)(0x4141414141414141ul + n), b, n);\nfree(b);\nreturn 0; }\n";
  InstrumentedProgram program(text, Form::Prepared);
  std::set<std::uint32_t> lines;
  for (const SeenDefect& defect : program.run(1).trace.defects)
    lines.insert(program.prepared().subject.sites[defect.site].location.line);
  std::set<std::uint32_t> expected = {static_cast<std::uint32_t>(6 + 3 * sizes.size())};
  for (std::uint32_t i = 0; i < sizes.size(); ++i) expected.insert({6 + 3 * i + 1, 6 + 3 * i + 2});
  EXPECT_EQ(lines, expected);
}

std::set<std::pair<std::uint32_t, EdgeId>> covered_lines(InstrumentedProgram& program) {
  const TracedRun run = program.run(1);
  std::set<std::pair<std::uint32_t, EdgeId>> covered;
  for (const Site& site : program.prepared().subject.sites)
    for (EdgeId edge = 0; edge < site.edge_count; ++edge)
      if (run.coverage[site.first_edge + edge] != 0) covered.insert({site.location.line, edge});
  return covered;
}

TEST(CoveredLoops, ALoopCoversTheSameWithACopyAndWithout) {
  const std::string text = R"(
static int table[1000], sum;
static int first(int from, int wanted) {
  for (int i = from; i < 1000; ++i) {
    if (table[i] == wanted) return i;
    if (table[i] < 0) break;
    switch (table[i] % 5) {
      case 1: sum += 1; break;
      case 3: sum += 2; break;
      default: continue;
    }
    for (int j = 0; j < 3; ++j)
      if (table[j] > table[i]) ++sum;
  }
  return -1;
}
int main(void) {
  for (int i = 0; i < 1000; ++i) table[i] = i & 1 ? 1000 - i : i;
  sum += first(0, 7) + first(500, 5000);
  table[900] = -1;
  sum += first(3, 5000) + first(901, 2);
  for (int i = 0; i < 100; ++i)
    if (i > 97 && sum > 3 && table[i] != 5) ++sum;
  return sum & 63;
})";
  InstrumentedProgram with(text, Form::Prepared);
  InstrumentedProgram without(text, Form::C);
  std::size_t copies = 0;
  for (const llvm::Function& function : *with.prepared().module)
    for (const llvm::BasicBlock& block : function) copies += block.getName().ends_with(".copy") ? 1U : 0U;
  EXPECT_GT(copies, 10U);
  EXPECT_EQ(with.run(1).code, without.run(1).code);
  EXPECT_EQ(covered_lines(with), covered_lines(without));
  EXPECT_GT(covered_lines(with).size(), 15U);
}

}  // namespace
}  // namespace plumb::concolic::testing
