// Which relations are tried at a place. They come from the registers that matter there, from the system's own
// comparisons and constants, and from what was seen: values that are few, and pairs of predicates one of which held
// in every state.

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "prove/guess/hypotheses.h"
#include "term/traverse.h"

namespace plumb::prove {
namespace {

constexpr std::size_t kMaxSetWords = 9;  ///< of which pairs and triples are made
constexpr std::size_t kMaxTuples = 300;
constexpr std::size_t kMaxRegisters = 80;
constexpr std::size_t kMaxDimensions = 40;
constexpr std::uint32_t kMinExtended = 3;  ///< narrower words are flags
constexpr std::size_t kMaxFactors = 6;     ///< registers that products are made of
constexpr std::size_t kMaxStrictlyOrdered = 14;
constexpr std::size_t kMaxOrdered = 24;  ///< words that are compared with each other
constexpr std::size_t kMaxPool = 1200;   ///< predicates that are looked at
constexpr std::size_t kMaxCases = 90;    ///< predicates that choices are made of
constexpr std::size_t kMaxChoices = 500;
constexpr std::uint64_t kMaxInside = 16;     ///< constants inside of a range
constexpr std::uint64_t kMaxRemainders = 8;  ///< of one modulus

std::uint64_t mask_of(std::uint32_t width) { return ~std::uint64_t{0} >> (64 - width); }

bool is_linear(const term::TermStore& store, Term t) {
  const term::Op op = store.op(t);
  return op == term::Op::Add || op == term::Op::Neg || op == term::Op::Not ||
         (op == term::Op::Mul && store.is_constant(store.child(t, 0)));
}

}  // namespace

Hypotheses::Hypotheses(System& system, const ControlMap::Place& place, const Vocabulary& vocabulary, Kinds kinds,
                       std::vector<Term> extra)
    : system_(system), store_(system.store()), vocabulary_(vocabulary), kinds_(kinds) {
  std::vector<Term> registers;
  for (std::size_t i = 0; i < system.states().size(); ++i) {
    const Term variable = system.states()[i].variable;
    positions_[variable] = i;
    const term::Sort sort = store_.sort(variable);
    if (!place.is_live[i] || sort.is_array()) continue;
    if (sort.width > 1 && sort.width <= 64) registers.push_back(variable);
    if (sort.width == 1) flags_.push_back(variable);
  }
  // What the system compares comes first, where there are too many for all of them.
  const std::vector<Term> compared = term::support(store_, vocabulary_.atoms, seen_);
  std::ranges::stable_partition(registers, [&](Term t) { return std::ranges::binary_search(compared, t); });
  if (registers.size() > kMaxRegisters) registers.resize(kMaxRegisters);
  if (kinds_.has_sets) {
    for (const Term t : registers) ranges_.push_back({.word = t});
    return;
  }
  add_words(place, registers);
  add_hulls(registers);
  if (kinds_.has_products) {
    ranges_.clear();
    return;
  }
  std::vector<Term> words;
  for (const Range& range : ranges_) words.push_back(range.word);
  add_atoms(place);
  add_pairs(words);
  for (const Term t : extra)
    if (is_live(t, place)) add_predicate(t);
  if (kinds_.has_choices) add_remainders();
}

bool Hypotheses::is_live(Term t, const ControlMap::Place& place) {
  const Term root[] = {t};
  for (const Term variable : term::support(store_, root, seen_)) {
    const std::size_t* position = positions_.find(variable);
    if (position == nullptr || !place.is_live[*position]) return false;
  }
  return true;
}

void Hypotheses::add_words(const ControlMap::Place& place, const std::vector<Term>& registers) {
  std::vector<Term> words = registers;
  const auto add = [&](Term t) {
    if (is_linear(store_, t) || store_.width(t) < 2 || store_.width(t) > 64 || !is_live(t, place)) return;
    words.push_back(t);
  };
  for (const Term t : vocabulary_.reads) add(t);
  for (const Term t : vocabulary_.words)
    if (std::ranges::find(words, t) == words.end()) add(t);
  if (kinds_.has_choices)
    for (const Term t : vocabulary_.similar_words) add(t);
  for (const Term t : words) ranges_.push_back({.word = t});
}

void Hypotheses::add_hulls(const std::vector<Term>& registers) {
  std::vector<Term> words;
  for (const Range& range : ranges_) words.push_back(range.word);
  if (kinds_.has_products) add_products(registers, words);
  std::map<std::uint32_t, std::vector<Term>> by_width;
  for (const Term t : words) by_width[store_.width(t)].push_back(t);
  const std::map<std::uint32_t, std::vector<Term>> own = by_width;
  for (auto& [width, wide] : by_width)
    for (const auto& [narrow_width, narrow] : own) {
      if (narrow_width >= width || narrow_width < kMinExtended) continue;
      for (const Term t : narrow)
        for (const Term extended : extensions(t, width)) wide.push_back(extended);
    }
  for (auto& [width, all] : by_width)
    if (width > 2) add_hull(width, std::move(all));
}

/// The system's own way to make a narrow word wide, and zeros above it.
std::vector<Term> Hypotheses::extensions(Term t, std::uint32_t width) const {
  std::vector<Term> result = {store_.zero_extend(t, width)};
  if (kinds_.has_choices || std::ranges::find(vocabulary_.signed_words, t) != vocabulary_.signed_words.end())
    result.push_back(store_.sign_extend(t, width));
  return result;
}

/// Of registers of each width, and of narrower ones as they are extended to it.
void Hypotheses::add_products(const std::vector<Term>& registers, std::vector<Term>& words) const {
  std::set<std::uint32_t> widths;
  for (const Term t : registers) widths.insert(store_.width(t));
  for (const std::uint32_t width : widths) {
    if (width < 4) continue;
    std::vector<Term> factors;
    for (const Term t : registers)
      if (store_.width(t) == width) factors.push_back(t);
    for (const Term t : registers)
      if (store_.width(t) >= kMinExtended && store_.width(t) < width) factors.push_back(store_.zero_extend(t, width));
    for (const Term t : registers)
      if (store_.width(t) >= kMinExtended && store_.width(t) < width) words.push_back(store_.zero_extend(t, width));
    if (factors.size() > kMaxFactors) factors.resize(kMaxFactors);
    for (std::size_t i = 0; i < factors.size(); ++i)
      for (std::size_t j = i; j < factors.size(); ++j) words.push_back(store_.mul(factors[i], factors[j]));
  }
}

void Hypotheses::add_hull(std::uint32_t width, std::vector<Term> words) {
  if (words.size() > kMaxDimensions) words.resize(kMaxDimensions);
  std::vector<int> ranks;
  // Registers that change often are better replaced than parameters: they stand later.
  for (const Term t : words) ranks.push_back(store_.is_variable(t) ? 1 + static_cast<int>(ranks.size()) : 0);
  const std::size_t dimensions = words.size();
  hulls_.push_back({AffineHull(width, dimensions), std::move(words), std::move(ranks)});
}

void Hypotheses::add_predicate(Term t) {
  if (store_.is_constant(t) || pool_.size() >= kMaxPool) return;
  if (std::ranges::any_of(pool_, [&](const Predicate& p) { return p.term == t; })) return;
  pool_.push_back({t});
}

void Hypotheses::add_pairs(const std::vector<Term>& words) {
  const std::size_t count = std::min(words.size(), kMaxOrdered);
  const bool are_few = count <= kMaxStrictlyOrdered;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j) {
      Term a = words[i];
      Term b = words[j];
      const std::uint32_t width = std::max(store_.width(a), store_.width(b));
      if (i == j || std::min(store_.width(a), store_.width(b)) < std::min(kMinExtended, width)) continue;
      if (store_.width(a) < width) a = extensions(a, width).back();
      if (store_.width(b) < width) b = extensions(b, width).back();
      if (i < j) add_predicate(store_.eq(a, b));
      for (const Term t : {store_.ule(a, b), store_.sle(a, b)}) add_predicate(t);
      if (!are_few) continue;
      if (i < j) add_predicate(store_.distinct(a, b));
      for (const Term t : {store_.ult(a, b), store_.slt(a, b)}) add_predicate(t);
    }
}

void Hypotheses::add_atoms(const ControlMap::Place& place) {
  for (const Term atom : vocabulary_.atoms) {
    if (!is_live(atom, place)) continue;
    add_predicate(atom);
    add_predicate(store_.bit_not(atom));
  }
  own_ = pool_.size();
  for (const Term t : vocabulary_.relaxed)
    if (is_live(t, place)) add_predicate(t);
}

void Hypotheses::add_remainders() {
  for (const std::uint64_t modulus : vocabulary_.moduli) {
    for (const Range& range : ranges_) {
      const std::uint32_t width = store_.width(range.word);
      if (width < 5 || modulus > mask_of(width) / 2) continue;
      const Term remainder = store_.urem(range.word, store_.constant(width, modulus));
      for (std::uint64_t value = 0; value < std::min(modulus, kMaxRemainders); ++value)
        add_predicate(store_.eq(remainder, store_.constant(width, value)));
    }
  }
}

/// What tells cases apart: the values of a word that has few, and the constants inside the range of one that has many.
void Hypotheses::add_cases() {
  has_cases_ = true;
  first_case_ = pool_.size();
  const std::vector<Term> compared = term::support(store_, vocabulary_.atoms, seen_);
  for (const Range& range : ranges_) {
    const std::uint32_t width = store_.width(range.word);
    if (range.values.size() == 1 || !std::ranges::binary_search(compared, range.word)) continue;
    std::vector<std::uint64_t> values = range.values;
    if (values.size() > kMaxValues) values = {range.least, range.greatest};
    for (const std::uint64_t value : values) {
      const Term is = store_.eq(range.word, store_.constant(width, value));
      add_predicate(is);
      add_predicate(store_.bit_not(is));
    }
    std::vector<std::uint64_t> thresholds = vocabulary_.constants_of(width);
    if (range.greatest - range.least <= kMaxInside) {
      thresholds.clear();
      for (std::uint64_t value = range.least + 1; value <= range.greatest; ++value) thresholds.push_back(value);
    }
    std::size_t inside = 0;
    for (const std::uint64_t value : thresholds) {
      if (value <= range.least || value > range.greatest || ++inside > kMaxInside) continue;
      const Term is_less = store_.ult(range.word, store_.constant(width, value));
      add_predicate(is_less);
      add_predicate(store_.bit_not(is_less));
    }
  }
}

/// Of all words with few values together, and of every two and three of them.
void Hypotheses::add_sets() {
  has_cases_ = true;
  std::vector<Term> words = flags_;
  for (const Range& range : ranges_)
    if (range.values.size() > 1 && range.values.size() <= kMaxSetValues) words.push_back(range.word);
  ranges_.clear();
  if (words.size() > 1) sets_.emplace_back(words, kMaxTuples);
  if (words.size() > kMaxSetWords) words.resize(kMaxSetWords);
  for (std::size_t i = 0; i < words.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      sets_.emplace_back(std::vector<Term>{words[j], words[i]}, kMaxTuples);
      for (std::size_t k = 0; k < j; ++k)
        sets_.emplace_back(std::vector<Term>{words[k], words[j], words[i]}, kMaxTuples);
    }
}

/// Pairs of predicates one of which held in each state, those with much evidence for both sides first.
void Hypotheses::add_choices() {
  struct Choice {
    std::size_t a, b;
    int weight;
  };
  std::vector<const Predicate*> open;
  std::vector<int> counts;
  std::vector<std::size_t> cases;  ///< of `open`
  for (std::size_t i = 0; i < pool_.size(); ++i) {
    int count = 0;
    for (const std::uint64_t bits : pool_[i].misses) count += std::popcount(bits);
    const bool is_case = i < own_ || i >= first_case_;
    // What was never seen to fail may fail later, in runs that are longer than any that was made.
    if ((count == 0 && i >= own_) || count == static_cast<int>(states_)) continue;
    if (is_case && cases.size() < kMaxCases) cases.push_back(open.size());
    open.push_back(&pool_[i]);
    counts.push_back(count);
  }
  std::vector<std::vector<Term>> words;
  for (const Predicate* predicate : open) {
    const Term root[] = {predicate->term};
    words.push_back(term::support(store_, root, seen_));
  }
  std::vector<Choice> choices;
  for (const std::size_t a : cases)
    for (std::size_t b = 0; b < open.size(); ++b) {
      // Of one word, it is a range with a hole at most.
      bool is_one_true = words[a].size() != 1 || words[a] != words[b];
      for (std::size_t i = 0; i < open[a]->misses.size() && is_one_true; ++i)
        is_one_true = (open[a]->misses[i] & open[b]->misses[i]) == 0;
      if (is_one_true) choices.push_back({a, b, std::min(counts[a], counts[b])});
    }
  std::ranges::stable_sort(choices, std::greater<>(), &Choice::weight);
  std::set<Term> made;
  for (const Choice& choice : choices) {
    if (made.size() >= kMaxChoices) break;
    const Term t = store_.bit_or(open[choice.a]->term, open[choice.b]->term);
    if (!store_.is_constant(t) && made.insert(t).second) predicates_.push_back(t);
  }
}

}  // namespace plumb::prove
