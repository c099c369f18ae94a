#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace plumb::cli {

/// An option that takes one of some words.
template <typename Value>
void add_choice(CLI::App& app, const std::string& name, Value& value, const std::map<std::string, Value>& words,
                const std::string& help, const std::string& shown) {
  const auto take = [name, &value, words, shown](const std::string& word) {
    const auto found = words.find(word);
    if (found == words.end()) throw CLI::ValidationError(name, fmt::format("takes {}, not '{}'", shown, word));
    value = found->second;
  };
  app.add_option_function<std::string>(name, take, help)->type_name(shown)->option_text(shown);
}

}  // namespace plumb::cli
