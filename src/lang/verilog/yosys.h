#pragma once

#include <filesystem>
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
  std::string flat;   ///< the design as one module in RTLIL, before anything is simplified
};

/// Yosys as a process, for one design. Each call is one run in a temporary directory and throws as read() does. In what
/// comes back files have the user's names.
class Yosys {
 public:
  /// All must outlive it.
  Yosys(std::span<const std::string> files, const Options& options, const Budget& budget);

  /// The text behind the preprocessor and the syntax of all modules (syntax.h reads it).
  std::string parse();
  /// The modules below `top` with their parameters and generated parts, as RTLIL. Without a top Yosys looks for it.
  std::string elaborate(const std::string& top);
  /// What elaborate() gave as a system.
  YosysFiles make_system(const std::string& rtlil, const Flow& flow);

  /// Of all runs, each once, without the word "Warning".
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  std::string with_own_names(std::string text) const;

 private:
  void run(const std::filesystem::path& directory, const std::string& script);
  void add_warnings(const std::string& printed);
  std::string reading(const std::string& flags) const;
  void link_includes(const std::filesystem::path& directory) const;

  std::span<const std::string> files_;
  std::vector<std::string> designs_;  ///< the same by their whole names
  const Options& options_;
  const Budget& budget_;
  std::vector<std::string> warnings_;
};

}  // namespace plumb::verilog
