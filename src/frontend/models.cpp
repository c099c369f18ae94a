#include "frontend/models.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include "base/embed.h"
#include "base/error.h"
#include "frontend/lower/lowering.h"
#include "frontend/module.h"

PLUMB_EMBED(plumb_models_32, PLUMB_MODELS_32);
PLUMB_EMBED(plumb_models_64, PLUMB_MODELS_64);
PLUMB_EMBED(plumb_pure_models_32, PLUMB_PURE_MODELS_32);
PLUMB_EMBED(plumb_pure_models_64, PLUMB_PURE_MODELS_64);
PLUMB_EMBED(plumb_header_text, PLUMB_HEADER);
PLUMB_EMBED(plumb_board_header_text, PLUMB_BOARD_HEADER);
PLUMB_EMBED(klee_header_text, KLEE_HEADER);

namespace plumb::frontend {

std::array<Header, 3> headers() {
  return {Header{"plumb/plumb.h", {plumb_header_text, plumb_header_text_end}},
          Header{"plumb/board.h", {plumb_board_header_text, plumb_board_header_text_end}},
          Header{"klee/klee.h", {klee_header_text, klee_header_text_end}}};
}

namespace {

llvm::StringRef bitcode_of(ModelSet set, std::uint32_t word_size) {
  const auto text = [](const char* begin, const char* end) {
    return llvm::StringRef(begin, static_cast<std::size_t>(end - begin));
  };
  if (set == ModelSet::All)
    return word_size == 32 ? text(plumb_models_32, plumb_models_32_end) : text(plumb_models_64, plumb_models_64_end);
  return word_size == 32 ? text(plumb_pure_models_32, plumb_pure_models_32_end)
                         : text(plumb_pure_models_64, plumb_pure_models_64_end);
}

}  // namespace

std::unique_ptr<llvm::Module> models_module(ModelSet set, std::uint32_t word_size, llvm::LLVMContext& context) {
  const llvm::StringRef bitcode = bitcode_of(set, word_size);
  // Most programs need few of the models; the linker reads those.
  auto module = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(bitcode, "models"), context,
                                           /*ShouldLazyLoadMetadata=*/true);
  INVARIANT(static_cast<bool>(module), "the embedded models should be bitcode of this LLVM");
  mark_as_models(**module);
  return std::move(*module);
}

void mark_as_models(llvm::Module& module) {
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) function.addFnAttr(kModelAttribute);
  for (llvm::GlobalVariable& variable : module.globals())
    if (!variable.isDeclaration()) variable.addAttribute(kModelAttribute);
}

void link_models(llvm::Module& module, std::unique_ptr<llvm::Module> models) {
  const Diagnostics diagnostics(module.getContext());
  if (llvm::Linker::linkModules(module, std::move(models), llvm::Linker::Flags::LinkOnlyNeeded))
    throw UserError(fmt::format("the program does not fit the models of library functions: {}", diagnostics.text()),
                    "compile it without flags that change basic types, such as -fshort-wchar");
  for (llvm::Function& function : module)
    if (function.hasFnAttribute(kModelAttribute)) function.setLinkage(llvm::GlobalValue::InternalLinkage);
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.hasAttribute(kModelAttribute)) variable.setLinkage(llvm::GlobalValue::InternalLinkage);
}

}  // namespace plumb::frontend
