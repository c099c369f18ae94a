#pragma once

#include <absl/container/flat_hash_map.h>

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bit_vector.h"
#include "term/op.h"

namespace plumb::term {

/// A handle on a term of one TermStore: equal handles are equal terms. Handles grow in the order of construction, so an
/// operand's handle is smaller than that of the term it is used in.
struct Term {
  std::uint32_t id = 0;  ///< 0 is no term

  explicit operator bool() const noexcept { return id != 0; }
  friend bool operator==(Term, Term) = default;
  friend auto operator<=>(Term, Term) = default;
  template <typename H>
  friend H AbslHashValue(H h, Term t) {
    return H::combine(std::move(h), t.id);
  }
};

/// A bit-vector of `width` bits, or an array of such elements with indices of `index_width` bits.
struct Sort {
  std::uint32_t width = 1;
  std::uint32_t index_width = 0;

  bool is_array() const noexcept { return index_width != 0; }
  friend bool operator==(Sort, Sort) = default;
};

/// Owns terms, hash-consed and rewritten as they are made: a make function may return any term that is equal to what it
/// was asked for. Terms live as long as the store. A term costs 24 bytes and its slot in the hash table. Not
/// thread-safe: one store a thread. Needs of all make functions: operands of this store with the sorts that SMT-LIB
/// demands (INVARIANT).
class TermStore {
 public:
  TermStore();
  ~TermStore();
  TermStore(const TermStore&) = delete;
  TermStore& operator=(const TermStore&) = delete;

  // --- Looking at terms ---

  Op op(Term t) const noexcept { return node(t).op; }
  std::uint32_t width(Term t) const noexcept { return node(t).width; }
  Sort sort(Term t) const noexcept;
  bool is_array(Term t) const noexcept { return sort(t).is_array(); }
  unsigned arity(Term t) const noexcept { return node(t).arity; }
  Term child(Term t, unsigned i) const noexcept { return Term{node(t).child[i]}; }
  /// The lowest bit of an Extract, the index width of an array.
  std::uint32_t parameter(Term t) const noexcept { return node(t).parameter; }
  bool is_constant(Term t) const noexcept { return op(t) == Op::Constant; }
  bool is_variable(Term t) const noexcept { return op(t) == Op::Variable; }
  /// The value of a Constant.
  BitVector value(Term t) const;
  /// The name of a Variable, as given.
  const std::string& name(Term t) const;
  bool is_true(Term t) const noexcept { return t == true_; }
  bool is_false(Term t) const noexcept { return t == false_; }
  /// One more than the largest handle.
  std::uint32_t size() const noexcept { return size_; }
  /// Bytes used by terms and their table.
  std::size_t memory() const noexcept;

  // --- Leaves ---

  /// A new variable at each call: variables are told apart by handle, the name is for people.
  Term variable(Sort sort, std::string name);
  Term variable(std::uint32_t width, std::string name) { return variable(Sort{width, 0}, std::move(name)); }
  Term constant(const BitVector& value);
  Term constant(std::uint32_t width, std::uint64_t value);
  Term zero(std::uint32_t width) { return constant(width, 0); }
  Term one(std::uint32_t width) { return constant(width, 1); }
  Term ones(std::uint32_t width) { return constant(BitVector::ones(width)); }
  Term boolean(bool b) const noexcept { return b ? true_ : false_; }

  // --- Operators ---

  /// Any operator but leaves; `width` and `parameter` where Op says so, otherwise ignored.
  Term make(Op op, std::span<const Term> operands, std::uint32_t width = 0, std::uint32_t parameter = 0);

  Term bit_not(Term a);
  Term bit_and(Term a, Term b);
  Term bit_or(Term a, Term b);
  Term bit_xor(Term a, Term b);
  Term implies(Term a, Term b) { return bit_or(bit_not(a), b); }
  /// Of a balanced tree, so that a million operands do not make a deep term; true and false when there are none.
  Term all_of(std::span<const Term> terms);
  Term any_of(std::span<const Term> terms);

  Term neg(Term a);
  Term add(Term a, Term b);
  Term sub(Term a, Term b);
  Term mul(Term a, Term b);
  Term udiv(Term a, Term b);
  Term urem(Term a, Term b);
  Term sdiv(Term a, Term b);
  Term srem(Term a, Term b);
  Term smod(Term a, Term b);

  Term shl(Term a, Term amount);
  Term lshr(Term a, Term amount);
  Term ashr(Term a, Term amount);
  Term rotate_left(Term a, Term amount);
  Term rotate_right(Term a, Term amount);

  Term eq(Term a, Term b);
  Term distinct(Term a, Term b) { return bit_not(eq(a, b)); }
  Term ult(Term a, Term b);
  Term ule(Term a, Term b) { return bit_not(ult(b, a)); }
  Term slt(Term a, Term b);
  Term sle(Term a, Term b) { return bit_not(slt(b, a)); }

  Term neg_overflow(Term a);
  Term uadd_overflow(Term a, Term b);
  Term sadd_overflow(Term a, Term b);
  Term usub_overflow(Term a, Term b);
  Term ssub_overflow(Term a, Term b);
  Term umul_overflow(Term a, Term b);
  Term smul_overflow(Term a, Term b);
  Term sdiv_overflow(Term a, Term b);

  Term concat(Term high, Term low);
  Term extract(Term a, std::uint32_t high, std::uint32_t low);
  Term bit(Term a, std::uint32_t i) { return extract(a, i, i); }
  Term zero_extend(Term a, std::uint32_t width);
  Term sign_extend(Term a, std::uint32_t width);
  Term repeat(Term a, std::uint32_t times);
  Term ite(Term condition, Term then_term, Term else_term);

  Term select(Term array, Term index);
  Term store(Term array, Term index, Term element);
  Term constant_array(std::uint32_t index_width, Term element);

  /// A value that no assignment exceeds, read off the shape and the bounds kept with sums and products; for widths up
  /// to 64.
  std::uint64_t upper_bound(Term t) const { return upper_bound(t, kBoundDepth); }
  /// Certainly different in every assignment, as seen from their shape (constants, equal bases with different offsets).
  bool surely_distinct(Term a, Term b) const;

 private:
  struct Node {
    Op op;
    std::uint8_t arity;
    std::uint16_t padding;
    std::uint32_t width;
    std::uint32_t parameter;
    /// Operands; the bits of a Constant of up to 64 bits; the name of a Variable. A sum or product of up to 64 bits
    /// keeps its upper bound in `parameter` (low half) and child[2].
    std::uint32_t child[3];
  };
  static_assert(sizeof(Node) == 24);
  static constexpr std::uint32_t kChunkBits = 15;
  static constexpr unsigned kBoundDepth = 4;
  static constexpr std::uint32_t kChunkMask = (1U << kChunkBits) - 1;

  const Node& node(Term t) const noexcept { return chunks_[t.id >> kChunkBits][t.id & kChunkMask]; }
  Term intern(const Node& node);
  Term intern(Op op, std::uint32_t width, Term a);
  Term intern(Op op, std::uint32_t width, Term a, Term b);
  Term intern(Op op, std::uint32_t width, std::uint32_t parameter, Term a, Term b = {}, Term c = {});
  Term intern_bounded(Op op, Term a, Term b);
  std::uint64_t upper_bound(Term t, unsigned depth) const;
  void grow_table();
  std::uint64_t hash(const Node& node) const noexcept;

  // Rules of a group try in order; a null Term says that none applies. They are in rewrite_*.cpp.
  Term rewrite_and(Term a, Term b);
  Term rewrite_xor(Term a, Term b);
  Term rewrite_ite(Term c, Term t, Term e);
  Term rewrite_add(Term a, Term b);
  Term rewrite_mul(Term a, Term b);
  Term rewrite_eq(Term a, Term b);
  Term rewrite_ult(Term a, Term b);
  Term rewrite_slt(Term a, Term b);
  Term rewrite_extract(Term a, std::uint32_t high, std::uint32_t low);
  Term rewrite_concat(Term high, Term low);

  /// What rewrite() gives, which is kept if one operand is a constant and the other an ite: such comparisons go down
  /// the whole chain of ites, and a chain that grows (the state of a machine, step by step) is compared at each length.
  template <typename Rewrite>
  Term remembered(Op op, Term a, Term b, Rewrite rewrite);

  std::vector<std::unique_ptr<Node[]>> chunks_;
  std::uint32_t size_ = 0;
  std::vector<std::uint32_t> table_;  ///< open addressing, a power of two of slots; 0 is empty
  absl::flat_hash_map<std::array<std::uint32_t, 3>, Term> comparisons_;  ///< by operator and operands
  std::vector<BitVector> wide_constants_;
  std::vector<std::string> names_;
  Term true_;
  Term false_;
  unsigned depth_ = 0;  ///< of rules that call make functions; past a limit terms are interned as they are
};

}  // namespace plumb::term
