#include "instrument/sites/call_sites.h"

#include <absl/container/flat_hash_set.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string_view>
#include <vector>

#include "frontend/lower/lowering.h"
#include "instrument/code_builder.h"

namespace plumb::instrument {
namespace {

constexpr llvm::StringRef kRuntime = "__plumb_";

/// By the names that a program calls.
bool allocates_or_frees(std::string_view name) {
  static const absl::flat_hash_set<std::string_view> kNames = {
      "malloc",         "calloc",          "realloc",   "free",     "aligned_alloc", "reallocarray",
      "memalign",       "posix_memalign",  "valloc",    "pvalloc",  "cfree",         "strdup",
      "strndup",        "__strdup",        "__strndup", "wcsdup",   "asprintf",      "vasprintf",
      "__asprintf_chk", "__vasprintf_chk", "getline",   "getdelim", "__getdelim"};
  return kNames.contains(name) || name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_Zdl") ||
         name.starts_with("_Zda");
}

const llvm::Function* callee_of(const llvm::CallBase& call) {
  return llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
}

bool is_of_runtime(const llvm::Function& callee) {
  return callee.isDeclaration() && callee.getName().starts_with(kRuntime) &&
         allocates_or_frees(std::string_view(callee.getName().drop_front(kRuntime.size())));
}

bool is_model(const llvm::Function& function) { return function.hasFnAttribute(frontend::kModelAttribute); }

bool is_in_model(const Subject& subject, const llvm::CallBase& call) {
  const program::FunctionId function = subject.sites[site_of(call)].function;
  return function != program::kNone && subject.program.functions[function].is_model;
}

class CallSites {
 public:
  explicit CallSites(PreparedModule& prepared) : prepared_(prepared) {
    llvm::Type* word = llvm::Type::getInt32Ty(*prepared.context);
    variable_ = llvm::cast<llvm::GlobalVariable>(prepared.module->getOrInsertGlobal("__plumb_call_site", word));
    if (!prepared.build.is_bare_metal()) variable_->setThreadLocalMode(llvm::GlobalValue::LocalExecTLSModel);
    for (const llvm::Function& function : *prepared.module)
      if ((is_of_runtime(function) || is_model(function)) && function.hasAddressTaken())
        pointed_to_.insert(function.getFunctionType());
  }

  void run() {
    std::vector<llvm::CallBase*> named;
    std::vector<llvm::CallBase*> of_models;
    for (llvm::Function& function : *prepared_.module)
      for (llvm::Instruction& instruction : llvm::instructions(function)) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || site_of(*call) == 0) continue;
        if (is_in_model(prepared_.subject, *call)) {
          if (may_change_it(*call)) of_models.push_back(call);
        } else if (is_named(*call)) {
          named.push_back(call);
        }
      }
    for (llvm::CallBase* call : named) name(*call);
    for (llvm::CallBase* call : of_models) keep(*call);
    for (llvm::Function& function : *prepared_.module)
      if (!function.isDeclaration() && !is_model(function) && pointed_to_.contains(function.getFunctionType()) &&
          function.hasAddressTaken())
        store(*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(), 0);
  }

 private:
  bool is_named(const llvm::CallBase& call) const {
    const llvm::Function* callee = callee_of(call);
    if (callee == nullptr) return pointed_to_.contains(call.getFunctionType());
    return !callee->isIntrinsic() &&
           (is_of_runtime(*callee) || is_model(*callee) || allocates_or_frees(std::string_view(callee->getName())));
  }

  /// In a model: of what is called, only other models and the runtime's other functions leave it as it is.
  static bool may_change_it(const llvm::CallBase& call) {
    const llvm::Function* callee = callee_of(call);
    if (call.isTerminator() || call.isMustTailCall() || call.isInlineAsm()) return false;
    if (callee == nullptr || is_of_runtime(*callee)) return true;
    return !callee->isIntrinsic() && !is_model(*callee) && !callee->getName().starts_with(kRuntime);
  }

  void store(llvm::Instruction& before, SiteId site) {
    CodeBuilder builder(before);
    builder.CreateStore(builder.getInt32(site), variable_);
  }

  void name(llvm::CallBase& call) {
    store(call, site_of(call));
    // The runtime's own use it up. Others may have done nothing with it; then the next one would take it.
    if (const llvm::Function* callee = callee_of(call); callee != nullptr && is_of_runtime(*callee)) return;
    if (call.isMustTailCall()) return;
    if (!call.isTerminator()) {
      store(*call.getNextNode(), 0);
      return;
    }
    for (llvm::BasicBlock* next : llvm::successors(&call)) store(*next->getFirstInsertionPt(), 0);
  }

  void keep(llvm::CallBase& call) {
    CodeBuilder builder(call);
    llvm::Value* site = builder.CreateLoad(builder.getInt32Ty(), variable_);
    const llvm::Function* callee = callee_of(call);
    const bool is_for_it = callee == nullptr
                               ? pointed_to_.contains(call.getFunctionType())
                               : is_of_runtime(*callee) || allocates_or_frees(std::string_view(callee->getName()));
    if (!is_for_it) builder.CreateStore(builder.getInt32(0), variable_);
    CodeBuilder(*call.getNextNode()).CreateStore(site, variable_);
  }

  PreparedModule& prepared_;
  llvm::GlobalVariable* variable_ = nullptr;
  /// Types of the functions that are named and that a pointer may lead to.
  llvm::SmallPtrSet<const llvm::FunctionType*, 8> pointed_to_;
};

}  // namespace

void name_call_sites(PreparedModule& prepared) { CallSites(prepared).run(); }

}  // namespace plumb::instrument
