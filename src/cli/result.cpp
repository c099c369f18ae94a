#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "result/json_text.h"

namespace plumb::cli {

nlohmann::ordered_json result_object(std::string_view command, const std::vector<std::string>& inputs) {
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  for (const std::string& input : inputs) names.push_back(utf8(input));
  return {{"plumb", "1.0"}, {"command", command}, {"inputs", std::move(names)}};
}

namespace {

void write_result(const std::filesystem::path& directory, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw UserError(SourceLocation{directory.string()}, fmt::format("cannot make the directory: {}", error.message()));
  write_file(directory / "result.json", text);
}

}  // namespace

void publish(const Context& context, const nlohmann::ordered_json& result) {
  const std::string text = result.dump(2) + "\n";
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
}

std::string utf8(std::string_view text) { return result::utf8(text); }

}  // namespace plumb::cli
