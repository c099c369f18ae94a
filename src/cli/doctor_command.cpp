#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "base/sandbox.h"
#include "base/subprocess.h"
#include "check/engine.h"
#include "cli/command.h"
#include "cli/forecast_report.h"
#include "cli/program_options.h"
#include "frontend/load.h"
#include "frontend/toolchain/board_command.h"
#include "prove/engine.h"
#include "solve/versions.h"

namespace plumb::cli {
namespace {

enum class Need { Required, Optional };

/// A program that some command calls.
struct Tool {
  std::string program;
  std::string_view package;  ///< of Debian 12
  std::string_view version_option;
  std::string_view needed_by;  ///< commands, separated by spaces
  Need need;
  std::string purpose;
};

const std::array kTools = {
    Tool{"clang-19", "clang-19", "--version", "test serve cc check equiv ir run", Need::Required,
         "compiles C programs"},
    Tool{"llvm-cov-19", "llvm-19", "--version", "replay", Need::Required, "measures coverage"},
    Tool{"llvm-profdata-19", "llvm-19", "--version", "replay", Need::Required, "reads what was counted"},
    Tool{"berkeley-abc", "berkeley-abc", "-c", "prove bip check shell", Need::Required, "proves and reduces circuits"},
    Tool{"yosys", "yosys", "-V", "check equiv", Need::Required, "reads Verilog"},
    Tool{"z3", "z3", "--version", "solve", Need::Optional, "takes scripts outside QF_ABV, runs in the portfolio"},
    Tool{"cvc5", "cvc5", "--version", "solve", Need::Optional, "another backend, runs in the portfolio"},
    Tool{"cadical", "cadical", "--version", "solve", Need::Optional, "for trying a CNF by hand"},
    Tool{"qemu-arm", "qemu-user", "--version", "serve", Need::Optional, "runs programs for boards without a board"},
    Tool{"qemu-system-arm", "qemu-system-arm", "--version", "serve", Need::Optional, "runs firmware without a board"},
    Tool{"rsvg-convert", "librsvg2-bin", "--version", "prob energy", Need::Optional, "makes PNG pictures of plots"},
    Tool{"gdb", "gdb", "--version", "replay", Need::Optional, "debugs a test"},
    Tool{"ccache", "ccache", "--version", "replay", Need::Optional, "compiles units once that programs share"},
    Tool{"iverilog", "iverilog", "-V", "check equiv", Need::Optional, "simulates Verilog, in tests"},
};

/// Those, and a linker for each machine that programs are made for.
std::vector<Tool> tools() {
  std::vector<Tool> all(kTools.begin(), kTools.end());
  for (const auto& [triple, packages, name] : frontend::known_machines())
    all.push_back({fmt::format("{}-{}", triple, frontend::is_bare_metal(triple) ? "gcc" : "ld"), packages, "--version",
                   "serve", Need::Optional, fmt::format("links programs for boards: {}", name)});
  return all;
}

/// What is linked into this program.
struct Library {
  std::string name;
  std::string version;
  std::string_view purpose;
};

std::vector<Library> libraries() {
  std::vector<Library> found;
  for (const auto& [name, number] : solve::backend_versions())
    found.push_back({name + " (library)", number, "every command that solves"});
  found.push_back({"llvm (library)", frontend::llvm_version(), "every command that reads programs"});
  return found;
}

struct Finding {
  Tool tool;
  bool found;
  bool required;  ///< by a command that this build has
  std::string version;
};

/// The first run of digits and dots that has both, or the first word.
std::string version_number(std::string_view text) {
  constexpr std::string_view kCharacters = "0123456789.";
  for (std::size_t start = 0; (start = text.find_first_of("0123456789", start)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of(kCharacters, start), text.size());
    const std::string_view word = text.substr(start, end - start);
    if (word.find('.') != std::string_view::npos) return std::string(word.substr(0, word.find_last_not_of('.') + 1));
    start = end;
  }
  const std::string_view word = text.substr(0, std::min<std::size_t>(text.find_first_of(" \n"), 12));
  return word.empty() ? "found" : std::string(word);
}

bool is_built(const Tool& tool, const std::vector<std::string>& commands) {
  return std::ranges::any_of(commands, [&](const std::string& command) {
    return fmt::format(" {} ", tool.needed_by).find(fmt::format(" {} ", command)) != std::string::npos;
  });
}

Finding examine(const Tool& tool, const std::vector<std::string>& commands, const Budget& budget) {
  Finding finding{
      tool, find_program(tool.program).has_value(), tool.need == Need::Required && is_built(tool, commands), {}};
  if (!finding.found) return finding;
  std::vector<std::string> arguments{tool.program, std::string(tool.version_option)};
  if (tool.version_option == "-c") arguments.emplace_back("version");
  try {
    const ProcessResult result = run_process(arguments, {}, budget.with_timeout(std::chrono::seconds(10)));
    finding.version = version_number(result.output.empty() ? result.error : result.output);
  } catch (const UserError&) {
    finding.found = false;
  }
  return finding;
}

/// Why no temporary file can be written; empty if it can.
std::string temporary_directory_problem() {
  try {
    const TemporaryDirectory directory;
    write_file(directory.path() / "probe", "x");
  } catch (const UserError& error) {
    return error.what();
  }
  return {};
}

std::string install_line(const std::vector<Finding>& findings, bool required_only) {
  std::string packages;
  for (const Finding& finding : findings)
    if (!finding.found && (finding.required || !required_only)) packages += fmt::format(" {}", finding.tool.package);
  return packages.empty() ? packages : "apt-get install" + packages;
}

/// Those of programs, then those of systems.
std::vector<const result::EngineInfo*> engines() {
  std::vector<const result::EngineInfo*> all = check::engines().infos();
  all.insert(all.end(), prove::engines().infos().begin(), prove::engines().infos().end());
  return all;
}

bool is_available(const result::EngineInfo& engine) {
  return engine.program.empty() || find_program(engine.program).has_value();
}

std::string engine_table() {
  std::string text = fmt::format("\n{:<14}{:<12}{:<31}{}\n", "engine", "takes", "can say", "");
  for (const result::EngineInfo* engine : engines())
    text += fmt::format("{:<14}{:<12}{:<31}{}{}\n", shown_name(*engine), to_string(engine->takes),
                        possible_verdicts(*engine), is_default(*engine) ? "by default" : "on request",
                        is_available(*engine) ? "" : fmt::format(", needs {}", engine->program));
  return text;
}

nlohmann::ordered_json engines_json() {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const result::EngineInfo* engine : engines())
    list.push_back({{"name", shown_name(*engine)},
                    {"takes", to_string(engine->takes)},
                    {"says", possible_verdicts(*engine)},
                    {"default", is_default(*engine)},
                    {"found", is_available(*engine)},
                    {"purpose", engine->summary}});
  return list;
}

std::string table(const std::vector<Finding>& findings, const std::string& temporary_problem) {
  std::string text = fmt::format("{:<26}{:<12}{:<10}{}\n", "what", "version", "", "for");
  for (const Library& library : libraries())
    text += fmt::format("{:<26}{:<12}{:<10}{}\n", library.name, library.version, "built in", library.purpose);
  for (const Finding& finding : findings)
    text += fmt::format("{:<26}{:<12}{:<10}{}\n", finding.tool.program, finding.found ? finding.version : "missing",
                        finding.required ? "needed" : "optional", finding.tool.purpose);
  text += fmt::format("{:<26}{:<12}{:<10}{}\n", "temporary directory",
                      temporary_problem.empty() ? "writable" : "not usable", "needed", "files for other programs");
  const SandboxPowers& sandbox = sandbox_powers();
  text += fmt::format("{:<26}{:<12}{:<10}{}\n", "sandbox", sandbox.is_complete() ? "complete" : "partial", "optional",
                      "keeps programs under test from the rest of the machine");
  text += engine_table();
  if (!temporary_problem.empty()) text += fmt::format("\n{}\n", temporary_problem);
  if (!sandbox.is_complete())
    text += fmt::format("\nThe sandbox does not keep programs under test from {}\n", sandbox.missing());
  if (const std::string line = install_line(findings, false); !line.empty())
    text += fmt::format("\nTo get all that is missing:\n  {}\n", line);
  return text;
}

int diagnose(const Context& context, const std::vector<std::string>& commands) {
  std::vector<Finding> findings;
  for (const Tool& tool : tools()) findings.push_back(examine(tool, commands, context.budget));
  const std::string temporary_problem = temporary_directory_problem();
  const bool complete = temporary_problem.empty() && install_line(findings, true).empty();

  if (!context.common.json) {
    context.out << table(findings, temporary_problem)
                << (complete ? "\nAll that this build needs is there.\n"
                             : "\nSomething that this build needs is missing.\n");
  }
  result::Report report("doctor", {});
  report.conclusion = complete ? result::Conclusion::Complete : result::Conclusion::Incomplete;
  nlohmann::ordered_json results = nlohmann::ordered_json::array();
  for (const Library& library : libraries())
    results.push_back({{"name", library.name},
                       {"found", true},
                       {"version", library.version},
                       {"needed", true},
                       {"purpose", library.purpose}});
  for (const Finding& finding : findings)
    results.push_back({{"name", finding.tool.program},
                       {"found", finding.found},
                       {"version", finding.version},
                       {"needed", finding.required},
                       {"package", finding.tool.package},
                       {"purpose", finding.tool.purpose}});
  results.push_back({{"name", "temporary directory"}, {"found", temporary_problem.empty()}, {"needed", true}});
  results.push_back({{"name", "sandbox"},
                     {"found", sandbox_powers().is_complete()},
                     {"needed", false},
                     {"missing", sandbox_powers().missing()}});
  report["results"] = std::move(results);
  report["engines"] = engines_json();
  report["install"] = install_line(findings, false);
  return publish(context, report);
}

}  // namespace

Action add_doctor_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<ProgramOptions>();
  CLI::App* command = app.add_subcommand(
      "doctor", "Show what is installed and what is missing, or what makes a program hard to analyse");
  add_program_options(*command, *options, FilesNeeded::No);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb doctor\n"
      "  plumb doctor prog.c -Iinclude\n"
      "Without a file: exit code 0 if all that this build needs is there, 20 if not. With files: 0 if every function\n"
      "that can be called has a body and everything is supported, 20 if not.");
  return [&app, options](const Context& context) {
    if (!options->load.files.empty())
      return with_error_report(context, "doctor", options->load.files,
                               [&] { return show_forecast(*options, context); });
    std::vector<std::string> commands;
    for (const CLI::App* each : app.get_subcommands({})) commands.push_back(each->get_name());
    return diagnose(context, commands);
  };
}

}  // namespace plumb::cli
