// ABC has no exit codes and no stable output format, so the driver asks for the same thing twice where it can: the
// verdict is the `Status` line of print_status, and it counts only together with the sentence that the prover itself
// prints; a counterexample is the file of write_cex, read by the names that AbcModel gave. Marks printed by `echo`
// tell the steps of a reduction apart. A command that ABC refuses ends the script, and then the last mark is missing.

#include "circuit/abc_driver.h"

#include <fmt/format.h>

#include <atomic>

#include "base/error.h"
#include "base/subprocess.h"
#include "circuit/abc_driver_files.h"
#include "circuit/aiger.h"

namespace plumb::circuit {
namespace {

constexpr std::string_view kMark = "plumb.step";
constexpr std::string_view kEnd = "plumb.end";
constexpr std::string_view kRetimingFailed = "DC latch values are used";
constexpr std::string_view kModelFile = "model.aig";
constexpr std::string_view kReducedFile = "reduced.aig";

std::string command_line(const AbcStep& step) {
  std::string line(step.command->command);
  for (const std::string& argument : step.arguments)
    if (step.command->name != "scl" || argument != "-l") line += " " + argument;
  if (step.arguments.empty() && !step.command->defaults.empty()) line += fmt::format(" {}", step.command->defaults);
  // Retiming leaves logic instead of an AIG, and initial values that are not zero.
  if (step.command->kind == AbcCommand::Kind::Retiming) line += "\nundc\nstrash\nzero\nstrash";
  return line + "\n";
}

std::string describe(const ProcessResult& result, const Budget& budget) {
  using End = ProcessResult::End;
  switch (result.end) {
    case End::Exited:
      return result.code == 0 ? "" : fmt::format("ended with code {}", result.code);
    case End::Signalled:
      return fmt::format("killed by signal {}", result.code);
    case End::OutputLimit:
      return "printed too much";
    case End::TimedOut:
    case End::Cancelled:
      break;
  }
  const auto stop = budget.exceeded();
  return std::string(stop ? to_string(*stop) : "out of time");
}

/// The last line that is not blank, cut to what fits a message.
std::string last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const auto line = text.rfind('\n');
  if (line != std::string_view::npos) text.remove_prefix(line + 1);
  return std::string(text.substr(0, 120));
}

}  // namespace

AbcDriver::AbcDriver(const Aig& circuit, std::size_t bad, AbcOptions options, const Budget& budget)
    : model_(circuit, bad, budget), options_(std::move(options)) {
  size_ = {static_cast<std::uint32_t>(model_.aig().latches().size()), model_.aig().and_count(), model_.aig().levels()};
  budget.check();
  write_file(directory_.path() / kModelFile, write_aiger(model_.aig(), AigerFormat::Binary));
}

std::filesystem::path AbcDriver::circuit_file() const {
  return directory_.path() / (is_reduced_ ? kReducedFile : kModelFile);
}

AbcDriver::Run AbcDriver::run(const std::string& script, const std::filesystem::path& script_file,
                              const Budget& budget) const {
  const auto start = std::chrono::steady_clock::now();
  Run result;
  try {
    write_file(directory_.path() / script_file, script);
    ProcessLimits limits;
    limits.memory = options_.memory ? options_.memory : budget.memory_limit();
    limits.output = std::uint64_t{1} << 26;
    const ProcessResult process =
        run_process({options_.program, "-s", "-f", script_file.string()}, "", budget, limits, directory_.path());
    result.reason = describe(process, budget);
    result.output = process.output;
    if (result.reason.empty() && result.output.find(kEnd) == std::string::npos)
      result.reason = fmt::format("stopped at '{}'", last_line(process.error.empty() ? process.output : process.error));
    result.ok = result.reason.empty();
  } catch (const UserError& error) {
    result.reason = error.message();
  }
  if (!result.ok) result.reason = fmt::format("{}: {}", options_.program, result.reason);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

AbcDriver::Run AbcDriver::run_reduction(const std::vector<AbcStep>& steps, const Budget& budget) const {
  std::string script = fmt::format("read_aiger {}\n", kModelFile);
  for (const AbcStep& step : steps) {
    INVARIANT(!step.is_proof(), "a reduction should not prove");
    script += command_line(step) + fmt::format("echo {}\nprint_stats\n", kMark);
  }
  script += fmt::format("write_aiger -s {}\necho {}\n", kReducedFile, kEnd);
  return run(script, "reduce.abc", budget);
}

AbcDriver::Reduced AbcDriver::reduce(const std::vector<AbcStep>& wanted, const Budget& budget) {
  is_reduced_ = false;
  Reduced reduced;
  reduced.sizes.push_back({{}, size_});
  std::vector<AbcStep> steps = wanted;
  Run done = run_reduction(steps, budget);
  reduced.seconds = done.seconds;
  if (done.ok && done.output.find(kRetimingFailed) != std::string::npos) {
    std::erase_if(steps, [](const AbcStep& step) { return step.command->kind == AbcCommand::Kind::Retiming; });
    done = run_reduction(steps, budget);
    reduced.seconds += done.seconds;
    reduced.reason = "retiming was left out: there are no initial values for it";
  }
  if (!done.ok) {
    reduced.reason = done.reason;
    return reduced;
  }
  const auto sizes = read_abc_sizes(done.output, kMark);
  const auto names = read_latch_names(directory_.path() / kReducedFile);
  if (sizes.size() != steps.size() || !names || (!sizes.empty() && names->size() != sizes.back().latches)) {
    reduced.reason = fmt::format("{}: the reduced circuit is not what was printed", options_.program);
    return reduced;
  }
  for (std::size_t i = 0; i < steps.size(); ++i) reduced.sizes.push_back({steps[i].text(), sizes[i]});
  reduced.ok = true;
  is_reduced_ = true;
  is_combinational_ = names->empty();
  return reduced;
}

AbcProof AbcDriver::prove(const AbcStep& step, const Budget& budget, Target target) const {
  INVARIANT(step.is_proof(), "a step that is asked for a proof should be one");
  // Proofs run side by side in one directory.
  static std::atomic<unsigned> runs{0};
  const bool needs_latches = step.command->name == "ind" || step.command->name == "int";
  const bool reads_reduced = is_reduced_ && target == Target::Reduced && !(needs_latches && is_combinational_);
  const Job job{step, std::string(reads_reduced ? kReducedFile : kModelFile), fmt::format("run{}", runs++)};
  std::string line = command_line(step);
  line.pop_back();
  if (step.command->name == "pdr") line += fmt::format(" -d -I {}.pla", job.stem);
  if (step.command->name == "int") line += fmt::format(" -i -I {}.aig", job.stem);
  const std::string script =
      fmt::format("read_aiger {}\n{}\nprint_status\nwrite_cex -n {}.cex\necho {}\n", job.input, line, job.stem, kEnd);
  const Run done = run(script, job.stem + ".abc", budget);
  AbcProof proof;
  proof.seconds = done.seconds;
  proof.reason = done.reason;
  if (done.ok) read_answer(job, done, proof);
  return proof;
}

void AbcDriver::read_answer(const Job& job, const Run& done, AbcProof& proof) const {
  switch (read_abc_status(done.output)) {
    case AbcStatus::Holds:
      proof.answer = AbcAnswer::Holds;
      proof.reason.clear();
      read_invariant(job, proof);
      return;
    case AbcStatus::Violated:
      read_counterexample(directory_.path() / (job.stem + ".cex"), proof);
      return;
    case AbcStatus::Undecided:
      proof.answer = AbcAnswer::Undecided;
      proof.reason = fmt::format("{}: {} came to no decision", options_.program, job.step.command->name);
      return;
    case AbcStatus::None:
    case AbcStatus::Contradictory:
      proof.reason = fmt::format("{}: no answer in '{}'", options_.program, last_line(done.output));
      return;
  }
}

void AbcDriver::read_counterexample(const std::filesystem::path& file, AbcProof& proof) const {
  proof.counterexample = read_abc_counterexample(file, model_);
  if (proof.counterexample) {
    proof.answer = AbcAnswer::Violated;
    proof.reason.clear();
  } else {
    proof.reason = fmt::format("{}: says that the property is violated, without a counterexample that can be read",
                               options_.program);
  }
}

void AbcDriver::read_invariant(const Job& job, AbcProof& proof) const {
  const auto path = directory_.path() / job.stem;
  if (job.step.command->name == "pdr") {
    proof.invariant = read_pdr_invariant(path.string() + ".pla", model_);
  } else if (job.step.command->name == "int") {
    if (const auto names = read_latch_names(directory_.path() / job.input))
      proof.invariant = read_interpolants(path.string() + ".aig", *names, model_);
  }
}

}  // namespace plumb::circuit
