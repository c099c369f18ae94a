// As whole-program wrappers for LLVM do it (WLLVM, gclang), but the bitcode itself travels in a section of the object
// instead of the path of a file beside it, so that an executable needs nothing else. The native code is what clang
// makes of the user's own words: configure's probes and the program's tests see a plain compiler. Only optimisation by
// the linker is left out, because its objects are not native ones.

#include "program/driver/driver.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/subprocess.h"
#include "program/driver/carried_code.h"
#include "program/driver/compiler_command.h"
#include "program/driver/link_again.h"
#include "program/driver/object_file.h"
#include "program/lower/compile.h"
#include "program/lower/models.h"

namespace plumb::program {
namespace {

namespace fs = std::filesystem;
using Goal = CompilerCommand::Goal;
using Role = CompilerCommand::Role;
using Word = CompilerCommand::Word;
using Words = std::vector<std::string>;

/// A system takes about two megabytes of arguments; less is left with a large environment.
constexpr std::size_t kLongCommand = 100'000;

/// A process with our own standard streams. Killed if it is not waited for.
class Companion {
 public:
  explicit Companion(const Words& command) : name_(command[0]) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);  // which we ignore
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    const int error = posix_spawnp(&child_, words[0], nullptr, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    if (error != 0)
      throw UserError(fmt::format("cannot start {}: {}", name_, std::strerror(error)),
                      fmt::format("apt-get install {}", name_));
  }
  ~Companion() {
    if (child_ < 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  /// Its exit code, as a shell gives it.
  int wait() {
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0) {
      if (errno != EINTR) throw UserError(fmt::format("lost {}: {}", name_, std::strerror(errno)));
      ::kill(child_, SIGTERM);
    }
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  std::string name_;
  pid_t child_ = -1;
};

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
      : arguments_(arguments),
        command_(parse_compiler_command(arguments)),
        compiler_(is_cxx ? "clang++-19" : "clang-19"),
        is_cxx_(is_cxx),
        budget_(budget) {}

  int run() {
    if (command_.goal == Goal::Other || is_variable("off")) return Companion(native_words(arguments_)).wait();
    const int code = command_.goal == Goal::Object ? make_objects() : link();
    if (code == 0 && !is_variable("quiet"))
      for (const std::string& warning : warnings_) log().warn("{}", warning);
    return code;
  }

 private:
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

  int make_objects() {
    Companion native(in_few_words(native_words(own_words())));
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

  int link() {
    // First, where no flag of the linker has changed how files are read.
    Words words = {compiler_};
    if (!is_partial_link(command_)) words.push_back(carrier(link_record(words_for_linking_again(command_), is_cxx_)));
    for (const Word& word : command_.words) {
      if (word.role == Role::LinkTime) continue;
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
    return Companion(in_few_words(std::move(words))).wait();
  }

  /// An object for the linker that carries a record and nothing else. Not named as one: libtool takes the objects in
  /// what `-v` prints for the compiler's own, and would name it in later commands.
  std::string carrier(std::string_view record) {
    const fs::path file = directory_.path() / fmt::format("carrier-{}.plumb", count_++);
    write_plainly(file, with_section(empty_object(command_.word_size()), kCarriedSection, record));
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
    settings.word_size = command_.word_size();
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

  const Words& arguments_;
  CompilerCommand command_;
  std::string compiler_;
  bool is_cxx_;
  const Budget& budget_;
  TemporaryDirectory directory_;
  std::size_t count_ = 0;
  Words warnings_;
};

}  // namespace

int run_compiler_driver(const Words& arguments, bool is_cxx, const Budget& budget) {
  return Driver(arguments, is_cxx, budget).run();
}

}  // namespace plumb::program
