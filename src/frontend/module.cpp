#include "frontend/module.h"

#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/CrashRecoveryContext.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <charconv>
#include <map>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "program/platform.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRecompile =
    "compile it again with clang-19 -O0 -g -emit-llvm -c, or give plumb the C files themselves";

/// The major version in "LLVM19.1.7"; nothing if there is none (other vendors have numbers of their own).
std::optional<int> major_version(std::string_view producer) {
  if (!producer.starts_with("LLVM")) return std::nullopt;
  producer.remove_prefix(4);
  int number = 0;
  const auto [end, error] = std::from_chars(producer.data(), producer.data() + producer.size(), number);
  return error == std::errc{} ? std::optional(number) : std::nullopt;
}

void check_version(const llvm::MemoryBufferRef& buffer, const std::string& file) {
  llvm::Expected<std::string> producer = llvm::getBitcodeProducerString(buffer);
  if (!producer) {
    llvm::consumeError(producer.takeError());  // reading the module says what is wrong
    return;
  }
  const std::optional<int> version = major_version(*producer);
  if (!version || *version == LLVM_VERSION_MAJOR) return;
  std::string hint(kRecompile);
  if (*version < LLVM_VERSION_MAJOR)
    hint += fmt::format(", or bring it up to date with opt-{} FILE -o NEW.bc", LLVM_VERSION_MAJOR);
  throw UserError(SourceLocation{file},
                  fmt::format("the bitcode was made by LLVM {}, and this build of plumb reads LLVM {}",
                              producer->substr(4), LLVM_VERSION_STRING),
                  hint);
}

void ignore_fatal_error(void*, const char*, bool) {}

/// LLVM trusts bitcode: damage that its reader does not notice can end the process. So the first reading happens under
/// a guard against that, in a context that is given up with all that is in it if it comes to it.
void check_harmless(const llvm::MemoryBufferRef& buffer, const std::string& file) {
  auto context = std::make_unique<llvm::LLVMContext>();
  const Diagnostics silence(*context);
  llvm::CrashRecoveryContext::Enable();
  llvm::install_fatal_error_handler(ignore_fatal_error);
  llvm::CrashRecoveryContext guard;
  const bool survived = guard.RunSafely([&] {
    llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(buffer, *context);
    if (module) {
      llvm::verifyModule(**module);
    } else {
      llvm::consumeError(module.takeError());
    }
  });
  llvm::remove_fatal_error_handler();
  llvm::CrashRecoveryContext::Disable();
  if (survived) return;
  static_cast<void>(context.release());
  throw UserError(SourceLocation{file}, "the bitcode is damaged", std::string(kRecompile));
}

std::unique_ptr<llvm::Module> parse_bitcode(const llvm::MemoryBufferRef& buffer, const std::string& file, Origin origin,
                                            llvm::LLVMContext& context) {
  if (!buffer.getBuffer().starts_with("BC\xC0\xDE") && !buffer.getBuffer().starts_with("\xDE\xC0\x17\x0B"))
    throw UserError(SourceLocation{file}, "this is not LLVM bitcode: it does not begin with its signature",
                    std::string(kRecompile));
  check_version(buffer, file);
  if (origin == Origin::User) check_harmless(buffer, file);
  llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(buffer, context);
  if (!module)
    throw UserError(SourceLocation{file},
                    fmt::format("the bitcode is damaged or cut off: {}", llvm::toString(module.takeError())),
                    std::string(kRecompile));
  return std::move(*module);
}

std::unique_ptr<llvm::Module> read_assembly(const llvm::MemoryBufferRef& buffer, const std::string& file,
                                            llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseAssembly(buffer, diagnostic, context);
  if (module) return module;
  throw UserError(SourceLocation{file, static_cast<std::uint32_t>(std::max(diagnostic.getLineNo(), 0)),
                                 static_cast<std::uint32_t>(diagnostic.getColumnNo() + 1)},
                  fmt::format("LLVM assembly (of LLVM {}): {}", LLVM_VERSION_STRING, diagnostic.getMessage().str()),
                  std::string(kRecompile));
}

void check_machine(const llvm::Module& module, const std::string& file, Machines machines) {
  if (is_x86(module)) return;
  const llvm::DataLayout& layout = module.getDataLayout();
  if (machines == Machines::X86)
    throw UserError(SourceLocation{file},
                    fmt::format("code for '{}' cannot run here; plumb knows x86-64 and i386", module.getTargetTriple()),
                    "test it on its board, with plumb cc --target and plumb serve, or compile it with "
                    "--target=x86_64-linux-gnu (i386-linux-gnu for 32 bits)");
  const unsigned bits = layout.getPointerSizeInBits();
  if ((bits == 32 || bits == 64) && layout.getIndexSizeInBits(0) == bits) return;
  throw UserError(SourceLocation{file},
                  fmt::format("code for '{}' is not supported: its pointers have {} bits and offsets {}",
                              module.getTargetTriple(), bits, layout.getIndexSizeInBits(0)),
                  "machines with pointers of 32 or 64 bits can be tested");
}

void check_valid(llvm::Module& module, const std::string& file) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  bool broken_debug_info = false;
  if (llvm::verifyModule(module, &stream, &broken_debug_info))
    throw UserError(SourceLocation{file}, fmt::format("the module is not valid LLVM code: {}", problem),
                    std::string(kRecompile));
  if (!broken_debug_info) return;
  log().warn("{}: the debug information is not valid and is ignored: places in the source are not known", file);
  llvm::StripDebugInfo(module);
}

/// Where a symbol is defined: the file and line of the source if debug information has it, else the unit.
SourceLocation place_of(const llvm::GlobalValue& symbol, const std::string& file) {
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&symbol)) {
    if (const llvm::DISubprogram* program = function->getSubprogram())
      return {program->getFilename().str(), program->getLine(), 0};
  } else if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&symbol)) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable->getDebugInfo(expressions);
    if (!expressions.empty()) {
      const llvm::DIGlobalVariable* described = expressions.front()->getVariable();
      return {described->getFilename().str(), described->getLine(), 0};
    }
  }
  return {file};
}

bool is_strong_definition(const llvm::GlobalValue& symbol) {
  return !symbol.isDeclarationForLinker() && (symbol.hasExternalLinkage() || symbol.hasDLLExportStorageClass());
}

void check_definitions(const std::vector<Unit>& units) {
  std::map<std::string, SourceLocation> defined;
  for (const Unit& unit : units) {
    for (const llvm::GlobalValue& symbol : unit.module->global_values()) {
      if (!is_strong_definition(symbol)) continue;
      const SourceLocation place = place_of(symbol, unit.file);
      const auto [first, is_new] = defined.try_emplace(symbol.getName().str(), place);
      if (is_new) continue;
      const std::string where = first->second.to_string();
      throw UserError(place, fmt::format("'{}' is defined twice; the other definition is in {}", first->first, where),
                      "give files of one program only");
    }
  }
}

}  // namespace

Diagnostics::Diagnostics(llvm::LLVMContext& context) : context_(context) {
  context_.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo* info, void* text) {
        llvm::raw_string_ostream stream(*static_cast<std::string*>(text));
        llvm::DiagnosticPrinterRawOStream printer(stream);
        if (info->getSeverity() == llvm::DS_Error) info->print(printer);
      },
      &text_);
}

Diagnostics::~Diagnostics() {
  context_.setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo*, void*) {});
}

bool is_x86(const llvm::Module& module) { return program::platform_of(module.getTargetTriple()).is_x86(); }

std::unique_ptr<llvm::Module> read_module(const fs::path& file, Origin origin, llvm::LLVMContext& context,
                                          Machines machines) {
  const std::string content = read_file(file);
  const std::string name = file.string();
  if (content.empty()) throw UserError(SourceLocation{name}, "the file is empty", std::string(kRecompile));
  const llvm::MemoryBufferRef buffer(content, name);
  auto module =
      file.extension() == ".ll" ? read_assembly(buffer, name, context) : parse_bitcode(buffer, name, origin, context);
  check_machine(*module, name, machines);
  check_valid(*module, name);
  return module;
}

std::unique_ptr<llvm::Module> read_bitcode(std::string_view bytes, const std::string& name, llvm::LLVMContext& context,
                                           Machines machines) {
  auto module = parse_bitcode(llvm::MemoryBufferRef(llvm::StringRef(bytes.data(), bytes.size()), name), name,
                              Origin::Compiler, context);
  check_machine(*module, name, machines);
  return module;
}

std::uint32_t word_size(const llvm::Module& module) {
  if (module.getTargetTriple().empty() && module.getDataLayoutStr().empty()) return 0;
  return module.getDataLayout().getPointerSizeInBits();
}

void settle_layout(Unit& unit, const llvm::Module& models) {
  if (word_size(*unit.module) == 0) {
    unit.module->setTargetTriple(models.getTargetTriple());
    unit.module->setDataLayout(models.getDataLayout());
  }
  const std::uint32_t has = word_size(*unit.module);
  const std::uint32_t wanted = word_size(models);
  if (has != wanted && is_x86(*unit.module) && is_x86(models))
    throw UserError(SourceLocation{unit.file},
                    fmt::format("this is {}-bit code ('{}'), but {}-bit code was asked for or is in the "
                                "other files",
                                has, unit.module->getTargetTriple(), wanted),
                    fmt::format("compile it with -m{}, or use --m{} for all files", wanted, has));
  if (unit.module->getDataLayout() == models.getDataLayout()) return;
  throw UserError(SourceLocation{unit.file},
                  fmt::format("the data layout of '{}' is not that of '{}'", unit.module->getTargetTriple(),
                              models.getTargetTriple()),
                  is_x86(models) ? std::string(kRecompile)
                                 : "compile all files for one machine, with the same --target and flags like -mcpu");
}

std::unique_ptr<llvm::Module> link(std::vector<Unit> units) {
  INVARIANT(!units.empty(), "there should be something to link");
  check_definitions(units);
  std::unique_ptr<llvm::Module> result = std::move(units.front().module);
  const Diagnostics diagnostics(result->getContext());
  llvm::Linker linker(*result);
  for (Unit& unit : std::span(units).subspan(1))
    if (linker.linkInModule(std::move(unit.module)))
      throw UserError(SourceLocation{unit.file},
                      fmt::format("this file cannot be linked with the others: {}", diagnostics.text()));
  return result;
}

}  // namespace plumb::frontend
