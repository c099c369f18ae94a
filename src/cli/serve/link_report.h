#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "remote/server.h"

namespace plumb::cli {

/// What `plumb serve` says of its links at the end.
struct LinkReport {
  remote::LinkStatistics statistics;
  std::vector<remote::BoardStatus> boards;  ///< connected when the search ended
  std::string lost;  ///< why the search was given up: "no target was connected for 30 s"; empty if it was not
};

/// Two lines.
std::string to_text(const LinkReport& report);
nlohmann::ordered_json to_json(const LinkReport& report);
/// What limits the answer.
std::vector<std::string> assumptions_of(const LinkReport& report);

/// Of complete runs, in both directions; 0 if there are none.
double bytes_per_run(const remote::LinkStatistics& statistics);
double bytes_per_event(const remote::LinkStatistics& statistics);

}  // namespace plumb::cli
