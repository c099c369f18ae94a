#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::frontend {

/// What `plumb cc` puts into objects, in a section that linkers join and loaders ignore: the bitcode of each unit,
/// objects of units that have none, and what the program was linked with. A linker takes from archives what it needs,
/// so an executable carries the code of the members that are part of it and of no others.
struct CarriedCode {
  struct Unit {
    std::string source;              ///< absolute
    std::string directory;           ///< where it was compiled; what is relative in `words` begins here
    std::vector<std::string> words;  ///< that say what the source means: -x, -I, -D, -std, -m32, …; no -c, -o, -O, -g
    std::string bitcode;
    std::size_t component = 0;  ///< what it is part of
  };
  /// A unit in assembler, or one that clang could not make bitcode of.
  struct Native {
    std::string source;
    std::string object;
  };
  /// The program, and after it the shared libraries that it needs and that carry code, in the order of loading.
  struct Component {
    std::filesystem::path file;
    bool is_linked = false;             ///< false of objects and archives
    std::vector<std::string> exported;  ///< of what is linked: names that other files can refer to
    std::vector<std::string> imported;  ///< of what is linked: names that other files define
  };

  std::vector<Component> components;
  std::vector<Unit> units;
  std::vector<Native> natives;
  /// Libraries and flags that linking it again needs; objects that carry nothing are among them, by absolute path.
  std::vector<std::string> link_words;
  bool is_cxx = false;
};

/// The section's name.
inline constexpr std::string_view kCarriedSection = ".plumb.code";

/// Of a single unit, whose component does not matter.
std::string unit_record(const CarriedCode::Unit& unit);
std::string native_record(const CarriedCode::Native& native);
std::string link_record(const std::vector<std::string>& words, bool is_cxx);
/// A record of all that was read of a file and of its libraries: another file that carries it gives the same code,
/// whatever it is itself, carries besides and is linked with.
std::string settled_records(const CarriedCode& code);

/// Whether a file can carry code: a native object, archive, executable or library.
bool is_native(const std::filesystem::path& file);

/// Whether it is an object that carries code, or an archive all of whose members do.
bool carries_code(const std::filesystem::path& file);

/// Of an object, all members of an archive, an executable or a shared library, and of the shared libraries that it
/// needs and that carry code too, found as the dynamic linker finds them. Without units if it carries none. Throws
/// UserError for a file that is damaged.
CarriedCode read_carried_code(const std::filesystem::path& file);

}  // namespace plumb::frontend
