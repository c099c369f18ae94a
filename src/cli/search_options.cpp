#include "cli/search_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/choice_option.h"

namespace plumb::cli {
namespace {

void add_size(CLI::App& app, const std::string& name, std::uint64_t& value, const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_size(text); }, help)
      ->type_name("SIZE");
}

}  // namespace

void add_duration(CLI::App& app, const std::string& name, std::chrono::duration<double>& value,
                  const std::string& help) {
  app.add_option_function<std::string>(
         name, [&value](const std::string& text) { value = parse_duration(text); }, help)
      ->type_name("TIME");
}

void add_campaign_options(CLI::App& app, SearchOptions& options) {
  app.add_option("--input", options.input, "Begin with this test, or all tests of this directory")
      ->type_name("FILE|DIR");
  app.add_flag("--resume", options.is_resumed,
               "Go on with the campaign in --out: the same program and options, unless they are given anew");
  app.add_flag("--minimize", options.minimise, "At the end, keep the fewest tests that have the same coverage");
}

void add_search_options(CLI::App& app, concolic::SearchOptions& options) {
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
  app.add_option("--solver,--smt-solver", options.solver,
                 "native, z3, cvc5, portfolio, or the command of an SMT-LIB solver")
      ->type_name("NAME")
      ->capture_default_str();
  add_duration(app, "--query-timeout", options.query_time, "For one question to the solver (10s)");
  app.add_flag("--all-errors", options.all_errors, "Keep a test for every path that ends in an error, not one a place");
  app.add_flag("--check-traces", options.check_traces,
               "Hold every run against the formulas made of it (to look for bugs of plumb itself)");
}

void add_sandbox_option(CLI::App& app, SandboxUse& sandbox) {
  add_choice<SandboxUse>(
      app, "--sandbox", sandbox, {{"auto", SandboxUse::Auto}, {"on", SandboxUse::On}, {"off", SandboxUse::Off}},
      "Keep the program from changing files outside its scratch directory, signalling other processes "
      "and using the network; auto (the default) as far as this machine allows",
      "auto|on|off");
}

void add_limit_options(CLI::App& app, concolic::RunLimits& limits) {
  add_duration(app, "--run-timeout", limits.time, fmt::format("For one run of the program ({}s)", limits.time.count()));
  add_size(app, "--run-memory", limits.memory, "For one run of the program (1G)");
  add_size(app, "--run-file-size", limits.file_size, "Of a file that the program writes (16M)");
  app.add_option("--run-processes", limits.processes, "That one run may start")->type_name("N")->capture_default_str();
}

}  // namespace plumb::cli
