#include "cli/shell/shell.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>

#include "base/error.h"
#include "base/spelling.h"
#include "cli/shell/abc_console.h"
#include "cli/shell/commands.h"
#include "cli/shell/words.h"

namespace plumb::cli::shell {
namespace {

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string_view> names;
  for (const Command& command : commands()) names.push_back(command.name);
  std::vector<std::string_view> of_abc;
  for (const auto list : {circuit::abc_commands(), further_abc_commands()})
    for (const circuit::AbcCommand& command : list) of_abc.push_back(command.name);
  const std::string_view near = nearest_name(name, names);
  const bool is_of_abc = std::ranges::find(of_abc, name) != of_abc.end();
  throw UserError(fmt::format("no command '{}'", name), is_of_abc      ? fmt::format("did you mean abc {}?", name)
                                                        : near.empty() ? "`help` lists them"
                                                                       : fmt::format("did you mean {}?", near));
}

/// False if all that was asked for was help.
bool parse(CLI::App& app, std::vector<std::string> arguments, std::ostream& out) {
  try {
    std::ranges::reverse(arguments);  // as the library wants them
    app.parse(std::move(arguments));
    return true;
  } catch (const CLI::CallForHelp&) {
    out << app.help();
    return false;
  } catch (const CLI::ParseError& error) {
    throw UserError(fmt::format("{}: {}", app.get_name(), error.what()),
                    fmt::format("`{} -h` shows the options", app.get_name()));
  }
}

}  // namespace

void Shell::run_command(const std::vector<std::string>& words) {
  const Command* command = find_command(words.front());
  if (command == nullptr) fail_unknown(words.front());
  Run run;
  const auto app = make_app(*command, run);
  if (!parse(*app, {words.begin() + 1, words.end()}, session_.out)) return;
  Budget budget = root_.with_own_cancellation();
  if (session_.settings.timeout) budget = budget.with_timeout(*session_.settings.timeout);
  if (session_.settings.memory) budget = budget.with_memory_limit(*session_.settings.memory);
  session_.budget = budget;
  const prove::Stopwatch watch;
  const auto take_time = [&] {
    session_.total_seconds += watch.seconds();
    // print_time tells of the command before it, also when it is asked twice.
    if (command->name != "print_time") session_.last_seconds = watch.seconds();
  };
  try {
    const std::shared_ptr<void> guarded = guard_ ? guard_(budget) : nullptr;
    run(session_);
  } catch (...) {
    take_time();
    throw;
  }
  take_time();
  if (budget.exceeded() == Stop::Cancelled) throw OutOfBudget{Stop::Cancelled};
}

void Shell::run_line(std::string_view line) {
  for (const Words& words : split_commands(line)) {
    if (session_.has_quit) return;
    run_command(words);
    session_.out.flush();
  }
}

void Shell::run_line_forgivingly(std::string_view line) {
  std::string message;
  try {
    run_line(line);
  } catch (const UserError& error) {
    message = error.what();
  } catch (const OutOfBudget& end) {
    message = end.stop == Stop::Cancelled ? "interrupted" : std::string(to_string(end.stop));
  } catch (const std::bad_alloc&) {
    message = to_string(Stop::Memory);
  } catch (const InternalError& error) {
    message =
        fmt::format("internal error: {}\n{}\nThis is a bug of plumb, not of your input.", error.what(), error.stack());
  }
  if (!message.empty()) session_.print("{}\n", message);
  session_.out.flush();
}

void Shell::run_lines(std::istream& lines, const std::string& name) {
  std::uint32_t number = 0;
  for (std::string line; !session_.has_quit && std::getline(lines, line);) {
    ++number;
    try {
      run_line(line);
    } catch (const UserError& error) {
      session_.out.flush();
      std::string message = error.what();
      if (message.starts_with("error: ")) message.erase(0, std::string_view("error: ").size());
      throw UserError(SourceLocation{name, number, 0}, message);
    }
  }
}

}  // namespace plumb::cli::shell
