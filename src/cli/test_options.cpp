#include "cli/test_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "base/sandbox.h"

namespace plumb::cli {
namespace {

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

void add_duration(CLI::App& app, const std::string& name, std::chrono::duration<double>& value,
                  const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_duration(text); }, help)
      ->type_name("TIME");
}

void add_size(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_size(text); }, help)
      ->type_name("SIZE");
}

void add_search_options(CLI::App& app, concolic::ExploreOptions& options) {
  using concolic::RegionUse;
  using concolic::Strategy;
  using concolic::Until;
  add_choice<RegionUse>(
      app, "--regions", options.regions, {{"off", RegionUse::Off}, {"on", RegionUse::On}, {"auto", RegionUse::Auto}},
      "Summarise regions without loops by formulas; auto (the default) gives up those that cost too much, and searches "
      "path by path in turn with them",
      "off|on|auto");
  add_choice<Strategy>(app, "--strategy", options.strategy,
                       {{"interleaved", Strategy::Interleaved},
                        {"dfs", Strategy::DepthFirst},
                        {"generational", Strategy::Generational},
                        {"coverage", Strategy::Coverage},
                        {"random-path", Strategy::RandomPath}},
                       "Which way to try next; interleaved (the default) takes turns among the last three",
                       "interleaved|dfs|generational|coverage|random-path");
  add_choice<Until>(app, "--until", options.until,
                    {{"all-branches", Until::AllBranches}, {"error", Until::Error}, {"time", Until::Time}},
                    "Stop when all branches are covered (the default), at the first error, or when the time is over",
                    "all-branches|error|time");
  app.add_option("--jobs", options.jobs, "Workers; with one the result depends on the seed alone")
      ->type_name("N")
      ->check(CLI::Range(1U, 256U))
      ->capture_default_str();
  app.add_option("--depth", options.max_depth, "Decisions of a run that are followed; 0: as many as help")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--loop", options.max_loop, "Times that one branch is turned on a path; 0: no bound")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--solver", options.solver, "native, z3, cvc5, portfolio, or the command of an SMT-LIB solver")
      ->type_name("NAME")
      ->capture_default_str();
  add_duration(app, "--query-timeout", options.query_time, "For one question to the solver (10s)");
  app.add_flag("--all-errors", options.all_errors, "Keep a test for every path that ends in an error, not one a place");
  app.add_flag("--check-traces", options.check_traces,
               "Hold every run against the formulas made of it (to look for bugs of plumb itself)");
}

void add_limit_options(CLI::App& app, concolic::RunLimits& limits) {
  add_duration(app, "--run-timeout", limits.time, "For one run of the program (1s)");
  add_size(app, "--run-memory", limits.memory, "For one run of the program (1G)");
  add_size(app, "--run-file-size", limits.file_size, "Of a file that the program writes (16M)");
  add_choice<SandboxUse>(
      app, "--sandbox", limits.sandbox, {{"auto", SandboxUse::Auto}, {"on", SandboxUse::On}, {"off", SandboxUse::Off}},
      "Keep the program from changing files outside its scratch directory, signalling other processes "
      "and using the network; auto (the default) as far as this machine allows",
      "auto|on|off");
  app.add_option("--run-processes", limits.processes, "That one run may start")->type_name("N")->capture_default_str();
}

void add_footer(CLI::App& command) {
  command.footer(
      "Examples:\n"
      "  plumb test lexer.c\n"
      "  plumb test driver.c list.c -Iinclude --until error --timeout 5m --out found\n"
      "  plumb test ./wc --sym-args 0 2 4 --sym-files 1 16\n"
      "  plumb test parser.c --checks default,overflow --suppress known.txt --sarif parser.sarif\n"
      "  plumb test --resume --out found --timeout 1h\n"
      "Inputs are what the program asks for with the functions of plumb/plumb.h, __VERIFIER_nondet_… or\n"
      "klee_make_symbolic, and what --sym-… names. Without --timeout it stops after 60 s, without --out results go to\n"
      "plumb-out: campaign.db, tests/test-000001.json and on, errors/error-001.json and on, result.json. Files of "
      "these\n"
      "names are replaced, unless --resume goes on with what is there.\n"
      "A defect on a line with /* plumb: ignore(KIND) */ does not count, nor one that a pattern of --suppress names.\n"
      "Exit code 10 if a defect was found and confirmed; 0 if not and all branches are covered or no path is left;\n"
      "20 if the budget was over before that; 2 if something could not be read or written.");
}

}  // namespace

void add_test_options(CLI::App& app, TestOptions& options, CommonOptions& common) {
  add_program_options(app, options.program, FilesNeeded::No);
  add_environment_options(app, options.environment);
  app.add_option("--input", options.input, "Begin with this test, or all tests of this directory")
      ->type_name("FILE|DIR");
  app.add_flag("--resume", options.is_resumed,
               "Go on with the campaign in --out: the same program and options, unless they are given anew");
  app.add_flag("--minimize", options.minimise, "At the end, keep the fewest tests that have the same coverage");
  add_checks_option(app, options.program);
  add_defect_options(app, options.defects);
  app.add_flag(
      "--check-memory", options.check_memory,
      "Follow a run of each path in the interpreter too, as --checks uninitialised does; regions are off then");
  add_search_options(app, options.explore);
  add_limit_options(app, options.explore.limits);
  add_common_options(app, common);
  add_footer(app);
}

}  // namespace plumb::cli
