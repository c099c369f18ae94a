// Random terms of every operator at odd widths: rewriting, evaluation, bit-blasted simulation, native solving (one
// query, incremental) and Z3 on the unrewritten text must agree. Prints a summary; the first disagreement prints the
// formula and ends with exit code 1.

#include <fmt/format.h>
#include <z3++.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "circuit/bit_blaster.h"
#include "circuit/simulator.h"
#include "recipe.h"
#include "solve/solver.h"
#include "term/evaluator.h"
#include "term/smtlib_printer.h"

namespace plumb::fuzz {
namespace {

using term::Op;
using term::Term;
using term::Value;

struct Counts {
  std::size_t terms = 0;
  std::size_t evaluations = 0;
  std::size_t simulated = 0;
  std::size_t queries = 0;
  std::size_t sat = 0;
  std::size_t unsat = 0;
  std::size_t z3_unknown = 0;
};

[[noreturn]] void disagree(const Recipe& recipe, std::size_t step, const std::string& what) {
  fmt::print("{}\nDISAGREEMENT at s{} ({}): {}\n", recipe.to_smtlib(), step, term::name(recipe.steps()[step].op), what);
  std::exit(1);
}

term::Assignment assignment_of(const Recipe& recipe, const std::vector<Term>& terms, const std::vector<Value>& inputs) {
  term::Assignment assignment;
  std::size_t next = 0;
  for (std::size_t i = 0; i < terms.size(); ++i)
    if (recipe.steps()[i].op == Op::Variable) assignment.emplace(terms[i], inputs[next++]);
  return assignment;
}

void check_evaluation(const Recipe& recipe, std::mt19937_64& random, Counts& counts) {
  term::TermStore store;
  const std::vector<Term> terms = recipe.build(store);
  counts.terms += terms.size();
  for (int round = 0; round < 4; ++round) {
    const std::vector<Value> inputs = recipe.random_inputs(random);
    const std::vector<Value> expected = recipe.evaluate(inputs);
    const term::Assignment assignment = assignment_of(recipe, terms, inputs);
    term::Evaluator evaluator(store, assignment);
    for (std::size_t i = 0; i < terms.size(); ++i) {
      ++counts.evaluations;
      const Value got = evaluator.value(terms[i]);
      if (!(got == expected[i]))
        disagree(recipe, i,
                 fmt::format("rewritten to {} = {}, expected {}", term::to_smtlib(store, terms[i]),
                             term::to_smtlib(got), term::to_smtlib(expected[i])));
    }
  }
}

/// 64 assignments at once, bit by bit against direct evaluation.
void check_simulation(const Recipe& recipe, std::mt19937_64& random, Counts& counts) {
  term::TermStore store;
  const std::vector<Term> terms = recipe.build(store);
  circuit::Aig aig;
  circuit::BitBlaster blaster(store, aig);
  std::vector<std::vector<circuit::Lit>> bits(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (recipe.steps()[i].has_arrays) continue;
    const auto span = blaster.bits(terms[i], Budget());
    bits[i].assign(span.begin(), span.end());
  }
  std::vector<std::vector<Value>> expected;
  circuit::Simulator simulator(aig);
  std::vector<std::uint64_t> words(aig.inputs().size(), 0);
  for (unsigned run = 0; run < 64; ++run) {
    expected.push_back(recipe.evaluate(recipe.random_inputs(random)));
    for (std::size_t i = 0; i < terms.size(); ++i) {
      if (recipe.steps()[i].op != Op::Variable) continue;
      for (std::uint32_t b = 0; b < bits[i].size(); ++b)
        if (std::get<BitVector>(expected[run][i]).bit(b))
          words[aig.ordinal(bits[i][b].node())] |= std::uint64_t{1} << run;
    }
  }
  for (std::uint32_t i = 0; i < words.size(); ++i) simulator.set_input(i, words[i]);
  simulator.evaluate();
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (!bits[i].empty()) ++counts.simulated;
    for (std::uint32_t b = 0; b < bits[i].size(); ++b)
      for (unsigned run = 0; run < 64; ++run)
        if (((simulator.value(bits[i][b]) >> run) & 1) != (std::get<BitVector>(expected[run][i]).bit(b) ? 1U : 0U))
          disagree(recipe, i, fmt::format("bit {} of its circuit is wrong", b));
  }
}

/// A step of width 1 that is to hold, or a step that is to have a certain value.
struct Goal {
  std::size_t step;
  BitVector value;
};

std::vector<Goal> random_goals(const Recipe& recipe, std::mt19937_64& random) {
  std::vector<Goal> goals;
  const std::vector<Value> values = recipe.evaluate(recipe.random_inputs(random));
  const bool reachable = random() % 2 == 0;
  for (std::size_t n = 1 + random() % 3; n-- > 0;) {
    std::size_t step = recipe.steps().size() - 1 - random() % (recipe.steps().size() / 2);
    while (recipe.steps()[step].sort.is_array()) --step;
    const std::uint32_t width = recipe.steps()[step].sort.width;
    goals.push_back({step, reachable ? std::get<BitVector>(values[step]) : random_bits(random, width)});
  }
  return goals;
}

solve::Answer ask_z3(const std::string& text) {
  z3::context context;
  context.set("timeout", 2000);
  z3::solver solver(context);
  solver.from_string(text.c_str());
  switch (solver.check()) {
    case z3::sat:
      return solve::Answer::Sat;
    case z3::unsat:
      return solve::Answer::Unsat;
    default:
      return solve::Answer::Unknown;
  }
}

void check_solving(const Recipe& recipe, std::mt19937_64& random, Counts& counts) {
  term::TermStore store;
  const std::vector<Term> terms = recipe.build(store);
  const auto one_shot = solve::make_solver(store, "native", {.one_shot = true});
  const auto incremental = solve::make_solver(store, "native", {});
  std::string text = recipe.to_smtlib();
  std::vector<Term> asserted;
  for (int round = 0; round < 3; ++round) {
    const std::vector<Goal> goals = random_goals(recipe, random);
    std::vector<Term> assumptions;
    std::string goal_text;
    for (const Goal& goal : goals) {
      assumptions.push_back(store.eq(terms[goal.step], store.constant(goal.value)));
      goal_text += fmt::format("(assert (= s{} #b{}))\n", goal.step, goal.value.to_binary());
    }
    const solve::Answer expected = ask_z3(text + goal_text);
    ++counts.queries;
    if (expected == solve::Answer::Unknown) {
      ++counts.z3_unknown;
      continue;
    }
    ++(expected == solve::Answer::Sat ? counts.sat : counts.unsat);
    const auto complain = [&](std::string_view who) {
      disagree(recipe, goals[0].step,
               fmt::format("{} and z3 ({}) differ on\n{}", who, solve::to_string(expected), text + goal_text));
    };
    const Budget budget = Budget().with_timeout(std::chrono::seconds(60));
    if (incremental->check(assumptions, budget).answer != expected) complain("incremental native");
    if (expected == solve::Answer::Unsat) {
      const std::vector<Term> core = incremental->failed_assumptions();
      if (incremental->check(core, budget).answer != solve::Answer::Unsat) complain("failed assumptions of native");
    }
    if (round == 0) {
      for (const Term t : assumptions) one_shot->assert_true(t);
      if (one_shot->check(budget).answer != expected) complain("one-shot native");
      if (ask_z3(term::to_smtlib_script(store, assumptions)) != expected) complain("the printed script");
    }
    // Half of the satisfiable goals stay for the next rounds, in a scope or for good.
    if (expected == solve::Answer::Sat && random() % 2 == 0) {
      if (random() % 2 == 0) incremental->push();
      for (const Term t : assumptions) incremental->assert_true(t);
      text += goal_text;
    }
  }
}

int run(std::size_t terms, std::size_t queries, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Counts counts;
  while (counts.terms < terms) {
    RecipeOptions options;
    options.steps = 10 + random() % 50;
    if (random() % 2 == 0) options.max_hard_width = 33;
    // A few values tell more about narrow terms than any number about wide ones.
    if (random() % 3 == 0) options.widths = {1, 2, 3, 4, 7};
    const Recipe recipe = Recipe::random(random, options);
    check_evaluation(recipe, random, counts);
    check_simulation(recipe, random, counts);
  }
  while (counts.queries < queries) {
    RecipeOptions options;
    options.steps = 8 + random() % 30;
    options.max_hard_width = 8;
    const Recipe recipe = Recipe::random(random, options);
    check_solving(recipe, random, counts);
  }
  fmt::print(
      "{} terms, {} evaluations, {} terms simulated 64 times, {} queries ({} sat, {} unsat, {} unknown to z3), no "
      "disagreement\n",
      counts.terms, counts.evaluations, counts.simulated, counts.queries, counts.sat, counts.unsat, counts.z3_unknown);
  return 0;
}

}  // namespace
}  // namespace plumb::fuzz

int main(int argc, char** argv) {
  std::size_t terms = 100'000;
  std::size_t queries = 5'000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    const std::uint64_t number = std::stoull(argv[i + 1]);
    if (option == "--terms") terms = number;
    if (option == "--queries") queries = number;
    if (option == "--seed") seed = number;
  }
  try {
    return plumb::fuzz::run(terms, queries, seed);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
