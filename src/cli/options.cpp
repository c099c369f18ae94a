#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "cli/command.h"

namespace plumb::cli {
namespace {

/// A number that is not negative, and what follows it; nothing if the text does not start with one.
std::optional<std::pair<double, std::string_view>> split_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number) || std::signbit(number)) return std::nullopt;
  return std::pair{number, text.substr(static_cast<std::size_t>(end - text.data()))};
}

}  // namespace

std::chrono::duration<double> parse_duration(std::string_view text) {
  if (const auto parts = split_number(text)) {
    const auto [number, unit] = *parts;
    if (unit.empty() || unit == "s") return std::chrono::duration<double>(number);
    if (unit == "ms") return std::chrono::duration<double>(number / 1000);
    if (unit == "m" || unit == "min") return std::chrono::duration<double>(number * 60);
    if (unit == "h") return std::chrono::duration<double>(number * 3600);
  }
  throw UserError(fmt::format("'{}' is not a time", text), "write it as 30, 2s, 500ms, 5m or 1h");
}

std::uint64_t parse_size(std::string_view text) {
  if (const auto parts = split_number(text)) {
    auto [number, unit] = *parts;
    if (unit.ends_with("iB")) unit.remove_suffix(2);
    if (unit.ends_with('B')) unit.remove_suffix(1);
    constexpr std::string_view kUnits = "KMGT";
    const std::size_t power = unit.empty() ? 0 : kUnits.find(unit.front()) + 1;
    const double bytes = std::ldexp(number, static_cast<int>(10 * power));
    const bool known = unit.empty() || (unit.size() == 1 && power != 0);
    if (known && bytes >= 1 && bytes < std::ldexp(1.0, 63)) return static_cast<std::uint64_t>(bytes);
  }
  throw UserError(fmt::format("'{}' is not a size", text), "write it as 512M, 1G or a number of bytes");
}

void add_common_options(CLI::App& app, CommonOptions& options) {
  app.add_option_function<std::string>(
         "--timeout", [&](const std::string& text) { options.timeout = parse_duration(text); },
         "Stop after this time: 30, 2s, 500ms, 5m, 1h")
      ->type_name("TIME");
  app.add_option_function<std::string>(
         "--memory", [&](const std::string& text) { options.memory = parse_size(text); },
         "Stop when more memory is needed: 512M, 1G")
      ->type_name("SIZE");
  app.add_option("--seed", options.seed, "Of everything that is random; the same seed gives the same result")
      ->type_name("N");
  app.add_flag("--json", options.json, "Print one JSON object and nothing else");
  app.add_option("--out", options.out, "Write result files to this directory, made if need be")->type_name("DIR");
  app.add_flag("-v,--verbose", options.verbose, "Say more on standard error; twice: for debugging");
  app.add_flag("-q,--quiet", options.quiet, "No progress line, no warnings");
}

void add_solving_options(CLI::App& app, SolvingOptions& options) {
  app.add_option("--backend", options.backend,
                 "native, z3, cvc5, portfolio (all of them at once), or the command of an SMT-LIB solver")
      ->type_name("NAME")
      ->capture_default_str();
  app.add_option("--dump-queries", options.dump_queries, "Write each query to this directory as a numbered .smt2 file")
      ->type_name("DIR");
  app.add_flag("--stats", options.stats, "Print numbers about the run to standard error (with --json: in the object)");
}

}  // namespace plumb::cli
