// The comparisons of a conjunction as linear inequalities over the integers, to be refuted over the rationals. An
// atom, a term that is not itself a sum, stands for its unsigned or its signed value, whichever the conjunction bounds
// more closely. From the bounds of its atoms follows whether a sum stays within one period of 2^width; a comparison of
// sums that do is an inequality between them, shifted by multiples of 2^width, and all others are left out. Bounds come
// from the shape of an atom and from comparisons with constants. Each has its reason, a set of constraints, and the
// bounds that a step rests on become part of the reason of its result; so the contradiction that the simplex method
// finds names the constraints it needs.

#include "solve/linear/linear_relaxation.h"

#include <algorithm>
#include <map>

#include "solve/linear/explained_interval.h"
#include "term/linear.h"

namespace plumb::solve {

using term::Op;
using term::Term;

namespace {

constexpr std::size_t kMaxMonomials = 48;
constexpr Wide kMaxCoefficient = Wide{1} << 40;  ///< keeps the range of a sum far from the limits of Wide
/// Of bounds that sharpen each other; beyond that they do so in tiny steps.
constexpr int kMaxRounds = 4;
constexpr std::size_t kMaxCells = 40'000;
constexpr std::uint64_t kMaxSteps = 200'000;
constexpr std::size_t kMaxComparisons = 200'000;

}  // namespace

/// One call of examine().
class LinearRelaxation::Query {
 public:
  explicit Query(const term::TermStore& store) : store_(store) {}

  void add(const Comparison& comparison, std::uint32_t index) { constraints_.push_back({&comparison, index}); }
  /// The constraints of a contradiction, ascending; empty if there is none.
  std::vector<std::uint32_t> refute();
  /// If there is none, and all atoms are variables: values that satisfy the inequalities, but for rounding.
  term::Assignment point() const;

 private:
  struct Constraint {
    const Comparison* comparison;
    std::uint32_t index;
  };
  struct Atom {
    Term term;
    std::uint32_t width = 0;
    Interval natural{}, integer{};  ///< the unsigned and the signed value
    Wide natural_limit = 0;         ///< of the unsigned value without constraints
    int signed_uses = 0;
    bool is_signed = false;  ///< which of them the column of this atom stands for
    Wide half() const { return Wide{1} << (width - 1); }
    const Interval& value() const { return is_signed ? integer : natural; }
    bool is_always_small() const { return natural_limit < half(); }
    Interval shape() const {
      if (!is_signed || is_always_small()) return {0, natural_limit};
      return {-half(), half() - 1};
    }
  };
  using Terms = std::vector<std::pair<unsigned, Wide>>;  ///< column and coefficient, by column
  struct Linear {
    Terms terms;
    Wide constant = 0;
    Wide low = 0, high = 0;  ///< what it can be
    Reasons::Id why = Reasons::kNone;
  };
  enum class Side : std::uint8_t { AtLeast, AtMost };
  struct Row {
    std::optional<Wide> low, high;
    Reasons::Id low_why = Reasons::kNone, high_why = Reasons::kNone;
  };

  unsigned atom(Term t);
  bool bound_atom(const Constraint& constraint);
  void restrict(Atom& atom, Arc arc, Reasons::Id why);
  bool sharpen();
  void count_use(const Monomial& monomial, Relation relation);
  void choose_values();
  std::optional<Linear> linear(const Sum& left, const Sum* subtracted, bool by_shape);
  bool add_monomial(Linear& to, const Monomial& monomial, Wide coefficient, bool by_shape);
  std::optional<Linear> placed(const Sum& sum, Wide start, Wide period);
  void add_equation(const Constraint& constraint);
  void add_inequality(const Constraint& constraint);
  void require(Terms terms, Side side, Wide bound, Reasons::Id why);
  void solve();

  const term::TermStore& store_;
  std::vector<Constraint> constraints_;
  Reasons reasons_;
  absl::flat_hash_map<Term, unsigned> places_;
  std::vector<Atom> atoms_;
  struct BoundOnAtom {
    unsigned atom;
    Arc arc;
    Reasons::Id why;
  };
  std::vector<BoundOnAtom> bounds_;
  std::map<Terms, Row> rows_;
  std::vector<Reasons::Id> contradiction_;
  std::vector<Wide> values_;  ///< by column; empty if no point is known
};

unsigned LinearRelaxation::Query::atom(Term t) {
  const auto [it, is_new] = places_.try_emplace(t, static_cast<unsigned>(atoms_.size()));
  if (is_new) {
    Atom a;
    a.term = t;
    a.width = store_.width(t);
    a.natural_limit = store_.upper_bound(t);
    a.natural = {0, a.natural_limit};
    a.integer = a.is_always_small() ? a.natural : Interval{-a.half(), a.half() - 1};
    atoms_.push_back(a);
  }
  return it->second;
}

void LinearRelaxation::Query::restrict(Atom& a, Arc arc, Reasons::Id why) {
  const Wide period = Wide{1} << a.width;
  intersect(reasons_, a.natural, 0, period, arc, why);
  intersect(reasons_, a.integer, -a.half(), period, arc, why);
}

/// atom + c or c - atom compared with a constant: says in which arc the atom is.
bool LinearRelaxation::Query::bound_atom(const Constraint& constraint) {
  const Comparison& c = *constraint.comparison;
  const bool on_left = c.right.monomials.empty();
  const Sum& side = on_left ? c.left : c.right;
  if (side.monomials.size() != 1 || (!on_left && !c.left.monomials.empty())) return false;
  const Monomial& m = side.monomials[0];
  if (m.view != View::Modular || (m.coefficient != 1 && m.coefficient != -1)) return false;
  const Wide period = Wide{1} << c.width;
  const Wide start = c.relation == Relation::SignedLess ? -(period / 2) : Wide{0};
  Wide k = (on_left ? c.right : c.left).constant;
  k -= floor_div(k - start, period) * period;
  Arc arc{k, k};
  if (c.relation != Relation::Equal) {
    if (k == (on_left ? start : start + period - 1)) return true;  // says nothing, or is false: not for an arc to tell
    arc = on_left ? Arc{start, k - 1} : Arc{k + 1, start + period - 1};
  }
  if (c.negated) arc = {arc.last + 1, arc.first - 1};
  if (m.coefficient == 1)
    arc = {arc.first - side.constant, arc.last - side.constant};
  else
    arc = {side.constant - arc.last, side.constant - arc.first};
  bounds_.push_back({atom(m.atom), arc, reasons_.of(constraint.index)});
  return true;
}

/// False if no value is left for some atom.
bool LinearRelaxation::Query::sharpen() {
  for (int round = 0; round < kMaxRounds; ++round) {
    for (const BoundOnAtom& b : bounds_) restrict(atoms_[b.atom], b.arc, b.why);
    for (Atom& a : atoms_) {
      for (const Interval& i : {a.natural, a.integer}) {
        if (i.is_empty()) {
          contradiction_ = {i.low_why, i.high_why};
          return false;
        }
        restrict(a, {i.low, i.high}, reasons_.join(i.low_why, i.high_why));
      }
    }
  }
  return true;
}

void LinearRelaxation::Query::count_use(const Monomial& m, Relation relation) {
  int& uses = atoms_[atom(m.atom)].signed_uses;
  if (m.view == View::Signed || (m.view == View::Modular && relation == Relation::SignedLess)) ++uses;
  if (m.view == View::Unsigned || (m.view == View::Modular && relation == Relation::UnsignedLess)) --uses;
}

void LinearRelaxation::Query::choose_values() {
  for (Atom& a : atoms_) {
    const Wide natural = a.natural.high - a.natural.low;
    const Wide integer = a.integer.high - a.integer.low;
    a.is_signed = integer < natural || (integer == natural && a.signed_uses > 0);
  }
}

/// False if the atom's column is not the value that the monomial means.
bool LinearRelaxation::Query::add_monomial(Linear& to, const Monomial& m, Wide coefficient, bool by_shape) {
  const unsigned column = places_.at(m.atom);
  const Atom& a = atoms_[column];
  const Interval value = by_shape ? a.shape() : a.value();
  if (m.view == View::Unsigned && value.low < 0) return false;
  if (m.view == View::Signed && value.high >= a.half()) return false;
  to.terms.emplace_back(column, coefficient);
  to.why = reasons_.join(to.why, reasons_.join(value.low_why, value.high_why));
  return true;
}

std::optional<LinearRelaxation::Query::Linear> LinearRelaxation::Query::linear(const Sum& left, const Sum* subtracted,
                                                                               bool by_shape) {
  Linear result;
  for (const Monomial& m : left.monomials)
    if (!add_monomial(result, m, m.coefficient, by_shape)) return {};
  if (subtracted != nullptr)
    for (const Monomial& m : subtracted->monomials)
      if (!add_monomial(result, m, -m.coefficient, by_shape)) return {};
  result.constant = left.constant - (subtracted != nullptr ? subtracted->constant : 0);
  std::sort(result.terms.begin(), result.terms.end());
  Terms merged;
  for (const auto& [column, coefficient] : result.terms) {
    if (merged.empty() || merged.back().first != column) merged.emplace_back(column, 0);
    merged.back().second += coefficient;
    if (merged.back().second == 0) merged.pop_back();
  }
  result.terms = std::move(merged);
  result.low = result.high = result.constant;
  for (const auto& [column, coefficient] : result.terms) {
    const Interval value = by_shape ? atoms_[column].shape() : atoms_[column].value();
    result.low += coefficient * (coefficient > 0 ? value.low : value.high);
    result.high += coefficient * (coefficient > 0 ? value.high : value.low);
  }
  return result;
}

/// The sum moved into [start, start + period), if it is known in which period it is.
std::optional<LinearRelaxation::Query::Linear> LinearRelaxation::Query::placed(const Sum& sum, Wide start,
                                                                               Wide period) {
  for (const bool by_shape : {true, false}) {
    auto result = linear(sum, nullptr, by_shape);
    if (!result) continue;
    const Wide shift = floor_div(result->low - start, period) * period;
    if (result->high - shift >= start + period) continue;
    result->constant -= shift;
    return result;
  }
  return {};
}

void LinearRelaxation::Query::require(Terms terms, Side side, Wide bound, Reasons::Id why) {
  if (terms.empty()) {
    if (side == Side::AtLeast ? bound > 0 : bound < 0) contradiction_ = {why};
    return;
  }
  Wide common = 0;
  for (const auto& [column, coefficient] : terms) {
    Wide a = coefficient < 0 ? -coefficient : coefficient;
    while (a != 0) common = std::exchange(a, common % a);
  }
  if (terms.front().second < 0) {
    for (auto& [column, coefficient] : terms) coefficient = -coefficient;
    bound = -bound;
    side = side == Side::AtLeast ? Side::AtMost : Side::AtLeast;
  }
  for (auto& [column, coefficient] : terms) coefficient /= common;
  Row& row = rows_[std::move(terms)];
  // The sum is an integer, so its bounds may be rounded.
  const Wide rounded = side == Side::AtLeast ? ceil_div(bound, common) : floor_div(bound, common);
  if (side == Side::AtLeast && (!row.low || *row.low < rounded)) row.low = rounded, row.low_why = why;
  if (side == Side::AtMost && (!row.high || rounded < *row.high)) row.high = rounded, row.high_why = why;
}

void LinearRelaxation::Query::add_equation(const Constraint& constraint) {
  const Comparison& c = *constraint.comparison;
  const Wide period = Wide{1} << c.width;
  for (const bool by_shape : {true, false}) {
    const auto difference = linear(c.left, &c.right, by_shape);
    if (!difference) continue;
    const Wide zero = ceil_div(difference->low, period) * period;
    if (zero + period <= difference->high) continue;
    const Reasons::Id why = reasons_.join(difference->why, reasons_.of(constraint.index));
    const Wide value = zero - difference->constant;
    if (!c.negated) {
      if (zero > difference->high) contradiction_ = {why};
      require(difference->terms, Side::AtLeast, value, why);
      require(difference->terms, Side::AtMost, value, why);
    } else {
      if (zero == difference->low) require(difference->terms, Side::AtLeast, value + 1, why);
      if (zero == difference->high) require(difference->terms, Side::AtMost, value - 1, why);
    }
    return;
  }
}

void LinearRelaxation::Query::add_inequality(const Constraint& constraint) {
  const Comparison& c = *constraint.comparison;
  const Wide period = Wide{1} << c.width;
  const Wide start = c.relation == Relation::SignedLess ? -(period / 2) : Wide{0};
  const auto left = placed(c.left, start, period);
  const auto right = left ? placed(c.right, start, period) : std::nullopt;
  if (!right) return;
  std::map<unsigned, Wide> difference;
  for (const auto& [column, coefficient] : left->terms) difference[column] += coefficient;
  for (const auto& [column, coefficient] : right->terms) difference[column] -= coefficient;
  std::erase_if(difference, [](const auto& entry) { return entry.second == 0; });
  const Wide bound = right->constant - left->constant;
  const Reasons::Id why = reasons_.join(reasons_.of(constraint.index), reasons_.join(left->why, right->why));
  const Terms terms(difference.begin(), difference.end());
  require(terms, c.negated ? Side::AtLeast : Side::AtMost, c.negated ? bound : bound - 1, why);
}

void LinearRelaxation::Query::solve() {
  if (rows_.size() * atoms_.size() > kMaxCells) return;
  Simplex simplex;
  for (const Atom& a : atoms_) {
    const unsigned v = simplex.add_variable();
    simplex.bound_below(v, a.value().low, a.value().low_why);
    simplex.bound_above(v, a.value().high, a.value().high_why);
  }
  for (const auto& [terms, row] : rows_) {
    // Divided by what the coefficients have in common, a single one is 1.
    const unsigned v = terms.size() == 1 ? terms[0].first : simplex.add_form(terms);
    if (row.low) simplex.bound_below(v, *row.low, row.low_why);
    if (row.high) simplex.bound_above(v, *row.high, row.high_why);
  }
  const Simplex::Outcome outcome = simplex.check(kMaxSteps);
  if (outcome == Simplex::Outcome::Infeasible) contradiction_ = simplex.conflict();
  if (outcome != Simplex::Outcome::Feasible) return;
  for (unsigned v = 0; v < atoms_.size(); ++v) values_.push_back(simplex.value(v).floor());
}

term::Assignment LinearRelaxation::Query::point() const {
  term::Assignment result;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!store_.is_variable(atoms_[i].term)) return {};
    result.emplace(atoms_[i].term, BitVector(atoms_[i].width, static_cast<std::uint64_t>(values_[i])));
  }
  return result;
}

std::vector<std::uint32_t> LinearRelaxation::Query::refute() {
  std::vector<Constraint> others;
  for (const Constraint& c : constraints_)
    if (!bound_atom(c)) others.push_back(c);
  for (const Constraint& c : others)
    for (const Sum* side : {&c.comparison->left, &c.comparison->right})
      for (const Monomial& m : side->monomials) count_use(m, c.comparison->relation);
  if (sharpen()) {
    choose_values();
    for (const Constraint& c : others) {
      if (c.comparison->relation == Relation::Equal)
        add_equation(c);
      else
        add_inequality(c);
      if (!contradiction_.empty()) break;
    }
    if (contradiction_.empty()) solve();
  }
  return reasons_.expand(contradiction_);
}

std::optional<LinearRelaxation::Sum> LinearRelaxation::sum(Term t) {
  const auto all = term::LinearSum::of(store_, t, kMaxMonomials);
  if (!all) return {};
  Sum result;
  result.constant = all->constant.to_int64();
  for (const auto& [atom, coefficient] : all->monomials) {
    Monomial m{atom, View::Modular, coefficient.to_int64()};
    if (m.coefficient > kMaxCoefficient || m.coefficient < -kMaxCoefficient) return {};
    if (store_.op(atom) == Op::SignExtend) {
      m = {store_.child(atom, 0), View::Signed, m.coefficient};
    } else if (store_.op(atom) == Op::Concat && store_.is_constant(store_.child(atom, 0)) &&
               store_.value(store_.child(atom, 0)).is_zero()) {
      m = {store_.child(atom, 1), View::Unsigned, m.coefficient};
    }
    result.monomials.push_back(m);
  }
  return result;
}

LinearRelaxation::Comparison LinearRelaxation::read(Term constraint) {
  Comparison result;
  result.negated = store_.op(constraint) == Op::Not;
  const Term t = result.negated ? store_.child(constraint, 0) : constraint;
  if (store_.arity(t) == 0 || store_.is_array(store_.child(t, 0))) return result;
  const Term a = store_.child(t, 0);
  result.width = store_.width(a);
  if (result.width < 2 || result.width > 64) return result;
  Relation relation = Relation::None;
  Term b;
  if (store_.op(t) == Op::Extract && store_.parameter(t) == result.width - 1) {
    relation = Relation::SignedLess;
    b = store_.zero(result.width);
  } else if (store_.op(t) == Op::Eq || store_.op(t) == Op::Ult || store_.op(t) == Op::Slt) {
    relation = store_.op(t) == Op::Eq    ? Relation::Equal
               : store_.op(t) == Op::Ult ? Relation::UnsignedLess
                                         : Relation::SignedLess;
    b = store_.child(t, 1);
  }
  if (relation == Relation::None) return result;
  auto left = sum(a);
  auto right = sum(b);
  if (!left || !right || (left->monomials.empty() && right->monomials.empty())) return result;
  result.relation = relation;
  result.left = std::move(*left);
  result.right = std::move(*right);
  return result;
}

const LinearRelaxation::Comparison& LinearRelaxation::comparison(Term constraint) {
  auto& entry = comparisons_[constraint];
  if (!entry) entry = std::make_unique<Comparison>(read(constraint));
  return *entry;
}

LinearRelaxation::Finding LinearRelaxation::examine(std::span<const Term> constraints) {
  if (comparisons_.size() > kMaxComparisons) comparisons_.clear();
  Query query(store_);
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    const Comparison& c = comparison(constraints[i]);
    if (c.relation != Relation::None) query.add(c, i);
  }
  Finding finding;
  for (const std::uint32_t i : query.refute()) finding.core.push_back(constraints[i]);
  if (finding.core.empty()) finding.point = query.point();
  return finding;
}

}  // namespace plumb::solve
