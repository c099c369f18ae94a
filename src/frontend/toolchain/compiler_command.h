#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumb::frontend {

/// A command line for a C or C++ compiler, understood as far as it has to be to do the same work in parts: which of its
/// words are files, what is to be made of them, and which flags say what the code means.
struct CompilerCommand {
  enum class Goal : std::uint8_t {
    Other,   ///< -E, -S, -M, -fsyntax-only, a question such as --version, or no file at all
    Object,  ///< -c
    Link,    ///< an executable or a shared library
  };
  /// What a word is for. The value of a flag that stands apart from it has the flag's role.
  enum class Role : std::uint8_t {
    Source,      ///< a file in C or C++
    Assembler,   ///< a file in assembler
    File,        ///< objects, libraries, scripts of the linker
    Output,      ///< -o
    Goal,        ///< -c, -E, …
    Language,    ///< -x
    Linking,     ///< -l, -L, -Wl,…, -shared
    LinkTime,    ///< optimisation by the linker, whose objects are not native
    Dependency,  ///< -MD and its like
    Tuning,      ///< optimisation, debug information, warnings, sanitizers
    Meaning,     ///< everything else: -I, -D, -std, -f…
  };
  struct Word {
    std::string text;
    Role role;
    std::string language{};  ///< of a file: what -x says there; may be empty
  };

  Goal goal = Goal::Other;
  std::vector<Word> words;  ///< all arguments, response files put in
  std::string output;       ///< of -o; may be empty

  std::vector<std::string> with_roles(std::initializer_list<Role> roles) const;
  bool has(Role role) const;
  /// Flags that say what a source means, and its language if the name does not tell: for C++ of a compiler for C++.
  std::vector<std::string> meaning_of(const Word& source, bool is_cxx) const;
  /// Where -c puts the object of a source.
  std::filesystem::path object_of(const std::string& source) const;
  std::uint32_t word_size() const;
};

/// Arguments without the compiler's name. A response file that cannot be read stays as it is: clang complains then.
CompilerCommand parse_compiler_command(const std::vector<std::string>& arguments);

}  // namespace plumb::frontend
