#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "cli/program_options.h"
#include "program/analysis/dot.h"
#include "program/analysis/governors.h"
#include "program/printer.h"

namespace plumb::cli {
namespace {

using program::FunctionId;
using program::Program;

struct Options {
  ProgramOptions program;
  std::string function;
  bool dot = false;
  bool stats = false;
  bool unsupported = false;
};

/// A place in the program that no engine can go past.
struct UnsupportedPlace {
  FunctionId function;
  SourceLocation place;
  std::string construct;
};

std::vector<UnsupportedPlace> unsupported_places(const Program& program, const std::vector<FunctionId>& functions) {
  std::vector<UnsupportedPlace> places;
  for (const FunctionId f : functions)
    for (const program::Instruction& instruction : program.functions[f].instructions)
      if (instruction.kind == program::Kind::Halt && instruction.halt_reason() == program::HaltReason::Unsupported)
        places.push_back(
            {f, program.describe(instruction.location),
             instruction.parameter == program::kNone ? "not supported" : program.messages[instruction.parameter]});
  return places;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The governors of some functions and what finding them took.
struct GovernorTotals {
  std::uint64_t governors = 0;
  std::uint64_t governed_blocks = 0;
  double seconds = 0;
  double worst_seconds = 0;  ///< of one function
};

GovernorTotals find_governors(const Program& program, const std::vector<FunctionId>& functions) {
  GovernorTotals totals;
  for (const FunctionId f : functions) {
    if (!program.functions[f].has_body()) continue;
    const auto start = std::chrono::steady_clock::now();
    const program::Governors found(program.functions[f]);
    const double taken = seconds_since(start);
    totals.seconds += taken;
    totals.worst_seconds = std::max(totals.worst_seconds, taken);
    totals.governors += found.all().size();
    for (const program::Governor& governor : found.all()) totals.governed_blocks += governor.region.size();
  }
  return totals;
}

/// Numbers in the order in which they are shown.
using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

Numbers count_all(const Program& program, const std::vector<FunctionId>& functions, const GovernorTotals& totals) {
  std::uint64_t bodies = 0, models = 0, blocks = 0, most_blocks = 0, instructions = 0;
  std::map<program::Kind, std::uint64_t> kinds;
  for (const FunctionId f : functions) {
    const program::Function& function = program.functions[f];
    if (!function.has_body()) continue;
    ++bodies;
    models += function.is_model ? 1 : 0;
    blocks += function.blocks.size();
    most_blocks = std::max<std::uint64_t>(most_blocks, function.blocks.size());
    instructions += function.instructions.size();
    for (const program::Instruction& instruction : function.instructions) ++kinds[instruction.kind];
  }
  Numbers numbers = {{"functions", bodies},
                     {"functions_of_models", models},
                     {"functions_without_body", functions.size() - bodies},
                     {"globals", program.globals.size()},
                     {"blocks", blocks},
                     {"blocks_of_largest_function", most_blocks},
                     {"instructions", instructions}};
  for (const auto& [kind, count] : kinds) numbers.emplace_back(fmt::format("instructions_{}", name(kind)), count);
  numbers.insert(numbers.end(), {{"governors", totals.governors}, {"governed_blocks", totals.governed_blocks}});
  numbers.emplace_back("unsupported", unsupported_places(program, functions).size());
  return numbers;
}

std::vector<FunctionId> chosen_functions(const Program& program, const std::string& wanted) {
  std::vector<FunctionId> functions;
  std::vector<std::string> names;
  for (FunctionId f = 0; f < program.functions.size(); ++f) {
    if (wanted.empty() || program.functions[f].name == wanted) functions.push_back(f);
    if (program.functions[f].has_body()) names.push_back(program.functions[f].name);
  }
  if (functions.empty() && !wanted.empty())
    throw UserError(
        fmt::format("there is no function '{}'", wanted),
        fmt::format("nearest are: {}", fmt::join(frontend::nearest_names(std::move(names), wanted, 5), ", ")));
  return functions;
}

class IrCommand {
 public:
  IrCommand(const Options& options, const Context& context)
      : options_(options), context_(context), report_("ir", options.program.load.files) {}

  int run() {
    const auto start = std::chrono::steady_clock::now();
    const Program program = load_program(options_.program, context_);
    load_seconds_ = seconds_since(start);
    const std::vector<FunctionId> functions = chosen_functions(program, options_.function);
    unsupported_ = unsupported_places(program, functions);
    using result::Conclusion;
    report_.conclusion = unsupported_.empty()   ? Conclusion::Complete
                         : options_.unsupported ? Conclusion::Incomplete
                                                : Conclusion::Answered;
    if (!unsupported_.empty())
      report_.notes.push_back(fmt::format("{} place{} not supported (--unsupported lists them)", unsupported_.size(),
                                          unsupported_.size() == 1 ? " is" : "s are"));
    if (options_.dot) show("dot", dot_text(program, functions));
    if (options_.unsupported) show_unsupported(program);
    if (options_.stats) show_stats(program, functions);
    if (!options_.dot && !options_.unsupported && !options_.stats) show_text(program, functions);
    return publish(context_, report_);
  }

 private:
  void show(const char* key, const std::string& text) {
    report_[key] = utf8(text);
    if (!context_.common.json) context_.out << text;
  }

  void show_text(const Program& program, const std::vector<FunctionId>& functions) {
    std::ostringstream text;
    if (options_.function.empty()) {
      print(text, program);
    } else {
      for (const FunctionId f : functions) print(text, program, f);
    }
    show("text", std::move(text).str());
  }

  static std::string dot_text(const Program& program, const std::vector<FunctionId>& functions) {
    std::ostringstream text;
    for (const FunctionId f : functions)
      if (program.functions[f].has_body() && (functions.size() == 1 || !program.functions[f].is_model))
        write_dot(text, program, f);
    return std::move(text).str();
  }

  void show_unsupported(const Program& program) {
    std::string text;
    nlohmann::ordered_json results = nlohmann::ordered_json::array();
    for (const UnsupportedPlace& each : unsupported_) {
      const std::string& function = program.functions[each.function].name;
      const std::string place = each.place.to_string();
      text += fmt::format("{}: {} (in {})\n", place.empty() ? "?" : place, each.construct, function);
      nlohmann::ordered_json entry;
      put_place(entry, each.place);
      entry["function"] = utf8(function);
      entry["construct"] = utf8(each.construct);
      results.push_back(std::move(entry));
    }
    if (text.empty()) text = "Everything is supported.\n";
    if (!context_.common.json) context_.out << text;
    report_["results"] = std::move(results);
  }

  void show_stats(const Program& program, const std::vector<FunctionId>& functions) {
    const GovernorTotals totals = find_governors(program, functions);
    nlohmann::ordered_json stats;
    std::string text;
    for (const auto& [key, number] : count_all(program, functions, totals)) {
      stats[key] = number;
      text += fmt::format("{:<28} {}\n", key, number);
    }
    const std::pair<const char*, double> times[] = {{"load_seconds", load_seconds_},
                                                    {"governors_seconds", totals.seconds},
                                                    {"governors_seconds_at_worst", totals.worst_seconds}};
    for (const auto& [key, seconds] : times) {
      stats[key] = seconds;
      text += fmt::format("{:<28} {:.3f}\n", key, seconds);
    }
    stats["memory_bytes"] = resident_memory();
    text += fmt::format("{:<28} {}\n", "memory_bytes", resident_memory());
    if (!context_.common.json) context_.out << text;
    report_["stats"] = std::move(stats);
  }

  const Options& options_;
  const Context& context_;
  std::vector<UnsupportedPlace> unsupported_;
  result::Report report_;
  double load_seconds_ = 0;
};

}  // namespace

Action add_ir_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  options->program.load.entry.clear();
  CLI::App* command = app.add_subcommand("ir", "Show the program that the engines work on");
  add_program_options(*command, options->program);
  command->add_option("--function", options->function, "This function alone")->type_name("NAME");
  command->add_flag("--dot", options->dot,
                    "Control-flow graphs for Graphviz, with governors, regions and destinations");
  command->add_flag("--stats", options->stats, "Numbers: functions, blocks, instructions, governors, seconds, memory");
  command->add_flag("--unsupported", options->unsupported,
                    "What has no lowering and where it is; exit code 0 if there is none, 20 otherwise");
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb ir prog.c --function main\n"
      "  plumb ir prog.c --function parse --dot | dot -Tsvg > parse.svg\n"
      "  plumb ir a.c b.c -Iinclude -DNDEBUG --stats -- -fno-common\n"
      "Exit code 0; with --unsupported 20 if something is not supported.");
  return [options](const Context& context) {
    return with_error_report(context, "ir", options->program.load.files,
                             [&] { return IrCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
