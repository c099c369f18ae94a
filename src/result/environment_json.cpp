#include "result/environment_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "result/json_text.h"

namespace plumb::result {
namespace {

constexpr std::string_view kForm =
    R"(it is {"arguments": ["-n"], "stdin": "616263", "files": [{"name": "A", "bytes": "00ff"}], )"
    R"("variables": {"LANG": "C"}, "failing_calls": [4]}, every part only if there is one)";

/// Text is easier on people; what is not text keeps its bytes.
bool is_text(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

nlohmann::ordered_json text_or_bytes(const std::string& text) {
  if (is_text(text)) return text;
  return {{"bytes", to_digits({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})}};
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Environment read(const nlohmann::json& object) const {
    if (!object.is_object()) fail("\"environment\" is not an object");
    Environment environment;
    for (const nlohmann::json& argument : list(object, "arguments"))
      environment.arguments.push_back(text_of(argument, "an argument"));
    if (const auto input = object.find("stdin"); input != object.end()) environment.standard_input = bytes_of(*input);
    for (const nlohmann::json& element : list(object, "files")) environment.files.push_back(file_of(element));
    if (const auto variables = object.find("variables"); variables != object.end()) {
      if (!variables->is_object()) fail("\"variables\" is not an object of names and values");
      for (const auto& [name, value] : variables->items()) {
        if (name.empty() || name.find_first_of(std::string_view("=\0", 2)) != std::string::npos)
          fail(fmt::format("{:?} cannot be the name of a variable", name));
        environment.variables.emplace_back(name, text_of(value, "the value of a variable"));
      }
    }
    for (const nlohmann::json& number : list(object, "failing_calls")) {
      if (!number.is_number_unsigned() || number.get<std::uint64_t>() > UINT32_MAX)
        fail("\"failing_calls\" has something else than the numbers of calls");
      environment.failing_calls.push_back(number.get<std::uint32_t>());
    }
    return environment;
  }

 private:
  [[noreturn]] void fail(const std::string& complaint) const {
    const std::size_t at = text_.find("\"environment\"");
    throw UserError(place_of_byte(text_, at == std::string_view::npos ? 0 : at, file_), complaint, std::string(kForm));
  }

  nlohmann::json list(const nlohmann::json& object, const char* name) const {
    const auto found = object.find(name);
    if (found == object.end()) return nlohmann::json::array();
    if (!found->is_array()) fail(fmt::format("\"{}\" is not a list", name));
    return *found;
  }

  std::vector<std::uint8_t> bytes_of(const nlohmann::json& element) const {
    if (!element.is_string()) fail("bytes are not a text of hexadecimal digits");
    const std::string digits = element.get<std::string>();
    const bool is_hexadecimal = digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    if (!is_hexadecimal || digits.size() % 2 != 0) fail("bytes are not pairs of hexadecimal digits");
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
    return bytes;
  }

  std::string text_of(const nlohmann::json& element, std::string_view what) const {
    std::string text;
    if (element.is_string()) {
      text = element.get<std::string>();
    } else if (element.is_object() && element.contains("bytes")) {
      const std::vector<std::uint8_t> bytes = bytes_of(element["bytes"]);
      text.assign(bytes.begin(), bytes.end());
    } else {
      fail(fmt::format("{} is neither a text nor {{\"bytes\": …}}", what));
    }
    if (text.find('\0') != std::string::npos) fail(fmt::format("{} has a zero byte, where it would end", what));
    return text;
  }

  Environment::File file_of(const nlohmann::json& element) const {
    if (!element.is_object() || !element.contains("name") || !element["name"].is_string() || !element.contains("bytes"))
      fail("a file is not {\"name\": …, \"bytes\": …}");
    Environment::File made{element["name"].get<std::string>(), bytes_of(element["bytes"])};
    // Tests may come from elsewhere: they must not write outside of the directory that they run in.
    if (made.name.empty() || made.name == "." || made.name == ".." ||
        made.name.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
      fail(fmt::format("{:?} is not the name of a file in the directory of the run", made.name));
    return made;
  }

  std::string_view text_;
  const std::string& file_;
};

}  // namespace

std::string to_digits(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string digits;
  digits.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    digits += kDigits[byte >> 4];
    digits += kDigits[byte & 15];
  }
  return digits;
}

nlohmann::ordered_json to_json(const Environment& environment) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const std::string& argument : environment.arguments) object["arguments"].push_back(text_or_bytes(argument));
  if (environment.standard_input) object["stdin"] = to_digits(*environment.standard_input);
  for (const Environment::File& file : environment.files)
    object["files"].push_back({{"name", file.name}, {"bytes", to_digits(file.bytes)}});
  for (const auto& [name, value] : environment.variables) object["variables"][name] = text_or_bytes(value);
  if (!environment.failing_calls.empty()) object["failing_calls"] = environment.failing_calls;
  return object;
}

Environment parse_environment(const nlohmann::json& object, std::string_view text, const std::string& file) {
  return Reader(text, file).read(object);
}

}  // namespace plumb::result
