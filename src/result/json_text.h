#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/error.h"

namespace plumb::result {

/// Throws UserError with the place of a syntax error; `file` is named in it.
nlohmann::json parse_json(std::string_view text, const std::string& file);

/// Line and column of a byte of a text.
SourceLocation place_of_byte(std::string_view text, std::size_t byte, const std::string& file);

/// "file", "line" and "column", as far as they are known.
void put_place(nlohmann::ordered_json& object, const SourceLocation& place);

/// Text with every byte that is not UTF-8 replaced, so that it can be put in JSON.
std::string utf8(std::string_view text);

}  // namespace plumb::result
