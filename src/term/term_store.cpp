#include "term/term_store.h"

#include "base/error.h"

namespace plumb::term {

namespace {

constexpr std::uint32_t kInitialTable = 1U << 12;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v;
  h *= 0x9e3779b97f4a7c15U;
  return h ^ (h >> 29);
}

}  // namespace

TermStore::TermStore() : table_(kInitialTable, 0) {
  chunks_.push_back(std::make_unique<Node[]>(std::size_t{1} << kChunkBits));
  size_ = 1;  // handle 0 is no term
  false_ = constant(1, 0);
  true_ = constant(1, 1);
}

TermStore::~TermStore() = default;

Sort TermStore::sort(Term t) const noexcept {
  const Node& n = node(t);
  switch (n.op) {
    case Op::Variable:
    case Op::Store:
    case Op::Ite:
    case Op::ConstantArray:
      return {n.width, n.parameter};
    default:
      return {n.width, 0};
  }
}

BitVector TermStore::value(Term t) const {
  const Node& n = node(t);
  INVARIANT(n.op == Op::Constant, "only a constant should be asked for its value");
  if (n.width > 64) return wide_constants_[n.child[0]];
  return BitVector(n.width, n.child[0] | (std::uint64_t{n.child[1]} << 32));
}

const std::string& TermStore::name(Term t) const {
  INVARIANT(is_variable(t), "only a variable should be asked for its name");
  return names_[node(t).child[0]];
}

std::size_t TermStore::memory() const noexcept {
  return chunks_.size() * (sizeof(Node) << kChunkBits) + table_.capacity() * sizeof(table_[0]) +
         comparisons_.capacity() * (sizeof(*comparisons_.begin()) + 1);
}

std::uint64_t TermStore::hash(const Node& n) const noexcept {
  std::uint64_t h = mix(static_cast<std::uint64_t>(n.op) + 1, n.width | (std::uint64_t{n.parameter} << 32));
  if (n.op == Op::Constant && n.width > 64) return mix(h, wide_constants_[n.child[0]].hash());
  h = mix(h, n.child[0] | (std::uint64_t{n.child[1]} << 32));
  return mix(h, n.child[2]);
}

Term TermStore::intern(const Node& n) {
  const auto same = [&](const Node& other) {
    if (n.op != other.op || n.width != other.width || n.parameter != other.parameter) return false;
    if (n.op == Op::Constant && n.width > 64) return wide_constants_[n.child[0]] == wide_constants_[other.child[0]];
    return n.child[0] == other.child[0] && n.child[1] == other.child[1] && n.child[2] == other.child[2];
  };
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = hash(n) & mask;
  while (table_[slot] != 0) {
    const Term t{table_[slot]};
    if (same(node(t))) return t;
    slot = (slot + 1) & mask;
  }
  INVARIANT(size_ != UINT32_MAX, "a store should hold fewer than 2^32 terms");
  if ((size_ >> kChunkBits) == chunks_.size())
    chunks_.push_back(std::make_unique_for_overwrite<Node[]>(std::size_t{1} << kChunkBits));
  const Term t{size_++};
  chunks_[t.id >> kChunkBits][t.id & kChunkMask] = n;
  table_[slot] = t.id;
  if (std::size_t{size_} * 3 > table_.size() * 2) grow_table();
  return t;
}

void TermStore::grow_table() {
  std::vector<std::uint32_t> larger(table_.size() * 2, 0);
  const std::size_t mask = larger.size() - 1;
  for (std::uint32_t id = 1; id < size_; ++id) {
    std::size_t slot = hash(node(Term{id})) & mask;
    while (larger[slot] != 0) slot = (slot + 1) & mask;
    larger[slot] = id;
  }
  table_.swap(larger);
}

Term TermStore::intern(Op op, std::uint32_t width, Term a) { return intern({op, 1, 0, width, 0, {a.id, 0, 0}}); }
Term TermStore::intern(Op op, std::uint32_t width, Term a, Term b) {
  return intern({op, 2, 0, width, 0, {a.id, b.id, 0}});
}
Term TermStore::intern(Op op, std::uint32_t width, std::uint32_t parameter, Term a, Term b, Term c) {
  return intern({op, static_cast<std::uint8_t>(term::arity(op)), 0, width, parameter, {a.id, b.id, c.id}});
}

Term TermStore::variable(Sort sort, std::string name) {
  INVARIANT(sort.width > 0, "a width should be positive");
  names_.push_back(std::move(name));
  return intern(
      {Op::Variable, 0, 0, sort.width, sort.index_width, {static_cast<std::uint32_t>(names_.size() - 1), 0, 0}});
}

Term TermStore::constant(std::uint32_t width, std::uint64_t value) {
  if (width > 64) return constant(BitVector(width, value));
  INVARIANT(width > 0, "a width should be positive");
  if (width < 64) value &= (std::uint64_t{1} << width) - 1;
  return intern(
      {Op::Constant, 0, 0, width, 0, {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32), 0}});
}

Term TermStore::constant(const BitVector& value) {
  if (value.width() <= 64) return constant(value.width(), value.to_uint64());
  // The pool entry is made first so that the look-up can compare it, and taken back if the constant is known.
  wide_constants_.push_back(value);
  const auto index = static_cast<std::uint32_t>(wide_constants_.size() - 1);
  const Term t = intern({Op::Constant, 0, 0, value.width(), 0, {index, 0, 0}});
  if (node(t).child[0] != index) wide_constants_.pop_back();
  return t;
}

Term TermStore::make(Op op, std::span<const Term> x, std::uint32_t width, std::uint32_t parameter) {
  INVARIANT(x.size() == term::arity(op), "an operator should get as many operands as it takes");
  switch (op) {
    case Op::Not:
      return bit_not(x[0]);
    case Op::And:
      return bit_and(x[0], x[1]);
    case Op::Or:
      return bit_or(x[0], x[1]);
    case Op::Xor:
      return bit_xor(x[0], x[1]);
    case Op::Neg:
      return neg(x[0]);
    case Op::Add:
      return add(x[0], x[1]);
    case Op::Sub:
      return sub(x[0], x[1]);
    case Op::Mul:
      return mul(x[0], x[1]);
    case Op::Udiv:
      return udiv(x[0], x[1]);
    case Op::Urem:
      return urem(x[0], x[1]);
    case Op::Sdiv:
      return sdiv(x[0], x[1]);
    case Op::Srem:
      return srem(x[0], x[1]);
    case Op::Smod:
      return smod(x[0], x[1]);
    case Op::Shl:
      return shl(x[0], x[1]);
    case Op::Lshr:
      return lshr(x[0], x[1]);
    case Op::Ashr:
      return ashr(x[0], x[1]);
    case Op::RotateLeft:
      return rotate_left(x[0], x[1]);
    case Op::RotateRight:
      return rotate_right(x[0], x[1]);
    case Op::Eq:
      return eq(x[0], x[1]);
    case Op::Ult:
      return ult(x[0], x[1]);
    case Op::Ule:
      return ule(x[0], x[1]);
    case Op::Slt:
      return slt(x[0], x[1]);
    case Op::Sle:
      return sle(x[0], x[1]);
    case Op::NegOverflow:
      return neg_overflow(x[0]);
    case Op::UaddOverflow:
      return uadd_overflow(x[0], x[1]);
    case Op::SaddOverflow:
      return sadd_overflow(x[0], x[1]);
    case Op::UsubOverflow:
      return usub_overflow(x[0], x[1]);
    case Op::SsubOverflow:
      return ssub_overflow(x[0], x[1]);
    case Op::UmulOverflow:
      return umul_overflow(x[0], x[1]);
    case Op::SmulOverflow:
      return smul_overflow(x[0], x[1]);
    case Op::SdivOverflow:
      return sdiv_overflow(x[0], x[1]);
    case Op::Concat:
      return concat(x[0], x[1]);
    case Op::Extract:
      return extract(x[0], parameter + width - 1, parameter);
    case Op::ZeroExtend:
      return zero_extend(x[0], width);
    case Op::SignExtend:
      return sign_extend(x[0], width);
    case Op::Repeat:
      return repeat(x[0], width / this->width(x[0]));
    case Op::Ite:
      return ite(x[0], x[1], x[2]);
    case Op::Select:
      return select(x[0], x[1]);
    case Op::Store:
      return store(x[0], x[1], x[2]);
    case Op::ConstantArray:
      return constant_array(parameter, x[0]);
    case Op::Constant:
    case Op::Variable:
      break;
  }
  INVARIANT(false, "leaves should be made by constant() and variable()");
}

}  // namespace plumb::term
