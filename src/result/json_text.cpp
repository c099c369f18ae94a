#include "result/json_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace plumb::result {

SourceLocation place_of_byte(std::string_view text, std::size_t byte, const std::string& file) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file, static_cast<std::uint32_t>(line), static_cast<std::uint32_t>(before.size() - line_start + 1)};
}

nlohmann::json parse_json(std::string_view text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    // `[json.exception.parse_error.101] parse error at line 1, column 2: what`: the place is said already.
    const std::string_view what = error.what();
    const std::size_t start = what.find(": ");
    throw UserError(
        place_of_byte(text, error.byte == 0 ? 0 : error.byte - 1, file),
        "this is not JSON: " + std::string(start == std::string_view::npos ? what : what.substr(start + 2)));
  }
}

std::string utf8(std::string_view text) {
  // The library replaces what is not UTF-8 when it writes, and takes it as it is when it reads no syntax from it.
  const std::string dumped =
      nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(dumped).get<std::string>();
}

void put_place(nlohmann::ordered_json& object, const SourceLocation& place) {
  if (!place.file.empty()) object["file"] = utf8(place.file);
  if (place.line != 0) object["line"] = place.line;
  if (place.column != 0) object["column"] = place.column;
}

}  // namespace plumb::result
