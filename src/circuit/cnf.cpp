// Clauses by polarity, after Plaisted and Greenbaum, "A Structure-Preserving Clause Form Translation" (Journal of
// Symbolic Computation 2, 1986), on gates that are found in the graph: exclusive or, if-then-else (with the two clauses
// that are redundant but let a solver conclude from equal branches, and for the carry of a full adder those that make
// any two of its inputs propagate), and conjunctions of any size. A call works in three steps. It collects the part of
// the cone that lacks clauses, with the polarities that are wanted and with how each node is used there; a node used
// once, as a conjunct, is absorbed by its user. It then emits the collected nodes in ascending order, hence fanins
// first: a node is marked as encoded only when everything below it is, so a call that is interrupted leaves nothing
// that a later one could mistake for complete. Whether a node is absorbed is decided within the cone of one call. A
// later call that needs it by itself gives it a variable and clauses of its own, next to those of its former user.

#include "circuit/cnf.h"

#include <algorithm>
#include <optional>

namespace plumb::circuit {

namespace {

constexpr std::size_t kStepsBetweenChecks = 4096;

/// Asks a budget now and then.
class Ticker {
 public:
  explicit Ticker(const Budget& budget) : budget_(budget) {}
  void operator()() {
    if (++steps_ % kStepsBetweenChecks == 0) budget_.check();
  }

 private:
  const Budget& budget_;
  std::size_t steps_ = 0;
};

/// condition ? then_lit : else_lit; an exclusive or if these are complements of each other.
struct Choice {
  Lit condition;
  Lit then_lit;
  Lit else_lit;

  bool is_xor() const noexcept { return then_lit == ~else_lit; }
};

/// ~(c & t) & ~(~c & e) is c ? ~t : ~e, whatever the order of the fanins.
std::optional<Choice> as_choice(const Aig& aig, std::uint32_t node) {
  const Lit f = aig.fanin0(node);
  const Lit g = aig.fanin1(node);
  if (!f.complemented() || !g.complemented() || !aig.is_and(f.node()) || !aig.is_and(g.node())) return {};
  const Lit f0 = aig.fanin0(f.node());
  const Lit f1 = aig.fanin1(f.node());
  const Lit g0 = aig.fanin0(g.node());
  const Lit g1 = aig.fanin1(g.node());
  if (f0 == ~g0) return Choice{f0, ~f1, ~g1};
  if (f0 == ~g1) return Choice{f0, ~f1, ~g0};
  if (f1 == ~g0) return Choice{f1, ~f0, ~g1};
  if (f1 == ~g1) return Choice{f1, ~f0, ~g0};
  return {};
}

/// If a choice is a majority, as the carry (a ^ b) ? c : a of a full adder is, the two of its inputs from which the
/// clauses of a choice do not propagate: b and c.
std::optional<std::pair<Lit, Lit>> rest_of_majority(const Aig& aig, const Choice& choice) {
  if (choice.is_xor() || !aig.is_and(choice.condition.node())) return {};
  const auto inner = as_choice(aig, choice.condition.node());
  if (!inner || !inner->is_xor()) return {};
  // The condition is p ^ q: else p is q, and then p is ~q.
  const Lit p = inner->condition;
  const Lit q = inner->else_lit ^ choice.condition.complemented();
  for (const bool sign : {false, true}) {
    if (choice.else_lit == (p ^ sign)) return std::pair(q ^ sign, choice.then_lit);
    if (choice.else_lit == (q ^ sign)) return std::pair(p ^ sign, choice.then_lit);
    if (choice.then_lit == (p ^ sign)) return std::pair(~q ^ sign, choice.else_lit);
    if (choice.then_lit == (~q ^ sign)) return std::pair(p ^ sign, choice.else_lit);
  }
  return {};
}

}  // namespace

void CnfEncoder::Assertion::add(std::initializer_list<Lit> clause) {
  literals.insert(literals.end(), clause.begin(), clause.end());
  ends.push_back(literals.size());
}

/// What is wanted of the node of `lit` if `polarity` is wanted of `lit`.
CnfEncoder::Polarity CnfEncoder::toward(Lit lit, Polarity polarity) {
  if (!lit.complemented() || polarity == kBoth) return polarity;
  return polarity ^ kBoth;
}

int CnfEncoder::implying(Lit lit, const Budget& budget) { return encode(lit, kUp, budget); }

int CnfEncoder::equivalent(Lit lit, const Budget& budget) { return encode(lit, kBoth, budget); }

int CnfEncoder::encode(Lit lit, Polarity polarity, const Budget& budget) {
  begin();
  note_use(lit, Use::Shared);
  want(lit, polarity);
  collect(budget);
  emit_collected(budget);
  return dimacs(lit);
}

void CnfEncoder::assert_true(Lit lit, const Budget& budget) {
  const Assertion assertion = flatten(lit, budget);
  begin();
  for (const Lit l : assertion.literals) {
    note_use(l, Use::Shared);
    want(l, kUp);
  }
  for (const std::uint32_t node : assertion.refuted) visit(node, kDown, true);
  collect(budget);
  emit_collected(budget);

  std::size_t start = 0;
  for (const std::size_t end : assertion.ends) {
    clause_.clear();
    for (; start < end; ++start) clause_.push_back(dimacs(assertion.literals[start]));
    sink_.add_clause(clause_);
  }
  for (const std::uint32_t node : assertion.refuted) {
    start_clause(node);
    sink_.add_clause(clause_);
  }
}

void CnfEncoder::begin() {
  for (const std::uint32_t node : touched_) {
    wanted_[node] = 0;
    uses_[node] = Use::None;
  }
  touched_.clear();
  queue_.clear();
  if (variables_.size() < aig_.size()) {
    variables_.resize(aig_.size(), 0);
    encoded_.resize(aig_.size(), 0);
    wanted_.resize(aig_.size(), 0);
    uses_.resize(aig_.size(), Use::None);
  }
}

void CnfEncoder::note_use(Lit lit, Use use) {
  const std::uint32_t node = lit.node();
  if (!aig_.is_and(node)) return;
  if (uses_[node] == Use::None) {
    touched_.push_back(node);
    uses_[node] = use;
  } else {
    uses_[node] = Use::Shared;
  }
}

void CnfEncoder::want(Lit lit, Polarity polarity) {
  const std::uint32_t node = lit.node();
  if (!aig_.is_and(node)) return;
  const auto missing = static_cast<Polarity>(toward(lit, polarity) & ~(encoded_[node] | wanted_[node]));
  if (missing != 0) queue_.emplace_back(node, missing);
}

/// Hands `polarity` of an and node on to the fanins of its gate; these gain a user only at the first visit.
void CnfEncoder::visit(std::uint32_t node, Polarity polarity, bool is_first) {
  const auto choice = as_choice(aig_, node);
  if (!choice) {
    for (const Lit fanin : {aig_.fanin0(node), aig_.fanin1(node)}) {
      if (is_first) note_use(fanin, fanin.complemented() ? Use::Shared : Use::Conjunct);
      want(fanin, polarity);
    }
    return;
  }
  if (is_first)
    for (const Lit fanin : {choice->condition, choice->then_lit, choice->else_lit}) note_use(fanin, Use::Shared);
  want(choice->condition, kBoth);
  want(choice->then_lit, choice->is_xor() ? kBoth : polarity);
  want(choice->else_lit, choice->is_xor() ? kBoth : polarity);
}

void CnfEncoder::collect(const Budget& budget) {
  Ticker tick(budget);
  while (!queue_.empty()) {
    tick();
    const auto [node, polarity] = queue_.back();
    queue_.pop_back();
    const auto missing = static_cast<Polarity>(polarity & ~wanted_[node]);
    if (missing == 0) continue;  // waited twice
    const bool is_first = wanted_[node] == 0;
    wanted_[node] |= missing;
    visit(node, missing, is_first);
  }
}

/// A conjunct that needs no variable. Needs a literal that an and uses, in the cone of the current call.
bool CnfEncoder::is_absorbed(Lit lit) const {
  const std::uint32_t node = lit.node();
  return aig_.is_and(node) && uses_[node] == Use::Conjunct && variables_[node] == 0 && !as_choice(aig_, node);
}

void CnfEncoder::emit_collected(const Budget& budget) {
  Ticker tick(budget);
  std::sort(touched_.begin(), touched_.end());
  for (const std::uint32_t node : touched_) {
    tick();
    if (wanted_[node] == 0 || is_absorbed(Lit::of(node))) continue;
    emit(node, wanted_[node]);
    encoded_[node] |= wanted_[node];
  }
}

void CnfEncoder::emit(std::uint32_t node, Polarity polarity) {
  const auto choice = as_choice(aig_, node);
  if (!choice) {
    emit_and(node, polarity);
    return;
  }
  const int c = dimacs(choice->condition);
  const int t = dimacs(choice->then_lit);
  const int e = dimacs(choice->else_lit);
  const int n = dimacs(Lit::of(node));
  if ((polarity & kUp) != 0) {
    add_clause({-n, -c, t});
    add_clause({-n, c, e});
    if (!choice->is_xor()) add_clause({-n, t, e});
  }
  if ((polarity & kDown) != 0) {
    add_clause({n, -c, -t});
    add_clause({n, c, -e});
    if (!choice->is_xor()) add_clause({n, -t, -e});
  }
  if (const auto rest = rest_of_majority(aig_, *choice)) {
    const int x = dimacs(rest->first);
    const int y = dimacs(rest->second);
    if ((polarity & kUp) != 0) add_clause({-n, x, y});
    if ((polarity & kDown) != 0) add_clause({n, -x, -y});
  }
}

void CnfEncoder::emit_and(std::uint32_t node, Polarity polarity) {
  start_clause(node);
  const int n = dimacs(Lit::of(node));
  if ((polarity & kUp) != 0)
    for (const int negated : clause_) add_clause({-n, -negated});
  if ((polarity & kDown) != 0) {
    clause_.push_back(n);
    sink_.add_clause(clause_);
  }
}

/// Sets clause_ to the complements of the conjuncts of a node that is an and, through the nodes that it absorbs.
void CnfEncoder::start_clause(std::uint32_t node) {
  conjuncts_.clear();
  stack_.assign({aig_.fanin1(node), aig_.fanin0(node)});
  while (!stack_.empty()) {
    const Lit lit = stack_.back();
    stack_.pop_back();
    if (lit.complemented() || !is_absorbed(lit)) {
      conjuncts_.push_back(lit);
    } else {
      stack_.push_back(aig_.fanin1(lit.node()));
      stack_.push_back(aig_.fanin0(lit.node()));
    }
  }
  std::sort(conjuncts_.begin(), conjuncts_.end());
  conjuncts_.erase(std::unique(conjuncts_.begin(), conjuncts_.end()), conjuncts_.end());
  clause_.clear();
  for (const Lit conjunct : conjuncts_) clause_.push_back(-dimacs(conjunct));
}

/// The literal of a node that has a variable, or gets it now. The constant's variable comes with a clause that makes it
/// false.
int CnfEncoder::dimacs(Lit lit) {
  int& variable = variables_[lit.node()];
  if (variable == 0) {
    if (lit.node() == 0) add_clause({-(variable_count_ + 1)});
    variable = ++variable_count_;
  }
  return lit.complemented() ? -variable : variable;
}

/// Follows conjunctions down to what is none, or has a variable already.
CnfEncoder::Assertion CnfEncoder::flatten(Lit root, const Budget& budget) {
  begin();
  Ticker tick(budget);
  Assertion assertion;
  std::vector<Lit> open{root};
  while (!open.empty()) {
    tick();
    const Lit lit = open.back();
    open.pop_back();
    const std::uint32_t node = lit.node();
    // wanted_ only tells here what was seen; begin() clears it before it gets its meaning.
    if (lit == kTrue || (wanted_[node] & toward(lit, kUp)) != 0) continue;
    wanted_[node] |= toward(lit, kUp);
    touched_.push_back(node);
    if (!aig_.is_and(node) || variables_[node] != 0) {
      assertion.add({lit});
    } else if (const auto choice = as_choice(aig_, node)) {
      const Lit t = choice->then_lit ^ lit.complemented();
      const Lit e = choice->else_lit ^ lit.complemented();
      assertion.add({~choice->condition, t});
      assertion.add({choice->condition, e});
      if (!choice->is_xor()) assertion.add({t, e});
    } else if (lit.complemented()) {
      assertion.refuted.push_back(node);
    } else {
      open.push_back(aig_.fanin1(node));
      open.push_back(aig_.fanin0(node));
    }
  }
  return assertion;
}

}  // namespace plumb::circuit
