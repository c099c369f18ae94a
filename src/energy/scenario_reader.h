#pragma once

#include <toml++/toml.h>

#include <functional>
#include <string>

#include "energy/csv.h"
#include "energy/scenario.h"

namespace plumb::energy {

/// The table of a CSV file that a scenario names.
using OpenCsv = std::function<const CsvTable&(const std::string& name)>;

/// Private to ScenarioFile: the checked scenario of a parsed file.
Scenario read_scenario(const toml::table& root, const std::string& file, const OpenCsv& open_csv);

}  // namespace plumb::energy
