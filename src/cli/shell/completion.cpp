#include "cli/shell/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "base/error.h"
#include "cli/shell/abc_console.h"
#include "cli/shell/commands.h"
#include "cli/shell/words.h"

namespace plumb::cli::shell {
namespace {

/// ABC lists its commands in a process of its own, so each program is asked once.
const std::vector<std::string>& names_of_abc(const std::string& program) {
  static std::map<std::string, std::vector<std::string>> known;
  const auto [entry, is_new] = known.try_emplace(program);
  if (is_new) {
    entry->second = abc_command_names(program);
    for (const auto list : {circuit::abc_commands(), further_abc_commands()})
      for (const circuit::AbcCommand& command : list) entry->second.emplace_back(command.name);
  }
  return entry->second;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

std::vector<std::string> option_names(const Command& command) {
  Run run;
  const auto app = make_app(command, run);
  std::vector<std::string> names;
  for (const CLI::Option* option : app->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

/// The option takes the name of a file.
bool takes_file(const Command& command, const std::string& option) {
  if (option.empty() || option.front() != '-') return false;
  Run run;
  const auto app = make_app(command, run);
  const CLI::Option* found = app->get_option_no_throw(option);
  return found != nullptr && found->get_type_name() == "FILE";
}

template <typename Names>
std::vector<std::string> strings(const Names& names) {
  return {names.begin(), names.end()};
}

Completions arguments(const Session& session, const Command& command, std::size_t position) {
  switch (command.arguments) {
    case Arguments::None:
      return {};
    case Arguments::Files:
      return {{}, true};
    case Arguments::Commands:
      return {command_names(), false};
    case Arguments::AbcCommands:
      return position == 1 ? Completions{names_of_abc(session.settings.abc.program), false} : Completions{};
    case Arguments::Variables:
      return {session.simulation ? session.simulation->names() : std::vector<std::string>(), false};
    case Arguments::Settings:
      return position == 1 ? Completions{strings(setting_names()), false} : Completions{};
    case Arguments::Formats:
      return {strings(format_names()), false};
  }
  return {};
}

Completions possible(const Session& session, const std::string& before, const std::string& word) {
  std::vector<Words> lines = split_commands(before + "x");  // so that the last command is there also if it is empty
  Words words = std::move(lines.back());
  words.pop_back();
  if (words.empty()) return {command_names(), false};
  const Command* command = find_command(words.front());
  if (command == nullptr) return {};
  if (takes_file(*command, words.back())) return {{}, true};
  if (word.starts_with('-') && command->arguments != Arguments::AbcCommands) return {option_names(*command), false};
  return arguments(session, *command, words.size());
}

}  // namespace

Completions completions(const Session& session, const std::string& before, const std::string& word) {
  Completions result;
  try {
    result = possible(session, before, word);
  } catch (const UserError&) {  // a quote is open: names of files are the best guess
    result.files = true;
  }
  std::erase_if(result.words, [&](const std::string& name) { return !name.starts_with(word); });
  std::ranges::sort(result.words);
  result.words.erase(std::ranges::unique(result.words).begin(), result.words.end());
  return result;
}

}  // namespace plumb::cli::shell
