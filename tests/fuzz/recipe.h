#pragma once

#include <random>
#include <string>
#include <vector>

#include "term/term_store.h"
#include "term/value.h"

namespace plumb::fuzz {

/// A random formula as a list of operations, independent of the term library's rewriting: it can be evaluated step by
/// step on values, built into a TermStore, and written as SMT-LIB text operator by operator. What these three disagree
/// on is a bug.
struct Step {
  term::Op op;
  term::Sort sort;
  std::vector<std::size_t> operands;  ///< earlier steps
  std::uint32_t parameter = 0;        ///< as in term::Op
  BitVector value;                    ///< of a Constant

  bool has_arrays = false;  ///< it or one of its operands reads, writes or is an array
};

struct RecipeOptions {
  std::size_t steps = 40;
  std::vector<std::uint32_t> widths = {1, 7, 8, 31, 32, 33, 64, 65, 128};
  bool arrays = true;
  /// Products and quotients wider than this are left out: solvers do not finish on them.
  std::uint32_t max_hard_width = 128;
};

class Recipe {
 public:
  static Recipe random(std::mt19937_64& random, const RecipeOptions& options);

  const std::vector<Step>& steps() const noexcept { return steps_; }

  /// Random values for the variables: edge values as often as uniform ones.
  std::vector<term::Value> random_inputs(std::mt19937_64& random) const;
  /// Values of all steps; `inputs` in the order of the Variable steps.
  std::vector<term::Value> evaluate(const std::vector<term::Value>& inputs) const;
  std::vector<term::Term> build(term::TermStore& store) const;
  /// A term of the text's sorts (width 1 is (_ BitVec 1)), with one define-fun `s<i>` a step; variables are declared.
  /// For Z3.
  std::string to_smtlib() const;

 private:
  std::vector<Step> steps_;
};

BitVector random_bits(std::mt19937_64& random, std::uint32_t width);

}  // namespace plumb::fuzz
