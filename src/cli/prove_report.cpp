#include "cli/prove_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/command.h"
#include "cli/program_options.h"

namespace plumb::cli {
namespace {

using prove::Certificate;
using prove::Verdict;

constexpr std::size_t kMaxNameColumn = 40;

std::string plural(std::size_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string seconds_text(double seconds) { return fmt::format("{:.2f} s", seconds); }

/// The time of the engine that gave the verdict.
double winner_seconds(const prove::Result& result) {
  for (const result::Finding& run : result.engines)
    if (run.engine == result.engine) return run.seconds;
  return 0;
}

/// Why it holds: the engine and the certificate.
std::string proof_text(const prove::Result& result, bool is_program) {
  if (!result.certificate)
    return result.is_rechecked ? fmt::format("proved by {}", result.engine)
                               : fmt::format("claimed by {}, NOT re-checked (--trust-abc)", result.engine);
  const Certificate& certificate = *result.certificate;
  switch (certificate.kind) {
    case Certificate::Kind::Invariant:
      return fmt::format("invariant of {}, {}", result.engine, result.is_rechecked ? "re-checked" : "NOT re-checked");
    case Certificate::Kind::Induction:
      return fmt::format("proved by {}, k = {}", result.engine, certificate.k);
    case Certificate::Kind::Exhaustion:
      return fmt::format(
          "proved by {}{}: every run {} within {}", result.engine,
          certificate.split.empty() ? "" : fmt::format(", for each {}", fmt::join(certificate.split, ", ")),
          is_program ? "ends" : "comes to rest", plural(certificate.k, "step"));
  }
  INVARIANT(false, "every certificate should have a text");
}

/// When it is violated.
std::string moment_text(const ProvedProperty& answer) {
  return answer.moment.empty() ? fmt::format("in step {}", answer.result.bound) : answer.moment;
}

/// What stands behind the verdict on a property's line.
std::string reason_text(const ProvedProperty& answer, bool is_program) {
  const prove::Result& result = answer.result;
  switch (result.verdict) {
    case Verdict::Holds:
      return proof_text(result, is_program);
    case Verdict::Vacuous:
      return answer.vacuity.empty() ? "no run satisfies the assumptions" : answer.vacuity;
    case Verdict::HoldsUpTo:
      return result.reason.empty() ? fmt::format("{}; not proved", result.engine)
                                   : fmt::format("{}: {}; not proved", result.engine, result.reason);
    case Verdict::Violated:
      return fmt::format("{}, found by {}", moment_text(answer), result.engine);
    case Verdict::Unknown:
      return result.reason;
  }
  INVARIANT(false, "every verdict should have a text");
}

std::string property_lines(const ProofReport& report) {
  std::size_t name_width = 0;
  std::size_t verdict_width = 0;
  for (const ProvedProperty& answer : report.answers) {
    name_width = std::max(name_width, std::min(answer.property.name.size(), kMaxNameColumn));
    verdict_width = std::max(verdict_width, verdict_text(answer).size());
  }
  std::string text;
  for (const ProvedProperty& answer : report.answers) {
    const double seconds = winner_seconds(answer.result);
    text += fmt::format("{:<{}}  {:<{}}  {}{}\n", answer.property.name, name_width, verdict_text(answer), verdict_width,
                        reason_text(answer, report.is_program),
                        answer.result.verdict == Verdict::Unknown ? "" : fmt::format(" ({})", seconds_text(seconds)));
    if (!answer.result.unchecked_claim.empty() && !is_proof(answer.result.verdict))
      text += fmt::format("{:<{}}  {} claims a proof that could not be re-checked; it does not count\n", "", name_width,
                          answer.result.unchecked_claim);
  }
  return text;
}

std::string counterexample_text(const ProvedProperty& answer, bool is_full) {
  const SourceLocation& place = answer.property.location;
  std::string text = fmt::format("\n{}{}{} is violated {}\n", place.to_string(), place.file.empty() ? "" : ": ",
                                 answer.property.name, moment_text(answer));
  if (!answer.property.text.empty()) text += fmt::format("    {}\n", answer.property.text);
  if (!answer.failure.empty()) text += fmt::format("  {}\n", answer.failure);
  text += answer.shown->text;
  if (is_full) text += answer.shown->full;
  return text + result::files_text(answer.files);
}

using Reductions = std::vector<circuit::AbcDriver::Reduction>;

bool is_same(const Reductions& a, const Reductions& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return x.step == y.step && x.size == y.size; });
}

std::string size_row(std::string_view head, const circuit::AigSize& size, std::string_view tail) {
  return fmt::format("{:<9} {:>7} {:>8} {:>5}{}{}\n", head, size.latches, size.ands, size.levels,
                     tail.empty() ? "" : "  ", tail);
}

/// As the paper's tables have them: latches, ands, levels; once for all properties that share a circuit.
std::string size_table(const ProofReport& report, bool is_verbose) {
  std::vector<const ProvedProperty*> shown;
  for (const ProvedProperty& answer : report.answers) {
    const auto has_same = [&](const ProvedProperty* other) {
      return is_same(other->result.reductions, answer.result.reductions);
    };
    if (!answer.result.reductions.empty() && std::ranges::none_of(shown, has_same)) shown.push_back(&answer);
  }
  if (shown.empty()) return {};
  std::string text = fmt::format("\n{:<9} {:>7} {:>8} {:>5}\n", "", "lat", "and", "lev");
  for (const ProvedProperty* answer : shown) {
    const Reductions& reductions = answer->result.reductions;
    text += size_row("circuit", reductions.front().size, shown.size() > 1 ? "of " + answer->property.name : "");
    std::string steps;
    for (std::size_t i = 1; i < reductions.size(); ++i) {
      if (is_verbose) text += size_row("", reductions[i].size, reductions[i].step);
      steps += fmt::format("{}{}", steps.empty() ? "" : "; ", reductions[i].step);
    }
    if (reductions.size() > 1) text += size_row("reduced", reductions.back().size, steps);
  }
  return text;
}

std::string engine_lines(const ProofReport& report) {
  std::string text;
  for (const ProvedProperty& answer : report.answers) {
    text += fmt::format("\nengines on {}\n", answer.property.name);
    for (const result::Finding& run : answer.result.engines)
      text += fmt::format("  {:<14} {:<12} {:>9}  {}\n", run.engine,
                          run.verdict == Verdict::HoldsUpTo ? fmt::format("up to {}", run.bound.value_or(0))
                                                            : std::string(to_string(run.verdict)),
                          seconds_text(run.seconds), run.reason);
  }
  return text;
}

std::size_t count(const ProofReport& report, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(
      report.answers, [&](const ProvedProperty& answer) { return answer.result.verdict == verdict; }));
}

std::string summary(const ProofReport& report) {
  const std::size_t all = report.answers.size();
  const std::size_t proved = count(report, Verdict::Holds);
  if (proved == all) return all == 1 ? "the property holds" : fmt::format("all {} properties hold", all);
  std::string text;
  for (const auto& [number, word] : std::initializer_list<std::pair<std::size_t, std::string_view>>{
           {proved, "proved"},
           {count(report, Verdict::Violated), "violated"},
           {count(report, Verdict::HoldsUpTo), "not proved, but not violated within the bound"},
           {count(report, Verdict::Vacuous), "vacuous"},
           {count(report, Verdict::Unknown), "unknown"}})
    if (number > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number, word);
  return fmt::format("{}: {}", all == 1 ? "1 property" : fmt::format("{} properties", all), text);
}

nlohmann::ordered_json size_json(const circuit::AigSize& size) {
  return {{"lat", size.latches}, {"and", size.ands}, {"lev", size.levels}};
}

nlohmann::ordered_json reduction_json(const Reductions& reductions) {
  nlohmann::ordered_json object = {{"before", size_json(reductions.front().size)},
                                   {"after", size_json(reductions.back().size)}};
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (std::size_t i = 1; i < reductions.size(); ++i) {
    nlohmann::ordered_json step = {{"step", reductions[i].step}};
    step.update(size_json(reductions[i].size));
    steps.push_back(std::move(step));
  }
  object["steps"] = std::move(steps);
  return object;
}

nlohmann::ordered_json certificate_json(const prove::Result& result) {
  const Certificate& certificate = *result.certificate;
  nlohmann::ordered_json object = {{"kind", certificate.kind == Certificate::Kind::Invariant   ? "invariant"
                                            : certificate.kind == Certificate::Kind::Induction ? "induction"
                                                                                               : "exhaustion"},
                                   {"rechecked", result.is_rechecked}};
  if (certificate.kind != Certificate::Kind::Invariant) object["k"] = certificate.k;
  if (!certificate.split.empty()) object["split"] = certificate.split;
  return object;
}

nlohmann::ordered_json engines_json(const prove::Result& result) {
  nlohmann::ordered_json engines = nlohmann::ordered_json::array();
  for (const result::Finding& run : result.engines) engines.push_back(result::to_json(run));
  return engines;
}

nlohmann::ordered_json property_json(const ProvedProperty& answer) {
  const prove::Result& result = answer.result;
  nlohmann::ordered_json object = {{"name", utf8(answer.property.name)}};
  if (!answer.kind.empty()) object["kind"] = answer.kind;
  put_place(object, answer.property.location);
  object["verdict"] = to_string(result.verdict);
  if (!result.engine.empty()) object["engine"] = result.engine;
  if (result.verdict == Verdict::HoldsUpTo || result.verdict == Verdict::Violated) object["bound"] = result.bound;
  if (!result.reason.empty()) object["reason"] = utf8(result.reason);
  object["seconds"] = winner_seconds(result);
  if (is_proof(result.verdict)) {
    if (result.certificate && result.certificate->k > 0) object["bound"] = result.certificate->k;
    if (result.certificate) object["certificate"] = certificate_json(result);
    object["rechecked"] = result.is_rechecked;
  }
  if (!result.unchecked_claim.empty()) object["unchecked_claim"] = result.unchecked_claim;
  if (!answer.failure.empty()) object["message"] = utf8(answer.failure);
  if (answer.shown) object["trace"] = answer.shown->object;
  if (!answer.files.empty()) object["files"] = result::to_json(answer.files);
  object["engines"] = engines_json(result);
  if (!result.reductions.empty()) object["reduction"] = reduction_json(result.reductions);
  if (!result.statistics.empty())
    for (const auto& [name, value] : result.statistics) object["stats"][name] = value;
  return object;
}

}  // namespace

void measure(ProofReport& report, const system::System& system) {
  report.states = system.states().size();
  report.system_inputs = system.inputs().size();
  for (const system::State& state : system.states())
    if (!system.store().is_array(state.variable)) report.state_bits += system.store().width(state.variable);
}

std::string verdict_text(const ProvedProperty& answer) {
  if (answer.result.verdict == Verdict::HoldsUpTo)
    return fmt::format("holds up to {}", plural(answer.result.bound, "step"));
  return std::string(to_string(answer.result.verdict));
}

Verdict verdict(const ProofReport& report) {
  std::vector<Verdict> verdicts;
  for (const ProvedProperty& answer : report.answers) verdicts.push_back(answer.result.verdict);
  return worst(verdicts);
}

std::string to_text(const ProofReport& report, const ReportOptions& options) {
  std::string text = property_lines(report);
  for (const ProvedProperty& answer : report.answers) {
    if (answer.shown) {
      text += counterexample_text(answer, options.full_trace);
    } else {
      for (const auto& [kind, path] : answer.files)
        text += fmt::format("{} of {}: {}\n", kind, answer.property.name, path);
    }
  }
  if (options.is_verbose) text += engine_lines(report);
  text += size_table(report, options.is_verbose);
  text += "\n";
  text += result::remarks_text({}, report.assumptions, report.notes);
  return text + fmt::format("{} ({})\n", summary(report), seconds_text(report.seconds));
}

result::Report to_report(const ProofReport& proofs) {
  result::Report report(proofs.command, proofs.inputs);
  report.conclusion = result::conclusion_of(verdict(proofs));
  report.assumptions = proofs.assumptions;
  report.notes = proofs.notes;
  nlohmann::ordered_json properties = nlohmann::ordered_json::array();
  for (const ProvedProperty& answer : proofs.answers) properties.push_back(property_json(answer));
  report["properties"] = std::move(properties);
  nlohmann::ordered_json stats = {
      {"seconds", proofs.seconds},
      {"system", {{"states", proofs.states}, {"bits", proofs.state_bits}, {"inputs", proofs.system_inputs}}}};
  if (!proofs.model.is_null()) stats["model"] = proofs.model;
  for (const ProvedProperty& answer : proofs.answers) {
    if (!answer.result.reductions.empty() && !stats.contains("reduction"))
      stats["reduction"] = reduction_json(answer.result.reductions);
    if (!answer.result.engines.empty() && !stats.contains("engines")) stats["engines"] = engines_json(answer.result);
  }
  report["stats"] = std::move(stats);
  return report;
}

}  // namespace plumb::cli
