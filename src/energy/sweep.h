#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "energy/scenario_file.h"

namespace plumb::energy {

/// A value of a scenario that takes several values in turn.
struct Sweep {
  std::string key;
  std::vector<std::string> values;
};

/// Of `KEY=LOW:STEP:HIGH` or `KEY=VALUE,VALUE,…`. The values of a range are decimals as one would write them: 1:0.1:2
/// has 1.3 and not 1.3000000000000003. Throws UserError.
Sweep parse_sweep(std::string_view text);
/// Of `KEY=VALUE`. Throws UserError.
Setting parse_setting(std::string_view text, std::string origin);
/// Of `KEY=VALUE,KEY=VALUE,…`. Throws UserError.
std::vector<Setting> parse_settings(std::string_view text, const std::string& origin);

/// All combinations, the last sweep fastest; without sweeps, one of no settings. Throws UserError if there are too many
/// or two sweeps have the same key.
std::vector<std::vector<Setting>> combinations(const std::vector<Sweep>& sweeps);

}  // namespace plumb::energy
