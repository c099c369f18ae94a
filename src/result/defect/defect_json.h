#pragma once

#include <nlohmann/json_fwd.hpp>

#include "result/defect/defect.h"

namespace plumb::result {

/// A defect as results have it (docs/result-schema.md).
nlohmann::ordered_json to_json(const Defect& defect);
/// "file", "line" and "column", as far as they are known.
void put_place(nlohmann::ordered_json& object, const SourceLocation& place);

}  // namespace plumb::result
