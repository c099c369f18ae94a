#include "instrument/sites/input_functions.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>

#include "frontend/lower/lower_library.h"
#include "instrument/shadows/shadow_operators.h"
#include "instrument/shadows/shadow_types.h"
#include "runtime/concolic/runtime.h"
#include "semantics/intrinsics.h"

namespace plumb::instrument {
namespace {

using program::Intrinsic;

/// Element sizes must divide the size of the memory.
std::uint32_t widest_element(std::uint64_t size) {
  for (const std::uint32_t element : {8U, 4U, 2U})
    if (size % element == 0) return element;
  return 1;
}

class InputBody {
 public:
  InputBody(ShadowRuntime& runtime, llvm::Function& function)
      : runtime_(runtime),
        function_(function),
        layout_(runtime.module().getDataLayout()),
        builder_(llvm::BasicBlock::Create(function.getContext(), "entry", &function)) {}

  void make() {
    llvm::Type* type = function_.getReturnType();
    if (type->isVoidTy()) {
      builder_.CreateRetVoid();
      return;
    }
    // Each scalar is an input of its own, in order; results go to their places once all have been asked for.
    llvm::Value* whole = llvm::PoisonValue::get(type);
    llvm::SmallVector<llvm::Value*, 4> shadows;
    add(type, {}, whole, shadows);
    for (unsigned i = 0; i < shadows.size() && i < PLUMB_RESULTS; ++i)
      builder_.CreateStore(shadows[i], builder_.CreateConstInBoundsGEP2_32(runtime_.results()->getValueType(),
                                                                           runtime_.results(), 0, i));
    builder_.CreateRet(whole);
  }

 private:
  void add(llvm::Type* type, const llvm::SmallVector<unsigned, 4>& path, llvm::Value*& whole,
           llvm::SmallVectorImpl<llvm::Value*>& shadows) {
    const auto* structure = llvm::dyn_cast<llvm::StructType>(type);
    const auto* array = llvm::dyn_cast<llvm::ArrayType>(type);
    if (structure == nullptr && array == nullptr) {
      llvm::Value* made = is_tracked(type, layout_) ? scalar(type, shadows) : wide(type);
      whole = path.empty() ? made : builder_.CreateInsertValue(whole, made, path);
      return;
    }
    const unsigned count =
        structure != nullptr ? structure->getNumElements() : static_cast<unsigned>(array->getNumElements());
    for (unsigned i = 0; i < count; ++i) {
      llvm::SmallVector<unsigned, 4> inner = path;
      inner.push_back(i);
      add(structure != nullptr ? structure->getElementType(i) : array->getElementType(), inner, whole, shadows);
    }
  }

  /// As the interpreter names them.
  llvm::Constant* name(llvm::Type* type) {
    const std::string text =
        semantics::input_name(frontend::nondet_type(std::string_view(function_.getName())), width_of(type, layout_));
    return builder_.CreateGlobalStringPtr(text, "plumb.input");
  }

  llvm::Value* scalar(llvm::Type* type, llvm::SmallVectorImpl<llvm::Value*>& shadows) {
    const std::uint32_t width = width_of(type, layout_);
    const std::uint32_t bytes = (width + 7) / 8;
    const std::uint32_t size = bytes <= 2 ? bytes : bytes <= 4 ? 4 : 8;
    llvm::Value* bits = runtime_.call(builder_, RuntimeFunction::Nondet, {runtime_.word(size), name(type)});
    llvm::Value* slot =
        builder_.CreateConstInBoundsGEP2_32(runtime_.results()->getValueType(), runtime_.results(), 0, 0);
    llvm::Value* shadow = builder_.CreateLoad(builder_.getInt32Ty(), slot);
    OperatorCode code(builder_, runtime_, [](llvm::Value*) { return Shadows(); });
    shadows.push_back(code.resize(shadow, 8 * size, width, false));
    return value_of_bits(builder_, bits, type);
  }

  /// Too wide for a shadow, but an input nevertheless.
  llvm::Value* wide(llvm::Type* type) {
    const std::uint64_t size = (width_of(type, layout_) + 7) / 8;
    llvm::Value* room = builder_.CreateAlloca(type);
    builder_.CreateStore(llvm::Constant::getNullValue(type), room);
    runtime_.call(builder_, RuntimeFunction::MakeSymbolic,
                  {room, runtime_.size(size), name(type), runtime_.word(widest_element(size))});
    runtime_.call(builder_, RuntimeFunction::Cleared, {room, runtime_.size(size)});
    runtime_.call(builder_, RuntimeFunction::Lost, {runtime_.word(PLUMB_PIN_WIDE), runtime_.word(0)});
    return builder_.CreateLoad(type, room);
  }

  ShadowRuntime& runtime_;
  llvm::Function& function_;
  const llvm::DataLayout& layout_;
  llvm::IRBuilder<> builder_;
};

}  // namespace

llvm::SmallVector<llvm::Function*, 8> define_input_functions(ShadowRuntime& runtime) {
  llvm::SmallVector<llvm::Function*, 8> found;
  for (llvm::Function& function : runtime.module()) {
    const auto library = frontend::library_function(function);
    if (library && function.isDeclaration() && library->form == frontend::LibraryFunction::Form::Intrinsic &&
        library->intrinsic == Intrinsic::Nondet)
      found.push_back(&function);
  }
  for (llvm::Function* function : found) {
    InputBody(runtime, *function).make();
    function->setLinkage(llvm::GlobalValue::InternalLinkage);
    function->setSubprogram(nullptr);  // that of a declaration is no place for code
  }
  return found;
}

}  // namespace plumb::instrument
