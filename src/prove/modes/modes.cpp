// Machines that work side by side are proved free of deadlock by what they can be in together (Bensalem, Bozga, Nguyen
// and Sifakis, "D-Finder: A Tool for Compositional Deadlock Detection and Verification", 2009): each by itself is
// simple, and what ties them is that certain places exclude each other, or that where one waits another is at work.
// D-Finder computes such invariants from the interactions; here they are seen in random runs, whatever the system was
// made from, and the solver keeps those that follow from each other. There are at most as many as pairs of values, so
// this goes on where the number of states has long exploded.

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "prove/engine.h"
#include "prove/lemma_proof.h"
#include "prove/modes/mode_weeding.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxStates = 20000;
constexpr std::size_t kMaxTabled = 4000;  ///< of these; what others refute is found one by one
constexpr double kInductionSeconds = 20;

class Modes {
 public:
  Modes(Problem& problem, const Budget& budget, std::uint64_t seed)
      : problem_(problem), system_(problem.system()), budget_(budget), seed_(seed) {}

  Result search() {
    Result result;
    Wandering wandering(system_, seed_);
    if (!wandering.run(kMaxStates, budget_)) {
      result.reason = "a random run reaches the bad";
      return result;
    }
    const std::span<const ModeTable::State> states = wandering.states();
    const ModeTable table(system_, states.first(std::min(states.size(), kMaxTabled)), budget_);
    std::size_t count = 0;
    for (const auto scope : {ModeTable::Scope::Narrow, ModeTable::Scope::Wide}) {
      std::vector<ModeTable::Relation> relations = table.relations(scope, budget_);
      for (const ModeTable::State& state : states.subspan(std::min(states.size(), kMaxTabled))) {
        budget_.check();
        std::erase_if(relations, [&](const ModeTable::Relation& relation) { return !relation.holds(state); });
      }
      std::vector<Term> lemmas;
      for (const ModeTable::Relation& relation : inductive_relations(system_, wandering, std::move(relations), budget_))
        lemmas.push_back(relation.term(system_, system_.store()));
      count = lemmas.size();
      if (lemmas.empty()) continue;
      const Term invariant = system_.store().all_of(lemmas);
      LemmaProof proof(problem_, budget_);
      if (auto holds = proof.by_itself(invariant)) return *holds;
      if (auto holds = proof.by_induction(invariant, kInductionSeconds)) return *holds;
    }
    result.reason = fmt::format("{} relations between modes are invariant and not enough", count);
    return result;
  }

 private:
  Problem& problem_;
  System& system_;
  const Budget& budget_;
  std::uint64_t seed_;
};

Result run_modes(Problem& problem, const Budget& budget, const ModesOptions& options) {
  return run_engine("modes", problem, [&] {
    try {
      return Modes(problem, budget, options.seed).search();
    } catch (const OutOfBudget& end) {
      Result result;
      result.reason = to_string(end.stop);
      return result;
    }
  });
}

}  // namespace

constinit const Engine modes_engine = {
    .info = {.name = "modes",
             .can_hold = true,
             .summary = "induction with relations between registers that have few values; good for machines that work "
                        "side by side, the default of `plumb bip`"},
    .form = Problem::Form::FewCells,
    .priority = 1,
    .for_machines = {"modes"},
    .run = [](const EngineTask& task) { return run_modes(task.problem, task.budget, {.seed = task.options.seed}); }};

Result prove_by_modes(const System& system, std::size_t bad, const Budget& budget, const ModesOptions& options) {
  return run_alone(system, bad, modes_engine.form, budget,
                   [&](Problem& problem) { return run_modes(problem, budget, options); });
}

}  // namespace plumb::prove
