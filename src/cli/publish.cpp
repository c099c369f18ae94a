#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "lang/tiny/tiny.h"
#include "result/report.h"

namespace plumb::cli {
namespace {

void write_result(const std::filesystem::path& directory, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw UserError(SourceLocation{directory.string()}, fmt::format("cannot make the directory: {}", error.message()));
  write_file(directory / "result.json", text);
}

}  // namespace

int publish(const Context& context, const result::Report& report) {
  const int code = result::exit_code(report.conclusion);
  if (!context.common.json && context.common.out.empty()) return code;
  const std::string text = result::to_json(report).dump(2) + "\n";
  std::optional<UserError> problem;
  try {
    if (!context.common.out.empty()) write_result(context.common.out, text);
  } catch (const UserError& error) {
    problem = error;
  }
  // Whoever reads the output gets the result, whatever became of the file.
  if (context.common.json) {
    context.out << text;
    context.out.flush();
  }
  if (problem) throw ResultNotWritten(*problem);
  return code;
}

int with_error_report(const Context& context, std::string_view command, const std::vector<std::string>& inputs,
                      const std::function<int()>& action) {
  result::Report report(command, inputs);
  try {
    return action();
  } catch (const ResultNotWritten&) {
    throw;  // after the result was told
  } catch (const UserError& error) {
    report.conclusion = result::Conclusion::Error;
    const auto* several = dynamic_cast<const tiny::Mistakes*>(&error);
    report.errors = several != nullptr ? several->all() : std::vector<UserError>{error};
    try {
      if (context.out) publish(context, report);  // not if writing was what went wrong
    } catch (const ResultNotWritten&) {
      // The first error is the one to tell.
    }
    throw;
  } catch (const OutOfBudget& end) {
    report.stopped = to_string(end.stop);
    publish(context, report);
    throw;
  }
}

}  // namespace plumb::cli
