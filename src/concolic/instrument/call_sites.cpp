#include "concolic/instrument/call_sites.h"

#include <absl/container/flat_hash_set.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <string_view>
#include <vector>

#include "concolic/instrument/code_builder.h"

namespace plumb::concolic {
namespace {

constexpr llvm::StringRef kModel = "plumb.model.";
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

bool is_named(const llvm::CallBase& call) {
  const llvm::Function* callee = callee_of(call);
  if (callee == nullptr || callee->isIntrinsic()) return false;
  llvm::StringRef name = callee->getName();
  name.consume_front(kModel);
  return is_of_runtime(*callee) || allocates_or_frees(std::string_view(name));
}

bool is_in_model(const Subject& subject, const llvm::CallBase& call) {
  const program::FunctionId function = subject.sites[site_of(call)].function;
  return function != program::kNone && subject.program.functions[function].is_model;
}

llvm::GlobalVariable* call_site(PreparedModule& prepared) {
  llvm::Type* word = llvm::Type::getInt32Ty(*prepared.context);
  auto* variable = llvm::cast<llvm::GlobalVariable>(prepared.module->getOrInsertGlobal("__plumb_call_site", word));
  if (!prepared.build.is_bare_metal()) variable->setThreadLocalMode(llvm::GlobalValue::LocalExecTLSModel);
  return variable;
}

}  // namespace

void name_call_sites(PreparedModule& prepared) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Function& function : *prepared.module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          call != nullptr && site_of(*call) != 0 && is_named(*call) && !is_in_model(prepared.subject, *call))
        calls.push_back(call);
  if (calls.empty()) return;
  llvm::GlobalVariable* variable = call_site(prepared);
  for (llvm::CallBase* call : calls) {
    CodeBuilder builder(*call);
    builder.CreateStore(builder.getInt32(site_of(*call)), variable);
    // What is not the runtime's own may have allocated nothing; then the next one would take the site.
    if (is_of_runtime(*callee_of(*call)) || call->isTerminator()) continue;
    CodeBuilder after(*call->getNextNode());
    after.CreateStore(after.getInt32(0), variable);
  }
}

}  // namespace plumb::concolic
