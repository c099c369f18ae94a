#include "cli/prob/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"

namespace plumb::cli::prob {
namespace {

using Method = chain::AnalysisOptions::Method;
using Lumping = chain::CheckOptions::Lumping;

constexpr std::array<std::string_view, 5> kKinds = {"tra", "sta", "lab", "srew", "trew"};

const std::map<std::string, Method>& methods() {
  static const std::map<std::string, Method> names = {{"automatic", Method::Automatic},
                                                      {"interval", Method::Interval},
                                                      {"value", Method::Value},
                                                      {"policy", Method::Policy},
                                                      {"gauss-seidel", Method::GaussSeidel},
                                                      {"jacobi", Method::Jacobi},
                                                      {"power", Method::Power},
                                                      {"krylov", Method::Krylov},
                                                      {"exact", Method::Exact}};
  return names;
}

std::string is_epsilon(const std::string& text) {
  const char* end = text.c_str() + text.size();
  char* stop = nullptr;
  const double value = std::strtod(text.c_str(), &stop);
  return stop == end && value >= 1e-15 && value <= 0.5 ? "" : text + " is not between 1e-15 and 0.5";
}

void add_question_options(CLI::App& command, Options& options) {
  command.add_option("MODEL", options.model, "A model in the PRISM language: dtmc, ctmc or mdp; - is standard input")
      ->required();
  command.add_option("PROPS", options.properties_file, "A file of properties");
  command.add_option("--prop", options.properties, "A property, or several with ; between them; may be repeated")
      ->type_name("TEXT")
      ->allow_extra_args(false);
  command.add_option("--property", options.chosen, "Only this one, by name or number from 0; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--const", options.constants,
                  "Values of constants: a=1,b=0.1:0.1:0.9 (LOW:STEP:HIGH); ranges make an experiment over all "
                  "combinations")
      ->type_name("LIST")
      ->allow_extra_args(false);
}

void add_solving_options(CLI::App& command, Options& options) {
  chain::AnalysisOptions& analysis = options.check.analysis;
  command.add_option("--epsilon", analysis.epsilon, "Greatest error of a number, relative for numbers above one")
      ->type_name("NUMBER")
      ->check(CLI::Validator(is_epsilon, ""))
      ->capture_default_str();
  command
      .add_option_function<std::string>(
          "--method", [&](const std::string& name) { analysis.method = methods().at(name); },
          "How numbers are computed; where it does not fit, the automatic one is taken")
      ->type_name("NAME")
      ->check(CLI::IsMember(methods()));
  command.add_flag_callback(
      "--exact", [&] { analysis.method = Method::Exact; }, "Fractions instead of floating point, for small models");
  command.add_option("--threads", options.threads, "Of building and solving; 0: all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  static const std::map<std::string, Lumping> kLumping = {
      {"auto", Lumping::Automatic}, {"on", Lumping::On}, {"off", Lumping::Off}};
  command
      .add_option_function<std::string>(
          "--lump", [&](const std::string& name) { options.check.lumping = kLumping.at(name); },
          "Make one state of those that a property cannot tell apart; auto: if it pays")
      ->type_name("WHEN")
      ->check(CLI::IsMember(kLumping));
  static const std::map<std::string, chain::KeepRows> kRows = {
      {"auto", chain::KeepRows::Automatic}, {"keep", chain::KeepRows::Always}, {"recompute", chain::KeepRows::Never}};
  command
      .add_option_function<std::string>(
          "--rows", [&](const std::string& name) { options.keep_rows = kRows.at(name); },
          "Whether transitions are stored; recompute: slower, for models that do not fit; auto: by the memory limit")
      ->type_name("HOW")
      ->check(CLI::IsMember(kRows));
  command.add_flag("--keep-modules", options.keep_modules, "Build modules too that the properties cannot see");
  command.add_flag("--no-fix-deadlocks", options.no_fix_deadlocks, "A state without a way on is an error");
  command.add_option("--max-states", options.max_states, "Stop building at this many")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
}

void add_result_options(CLI::App& command, Options& options) {
  command
      .add_option("--export", options.exports,
                  "Write the chain as PRISM's explicit files: a PREFIX for all, or tra=FILE,sta=FILE,lab=FILE,"
                  "srew=FILE,trew=FILE")
      ->type_name("LIST")
      ->allow_extra_args(false);
  command.add_option("--strategy", options.strategy, "Write the optimal choices of an mdp, state by state")
      ->type_name("FILE");
  command.add_option("--csv", options.csv, "Write the results as a table")->type_name("FILE");
  command.add_option("--plot", options.plots, "Draw an experiment: .svg or .png; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command.add_option("--plot-log", options.plot_log, "Axes with a logarithmic scale")
      ->type_name("AXES")
      ->check(CLI::IsMember({"x", "y", "xy"}));
  command.add_option("--x", options.x, "The constant of the horizontal axis; if not given, that with most values")
      ->type_name("NAME");
}

}  // namespace

void add_options(CLI::App& command, Options& options) {
  add_question_options(command, options);
  add_solving_options(command, options);
  add_result_options(command, options);
}

void check_options(const Options& options) {
  for (const std::string& plot : options.plots) {
    const std::string suffix = std::filesystem::path(plot).extension().string();
    if (suffix != ".svg" && suffix != ".png")
      throw UserError(fmt::format("--plot: '{}' ends neither in .svg nor in .png", plot));
  }
  if (options.check.lumping == Lumping::On && !options.strategy.empty())
    throw UserError("--strategy names states, which --lump on makes one of", "leave one of them out");
  std::vector<std::string> files = options.plots;
  for (const auto& [kind, file] : export_files(options)) files.push_back(file);
  files.push_back(options.csv);
  files.push_back(options.strategy);
  for (const std::string& file : files) {
    const std::filesystem::path directory = std::filesystem::path(file).parent_path();
    std::error_code error;
    if (!directory.empty() && !std::filesystem::is_directory(directory, error))
      throw UserError(fmt::format("cannot write '{}': there is no directory '{}'", file, directory.string()));
  }
}

std::map<std::string, std::string> export_files(const Options& options) {
  std::map<std::string, std::string> files;
  const auto add = [&](std::string_view kind, std::string file) {
    if (!files.emplace(kind, std::move(file)).second)
      throw UserError(fmt::format("--export: there are two files for {}", kind));
  };
  for (const std::string& text : options.exports) {
    if (text.find('=') == std::string::npos) {
      if (text.empty()) throw UserError("--export: the prefix is empty");
      for (const std::string_view kind : kKinds) add(kind, fmt::format("{}.{}", text, kind));
      continue;
    }
    for (std::size_t at = 0; at <= text.size();) {
      const std::string item = text.substr(at, text.find(',', at) - at);
      at += item.size() + 1;
      const std::size_t equals = item.find('=');
      if (equals == std::string::npos || equals + 1 == item.size() ||
          std::ranges::find(kKinds, item.substr(0, equals)) == kKinds.end())
        throw UserError(fmt::format("--export: '{}' is not KIND=FILE", item),
                        "kinds are tra, sta, lab, srew and trew; a PREFIX alone writes all of them");
      add(item.substr(0, equals), item.substr(equals + 1));
    }
  }
  return files;
}

}  // namespace plumb::cli::prob
