#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace plumb::verilog {

struct SharedWire {
  std::string name;    ///< without the backslash
  std::string source;  ///< of its declaration: "file.v:3.5-3.20"
};

/// A wire of a flat module in RTLIL with a bit that two of inputs, cells and assignments drive, so that it has no value
/// that both of them agree on. Yosys takes the constant among them, or says so itself where none is.
std::optional<SharedWire> find_shared_wire(std::string_view rtlil);

}  // namespace plumb::verilog
