#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "result/schedule.h"

namespace plumb::result {

/// A list of {"thread": 1, "operations": 3, "woken": 2}; "woken" only where it is somebody.
nlohmann::ordered_json to_json(const Schedule& schedule);
/// Throws UserError; `text` is the whole file, for places in it.
Schedule parse_schedule(const nlohmann::json& list, std::string_view text, const std::string& file);

}  // namespace plumb::result
