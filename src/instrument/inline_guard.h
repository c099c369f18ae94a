#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace llvm {
class BasicBlock;
class CallBase;
class Function;
class Instruction;
class Module;
class SwitchInst;
class Type;
class Use;
}  // namespace llvm

namespace plumb::instrument {

/// Keeps LLVM's inliner from folding a branch, a switch, or an instruction with a site in what it copies: copies have
/// the sites and the edges of the original. For as long as it lives, the code of a module has calls of functions that
/// it does not define and cases that never happen. What stays of it are blocks between a terminator and a successor
/// that it names twice.
class InlineGuard {
 public:
  explicit InlineGuard(llvm::Module& module) : module_(module) {}
  InlineGuard(const InlineGuard&) = delete;
  InlineGuard& operator=(const InlineGuard&) = delete;
  ~InlineGuard();

  /// Before `function` is copied to where it is called.
  void protect(llvm::Function& function);
  /// Before what is called there is copied to `call`, whose constants would decide branches of the callee.
  void protect_arguments(llvm::CallBase& call);
  /// The callee is one of the functions that give what they get, which are no calls to people.
  bool is_veil(const llvm::Function* callee) const { return veils_.contains(callee); }

 private:
  void cover(llvm::Use& use, llvm::Instruction& user);
  void cover_constants(llvm::Instruction& instruction);
  void split_edges(llvm::Instruction& terminator);
  void add_cases(llvm::SwitchInst& choice);
  void remove_cases();
  void remove_veils();

  llvm::Module& module_;
  llvm::DenseMap<llvm::Type*, llvm::Function*> veil_of_;
  llvm::SmallPtrSet<llvm::Function*, 8> veils_;
  bool has_cases_ = false;
};

}  // namespace plumb::instrument
