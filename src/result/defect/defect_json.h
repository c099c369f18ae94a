#pragma once

#include <nlohmann/json_fwd.hpp>

#include "result/defect/defect.h"

namespace plumb::result {

/// A defect as results have it (docs/result-schema.md).
nlohmann::ordered_json to_json(const Defect& defect);

}  // namespace plumb::result
