#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace plumb::result {

/// The lines of a user's files, as reports show them. A file is read when it is first asked for; one that cannot be
/// read, is no regular file or is larger than 32 MiB has no lines. Not thread-safe.
class SourceLines {
 public:
  /// `directory`: that the names of places are relative to; empty: the working directory.
  explicit SourceLines(std::filesystem::path directory = {}) : directory_(std::move(directory)) {}

  /// As it is in the file, without its end; nothing if it is not known. Lives as long as this object.
  std::optional<std::string_view> line(const SourceLocation& place);
  /// For people: without the space around it, in UTF-8, without control characters, and cut if it is long.
  std::optional<std::string> shown(const SourceLocation& place);

 private:
  struct File {
    std::string text;
    std::vector<std::size_t> starts;  ///< of lines; the last one is the end of the text
  };
  const File& file(const std::string& name);

  std::filesystem::path directory_;
  std::map<std::string, File, std::less<>> files_;
};

/// How many characters stand before the byte at `column` (from 1) of a line, and one: columns of compilers count bytes,
/// those of readers characters. A column behind the line's end stays as far behind it.
std::uint32_t character_column(std::string_view line, std::uint32_t column);

}  // namespace plumb::result
