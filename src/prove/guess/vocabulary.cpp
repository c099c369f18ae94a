#include "prove/guess/vocabulary.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

#include "term/linear.h"
#include "term/substitution.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

using term::Op;

constexpr std::size_t kMaxConstants = 40;  ///< a width, before their neighbours are added
constexpr std::size_t kMaxAtoms = 200;
constexpr std::size_t kMaxAtomSize = 24;
constexpr std::size_t kMaxWords = 24;
constexpr std::size_t kMaxMonomials = 8;
constexpr std::size_t kMaxReads = 16;
constexpr std::size_t kMaxModuli = 6;
constexpr std::uint64_t kMaxModulus = 4096;

class Collector {
 public:
  Collector(System& system, const ControlMap& map) : system_(system), store_(system.store()), map_(map) {
    for (const system::State& state : system.states()) is_state_[state.variable] = {};
    for (const Term input : system.inputs()) is_input_[input] = {};
  }

  Vocabulary collect() {
    term::TermSet seen;
    term::post_order(store_, roots(), seen, [&](Term t) { look_at(t); });
    for (const system::State& state : system_.states())
      if (store_.sort(state.variable) == term::Sort{1, 0}) add(result_.atoms, state.variable, kMaxAtoms);
    generalise_words();
    relax_orders();
    widths();
    share_constants();
    add_neighbours();
    return std::move(result_);
  }

 private:
  std::vector<Term> roots() const {
    std::vector<Term> roots;
    for (const system::State& state : system_.states())
      if (state.init) roots.push_back(state.init);
    for (const ControlMap::Place& place : map_.places()) roots.insert(roots.end(), {place.bad, place.constraints});
    for (const ControlMap::Way& way : map_.ways()) {
      roots.push_back(way.condition);
      for (std::size_t i = 0; i < way.nexts.size(); ++i)
        if (!map_.state() || i != *map_.state()) roots.push_back(way.nexts[i]);
    }
    return roots;
  }

  /// Nothing but states below, and not much of it.
  bool is_short(Term t) {
    std::size_t size = 0;
    bool is_of_states = true;
    small_.clear();
    const Term root[] = {t};
    term::post_order(store_, root, small_, [&](Term u) {
      ++size;
      if (store_.is_variable(u) && !is_state_.contains(u)) is_of_states = false;
    });
    return is_of_states && size <= kMaxAtomSize;
  }

  static void add(std::vector<Term>& to, Term t, std::size_t limit) {
    if (to.size() < limit && std::ranges::find(to, t) == to.end()) to.push_back(t);
  }

  void look_at(Term t) {
    if (store_.is_array(t)) return;
    switch (store_.op(t)) {
      case Op::Constant:
        if (store_.width(t) > 1 && store_.width(t) <= 64) note_constant(t);
        break;
      case Op::Eq:
      case Op::Ult:
      case Op::Slt:
        if (store_.is_array(store_.child(t, 0))) break;
        note_asked(t);
        if (!is_short(t)) break;
        add(result_.atoms, t, kMaxAtoms);
        for (unsigned i = 0; i < 2; ++i) note_words(store_.child(t, i));
        break;
      case Op::SignExtend:
        if (is_state_.contains(store_.child(t, 0))) add(result_.signed_words, store_.child(t, 0), kMaxAtoms);
        break;
      case Op::Extract:
        if (store_.width(t) == 1 && is_short(t)) add(result_.atoms, t, kMaxAtoms);
        break;
      case Op::Udiv:
      case Op::Urem:
      case Op::Add:
        for (unsigned i = 0; i < 2; ++i) note_modulus(store_.child(t, i));
        break;
      case Op::Mul:
        if (!store_.is_constant(store_.child(t, 0)) && !store_.is_constant(store_.child(t, 1)))
          result_.multiplies = true;
        break;
      case Op::Select:
        if (store_.is_variable(store_.child(t, 0)) && is_short(t)) add(result_.reads, t, kMaxReads);
        break;
      default:
        break;
    }
  }

  void note_constant(Term t) {
    std::vector<std::uint64_t>& known = result_.constants[store_.width(t)];
    const std::uint64_t value = store_.value(t).to_uint64();
    if (known.size() < kMaxConstants && std::ranges::find(known, value) == known.end()) known.push_back(value);
  }

  void note_asked(Term comparison) {
    for (unsigned i = 0; i < 2; ++i) {
      const Term input = store_.child(comparison, i);
      const Term constant = store_.child(comparison, 1 - i);
      if (!store_.is_constant(constant) || !is_input_.contains(input) || store_.width(input) > 64) continue;
      std::vector<std::uint64_t>& known = result_.asked[store_.width(input)];
      const std::uint64_t value = store_.value(constant).to_uint64();
      if (known.size() >= kMaxConstants) continue;
      known.push_back(value);
      // Behind an equation only the value itself matters; behind an order the one beside it as well.
      if (store_.op(comparison) != Op::Eq)
        for (const std::uint64_t beside : {value + 1, value - 1})
          known.push_back(BitVector(store_.width(input), beside).to_uint64());
    }
  }

  /// What a sum is made of, if it is neither a register nor a multiple of one.
  void note_words(Term t) {
    if (store_.width(t) < 2 || store_.width(t) > 64) return;
    const std::optional<term::LinearSum> sum = term::LinearSum::of(store_, t, kMaxMonomials);
    if (!sum) return;
    for (const term::LinearSum::Monomial& monomial : sum->monomials)
      if (!store_.is_variable(monomial.term)) add(result_.words, monomial.term, kMaxWords);
  }

  /// What is computed of one register at the end of a loop is often computed of another one inside: 1 << i of the
  /// counter, where the property has 1 << n.
  void generalise_words() {
    const std::vector<Term> words = result_.words;
    for (const Term word : words) {
      const Term root[] = {word};
      const std::vector<Term> support = term::support(store_, root);
      if (support.size() != 1 || store_.is_array(support.front())) continue;
      for (const system::State& state : system_.states()) {
        if (store_.sort(state.variable) != store_.sort(support.front())) continue;
        term::Substitution other(store_);
        other.add(support.front(), state.variable);
        if (const Term made = other.apply(word); made != word) add(result_.similar_words, made, kMaxWords);
      }
    }
  }

  /// x < y is seldom what holds at the head of a loop that goes on while it does, but x <= y is, or x <= y + 1.
  void relax_orders() {
    const std::vector<Term> atoms = result_.atoms;
    for (const Term atom : atoms) {
      const bool is_signed = store_.op(atom) == Op::Slt;
      if (!is_signed && store_.op(atom) != Op::Ult) continue;
      const Term a = store_.child(atom, 0);
      const Term b = store_.child(atom, 1);
      const Term one = store_.one(store_.width(a));
      const auto at_most = [&](Term x, Term y) { return is_signed ? store_.sle(x, y) : store_.ule(x, y); };
      for (const Term t :
           {store_.eq(a, b), at_most(a, b), at_most(a, store_.add(b, one)), at_most(b, store_.add(a, one))})
        if (!store_.is_constant(t)) add(result_.relaxed, t, kMaxAtoms);
    }
  }

  void note_modulus(Term t) {
    if (!store_.is_constant(t)) return;
    const std::uint64_t value = store_.value(t).to_uint64();
    if (value < 3 || value > kMaxModulus || std::has_single_bit(value)) return;
    if (result_.moduli.size() < kMaxModuli && std::ranges::find(result_.moduli, value) == result_.moduli.end())
      result_.moduli.push_back(value);
  }

  /// Every width of a state has constants.
  void widths() {
    for (const system::State& state : system_.states()) {
      const term::Sort sort = store_.sort(state.variable);
      if (sort.width > 1 && sort.width <= 64) result_.constants.try_emplace(sort.width);
    }
  }

  /// What is compared after an extension is a bound of the narrow word as well.
  void share_constants() {
    std::set<std::int64_t> small;
    for (const auto& [width, values] : result_.constants)
      for (const std::uint64_t value : values)
        if (const std::int64_t number = BitVector(width, value).to_int64(); number > -65536 && number < 65536)
          small.insert(number);
    for (auto& [width, values] : result_.constants)
      for (const std::int64_t number : small)
        if (const BitVector value(width, static_cast<std::uint64_t>(number));
            value.to_int64() == number || (number > 0 && value.to_uint64() == static_cast<std::uint64_t>(number)))
          values.push_back(value.to_uint64());
  }

  void add_neighbours() {
    for (auto& [width, values] : result_.constants) {
      std::set<std::uint64_t> all;
      for (const std::uint64_t value : values)
        for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}})
          all.insert(BitVector(width, value + offset).to_uint64());
      for (const std::uint64_t value : {0U, 1U, 2U}) all.insert(BitVector(width, value).to_uint64());
      all.insert(BitVector::ones(width).to_uint64());
      all.insert(BitVector::max_signed(width).to_uint64());
      all.insert(BitVector::min_signed(width).to_uint64());
      values.assign(all.begin(), all.end());
    }
  }

  System& system_;
  term::TermStore& store_;
  const ControlMap& map_;
  term::TermSet is_state_;
  term::TermSet is_input_;
  term::TermSet small_;
  Vocabulary result_;
};

}  // namespace

const std::vector<std::uint64_t>& Vocabulary::constants_of(std::uint32_t width) const {
  static const std::vector<std::uint64_t> none;
  const auto found = constants.find(width);
  return found == constants.end() ? none : found->second;
}

Vocabulary vocabulary_of(System& system, const ControlMap& map) { return Collector(system, map).collect(); }

}  // namespace plumb::prove
