#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/program_options.h"
#include "cli/prove_files.h"
#include "cli/prove_options.h"
#include "cli/prove_program.h"

namespace plumb::cli {
namespace {

using prove::Verdict;

struct Options {
  std::string file;
  tiny::Options tiny;
  std::vector<std::string> checks;
  bool no_index = false;
  bool no_overflow = false;
  bool no_division = false;
  bool no_recursion = false;
  std::string steps = "block";
  bool no_unroll = false;
  bool no_sharing = false;
  bool no_vacuity = false;
  ProvingOptions proving;
};

tiny::Options tiny_options(const Options& options) {
  tiny::Options tiny = options.tiny;
  if (tiny.int_width < 1 || tiny.int_width > 64)
    throw UserError(fmt::format("an int of {} bits", tiny.int_width), "-b takes 1 to 64");
  const auto is_checked = [&](const char* name, bool is_off) {
    if (options.checks.empty()) return !is_off;
    const auto has = [&](const char* word) { return std::ranges::count(options.checks, word) > 0; };
    return !is_off && (has(name) || has("all"));
  };
  tiny.check_index = is_checked("index", options.no_index);
  tiny.check_overflow = is_checked("overflow", options.no_overflow);
  tiny.check_division = is_checked("division", options.no_division);
  tiny.check_recursion = is_checked("recursion", options.no_recursion);
  tiny.unroll_quantifiers = !options.no_unroll;
  tiny.encoding.steps =
      options.steps == "block" ? system::EncodingOptions::Steps::Block : system::EncodingOptions::Steps::Statement;
  tiny.encoding.share_registers = !options.no_sharing;
  return tiny;
}

class ProveCommand {
 public:
  ProveCommand(const Options& options, const Context& context)
      : options_(options), context_(context), tiny_(tiny_options(options)) {}

  int run() {
    const auto start = std::chrono::steady_clock::now();
    const ProvingOptions& proving = options_.proving;
    check_proving_options(proving, context_.common);
    prepare_out(context_);
    const std::string text = read_file(options_.file);
    ProofReport report;
    report.command = "prove";
    report.inputs = {options_.file};
    report.is_program = true;
    if (!proving.replay.empty()) {
      report.answers = {replay_program(text, options_.file, proving.replay, proving.full_trace)};
    } else if (proving.show == "rho") {
      show_rho(text);
      return kDone;
    } else {
      const tiny::Subject subject = tiny::make_subject(text, options_.file, tiny_);
      for (const tiny::Warning& warning : subject.warnings)
        log().warn("{}: {}", warning.location.to_string(), warning.message);
      if (!proving.show.empty()) {
        context_.out << (proving.show == "graph" ? graph_text(subject.lowered.graph)
                                                 : system_text(subject.system(), proving.show, context_.budget));
        return kDone;
      }
      prove(subject, report);
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return publish_report(report, proving, context_);
  }

 private:
  void show_rho(const std::string& text) const {
    std::vector<tiny::Warning> warnings;
    const tiny::Program program = tiny::parse(text, options_.file, warnings);
    tiny::check_sizes(program, tiny_);
    context_.out << tiny::print(tiny::rho(program, tiny_));
  }

  void prove(const tiny::Subject& subject, ProofReport& report) const {
    const ProvingOptions& proving = options_.proving;
    measure(report, subject.system());
    report.assumptions = option_assumptions(tiny_);
    const std::vector<SystemProperty> properties = properties_of(subject);
    const std::vector<std::size_t> bads = subject.properties();
    if (!proving.check_certificate.empty()) {
      std::vector<SystemProperty> all;
      for (std::size_t i = 0; i < subject.system().bads().size(); ++i)
        all.push_back({subject.property_name(i), {}, {}});
      report.notes.push_back(certificate_note(proving.check_certificate));
      report.answers = {check_certificate_file(subject.system(), all, proving.check_certificate, context_.budget)};
      return;
    }
    if (bads.empty())
      throw UserError(SourceLocation{options_.file}, "there is nothing to prove",
                      "write @post NAME { … } or assert(…), or switch checks on");
    std::vector<std::size_t> chosen;
    for (const std::size_t i : chosen_properties(proving, properties)) chosen.push_back(bads[i]);
    std::vector<prove::Result> results = prove_chosen(subject.system(), chosen, proving, context_, options_.file);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      ProvedProperty answer;
      answer.bad = chosen[i];
      answer.property.name = subject.property_name(chosen[i]);
      answer.kind = chosen[i] < subject.lowered.properties.size() ? subject.lowered.properties[chosen[i]].kind
                                                                  : std::string("termination");
      answer.result = std::move(results[i]);
      if (answer.result.trace) explain_answer(answer, subject, proving.full_trace);
      for (const std::string& note : answer.result.notes)
        if (std::ranges::count(report.notes, note) == 0) report.notes.push_back(note);
      report.answers.push_back(std::move(answer));
    }
    if (!options_.no_vacuity) check_vacuity(subject, report);
    write_result_files(report, subject.system(), proving, context_);
  }

  static std::vector<SystemProperty> properties_of(const tiny::Subject& subject) {
    std::vector<SystemProperty> properties;
    for (const std::size_t bad : subject.properties()) properties.push_back({subject.property_name(bad), {}, {}});
    return properties;
  }

  /// If no run under the precondition comes to its end, what holds says nothing.
  void check_vacuity(const tiny::Subject& subject, ProofReport& report) const {
    const auto holds = [](const ProvedProperty& answer) { return answer.result.verdict <= Verdict::HoldsUpTo; };
    const auto is_vacuous = [](ProvedProperty& answer) {
      answer.result.verdict = Verdict::Vacuous;
      answer.vacuity = "no run that satisfies the precondition comes to an end";
    };
    const std::vector<tiny::Lowered::Property>& properties = subject.lowered.properties;
    for (ProvedProperty& answer : report.answers)
      if (answer.bad < properties.size() && properties[answer.bad].is_unreachable && holds(answer)) is_vacuous(answer);
    if (!subject.lowered.cover || std::ranges::none_of(report.answers, holds)) return;
    ProvingOptions proving = options_.proving;
    proving.script.clear();
    const std::vector<std::size_t> cover = {*subject.lowered.cover};
    const prove::Result result = prove_chosen(subject.system(), cover, proving, context_, options_.file).front();
    if (is_proof(result.verdict)) {
      for (ProvedProperty& answer : report.answers)
        if (holds(answer)) is_vacuous(answer);
    } else if (result.verdict == Verdict::Violated) {
      static_cast<void>(tiny::explain(subject, *subject.lowered.cover, *result.trace));
    } else {
      report.notes.emplace_back(
          "it is not known whether any run that satisfies the precondition comes to its end: what holds may hold "
          "vacuously");
    }
  }

  const Options& options_;
  const Context& context_;
  tiny::Options tiny_;
};

void add_program_options(CLI::App& command, Options& options) {
  command.add_option("-b,--bits", options.tiny.int_width, "Width of an int, 1 to 64")
      ->type_name("BITS")
      ->capture_default_str();
  command
      .add_option("--array", options.tiny.array_size,
                  "MAX_ARRAY_SIZE, of arrays without a size: 2^BITS - 1 if not given")
      ->type_name("N");
  command.add_option("--stack", options.tiny.stack_size, "How deep recursion may be: as --array if not given")
      ->type_name("N");
  command.add_flag("--signed", options.tiny.is_signed, "An int is signed (two's complement)");
  command
      .add_option("--checks", options.checks,
                  "Only these, separated by commas: index, overflow, division, recursion; all, none")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"index", "overflow", "division", "recursion", "all", "none"}));
  command.add_flag("--no-index-check", options.no_index, "Indices out of bounds are no violation");
  command.add_flag("--no-overflow-check", options.no_overflow, "Arithmetic wraps without a violation");
  command.add_flag("--no-division-check", options.no_division, "Division by zero is no violation");
  command.add_flag("--no-recursion-check", options.no_recursion, "Calls beyond the stack are no violation");
  command
      .add_option("--termination", options.tiny.encoding.termination_bound,
                  "Prove too that every run ends within K steps")
      ->type_name("K");
  command.add_option("--steps", options.steps, "A step is a loop-free block, or a statement")
      ->type_name("KIND")
      ->check(CLI::IsMember({"block", "statement"}))
      ->capture_default_str();
  command.add_flag("--no-unroll", options.no_unroll,
                   "Quantifiers become loops, also where they could be one expression");
  command.add_flag("--no-sharing", options.no_sharing, "Every variable has a register of its own");
  command.add_flag("--no-vacuity-check", options.no_vacuity,
                   "Do not ask whether any run under the precondition comes to its end");
}

}  // namespace

Action add_prove_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("prove", "Prove or refute pre- and postconditions of a program in Tiny");
  command->add_option("FILE", options->file, "A program in Tiny; - for standard input")->required();
  add_program_options(*command, *options);
  add_proving_options(*command, options->proving, {"rho", "graph", "caig", "btor2", "aiger"});
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  plumb prove examples/add.tiny -b 4 --timeout 1m --out run\n"
      "  plumb prove examples/add.tiny --replay run/overflow.json\n"
      "Exit code 0 if everything holds, for runs of every length; 10 if something is violated; 20 if something is "
      "unknown,\n"
      "vacuous or holds only up to a bound.");
  return [options](const Context& context) {
    return with_error_report(context, "prove", {options->file}, [&] { return ProveCommand(*options, context).run(); });
  };
}

}  // namespace plumb::cli
