#include "instrument/inline_leaves.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/SourceMgr.h>

#include <set>

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
