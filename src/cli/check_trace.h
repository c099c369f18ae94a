#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "replay/counterexample.h"

namespace plumb::cli {

/// A counterexample for people: where and what, the failing inputs, and the last lines of the run with what they
/// changed; all lines if `is_full`. Reads source files where they are.
std::string counterexample_text(const replay::Counterexample& counterexample, bool is_full);
/// "1 ×12, 2 ×3": the threads by their numbers in messages, from 1, and how many operations each makes. Empty if there
/// is no step.
std::string schedule_text(const result::Schedule& schedule, bool is_full);
/// counterexample_text() as an object; the trace is shortened likewise.
nlohmann::ordered_json counterexample_json(const replay::Counterexample& counterexample, bool is_full);

}  // namespace plumb::cli
