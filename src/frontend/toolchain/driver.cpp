// As whole-program wrappers for LLVM do it (WLLVM, gclang), but the bitcode itself travels in a section of the object
// instead of the path of a file beside it, so that an executable needs nothing else. The native code is what clang
// makes of the user's own words: configure's probes and the program's tests see a plain compiler. Only optimisation by
// the linker is left out, because its objects are not native ones.

#include "frontend/toolchain/driver.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/subprocess.h"
#include "frontend/compile.h"
#include "frontend/models.h"
#include "frontend/toolchain/bare_metal_link.h"
#include "frontend/toolchain/board_toolchain.h"
#include "frontend/toolchain/carried_code.h"
#include "frontend/toolchain/companion.h"
#include "frontend/toolchain/compiler_command.h"
#include "frontend/toolchain/link_again.h"
#include "frontend/toolchain/missing_functions.h"
#include "frontend/toolchain/object_file.h"

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Goal = CompilerCommand::Goal;
using Role = CompilerCommand::Role;
using Word = CompilerCommand::Word;
using Words = std::vector<std::string>;

/// A system takes about two megabytes of arguments; less is left with a large environment.
constexpr std::size_t kLongCommand = 100'000;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

void write_plainly(const fs::path& file, std::string_view content) {
  std::ofstream stream(file, std::ios::binary);
  stream.write(content.data(), static_cast<std::streamsize>(content.size()));
  stream.close();
  if (!stream) throw UserError(SourceLocation{file.string()}, "cannot be written");
}

/// The new content or the old, without waiting for the disk: it can be made again.
void replace(const fs::path& file, std::string_view content) {
  const fs::path real = fs::canonical(file);
  const fs::path aside = fmt::format("{}.plumb-{}", real.string(), ::getpid());
  try {
    write_plainly(aside, content);
    fs::permissions(aside, fs::status(real).permissions());
    fs::rename(aside, real);
  } catch (const std::exception& error) {
    std::error_code ignored;
    fs::remove(aside, ignored);
    throw UserError(SourceLocation{file.string()}, error.what());
  }
}

/// As clang takes a file of arguments apart.
std::string response_line(const std::string& word) {
  std::string text(1, '"');
  for (const char c : word) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  text += "\"\n";
  return text;
}

bool is_variable(std::string_view value) {
  const char* variable = std::getenv("PLUMB_CC");
  return variable != nullptr && value == variable;
}

class Driver {
 public:
  Driver(const Words& arguments, bool is_cxx, const Budget& budget)
      : arguments_(without_own(arguments)),
        command_(parse_compiler_command(arguments_)),
        compiler_(is_cxx ? "clang++-19" : "clang-19"),
        is_cxx_(is_cxx),
        is_off_(is_variable("off") || arguments_.size() != arguments.size()),
        is_board_(has_machine(arguments)),
        budget_(budget) {}

  const CompilerCommand& command() const { return command_; }
  bool is_off() const { return is_off_; }

  /// For a board: an executable that may lack definitions, of the names given then.
  int link_openly(const fs::path& output, std::set<std::string>& open_names) {
    const ProcessResult result = run_process(link_words(output), {}, budget_);
    budget_.check();
    const int code = result.end == ProcessResult::End::Exited ? result.code : 1;
    open_names = undefined_names(result.error);
    show_messages(result.error, code == 0);
    show_warnings(code);
    return code;
  }

  /// For bare metal: what carries code becomes one object. Gives the exit code of what compiles the user's sources.
  int join(const BoardCommand& board, const fs::path& output, Words& link_command) {
    std::vector<LinkedFile> files = named_archives(command_);
    for (std::size_t i = 0; i < command_.words.size(); ++i) {
      const Word& word = command_.words[i];
      if (word.role == Role::File) files.push_back({i, word.text});
      if (word.role != Role::Source && word.role != Role::Assembler) continue;
      files.push_back({i, directory_.path() / fmt::format("{}.o", count_++)});
      Words words = command_.with_roles({Role::Tuning, Role::Meaning});
      append(words, {"-Qunused-arguments", "-c", "-o", files.back().file.string()});
      if (!word.language.empty()) append(words, {"-x", word.language});
      words.push_back(word.text);
      if (const int code = Driver(words, is_cxx_, budget_).run()) return code;
    }
    std::ranges::sort(files, {}, &LinkedFile::word);
    const std::string carried = carrier(link_record(words_for_linking_again(command_), is_cxx_));
    link_command = join_objects(board, command_, files, carried, output, budget_);
    return 0;
  }

  int run() {
    if (command_.goal == Goal::Other || is_off_) {
      Words words = native_words(command_.has(Role::Source) ? board_words() : Words());
      append(words, arguments_);
      return Companion(words).wait();
    }
    const int code = command_.goal == Goal::Object ? make_objects() : link();
    show_warnings(code);
    return code;
  }

 private:
  static Words without_own(Words arguments) {
    std::erase(arguments, "-fno-plumb");
    return arguments;
  }

  static bool has_machine(const Words& arguments) {
    return std::ranges::any_of(arguments, [](const auto& word) { return word.starts_with("--target="); });
  }

  /// What the compiler said, and the linker, but for names that are left open.
  static void show_messages(const std::string& text, bool is_open) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
      const std::string_view line = std::string_view(text).substr(begin, end - begin);
      const bool is_name = line.find("undefined reference") != line.npos || line.find(": in function `") != line.npos;
      if (!is_open || !is_name) std::cerr << line;
      begin = end;
    }
  }

  void show_warnings(int code) const {
    if (code != 0 || is_variable("quiet")) return;
    for (const std::string& warning : warnings_) log().warn("{}", warning);
  }

  Words native_words(const Words& words) const {
    Words result = {compiler_};
    append(result, words);
    return result;
  }

  /// The user's own words, but for optimisation by the linker.
  Words own_words() const {
    if (!command_.has(Role::LinkTime)) return arguments_;
    Words words;
    for (const Word& word : command_.words)
      if (word.role != Role::LinkTime) words.push_back(word.text);
    return words;
  }

  /// What native code for a board is compiled with besides: it will be linked with a runtime, as bitcode is. Rules for
  /// make that list headers of the system must not list ours, which are gone then.
  Words board_words() const {
    if (!is_board_) return {};
    const Words dependencies = command_.with_roles({Role::Dependency});
    const bool lists_headers = !dependencies.empty() && std::ranges::find(dependencies, "-MMD") == dependencies.end();
    Words words;
    if (!lists_headers) words = {"-idirafter", include_directory().string()};
    if (is_off_) return words;
    // GNU ld crashes on relocations that LLVM has for ranges of DWARF 5 on RISC-V.
    append(words, {"-D__PLUMB__=1", "-fdebug-default-version=4"});
    return words;
  }

  int make_objects() {
    Words words = native_words(board_words());
    append(words, own_words());
    Companion native(in_few_words(std::move(words)));
    std::vector<std::pair<fs::path, std::string>> units;
    for (const Word& word : command_.words)
      if (word.role == Role::Source && is_usual(command_.object_of(word.text)))
        units.emplace_back(command_.object_of(word.text), make_unit(word).value_or(""));
    if (const int code = native.wait()) return code;
    for (const Word& word : command_.words)
      if (word.role == Role::Assembler) units.emplace_back(command_.object_of(word.text), "");
    for (const auto& [object, record] : units) add_to(object, record);
    return 0;
  }

  /// Probes compile to /dev/null.
  static bool is_usual(const fs::path& object) {
    std::error_code error;
    const fs::file_status status = fs::status(object, error);
    return !fs::exists(status) || fs::is_regular_file(status);
  }

  /// Puts a unit into the object that was made of it; without one, the object carries itself.
  void add_to(const fs::path& object, const std::string& record) {
    if (format_of(object) != FileFormat::Elf) return;
    try {
      const std::string bytes = read_file(object);
      replace(object, with_section(bytes, kCarriedSection,
                                   record.empty() ? native_record({absolute(object.string()), bytes}) : record));
    } catch (const UserError& error) {
      warn(object.string(), error.what());
    }
  }

  int link() { return Companion(link_words({})).wait(); }

  /// Of the command that links; with `output`, for a board.
  Words link_words(const fs::path& output) {
    Words words = native_words(board_words());
    // First, where no flag of the linker has changed how files are read.
    if (!is_partial_link(command_)) words.push_back(carrier(link_record(words_for_linking(), is_cxx_)));
    if (!output.empty()) append(words, {"-o", output.string(), "-Wl,--warn-unresolved-symbols"});
    for (const Word& word : command_.words) {
      if (word.role == Role::LinkTime || (word.role == Role::Output && !output.empty())) continue;
      words.push_back(word.text);
      if (word.role != Role::Source && word.role != Role::Assembler) continue;
      std::optional<std::string> record;
      if (word.role == Role::Source) record = make_unit(word);
      if (!record) record = make_native(word);
      if (!record) continue;  // the program will not be made either
      if (!word.language.empty()) append(words, {"-x", "none"});
      words.push_back(carrier(*record));
      if (!word.language.empty()) append(words, {"-x", word.language});
    }
    if (!output.empty()) words.emplace_back("-Wl,--no-gc-sections");  // carriers have nothing that is referred to
    return in_few_words(std::move(words));
  }

  Words words_for_linking() const {
    Words words = words_for_linking_again(command_);
    for (const std::string& word : command_.with_roles({Role::Linking}))
      if (is_board_ && (word == "-static" || word == "-static-pie")) words.emplace_back("-static");
    return words;
  }

  /// An object for the linker that carries a record and nothing else. Not named as one: libtool takes the objects in
  /// what `-v` prints for the compiler's own, and would name it in later commands.
  std::string carrier(std::string_view record) {
    const fs::path file = directory_.path() / fmt::format("carrier-{}.plumb", count_++);
    if (empty_.empty())
      empty_ = is_board_ ? empty_object(command_.with_roles({Role::Meaning}), directory_.path(), budget_)
                         : empty_object(command_.word_size());
    write_plainly(file, with_section(empty_, kCarriedSection, record));
    return file.string();
  }

  Words in_few_words(Words words) const {
    std::size_t length = 0;
    for (const std::string& word : words) length += word.size() + 1;
    if (length < kLongCommand) return words;
    const fs::path file = directory_.path() / "arguments";
    std::string text;
    for (std::size_t i = 1; i < words.size(); ++i) text += response_line(words[i]);
    write_plainly(file, text);
    return {words[0], fmt::format("@{}", file.string())};
  }

  /// The record of a source; nothing if clang does not make bitcode of it.
  std::optional<std::string> make_unit(const Word& source) {
    CarriedCode::Unit unit{
        absolute(source.text), fs::current_path().string(), command_.meaning_of(source, is_cxx_), {}};
    // Headers choose by it, and code that they chose for optimisers alone may be all that the program has.
    if (is_optimised()) unit.words.emplace_back("-D__OPTIMIZE__=1");
    CompileSettings settings;
    settings.word_size = is_board_ ? 0 : command_.word_size();
    settings.debug_directory = unit.directory;
    settings.has_inline_bodies = true;
    const fs::path bitcode = directory_.path() / "unit.bc";
    // Named as the user does, because __FILE__ is.
    const Words words = bitcode_command({source.text, {}, unit.words}, settings, include_directory(), bitcode);
    const ProcessResult result = run_process(words, {}, budget_);
    budget_.check();
    if (result.end != ProcessResult::End::Exited || result.code != 0) {
      warn(source.text, result.error);
      return std::nullopt;
    }
    unit.bitcode = read_file(bitcode);
    return unit_record(unit);
  }

  bool is_optimised() const {
    const Words tuning = command_.with_roles({Role::Tuning});
    const auto last = std::find_if(tuning.rbegin(), tuning.rend(), [](const auto& w) { return w.starts_with("-O"); });
    return last != tuning.rend() && is_optimisation(*last);
  }

  /// The record of a source's object, in a command that links.
  std::optional<std::string> make_native(const Word& source) {
    const fs::path object = directory_.path() / "native.o";
    Words words = {compiler_, "-w", "-Qunused-arguments", "-c", "-o", object.string()};
    append(words, command_.with_roles({Role::Tuning, Role::Meaning}));
    if (!source.language.empty()) append(words, {"-x", source.language});
    words.push_back(source.text);
    const ProcessResult result = run_process(words, {}, budget_);
    budget_.check();
    if (result.end != ProcessResult::End::Exited || result.code != 0) return std::nullopt;
    return native_record({absolute(source.text), read_file(object)});
  }

  void warn(const std::string& source, std::string_view why) {
    warnings_.push_back(
        fmt::format("{}: carries no bitcode, `plumb test` will not see into it:\n{}", source, why.substr(0, 1000)));
  }

  static std::string absolute(const std::string& path) { return fs::absolute(path).lexically_normal().string(); }

  fs::path include_directory() const {
    const fs::path include = directory_.path() / "include";
    for (const Header& header : headers()) {
      if (fs::exists(include / header.name)) continue;
      fs::create_directories((include / header.name).parent_path());
      write_plainly(include / header.name, header.text);
    }
    return include;
  }

  Words arguments_;
  CompilerCommand command_;
  std::string compiler_;
  bool is_cxx_;
  bool is_off_;    ///< clang and nothing else
  bool is_board_;  ///< for the machine that --target names
  const Budget& budget_;
  TemporaryDirectory directory_;
  std::string empty_;  ///< an object of the right machine
  std::size_t count_ = 0;
  Words warnings_;
};

bool makes_program(const CompilerCommand& command) {
  const Words linking = command.with_roles({Role::Linking});
  return command.goal == Goal::Link && !is_partial_link(command) &&
         std::ranges::find(linking, "-shared") == linking.end();
}

}  // namespace

int run_compiler_driver(const Words& arguments, bool is_cxx, const Budget& budget) {
  return Driver(arguments, is_cxx, budget).run();
}

BoardLink run_board_driver(const BoardCommand& command, bool is_cxx, const fs::path& directory, const Budget& budget) {
  Words arguments = board_defaults(command, budget);
  append(arguments, command.arguments);
  Driver driver(arguments, is_cxx, budget);
  BoardLink result;
  result.machine_flags = machine_flags(driver.command());
  result.is_program = makes_program(driver.command()) && !driver.is_off();
  if (!result.is_program) {
    result.code = driver.run();
  } else {
    result.plain = directory / "plain";
    result.code = is_bare_metal(command.machine) ? driver.join(command, result.plain, result.link_command)
                                                 : driver.link_openly(result.plain, result.open_names);
  }
  if (result.code != 0 && driver.command().goal != Goal::Other)
    if (const std::string packages = missing_packages(command, budget); !packages.empty())
      log().error("what links for {} is not installed: {}", command.machine, packages);
  return result;
}

}  // namespace plumb::frontend
