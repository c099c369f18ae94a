#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "replay/counterexample.h"

namespace plumb::cli {

/// A counterexample for people: where and what, the failing inputs, and the last lines of the run with what they
/// changed; all lines if `is_full`. Reads source files where they are.
std::string counterexample_text(const replay::Counterexample& counterexample, bool is_full);
/// The same as an object; the trace is shortened likewise.
nlohmann::ordered_json counterexample_json(const replay::Counterexample& counterexample, bool is_full);

}  // namespace plumb::cli
