#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace plumb::frontend {

/// A module and the file that it came from, for messages.
struct Unit {
  std::unique_ptr<llvm::Module> module;
  std::string file;
};

/// While it lives, what LLVM has to say about a context is collected instead of printed; afterwards it is dropped.
class Diagnostics {
 public:
  explicit Diagnostics(llvm::LLVMContext& context);
  ~Diagnostics();
  Diagnostics(const Diagnostics&) = delete;
  Diagnostics& operator=(const Diagnostics&) = delete;

  const std::string& text() const noexcept { return text_; }

 private:
  llvm::LLVMContext& context_;
  std::string text_;
};

/// Who made a file: bitcode that clang has just made for us needs no suspicion.
enum class Origin { User, Compiler };

/// Which machines code may be for: those that the interpreter knows, or any (LoadOptions::is_board).
enum class Machines { X86, Any };

/// Reads .bc or .ll. Throws UserError with the place for what is empty, cut off, of another LLVM version, not valid or
/// for a machine that it may not be for.
std::unique_ptr<llvm::Module> read_module(const std::filesystem::path& file, Origin origin, llvm::LLVMContext& context,
                                          Machines machines = Machines::X86);

/// The same for bitcode in memory that is known to be what a compiler wrote.
std::unique_ptr<llvm::Module> read_bitcode(std::string_view bytes, const std::string& name, llvm::LLVMContext& context,
                                           Machines machines);

/// It is for x86, or does not say.
bool is_x86(const llvm::Module& module);

/// 32 or 64; 0 if the module does not say.
std::uint32_t word_size(const llvm::Module& module);

/// Makes one module of all, which must have the same data layout. Throws UserError for a symbol that is defined twice.
std::unique_ptr<llvm::Module> link(std::vector<Unit> units);

/// Throws UserError unless the module's data layout is that of the models; gives it to a module without one.
void settle_layout(Unit& unit, const llvm::Module& models);

}  // namespace plumb::frontend
