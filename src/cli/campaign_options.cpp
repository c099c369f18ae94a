#include "cli/campaign_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"

namespace plumb::cli {
namespace {

using instrument::SymbolicEnvironment;

/// Of one session, or stored in another way.
constexpr std::array kNotKept = {"--help",  "--out",   "--json",         "--resume",  "--minimize",   "--verbose",
                                 "--quiet", "--input", "--memory",       "--timeout", "--seed-input", "--corpus",
                                 "--sarif", "--junit", "--address-file", "--replay"};

bool is_kept(const CLI::Option& option) {
  const std::string name = option.get_name();
  const bool is_of_environment = name.starts_with("--sym-") || name == "--arg" || name == "--fail-io";
  return !is_of_environment && std::ranges::find(kNotKept, name) == kNotKept.end();
}

[[noreturn]] void fail(const std::string& what) {
  throw UserError(fmt::format("the campaign was begun with {}, which this plumb does not take", what),
                  "begin a new campaign in another directory, with --input and the tests of this one");
}

std::string hex(const std::string& text) {
  std::string digits;
  for (const char c : text) digits += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return digits;
}

std::string from_hex(const std::string& digits) {
  std::string text;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    text += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return text;
}

}  // namespace

std::map<std::string, std::string> words_of(const CLI::App& command) {
  std::map<std::string, std::string> words;
  for (const CLI::Option* option : command.get_options())
    if (option->count() != 0 && is_kept(*option))
      words[option->get_name()] =
          nlohmann::json(option->results()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return words;
}

void restore_words(CLI::App& command, const std::map<std::string, std::string>& stored) {
  for (const auto& [name, text] : stored) {
    if (name == kCommandWord || name == kEnvironmentWord || name == kChecksWord) continue;
    CLI::Option* option = command.get_option_no_throw(name);
    const nlohmann::json words = nlohmann::json::parse(text, nullptr, false);
    if (option == nullptr || !words.is_array()) fail(name);
    if (option->count() != 0) continue;
    try {
      for (const auto& word : words) option->add_result(word.get<std::string>());
      option->run_callback();
    } catch (const CLI::ParseError& error) {
      fail(fmt::format("{} ({})", name, error.what()));
    } catch (const nlohmann::json::exception&) {
      fail(name);
    }
  }
}

std::string to_json(const SymbolicEnvironment& environment) {
  nlohmann::ordered_json arguments = nlohmann::ordered_json::array();
  for (const SymbolicEnvironment::Arguments& group : environment.arguments)
    arguments.push_back({hex(group.text), group.minimum, group.maximum, group.length});
  nlohmann::ordered_json variables = nlohmann::ordered_json::array();
  for (const auto& [name, length] : environment.variables) variables.push_back({hex(name), length});
  const nlohmann::ordered_json object = {{"arguments", arguments},          {"stdin", environment.standard_input},
                                         {"files", environment.file_count}, {"file_size", environment.file_size},
                                         {"variables", variables},          {"fail_io", environment.failing_calls}};
  return object.dump();
}

SymbolicEnvironment environment_from_json(const std::string& text) {
  try {
    const nlohmann::json object = nlohmann::json::parse(text);
    SymbolicEnvironment environment;
    for (const auto& group : object.at("arguments"))
      environment.arguments.push_back({from_hex(group.at(0).get<std::string>()), group.at(1).get<std::uint32_t>(),
                                       group.at(2).get<std::uint32_t>(), group.at(3).get<std::uint32_t>()});
    environment.standard_input = object.at("stdin").get<std::uint32_t>();
    environment.file_count = object.at("files").get<std::uint32_t>();
    environment.file_size = object.at("file_size").get<std::uint32_t>();
    for (const auto& variable : object.at("variables"))
      environment.variables.emplace_back(from_hex(variable.at(0).get<std::string>()),
                                         variable.at(1).get<std::uint32_t>());
    environment.failing_calls = object.at("fail_io").get<std::uint32_t>();
    return environment;
  } catch (const std::exception&) {
    fail("a symbolic environment");
  }
}

}  // namespace plumb::cli
