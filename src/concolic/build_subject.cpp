#include "concolic/build_subject.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "concolic/instrument/check_module.h"
#include "concolic/instrument/entry_main.h"
#include "concolic/instrument/instrumenter.h"
#include "concolic/runtime_objects.h"
#include "program/driver/missing_functions.h"
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

[[noreturn]] void report_link_failure(const program::LoadOptions& options, const std::string& messages) {
  const std::set<std::string> names = program::undefined_names(messages);
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

/// In instructions. Allocation of registers and its like take most of the time of large instrumented functions, and
/// more than in proportion to their size; from here on the code is optimised, but generated the quick way.
constexpr unsigned kLargeModule = 40'000;

struct LinkJob {
  const llvm::Module& module;
  std::string_view runtime;
  std::string optimisation;
  std::string name;
  const program::LinkNeeds& needs;
};

/// Compiles a module and links it with the runtime and all that belongs to the program.
class SubjectLinker {
 public:
  SubjectLinker(const LinkJob& job, const program::LoadOptions& options, const fs::path& directory, std::uint32_t bits,
                const Budget& budget)
      : job_(job), options_(options), directory_(directory), bits_(bits), budget_(budget) {}

  fs::path run() {
    const std::string bitcode = path(".bc");
    write_bitcode(job_.module, bitcode);
    compile(bitcode);
    add_object(job_.runtime);
    for (const std::string& object : job_.needs.native_objects) add_object(object);
    std::string problem = link();
    if (const std::set<std::string> names = program::undefined_names(problem); may_be_dead(names)) {
      define_missing(names);
      problem = link();
    }
    if (!problem.empty()) report_link_failure(options_, problem);
    fs::remove(bitcode);
    for (const std::string& object : objects_) fs::remove(object);
    return path("");
  }

 private:
  void compile(const std::string& bitcode) {
    objects_.push_back(path(".o"));
    const std::string& object = objects_.front();
    std::string failure;
    if (job_.optimisation == "-O0" || job_.module.getInstructionCount() < kLargeModule) {
      failure = clang({job_.optimisation, "-c", "-o", object, bitcode});
    } else {
      failure = clang({"-O1", "-emit-llvm", "-c", "-o", object, bitcode});
      if (failure.empty()) {
        fs::rename(object, bitcode);
        failure = clang({"-O0", "-c", "-o", object, bitcode});
      }
    }
    if (!failure.empty()) report_link_failure(options_, failure);
  }

  std::string path(std::string_view ending) const { return (directory_ / job_.name).string().append(ending); }

  void add_object(std::string_view content) {
    objects_.push_back(path(fmt::format("-{}.o", objects_.size())));
    write_file(objects_.back(), content);
  }

  /// Its messages if it fails.
  std::string clang(const std::vector<std::string>& words) const {
    std::vector<std::string> command = {job_.needs.is_cxx ? "clang++-19" : "clang-19", fmt::format("-m{}", bits_),
                                        "-w"};
    command.insert(command.end(), words.begin(), words.end());
    const ProcessResult result = run_process(command, "", budget_);
    budget_.check();
    if (result.end == ProcessResult::End::Exited && result.code == 0) return {};
    return result.error.empty() ? "clang failed" : result.error;
  }

  std::string link() const {
    std::vector<std::string> words = objects_;
    const auto add = [&](const std::vector<std::string>& more) { words.insert(words.end(), more.begin(), more.end()); };
    add({"-o", path("")});
    add(link_flags(options_));
    add(job_.needs.words);
    add({"-lm", "-lpthread", "-Wl,-z,now"});
    return clang(words);
  }

  /// The program was linked without these: its optimiser took out all that referred to them.
  bool may_be_dead(const std::set<std::string>& names) const {
    return job_.needs.was_linked && !names.empty() &&
           std::ranges::none_of(names, [&](const std::string& name) { return job_.needs.imported.contains(name); });
  }

  void define_missing(const std::set<std::string>& names) {
    const std::string source = path("-missing.c");
    write_file(source, program::missing_definitions(names));
    objects_.push_back(path("-missing.o"));
    const std::string failure = clang({"-x", "c", "-fno-builtin", "-c", "-o", objects_.back(), source});
    if (!failure.empty()) report_link_failure(options_, failure);
    fs::remove(source);
  }

  const LinkJob& job_;
  const program::LoadOptions& options_;
  fs::path directory_;
  std::uint32_t bits_;
  const Budget& budget_;
  std::vector<std::string> objects_;
};

}  // namespace

Subject build_subject(const program::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  return build_subject(options, SymbolicEnvironment{}, directory, budget);
}

Subject build_subject(const program::LoadOptions& options, const SymbolicEnvironment& environment,
                      const fs::path& directory, const Budget& budget) {
  PreparedModule prepared = prepare_module(options, environment, budget);
  instrument(prepared);
  check_module(*prepared.module);
  const std::uint32_t bits = prepared.subject.program.layout.pointer_width;
  llvm::StripDebugInfo(*prepared.module);  // sites have their places; the code generator would carry them along
  const LinkJob job{*prepared.module, runtime_object(bits), "-O2", "subject", prepared.needs};
  prepared.subject.executable = SubjectLinker(job, options, directory, bits, budget).run();
  return std::move(prepared.subject);
}

fs::path build_replay(const program::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  llvm::LLVMContext context;
  const program::Diagnostics silence(context);
  const program::LoadedModule loaded = load_module(options, program::ModelSet::Pure, context, budget);
  make_entry_main(*loaded.module, loaded.entry);
  const LinkJob job{*loaded.module, replay_object(loaded.word_size), "-O0", "replay", loaded.needs};
  return SubjectLinker(job, options, directory, loaded.word_size, budget).run();
}

fs::path build_checked_replay(const program::LoadOptions& options, const fs::path& directory, const Budget& budget) {
  PlainModule plain = prepare_plain_module(options, budget);
  llvm::stripNonLineTableDebugInfo(*plain.module);  // variables are moved, and lines are what call stacks need
  add_checks(*plain.module, options.checks, *plain.entry, !plain.needs.native_objects.empty());
  check_module(*plain.module);
  const LinkJob job{*plain.module, checked_replay_object(plain.word_size), "-O0", "checked", plain.needs};
  return SubjectLinker(job, options, directory, plain.word_size, budget).run();
}

}  // namespace plumb::concolic
