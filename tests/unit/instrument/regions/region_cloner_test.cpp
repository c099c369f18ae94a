// Shapes of control flow that each need a thought of their own, one a test, run on all small inputs.
#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>
#include <map>

#include "unit/instrument/regions/region_cloner_fixture.h"

namespace plumb::instrument::test {
namespace {

using Tested = unsigned(unsigned, unsigned);

/// `text` defines f(a, b). Checks that clones change nothing; gives the module after cloning.
PreparedModule expect_same(const std::string& text, std::size_t region_count, std::vector<PlainRegion>& regions) {
  PreparedModule prepared = prepare_text(text);
  EXPECT_EQ(prepared.subject.regions.size(), region_count);
  const Native before(*prepared.module, {});
  regions = clone_regions(prepared);
  EXPECT_EQ(problems(*prepared.module), "");
  ask_host(prepared, regions);
  EXPECT_EQ(problems(*prepared.module), "");
  const Native after(*prepared.module, runtime_symbols());
  Tested* expected = before.find<Tested>("f");
  Tested* actual = after.find<Tested>("f");
  for (const Choices::Way way : {Choices::Way::Path, Choices::Way::Plain, Choices::Way::Random}) {
    choices().way = way;
    for (unsigned a = 0; a < 20; ++a)
      for (unsigned b = 0; b < 20; ++b) EXPECT_EQ(expected(a, b), actual(a, b)) << a << ", " << b;
  }
  return prepared;
}

PreparedModule expect_same_c(const std::string& source, std::size_t region_count) {
  std::vector<PlainRegion> regions;
  return expect_same(compile_c(source), region_count, regions);
}

TEST(RegionCloner, MergesValuesAfterADiamond) {
  expect_same_c(
      "unsigned f(unsigned a, unsigned b) { unsigned r = a; if (a > b) r -= b; else r = b * 3; return r + a; }", 1);
}

TEST(RegionCloner, KeepsParallelEdgesOfASwitchApart) {
  std::vector<PlainRegion> regions;
  const PreparedModule prepared = expect_same(compile_c(R"(
    unsigned f(unsigned a, unsigned b) {
      unsigned r = b;
      if (a > 10) { switch (b) { case 1: case 2: return 5; case 3: r = 9; break; case 4: return 5; } } else r = a;
      return r;
    })"),
                                              1, regions);
  const auto& exits = regions.front().exits;
  EXPECT_GE(std::ranges::count_if(exits, [&](const RegionExit& exit) { return exit.destination == 0; }), 2);
}

TEST(RegionCloner, LeavesSideEntriesToTheOriginal) {
  // The last assignment is governed by the test of b and also comes after the call.
  std::vector<PlainRegion> regions;
  const PreparedModule prepared = expect_same(R"(
    define i32 @g(i32 %x) noinline { ret i32 %x }
    define i32 @f(i32 %a, i32 %b) {
    entry:
      %c = icmp ugt i32 %a, 5
      br i1 %c, label %test, label %join
    test:
      %d = icmp ugt i32 %b, 5
      br i1 %d, label %inner, label %call
    inner:
      %i = mul i32 %a, 7
      br label %call
    call:
      %p = phi i32 [ %i, %inner ], [ %b, %test ]
      %q = call i32 @g(i32 %p)
      br label %join
    join:
      %r = phi i32 [ %a, %entry ], [ %q, %call ]
      %s = add i32 %r, 3
      %even = and i32 %s, 1
      %e = icmp eq i32 %even, 0
      br i1 %e, label %left, label %right
    left:
      br label %end
    right:
      br label %end
    end:
      %t = phi i32 [ %s, %left ], [ %r, %right ]
      ret i32 %t
    })",
                                              1, regions);
  EXPECT_EQ(regions.front().choice->getParent()->getName(), "entry.choice");
}

TEST(RegionCloner, AllowsTheGovernorOrALoopHeaderAsDestination) {
  expect_same_c(R"(
    unsigned f(unsigned a, unsigned b) {
      unsigned sum = 0, last = 0;
      do {
        unsigned step;
        if (a & 1) { step = sum + b; if (step > 9) last = step; } else { step = a; }
        sum += step;
      } while (a-- > b);
      return sum * 31 + last;
    })",
                1);
  expect_same_c(R"(
    unsigned f(unsigned a, unsigned b) {
      unsigned sum = 0;
      for (unsigned i = 0; i < a; ++i) { if (i % 3 == b % 3) sum += i; else { sum ^= b; if (sum & 4) continue; sum++; } }
      return sum;
    })",
                1);
}

TEST(RegionCloner, ClonesRegionsThatFollowEachOther) {
  expect_same_c(R"(
    unsigned g(unsigned x) { return x; }
    unsigned f(unsigned a, unsigned b) {
      unsigned u = a, v = b;
      if (a > b) u = a - b; else v = b - a;
      g(u);
      unsigned w = 1;
      if (u > v) { w = u; if (w & 1) u = 2; } else w = v;
      g(w);
      if (w > a) v += u; else v -= w;
      return u + 31 * v + 1000 * w;
    })",
                3);
}

/// The phi nodes after the region get what leaves it; a renamed value from outside is none of that.
TEST(RegionCloner, TakesARenamedValueFromOutsideTheRegion) {
  std::vector<PlainRegion> regions;
  const PreparedModule prepared = expect_same(R"(
    define i32 @f(i32 %a, i32 %b) {
    entry:
      %c = icmp ugt i32 %a, %b
      br i1 %c, label %left, label %right
    left:
      %same = freeze i32 %a
      %big = icmp ugt i32 %same, 9
      br i1 %big, label %far, label %end
    far:
      %x = add i32 %same, 1
      ret i32 %x
    right:
      br label %end
    end:
      %r = phi i32 [ %same, %left ], [ %b, %right ]
      ret i32 %r
    })",
                                              1, regions);
  for (const RegionExit& exit : regions.front().exits)
    for (const llvm::PHINode& phi : exit.block->getSingleSuccessor()->phis()) EXPECT_EQ(phi.getName(), "r");
}

TEST(RegionCloner, CopiesSitesOfBothVersions) {
  std::vector<PlainRegion> regions;
  const PreparedModule prepared = expect_same(R"(
    define i32 @f(i32 %a, i32 %b) {
    entry:
      %c = icmp ugt i32 %a, %b
      br i1 %c, label %left, label %right, !plumb.site !0
    left:
      %d = icmp ugt i32 %a, 9
      br i1 %d, label %mid, label %end, !plumb.site !1
    mid:
      br label %end
    right:
      br label %end
    end:
      %r = phi i32 [ %a, %left ], [ 3, %right ], [ 4, %mid ]
      ret i32 %r
    }
    !0 = !{i32 1}
    !1 = !{i32 2})",
                                              1, regions);
  std::map<const llvm::MDNode*, int> copies;
  for (const llvm::Instruction& instruction : llvm::instructions(*prepared.module->getFunction("f")))
    if (const llvm::MDNode* site = instruction.getMetadata(kSiteMetadata)) ++copies[site];
  ASSERT_EQ(copies.size(), 2u);
  for (const auto& [site, count] : copies) EXPECT_EQ(count, 2);
  EXPECT_EQ(regions.front().choice->getMetadata(kSiteMetadata), nullptr);
}

}  // namespace
}  // namespace plumb::instrument::test
