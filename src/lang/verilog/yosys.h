#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/verilog/verilog.h"

namespace plumb::verilog {

/// Cells of assertions without a label are named so, with a number behind.
constexpr std::string_view kUnnamed = "plumb_unnamed_";

/// What a run of Yosys is to do beside the usual.
struct Flow {
  bool clocks_are_data = false;
  bool has_outside = false;  ///< addresses outside of a memory
};

struct YosysFiles {
  std::string btor2;
  std::string info;   ///< clocks of registers
  std::string cells;  ///< a dump of assertions, memories, latches
  std::vector<std::string> warnings;
};

/// One run in a temporary directory. Throws as read() does.
YosysFiles run_yosys(std::span<const std::string> files, const Options& options, const Flow& flow,
                     const Budget& budget);

}  // namespace plumb::verilog
