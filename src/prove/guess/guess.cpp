// Proofs about programs often need a relation between words that no clause over bits says in less than thousands: x + y
// is n, i is at most n, s is i times k. Such relations can be seen in runs (Ernst and others, "Dynamically Discovering
// Likely Program Invariants", 2001): what holds in all samples at a place is a hypothesis there, and what is left after
// the weeding is an invariant. Whether it is, and whether it is enough, is decided by the solver alone, at the end
// from the system itself.

#include <array>

#include "prove/engine.h"
#include "prove/guess/proof.h"
#include "prove/guess/samples.h"
#include "prove/lemma_proof.h"
#include "term/evaluator.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kSteps = 5000;
constexpr std::size_t kShortRun = 80;
constexpr std::size_t kLongRun = 600;
constexpr std::size_t kMaxObserved = 240;  ///< states that predicates are evaluated in, a place
constexpr std::size_t kRareRuns = 10;
constexpr std::size_t kRareDepth = 24;
constexpr double kRareSeconds = 1;
constexpr double kShorterSeconds = 2;
constexpr double kInductionTime = 4;  ///< times that of a question
constexpr double kFirstSeconds = 0.3;
constexpr double kLastSeconds = 5;

class Guess {
 public:
  Guess(Problem& problem, const Budget& budget, const GuessOptions& options)
      : problem_(problem),
        system_(problem.system()),
        store_(system_.store()),
        budget_(budget),
        map_(system_),
        vocabulary_(vocabulary_of(system_, map_)),
        samples_(system_, map_, vocabulary_, options.seed),
        lemmas_(map_.places().size()),
        lemma_proof_(problem, budget) {}

  Result search() {
    samples_.run(kSteps, kShortRun, budget_);
    samples_.run(kSteps, kLongRun, budget_);
    if (!samples_.counterexample()) visit_rare_places();
    if (samples_.counterexample()) return violated();
    constexpr std::array<Kinds, 4> kRounds = {Kinds{}, Kinds{.has_choices = true}, Kinds{.has_products = true},
                                              Kinds{.has_sets = true}};
    for (double seconds = kFirstSeconds; seconds <= kLastSeconds; seconds *= 4) {
      bool was_hasty = false;
      for (const Kinds kinds : kRounds)
        if (auto result = round(kinds, seconds, was_hasty)) return *result;
      if (!was_hasty) break;
    }
    Result result;
    result.reason = lemma_proof_.reason().empty() ? "no invariant that was guessed is enough" : lemma_proof_.reason();
    return result;
  }

 private:
  /// What was met by chance is seldom the shortest way there: unless that takes long, one is looked for.
  Result violated() {
    Result result;
    result.verdict = Verdict::Violated;
    result.trace = samples_.counterexample();
    result.bound = result.trace->steps.size() - 1;
    if (result.bound == 0) return result;
    const Budget budget = budget_.with_timeout(std::chrono::duration<double>(kShorterSeconds));
    Result shorter = run_bmc(problem_, budget, {.max_bound = result.bound - 1, .try_exhaustion = false});
    if (shorter.verdict != Verdict::Violated) return result;
    result.trace = std::move(shorter.trace);
    result.bound = shorter.bound;
    return result;
  }

  /// Places that random runs have not come to, by the solver.
  void visit_rare_places() {
    if (!map_.state()) return;
    Unrolling run(system_, Unrolling::Start::Initial);
    const auto solver = solve::make_solver(store_, "native");
    const Budget budget = budget_.with_timeout(std::chrono::duration<double>(kRareSeconds));
    for (std::size_t k = 0; k < kRareDepth && !budget.exceeded() && !samples_.counterexample(); ++k) {
      solver->assert_true(run.constraints(k));
      for (std::size_t i = 0; i < map_.places().size(); ++i) {
        if (!samples_.at(i).empty() || budget.exceeded()) continue;
        const std::array<Term, 1> there{
            store_.eq(run.state(*map_.state(), k), store_.constant(*map_.places()[i].value))};
        if (solver->check(there, budget).answer != solve::Answer::Sat) continue;
        samples_.follow(run.trace(solver->model(), k), kRareRuns, kShortRun, budget_);
      }
    }
    budget_.check();
  }

  /// What would have to be believed at a place for the property and the comparisons of the places behind it.
  std::vector<Term> wishes(std::size_t place) const {
    std::vector<Term> result = {store_.bit_not(map_.places()[place].bad)};
    for (const ControlMap::Way& way : map_.ways()) {
      if (way.from != place) continue;
      term::Substitution next = map_.behind(way);
      result.push_back(store_.implies(way.condition, store_.bit_not(next.apply(map_.places()[way.to].bad))));
      for (const Term atom : vocabulary_.atoms) {
        const Term shifted = next.apply(atom);
        result.push_back(shifted);
        result.push_back(store_.bit_not(shifted));
      }
    }
    return result;
  }

  std::vector<Hypotheses> hypotheses(Kinds kinds) {
    std::vector<Hypotheses> result;
    term::Assignment assignment;
    for (std::size_t i = 0; i < map_.places().size(); ++i) {
      Hypotheses& here = result.emplace_back(system_, map_.places()[i], vocabulary_, kinds, wishes(i));
      term::Evaluator evaluator(store_, assignment);
      const std::vector<Samples::State>& states = samples_.at(i);
      const auto for_each_state = [&](std::size_t stride, const auto& use) {
        for (std::size_t k = 0; k < states.size(); k += stride) {
          for (std::size_t j = 0; j < states[k].size(); ++j) assignment[system_.states()[j].variable] = states[k][j];
          evaluator.clear();
          use([&](Term t) -> const BitVector& { return evaluator.bits(t); });
        }
      };
      // Predicates are many, and those that only some of the states refute are refuted later.
      const std::size_t stride = kinds.has_sets ? 1 : 1 + states.size() / kMaxObserved;
      for_each_state(1, [&](const Hypotheses::Reader& read) { here.look(read); });
      for_each_state(stride, [&](const Hypotheses::Reader& read) { here.observe(read); });
      budget_.check();
      here.settle();
    }
    return result;
  }

  std::optional<Result> round(Kinds kinds, double seconds, bool& was_hasty) {
    std::vector<Hypotheses> believed = hypotheses(kinds);
    Weeding weeding(system_, map_, lemmas_, believed, seconds);
    weeding.run(budget_);
    lemmas_ = weeding.result();
    Proof proof(system_, map_, lemmas_, seconds);
    const bool is_enough = proof.excludes_bad(budget_);
    was_hasty = was_hasty || weeding.was_hasty() || proof.was_hasty();
    if (!is_enough) return lemma_proof_.by_induction(proof.whole(), kInductionTime * seconds);
    if (auto result = lemma_proof_.by_itself(proof.invariant(budget_))) return result;
    return lemma_proof_.by_itself(proof.whole());
  }

  Problem& problem_;
  System& system_;
  term::TermStore& store_;
  const Budget& budget_;
  ControlMap map_;
  Vocabulary vocabulary_;
  Samples samples_;
  Lemmas lemmas_;  ///< what earlier rounds have proved
  LemmaProof lemma_proof_;
};

Result run_guess(Problem& problem, const Budget& budget, const GuessOptions& options) {
  return run_engine("guess", problem, [&] {
    try {
      return Guess(problem, budget, options).search();
    } catch (const OutOfBudget& end) {
      Result result;
      result.reason = to_string(end.stop);
      return result;
    }
  });
}

}  // namespace

// Ends by itself where it leads to nothing.
constinit const Engine guess_engine = {
    .info = {.name = "guess",
             .can_hold = true,
             .can_violate = true,
             .summary = "induction with relations between words that were seen in random runs; good if a sum, an order "
                        "or a product is the reason",
             .by_default = {"guess"}},
    .form = Problem::Form::FewCells,
    .priority = 1,
    .for_machines = {"guess"},
    .run = [](const EngineTask& task) { return run_guess(task.problem, task.budget, {.seed = task.options.seed}); }};

Result guess_invariants(const System& system, std::size_t bad, const Budget& budget, const GuessOptions& options) {
  return run_alone(system, bad, guess_engine.form, budget,
                   [&](Problem& problem) { return run_guess(problem, budget, options); });
}

}  // namespace plumb::prove
