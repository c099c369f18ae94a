#include "instrument/checks/check_globals.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include <algorithm>

#include "instrument/shadows/shadow_types.h"

namespace plumb::instrument {
namespace {

/// Room costs memory, so that an array of megabytes gets no more than `most`.
struct Room {
  std::uint64_t alignment;
  std::uint64_t least;
  std::uint64_t most;
};
constexpr Room kRoom = {.alignment = 32, .least = 32, .most = 4096};
constexpr Room kScarceRoom = {.alignment = 8, .least = 16, .most = 256};
constexpr std::uint64_t kMostSize = std::uint64_t{1} << 32;

bool may_be_padded(const llvm::GlobalVariable& variable, bool has_native_code) {
  const llvm::StringRef name = variable.getName();
  if (name.starts_with("llvm.") || name.starts_with("__plumb_") || name.starts_with("plumb.")) return false;
  if (variable.isDeclaration() || variable.isThreadLocal() || variable.hasSection() || variable.hasComdat() ||
      variable.isExternallyInitialized() || variable.getAddressSpace() != 0)
    return false;
  if (!variable.hasLocalLinkage() && (!variable.hasExternalLinkage() || has_native_code)) return false;
  const std::uint64_t size =
      variable.getParent()->getDataLayout().getTypeAllocSize(variable.getValueType()).getFixedValue();
  return size > 0 && size < kMostSize;
}

llvm::GlobalVariable* with_room(llvm::GlobalVariable& variable, std::uint64_t room, std::uint64_t size,
                                std::uint64_t alignment) {
  llvm::Module& module = *variable.getParent();
  llvm::LLVMContext& context = module.getContext();
  llvm::ArrayType* padding = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), room - size);
  llvm::StructType* type = llvm::StructType::get(variable.getValueType(), padding);
  llvm::Constant* content =
      llvm::ConstantStruct::get(type, variable.getInitializer(), llvm::ConstantAggregateZero::get(padding));
  auto* made = new llvm::GlobalVariable(module, type, variable.isConstant(), variable.getLinkage(), content, "",
                                        &variable, variable.getThreadLocalMode());
  made->copyAttributesFrom(&variable);
  made->setAlignment(std::max(variable.getAlign().valueOrOne(), llvm::Align(alignment)));
  // Constants that look alike must not become one: each has its own room.
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::None);
  made->takeName(&variable);
  variable.replaceAllUsesWith(made);
  variable.eraseFromParent();
  return made;
}

}  // namespace

std::vector<llvm::GlobalVariable*> reached_globals(llvm::Module& module, bool has_native_code) {
  std::vector<llvm::GlobalVariable*> found;
  for (llvm::GlobalVariable& variable : module.globals())
    if (may_be_padded(variable, has_native_code) && escapes(variable)) found.push_back(&variable);
  return found;
}

void pad_globals(CheckRuntime& runtime, const std::vector<llvm::GlobalVariable*>& variables) {
  llvm::Module& module = runtime.module();
  llvm::StructType* entry = llvm::StructType::get(runtime.pointer_type(), runtime.size_type(), runtime.size_type());
  const Room& rule = runtime.machine().is_bare_metal() ? kScarceRoom : kRoom;
  std::vector<llvm::Constant*> entries;
  for (llvm::GlobalVariable* variable : variables) {
    const std::uint64_t size = module.getDataLayout().getTypeAllocSize(variable->getValueType()).getFixedValue();
    const std::uint64_t room =
        llvm::alignTo(size + std::clamp<std::uint64_t>(size / 4, rule.least, rule.most), rule.alignment);
    entries.push_back(llvm::ConstantStruct::get(entry, with_room(*variable, room, size, rule.alignment),
                                                runtime.size(size), runtime.size(room)));
  }
  const auto define = [&](const char* name, llvm::Constant* content) {
    auto* made = llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, content->getType()));
    made->setInitializer(content);
    made->setConstant(true);
  };
  define("__plumb_padded_globals", llvm::ConstantArray::get(llvm::ArrayType::get(entry, entries.size()), entries));
  define("__plumb_padded_global_count", runtime.word(static_cast<std::uint32_t>(entries.size())));
}

}  // namespace plumb::instrument
