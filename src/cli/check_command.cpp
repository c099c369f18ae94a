#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <tuple>

#include "base/error.h"
#include "base/log.h"
#include "check/engine.h"
#include "check/task.h"
#include "cli/check_program.h"
#include "cli/cli.h"
#include "cli/live_progress.h"
#include "cli/program_options.h"
#include "cli/prove_files.h"
#include "cli/prove_options.h"
#include "prove/engine.h"

namespace plumb::cli {
namespace {

struct Options {
  ProgramOptions program;  ///< the files are here, be they programs or systems
  CheckProgramOptions check;
  SystemOptions system;
  ProvingOptions proving;

  const std::string& file() const { return program.load.files.front(); }
};

class CheckCommand {
 public:
  CheckCommand(const Options& options, const Context& context) : options_(options), context_(context) {}

  int run() {
    const auto start = std::chrono::steady_clock::now();
    if (options_.program.load.files.size() > 1)
      throw UserError("several systems are not checked at once", "give one file; a program may have several");
    if (options_.check.is_every_goal) throw UserError("--all is for programs: of a system all properties are checked");
    if (options_.proving.show == "program" || options_.proving.show == "graph" || options_.proving.show == "dsa")
      throw UserError(fmt::format("--show {} is for programs", options_.proving.show), "caig, btor2 or aiger");
    check_proving_options(options_.proving, context_.common);
    prepare_out(context_);
    file_ = read();
    for (const std::string& warning : file_.warnings) log().warn("{}", warning);
    if (!options_.proving.show.empty()) {
      context_.out << system_text(file_.system, options_.proving.show, context_.budget);
      return kDone;
    }
    if (file_.properties.empty())
      throw UserError(SourceLocation{options_.file()}, "there is no property to check", no_property_hint());
    ProofReport report;
    report.command = "check";
    report.inputs = {options_.file()};
    report.assumptions = file_.assumptions;
    measure(report, file_.system);
    if (!options_.proving.check_certificate.empty())
      report.notes.push_back(certificate_note(options_.proving.check_certificate));
    report.answers = answers();
    for (ProvedProperty& answer : report.answers) explain(answer, report);
    write_result_files(report, file_.system, options_.proving, context_);
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return publish_report(report, options_.proving, context_);
  }

 private:
  SystemFile read() const {
    const LiveProgress progress("reading " + options_.file(), context_.common.quiet);
    return read_system(options_.file(), options_.system, context_.budget);
  }

  std::vector<ProvedProperty> answers() const {
    const ProvingOptions& proving = options_.proving;
    if (!proving.check_certificate.empty())
      return {check_certificate_file(file_.system, file_.properties, proving.check_certificate, context_.budget)};
    if (!proving.replay.empty()) return replay_witness(file_.system, file_.properties, proving.replay);
    const std::vector<std::size_t> bads = chosen_properties(proving, file_.properties);
    std::vector<prove::Result> results = prove_chosen(file_.system, bads, proving, context_, options_.file());
    std::vector<ProvedProperty> answers;
    for (std::size_t i = 0; i < bads.size(); ++i) {
      ProvedProperty answer;
      answer.bad = bads[i];
      answer.property = file_.properties[bads[i]];
      answer.result = std::move(results[i]);
      answers.push_back(std::move(answer));
    }
    // As the source has them; a format without places has its own order.
    std::ranges::stable_sort(answers, {}, [](const ProvedProperty& answer) {
      const SourceLocation& place = answer.property.location;
      return std::tuple(place.file, place.line, place.column);
    });
    return answers;
  }

  void explain(ProvedProperty& answer, ProofReport& report) const {
    if (answer.result.trace)
      answer.shown = show_trace(file_.system, answer.bad, *answer.result.trace, options_.proving.full_trace);
    for (const std::string& note : answer.result.notes)
      if (std::ranges::count(report.notes, note) == 0) report.notes.push_back(note);
  }

  std::string no_property_hint() const {
    const std::string suffix = std::filesystem::path(options_.file()).extension().string();
    if (suffix == ".v" || suffix == ".sv") return "write assert(…) in the design";
    if (suffix == ".caig") return "write @assert NAME: expression;";
    return "the file has no bad";
  }

  const Options& options_;
  const Context& context_;
  SystemFile file_;
};

void add_reading_options(CLI::App& command, SystemOptions& options) {
  command.add_option("--top", options.verilog.top, "The top module of a Verilog design")->type_name("MODULE");
  command.add_option("--yosys", options.verilog.yosys, "Yosys, on PATH or as a path")
      ->type_name("PROGRAM")
      ->capture_default_str();
  command.add_option("-b,--bits", options.int_width, "Width of CAIG's int")
      ->type_name("BITS")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  command.add_flag("--signed", options.is_signed, "CAIG's comparisons, divisions and shifts are signed");
}

/// What options mean that programs and systems share.
void describe_shared_options(CLI::App& command) {
  const auto describe = [&](const char* option, const std::string& text) {
    command.get_option(option)->description(text);
  };
  describe("FILE",
           "A program: C or C++ (.c .i .cpp …), LLVM's .bc or .ll, what plumb cc made, or an SV-COMP task (.yml). A "
           "system: BTOR2 "
           "(.btor2 .btor), AIGER (.aig .aag), CAIG (.caig), Verilog or SystemVerilog (.v .sv)");
  const std::string properties = fmt::format(
      "Programs: {}, or an SV-COMP property file (.prp); by default assertions. Systems: only this one, by name or "
      "number from 0. May be given many times",
      check::property_words());
  describe("--property", properties);
  const std::string engines = fmt::format(
      "Engines, separated by commas, that run side by side. Programs: {}; by default {}. Systems: {}; by default {}",
      check::engines().text(), fmt::join(check::engines().defaults(), ", "), prove::engines().text(),
      fmt::join(prove::engines().defaults(), ", "));
  describe("--engine", engines);
  describe("--witness",
           "Systems: write the counterexample as a BTOR2 witness. Programs: write the SV-COMP witness, of a violation "
           "or of correctness. With several, its name is put in front of the suffix");
  for (const char* option :
       {"--strategy",  "--store",        "--plain",        "--paths-out", "--dot",        "--unwind",
        "--contexts",  "--heap",         "--heap-object",  "--stack",     "--all",        "--accept-gaps",
        "--reduction", "--jobs",         "--algorithm",    "--order",     "--max-states", "--merge-after",
        "--ltl",       "--fairness",     "--memory-model", "-O",          "--m32",        "--m64",
        "--entry",     "--compiler-flag"})
    command.get_option(option)->group("Options for programs");
  for (const char* option : {"--script", "--bound", "--certificate", "--check-certificate", "--vcd", "--top", "--yosys",
                             "--bits", "--signed"})
    command.get_option(option)->group("Options for systems");
  describe("--full-trace", "Show every step of a program's counterexample, every signal of a system's");
  describe("-I", "Look here for headers, and for what Verilog includes");
  describe("-D", "Define a macro, of C or of Verilog: NAME or NAME=TEXT");
}

int run_check(const Options& options, const Context& context) {
  if (std::ranges::any_of(options.program.load.files, names_program))
    return check_program(options.program, options.check, options.proving, context);
  Options system = options;
  system.system.verilog.include_directories = options.program.include_directories;
  system.system.verilog.definitions = options.program.definitions;
  return CheckCommand(system, context).run();
}

}  // namespace

Action add_check_command(CLI::App& app, CommonOptions& common) {
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("check", "Prove or refute the properties of a program, a circuit or a transition system");
  add_program_options(*command, options->program);
  add_proving_options(*command, options->proving, {"program", "graph", "dsa", "caig", "btor2", "aiger"});
  add_check_program_options(*command, options->check);
  add_reading_options(*command, options->system);
  add_common_options(*command, common);
  describe_shared_options(*command);
  command->footer(
      "Examples:\n"
      "  plumb check lock.c --timeout 1m\n"
      "  plumb check list.c --property memsafety --all --out run\n"
      "  plumb check list.c --property memsafety --replay run/counterexample.json --full-trace\n"
      "  plumb check task.yml --engine bmc --unwind 20\n"
      "  plumb check fifo.sv --timeout 1m --out run\n"
      "  plumb check fifo.sv --replay run/no_overflow.witness --full-trace\n"
      "  plumb check counter.btor2 --engine bmc,'abc pdr' --property 0 --certificate proof.smt2\n"
      "Exit code 0 if every property holds, for runs of every length; 10 if one is violated; 20 if one is unknown, "
      "vacuous\n"
      "or holds only up to a bound. docs/checking.md tells about programs, docs/proving.md about systems.");
  return [options](const Context& context) {
    return with_error_report(context, "check", options->program.load.files,
                             [&] { return run_check(*options, context); });
  };
}

}  // namespace plumb::cli
