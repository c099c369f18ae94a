#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "result/test_case.h"

namespace plumb::result {

/// The bytes as hexadecimal digits.
std::string to_digits(std::span<const std::uint8_t> bytes);

/// The value of "environment" in a test (test_case.h); parts that are empty are left out.
nlohmann::ordered_json to_json(const Environment& environment);

/// Throws UserError for what is no environment; it names `file` and the place of "environment" in `text`.
Environment parse_environment(const nlohmann::json& object, std::string_view text, const std::string& file);

}  // namespace plumb::result
