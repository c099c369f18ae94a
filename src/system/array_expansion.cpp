#include "system/array_expansion.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "term/selection.h"

namespace plumb::system {

using term::Op;

namespace {

/// A choice with more inner nodes than this is an index like any other.
constexpr std::size_t kSmallChoice = 256;
/// Choices among reads, one in the other, that a comparison goes through.
constexpr unsigned kDeepestChoice = 3;
/// Elements between two looks at the budget.
constexpr std::size_t kPoll = 4096;

}  // namespace

void ArrayExpansion::poll(std::size_t i) const {
  if (i % kPoll == 0) budget_.check();
}

void ArrayExpansion::charge(Sort sort, const std::string& what) {
  if (!sort.is_array()) return;
  const std::uint64_t size = sort.index_width < 63 ? std::uint64_t{1} << sort.index_width : max_elements_ + 1;
  elements_ += size;
  if (size <= max_elements_ && elements_ <= max_elements_) return;
  throw Unsupported(
      fmt::format("{} has 2^{} elements of {} bits, which makes more than {} registers and choices of a circuit", what,
                  sort.index_width, sort.width, max_elements_),
      "use smaller arrays or a word-level engine");
}

std::span<const Term> ArrayExpansion::declare(Term variable, const std::string& name) {
  const Sort sort = from_.sort(variable);
  charge(sort, fmt::format("array '{}'", name));
  Elements made;
  if (sort.is_array())
    for (std::uint64_t i = 0; i < std::uint64_t{1} << sort.index_width; ++i) {
      poll(i);
      made.push_back(to_.variable(sort.width, fmt::format("{}[{}]", name, i)));
    }
  else
    made.push_back(to_.variable(sort.width, name));
  places_[variable] = static_cast<std::uint32_t>(terms_.size());
  terms_.push_back(std::move(made));
  return terms_.back();
}

void ArrayExpansion::bind(Term variable, std::vector<Term> terms) {
  places_[variable] = static_cast<std::uint32_t>(terms_.size());
  terms_.push_back(std::move(terms));
}

void ArrayExpansion::restart() {
  places_.clear();
  terms_.clear();
  elements_ = 0;
}

std::span<const Term> ArrayExpansion::expand(Term root) {
  std::vector<Term> stack = {root};
  while (!stack.empty()) {
    const Term t = stack.back();
    if (places_.contains(t)) {
      stack.pop_back();
      continue;
    }
    const std::size_t before = stack.size();
    for (unsigned i = from_.arity(t); i-- > 0;)
      if (!places_.contains(from_.child(t, i))) stack.push_back(from_.child(t, i));
    if (stack.size() != before) continue;
    stack.pop_back();
    INVARIANT(!from_.is_variable(t), "a variable should be declared before it is expanded");
    Elements made = from_.is_array(t) ? expand_array(t) : Elements{expand_bits(t)};
    places_[t] = static_cast<std::uint32_t>(terms_.size());
    terms_.push_back(std::move(made));
  }
  return known(root);
}

ArrayExpansion::Elements ArrayExpansion::expand_array(Term t) {
  const Sort sort = from_.sort(t);
  charge(sort, "an array");
  switch (from_.op(t)) {
    case Op::Store:
      return store(known(from_.child(t, 0)), known_bits(from_.child(t, 1)), known_bits(from_.child(t, 2)));
    case Op::ConstantArray:
      return Elements(std::size_t{1} << sort.index_width, known_bits(from_.child(t, 0)));
    default:
      break;
  }
  INVARIANT(from_.op(t) == Op::Ite, "an array should be a store, an ite, a constant or a variable");
  const Term condition = known_bits(from_.child(t, 0));
  const Elements& then_elements = known(from_.child(t, 1));
  const Elements& else_elements = known(from_.child(t, 2));
  Elements made;
  for (std::size_t i = 0; i < then_elements.size(); ++i) {
    poll(i);
    made.push_back(to_.ite(condition, then_elements[i], else_elements[i]));
  }
  return made;
}

Term ArrayExpansion::expand_bits(Term t) {
  const Op op = from_.op(t);
  if (op == Op::Constant) return to_.constant(from_.value(t));
  if (op == Op::Select) return select(known(from_.child(t, 0)), known_bits(from_.child(t, 1)));
  if (from_.is_array(from_.child(t, 0))) {
    INVARIANT(op == Op::Eq, "only equality should compare arrays");
    const Elements& a = known(from_.child(t, 0));
    const Elements& b = known(from_.child(t, 1));
    Elements equal;
    for (std::size_t i = 0; i < a.size(); ++i) {
      poll(i);
      equal.push_back(to_.eq(a[i], b[i]));
    }
    return to_.all_of(equal);
  }
  if (const Term compared = compare_elements(t)) return compared;
  std::array<Term, 3> operands{};
  const unsigned arity = from_.arity(t);
  for (unsigned i = 0; i < arity; ++i) operands[i] = known_bits(from_.child(t, i));
  return to_.make(op, std::span(operands).first(arity), from_.width(t), from_.parameter(t));
}

ArrayExpansion::ArrayExpansion(const TermStore& from, TermStore& to, std::uint64_t max_elements, Indices indices,
                               Budget budget)
    : from_(from), to_(to), max_elements_(max_elements), budget_(std::move(budget)), indices_(indices) {
  if (indices != Indices::NearlyConstant) return;
  for (std::uint32_t id = 1; id < from.size() && !order_; ++id) {
    const Term t{id};
    const bool compares = from.op(t) == Op::Ult || from.op(t) == Op::Slt;
    const auto reads = [&](unsigned i) {
      return from.op(from.child(t, i)) == Op::Select && from.width(from.child(t, i)) > 1;
    };
    if (compares && (reads(0) || reads(1))) order_ = from.op(t);
  }
}

Term ArrayExpansion::compare(Op op, Term a, Term b) {
  if (op != Op::Eq || !order_ || to_.width(a) == 1) return to_.make(op, std::array{a, b});
  return to_.bit_and(to_.bit_not(to_.make(*order_, std::array{a, b})),
                     to_.bit_not(to_.make(*order_, std::array{b, a})));
}

bool ArrayExpansion::is_read(Term t, unsigned depth) const {
  if (from_.op(t) == Op::Select) return true;
  return from_.op(t) == Op::Ite && depth > 0 &&
         (is_read(from_.child(t, 1), depth - 1) || is_read(from_.child(t, 2), depth - 1));
}

Term ArrayExpansion::compare_read(Op op, Term read, Term other, bool is_first, unsigned depth) {
  const auto compared = [&](Term t) { return is_first ? compare(op, t, other) : compare(op, other, t); };
  if (from_.op(read) == Op::Ite && depth > 0 && is_read(read, depth)) {
    const Term condition = known_bits(from_.child(read, 0));
    const Term then_term = compare_read(op, from_.child(read, 1), other, is_first, depth - 1);
    return to_.ite(condition, then_term, compare_read(op, from_.child(read, 2), other, is_first, depth - 1));
  }
  if (from_.op(read) != Op::Select) return compared(known_bits(read));
  const Term index = known_bits(from_.child(read, 1));
  if (to_.is_constant(index)) return compared(known_bits(read));
  Elements elements;
  for (const Term element : known(from_.child(read, 0))) elements.push_back(compared(element));
  return select(elements, index);
}

Term ArrayExpansion::compare_elements(Term t) {
  const Op op = from_.op(t);
  const bool compares = op == Op::Eq || op == Op::Ult || op == Op::Slt;
  if (indices_ != Indices::NearlyConstant || !compares) return {};
  const Term a = from_.child(t, 0);
  const Term b = from_.child(t, 1);
  const bool reads_a = is_read(a, kDeepestChoice);
  const bool reads_b = is_read(b, kDeepestChoice);
  if (!reads_a && !reads_b) return {};
  if (reads_a && reads_b) return compare(op, known_bits(a), known_bits(b));
  return reads_a ? compare_read(op, a, known_bits(b), true, kDeepestChoice)
                 : compare_read(op, b, known_bits(a), false, kDeepestChoice);
}

bool ArrayExpansion::is_small_choice(Term t) {
  if (to_.op(t) != Op::Ite) return false;
  choices_.clear();
  std::size_t count = 0;
  work_.assign(1, t);
  while (!work_.empty()) {
    const Term choice = work_.back();
    work_.pop_back();
    if (choices_.contains(choice)) continue;
    choices_[choice] = choice;
    if (to_.op(choice) != Op::Ite) {
      if (!to_.is_constant(choice)) return false;
      continue;
    }
    if (++count > kSmallChoice) return false;
    work_.push_back(to_.child(choice, 1));
    work_.push_back(to_.child(choice, 2));
  }
  return true;
}

Term ArrayExpansion::select_by_choice(const Elements& elements, Term index) {
  choices_.clear();
  work_.assign(1, index);
  while (!work_.empty()) {
    const Term t = work_.back();
    if (choices_.contains(t)) {
      work_.pop_back();
      continue;
    }
    if (to_.op(t) != Op::Ite) {
      work_.pop_back();
      choices_[t] = elements[to_.value(t).to_uint64()];
      continue;
    }
    const std::size_t before = work_.size();
    for (const unsigned i : {1U, 2U})
      if (!choices_.contains(to_.child(t, i))) work_.push_back(to_.child(t, i));
    if (work_.size() != before) continue;
    work_.pop_back();
    choices_[t] = to_.ite(to_.child(t, 0), choices_.at(to_.child(t, 1)), choices_.at(to_.child(t, 2)));
  }
  return choices_.at(index);
}

Term ArrayExpansion::select(const Elements& elements, Term index) {
  if (to_.is_constant(index)) return elements[to_.value(index).to_uint64()];
  const bool is_choice = indices_ == Indices::NearlyConstant && is_small_choice(index);
  return is_choice ? select_by_choice(elements, index) : term::select_by_bits(to_, index, elements);
}

ArrayExpansion::Elements ArrayExpansion::store(Elements elements, Term index, Term element) {
  if (to_.is_constant(index)) {
    elements[to_.value(index).to_uint64()] = element;
    return elements;
  }
  const Elements& is_index = decoder(index);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    poll(i);
    elements[i] = to_.ite(is_index[i], element, elements[i]);
  }
  return elements;
}

const ArrayExpansion::Elements& ArrayExpansion::decoder(Term index) {
  if (const std::uint32_t* place = decoder_places_.find(index)) return decoders_[*place];
  const bool is_choice = indices_ == Indices::NearlyConstant && is_small_choice(index);
  Elements made = is_choice ? decode_choice(index) : decode_bits(index);
  decoder_places_[index] = static_cast<std::uint32_t>(decoders_.size());
  decoders_.push_back(std::move(made));
  return decoders_.back();
}

ArrayExpansion::Elements ArrayExpansion::decode_choice(Term index) {
  const std::uint32_t width = to_.width(index);
  Elements made;
  for (std::uint64_t i = 0; i < std::uint64_t{1} << width; ++i) made.push_back(to_.eq(index, to_.constant(width, i)));
  return made;
}

ArrayExpansion::Elements ArrayExpansion::decode_bits(Term index) {
  Elements made = {to_.boolean(true)};
  for (std::uint32_t i = to_.width(index); i-- > 0;) {
    const Term bit = to_.bit(index, i);
    Elements finer;
    for (const Term prefix : made) {
      poll(finer.size());
      finer.push_back(to_.bit_and(prefix, to_.bit_not(bit)));
      finer.push_back(to_.bit_and(prefix, bit));
    }
    made = std::move(finer);
  }
  return made;
}

}  // namespace plumb::system
