#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::frontend {

/// What is of interest of an ELF file: an object, an executable, a shared library.
struct ObjectFile {
  std::string carried;                    ///< the content of the section asked for
  bool is_linked = false;                 ///< an executable or a shared library
  std::string soname;                     ///< may be empty
  std::vector<std::string> needed;        ///< sonames of shared libraries
  std::vector<std::string> search_paths;  ///< RPATH and RUNPATH, as written
  std::vector<std::string> exported;      ///< of what is linked: defined for other files that are loaded
  std::vector<std::string> undefined;     ///< defined elsewhere
};

enum class FileFormat : std::uint8_t { Elf, Archive, Other };
FileFormat format_of(const std::filesystem::path& file);

/// Of an ELF file, or of all members of an archive that are ELF files. Throws UserError for a file that is damaged.
std::vector<ObjectFile> read_objects(const std::filesystem::path& file, std::string_view section);
/// The same for an ELF file in memory.
ObjectFile read_object(std::string_view bytes, const std::filesystem::path& name, std::string_view section);

/// The object with this section, in place of one of that name; linkers join it with its like, and loaders ignore it. Of
/// any machine, and of programs too. Throws UserError if `object` is none.
std::string with_section(std::string_view object, std::string_view section, std::string_view content);

/// An object with nothing in it, for x86.
std::string empty_object(std::uint32_t word_size);

}  // namespace plumb::frontend
