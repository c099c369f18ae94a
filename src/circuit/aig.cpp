// And nodes are made by local rules first and structural hashing second. The rules are those of Brummayer and Biere,
// "Local Two-Level And-Inverter Graph Minimization without Blowup" (MEMICS 2006): they look at the two operands and at
// the fanins of those that are gates, and either give an equal literal that exists already or replace one operand by
// one of its fanins. The latter makes the operands' indices smaller, so the loop ends, and no rule ever makes a node,
// so none costs one. We apply all of them to a fixpoint, including symmetric idempotence, which the paper counts as its
// fourth level.
#include "circuit/aig.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace plumb::circuit {

namespace {

constexpr std::uint32_t kMaxNodes = std::uint32_t{1} << 31;
constexpr std::size_t kInitialSlots = 256;

/// What a rule makes of a conjunction: nothing, one literal, or another conjunction to look at.
struct Step {
  enum class Kind : std::uint8_t { None, Done, Again };
  Kind kind = Kind::None;
  Lit a = kFalse;
  Lit b = kFalse;
};
constexpr Step done(Lit result) { return {Step::Kind::Done, result, kFalse}; }
constexpr Step again(Lit a, Lit b) { return {Step::Kind::Again, a, b}; }

/// An operand that is a gate, x & y, possibly complemented.
struct Gate {
  Lit lit;
  Lit x;
  Lit y;

  bool has(Lit l) const noexcept { return x == l || y == l; }
  /// One fanin of this is the complement of one of the other.
  bool clashes(const Gate& other) const noexcept { return other.has(~x) || other.has(~y); }
};

/// gate & other, by a fanin of the gate that is `other` or its complement.
Step asymmetric(const Gate& gate, Lit other) {
  if (gate.lit.complemented()) {
    if (gate.has(~other)) return done(other);           // subsumption: ~(~o & y) & o = o
    if (gate.x == other) return again(~gate.y, other);  // substitution: ~(o & y) & o = ~y & o
    if (gate.y == other) return again(~gate.x, other);
  } else {
    if (gate.has(~other)) return done(kFalse);   // contradiction: (~o & y) & o
    if (gate.has(other)) return done(gate.lit);  // idempotence: (o & y) & o
  }
  return {};
}

/// ~(x & y) & (z & w)
Step mixed(const Gate& negative, const Gate& positive) {
  if (negative.clashes(positive)) return done(positive.lit);              // subsumption: ~(~z & y) & (z & w)
  if (positive.has(negative.x)) return again(~negative.y, positive.lit);  // substitution: ~(z & y) & (z & w)
  if (positive.has(negative.y)) return again(~negative.x, positive.lit);
  return {};
}

/// (x & y) & (z & w). Idempotence keeps `a`, the older gate, which more likely has other users.
Step both_positive(const Gate& a, const Gate& b) {
  if (a.clashes(b)) return done(kFalse);     // contradiction: (x & y) & (~x & w)
  if (a.has(b.x)) return again(a.lit, b.y);  // idempotence: (x & y) & (x & w) = (x & y) & w
  if (a.has(b.y)) return again(a.lit, b.x);
  return {};
}

/// ~(x & y) & ~(z & w). Resolution: ~(x & y) & ~(x & ~y) = ~x.
Step both_negative(const Gate& a, const Gate& b) {
  if (b.has(a.x) && b.has(~a.y)) return done(~a.x);
  if (b.has(a.y) && b.has(~a.x)) return done(~a.y);
  return {};
}

Step symmetric(const Gate& a, const Gate& b) {
  if (a.lit.complemented()) return b.lit.complemented() ? both_negative(a, b) : mixed(a, b);
  return b.lit.complemented() ? mixed(b, a) : both_positive(a, b);
}

/// The slot where a search for this pair starts; `slots` is a power of two.
std::size_t first_slot(Lit a, Lit b, std::size_t slots) noexcept {
  std::uint64_t key = a.code * std::uint64_t{0xff51afd7ed558ccd} + b.code;
  key ^= key >> 29;
  key *= std::uint64_t{0x9e3779b97f4a7c15};
  return key >> (std::countl_zero(slots) + 1);
}

}  // namespace

Aig::Aig() : fanins_{{Lit{kLatchMark}, kFalse}}, table_(kInitialSlots, 0) {}

std::uint32_t Aig::and_count() const noexcept {
  return static_cast<std::uint32_t>(fanins_.size() - 1 - inputs_.size() - latches_.size());
}

Lit Aig::add_node(Lit first, Lit second) {
  INVARIANT(fanins_.size() < kMaxNodes, "the nodes of a circuit should have literals of 32 bits");
  const Lit lit = Lit::of(size());
  fanins_.emplace_back(first, second);
  return lit;
}

Lit Aig::add_input(std::string name) {
  const Lit lit = add_node(Lit{kInputMark}, Lit{static_cast<std::uint32_t>(inputs_.size())});
  inputs_.push_back({lit.node(), std::move(name)});
  return lit;
}

Lit Aig::add_latch(LatchInit init, std::string name) {
  const Lit lit = add_node(Lit{kLatchMark}, Lit{static_cast<std::uint32_t>(latches_.size())});
  latches_.push_back({lit.node(), kFalse, init, std::move(name)});
  return lit;
}

void Aig::set_next(Lit latch, Lit next) {
  INVARIANT(latch.node() < size() && is_latch(latch.node()) && !latch.complemented(),
            "a next function should belong to a latch, not complemented");
  INVARIANT(next.node() < size(), "a next function should be a literal of the circuit");
  latches_[ordinal(latch.node())].next = next;
}

Lit Aig::and_(Lit a, Lit b) {
  DCHECK(a.node() < size() && b.node() < size(), "operands should be literals of the circuit");
  while (true) {
    if (b < a) std::swap(a, b);
    if (a == kFalse || a == ~b) return kFalse;
    if (a == kTrue || a == b) return b;

    const Gate gate_a{a, fanin0(a.node()), fanin1(a.node())};
    const Gate gate_b{b, fanin0(b.node()), fanin1(b.node())};
    const bool a_is_and = is_and(a.node());
    const bool b_is_and = is_and(b.node());
    Step step;
    if (b_is_and) step = asymmetric(gate_b, a);
    if (a_is_and && step.kind == Step::Kind::None) step = asymmetric(gate_a, b);
    if (a_is_and && b_is_and && step.kind == Step::Kind::None) step = symmetric(gate_a, gate_b);

    if (step.kind == Step::Kind::None) return hashed_and(a, b);
    if (step.kind == Step::Kind::Done) return step.a;
    a = step.a;
    b = step.b;
  }
}

Lit Aig::hashed_and(Lit a, Lit b) {
  const std::size_t mask = table_.size() - 1;
  std::size_t slot = first_slot(a, b, table_.size());
  for (; table_[slot] != 0; slot = (slot + 1) & mask)
    if (fanins_[table_[slot]] == std::pair(a, b)) return Lit::of(table_[slot]);

  const Lit result = add_node(a, b);
  table_[slot] = result.node();
  if (std::size_t{and_count()} * 2 > table_.size()) grow_table();
  return result;
}

void Aig::grow_table() {
  table_.assign(table_.size() * 2, 0);
  const std::size_t mask = table_.size() - 1;
  for (std::uint32_t node = 1; node < size(); ++node) {
    if (!is_and(node)) continue;
    std::size_t slot = first_slot(fanin0(node), fanin1(node), table_.size());
    while (table_[slot] != 0) slot = (slot + 1) & mask;
    table_[slot] = node;
  }
}

Lit Aig::xor_(Lit a, Lit b) {
  // Signs move to the result, so that the four exclusive ors of two nodes are one gate.
  const bool flip = a.complemented() != b.complemented();
  a = a.regular();
  b = b.regular();
  if (a == b) return kFalse ^ flip;
  if (a == kFalse) return b ^ flip;
  if (b == kFalse) return a ^ flip;
  return and_(~and_(a, b), ~and_(~a, ~b)) ^ flip;
}

Lit Aig::ite(Lit condition, Lit then_lit, Lit else_lit) {
  if (condition.complemented()) {
    condition = ~condition;
    std::swap(then_lit, else_lit);
  }
  if (condition == kFalse) return else_lit;
  if (then_lit == else_lit) return then_lit;
  if (then_lit == ~else_lit) return xor_(condition, else_lit);
  // Under the condition it is true, and otherwise false.
  if (then_lit.node() == condition.node()) then_lit = kTrue ^ then_lit.complemented();
  if (else_lit.node() == condition.node()) else_lit = kFalse ^ else_lit.complemented();
  if (then_lit == else_lit) return then_lit;
  if (then_lit == ~else_lit) return condition ^ (then_lit == kFalse);
  if (then_lit == kTrue) return or_(condition, else_lit);
  if (then_lit == kFalse) return and_(~condition, else_lit);
  if (else_lit == kTrue) return or_(~condition, then_lit);
  if (else_lit == kFalse) return and_(condition, then_lit);

  // A choice between complements is the complement of the choice: both are one gate.
  const bool flip = then_lit.complemented();
  return ~and_(~and_(condition, then_lit ^ flip), ~and_(~condition, else_lit ^ flip)) ^ flip;
}

std::vector<std::uint32_t> Aig::cone(std::span<const Lit> roots, bool through_latches) const {
  std::vector<bool> seen(size(), false);
  std::vector<std::uint32_t> nodes;  // a queue as well: what lies behind `next` is still to be expanded
  const auto reach = [&](Lit lit) {
    if (seen[lit.node()]) return;
    seen[lit.node()] = true;
    nodes.push_back(lit.node());
  };
  for (const Lit root : roots) reach(root);
  for (std::size_t next = 0; next < nodes.size(); ++next) {
    const std::uint32_t node = nodes[next];
    if (is_and(node)) {
      reach(fanin0(node));
      reach(fanin1(node));
    } else if (through_latches && is_latch(node)) {
      reach(latches_[ordinal(node)].next);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::uint32_t Aig::levels() const {
  std::vector<std::uint32_t> level(size(), 0);
  std::uint32_t deepest = 0;
  for (std::uint32_t node = 1; node < size(); ++node) {
    if (!is_and(node)) continue;
    level[node] = 1 + std::max(level[fanin0(node).node()], level[fanin1(node).node()]);
    deepest = std::max(deepest, level[node]);
  }
  return deepest;
}

}  // namespace plumb::circuit
