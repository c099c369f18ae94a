#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "system/trace.h"

namespace plumb::cli {

/// A counterexample as it is shown: in short, in full, and as an object.
struct ShownTrace {
  std::string text;
  std::string full;
  nlohmann::ordered_json object;
};

/// The run that a trace makes up to the step in which `bad` is reached: what the bad depends on, as a table of signals
/// by steps. `with_signals`: also in full, every signal in the steps in which it changes, and in the object.
ShownTrace show_trace(const system::System& system, std::size_t bad, const system::Trace& trace, bool with_signals);

/// 12, 0x1fffffffff from 33 bits on, [1, 2, 3], {3: 7, otherwise 0} from 33 elements on.
std::string value_text(const system::Value& value);
/// A number, a string with hexadecimal digits from 54 bits on, a list, or an object from 4097 elements on.
nlohmann::ordered_json value_json(const system::Value& value);

}  // namespace plumb::cli
