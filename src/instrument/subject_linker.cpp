#include "instrument/subject_linker.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/subprocess.h"
#include "frontend/toolchain/missing_functions.h"

namespace plumb::instrument {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

void write_bitcode(const llvm::Module& module, const fs::path& file) {
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  write_file(file, bytes);
}

[[noreturn]] void report_link_failure(const frontend::LoadOptions& options, const std::string& messages) {
  const std::set<std::string> names = frontend::undefined_names(messages);
  const SourceLocation place{options.files.front()};
  if (!names.empty())
    throw UserError(place, fmt::format("no definition of {} was found", fmt::join(names, ", ")),
                    "give the file that defines it, or the library: plumb test prog.c -- -lm");
  throw UserError(place, fmt::format("the program could not be linked: {}", messages.substr(0, 2000)));
}

/// Flags that matter to the linker.
Words link_flags(const frontend::LoadOptions& options) {
  Words flags;
  std::ranges::copy_if(options.compiler_flags, std::back_inserter(flags), [](const std::string& flag) {
    return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || flag == "-pthread";
  });
  return flags;
}

/// In instructions. Allocation of registers and its like take most of the time of large instrumented functions, and
/// more than in proportion to their size; from here on the code is optimised, but generated the quick way.
constexpr unsigned kLargeModule = 40'000;

class SubjectLinker {
 public:
  SubjectLinker(const LinkJob& job, const frontend::LoadOptions& options, const Budget& budget)
      : job_(job), options_(options), budget_(budget) {}

  fs::path run() {
    const std::string bitcode = path(".bc");
    write_bitcode(job_.module, bitcode);
    compile(bitcode);
    if (!job_.runtime.empty()) add_object(job_.runtime);
    for (const std::string& object : job_.needs.native_objects) add_object(object);
    std::string problem = link();
    if (const std::set<std::string> names = frontend::undefined_names(problem); may_be_dead(names)) {
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
      failure = code({job_.optimisation, "-c", "-o", object, bitcode});
    } else {
      failure = code({"-O1", "-emit-llvm", "-c", "-o", object, bitcode});
      if (failure.empty()) {
        fs::rename(object, bitcode);
        failure = code({"-O0", "-c", "-o", object, bitcode});
      }
    }
    if (!failure.empty()) report_link_failure(options_, failure);
  }

  std::string code(const Words& words) const {
    Words all = job_.code_flags;
    append(all, words);
    return clang(all);
  }

  std::string path(std::string_view ending) const { return (job_.directory / job_.name).string().append(ending); }

  void add_object(std::string_view content) {
    objects_.push_back(path(fmt::format("-{}.o", objects_.size())));
    write_file(objects_.back(), content);
  }

  /// Its messages if it fails.
  std::string clang(const Words& words) const {
    Words command = {job_.needs.is_cxx ? "clang++-19" : "clang-19", "-w"};
    append(command, job_.machine);
    append(command, words);
    return failure_of(command);
  }

  std::string failure_of(const Words& command) const {
    const ProcessResult result = run_process(command, "", budget_);
    budget_.check();
    if (result.end == ProcessResult::End::Exited && result.code == 0) return {};
    return result.error.empty() ? command[0] + " failed" : result.error;
  }

  std::string link() const {
    Words objects = objects_;
    append(objects, job_.objects);
    if (!job_.linker.empty()) return link_as_told(objects);
    Words words = std::move(objects);
    append(words, {"-o", path("")});
    append(words, link_flags(options_));
    append(words, job_.needs.words);
    append(words, job_.link_flags);
    append(words, {"-lm", "-lpthread", "-Wl,-z,now"});
    return clang(words);
  }

  std::string link_as_told(const Words& objects) const {
    Words command;
    for (const std::string& word : job_.linker) append(command, word == "@objects" ? objects : Words{word});
    append(command, {"-o", path("")});
    return failure_of(command);
  }

  /// The program was linked without these: its optimiser took out all that referred to them.
  bool may_be_dead(const std::set<std::string>& names) const {
    return job_.needs.was_linked && !names.empty() &&
           std::ranges::none_of(names, [&](const std::string& name) { return job_.needs.imported.contains(name); });
  }

  void define_missing(const std::set<std::string>& names) {
    const std::string source = path("-missing.c");
    write_file(source, frontend::missing_definitions(names));
    objects_.push_back(path("-missing.o"));
    const std::string failure = clang({"-x", "c", "-fno-builtin", "-c", "-o", objects_.back(), source});
    if (!failure.empty()) report_link_failure(options_, failure);
    fs::remove(source);
  }

  const LinkJob& job_;
  const frontend::LoadOptions& options_;
  const Budget& budget_;
  Words objects_;
};

}  // namespace

void check_module(const llvm::Module& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  INVARIANT(!llvm::verifyModule(module, &stream), fmt::format("an instrumented module should be valid: {}", text));
}

fs::path link_subject(const LinkJob& job, const frontend::LoadOptions& options, const Budget& budget) {
  return SubjectLinker(job, options, budget).run();
}

}  // namespace plumb::instrument
