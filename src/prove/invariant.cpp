#include "prove/invariant.h"

#include <fmt/format.h>

#include "base/error.h"
#include "lang/smtlib/reader.h"
#include "prove/place_check.h"
#include "prove/unrolling.h"
#include "solve/solver.h"
#include "system/copy.h"
#include "term/evaluator.h"
#include "term/smtlib_printer.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

using Start = Unrolling::Start;

constexpr std::chrono::duration<double> kWholeTime(1);

/// Asks for a model of all terms.
class Query {
 public:
  explicit Query(System& system) {
    solve::SolverOptions once;
    once.one_shot = true;
    solver_ = solve::make_solver(system.store(), "native", once);
  }
  Query& add(Term t) {
    solver_->assert_true(t);
    return *this;
  }
  solve::Result ask(const Budget& budget) { return solver_->check(budget); }

 private:
  std::unique_ptr<solve::Solver> solver_;
};

Check judged(const solve::Result& result, std::string_view what) {
  if (result.answer == solve::Answer::Unsat) return {Check::Outcome::Confirmed, {}};
  if (result.answer == solve::Answer::Unknown)
    return {Check::Outcome::Unknown, fmt::format("{}: {}", what, result.reason)};
  return {Check::Outcome::Refused, std::string(what)};
}

/// As to_smtlib() declares variables: single bits are Bool, elements and indices of arrays never.
smtlib::Type declared_type(term::Sort sort) {
  if (sort.is_array()) return smtlib::Type::array(smtlib::Type::bits(sort.index_width), smtlib::Type::bits(sort.width));
  return sort.width == 1 ? smtlib::Type::boolean() : smtlib::Type::bits(sort.width);
}

smtlib::TypedTerm read_term(term::TermStore& store, const std::vector<Term>& variables,
                            const std::vector<std::string>& symbols, const std::string& text, const Budget& budget) {
  smtlib::Reader reader(store, text, "invariant", budget);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    smtlib::Binding binding;
    binding.kind = smtlib::Binding::Kind::Value;
    binding.value = {variables[i], declared_type(store.sort(variables[i]))};
    smtlib::Token name;
    name.kind = smtlib::Token::Kind::Symbol;
    name.text = symbols[i];
    reader.define(name, binding);
  }
  const smtlib::TypedTerm result = reader.term();
  if (const smtlib::Token rest = reader.lexer().next(); rest.kind != smtlib::Token::Kind::End)
    reader.lexer().fail_expected("the end of the invariant", rest);
  return result;
}

/// The bit of a state that a latch holds.
Term latch_term(System& system, const system::SystemCircuit::LatchPlace& place) {
  term::TermStore& store = system.store();
  // The latch that is true in the first step alone.
  if (!place.state) return store.boolean(false);
  Term word = system.states()[place.state->position].variable;
  if (store.is_array(word))
    word = store.select(word, store.constant(store.sort(word).index_width, place.state->element));
  return store.bit(word, place.state->bit);
}

/// Products of words, which no search is good at.
bool has_products(const term::TermStore& store, Term t) {
  bool found = false;
  term::TermSet seen;
  const Term root[] = {t};
  term::post_order(store, root, seen, [&](Term u) {
    if (store.op(u) == term::Op::Mul && !store.is_constant(store.child(u, 0))) found = true;
  });
  return found;
}

/// Safety and consecution behind the first steps: in one question each, and way by way where that takes long.
Check check_steps(System& system, Term bad, Term invariant, const Budget& budget) {
  term::TermStore& store = system.store();
  Unrolling any(system, Start::Arbitrary);
  const Budget first = budget.with_timeout(kWholeTime);
  const auto next_step = [&](Term wanted, const Budget& limit) {
    return Query(system)
        .add(any.at(invariant, 0))
        .add(store.bit_not(any.at(bad, 0)))
        .add(any.constraints(0))
        .add(any.constraints(1))
        .add(wanted)
        .ask(limit);
  };
  const auto check = [&](const Budget& limit) {
    Check result = judged(next_step(any.at(bad, 1), limit), "safety: the invariant does not exclude the bad");
    if (!result.is_confirmed()) return result;
    return judged(next_step(store.bit_not(any.at(invariant, 1)), limit),
                  "consecution: the invariant does not follow from itself");
  };
  Check whole;
  if (!has_products(store, invariant)) whole = check(first);
  if (whole.outcome != Check::Outcome::Unknown || budget.exceeded()) return whole;
  Check by_place = check_steps_by_place(system, bad, invariant, budget);
  if (by_place.outcome != Check::Outcome::Unknown || budget.exceeded()) return by_place;
  return check(budget);
}

}  // namespace

Check check_invariant(System& system, Term bad, Term invariant, unsigned from, const Budget& budget) {
  term::TermStore& store = system.store();
  Unrolling run(system, Start::Initial);
  Query initiation(system);
  for (unsigned step = 0; step <= from; ++step) initiation.add(run.constraints(step));
  initiation.add(store.bit_not(run.at(invariant, from)));
  Check check = judged(initiation.ask(budget), fmt::format("initiation: the invariant does not hold in step {}", from));
  if (!check.is_confirmed()) return check;

  for (unsigned last = 0; last <= from; ++last) {
    Query start(system);
    for (unsigned step = 0; step <= last; ++step) start.add(run.constraints(step));
    check =
        judged(start.add(run.at(bad, last)).ask(budget), fmt::format("safety: the bad is reached in step {}", last));
    if (!check.is_confirmed()) return check;
  }
  return check_steps(system, bad, invariant, budget);
}

std::string write_invariant(const System& system, const std::vector<std::string>& symbols, Term invariant) {
  term::TermStore named;
  system::TermCopier copier(system.store(), named);
  std::vector<Term> variables;
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const Term variable = system.states()[i].variable;
    variables.push_back(named.variable(system.store().sort(variable), symbols[i]));
    copier.declare(variable, variables.back());
  }
  const std::string text = term::to_smtlib(named, copier.copy(invariant));
  // An element of an array is no Bool, whatever its width.
  const bool is_bool = read_term(named, variables, symbols, text, Budget()).type.is_bool();
  return is_bool ? text : fmt::format("(= {} #b1)", text);
}

Term read_invariant(System& system, const std::vector<std::string>& symbols, const std::string& text,
                    const Budget& budget) {
  std::vector<Term> variables;
  for (const system::State& state : system.states()) variables.push_back(state.variable);
  const smtlib::TypedTerm invariant = read_term(system.store(), variables, symbols, text, budget);
  if (!invariant.type.is_bool())
    throw UserError(SourceLocation{"invariant", 1, 1},
                    fmt::format("an invariant should be Bool, this is {}", invariant.type.to_string()));
  return invariant.term;
}

std::vector<Term> invariant_terms(System& system, const system::SystemCircuit& circuit, const circuit::Aig& graph) {
  term::TermStore& store = system.store();
  INVARIANT(graph.inputs().size() == circuit.latches.size(), "an invariant should speak of the circuit's latches");
  std::vector<Term> values(graph.size(), store.boolean(false));
  for (std::size_t i = 0; i < circuit.latches.size(); ++i)
    values[graph.inputs()[i].node] = latch_term(system, circuit.latches[i]);
  const auto value = [&](circuit::Lit lit) {
    return lit.complemented() ? store.bit_not(values[lit.node()]) : values[lit.node()];
  };
  for (std::uint32_t node = 1; node < graph.size(); ++node)
    if (graph.is_and(node)) values[node] = store.bit_and(value(graph.fanin0(node)), value(graph.fanin1(node)));
  std::vector<Term> terms;
  for (const circuit::NamedLit& output : graph.outputs()) terms.push_back(value(output.lit));
  return terms;
}

std::vector<Term> inductive_subset(System& system, Term bad, std::vector<Term> candidates, unsigned from,
                                   const Budget& budget) {
  term::TermStore& store = system.store();
  // Drops candidates until all that are left are true in `step`, maybe only if they are in the step before.
  const auto filter = [&](solve::Solver& solver, Unrolling& steps, std::size_t step, bool assume_before) {
    while (!candidates.empty()) {
      std::vector<Term> refuted;
      std::vector<Term> assumptions;
      for (const Term candidate : candidates) {
        refuted.push_back(store.bit_not(steps.at(candidate, step)));
        if (assume_before) assumptions.push_back(steps.at(candidate, step - 1));
      }
      assumptions.push_back(store.any_of(refuted));
      const solve::Result result = solver.check(assumptions, budget);
      if (result.answer == solve::Answer::Unsat) return;
      budget.check();
      if (result.answer == solve::Answer::Unknown) return candidates.clear();
      term::Evaluator evaluator(store, solver.model());
      std::erase_if(candidates, [&](Term t) { return !evaluator.is_true(steps.at(t, step)); });
    }
  };
  Unrolling run(system, Start::Initial);
  const auto start = solve::make_solver(store, "native");
  for (unsigned step = 0; step <= from; ++step) start->assert_true(run.constraints(step));
  filter(*start, run, from, false);
  Unrolling any(system, Start::Arbitrary);
  const auto next = solve::make_solver(store, "native");
  next->assert_true(any.constraints(0));
  next->assert_true(any.constraints(1));
  next->assert_true(store.bit_not(any.at(bad, 0)));
  filter(*next, any, 1, true);
  return candidates;
}

}  // namespace plumb::prove
