#include "instrument/inline_leaves.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/SourceMgr.h>

#include <map>
#include <set>
#include <utility>

#include "instrument/sites/sites.h"
#include "unit/instrument/regions/region_cloner_fixture.h"

namespace plumb::instrument::test {
namespace {

std::unique_ptr<llvm::Module> parse(const std::string& text, llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssemblyString(text, diagnostic, context);
  EXPECT_NE(module, nullptr) << diagnostic.getMessage().str();
  return module;
}

/// Names of the functions that `function` still calls.
std::set<std::string> callees(const llvm::Module& module, const char* function) {
  std::set<std::string> names;
  for (const llvm::Instruction& instruction : llvm::instructions(*module.getFunction(function)))
    if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (const llvm::Function* callee = call->getCalledFunction(); callee != nullptr && !callee->isIntrinsic())
        names.insert(callee->getName().str());
  return names;
}

TEST(InlineLeaves, InlinesHelpersOfHelpersAndNothingElse) {
  llvm::LLVMContext context;
  const auto module = parse(compile_c(R"(
    int printf(const char*, ...);
    void reach_error(void) {}
    static int one(int x) { return x > 3 ? x : -x; }
    int two(int x) { return one(x) + one(x + 1); }
    int looping(int n) { int s = 0; while (n-- > 0) s += n; return s; }
    int again(int n) { return n <= 0 ? 0 : again(n - 1); }
    int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); } int even(int n) { return n == 0 ? 1 : odd(n - 1); }
    int prints(int n) { return printf("%d", n); }
    int sum(int n, ...) { return n; }
    int room(int n) { char a[n]; a[0] = 1; return a[0]; }
    int main(void) {
      int (*pointer)(int) = one;
      reach_error();
      return two(1) + looping(2) + again(3) + odd(4) + prints(5) + sum(6, 7) + room(8) + pointer(9);
    })"),
                            context);
  inline_leaf_functions(*module);
  EXPECT_EQ(problems(*module), "");
  EXPECT_EQ(callees(*module, "two"), std::set<std::string>{});
  EXPECT_EQ(callees(*module, "main"),
            (std::set<std::string>{"again", "looping", "odd", "prints", "reach_error", "room", "sum"}));
}

TEST(InlineLeaves, HeedsNoinlineWhereItIsAWish) {
  llvm::LLVMContext context;
  const auto module = parse(R"(
    define i32 @kept(i32 %x) noinline { ret i32 %x }
    define i32 @gone(i32 %x) { ret i32 %x }
    define i32 @main() {
      %a = call i32 @kept(i32 1)
      %b = call i32 @gone(i32 %a)
      ret i32 %b
    })",
                            context);
  inline_leaf_functions(*module);
  EXPECT_EQ(callees(*module, "main"), std::set<std::string>{"kept"});
}

TEST(InlineLeaves, KeepsSitesAndStopsAtTheLimitOfInstructions) {
  llvm::LLVMContext context;
  const std::string text = R"(
    define i32 @leaf(i32 %x) {
      %y = sdiv i32 7, %x, !plumb.site !0
      ret i32 %y
    }
    define i32 @main() {
      %a = call i32 @leaf(i32 1)
      %b = call i32 @leaf(i32 %a)
      ret i32 %b
    }
    !0 = !{i32 5})";
  const auto small = parse(text, context);
  inline_leaf_functions(*small, 1);
  EXPECT_EQ(callees(*small, "main"), std::set<std::string>{"leaf"});
  const auto module = parse(text, context);
  inline_leaf_functions(*module, 2);
  EXPECT_EQ(callees(*module, "main"), std::set<std::string>{});
  int sites = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module->getFunction("main")))
    sites += instruction.getMetadata(kSiteMetadata) != nullptr ? 1 : 0;
  EXPECT_EQ(sites, 2);
}

TEST(InlineLeaves, KeepsBranchesAndFaultsThatConstantsDecide) {
  llvm::LLVMContext context;
  const auto module = parse(R"(
    define i32 @leaf(i32 %x) {
      %zero = sub i32 4, 4
      %c = icmp eq i32 %x, 3
      br i1 %c, label %yes, label %no
    yes:
      %y = udiv i32 7, %zero
      ret i32 %y
    no:
      ret i32 1
    }
    define i32 @main() {
      %a = call i32 @leaf(i32 3)
      ret i32 %a
    })",
                            context);
  inline_leaf_functions(*module);
  EXPECT_EQ(problems(*module), "");
  EXPECT_EQ(callees(*module, "main"), std::set<std::string>{});
  int branches = 0;
  int divisions = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*module->getFunction("main"))) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    branches += branch != nullptr && branch->isConditional() ? 1 : 0;
    divisions += instruction.isIntDivRem() ? 1 : 0;
  }
  EXPECT_EQ(branches, 1);
  EXPECT_EQ(divisions, 1);
  for (const llvm::Function& function : *module) EXPECT_FALSE(function.isDeclaration());
}

/// How many edges the sites of `function` have, by site.
std::map<SiteId, unsigned> edges_of_sites(const llvm::Module& module, const char* function) {
  std::map<SiteId, unsigned> found;
  for (const llvm::Instruction& instruction : llvm::instructions(*module.getFunction(function)))
    if (const SiteId site = site_of(instruction); site != 0 && !llvm::isa<llvm::CallBase>(instruction))
      found[site] = instruction.isTerminator() ? instruction.getNumSuccessors() : 0;
  return found;
}

class CopiedSites : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(CopiedSites, AreThoseOfTheOriginal) {
  llvm::LLVMContext context;
  const auto module = parse(std::string(R"(
    @table = constant [3 x i32] [i32 1, i32 2, i32 3]
    define i32 @leaf(i32 %x) {)") +
                                GetParam().second + R"(}
    define i32 @main() {
      %a = call i32 @leaf(i32 3)
      ret i32 %a
    })",
                            context);
  number_sites(*module, program::CheckSet::all());
  const std::map<SiteId, unsigned> original = edges_of_sites(*module, "leaf");
  inline_leaf_functions(*module);
  EXPECT_EQ(problems(*module), "");
  EXPECT_EQ(callees(*module, "main"), std::set<std::string>{});
  EXPECT_EQ(edges_of_sites(*module, "main"), original);
  EXPECT_EQ(edges_of_sites(*module, "leaf"), original);
}

INSTANTIATE_TEST_SUITE_P(InlineLeaves, CopiedSites,
                         testing::Values(std::pair("CasesThatGoWhereTheDefaultGoes", R"(
          switch i32 %x, label %end [ i32 1, label %one i32 2, label %end i32 3, label %three i32 4, label %end ]
        one:
          br label %end
        three:
          br label %end
        end:
          %r = phi i32 [ 0, %0 ], [ 0, %0 ], [ 0, %0 ], [ 1, %one ], [ 3, %three ]
          ret i32 %r)"),
                                         std::pair("ASwitchOfOneCase", R"(
          switch i32 %x, label %end [ i32 1, label %one ]
        one:
          br label %end
        end:
          %r = phi i32 [ 0, %0 ], [ 1, %one ]
          ret i32 %r)"),
                                         std::pair("ASwitchOfOneCaseThatGoesWhereTheDefaultGoes", R"(
          switch i32 %x, label %end [ i32 1, label %end ]
        end:
          %r = phi i32 [ 5, %0 ], [ 5, %0 ]
          ret i32 %r)"),
                                         std::pair("ASwitchWithoutCases", R"(
          switch i32 %x, label %end []
        end:
          ret i32 1)"),
                                         std::pair("ABranchToOneBlock", R"(
          %c = icmp slt i32 %x, 7
          br i1 %c, label %end, label %end
        end:
          ret i32 1)"),
                                         std::pair("ABranchThatAConstantDecides", R"(
          %c = icmp slt i32 3, 7
          br i1 %c, label %yes, label %no
        yes:
          ret i32 1
        no:
          ret i32 2)"),
                                         std::pair("ASwitchThatAConstantDecides", R"(
          switch i32 2, label %no [ i32 1, label %no i32 2, label %yes ]
        yes:
          ret i32 1
        no:
          ret i32 2)"),
                                         std::pair("ABranchThatAPhiDecides", R"(
          %c = icmp slt i32 %x, 7
          br i1 %c, label %yes, label %no
        yes:
          br label %end
        no:
          br label %end
        end:
          %p = phi i1 [ true, %yes ], [ true, %no ]
          br i1 %p, label %one, label %two
        one:
          ret i32 1
        two:
          ret i32 2)"),
                                         std::pair("OverflowOfConstants", R"(
          %y = add nsw i32 2147483647, 1
          ret i32 %y)"),
                                         std::pair("AShiftOfConstants", R"(
          %y = shl i32 1, 33
          ret i32 %y)"),
                                         std::pair("AnIndexThatIsConstant", R"(
          %i = sext i32 5 to i64
          %p = getelementptr inbounds [3 x i32], ptr @table, i64 0, i64 %i
          %y = load i32, ptr %p
          ret i32 %y)"),
                                         std::pair("AnUnusedResult", R"(
          %y = add nsw i32 %x, 1
          %p = getelementptr inbounds [3 x i32], ptr @table, i64 0, i32 %y
          %z = load i32, ptr %p
          ret i32 0)"),
                                         std::pair("AConstantThatIsRead", R"(
          %y = load i32, ptr getelementptr inbounds ([3 x i32], ptr @table, i64 0, i64 3)
          ret i32 %y)")),
                         [](const auto& each) { return each.param.first; });

TEST(InlineLeaves, KeepsWhatAProgramComputes) {
  const std::string text = compile_c(R"(
    typedef struct { unsigned a, b, c, d, e, f; } Many;
    static unsigned pick(Many m, unsigned i) { return i == 0 ? m.a : i == 1 ? m.c : m.f; }
    static void swap(unsigned *x, unsigned *y) { unsigned t = *x; *x = *y; *y = t; }
    static Many make(unsigned x) { Many m = {x, x + 1, x * 2, 4, 5, x ^ 6}; return m; }
    unsigned f(unsigned a, unsigned b) {
      for (unsigned i = 0; i < 4; ++i) { if (a < b) swap(&a, &b); a += pick(make(b), i); }
      return a * 31 + b;
    })");
  llvm::LLVMContext context;
  const auto module = parse(text, context);
  const Native before(*module, {});
  inline_leaf_functions(*module);
  EXPECT_EQ(problems(*module), "");
  EXPECT_EQ(callees(*module, "f"), std::set<std::string>{});
  const Native after(*module, {});
  using Tested = unsigned(unsigned, unsigned);
  for (unsigned a = 0; a < 50; ++a)
    for (unsigned b = 0; b < 50; ++b) EXPECT_EQ(before.find<Tested>("f")(a, b), after.find<Tested>("f")(a, b));
}

}  // namespace
}  // namespace plumb::instrument::test
