#include "cli/defect_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "cli/cli.h"
#include "result/defect/junit.h"
#include "result/defect/sarif.h"

namespace plumb::cli {
namespace {

namespace fs = std::filesystem;

/// Absolute, in a directory that is made if it is missing; throws UserError if nothing could be written there.
std::string writable(const std::string& name, std::string_view option) {
  if (name.empty()) return {};
  const fs::path path = fs::absolute(name);
  const std::string hint = fmt::format("choose another file with {}", option);
  std::error_code error;
  if (fs::is_directory(path, error))
    throw UserError(SourceLocation{name}, "is a directory, and a report is a file", hint);
  fs::create_directories(path.parent_path(), error);
  if (!error && ::access(path.parent_path().c_str(), W_OK | X_OK) != 0)
    error = std::error_code(errno, std::generic_category());
  if (error) throw UserError(SourceLocation{name}, fmt::format("cannot be written: {}", error.message()), hint);
  return path.string();
}

}  // namespace

void add_defect_options(CLI::App& app, DefectOptions& options) {
  app.add_option(
         "--suppress", options.suppress,
         "Defects that do not count: a file of patterns KIND:FILE, KIND:FILE:LINE or KIND:FUNCTION; may be given "
         "many times")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--sarif", options.sarif, "Write the defects as SARIF 2.1.0 here")->type_name("FILE");
  app.add_option("--junit", options.junit, "Write the defects as JUnit's XML here")->type_name("FILE");
}

DefectFiles::DefectFiles(const DefectOptions& options)
    : sarif_(writable(options.sarif, "--sarif")), junit_(writable(options.junit, "--junit")) {
  for (const std::string& file : options.suppress) suppressions_.read(file);
}

void DefectFiles::write(std::span<const result::Defect> defects, const std::vector<std::string>& program,
                        const result::Report& run, const Context& context) {
  if (sarif_.empty() && junit_.empty()) return;
  result::DefectReport report;
  report.defects = defects;
  report.version = version();
  report.arguments = context.common.arguments;
  report.program = program;
  report.directory = fs::current_path();
  report.begin = begin_;
  report.end = std::chrono::system_clock::now();
  report.reason = run.reason;
  report.exit_code = result::exit_code(run.conclusion);
  report.is_answer = report.exit_code != kUnknown;
  report.notes = run.assumptions;
  report.notes.insert(report.notes.end(), run.notes.begin(), run.notes.end());
  if (!sarif_.empty()) write_file(sarif_, result::to_sarif(report, sources_));
  if (!junit_.empty()) write_file(junit_, result::to_junit(report, sources_));
}

}  // namespace plumb::cli
