#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "circuit/aig.h"
#include "circuit/words.h"
#include "term/traverse.h"

namespace plumb::circuit {

/// Turns bit-vector terms into literals of an Aig, each term once: only what is new is blasted. Variables become inputs
/// named `name[i]` (`name` at width 1). Select and array equality are cut points: they become unnamed inputs, and
/// whoever owns the arrays constrains them. The store and the Aig must outlive the blaster. Not recursive, not
/// thread-safe.
class BitBlaster {
 public:
  BitBlaster(const term::TermStore& store, Aig& aig) : store_(store), aig_(aig) {}

  /// The bits of a bit-vector term, least significant first. The span lives until the next call. Throws OutOfBudget;
  /// the blaster stays usable, and what was finished before is kept.
  std::span<const Lit> bits(term::Term t, const Budget& budget);
  /// Of a term of width 1.
  Lit bit(term::Term t, const Budget& budget) { return bits(t, budget)[0]; }
  bool is_blasted(term::Term t) const noexcept { return offsets_.contains(t); }
  /// Variables and cut points blasted so far, in order.
  std::span<const term::Term> leaves() const noexcept { return leaves_; }

 private:
  /// The terms whose bits a term is made of: its operands, but a Neg below an Add gives way to what it negates.
  struct Operands {
    term::Term terms[3];
    unsigned count = 0;
    bool subtracts = false;  ///< an Add that is terms[0] - terms[1]
  };
  Operands operands(term::Term t) const;
  bool is_leaf(term::Term t) const;

  Bits known(term::Term t) const noexcept { return {pool_.data() + offsets_.at(t), store_.width(t)}; }
  void keep(term::Term t, Bits bits);

  void blast(term::Term t, Gates& gates);
  void blast_leaf(term::Term t);
  void blast_division(term::Term t, Gates& gates);
  Word constant(term::Term t) const;
  Word bitwise(term::Term t, Gates& gates) const;
  Word computed(term::Term t, Gates& gates) const;

  const term::TermStore& store_;
  Aig& aig_;
  std::vector<Lit> pool_;  ///< the bits of all blasted terms; those of an Extract lie within its operand's
  term::TermMap<std::uint64_t> offsets_;  ///< into pool_
  /// By dividend and divisor: where the quotient starts in pool_; the remainder follows it.
  absl::flat_hash_map<std::pair<term::Term, term::Term>, std::uint64_t> divisions_;
  std::vector<term::Term> leaves_;
};

}  // namespace plumb::circuit
