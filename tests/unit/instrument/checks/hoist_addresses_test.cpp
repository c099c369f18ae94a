#include "instrument/checks/hoist_addresses.h"

#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>

namespace plumb::instrument {
namespace {

constexpr const char* kText = R"(
define i8 @f(ptr %p, i32 %i, i1 %c, i1 %d) {
entry:
  br i1 %c, label %one, label %two
one:
  %wide = sext i32 %i to i64
  %cell = getelementptr i8, ptr %p, i64 %wide
  %next = load i8, ptr %cell
  br i1 %d, label %three, label %two
three:
  %row = getelementptr [4 x i8], ptr %p, i64 0, i64 %wide
  %index = zext i8 %next to i64
  %inner = getelementptr i8, ptr %p, i64 %index
  %sum = load i8, ptr %row
  %last = load i8, ptr %inner
  br label %two
two:
  %result = phi i8 [ 0, %entry ], [ %next, %one ], [ %last, %three ]
  ret i8 %result
})";

TEST(HoistAddresses, MovesWhatHasNoArrayTypeToWhereItsOperandsAre) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(kText, problem, context);
  ASSERT_NE(module, nullptr) << problem.getMessage().str();
  hoist_addresses(*module);
  EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  std::map<std::string, std::string> block_of;
  for (const llvm::Instruction& i : llvm::instructions(*module->getFunction("f")))
    if (i.hasName()) block_of[i.getName().str()] = i.getParent()->getName().str();
  EXPECT_EQ(block_of["wide"], "entry");
  EXPECT_EQ(block_of["cell"], "entry");
  EXPECT_EQ(block_of["next"], "one");
  EXPECT_EQ(block_of["row"], "three");
  EXPECT_EQ(block_of["index"], "one");
  EXPECT_EQ(block_of["inner"], "one");
}

}  // namespace
}  // namespace plumb::instrument
