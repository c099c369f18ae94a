#include "frontend/unset.h"

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "frontend/canonicalise.h"
#include "result/test_case.h"

namespace plumb::frontend {
namespace {

constexpr llvm::StringRef kMemoryMark = "plumb_unset";
constexpr llvm::StringRef kValueMark = "plumb.unset.";
constexpr const char* kSiteName = "plumb.unset";

struct Declaration {
  const llvm::DILocalVariable* variable = nullptr;
  llvm::DebugLoc place;
};

Declaration declaration_of(llvm::AllocaInst& variable) {
  for (const llvm::DbgDeclareInst* found : llvm::findDbgDeclares(&variable))
    return {found->getVariable(), found->getDebugLoc()};
  for (const llvm::DbgVariableRecord* found : llvm::findDVRDeclares(&variable))
    return {found->getVariable(), found->getDebugLoc()};
  return {};
}

/// So much of it is set here.
bool sets_all(const llvm::Instruction& instruction, const llvm::AllocaInst& variable, const llvm::DataLayout& layout) {
  const auto size = variable.getAllocationSize(layout);
  if (!size) return false;
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->getPointerOperand() == &variable &&
           layout.getTypeStoreSize(store->getValueOperand()->getType()) == *size;
  const auto* bulk = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction);
  if (bulk == nullptr || bulk->getDest() != &variable) return false;
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(bulk->getLength());
  return length != nullptr && length->getZExtValue() >= size->getFixedValue();
}

/// Nothing can read the variable between here and where it is set.
bool is_set_at_once(const llvm::Instruction* at, const llvm::AllocaInst& variable, const llvm::DataLayout& layout) {
  for (; at != nullptr; at = at->getNextNode()) {
    if (sets_all(*at, variable, layout)) return true;
    if (at->isLifetimeStartOrEnd() || at->isDebugOrPseudoInst() || llvm::isa<llvm::AllocaInst>(at)) continue;
    if (at->isTerminator()) return false;
    if (llvm::is_contained(at->operand_values(), &variable)) return false;
    if (llvm::isa<llvm::CallBase>(at) && !llvm::isa<llvm::IntrinsicInst>(at) && !llvm::isAllocaPromotable(&variable))
      return false;
  }
  return false;
}

std::vector<llvm::IntrinsicInst*> starts_of(llvm::AllocaInst& variable) {
  std::vector<llvm::IntrinsicInst*> starts;
  for (llvm::User* user : variable.users())
    if (auto* start = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        start != nullptr && start->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      starts.push_back(start);
  return starts;
}

/// Promotion makes a value of it.
bool is_value(const llvm::AllocaInst& variable) {
  const llvm::Type* type = variable.getAllocatedType();
  return (type->isIntegerTy() || type->isPointerTy() || type->isFloatingPointTy()) &&
         llvm::isAllocaPromotable(&variable);
}

class Marker {
 public:
  explicit Marker(llvm::Module& module) : module_(module), layout_(module.getDataLayout()) {
    word_ = layout_.getIntPtrType(module.getContext());
  }

  void mark(llvm::Function& function) {
    function_ = &function;
    std::vector<llvm::AllocaInst*> variables;
    std::vector<llvm::CallInst*> allocations;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) variables.push_back(variable);
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call != nullptr && is_allocation(*call))
        allocations.push_back(call);
    }
    for (llvm::AllocaInst* variable : variables) mark(*variable);
    for (llvm::CallInst* call : allocations) mark(*call);
  }

 private:
  static bool is_allocation(const llvm::CallInst& call) {
    constexpr std::array<llvm::StringRef, 3> kNames = {"malloc", "realloc", "aligned_alloc"};
    const llvm::Function* callee = call.getCalledFunction();
    return callee != nullptr && callee->isDeclaration() && llvm::is_contained(kNames, callee->getName()) &&
           call.arg_size() == (callee->getName() == "malloc" ? 1 : 2) && call.getType()->isPointerTy() &&
           llvm::all_of(call.args(), [](const llvm::Use& use) { return !use->getType()->isStructTy(); });
  }

  /// Each where an object begins to be: its declaration is reached.
  void mark(llvm::AllocaInst& variable) {
    const auto [source, place] = declaration_of(variable);
    if (source == nullptr || source->getArg() != 0 || source->isArtificial() || variable.isSwiftError()) return;
    llvm::SmallVector<llvm::Instruction*, 4> starts;
    llvm::append_range(starts, starts_of(variable));
    if (starts.empty()) starts.push_back(&variable);
    llvm::erase_if(starts, [&](const llvm::Instruction* start) {
      return is_set_at_once(start->getNextNode(), variable, layout_);
    });
    if (starts.empty()) return;
    const std::string site = site_of(source->getName(), source->getLine());
    for (llvm::Instruction* start : starts) {
      llvm::IRBuilder<> builder(start->getNextNode());
      builder.SetCurrentDebugLocation(place);
      if (is_value(variable)) {
        builder.CreateStore(value_mark(builder, variable.getAllocatedType(), site), &variable);
      } else {
        llvm::Value* element = llvm::ConstantInt::get(word_, layout_.getTypeAllocSize(variable.getAllocatedType()));
        llvm::Value* count = builder.CreateZExtOrTrunc(variable.getArraySize(), word_);
        memory_mark(builder, &variable, builder.CreateMul(count, element), site, true);
      }
    }
  }

  void mark(llvm::CallInst& call) {
    const llvm::StringRef name = call.getCalledFunction()->getName();
    const unsigned line = call.getDebugLoc() ? call.getDebugLoc().getLine() : 0;
    llvm::IRBuilder<> builder(call.getNextNode());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value* size = builder.CreateZExtOrTrunc(call.getArgOperand(name == "malloc" ? 0 : 1), word_);
    memory_mark(builder, &call, size, site_of(name, line), name != "realloc");
  }

  llvm::Value* value_mark(llvm::IRBuilder<>& builder, llvm::Type* type, const std::string& site) {
    std::string name(kValueMark);
    llvm::raw_string_ostream(name) << *type;
    auto* form = llvm::FunctionType::get(type, {builder.getInt32Ty()}, false);
    llvm::CallInst* made =
        builder.CreateCall(module_.getOrInsertFunction(name, form), {builder.getInt32(result::site_number(site))});
    name_site(*made, site);
    return made;
  }

  void memory_mark(llvm::IRBuilder<>& builder, llvm::Value* object, llvm::Value* size, const std::string& site,
                   bool is_new) {
    auto* form = llvm::FunctionType::get(
        builder.getVoidTy(), {builder.getPtrTy(), word_, builder.getInt32Ty(), builder.getInt32Ty()}, false);
    llvm::CallInst* made =
        builder.CreateCall(module_.getOrInsertFunction(kMemoryMark, form),
                           {object, size, builder.getInt32(result::site_number(site)), builder.getInt32(is_new)});
    name_site(*made, site);
  }

  static void name_site(llvm::CallInst& mark, const std::string& site) {
    llvm::LLVMContext& context = mark.getContext();
    mark.setDoesNotThrow();
    mark.setMetadata(kSiteName, llvm::MDNode::get(context, llvm::MDString::get(context, site)));
  }

  /// Several of one line are numbered; so are names whose numbers would be the same.
  std::string site_of(llvm::StringRef name, unsigned line) {
    const std::string plain =
        fmt::format("{}.{}:{}", std::string_view(function_->getName()), std::string_view(name), line);
    std::string site = plain;
    for (int i = 2; !numbers_.insert(result::site_number(site)).second; ++i) site = fmt::format("{}#{}", plain, i);
    return site;
  }

  llvm::Module& module_;
  const llvm::DataLayout& layout_;
  llvm::Type* word_ = nullptr;
  llvm::Function* function_ = nullptr;
  std::set<std::uint32_t> numbers_;
};

bool is_value_mark(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getCalledFunction() != nullptr &&
         call->getCalledFunction()->getName().starts_with(kValueMark);
}

}  // namespace

void mark_unset(llvm::Module& module) {
  Marker marker(module);
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) marker.mark(function);
}

void forget_values(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::AllocaInst*> variables;
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable != nullptr && is_value(*variable))
        variables.push_back(variable);
    for (llvm::AllocaInst* variable : variables)
      for (llvm::IntrinsicInst* start : starts_of(*variable)) {
        const auto next = std::next(start->getIterator());
        auto* value = new llvm::FreezeInst(llvm::UndefValue::get(variable->getAllocatedType()),
                                           variable->getName() + kUnsetSuffix, next);
        new llvm::StoreInst(value, variable, next);
      }
  }
}

void drop_unused_marks(llvm::Function& function) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (is_value_mark(instruction) && instruction.use_empty()) instruction.eraseFromParent();
}

void settle_marks(llvm::Module& module) {
  const llvm::DataLayout& layout = module.getDataLayout();
  llvm::Type* word = layout.getIntPtrType(module.getContext());
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!is_value_mark(instruction)) continue;
      auto& mark = llvm::cast<llvm::CallInst>(instruction);
      llvm::IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
      llvm::AllocaInst* memory = entry.CreateAlloca(mark.getType());
      llvm::IRBuilder<> builder(&mark);
      auto* form = llvm::FunctionType::get(
          builder.getVoidTy(), {builder.getPtrTy(), word, builder.getInt32Ty(), builder.getInt32Ty()}, false);
      builder.CreateCall(module.getOrInsertFunction(kMemoryMark, form),
                         {memory, llvm::ConstantInt::get(word, layout.getTypeStoreSize(mark.getType())),
                          mark.getArgOperand(0), builder.getInt32(1)});
      mark.replaceAllUsesWith(builder.CreateLoad(mark.getType(), memory));
      mark.eraseFromParent();
    }
  }
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.getName().starts_with(kValueMark) && function.use_empty()) function.eraseFromParent();
}

bool is_unset_mark(const llvm::User& user) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
  return call != nullptr && unset_site(*call).has_value();
}

std::optional<std::string> unset_site(const llvm::CallBase& call) {
  const llvm::MDNode* site = call.getMetadata(kSiteName);
  if (site == nullptr) return std::nullopt;
  return llvm::cast<llvm::MDString>(site->getOperand(0))->getString().str();
}

}  // namespace plumb::frontend
