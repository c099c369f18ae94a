#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "system/system.h"
#include "term/traverse.h"

namespace plumb::system {

/// Makes terms of one store anew in another, without arrays: an array becomes its elements, a variable each. The
/// paper's Algorithm 2 ("Array access resolving") makes a chain of comparisons of every access; here a read is a tree
/// of choices by the bits of its index and a write is guarded by a decoder, so both are as deep as the index is wide,
/// and decoders are shared between writes with the same index. Each term once. Both stores must outlive it. Not
/// recursive.
class ArrayExpansion {
 public:
  enum class Indices : std::uint8_t {
    Any,
    /// Indices are constants or choices among few constants, as counters are in the steps of a program: a choice of
    /// the index becomes one of what is read.
    NearlyConstant,
  };
  /// `max_elements`: of all array terms together. The stores may be the same. Whatever makes terms throws OutOfBudget.
  ArrayExpansion(const TermStore& from, TermStore& to, std::uint64_t max_elements, Indices indices = Indices::Any,
                 Budget budget = {});

  /// Makes the variables that stand for a variable: one, or one an element, called NAME[0], NAME[1] and so on. Throws
  /// Unsupported with the array's size if there would be too many.
  std::span<const Term> declare(Term variable, const std::string& name);
  /// Lets terms of the other store stand for a variable: one, or one an element.
  void bind(Term variable, std::vector<Term> terms);
  /// Forgets all variables and what was expanded, to begin anew with others; keeps its memory.
  void restart();
  /// The terms that stand for a term: one, or one an element. The span lives until the next call. Variables must have
  /// been declared. Throws Unsupported if the elements of all arrays become too many.
  std::span<const Term> expand(Term t);

 private:
  using Elements = std::vector<Term>;

  /// Before element i of an array.
  void poll(std::size_t i) const;
  void charge(Sort sort, const std::string& what);
  Elements expand_array(Term t);
  Term expand_bits(Term t);
  /// With Indices::NearlyConstant, a comparison with an element that is read becomes a choice among comparisons with
  /// all of them: a bit each, and the same in all steps in which the array is the same, so that proofs need not look
  /// into words. Where elements are compared by order, equality is expressed by order as well. Null for other terms.
  Term compare_elements(Term t);
  Term compare_read(term::Op op, Term read, Term other, bool is_first, unsigned depth);
  Term compare(term::Op op, Term a, Term b);
  bool is_read(Term t, unsigned depth) const;
  Term select(const Elements& elements, Term index);
  /// With the elements in the place of their indices.
  Term select_by_choice(const Elements& elements, Term index);
  /// Is it a choice, or choices of choices, among few constants?
  bool is_small_choice(Term t);
  Elements store(Elements elements, Term index, Term element);
  /// By value: the index has it.
  const Elements& decoder(Term index);
  Elements decode_choice(Term index);
  Elements decode_bits(Term index);
  const Elements& known(Term t) const { return terms_[places_.at(t)]; }
  Term known_bits(Term t) const { return known(t).front(); }

  const TermStore& from_;
  TermStore& to_;
  std::uint64_t max_elements_;
  Budget budget_;
  Indices indices_;
  std::optional<term::Op> order_;  ///< by which elements are compared, if they are
  std::uint64_t elements_ = 0;
  term::TermMap<std::uint32_t> places_;  ///< of terms of from_, in terms_
  std::vector<Elements> terms_;
  term::TermMap<std::uint32_t> decoder_places_;  ///< of terms of to_
  std::vector<Elements> decoders_;
  term::TermMap<Term> choices_;  ///< room to work in
  std::vector<Term> work_;
};

}  // namespace plumb::system
