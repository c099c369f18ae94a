#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "replay/lanes.h"

namespace plumb::cli {

/// Of the terminal that standard output is; 80 if it is none.
std::size_t terminal_width();

/// A column per thread, time goes down; the last steps, or all of them if `is_full`. No line is wider than `width`
/// characters: with too many threads for that, steps stand below each other with the number of their thread. Empty
/// without steps.
std::string lanes_text(const std::vector<replay::LaneStep>& lanes, bool is_full, std::size_t width);
/// The same as an object: `steps`, `left_out`, `lines`.
nlohmann::ordered_json lanes_json(const std::vector<replay::LaneStep>& lanes, bool is_full);

}  // namespace plumb::cli
