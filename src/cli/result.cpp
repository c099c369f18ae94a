#include <fmt/format.h>

#include <filesystem>

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

void publish(const Context& context, const nlohmann::ordered_json& result) {
  const std::string text = result.dump(2) + "\n";
  if (!context.common.out.empty()) {
    const std::filesystem::path directory = context.common.out;
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
      throw UserError(SourceLocation{directory.string()},
                      fmt::format("cannot make the directory: {}", error.message()));
    write_file(directory / "result.json", text);
  }
  if (context.common.json) {
    context.out << text;
    context.out.flush();
  }
}

std::string utf8(std::string_view text) { return result::utf8(text); }

}  // namespace plumb::cli
