#include "cli/shell/proving.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "replay/simulator_replayer.h"
#include "system/copy.h"

namespace plumb::cli::shell {
namespace {

using circuit::AbcStep;
using prove::Verdict;

system::System with_any_of(const system::System& system, const std::vector<std::size_t>& properties) {
  system::System whole = system::copy(system);
  std::vector<term::Term> bads;
  for (const std::size_t position : properties) bads.push_back(whole.bads()[position].term);
  whole.add_bad(whole.store().any_of(bads), "any property");
  return whole;
}

constexpr double kVacuitySeconds = 5;

}  // namespace

Proving::Proving(std::shared_ptr<const Design> design, std::vector<std::size_t> properties,
                 const circuit::AbcOptions& abc, const Budget& budget)
    : design_(std::move(design)),
      properties_(std::move(properties)),
      whole_(with_any_of(design_->system(), properties_)),
      problem_(whole_, whole_.bads().size() - 1, prove::Problem::Form::Arrays),
      program_(abc.program),
      abc_(std::make_unique<prove::AbcSession>(problem_, steps_, abc, budget)) {}

void Proving::use(const circuit::AbcOptions& abc, const Budget& budget) {
  if (abc.program == program_) return;
  abc_ = std::make_unique<prove::AbcSession>(problem_, steps_, abc, budget);
  program_ = abc.program;
  if (!abc_->reduced().ok) {
    steps_.clear();
    throw UserError(fmt::format("{}; the circuit is again as it was before reductions", abc_->reduced().reason));
  }
}

void Proving::reduce(const AbcStep& step, const circuit::AbcOptions& abc, const Budget& budget) {
  use(abc, budget);
  std::vector<AbcStep> steps = steps_;
  steps.push_back(step);
  auto reduced = std::make_unique<prove::AbcSession>(problem_, steps, abc, budget);
  // A retiming that ABC has no initial values for is left out of an otherwise good reduction.
  const bool is_complete = reduced->reduced().sizes.size() == steps.size() + 1;
  if (!reduced->reduced().ok || !is_complete)
    throw UserError(fmt::format("{} (the circuit is as it was)", reduced->reduced().reason));
  abc_ = std::move(reduced);
  steps_ = std::move(steps);
}

prove::Result Proving::prove(const AbcStep& step, const circuit::AbcOptions& abc, const Budget& budget,
                             bool trust_abc) {
  use(abc, budget);
  const std::size_t bad = whole_.bads().size() - 1;
  if (auto vacuous = prove::vacuous_result(problem_, budget)) return *vacuous;
  return prove::for_whole(whole_, bad, problem_, abc_->run(step, problem_, budget, trust_abc));
}

Found Proving::replayed(const prove::Result& result, std::optional<std::size_t> bad) const {
  const replay::Replay replay = replay::SimulatorReplayer(design_->system()).run({*result.trace}, {});
  std::optional<Found> first;
  for (const system::Replay::Reached& reached : replay.reached) {
    const bool is_asked = bad ? reached.bad == *bad : std::ranges::find(properties_, reached.bad) != properties_.end();
    if (!is_asked || (first && reached.step > first->step)) continue;
    Found found{*result.trace, reached.bad, reached.step, result.engine, std::nullopt};
    found.trace.steps.resize(found.step + 1);
    if (design_->subject() != nullptr) found.explained = tiny::explain(*design_->subject(), found.bad, found.trace);
    // A step may be many statements, and what fails in the first of them is the cause of what fails behind it.
    const bool is_earlier =
        !first || (found.explained && found.explained->outcome.statements < first->explained->outcome.statements);
    if (is_earlier) first = std::move(found);
  }
  INVARIANT(first, "a counterexample should violate a property of the session");
  return *first;
}

void Proving::conclude(const prove::Result& result, std::optional<std::size_t> bad) {
  if (result.verdict == Verdict::Violated) found_ = replayed(result, bad);
  last_ = result;
}

std::optional<bool> Proving::is_vacuous(const Budget& budget) const {
  const tiny::Subject* subject = design_->subject();
  if (subject == nullptr || !subject->lowered.cover) return std::nullopt;
  const Budget share = budget.with_timeout(std::chrono::duration<double>(kVacuitySeconds));
  const prove::Result result = prove::bmc(subject->system(), *subject->lowered.cover, share);
  if (result.verdict == Verdict::Violated) return false;
  if (is_proof(result.verdict)) return true;
  return std::nullopt;
}

std::string Proving::statistics() const {
  const std::string name = std::filesystem::path(design_->file()).stem().string();
  return fmt::format("{} : i/o = {:4}/{:4}  lat = {:4}  and = {:6}  lev = {}", name, input_count(), 1, size().latches,
                     size().ands, size().levels);
}

}  // namespace plumb::cli::shell
