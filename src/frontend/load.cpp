// From files to a Program: clang compiles sources to bitcode; bitcode is read, checked and linked; the models of
// library functions that are missing join it; local variables become values; the lowering does the rest. LLVM is left
// behind here.
#include "frontend/load.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/spelling.h"
#include "frontend/canonicalise.h"
#include "frontend/carried_module.h"
#include "frontend/compilations.h"
#include "frontend/compile.h"
#include "frontend/environment.h"
#include "frontend/load_module.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/marks.h"
#include "frontend/lower/store_buffers.h"
#include "frontend/machine_models.h"
#include "frontend/models.h"
#include "frontend/module.h"
#include "frontend/scopes.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/unset.h"
#include "frontend/vla_checks.h"
#include "program/verify.h"

namespace plumb::frontend {

using program::verify;
namespace {

namespace fs = std::filesystem;

enum class FileKind { Source, Module, Database, Native };

/// A message of ours rather than of whoever reads the file later.
void check_readable(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) throw UserError(SourceLocation{file.string()}, "there is no such file");
  if (fs::is_directory(status))
    throw UserError(SourceLocation{file.string()}, "this is a directory, not a program",
                    "give its C files, or a compile_commands.json");
  if (fs::is_regular_file(status) && fs::file_size(file, error) == 0)
    throw UserError(SourceLocation{file.string()}, "the file is empty", "a program needs at least a function");
}

/// What was given, sorted by what is to be done with it.
struct Inputs {
  std::vector<CompileJob> jobs;
  std::vector<std::string> modules;
  std::vector<CarriedCode> carried;
};

/// A program that is not linked to its libraries' final places yet is a script of libtool, and lies elsewhere itself.
fs::path real_program(const fs::path& file) {
  const fs::path hidden = file.parent_path() / ".libs" / file.filename();
  if (!is_native(hidden)) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string begin(1000, '\0');
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin.starts_with("#!") && begin.find("libtool") != std::string::npos ? hidden : fs::path();
}

FileKind kind_of(const fs::path& file) {
  static const std::map<std::string, FileKind, std::less<>> kKinds = {
      {".c", FileKind::Source},   {".i", FileKind::Source},     {".cpp", FileKind::Source}, {".cc", FileKind::Source},
      {".cxx", FileKind::Source}, {".C", FileKind::Source},     {".ii", FileKind::Source},  {".bc", FileKind::Module},
      {".ll", FileKind::Module},  {".json", FileKind::Database}};
  const auto found = kKinds.find(file.extension().string());
  if (found != kKinds.end()) return found->second;
  if (is_native(file) || !real_program(file).empty()) return FileKind::Native;
  throw UserError(SourceLocation{file.string()}, "this kind of file is not known",
                  "programs are .c, .i, .cpp, .cc, .cxx, .C, LLVM's .bc and .ll, a compile_commands.json, or an "
                  "executable made with CC=\"plumb cc\"");
}

CarriedCode carried_code(const fs::path& file) {
  CarriedCode code = read_carried_code(is_native(file) ? file : real_program(file));
  if (code.units.empty())
    throw UserError(SourceLocation{file.string()}, "this program carries no bitcode",
                    "build it with CC=\"plumb cc\"; llvm-strip takes the bitcode away, strip of GNU binutils does not");
  return code;
}

bool is_cxx_source(const fs::path& file) {
  const std::string extension = file.extension().string();
  return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" || extension == ".ii";
}

Inputs sort_inputs(const LoadOptions& options) {
  if (options.files.empty()) throw UserError("no program was given", "name a C file");
  Inputs inputs;
  for (const std::string& file : options.files) {
    check_readable(file);
    switch (kind_of(file)) {
      case FileKind::Source:
        inputs.jobs.push_back({file, {}, options.compiler_flags});
        break;
      case FileKind::Module:
        inputs.modules.push_back(file);
        break;
      case FileKind::Native:
        inputs.carried.push_back(carried_code(file));
        break;
      case FileKind::Database:
        for (CompileJob& job : read_compile_commands(file)) {
          job.flags.insert(job.flags.end(), options.compiler_flags.begin(), options.compiler_flags.end());
          inputs.jobs.push_back(std::move(job));
        }
    }
  }
  return inputs;
}

/// As `plumb cc` compiled them.
void note_units(const CarriedCode& code, std::uint32_t bits, Compilations& compilations) {
  for (const CarriedCode::Unit& unit : code.units)
    compilations.note({unit.source, unit.directory, unit.words},
                      {.word_size = bits, .debug_directory = unit.directory, .has_inline_bodies = true});
}

std::vector<Unit> read_all(const LoadOptions& options, const Inputs& inputs, std::uint32_t& bits,
                           llvm::LLVMContext& context, const Budget& budget) {
  const Machines machines = options.is_board ? Machines::Any : Machines::X86;
  std::vector<Unit> units;
  for (const std::string& file : inputs.modules) {
    units.push_back({read_module(file, Origin::User, context, machines), file});
    if (bits == 0) bits = word_size(*units.back().module);
    budget.check();
  }
  for (const CarriedCode& code : inputs.carried) {
    units.push_back({link_carried_code(code, context, machines, budget), code.components.front().file.string()});
    if (bits == 0) bits = word_size(*units.back().module);
    if (options.compilations) note_units(code, bits, *options.compilations);
  }
  const TemporaryDirectory directory;
  if (bits == 0) bits = 64;
  const CompileSettings settings{bits, options.optimisation};
  const std::vector<fs::path> compiled = options.compilations
                                             ? options.compilations->compile(inputs.jobs, settings, budget)
                                             : compile(inputs.jobs, settings, directory.path(), budget);
  for (std::size_t i = 0; i < compiled.size(); ++i) {
    budget.check();
    units.push_back({read_module(compiled[i], Origin::Compiler, context), inputs.jobs[i].source.string()});
    units.back().module->setModuleIdentifier(units.back().file);  // LLVM's messages name it
  }
  return units;
}

bool is_candidate(const llvm::Function& function) {
  return !function.isDeclaration() && !function.hasFnAttribute(kModelAttribute);
}

/// The name without the parameters that a mangled C++ name carries.
std::string plain_name(const llvm::Function& function) {
  const std::string full = llvm::demangle(function.getName());
  return full == function.getName() ? full : full.substr(0, full.find('('));
}

[[noreturn]] void report_missing_entry(const llvm::Module& module, const LoadOptions& options) {
  std::vector<std::string> names;
  for (const llvm::Function& function : module)
    if (is_candidate(function)) names.push_back(plain_name(function));
  const std::size_t total = names.size();
  names = nearest_names(std::move(names), options.entry, 8);
  std::string hint = "the program has no function at all";
  if (!names.empty()) {
    hint = fmt::format("choose where to begin with --entry FUNCTION; there are: {}", fmt::join(names, ", "));
    if (total > names.size()) hint += fmt::format(" and {} more", total - names.size());
  }
  throw UserError(SourceLocation{options.files.front()}, fmt::format("there is no function '{}'", options.entry), hint);
}

/// The symbol that the user means, who does not know mangled names.
std::string find_entry(const llvm::Module& module, const LoadOptions& options) {
  if (options.entry.empty()) return {};
  const llvm::Function* exact = module.getFunction(options.entry);
  if (exact != nullptr && is_candidate(*exact)) return options.entry;
  std::vector<std::string> found;
  for (const llvm::Function& function : module)
    if (is_candidate(function) && plain_name(function) == options.entry) found.push_back(function.getName().str());
  if (found.empty()) report_missing_entry(module, options);
  if (found.size() > 1)
    throw UserError(SourceLocation{options.files.front()}, fmt::format("'{}' is overloaded", options.entry),
                    fmt::format("use one of the symbols: {}", fmt::join(found, ", ")));
  return found.front();
}

bool is_unoptimised(const LoadOptions& options, const Inputs& inputs) {
  return inputs.modules.empty() && options.optimisation == 0 &&
         std::ranges::none_of(options.compiler_flags, is_optimisation);
}

/// What the module does not have of them; and what it has and cannot need: archives bring much with them.
void take_from_carried(Inputs& inputs, LoadedModule& loaded) {
  const bool is_program = inputs.carried.size() == 1 && inputs.jobs.empty() && inputs.modules.empty() &&
                          inputs.carried.front().components.front().is_linked;
  if (is_program && !loaded.entry.empty())
    drop_unreachable(*loaded.module, loaded.entry, outside_references(inputs.carried.front()));
  loaded.needs.was_linked = is_program;
  for (CarriedCode& code : inputs.carried) {
    loaded.needs.is_cxx |= code.is_cxx;
    loaded.needs.imported.merge(imported_names(code));
    std::ranges::move(code.link_words, std::back_inserter(loaded.needs.words));
    for (CarriedCode::Native& native : code.natives) loaded.needs.native_objects.push_back(std::move(native.object));
  }
}

}  // namespace

std::vector<std::string> nearest_names(std::vector<std::string> names, std::string_view wanted, std::size_t count) {
  std::ranges::stable_sort(names, {}, [&](const std::string& name) { return edit_distance(name, wanted); });
  names.resize(std::min(names.size(), count));
  return names;
}

std::string llvm_version() { return LLVM_VERSION_STRING; }

LoadedModule load_module(const LoadOptions& options, ModelSet models, llvm::LLVMContext& context,
                         const Budget& budget) {
  Inputs inputs = sort_inputs(options);
  LoadedModule loaded;
  loaded.is_unoptimised = is_unoptimised(options, inputs);
  loaded.word_size = options.word_size.value_or(0);
  std::vector<Unit> units = read_all(options, inputs, loaded.word_size, context, budget);
  const llvm::Module& first = *units.front().module;
  loaded.models = is_x86(first) ? models_module(models, loaded.word_size, context)
                                : machine_models(first, options.machine_flags, budget);
  for (Unit& unit : units) settle_layout(unit, *loaded.models);
  loaded.module = link(std::move(units));
  budget.check();
  loaded.entry = find_entry(*loaded.module, options);
  loaded.needs.is_cxx =
      std::ranges::any_of(inputs.jobs, [](const CompileJob& job) { return is_cxx_source(job.source); });
  buffer_stores(*loaded.module);
  if (options.marks_unset)
    mark_unset(*loaded.module);
  else if (options.checks.has(program::Check::Uninitialised))
    forget_values(*loaded.module);
  settle_scopes(*loaded.module, loaded.is_unoptimised);
  take_from_carried(inputs, loaded);
  take_property_functions(*loaded.module);
  if (!options.error_labels.empty()) mark_labels(*loaded.module, options.error_labels);
  mark_places(*loaded.module);
  settle_vla_checks(*loaded.module, options.checks.has(program::Check::Vla));
  if (options.termination_bound) mark_termination(*loaded.module, *options.termination_bound);
  return loaded;
}

Program load_program(const LoadOptions& options, const Budget& budget) { return load_program(options, budget, {}); }

Program load_program(const LoadOptions& options, const Budget& budget,
                     const std::function<void(const llvm::Module&)>& look) {
  llvm::LLVMContext context;
  const Diagnostics silence(context);
  LoadedModule loaded = load_module(options, ModelSet::All, context, budget);
  if (look) look(*loaded.module);
  if (options.link_models) link_models(*loaded.module, std::move(loaded.models));
  if (!options.keep_variables) canonicalise(*loaded.module);
  mark_environment(*loaded.module, loaded.entry);
  budget.check();
  Program program = lower(*loaded.module,
                          {loaded.entry, loaded.is_unoptimised, options.checks.has(program::Check::PointerArithmetic)});
  program.checks = options.checks;
  const std::vector<std::string> problems = verify(program);
  INVARIANT(problems.empty(), fmt::format("a lowered program should be well formed: {}", problems.front()));
  budget.check();
  return program;
}

}  // namespace plumb::frontend
