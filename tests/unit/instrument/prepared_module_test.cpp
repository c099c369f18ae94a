#include "instrument/prepared_module.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Verifier.h>

#include <algorithm>
#include <map>

#include "base/file.h"

namespace plumb::instrument {
namespace {

PreparedModule prepare(const std::string& text, const std::string& entry = "main") {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "program.c";
  write_file(file, text);
  frontend::LoadOptions options;
  options.files = {file.string()};
  options.entry = entry;
  return prepare_module(options, SymbolicEnvironment{}, Budget());
}

constexpr const char* kHelpers = R"(
int plumb_nondet_int(void);
static int clamp(int x) { if (x > 9) return 9; return x; }
static int unused(int x) { if (x) return 1; return 2; }
int main(void) {
  int a = plumb_nondet_int(), fixed = 3;
  fixed *= 7;
  switch (clamp(a)) { case 1: return 4; case 5: return clamp(fixed); default: return clamp(a + 1); }
})";

TEST(PreparedModule, CopiesThatInliningMakesShareTheSiteOfTheSource) {
  const PreparedModule prepared = prepare(kHelpers);
  EXPECT_FALSE(llvm::verifyModule(*prepared.module));
  std::map<SiteId, int> copies;
  for (const llvm::Instruction& i : llvm::instructions(*prepared.module->getFunction("main")))
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&i); branch != nullptr && branch->isConditional())
      ++copies[site_of(i)];
  ASSERT_EQ(copies.size(), 1U);
  EXPECT_EQ(copies.begin()->second, 3);
  const Site& site = prepared.subject.sites[copies.begin()->first];
  EXPECT_EQ(prepared.subject.program.functions[site.function].name, "clamp");
  EXPECT_EQ(site.location.line, 3U);
}

TEST(PreparedModule, CountsTheBranchesThatTheEntryCanReach) {
  const PreparedModule prepared = prepare(kHelpers);
  std::uint32_t counted = 0;
  for (const Site& site : prepared.subject.sites)
    if (site.is_counted) counted += site.edge_count;
  EXPECT_EQ(counted, 2U + 3U);
  const auto is_switch = [](const Site& site) { return site.kind == SiteKind::Switch; };
  const auto found = std::ranges::find_if(prepared.subject.sites, is_switch);
  ASSERT_NE(found, prepared.subject.sites.end());
  EXPECT_EQ(found->cases, (std::vector<std::uint64_t>{1, 5}));
}

TEST(PreparedModule, KnowsWhichValuesCannotBeSymbolic) {
  const PreparedModule prepared = prepare(R"(
int plumb_nondet_int(void);
int main(void) {
  int a = plumb_nondet_int(), b = 1;
  for (int i = 0; i < 100; ++i) b = b * 31 + i;
  return b > a;
})");
  int symbolic = 0;
  int concrete = 0;
  for (const llvm::Instruction& i : llvm::instructions(*prepared.entry)) {
    if (llvm::isa<llvm::ICmpInst>(i)) (prepared.may_be_symbolic(i) ? symbolic : concrete) += 1;
    if (i.getOpcode() != llvm::Instruction::Mul) continue;
    EXPECT_FALSE(prepared.may_be_symbolic(i));
  }
  EXPECT_EQ(symbolic, 1);
  EXPECT_EQ(concrete, 1);
}

TEST(PreparedModule, KnowsWhichConditionsNoInputDecides) {
  const PreparedModule prepared = prepare(R"(
#include <stdio.h>
#include <stdlib.h>
int plumb_nondet_int(void);
static char* copy(void) { return malloc(4); }
int main(int argc, char** argv) {
  int x = plumb_nondet_int(), y = 0, z = 0;
  char name[4] = "abc";
  printf("%s %d", name, x);
  scanf("%d", &z);
  if (x > 1) y = 1;
  if (argc > 2) y = 2;
  if (argv[0][0] == 'x') y = 3;
  if (name[x & 3] == 'c') y = 4;
  char* memory = copy();
  if (memory == NULL) return 1;
  if (z == 4) y = 5;
  if (getenv("HOME")) y = 6;
  return y;
})");
  std::vector<std::uint32_t> outside;
  std::vector<std::uint32_t> inside;
  for (const Site& site : prepared.subject.sites)
    if (site.is_counted) (site.depends_on_outside ? outside : inside).push_back(site.location.line);
  EXPECT_EQ(outside, (std::vector<std::uint32_t>{12, 13, 16, 17, 18}));
  EXPECT_EQ(inside, (std::vector<std::uint32_t>{11, 14}));
}

TEST(PreparedModule, MakesAMainForAnotherEntry) {
  const PreparedModule prepared = prepare("int main(void) { return 1; }\nint f(int a, char b) { return a / b; }", "f");
  EXPECT_EQ(prepared.entry->getName(), "main");
  EXPECT_FALSE(llvm::verifyModule(*prepared.module));
  const auto& externals = prepared.subject.externals;
  EXPECT_NE(std::ranges::find(externals, "plumb_symbolic"), externals.end());
  EXPECT_EQ(prepared.subject.program.functions[prepared.subject.program.entry].name, "main");
}

TEST(PreparedModule, TiesEveryWholeBlockAndScalarToItsOrigin) {
  const PreparedModule prepared = prepare(kHelpers);
  for (program::FunctionId f = 0; f < prepared.subject.program.functions.size(); ++f) {
    const program::Function& function = prepared.subject.program.functions[f];
    for (program::BlockId b = 0; b < prepared.blocks[f].size(); ++b) {
      ASSERT_NE(prepared.blocks[f][b], nullptr);
      EXPECT_EQ(prepared.blocks[f][b]->getTerminator()->getNumSuccessors(), function.successors(b).size());
    }
    for (program::ValueId v = 0; v < prepared.values[f].size(); ++v) {
      const llvm::Value* value = prepared.values[f][v];
      if (value == nullptr || !value->getType()->isIntegerTy()) continue;
      EXPECT_EQ(value->getType()->getIntegerBitWidth(), function.values[v].width);
    }
  }
}

}  // namespace
}  // namespace plumb::instrument
