#include "cli/program_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/error.h"
#include "cli/live_progress.h"
#include "instrument/board_program.h"
#include "program/check_set.h"
#include "result/defect/defect_json.h"

namespace plumb::cli {
namespace {

constexpr std::string_view kCompilerFlag = "--compiler-flag";

}  // namespace

void add_program_options(CLI::App& app, ProgramOptions& options, FilesNeeded needed) {
  CLI::Option* files = app.add_option(
      "FILE", options.load.files, "C or C++ (.c .i .cpp .cc .cxx .C), LLVM's .bc or .ll, or a compile_commands.json");
  if (needed == FilesNeeded::Yes) files->required();
  app.add_option("-I", options.include_directories, "Look here for headers")->type_name("DIR")->allow_extra_args(false);
  app.add_option("-D", options.definitions, "Define a macro: NAME or NAME=TEXT")
      ->type_name("MACRO")
      ->allow_extra_args(false);
  app.add_option("-O", options.optimisation, "Optimisation by clang; 0 keeps every branch of the source")
      ->type_name("0-3")
      ->check(CLI::IsMember({"0", "1", "2", "3"}))
      ->capture_default_str();
  CLI::Option* m32 = app.add_flag("--m32", options.m32, "A 32-bit program");
  app.add_flag("--m64", options.m64, "A 64-bit program (the default)")->excludes(m32);
  app.add_option("--entry", options.load.entry, "The function to begin with")
      ->type_name("FUNCTION")
      ->capture_default_str();
  app.add_option(std::string(kCompilerFlag), options.compiler_flags,
                 "Give this to clang; so is -std=… and all that stands after --")
      ->type_name("FLAG")
      ->allow_extra_args(false);
}

void add_checks_option(CLI::App& app, ProgramOptions& options) {
  app.add_option_function<std::string>(
         "--checks", [&options](const std::string& text) { options.load.checks = program::parse_checks(text); },
         fmt::format("What to look for: default, undefined, all, none, or some of {} with commas; -NAME takes one out",
                     program::check_names()))
      ->type_name("LIST");
}

std::string quoted_word(const std::string& word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%^";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

std::string command_words(const ProgramOptions& options) {
  std::string words;
  const auto add = [&words](const std::string& word) { words += (words.empty() ? "" : " ") + quoted_word(word); };
  for (const std::string& file : options.load.files) add(file);
  for (const std::string& directory : options.include_directories) add("-I" + directory);
  for (const std::string& definition : options.definitions) add("-D" + definition);
  if (options.optimisation != "0") add("-O" + options.optimisation);
  if (options.m32) add("--m32");
  if (options.load.entry != "main") add("--entry=" + options.load.entry);
  for (const std::string& flag : options.compiler_flags) add(fmt::format("{}={}", kCompilerFlag, flag));
  if (options.load.checks != program::CheckSet::defaults()) add("--checks=" + program::to_string(options.load.checks));
  return words;
}

bool takes_program(const CLI::App& command) {
  return command.get_option_no_throw(std::string(kCompilerFlag)) != nullptr;
}

std::vector<std::string> expand_compiler_flags(const std::vector<std::string>& arguments) {
  std::vector<std::string> expanded;
  bool is_flag = false;
  for (const std::string& argument : arguments) {
    if (argument == "-m32" || argument == "-m64") {
      expanded.push_back("-" + argument);
    } else if (is_flag || argument.starts_with("-std=")) {
      expanded.push_back(fmt::format("{}={}", kCompilerFlag, argument));
    } else if (argument == "--") {
      is_flag = true;
    } else {
      expanded.push_back(argument);
    }
  }
  return expanded;
}

frontend::LoadOptions load_options(const ProgramOptions& options) {
  frontend::LoadOptions load = options.load;
  for (const std::string& directory : options.include_directories) load.compiler_flags.push_back("-I" + directory);
  for (const std::string& definition : options.definitions) load.compiler_flags.push_back("-D" + definition);
  load.compiler_flags.insert(load.compiler_flags.end(), options.compiler_flags.begin(), options.compiler_flags.end());
  load.optimisation = static_cast<unsigned>(options.optimisation.front() - '0');
  if (options.m32) load.word_size = 32;
  if (options.m64) load.word_size = 64;
  return load;
}

void refuse_board_programs(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (instrument::is_board_program(file))
      throw UserError(
          SourceLocation{file}, "this is a program for a board",
          fmt::format("plumb serve {0} tests it there, plumb serve --replay TESTS {0} runs tests", quoted_word(file)));
}

program::Program load_program(const ProgramOptions& options, const Context& context) {
  const frontend::LoadOptions load = load_options(options);
  const LiveProgress progress("reading " + load.files.front(), context.common.quiet);
  return frontend::load_program(load, context.budget);
}

}  // namespace plumb::cli
