// Loops that have a copy without instrumentation: whatever a loop reads, overwrites or is entered with, what is
// symbolic after it is what it would be without the copy.
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <string>

#include "unit/concolic/instrument/instrumenter_fixture.h"

namespace plumb::concolic::testing {
namespace {

using Kind = PathNode::Kind;

constexpr const char* kPrelude = R"(
typedef unsigned char u8; typedef unsigned int u32;
extern u32 __VERIFIER_nondet_uint(void); extern u8 __VERIFIER_nondet_uchar(void);
static u32 sum;
#define SEE(x) do { u32 seen = (x); if (seen & 1) sum += 3; if (seen & 64) sum += 5; if (seen & 4096) sum *= 3; } while (0)
)";

std::size_t copy_count(const InstrumentedProgram& program) {
  std::size_t count = 0;
  for (const llvm::Function& function : *program.prepared().module)
    for (const llvm::BasicBlock& block : function) count += block.getName().starts_with("check") ? 1U : 0U;
  return count;
}

TEST(InstrumenterLoops, SymbolicMemoryAnywhereInALoopsRangeIsSeen) {
  InstrumentedProgram program(kPrelude + std::string(R"(
static u32 a[250], b[250]; static u8 bytes[700]; static u32 m[40][40];
static u32 total(const u32* p, int n) { u32 s = 0; for (int i = 0; i < n; ++i) s += p[i]; return s; }
static u32 backwards(const u32* p, int n) { u32 s = 0; for (int i = n - 1; i >= 0; --i) s = s * 3 + p[i]; return s; }
static u32 strided(const u8* p, u32 n) { u32 s = 0; for (u32 i = 0; i < n; i += 7) s += p[i]; return s; }
static void copy(u32* to, const u32* from, int n) { int i = 0; do { to[i] = from[i] + 1; } while (++i < n); }
static int find(const u32* p, int n, u32 x) { for (int i = 0; i < n; ++i) if (p[i] == x) return i; return -1; }
static void clear(u32* p, int n) { for (int i = 0; i < n; ++i) p[i] = (u32)i; }
static u32 product(void) { u32 s = 0; for (int i = 0; i < 40; ++i) for (int j = 0; j < 40; ++j) s += m[i][j] * m[j][i]; return s; }
static u32 chained(u32 n) { u32 x = 1, y = 0; for (u32 i = 0; i < n; ++i) { y = x; x = x * 5 + i; } return x ^ y; }
int main(void) {
  u32 x = __VERIFIER_nondet_uint(); u8 where = __VERIFIER_nondet_uchar();
  clear(a, 250); SEE(total(a, 250)); SEE(backwards(a, 250)); SEE(find(a, 250, 77));
  a[5] = x; SEE(total(a, 250)); SEE(total(a + 6, 240)); SEE(backwards(a, 20)); SEE(find(a, 100, 900));
  a[249] = x >> 3; SEE(total(a, 250)); SEE(total(a, 249)); a[5] = 1; SEE(total(a, 200));
  copy(b, a, 250); SEE(b[249]); SEE(b[7]); clear(b, 250); SEE(b[249]); SEE(total(b, 250));
  a[where % 250] = 9; SEE(total(a, 240)); SEE(a[3]);
  bytes[14 + 7 * 20] = where; SEE(strided(bytes, 700)); bytes[140] = 4; SEE(strided(bytes, 130)); SEE(strided(bytes, 700));
  SEE(product()); m[17][9] = x; SEE(product()); m[17][9] = 2; SEE(product());
  SEE(chained(40)); SEE(chained(20 + (x & 3)));
  for (int i = 0; i < 30; ++i) { if (i == 20) sum += x; sum ^= (u32)i; }
  SEE(sum);
  return sum & 127;
})"));
  EXPECT_GE(copy_count(program), 8U);
  for (const TracedRun& run : check_runs(program, 6)) {
    EXPECT_GT(run.count(Kind::Branch), 25U);
    EXPECT_TRUE(run.trace.lost.empty());
  }
}

TEST(InstrumenterLoops, ASymbolicByteAtTheEndOfAnAccessIsSeen) {
  InstrumentedProgram program(kPrelude + std::string(R"(
static u32 a[64]; static unsigned long long w[64]; static unsigned short h[64];
int main(void) {
  u8 x = __VERIFIER_nondet_uchar();
  u32 s = 0, u = 0; unsigned long long t = 0;
  ((u8*)a)[4 * 63 + 3] = x; ((u8*)w)[8 * 63 + 7] = x; ((u8*)h)[2 * 63 + 1] = x;
  for (int i = 0; i < 64; ++i) s += a[i];
  for (int i = 0; i < 64; ++i) t += w[i];
  for (int i = 0; i < 64; ++i) u += h[i];
  SEE(s >> 24); SEE((u32)(t >> 56)); SEE(u >> 8);
  return sum & 127;
})"));
  EXPECT_GE(copy_count(program), 3U);
  for (const TracedRun& run : check_runs(program, 4)) EXPECT_EQ(run.count(Kind::Branch), 6U);
}

TEST(InstrumenterLoops, CopiesCoverWhatTheLoopCovers) {
  InstrumentedProgram program(kPrelude + std::string(R"(
static u32 a[300];
int main(void) {
  u32 x = __VERIFIER_nondet_uint();
  for (u32 i = 0; i < 200; ++i) a[i] = i;
  for (u32 i = 0; i < 200; ++i) { if (a[i] == 150) ++sum; if (a[i] == 250) ++sum; }
  for (u32 i = 0; i < x; ++i) sum += a[i];
  return 0;
})"));
  EXPECT_GT(copy_count(program), 1U);
  const auto covered = [&](std::uint8_t x) {
    const TracedRun run = program.run({{"unsigned int", {x, 0, 0, 0}}});
    EXPECT_EQ(run.end, RunEnd::Exit);
    std::vector<unsigned> edges;
    for (unsigned edge = 0; edge < run.coverage.size(); ++edge)
      if (run.coverage[edge] != 0) edges.push_back(edge);
    return edges;
  };
  EXPECT_EQ(covered(0), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 7, 9}));
  EXPECT_EQ(covered(100), (std::vector<unsigned>{0, 1, 2, 3, 4, 5, 7, 8, 9}));
}

}  // namespace
}  // namespace plumb::concolic::testing
