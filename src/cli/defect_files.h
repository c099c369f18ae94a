#pragma once

#include <chrono>
#include <span>
#include <string>
#include <vector>

#include "cli/command.h"
#include "result/defect/defect.h"
#include "result/defect/source_lines.h"
#include "result/defect/suppressions.h"

namespace plumb::cli {

/// Options of the commands that report defects: reports for other tools, and defects that do not count.
struct DefectOptions {
  std::vector<std::string> suppress;
  std::string sarif;
  std::string junit;
};
void add_defect_options(CLI::App& app, DefectOptions& options);

/// What the options name: made before the work, so that a file that cannot be read or written is told at once.
class DefectFiles {
 public:
  /// Reads the suppressions. Throws UserError if one is none, or if a report could not be written.
  explicit DefectFiles(const DefectOptions& options);

  /// Marks what is suppressed.
  void suppress(result::Defect& defect) { defect.suppressed = suppressions_.find(defect, sources_); }
  std::vector<std::string> notes() const { return suppressions_.notes(); }
  result::SourceLines& sources() { return sources_; }

  /// Writes the reports that are asked for. Throws UserError.
  void write(std::span<const result::Defect> defects, const std::vector<std::string>& program,
             const result::Report& run, const Context& context);

 private:
  std::string sarif_;  ///< absolute, for a command may change its directory
  std::string junit_;
  std::chrono::system_clock::time_point begin_ = std::chrono::system_clock::now();
  result::SourceLines sources_;
  result::Suppressions suppressions_;
};

}  // namespace plumb::cli
