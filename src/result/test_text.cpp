#include "result/test_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "result/json_text.h"

namespace plumb::result {
namespace {

constexpr std::size_t kInputsShown = 40;
constexpr std::size_t kColumns = 110;

std::string byte_text(std::uint8_t byte) {
  if (byte == 0) return "\\0";
  if (byte == '\n') return "\\n";
  if (byte == '\\' || byte == '"') return fmt::format("\\{}", static_cast<char>(byte));
  return byte >= 0x20 && byte < 0x7f ? std::string(1, static_cast<char>(byte)) : fmt::format("\\x{:02x}", byte);
}

std::string quoted(std::span<const std::uint8_t> bytes) {
  std::string text = "\"";
  for (std::size_t i = 0; i < std::min<std::size_t>(bytes.size(), 64); ++i) text += byte_text(bytes[i]);
  return text + (bytes.size() > 64 ? fmt::format("\" and {} bytes more", bytes.size() - 64) : "\"");
}

std::string quoted(const std::string& text) {
  return quoted(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

/// `c = 91 '['`, `s = "reset\0"`.
std::string input_text(const nlohmann::ordered_json& entry, const TestInput& input) {
  std::string text = fmt::format("{} = ", input.name.empty() ? "input" : utf8(input.name));
  if (entry.contains("value")) {
    text += entry["value"].dump();
    const auto graphs = std::ranges::count_if(input.bytes, [](unsigned char byte) { return std::isgraph(byte) != 0; });
    if (input.bytes.size() == 1 && graphs == 1) text += fmt::format(" '{}'", static_cast<char>(input.bytes.front()));
    // Four or eight characters are a number to the reader of the file, but not to whoever wrote the program.
    if (input.bytes.size() >= 4 && 2 * static_cast<std::size_t>(graphs) >= input.bytes.size()) {
      text += " \"";
      for (const std::uint8_t byte : input.bytes) text += byte_text(byte);
      text += '"';
    }
    return text;
  }
  return text + quoted(input.bytes);
}

/// `uninitialised main.x:12 = 5`.
std::string unset_text(const UnsetBytes& unset) {
  std::string place;
  if (unset.offset > 0) place = fmt::format(", from byte {}", unset.offset);
  if (unset.creation > 0) place += fmt::format(", created after {} others", unset.creation);
  const bool is_number = unset.bytes.size() <= 8 && std::has_single_bit(unset.bytes.size());
  std::uint64_t number = 0;
  for (std::size_t i = std::min<std::size_t>(unset.bytes.size(), 8); i-- > 0;) number = number << 8 | unset.bytes[i];
  const auto unused = static_cast<unsigned>(64 - 8 * std::min<std::size_t>(unset.bytes.size(), 8));
  const std::string value =
      is_number ? fmt::format("{}", static_cast<std::int64_t>(number << unused) >> unused) : quoted(unset.bytes);
  return fmt::format("    uninitialised {}{} = {}\n", utf8(unset.site), place, value);
}

/// What the program is started with, a line each.
std::string environment_text(const Environment& environment) {
  std::string text;
  if (!environment.arguments.empty()) {
    text += "    arguments:";
    for (const std::string& argument : environment.arguments) text += " " + quoted(argument);
    text += "\n";
  }
  for (const auto& file : environment.files)
    text += fmt::format("    file {}: {}\n", utf8(file.name), quoted(file.bytes));
  if (environment.standard_input) text += fmt::format("    standard input: {}\n", quoted(*environment.standard_input));
  for (const auto& [name, value] : environment.variables) text += fmt::format("    {}={}\n", utf8(name), quoted(value));
  for (const std::uint32_t call : environment.failing_calls)
    text += fmt::format("    call {} for input or output fails\n", call);
  return text;
}

}  // namespace

std::string to_text(const TestCase& test) {
  const nlohmann::ordered_json entries = nlohmann::ordered_json::parse(to_json(test))["inputs"];
  std::string text = environment_text(test.environment);
  std::string line;
  const std::size_t shown = std::min(test.inputs.size(), kInputsShown);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string piece = input_text(entries[i], test.inputs[i]) + (i + 1 < test.inputs.size() ? ", " : "");
    if (!line.empty() && line.size() + piece.size() > kColumns)
      text += fmt::format("    {}\n", std::exchange(line, {}));
    line += piece;
  }
  if (shown < test.inputs.size()) line += fmt::format("… {} more", test.inputs.size() - shown);
  if (!line.empty()) text += fmt::format("    {}\n", line);
  for (std::size_t i = 0; i < std::min(test.unset.size(), kInputsShown); ++i) text += unset_text(test.unset[i]);
  if (test.unset.size() > kInputsShown) text += fmt::format("    … {} more\n", test.unset.size() - kInputsShown);
  return text;
}

}  // namespace plumb::result
