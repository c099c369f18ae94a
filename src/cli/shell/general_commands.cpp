#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "base/error.h"
#include "cli/command.h"
#include "cli/shell/commands.h"
#include "cli/shell/words.h"

namespace plumb::cli::shell {
namespace {

struct Setting {
  std::string_view name;
  std::string_view meaning;
  std::string (*show)(const Settings& settings);
  void (*change)(Settings& settings, const std::string& text);
};

std::uint64_t whole_number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw UserError(fmt::format("'{}' is not a whole number", text));
  return value;
}

bool on_or_off(const std::string& text) {
  if (text == "on" || text == "yes" || text == "true") return true;
  if (text == "off" || text == "no" || text == "false") return false;
  throw UserError(fmt::format("expected on or off, found '{}'", text));
}

constexpr Setting kSettings[] = {
    {"timeout", "time limit of each command: 30, 500ms, 5m, or off",
     [](const Settings& s) { return s.timeout ? fmt::format("{:g}s", s.timeout->count()) : std::string("off"); },
     [](Settings& s, const std::string& text) {
       if (text == "off")
         s.timeout.reset();
       else
         s.timeout = parse_duration(text);
     }},
    {"memory", "greatest memory: 512M, 1G, or off",
     [](const Settings& s) { return s.memory ? fmt::format("{}", *s.memory) : std::string("off"); },
     [](Settings& s, const std::string& text) {
       if (text == "off")
         s.memory.reset();
       else
         s.memory = parse_size(text);
     }},
    {"seed", "of everything that is random", [](const Settings& s) { return fmt::format("{}", s.seed); },
     [](Settings& s, const std::string& text) { s.seed = whole_number(text); }},
    {"abc", "the program that `abc` calls", [](const Settings& s) { return s.abc.program; },
     [](Settings& s, const std::string& text) { s.abc.program = text; }},
    {"trust_abc", "on: a proof of ABC counts even if it could not be re-checked",
     [](const Settings& s) { return std::string(s.trust_abc ? "on" : "off"); },
     [](Settings& s, const std::string& text) { s.trust_abc = on_or_off(text); }},
};

const Setting& setting(const std::string& name) {
  for (const Setting& one : kSettings)
    if (one.name == name) return one;
  throw UserError(fmt::format("no setting '{}'", name),
                  fmt::format("settings are {}", fmt::join(setting_names(), ", ")));
}

void print_setting(Session& session, const Setting& one) {
  session.print("{:<10} {:<14} {}\n", one.name, one.show(session.settings), one.meaning);
}

}  // namespace

std::vector<std::string_view> setting_names() {
  std::vector<std::string_view> names;
  for (const Setting& one : kSettings) names.push_back(one.name);
  return names;
}

Run add_help(CLI::App& app) {
  const auto name = std::make_shared<std::string>();
  app.add_option("COMMAND", *name, "Show the help of this command");
  return [name](Session& session) {
    if (!name->empty()) {
      const Command* command = find_command(*name);
      if (command == nullptr) throw UserError(fmt::format("no command '{}'", *name), "`help` lists them");
      session.out << help_text(*command);
      return;
    }
    for (const Command& command : commands()) session.print("{:<13} {}\n", command.name, command.summary);
    session.out
        << "\n`COMMAND -h` shows the options of a command. Commands are separated by ; and # starts a comment.\n"
           "Ctrl-C stops the command that runs, Ctrl-D leaves.\n";
  };
}

Run add_echo(CLI::App& app) {
  app.prefix_command();
  app.footer("echo TEXT… prints the words with a blank between them.");
  return [&app](Session& session) { session.print("{}\n", fmt::join(app.remaining(), " ")); };
}

Run add_print_time(CLI::App&) {
  return [](Session& session) {
    session.print("elapsed: {:.2f} s in the last command, {:.2f} s in total\n", session.last_seconds,
                  session.total_seconds);
  };
}

Run add_set(CLI::App& app) {
  const auto words = std::make_shared<std::pair<std::string, std::string>>();
  app.add_option("NAME", words->first, "The setting; all are shown without one");
  app.add_option("VALUE", words->second, "Its new value; it is shown without one");
  std::string footer = "Settings:\n";
  for (const Setting& one : kSettings) footer += fmt::format("  {:<10} {}\n", one.name, one.meaning);
  app.footer(footer);
  return [words](Session& session) {
    if (words->first.empty()) {
      for (const Setting& one : kSettings) print_setting(session, one);
      return;
    }
    const Setting& one = setting(words->first);
    if (words->second.empty())
      print_setting(session, one);
    else
      one.change(session.settings, words->second);
  };
}

Run add_quit(CLI::App&) {
  return [](Session& session) { session.has_quit = true; };
}

}  // namespace plumb::cli::shell
