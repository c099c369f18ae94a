#include "concolic/region/term_recipe.h"

#include <gtest/gtest.h>

#include <random>

#include "term/substitution.h"

namespace plumb::concolic {
namespace {

using term::Term;
using term::TermStore;

/// Random terms over bytes, choices and arrays that are written at constant places and at places that depend on
/// parameters.
class RandomTerms {
 public:
  RandomTerms(TermStore& store, std::uint32_t seed) : store_(store), random_(seed) {
    for (int i = 0; i < 4; ++i) {
      parameters_.push_back(store_.variable(8, "p" + std::to_string(i)));
      bytes_.push_back(parameters_.back());
    }
    for (int i = 0; i < 6; ++i) bytes_.push_back(store_.constant(8, pick(8)));
    arrays_.push_back(store_.constant_array(8, pick_byte()));
    arrays_.push_back(array_);
  }

  void grow(int steps) {
    for (int i = 0; i < steps; ++i) {
      switch (pick(6)) {
        case 0:
          bytes_.push_back(store_.add(pick_byte(), pick_byte()));
          break;
        case 1:
          bytes_.push_back(store_.ite(store_.eq(pick_byte(), pick_byte()), pick_byte(), pick_byte()));
          break;
        case 2:
          bytes_.push_back(store_.select(arrays_[pick(arrays_.size())], pick_byte()));
          break;
        default:
          arrays_.push_back(store_.store(arrays_[pick(arrays_.size())], pick_byte(), pick_byte()));
      }
    }
  }

  std::size_t pick(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_); }
  Term pick_byte() { return bytes_[pick(bytes_.size())]; }
  const std::vector<Term>& parameters() const { return parameters_; }
  Term array() const { return array_; }

 private:
  TermStore& store_;
  std::mt19937 random_;
  Term array_ = store_.variable(term::Sort{8, 8}, "a");
  std::vector<Term> parameters_;
  std::vector<Term> bytes_;
  std::vector<Term> arrays_;
};

TEST(TermRecipe, MakesWhatASubstitutionMakes) {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    TermStore store;
    RandomTerms terms(store, seed);
    terms.grow(60);
    const std::vector<Term> first = {terms.pick_byte(), Term{}, terms.pick_byte()};
    const std::vector<Term> second = {terms.pick_byte(), terms.pick_byte()};
    TermRecipe recipe(store);
    recipe.add_stage(first);
    recipe.add_stage(second);
    const Term other = store.variable(8, "other");
    for (int round = 0; round < 4; ++round) {
      recipe.begin();
      term::Substitution substitution(store);
      for (const Term parameter : terms.parameters()) {
        const Term operand = terms.pick(3) == 0 ? other : store.constant(8, terms.pick(8));
        substitution.add(parameter, operand);
        recipe.set(parameter, operand);
      }
      // An array that is no parameter stands for itself.
      recipe.set(terms.array(), terms.array());
      for (const auto& [stage, roots] : {std::pair(std::size_t{1}, second), std::pair(std::size_t{0}, first)}) {
        const std::vector<Term> made = recipe.make(stage);
        ASSERT_EQ(made.size(), roots.size());
        for (std::size_t i = 0; i < roots.size(); ++i)
          EXPECT_EQ(made[i], roots[i] ? substitution.apply(roots[i]) : Term{}) << "seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace plumb::concolic
