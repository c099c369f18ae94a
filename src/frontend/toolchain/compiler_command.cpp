#include "frontend/toolchain/compiler_command.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace plumb::frontend {
namespace {

namespace fs = std::filesystem;
using Role = CompilerCommand::Role;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::ranges::find(list, word) != list.end();
}
template <std::size_t N>
bool starts_with_one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::ranges::any_of(list, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

/// Flags whose value is the next word.
bool takes_value(std::string_view flag) {
  constexpr auto kFlags = std::to_array<std::string_view>({"-o",
                                                           "-x",
                                                           "-I",
                                                           "-D",
                                                           "-U",
                                                           "-L",
                                                           "-l",
                                                           "-B",
                                                           "-G",
                                                           "-A",
                                                           "-F",
                                                           "-u",
                                                           "-T",
                                                           "-z",
                                                           "-e",
                                                           "-include",
                                                           "-include-pch",
                                                           "-imacros",
                                                           "-isystem",
                                                           "-isystem-after",
                                                           "-idirafter",
                                                           "-iquote",
                                                           "-isysroot",
                                                           "-iprefix",
                                                           "-iwithprefix",
                                                           "-iwithprefixbefore",
                                                           "-iwithsysroot",
                                                           "-imultilib",
                                                           "-iframework",
                                                           "-ivfsoverlay",
                                                           "-cxx-isystem",
                                                           "-c-isystem",
                                                           "-stdlib++-isystem",
                                                           "-MF",
                                                           "-MT",
                                                           "-MQ",
                                                           "-MJ",
                                                           "-Xlinker",
                                                           "-Xclang",
                                                           "-Xassembler",
                                                           "-Xpreprocessor",
                                                           "-Xanalyzer",
                                                           "-Xarch_host",
                                                           "-Xarch_device",
                                                           "-Xopenmp-target",
                                                           "-mllvm",
                                                           "-Tbss",
                                                           "-Tdata",
                                                           "-Ttext",
                                                           "-target",
                                                           "-gcc-toolchain",
                                                           "-arch",
                                                           "--param",
                                                           "-aux-info",
                                                           "-dumpbase",
                                                           "-dumpdir",
                                                           "-rpath",
                                                           "--sysroot",
                                                           "-wrapper",
                                                           "-working-directory",
                                                           "-resource-dir",
                                                           "-mthread-model",
                                                           "-fdebug-compilation-dir",
                                                           "-fcoverage-compilation-dir",
                                                           "-ftrapv-handler",
                                                           "-serialize-diagnostics",
                                                           "--serialize-diagnostics",
                                                           "--output",
                                                           "--include",
                                                           "--define-macro",
                                                           "--undefine-macro",
                                                           "--include-directory",
                                                           "--library-directory",
                                                           "--language"});
  return is_one_of(flag, kFlags);
}

/// What is asked for is neither an object nor a program.
bool is_other_goal(std::string_view flag) {
  constexpr auto kExact = std::to_array<std::string_view>({"-E",
                                                           "-S",
                                                           "-M",
                                                           "-MM",
                                                           "-fsyntax-only",
                                                           "-emit-llvm",
                                                           "-###",
                                                           "--version",
                                                           "-dumpversion",
                                                           "-dumpfullversion",
                                                           "-dumpmachine",
                                                           "-dumpspecs",
                                                           "--help",
                                                           "--help-hidden",
                                                           "-emit-ast",
                                                           "--analyze",
                                                           "--precompile",
                                                           "--preprocess",
                                                           "--assemble",
                                                           "--dependencies",
                                                           "--user-dependencies",
                                                           "-verify-pch",
                                                           "-cc1",
                                                           "-cc1as"});
  constexpr auto kPrefixes = std::to_array<std::string_view>({"-print-", "--print-", "--help=", "--autocomplete="});
  return is_one_of(flag, kExact) || starts_with_one_of(flag, kPrefixes);
}

bool is_linking(std::string_view flag) {
  constexpr auto kExact = std::to_array<std::string_view>({"-shared",
                                                           "-static",
                                                           "-r",
                                                           "-rdynamic",
                                                           "-s",
                                                           "-nostdlib",
                                                           "-nodefaultlibs",
                                                           "-nostartfiles",
                                                           "-nostdlib++",
                                                           "-nolibc",
                                                           "-Xlinker",
                                                           "-u",
                                                           "-T",
                                                           "-z",
                                                           "-e",
                                                           "-rpath",
                                                           "-pie",
                                                           "-no-pie",
                                                           "-nopie",
                                                           "-static-pie",
                                                           "-t",
                                                           "-Tbss",
                                                           "-Tdata",
                                                           "-Ttext",
                                                           "--library-directory"});
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"-l", "-L", "-Wl,", "-fuse-ld", "-static-lib", "-shared-lib", "--ld-path", "-specs=", "--specs="});
  return is_one_of(flag, kExact) || starts_with_one_of(flag, kPrefixes);
}

bool is_link_time(std::string_view flag) {
  constexpr auto kExact =
      std::to_array<std::string_view>({"-ffat-lto-objects", "-fwhole-program-vtables", "-fvirtual-function-elimination",
                                       "-fsplit-lto-unit", "-funified-lto", "-fuse-linker-plugin"});
  return is_one_of(flag, kExact) || flag.starts_with("-flto");
}

bool is_dependency(std::string_view flag) { return flag.starts_with("-M") || flag.starts_with("-Wp,-M"); }

/// Instrumentation, optimisation and strictness: not part of what the code means. Leave to do what the language forbids
/// is (-Wno-implicit-function-declaration).
bool is_tuning(std::string_view flag) {
  constexpr auto kExact = std::to_array<std::string_view>({"-pipe", "-w", "-v", "-pedantic", "-pedantic-errors",
                                                           "--coverage", "-ftest-coverage", "-serialize-diagnostics",
                                                           "--serialize-diagnostics", "-p", "-pg", "-ftime-trace"});
  constexpr auto kPrefixes = std::to_array<std::string_view>(
      {"-O", "-g", "-fsanitize", "-fno-sanitize", "-fprofile", "-fcoverage", "-save-temps", "--save-temps",
       "-fstack-protector", "-fstack-clash", "-fcf-protection", "-ftime-trace", "-fstack-usage"});
  if (flag.starts_with("-W"))
    return !starts_with_one_of(flag, std::to_array<std::string_view>({"-Wp,", "-Wa,", "-Wno-"}));
  return is_one_of(flag, kExact) || starts_with_one_of(flag, kPrefixes);
}

enum class Content : std::uint8_t { Source, Assembler, Header, Linked };

Content content_of(const std::string& file, std::string_view language) {
  constexpr auto kSources = std::to_array<std::string_view>(
      {".c", ".cc", ".cpp", ".cxx", ".C", ".CPP", ".CXX", ".cp", ".c++", ".C++", ".i", ".ii"});
  constexpr auto kAssembler = std::to_array<std::string_view>({".s", ".S", ".sx"});
  constexpr auto kHeaders = std::to_array<std::string_view>({".h", ".H", ".hh", ".hpp", ".hxx", ".hp"});
  constexpr auto kLanguages = std::to_array<std::string_view>({"c", "c++", "cpp-output", "c++-cpp-output"});
  if (!language.empty() && language != "none") {
    if (is_one_of(language, kLanguages)) return Content::Source;
    return language.starts_with("assembler") ? Content::Assembler : Content::Header;
  }
  const std::string ending = fs::path(file).extension().string();
  if (is_one_of(ending, kSources)) return Content::Source;
  if (is_one_of(ending, kAssembler)) return Content::Assembler;
  return is_one_of(ending, kHeaders) ? Content::Header : Content::Linked;
}

/// Response files put in, by the very code that clang has for it.
std::vector<std::string> expanded(const std::vector<std::string>& arguments) {
  if (std::ranges::none_of(arguments, [](const std::string& word) { return word.starts_with('@'); })) return arguments;
  llvm::SmallVector<const char*> words;
  for (const std::string& word : arguments) words.push_back(word.c_str());
  llvm::BumpPtrAllocator memory;
  llvm::cl::ExpansionContext context(memory, llvm::cl::TokenizeGNUCommandLine);
  if (llvm::Error error = context.expandResponseFiles(words)) {
    llvm::consumeError(std::move(error));
    return arguments;
  }
  return {words.begin(), words.end()};
}

/// Goes over the words from left to right.
class Reader {
 public:
  CompilerCommand read(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Role role = is_file(words[i]) ? role_of_file(words[i]) : role_of_flag(words[i]);
      add(words[i], role);
      if (only_files_ || is_file(words[i]) || !takes_value(words[i]) || i + 1 == words.size()) continue;
      if (words[i] == "-x" || words[i] == "--language") language_ = words[i + 1];
      if (words[i] == "-o" || words[i] == "--output") command_.output = words[i + 1];
      add(words[++i], role);
    }
    const bool has_files = command_.has(Role::Source) || command_.has(Role::Assembler) || command_.has(Role::File);
    using Goal = CompilerCommand::Goal;
    command_.goal = is_other_ || !has_files ? Goal::Other : is_object_ ? Goal::Object : Goal::Link;
    return std::move(command_);
  }

 private:
  bool is_file(std::string_view word) const { return only_files_ || word == "-" || !word.starts_with('-'); }

  Role role_of_file(const std::string& word) {
    const Content content = content_of(word, language_);
    // What stands on standard input can be read only once; headers are compiled for later.
    if (word == "-" || content == Content::Header) is_other_ = true;
    if (content == Content::Source) return Role::Source;
    return content == Content::Assembler ? Role::Assembler : Role::File;
  }

  Role role_of_flag(const std::string& word) {
    if (word == "--") {
      only_files_ = true;
      return Role::Goal;
    }
    if (word == "-o" || (word.starts_with("-o") && word.size() > 2) || word.starts_with("--output")) {
      if (word.starts_with("--output="))
        command_.output = word.substr(9);
      else if (word.size() > 2 && !word.starts_with("--"))
        command_.output = word.substr(2);
      return Role::Output;
    }
    if (word.starts_with("-x") || word.starts_with("--language")) {
      if (word.starts_with("--language="))
        language_ = word.substr(11);
      else if (word.size() > 2 && !word.starts_with("--"))
        language_ = word.substr(2);
      return Role::Language;
    }
    if (word == "-c" || word == "--compile") {
      is_object_ = true;
      return Role::Goal;
    }
    if (is_other_goal(word)) {
      is_other_ = true;
      return Role::Goal;
    }
    if (is_dependency(word)) return Role::Dependency;
    if (is_link_time(word)) return Role::LinkTime;
    if (is_linking(word)) return Role::Linking;
    return is_tuning(word) ? Role::Tuning : Role::Meaning;
  }

  void add(const std::string& text, Role role) { command_.words.push_back({text, role, language_}); }

  CompilerCommand command_;
  std::string language_;
  bool is_object_ = false;
  bool is_other_ = false;
  bool only_files_ = false;  ///< after --
};

}  // namespace

std::vector<std::string> CompilerCommand::with_roles(std::initializer_list<Role> roles) const {
  std::vector<std::string> result;
  for (const Word& word : words)
    if (std::ranges::find(roles, word.role) != roles.end()) result.push_back(word.text);
  return result;
}

bool CompilerCommand::has(Role role) const { return std::ranges::find(words, role, &Word::role) != words.end(); }

std::vector<std::string> CompilerCommand::meaning_of(const Word& source, bool is_cxx) const {
  std::vector<std::string> result;
  std::string language = source.language == "none" ? "" : source.language;
  if (language.empty() && is_cxx) {
    const std::string ending = fs::path(source.text).extension().string();
    if (ending == ".c") language = "c++";
    if (ending == ".i") language = "c++-cpp-output";
  }
  if (!language.empty()) result = {"-x", language};
  const std::vector<std::string> flags = with_roles({Role::Meaning});
  result.insert(result.end(), flags.begin(), flags.end());
  return result;
}

fs::path CompilerCommand::object_of(const std::string& source) const {
  return output.empty() ? fs::path(source).filename().replace_extension(".o") : fs::path(output);
}

std::uint32_t CompilerCommand::word_size() const {
  std::uint32_t bits = 64;
  for (const Word& word : words)
    if (word.text == "-m32" || word.text == "-m64") bits = word.text == "-m32" ? 32 : 64;
  return bits;
}

CompilerCommand parse_compiler_command(const std::vector<std::string>& arguments) {
  return Reader().read(expanded(arguments));
}

}  // namespace plumb::frontend
