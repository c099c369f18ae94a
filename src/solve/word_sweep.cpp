// Sweeping (Mishchenko et al., "FRAIGs: A Unifying Representation for Logic Synthesis and Verification", 2005) on words
// in place of nodes, as equivalence checkers of data paths do: far fewer candidates, and a query over words that were
// merged below is often decided by the rewriting of terms alone.

#include "solve/word_sweep.h"

#include <absl/container/flat_hash_map.h>

#include <random>

#include "solve/solver.h"
#include "term/evaluator.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::solve {

using term::Term;

namespace {

/// Patterns violate the constraints more often than not: so many random ones are tried for each that is kept.
constexpr unsigned kTries = 20;

class WordSweeper {
 public:
  WordSweeper(term::TermStore& store, std::span<const Term> roots, const WordSweepOptions& options,
              const Budget& budget)
      : store_(store),
        options_(options),
        budget_(budget),
        random_(options.seed),
        solver_(make_solver(store, options.backend, {.seed = options.seed})) {
    term::TermSet seen;
    term::post_order(store, roots, seen, [&](Term t) { order_.push_back(t); });
    values_.resize(order_.size());
    for (const Term constraint : options.constraints) solver_->assert_true(constraint);
    term::TermSet all;
    const auto collect = [&](Term t) {
      if (store_.is_variable(t)) variables_.push_back(t);
    };
    term::post_order(store, roots, all, collect);
    term::post_order(store, options.constraints, all, collect);
  }

  WordSweep run(std::span<const Term> roots) {
    for (unsigned i = 0; i < options_.patterns * kTries && patterns_ < options_.patterns; ++i) add_random_pattern();
    // A class needs one pattern: without, all words of a width would be candidates.
    if (patterns_ == 0 && solver_->check(query_budget()).answer == Answer::Sat) add_pattern(solver_->model());
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const Term t = order_[i];
      const Term made = term::rebuild(store_, t, became_);
      became_[t] = patterns_ > 0 && !store_.is_array(t) ? merged(i, made) : made;
    }
    for (const Term root : roots) result_.roots.push_back(became_.at(root));
    return std::move(result_);
  }

 private:
  /// What the patterns say of a word; a truth value and its negation are of the same class.
  struct Signature {
    std::uint64_t hash = 0;
    BitVector first;
    bool is_constant = true;
  };
  using Class = std::pair<std::uint32_t, std::uint64_t>;

  Budget query_budget() const { return budget_.with_timeout(options_.query_time); }

  void add_random_pattern() {
    term::Assignment pattern;
    for (const Term variable : variables_) pattern[variable] = random_value(store_.sort(variable));
    term::Evaluator evaluator(store_, pattern);
    for (const Term constraint : options_.constraints)
      if (!evaluator.is_true(constraint)) return;
    add_pattern(pattern);
  }

  term::Value random_value(term::Sort sort) {
    std::vector<std::uint64_t> words((sort.width + 63) / 64);
    // Small numbers are met more often than chance has it.
    const bool is_small = random_() % 4 == 0;
    for (std::uint64_t& word : words) word = is_small ? 0 : random_();
    if (is_small) words[0] = random_() % 4;
    const BitVector value = BitVector::from_words(sort.width, words);
    if (!sort.is_array()) return value;
    return term::ArrayValue{sort.index_width, value, {}};
  }

  void add_pattern(const term::Assignment& pattern) {
    term::Evaluator evaluator(store_, pattern);
    for (std::size_t i = 0; i < order_.size(); ++i) {
      if (store_.is_array(order_[i])) continue;
      const BitVector& value = evaluator.bits(order_[i]);
      Signature& signature = values_[i];
      if (patterns_ == 0) signature.first = value;
      signature.is_constant = signature.is_constant && value == signature.first;
      const bool is_negated = value.width() == 1 && signature.first.is_one();
      const BitVector seen = is_negated ? ~value : value;
      for (const std::uint64_t word : seen.words()) {
        signature.hash = (signature.hash ^ word) * 0x9fb21c651e98df25;
        signature.hash ^= signature.hash >> 32;
      }
    }
    ++patterns_;
  }

  void group(std::size_t processed) {
    classes_.clear();
    for (std::size_t i = 0; i < processed; ++i)
      if (!store_.is_array(order_[i])) classes_.try_emplace(class_of(i), i);
  }
  Class class_of(std::size_t i) const { return {store_.width(order_[i]), values_[i].hash}; }

  /// What the patterns cannot tell from the word at `i`; null if there is nothing.
  Term candidate(std::size_t i) {
    const Signature& signature = values_[i];
    if (signature.is_constant) return store_.constant(signature.first);
    const auto [place, is_first] = classes_.try_emplace(class_of(i), i);
    if (is_first || place->second == i) return {};
    const Term other = became_.at(order_[place->second]);
    return values_[place->second].first == signature.first || store_.width(other) != 1 ? other : store_.bit_not(other);
  }

  Term merged(std::size_t i, Term made) {
    // Each difference takes the word out of the class that it was in, so this ends; but for hashes that meet.
    Term before;
    while (!store_.is_constant(made) && !store_.is_variable(made) && !budget_.exceeded()) {
      const Term other = candidate(i);
      if (!other || other == made || other == before) break;
      before = other;
      const Term differ = store_.distinct(made, other);
      const Answer answer =
          store_.is_false(differ) ? Answer::Unsat : solver_->check(std::span(&differ, 1), query_budget()).answer;
      if (answer == Answer::Unsat) {
        ++result_.merged;
        return other;
      }
      if (answer == Answer::Unknown) {
        ++result_.undecided;
        break;
      }
      ++result_.different;
      const term::Assignment model = solver_->model();
      add_pattern(model);
      group(i);
    }
    classes_.try_emplace(class_of(i), i);
    return made;
  }

  term::TermStore& store_;
  const WordSweepOptions& options_;
  const Budget& budget_;
  std::mt19937_64 random_;
  std::unique_ptr<Solver> solver_;
  std::vector<Term> order_;      ///< operands before their users
  std::vector<Term> variables_;  ///< of roots and constraints
  std::vector<Signature> values_;
  absl::flat_hash_map<Class, std::size_t> classes_;  ///< the oldest word of each
  term::TermMap<Term> became_;
  unsigned patterns_ = 0;
  WordSweep result_;
};

}  // namespace

WordSweep sweep_words(term::TermStore& store, std::span<const Term> roots, const WordSweepOptions& options,
                      const Budget& budget) {
  return WordSweeper(store, roots, options, budget).run(roots);
}

}  // namespace plumb::solve
