#include "frontend/machine_models.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <string_view>

#include "base/embed.h"
#include "base/file.h"
#include "frontend/compile.h"
#include "frontend/models.h"
#include "frontend/module.h"

// model_sources.inc, which the build makes, has a MODEL_SOURCE(symbol, libraries, name, file) for each source and
// header of the models; the libraries beside which it is compiled: Glibc, Newlib, Both, or None of a header.
#define MODEL_SOURCE(symbol, libraries, name, file) PLUMB_EMBED(symbol, file);
#include "model_sources.inc"
#undef MODEL_SOURCE

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

enum Library : unsigned { None = 0, Glibc = 1, Newlib = 2, Both = 3 };

struct Source {
  unsigned libraries = None;  ///< of Library
  std::string_view name;      ///< below runtime/models
  std::string_view text;
};

const std::vector<Source>& sources() {
  static const std::vector<Source> all = {
#define MODEL_SOURCE(symbol, libraries, name, file) Source{libraries, name, {symbol, symbol##_end}},
#include "model_sources.inc"
#undef MODEL_SOURCE
  };
  return all;
}

std::uint64_t number_flag(const llvm::Module& module, llvm::StringRef name, std::uint64_t otherwise) {
  const auto* value = llvm::mdconst::extract_or_null<llvm::ConstantInt>(module.getModuleFlag(name));
  return value == nullptr ? otherwise : value->getZExtValue();
}

/// What decides how clang lays out data and calls functions.
std::vector<std::string> machine_words(const llvm::Module& program, const std::vector<std::string>& flags) {
  std::vector<std::string> words;
  if (std::ranges::none_of(flags, [](const std::string& flag) { return flag.starts_with("--target="); }))
    words.push_back("--target=" + program.getTargetTriple());
  words.insert(words.end(), flags.begin(), flags.end());
  constexpr std::uint64_t kUsualSize = 4;
  words.emplace_back(number_flag(program, "min_enum_size", kUsualSize) == 1 ? "-fshort-enums" : "-fno-short-enums");
  words.emplace_back(number_flag(program, "wchar_size", kUsualSize) == 2 ? "-fshort-wchar" : "-fno-short-wchar");
  return words;
}

}  // namespace

std::unique_ptr<llvm::Module> machine_models(const llvm::Module& program, const std::vector<std::string>& flags,
                                             const Budget& budget) {
  const Library library = llvm::Triple(program.getTargetTriple()).isOSLinux() ? Glibc : Newlib;
  const std::vector<std::string> machine = machine_words(program, flags);
  const TemporaryDirectory directory;
  const fs::path root = "runtime/models";
  std::vector<CompileJob> jobs;
  std::vector<std::vector<std::string>> commands;
  for (const Source& source : sources()) {
    const fs::path file = root / source.name;
    fs::create_directories((directory.path() / file).parent_path());
    write_file(directory.path() / file, source.text);
    if ((source.libraries & library) == 0) continue;
    jobs.push_back({file, directory.path(), {}});
    std::vector<std::string>& words = commands.emplace_back(std::vector<std::string>{"clang-19"});
    words.insert(words.end(), machine.begin(), machine.end());
    if (library == Newlib) words.emplace_back("-DPLUMB_NEWLIB");
    // As the build compiles those for x86.
    words.insert(words.end(),
                 {"-std=c11", "-w", "-O0", "-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names",
                  "-ffreestanding", "-fno-builtin", "-fdebug-compilation-dir=.", "-Qunused-arguments", "-emit-llvm",
                  "-c", "-o", fmt::format("{}.bc", jobs.size() - 1), file.string()});
  }
  run_compiler(jobs, commands, budget);
  std::vector<Unit> units;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    budget.check();
    auto module =
        read_module(directory.path() / fmt::format("{}.bc", i), Origin::Compiler, program.getContext(), Machines::Any);
    module->setModuleIdentifier(jobs[i].source.string());
    units.push_back({std::move(module), jobs[i].source.string()});
  }
  std::unique_ptr<llvm::Module> models = link(std::move(units));
  mark_as_models(*models);
  return models;
}

}  // namespace plumb::frontend
