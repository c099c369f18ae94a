#include "cli/prob/file_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace plumb::cli::prob {

std::string plain_name(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string name;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
                          c == '-' || c == '=' || c == ',';
    if (is_plain)
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  name = name.substr(0, kLongest);
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name.empty() || name.front() == '.' ? "_" + name : name;
}

std::string file_name(const ExperimentReport& report, std::size_t question) {
  const auto name_of = [](const Question& each) { return each.name.empty() ? "" : plain_name(each.name); };
  const std::string name = name_of(report.questions[question]);
  if (name.empty() || std::ranges::count(report.questions, name, name_of) > 1)
    return fmt::format("property{}", question);
  return name;
}

std::string with_name(const std::string& file, std::string_view name) {
  const std::filesystem::path path(file);
  const std::string stem = path.stem().string() + "-" + plain_name(name) + path.extension().string();
  return (path.parent_path() / stem).string();
}

}  // namespace plumb::cli::prob
