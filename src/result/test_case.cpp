#include "result/test_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "result/environment_json.h"
#include "result/json_text.h"
#include "result/schedule_json.h"

namespace plumb::result {
namespace {

constexpr std::string_view kForm =
    R"(an input is {"name": "int", "bytes": "2a000000"}, {"name": "n", "value": -3, "width": 32} or a plain integer)";

/// Where the n-th element of "inputs" begins in a text that is known to be JSON.
std::size_t place_of_input(std::string_view text, std::size_t n) {
  int depth = 0;
  bool in_inputs = false;
  bool expects_element = false;
  std::size_t string_start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (std::string_view(" \t\r\n").find(c) != std::string_view::npos) continue;
    if (in_inputs && expects_element && depth == 2) {
      if (n-- == 0) return i;
      expects_element = false;
    }
    if (c == '"') {
      string_start = i;
      for (++i; text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
    } else if (c == '[' || c == '{') {
      ++depth;
      expects_element = expects_element || (in_inputs && depth == 2);
    } else if (c == ']' || c == '}') {
      if (--depth == 1) in_inputs = false;
    } else if (c == ':' && depth == 1) {
      in_inputs = text.substr(string_start, 8) == "\"inputs\"";
    } else if (c == ',' && depth == 2) {
      expects_element = in_inputs;
    }
  }
  return 0;
}

std::uint64_t number_of(std::span<const std::uint8_t> bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) number = number << 8 | bytes[i];
  return number;
}

std::vector<std::uint8_t> bytes_of(std::uint64_t number, std::size_t count) {
  std::vector<std::uint8_t> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = i < 8 ? static_cast<std::uint8_t>(number >> (8 * i)) : 0;
  return bytes;
}

std::int64_t sign_extend(std::uint64_t number, std::size_t bytes) {
  const unsigned shift = static_cast<unsigned>(64 - 8 * bytes);
  return static_cast<std::int64_t>(number << shift) >> shift;
}

bool has_value(const TestInput& input) {
  const std::size_t size = input.bytes.size();
  // The bits of a floating point number would tell people nothing.
  return (size == 1 || size == 2 || size == 4 || size == 8) && input.name != "float" && input.name != "double";
}

bool is_unsigned(std::string_view name) {
  constexpr std::array kWords = {"size_t", "bool", "_Bool", "pointer"};
  return name.starts_with('u') || std::ranges::any_of(kWords, [&](std::string_view word) { return name == word; });
}

/// Reads one element of "inputs" or "uninitialised"; knows the place of the former for complaints.
class InputReader {
 public:
  InputReader(std::string_view text, const std::string& file, std::size_t index)
      : text_(text), file_(file), index_(index) {}

  UnsetBytes read_unset(const nlohmann::json& element) const {
    if (!element.is_object() || !element.contains("site") || !element["site"].is_string() || !element.contains("bytes"))
      fail("an uninitialised value has a \"site\" and \"bytes\"");
    const auto number = [&](const char* name) -> std::uint64_t {
      const auto found = element.find(name);
      if (found == element.end()) return 0;
      if (!found->is_number_unsigned()) fail(fmt::format("{:?} is not a number", name));
      return found->get<std::uint64_t>();
    };
    return {element["site"].get<std::string>(), static_cast<std::uint32_t>(number("creation")), number("offset"),
            hexadecimal(element["bytes"])};
  }

  TestInput read(const nlohmann::json& element) const {
    if (element.is_number_integer()) return {"", bytes_of(bits_of(element), 8)};
    if (!element.is_object()) fail("expected an input");
    TestInput input;
    if (const auto name = element.find("name"); name != element.end()) {
      if (!name->is_string()) fail("\"name\" is not a text");
      input.name = name->get<std::string>();
    }
    const auto bytes = element.find("bytes");
    const auto value = element.find("value");
    if (bytes != element.end()) {
      input.bytes = hexadecimal(*bytes);
      if (value != element.end()) check_agreement(input, *value);
    } else if (value != element.end()) {
      input.bytes = bytes_of_value(*value, element);
    } else {
      fail("an input has neither \"bytes\" nor \"value\"");
    }
    return input;
  }

 private:
  [[noreturn]] void fail(const std::string& complaint) const {
    throw UserError(place_of_byte(text_, place_of_input(text_, index_), file_), complaint, std::string(kForm));
  }

  std::uint64_t bits_of(const nlohmann::json& number) const {
    if (!number.is_number_integer()) fail("\"value\" is not an integer of 64 bits");
    return number.is_number_unsigned() ? number.get<std::uint64_t>()
                                       : static_cast<std::uint64_t>(number.get<std::int64_t>());
  }

  unsigned digit(char c) const {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const std::size_t at = kDigits.find(c >= 'A' && c <= 'F' ? static_cast<char>(c - 'A' + 'a') : c);
    if (at == std::string_view::npos) fail(fmt::format("\"bytes\" has {:?}, which is not a hexadecimal digit", c));
    return static_cast<unsigned>(at);
  }

  std::vector<std::uint8_t> hexadecimal(const nlohmann::json& element) const {
    if (!element.is_string()) fail("\"bytes\" is not a text of hexadecimal digits");
    const std::string text = element.get<std::string>();
    if (text.size() % 2 != 0) fail("\"bytes\" has an odd number of digits");
    std::vector<std::uint8_t> bytes;
    for (std::size_t i = 0; i < text.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
    return bytes;
  }

  /// A value that somebody changed without the bytes would have no effect.
  void check_agreement(const TestInput& input, const nlohmann::json& value) const {
    const std::uint64_t bits = bits_of(value);
    if (input.bytes.size() <= 8 && !input.bytes.empty()) {
      const std::uint64_t number = number_of(input.bytes);
      if (bits == number || bits == static_cast<std::uint64_t>(sign_extend(number, input.bytes.size()))) return;
    }
    fail(fmt::format("\"value\" is {}, but \"bytes\" says otherwise; keep one of them", value.dump()));
  }

  std::vector<std::uint8_t> bytes_of_value(const nlohmann::json& value, const nlohmann::json& element) const {
    std::uint64_t width = 64;
    if (const auto given = element.find("width"); given != element.end()) {
      if (!given->is_number_unsigned() || given->get<std::uint64_t>() < 1 || given->get<std::uint64_t>() > 64)
        fail("\"width\" is not a number of bits from 1 to 64");
      width = given->get<std::uint64_t>();
    }
    const std::uint64_t bits = bits_of(value);
    const bool is_negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
    const std::uint64_t rest = width == 64 ? 0 : (is_negative ? ~bits : bits) >> (is_negative ? width - 1 : width);
    if (rest != 0) fail(fmt::format("\"value\" {} does not fit in {} bits", value.dump(), width));
    const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    return bytes_of(bits & mask, (width + 7) / 8);
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t index_;
};

}  // namespace

/// FNV-1a.
std::uint32_t site_number(std::string_view site) noexcept {
  std::uint32_t number = 0x811C'9DC5;
  for (const char c : site) number = (number ^ static_cast<std::uint8_t>(c)) * 0x0100'0193;
  return number;
}

std::string to_json(const TestCase& test) {
  nlohmann::ordered_json inputs = nlohmann::ordered_json::array();
  for (const TestInput& input : test.inputs) {
    nlohmann::ordered_json entry = {{"name", input.name}, {"bytes", to_digits(input.bytes)}};
    if (has_value(input)) {
      const std::uint64_t number = number_of(input.bytes);
      if (is_unsigned(input.name)) {
        entry["value"] = number;
      } else {
        entry["value"] = sign_extend(number, input.bytes.size());
      }
    }
    inputs.push_back(std::move(entry));
  }
  nlohmann::ordered_json object = {{"plumb", "1.0"}, {"inputs", std::move(inputs)}};
  if (test.environment != Environment{}) object["environment"] = to_json(test.environment);
  if (!test.schedule.empty()) object["schedule"] = to_json(test.schedule);
  for (const UnsetBytes& unset : test.unset) {
    nlohmann::ordered_json entry = {{"site", unset.site},
                                    {"creation", unset.creation},
                                    {"offset", unset.offset},
                                    {"bytes", to_digits(unset.bytes)}};
    if (unset.bytes.size() <= 8 && std::has_single_bit(unset.bytes.size()))
      entry["value"] = sign_extend(number_of(unset.bytes), unset.bytes.size());
    object["uninitialised"].push_back(std::move(entry));
  }
  return object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

TestCase parse_test_case(std::string_view text, const std::string& file) {
  const nlohmann::json object = parse_json(text, file);
  const SourceLocation start = place_of_byte(text, std::min(text.find_first_not_of(" \t\r\n"), text.size()), file);
  if (!object.is_object()) throw UserError(start, "a test is an object with \"inputs\"", std::string(kForm));
  const auto inputs = object.find("inputs");
  const auto environment = object.find("environment");
  const bool has_inputs = inputs != object.end();
  const auto schedule = object.find("schedule");
  if (has_inputs ? !inputs->is_array() : environment == object.end() && schedule == object.end())
    throw UserError(start, "a test needs a list \"inputs\"", std::string(kForm));
  TestCase test;
  if (schedule != object.end()) test.schedule = parse_schedule(*schedule, text, file);
  if (environment != object.end()) test.environment = parse_environment(*environment, text, file);
  if (const auto unset = object.find("uninitialised"); unset != object.end()) {
    if (!unset->is_array()) throw UserError(start, "\"uninitialised\" is no list", "");
    for (const nlohmann::json& each : *unset) test.unset.push_back(InputReader(text, file, 0).read_unset(each));
  }
  if (!has_inputs) return test;
  for (std::size_t i = 0; i < inputs->size(); ++i) test.inputs.push_back(InputReader(text, file, i).read((*inputs)[i]));
  return test;
}

TestCase read_test_case(const std::filesystem::path& path) { return parse_test_case(read_file(path), path.string()); }

std::vector<std::pair<std::filesystem::path, TestCase>> read_test_cases(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) return {{path, read_test_case(path)}};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path, error))
    if (entry.path().extension() == ".json" && !entry.is_directory()) files.push_back(entry.path());
  if (error)
    throw UserError(SourceLocation{path.string()}, fmt::format("cannot read the directory: {}", error.message()));
  if (files.empty())
    throw UserError(SourceLocation{path.string()}, "the directory has no tests", "tests are files that end in .json");
  std::ranges::sort(files);
  std::vector<std::pair<std::filesystem::path, TestCase>> tests;
  for (const std::filesystem::path& file : files) tests.emplace_back(file, read_test_case(file));
  return tests;
}

}  // namespace plumb::result
