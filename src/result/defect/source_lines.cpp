#include "result/defect/source_lines.h"

#include <algorithm>
#include <cctype>

#include "base/file.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

constexpr std::uintmax_t kLargest = std::uintmax_t{32} << 20;
constexpr std::size_t kShown = 120;

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

/// A pipe or a device would block or never end.
std::string content_of(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  if (const auto size = std::filesystem::file_size(path, error); error || size > kLargest) return {};
  try {
    return read_file(path);
  } catch (const UserError&) {
    return {};
  }
}

}  // namespace

const SourceLines::File& SourceLines::file(const std::string& name) {
  const auto [at, is_new] = files_.try_emplace(name);
  File& file = at->second;
  if (!is_new) return file;
  file.text = content_of(directory_ / name);
  if (file.text.empty()) return file;
  file.starts.push_back(0);
  for (std::size_t i = 0; i < file.text.size(); ++i)
    if (file.text[i] == '\n') file.starts.push_back(i + 1);
  if (file.text.back() != '\n') file.starts.push_back(file.text.size() + 1);
  return file;
}

std::optional<std::string_view> SourceLines::line(const SourceLocation& place) {
  if (place.file.empty() || place.line == 0) return std::nullopt;
  const File& source = file(place.file);
  if (place.line >= source.starts.size()) return std::nullopt;
  const std::size_t begin = source.starts[place.line - 1];
  std::string_view line = std::string_view(source.text).substr(begin, source.starts[place.line] - 1 - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::optional<std::string> SourceLines::shown(const SourceLocation& place) {
  const auto found = line(place);
  if (!found) return std::nullopt;
  std::string text = utf8(*found);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  text.erase(0, begin);
  text.erase(text.find_last_not_of(' ') + 1);
  if (text.size() > kShown) {
    std::size_t end = kShown;
    while (end > 0 && is_continuation(text[end])) --end;
    text = text.substr(0, end) + " …";
  }
  if (text.empty()) return std::nullopt;
  return text;
}

std::uint32_t character_column(std::string_view line, std::uint32_t column) {
  const std::size_t before = std::min<std::size_t>(column == 0 ? 0 : column - 1, line.size());
  const auto continuations = std::ranges::count_if(line.substr(0, before), is_continuation);
  return column - static_cast<std::uint32_t>(continuations);
}

}  // namespace plumb::result
