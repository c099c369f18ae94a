// A program is built for coverage from the sources, not from bitcode that is at hand: clang's counters belong to
// regions of the source, which only its front end knows. The counters lie in a file that all runs of the program share
// (runtime/coverage/counters.c), so a run costs no profile of its own, and no end of a run loses what it counted.
#include "frontend/toolchain/coverage_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <sstream>

#include "base/embed.h"
#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/parallel/loop.h"
#include "base/subprocess.h"
#include "frontend/models.h"
#include "frontend/toolchain/carried_code.h"

PLUMB_EMBED(plumb_coverage_counters, PLUMB_COVERAGE_COUNTERS);
#include "frontend/toolchain/missing_functions.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kClang = "clang-19";
constexpr std::string_view kClangCxx = "clang++-19";
constexpr std::string_view kNm = "llvm-nm-19";
constexpr std::string_view kRuntimePackage = "libclang-rt-19-dev";
constexpr unsigned kProcesses = 2;
/// Of one decision's MC/DC bitmap; clang leaves out the condition coverage of what would need more.
constexpr unsigned kTestVectors = 1U << 16;
/// An inline function may call another.
constexpr int kInlineRounds = 5;

bool has_extension(const fs::path& file, std::initializer_list<std::string_view> extensions) {
  const std::string extension = file.extension().string();
  return std::ranges::find(extensions, extension) != extensions.end();
}

bool is_cxx_source(const fs::path& file) { return has_extension(file, {".cpp", ".cc", ".cxx", ".C", ".ii"}); }

/// Flags that matter to the linker.
void add_link_flags(const std::vector<std::string>& flags, std::vector<std::string>& words) {
  std::ranges::copy_if(flags, std::back_inserter(words), [](const std::string& flag) {
    return flag.starts_with("-l") || flag.starts_with("-L") || flag.starts_with("-Wl,") || flag == "-pthread";
  });
}

void note_state_of(const fs::path& source, const fs::path& made, std::vector<std::string>& notes) {
  std::error_code error;
  const fs::file_time_type written = fs::last_write_time(source, error);
  if (error) {
    notes.push_back(fmt::format("{} is gone: its coverage is not measured", source.string()));
  } else if (const fs::file_time_type built = fs::last_write_time(made, error); !error && written > built) {
    notes.push_back(fmt::format("{} was changed after {} was built: coverage is that of the file as it is now",
                                source.string(), made.string()));
  }
}

void add_carried(const fs::path& file, SourceProgram& program) {
  CarriedCode code = read_carried_code(file);
  if (code.units.empty())
    throw UserError(SourceLocation{file.string()}, "this program does not say what it was built from",
                    "build it with CC=\"plumb cc\"");
  for (CarriedCode::Unit& unit : code.units) {
    note_state_of(unit.source, file, program.notes);
    if (std::ranges::find(unit.words, "-m32") != unit.words.end()) program.word_size = 32;
    program.units.push_back({{unit.source, unit.directory, std::move(unit.words)}, std::move(unit.bitcode)});
  }
  for (CarriedCode::Native& native : code.natives) program.natives.push_back(std::move(native.object));
  // What several components define is the first one's, as when they are loaded.
  program.was_linked = !code.components.empty() && code.components.front().is_linked;
  if (code.components.size() > 1) program.link_words.push_back("-Wl,-z,muldefs");
  std::ranges::move(code.link_words, std::back_inserter(program.link_words));
  program.is_cxx |= code.is_cxx;
}

std::vector<std::string> compile_command(const CompileJob& job, std::uint32_t word_size, Purpose purpose, UnitForm form,
                                         const fs::path& include, const fs::path& output) {
  std::vector<std::string> command;
  if (find_program("ccache")) command.push_back("ccache");
  command.insert(command.end(), {std::string(kClang), fmt::format("-m{}", word_size), "-D__PLUMB__=1"});
  command.insert(command.end(), job.flags.begin(), job.flags.end());
  command.insert(command.end(),
                 {"-idirafter", include.string(), "-O0", "-g", "-w", "-U_FORTIFY_SOURCE", "-Qunused-arguments"});
  if (purpose == Purpose::Coverage)
    command.insert(command.end(), {"-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc", "-Xclang",
                                   fmt::format("-fmcdc-max-test-vectors={}", kTestVectors)});
  if (form == UnitForm::Bitcode) command.push_back("-emit-llvm");
  command.insert(command.end(), {"-c", "-o", output.string(), job.source.string()});
  return command;
}

/// Nothing if the command ended well, else what it said.
std::string run_compiler(const std::vector<std::string>& command, const fs::path& directory, const Budget& budget) {
  log().debug("{}", fmt::join(command, " "));
  const ProcessResult result = run_process(command, {}, budget, {}, directory);
  budget.check();
  if (result.end == ProcessResult::End::Exited && result.code == 0) return {};
  return result.error.empty() ? fmt::format("{} ended with code {}", command.front(), result.code) : result.error;
}

std::string first_line(std::string_view text) {
  const std::size_t at = text.find("error: ");
  const std::size_t begin = at == std::string_view::npos ? 0 : text.rfind('\n', at) + 1;
  return std::string(text.substr(begin, text.find('\n', begin) - begin));
}

/// Compiles the units of a program, each in a thread's turn.
class UnitCompiler {
 public:
  UnitCompiler(const SourceProgram& program, Purpose purpose, UnitForm form, const fs::path& directory,
               const Budget& budget)
      : program_(program),
        purpose_(purpose),
        form_(form),
        directory_(directory),
        budget_(budget),
        notes_(program.units.size()) {}

  CompiledUnits run() {
    for (const Header& header : headers()) {
      const fs::path file = directory_ / "include" / header.name;
      fs::create_directories(file.parent_path());
      write_file(file, header.text);
    }
    parallel::for_each_index(program_.units.size(), kProcesses, budget_, [&](std::size_t i, unsigned) { compile(i); });
    CompiledUnits compiled;
    for (std::size_t i = 0; i < notes_.size(); ++i) {
      compiled.files.push_back(output(i));
      if (!notes_[i].empty()) compiled.notes.push_back(notes_[i]);
    }
    return compiled;
  }

 private:
  fs::path output(std::size_t i) const {
    return directory_ / fmt::format("unit-{}{}", i, form_ == UnitForm::Object ? ".o" : ".bc");
  }

  void compile(std::size_t i) {
    const SourceProgram::Unit& unit = program_.units[i];
    std::string problem = "the source is gone";
    std::error_code ignored;
    if (fs::exists(unit.job.directory / unit.job.source, ignored))
      problem = run_compiler(compile_command(unit.job, program_.word_size, purpose_, form_,
                                             fs::absolute(directory_ / "include"), fs::absolute(output(i))),
                             unit.job.directory, budget_);
    if (problem.empty()) return;
    if (unit.bitcode.empty())
      throw UserError(SourceLocation{unit.job.source.string()},
                      fmt::format("{} cannot compile this file:\n{}", kClang, problem));
    notes_[i] = fmt::format("{} is without coverage: {}", unit.job.source.string(), first_line(problem));
    use_bitcode(i);
  }

  void use_bitcode(std::size_t i) const {
    const fs::path bitcode = directory_ / fmt::format("unit-{}.bc", i);
    write_file(bitcode, program_.units[i].bitcode);
    if (form_ == UnitForm::Bitcode) return;
    const std::string problem = run_compiler({std::string(kClang), fmt::format("-m{}", program_.word_size), "-O0", "-w",
                                              "-c", "-o", output(i).string(), bitcode.string()},
                                             {}, budget_);
    if (!problem.empty()) throw UserError(SourceLocation{program_.units[i].job.source.string()}, problem);
  }

  const SourceProgram& program_;
  Purpose purpose_;
  UnitForm form_;
  fs::path directory_;
  const Budget& budget_;
  std::vector<std::string> notes_;  ///< by unit
};

/// Links, and finds definitions that only a build without optimisation needs. Inline functions of C: a call of one is a
/// call then, and the object that has its external definition is not part of a program whose calls were all inlined; a
/// declaration with `extern` after the source makes one unit define it. Functions that only dead code calls, in a
/// program that was linked before without them: these get one that ends the run with a message.
class UnitLinker {
 public:
  UnitLinker(const SourceProgram& program, Purpose purpose, const std::vector<fs::path>& objects,
             const fs::path& directory, const Budget& budget)
      : program_(program), purpose_(purpose), objects_(objects), directory_(directory), budget_(budget) {}

  LinkedProgram run() {
    write_natives();
    std::string problem = link();
    for (int round = 0; round < kInlineRounds && !problem.empty(); ++round) {
      if (!define(undefined_names(problem))) break;
      problem = link();
    }
    LinkedProgram linked{executable(), {}};
    if (const std::set<std::string> dead = undefined_names(problem); program_.was_linked && !dead.empty()) {
      define_missing(dead);
      problem = link();
      linked.notes.push_back(fmt::format(
          "without definition, since the program was built without calls of them; here a call ends the run: {}",
          fmt::join(dead, ", ")));
    }
    if (!problem.empty()) throw UserError(fmt::format("the program could not be linked: {}", problem.substr(0, 2000)));
    return linked;
  }

 private:
  fs::path executable() const { return directory_ / "program"; }
  fs::path unit(std::size_t i) const { return directory_ / fmt::format("unit-{}.o", i); }
  fs::path native(std::size_t i) const { return directory_ / fmt::format("native-{}.o", i); }

  void define_missing(const std::set<std::string>& names) {
    const fs::path source = directory_ / "missing.c";
    missing_ = directory_ / "missing.o";
    write_file(source, missing_definitions(names));
    const std::string problem = run_compiler({std::string(kClang), fmt::format("-m{}", program_.word_size), "-w",
                                              "-fno-builtin", "-c", "-o", missing_.string(), source.string()},
                                             {}, budget_);
    if (!problem.empty()) throw UserError(fmt::format("the program could not be linked: {}", first_line(problem)));
  }

  void write_natives() const {
    for (std::size_t i = 0; i < program_.natives.size(); ++i) write_file(native(i), program_.natives[i]);
  }

  std::string link() const {
    std::vector<std::string> command = {std::string(program_.is_cxx ? kClangCxx : kClang),
                                        fmt::format("-m{}", program_.word_size), "-w", "-o", executable().string()};
    for (std::size_t i = 0; i < program_.units.size(); ++i) command.push_back(unit(i).string());
    for (std::size_t i = 0; i < program_.natives.size(); ++i) command.push_back(native(i).string());
    if (!missing_.empty()) command.push_back(missing_.string());
    for (const fs::path& object : objects_) command.push_back(object.string());
    command.insert(command.end(), program_.link_words.begin(), program_.link_words.end());
    command.insert(command.end(), {"-lm", "-lpthread", "-Wl,-z,now"});
    return run_compiler(command, {}, budget_);
  }

  /// False if nothing could be done about any of the names.
  bool define(const std::set<std::string>& names) {
    std::set<std::size_t> changed;
    for (const std::string& name : names)
      if (const auto user = user_of(name); user && declared_[*user].insert(name).second) changed.insert(*user);
    return std::ranges::count_if(changed, [&](std::size_t i) { return compile_again(i); }) > 0;
  }

  /// The first unit that refers to the name.
  std::optional<std::size_t> user_of(const std::string& name) {
    if (users_.empty()) find_users();
    const auto found = users_.find(name);
    return found == users_.end() ? std::nullopt : std::optional(found->second);
  }

  void find_users() {
    std::vector<std::string> command = {std::string(kNm), "--undefined-only", "--just-symbol-name"};
    for (std::size_t i = 0; i < program_.units.size(); ++i) command.push_back(unit(i).string());
    const ProcessResult result = run_process(command, {}, budget_);
    budget_.check();
    // A file's name, with a colon, before its symbols, if there are several.
    std::size_t current = 0;
    std::istringstream lines(result.output);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with(".o:")) {
        const std::string number = line.substr(line.rfind('-') + 1);
        current = std::stoul(number);
      } else if (!line.empty()) {
        users_.try_emplace(line, current);
      }
    }
  }

  bool compile_again(std::size_t i) {
    CompileJob job = program_.units[i].job;
    std::string text = fmt::format("#include \"{}\"\n", fs::absolute(job.directory / job.source).string());
    for (const std::string& name : declared_[i]) text += fmt::format("extern __typeof__({0}) {0};\n", name);
    job.source = fs::absolute(directory_ / fmt::format("unit-{}.c", i));
    write_file(job.source, text);
    const std::string problem =
        run_compiler(compile_command(job, program_.word_size, purpose_, UnitForm::Object,
                                     fs::absolute(directory_ / "include"), fs::absolute(unit(i))),
                     job.directory, budget_);
    users_.clear();  // what it defines now may refer to more
    return problem.empty();
  }

  const SourceProgram& program_;
  Purpose purpose_;
  const std::vector<fs::path>& objects_;
  fs::path directory_;
  const Budget& budget_;
  fs::path missing_;                                       ///< empty: none are needed
  std::map<std::string, std::size_t, std::less<>> users_;  ///< units by a name that they refer to
  std::map<std::size_t, std::set<std::string>> declared_;  ///< by unit
};

/// The archive of the profile runtime, wherever this clang keeps it.
fs::path profile_runtime(std::uint32_t word_size, const Budget& budget) {
  const ProcessResult result =
      run_process({std::string(kClang), fmt::format("-m{}", word_size), "-print-runtime-dir"}, {}, budget);
  budget.check();
  const fs::path directory = result.output.substr(0, result.output.find('\n'));
  const std::string name = fmt::format("libclang_rt.profile-{}.a", word_size == 32 ? "i386" : "x86_64");
  const std::array places = {directory / name, directory.parent_path() / "linux" / name,
                             directory / "libclang_rt.profile.a"};
  std::error_code ignored;
  const auto found = std::ranges::find_if(places, [&](const fs::path& file) { return fs::exists(file, ignored); });
  if (found == places.end())
    throw UserError(fmt::format("the profile runtime of {}, which counts what runs, is not installed", kClang),
                    fmt::format("apt-get install {} (`plumb doctor` lists all that is missing)", kRuntimePackage));
  return *found;
}

}  // namespace

SourceProgram source_program(const LoadOptions& options, const fs::path& directory) {
  SourceProgram program;
  for (const std::string& file : options.files) {
    if (has_extension(file, {".bc", ".ll"})) {
      throw UserError(SourceLocation{file}, "coverage needs sources, and this is LLVM's code");
    } else if (has_extension(file, {".json"})) {
      for (CompileJob& job : read_compile_commands(directory / file)) {
        job.flags.insert(job.flags.end(), options.compiler_flags.begin(), options.compiler_flags.end());
        program.is_cxx |= is_cxx_source(job.source);
        program.units.push_back({std::move(job), {}});
      }
    } else if (is_native(directory / file)) {
      add_carried(directory / file, program);
    } else {
      program.is_cxx |= is_cxx_source(file);
      program.units.push_back({{file, directory, options.compiler_flags}, {}});
    }
  }
  add_link_flags(options.compiler_flags, program.link_words);
  program.word_size = options.word_size.value_or(program.word_size);
  return program;
}

CompiledUnits compile_units(const SourceProgram& program, Purpose purpose, UnitForm form, const fs::path& directory,
                            const Budget& budget) {
  if (!find_program(kClang))
    throw UserError(fmt::format("{}, which compiles C programs, is not installed", kClang),
                    fmt::format("apt-get install {} (`plumb doctor` lists all that is missing)", kClang));
  return UnitCompiler(program, purpose, form, directory, budget).run();
}

std::vector<fs::path> coverage_objects(std::uint32_t word_size, const fs::path& directory, const Budget& budget) {
  const fs::path runtime = profile_runtime(word_size, budget);
  const fs::path source = directory / "counters.c";
  const fs::path object = directory / "counters.o";
  write_file(source, {plumb_coverage_counters, plumb_coverage_counters_end});
  const std::string problem = run_compiler({std::string(kClang), fmt::format("-m{}", word_size), "-std=c99", "-O2",
                                            "-fPIC", "-w", "-c", "-o", object.string(), source.string()},
                                           {}, budget);
  if (!problem.empty()) throw UserError(fmt::format("the counters cannot be compiled: {}", first_line(problem)));
  return {object, runtime};
}

LinkedProgram link_units(const SourceProgram& program, Purpose purpose, const std::vector<fs::path>& objects,
                         const fs::path& directory, const Budget& budget) {
  return UnitLinker(program, purpose, objects, directory, budget).run();
}

}  // namespace plumb::frontend
