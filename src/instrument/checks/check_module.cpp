#include "instrument/checks/check_module.h"

#include <llvm/IR/InstIterator.h>

#include <vector>

#include "instrument/checks/check_frames.h"
#include "instrument/checks/check_function.h"
#include "instrument/checks/check_globals.h"
#include "instrument/checks/check_marks.h"
#include "instrument/code_builder.h"
#include "program/platform.h"

namespace plumb::instrument {
namespace {

void check_function(CheckRuntime& runtime, program::CheckSet checks, llvm::Function& function, const Budget& budget) {
  FunctionChecks emitted(runtime, checks, function);
  // Code is added as it is walked; what was there before is what counts.
  std::vector<llvm::Instruction*> code;
  for (llvm::Instruction& instruction : llvm::instructions(function)) code.push_back(&instruction);
  for (llvm::Instruction* instruction : code) {
    budget.check();
    emitted.visit(*instruction);
  }
  move_to_frame(runtime, function, emitted.frame(), [](llvm::IRBuilder<>&, llvm::Value*, std::uint64_t) {});
}

}  // namespace

void add_checks(llvm::Module& module, program::CheckSet checks, llvm::Function& entry, bool has_native_code,
                const Budget& budget) {
  CheckRuntime runtime(module, CheckedBuild::Replay);
  std::vector<llvm::GlobalVariable*> globals;
  if (has_access_checks(checks)) globals = reached_globals(module, has_native_code);
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) functions.push_back(&function);
  for (llvm::Function* function : functions) check_function(runtime, checks, *function, budget);
  tell_return(runtime, entry);
  pad_globals(runtime, globals);
  keep_frame_pointers(module);
}

void tell_return(CheckRuntime& runtime, llvm::Function& entry) {
  for (llvm::BasicBlock& block : entry)
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
        end != nullptr && block.getTerminatingMustTailCall() == nullptr) {
      CodeBuilder builder(*end);
      runtime.call(builder, CheckFunction::EntryReturned, {});
    }
}

void keep_frame_pointers(llvm::Module& module) {
  const bool has_chain = program::platform_of(module.getTargetTriple()).has_back_chain();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("frame-pointer", "all");
    if (has_chain) function.addFnAttr("backchain");
  }
}

}  // namespace plumb::instrument
