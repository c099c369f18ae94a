#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/prob/number_text.h"
#include "cli/prob/report.h"

namespace plumb::cli::prob {
namespace {

constexpr std::size_t kWidestTitle = 48;
constexpr std::size_t kWidestHead = 14;
constexpr int kTableDigits = 8;

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width > width_of(text) ? width - width_of(text) : 0, ' ');
}

std::string constants_text(const Constants& constants, const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    const auto found = constants.find(name);
    if (found != constants.end()) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, found->second);
  }
  return text;
}

std::string outcome_text(const Reply& answer) {
  if (!answer.result) return fmt::format("{}: {}", to_string(conclusion(answer)), answer.failure);
  const chain::PropertyResult& result = *answer.result;
  if (const auto* number = std::get_if<chain::Bounded>(&result.value)) {
    const ShownNumber shown_number = shown(*number);
    std::string text = shown_number.value;
    if (!shown_number.error.empty()) text += " ± " + shown_number.error;
    if (!number->is_guaranteed) text += " (estimate)";
    return result.undecided.empty() ? text : fmt::format("unknown: {}, {}", text, result.undecided);
  }
  if (!result.undecided.empty()) return fmt::format("unknown: {}", result.undecided);
  return std::string(to_string(conclusion(answer)));
}

std::string detail_lines(const Reply& answer, const Question& question) {
  std::string text;
  if (!question.name.empty()) text += fmt::format("    {}\n", question.text);
  if (!answer.result) return text;
  const chain::PropertyResult& result = *answer.result;
  if (const auto* number = std::get_if<chain::Bounded>(&result.value)) {
    if (number->is_guaranteed || number->low < number->high)
      text += fmt::format("    {} [{}, {}]\n", number->is_guaranteed ? "surely in" : "estimated to be in", number->low,
                          number->high);
    else
      text += "    an estimate, without a bound on its error\n";
  }
  if (result.method.empty()) return text;
  // Many methods tell their steps themselves.
  const bool has_count = result.method.find(fmt::format("{}", result.iterations)) != std::string::npos;
  text += fmt::format("    {}{}, {} of vectors\n", result.method,
                      has_count || result.iterations == 0 ? "" : ", " + counted(result.iterations, "iteration"),
                      bytes_text(result.bytes));
  return text;
}

std::string listing_lines(const Reply& answer) {
  std::string text;
  if (answer.result)
    for (const std::string& line : answer.result->listing) text += fmt::format("    {}\n", line);
  for (const auto& [kind, path] : answer.files) text += fmt::format("    {}: {}\n", kind, path);
  return text;
}

std::string chain_line(const BuiltChain& built, bool is_verbose) {
  const chain::BuildReport& report = built.report;
  if (!built.failure.empty() && report.states == 0) return {};
  std::string text = fmt::format("{}: {}, {}{} ({})\n", built.kind, counted(report.states, "state"),
                                 counted(report.transitions, "transition"),
                                 built.failure.empty() ? "" : fmt::format(" when building stopped: {}", built.failure),
                                 seconds_text(report.seconds));
  if (!is_verbose || report.states == 0 || report.transitions == 0) return text;
  text += fmt::format(
      "    {} states/s; states {} ({:.1f} bytes each), transitions {} ({:.1f} bytes each)\n",
      grouped(static_cast<std::uint64_t>(static_cast<double>(report.states) / std::max(report.seconds, 1e-9))),
      bytes_text(report.bytes_states), static_cast<double>(report.bytes_states) / static_cast<double>(report.states),
      bytes_text(report.bytes_transitions),
      static_cast<double>(report.bytes_transitions) / static_cast<double>(report.transitions));
  return text;
}

/// One combination: a line a property.
std::string single_text(const ExperimentReport& report, bool is_verbose) {
  std::string text;
  for (const BuiltChain& built : report.chains) text += chain_line(built, is_verbose);
  std::size_t width = 0;
  for (const Question& question : report.questions)
    if (width_of(question.title()) <= kWidestTitle) width = std::max(width, width_of(question.title()));
  for (const Reply& answer : report.answers) {
    const Question& question = report.questions[answer.question];
    const bool fits = width_of(question.title()) <= kWidestTitle;
    text += fits ? padded(question.title(), width) + "  " : question.title() + "\n    ";
    text += outcome_text(answer);
    if (answer.result) text += fmt::format("  ({})", seconds_text(answer.result->seconds));
    text += "\n";
    if (is_verbose) text += detail_lines(answer, question);
    text += listing_lines(answer);
  }
  return text;
}

std::string cell_text(const Reply& answer) {
  if (!answer.result) return answer.error ? "error" : answer.failure;
  if (const auto* number = std::get_if<chain::Bounded>(&answer.result->value))
    return shown(*number, kTableDigits).value;
  return std::string(to_string(conclusion(answer)));
}

std::string states_text(const ExperimentReport& report, std::size_t combination) {
  const std::optional<std::size_t> chain = report.chain_of[combination];
  return chain && report.chains[*chain].report.states > 0 ? grouped(report.chains[*chain].report.states) : "";
}

using Table = std::vector<std::vector<std::string>>;

Table experiment_table(const ExperimentReport& report) {
  const bool has_states = report.chains.size() > 1;
  Table table(1, report.varied);
  if (has_states) table[0].emplace_back("states");
  for (std::size_t q = 0; q < report.questions.size(); ++q) {
    const std::string& title = report.questions[q].title();
    table[0].push_back(width_of(title) <= kWidestHead ? title : fmt::format("({})", q + 1));
  }
  for (std::size_t c = 0; c < report.combinations.size(); ++c) {
    std::vector<std::string> row;
    for (const std::string& name : report.varied) row.push_back(report.combinations[c].at(name));
    if (has_states) row.push_back(states_text(report, c));
    table.push_back(std::move(row));
  }
  for (const Reply& answer : report.answers) table[answer.combination + 1].push_back(cell_text(answer));
  return table;
}

std::string table_text(const Table& table) {
  std::vector<std::size_t> widths(table[0].size());
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  std::string text;
  for (const auto& row : table) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// How far the numbers of a column may be off.
std::string accuracy_line(const ExperimentReport& report, std::size_t question) {
  double error = 0;
  bool is_guaranteed = true;
  bool has_number = false;
  for (const Reply& answer : report.answers) {
    if (answer.question != question || !answer.result) continue;
    const auto* number = std::get_if<chain::Bounded>(&answer.result->value);
    if (number == nullptr) continue;
    has_number = true;
    if (!number->exact) error = std::max(error, error_of(*number));
    is_guaranteed &= number->is_guaranteed;
  }
  if (!has_number) return {};
  const std::string title = report.questions[question].title();
  if (!is_guaranteed)
    return fmt::format("{}: {}\n", title, error > 0 ? "estimates, error about " + error_text(error) : "estimates");
  return error == 0 ? "" : fmt::format("{}: error at most {}, guaranteed\n", title, error_text(error));
}

std::string failure_lines(const ExperimentReport& report) {
  std::string text;
  std::string last;
  for (const Reply& answer : report.answers) {
    if (answer.result && answer.result->undecided.empty()) continue;
    const std::string why = answer.result ? answer.result->undecided : answer.failure;
    const std::string line =
        fmt::format("{}: {}\n", constants_text(report.combinations[answer.combination], report.varied), why);
    if (line != last) text += line;
    last = line;
  }
  return text;
}

/// All chains in a line: "ctmc: 6 chains of 5 to 9 states (0.01 s)".
std::string chains_line(const ExperimentReport& report) {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t most = 0;
  double seconds = 0;
  for (const BuiltChain& built : report.chains) {
    least = std::min(least, built.report.states);
    most = std::max(most, built.report.states);
    seconds += built.report.seconds;
  }
  return fmt::format("{}: {} chains of {} states ({})\n", report.chains.front().kind, report.chains.size(),
                     least == most ? grouped(most) : fmt::format("{} to {}", grouped(least), grouped(most)),
                     seconds_text(seconds));
}

std::string experiment_text(const ExperimentReport& report, bool is_verbose) {
  std::string text = report.chains.size() > 1 ? chains_line(report) : "";
  if (report.chains.size() == 1 || is_verbose)
    for (const BuiltChain& built : report.chains) {
      if (report.chains.size() > 1) text += constants_text(built.constants, report.varied) + ": ";
      text += chain_line(built, is_verbose);
    }
  for (std::size_t q = 0; q < report.questions.size(); ++q)
    if (width_of(report.questions[q].title()) > kWidestHead)
      text += fmt::format("({}) {}\n", q + 1, report.questions[q].title());
  text += "\n" + table_text(experiment_table(report)) + "\n";
  for (std::size_t q = 0; q < report.questions.size(); ++q) text += accuracy_line(report, q);
  text += failure_lines(report);
  for (const Reply& answer : report.answers) {
    const std::string listing = listing_lines(answer);
    const std::string details = is_verbose ? detail_lines(answer, report.questions[answer.question]) : "";
    if (listing.empty() && details.empty()) continue;
    text += fmt::format("{} at {}: {}\n", report.questions[answer.question].title(),
                        constants_text(report.combinations[answer.combination], report.varied), outcome_text(answer));
    text += details + listing;
  }
  return text;
}

/// The first of them: of an experiment, every combination may have some.
std::string first_lines(std::string_view head, const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 20;
  std::string lines;
  for (std::size_t i = 0; i < std::min(texts.size(), kMost); ++i) lines += fmt::format("{}: {}\n", head, texts[i]);
  if (texts.size() > kMost) lines += fmt::format("{}: and {} more, in the object\n", head, texts.size() - kMost);
  return lines;
}

std::string summary(const ExperimentReport& report) {
  std::string text;
  using result::Conclusion;
  for (const Conclusion each :
       {Conclusion::Answered, Conclusion::Holds, Conclusion::Violated, Conclusion::Unknown, Conclusion::Error}) {
    const auto count = std::ranges::count(report.answers, each, [](const Reply& a) { return conclusion(a); });
    if (count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count,
                          each == Conclusion::Holds && count > 1 ? "hold"
                          : each == Conclusion::Error            ? "failed"
                                                                 : to_string(each));
  }
  return fmt::format("{}{}, {} of memory\n", text.empty() ? "" : text + ", ", seconds_text(report.seconds),
                     bytes_text(report.peak_memory));
}

}  // namespace

std::string to_text(const ExperimentReport& report, bool is_verbose) {
  std::string text = report.is_experiment() ? experiment_text(report, is_verbose) : single_text(report, is_verbose);
  for (const auto& [kind, path] : report.files) text += fmt::format("{}: {}\n", kind, path);
  text += first_lines("assumption", all_assumptions(report)) + first_lines("note", all_notes(report));
  return text + summary(report);
}

}  // namespace plumb::cli::prob
