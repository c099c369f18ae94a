#include "concolic/build_subject.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/instrument/entry_main.h"
#include "concolic/instrument/instrumenter.h"
#include "concolic/runtime_objects.h"
#include "program/lower/load_module.h"
#include "program/lower/module.h"

namespace plumb::concolic {
namespace {

namespace fs = std::filesystem;

void check_module(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  INVARIANT(!llvm::verifyModule(module, &stream), fmt::format("an instrumented module should be valid: {}", text));
}

void write_bitcode(const llvm::Module& module, const fs::path& file) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  write_file(file, bytes);
}

/// Functions that the linker did not find, in the words of GNU ld, lld and mold.
std::set<std::string> undefined_names(const std::string& messages) {
  std::set<std::string> names;
  for (const std::string_view begin : {"undefined reference to `", "undefined symbol: "}) {
    for (std::size_t at = 0; (at = messages.find(begin, at)) != std::string::npos;) {
      at += begin.size();
      names.insert(messages.substr(at, messages.find_first_of("'\n ", at) - at));
    }
  }
  return names;
}

[[noreturn]] void report_link_failure(const program::LoadOptions& options, const std::string& messages) {
  const std::set<std::string> names = undefined_names(messages);
  const SourceLocation place{options.files.front()};
  if (!names.empty())
    throw UserError(place, fmt::format("no definition of {} was found", fmt::join(names, ", ")),
                    "give the file that defines it, or the library: plumb test prog.c -- -lm");
  throw UserError(place, fmt::format("the program could not be linked: {}", messages.substr(0, 2000)));
}

/// Flags that matter to the linker.
std::vector<std::string> link_flags(const program::LoadOptions& options) {
  std::vector<std::string> flags;
  std::ranges::copy_if(options.compiler_flags, std::back_inserter(flags), [](const std::string& flag) {
    return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || flag == "-pthread";
  });
  return flags;
}

/// C++ needs its library.
std::string linker(const program::LoadOptions& options) {
  const bool is_cxx = std::ranges::any_of(options.files, [](const std::string& file) {
    const std::string extension = fs::path(file).extension().string();
    return extension == ".cpp" || extension == ".cc" || extension == ".cxx" || extension == ".C" || extension == ".ii";
  });
  return is_cxx ? "clang++-19" : "clang-19";
}

struct LinkJob {
  const llvm::Module& module;
  std::string_view runtime;
  std::string optimisation;
  std::string name;
};

fs::path link(const LinkJob& job, const program::LoadOptions& options, const fs::path& directory, std::uint32_t bits,
              const Budget& budget) {
  const fs::path bitcode = directory / (job.name + ".bc");
  const fs::path object = directory / (job.name + "-runtime.o");
  const fs::path executable = directory / job.name;
  write_bitcode(job.module, bitcode);
  write_file(object, job.runtime);
  std::vector<std::string> command = {linker(options),
                                      fmt::format("-m{}", bits),
                                      job.optimisation,
                                      "-w",
                                      "-g",
                                      bitcode.string(),
                                      object.string(),
                                      "-o",
                                      executable.string()};
  const std::vector<std::string> flags = link_flags(options);
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(), {"-lm", "-lpthread", "-Wl,-z,now"});
  const ProcessResult result = run_process(command, "", budget);
  budget.check();
  if (result.end != ProcessResult::End::Exited || result.code != 0) report_link_failure(options, result.error);
  fs::remove(bitcode);
  fs::remove(object);
  return executable;
}

}  // namespace

Subject build_subject(const program::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  PreparedModule prepared = prepare_module(options, budget);
  instrument(prepared);
  check_module(*prepared.module);
  const std::uint32_t bits = prepared.subject.program.layout.pointer_width;
  prepared.subject.executable =
      link({*prepared.module, runtime_object(bits), "-O2", "subject"}, options, directory, bits, budget);
  return std::move(prepared.subject);
}

fs::path build_replay(const program::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  llvm::LLVMContext context;
  const program::Diagnostics silence(context);
  const program::LoadedModule loaded = load_module(options, program::ModelSet::Pure, context, budget);
  make_entry_main(*loaded.module, loaded.entry);
  return link({*loaded.module, replay_object(loaded.word_size), "-O0", "replay"}, options, directory, loaded.word_size,
              budget);
}

}  // namespace plumb::concolic
