#pragma once

#include <array>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "operators.h"
#include "term/evaluator.h"

namespace plumb::term {

/// Terms made of random operators on earlier ones, with what was asked for beside what the store gave: values() follows
/// the former, by term::evaluate alone. The same seed and leaves give the same requests.
class RandomTerms {
 public:
  RandomTerms(TermStore& store, std::uint64_t seed, std::uint32_t max_width)
      : store_(store), random_(seed), max_width_(max_width) {}

  std::size_t size() const { return requests_.size(); }
  Term term(std::size_t i) const { return requests_[i].term; }
  std::size_t below(std::size_t bound) { return random_() % bound; }

  std::size_t add_variable(Term variable) { return push({Op::Variable, {}, store_.width(variable), 0, variable, {}}); }
  std::size_t add_constant(const BitVector& value) {
    return push({Op::Constant, {}, value.width(), 0, store_.constant(value), value});
  }
  /// `op` on the request `first` and random operands of fitting widths.
  std::size_t add(Op op, std::size_t first) {
    const std::uint32_t w = requests_[first].width;
    std::array<std::size_t, 3> operands{first, 0, 0};
    std::uint32_t width = is_predicate(op) ? 1 : w;
    std::uint32_t parameter = 0;
    switch (op) {
      case Op::Concat:
        operands[1] = below(size());
        width = w + requests_[operands[1]].width;
        if (width > max_width_) return add(Op::Not, first);
        if (below(2) == 0) std::swap(operands[0], operands[1]);
        break;
      case Op::Extract:
        parameter = static_cast<std::uint32_t>(below(w));
        width = 1 + static_cast<std::uint32_t>(below(w - parameter));
        break;
      case Op::ZeroExtend:
      case Op::SignExtend:
        width = w + static_cast<std::uint32_t>(below(max_width_ - w + 1));
        break;
      case Op::Repeat:
        width = w * (1 + static_cast<std::uint32_t>(below(max_width_ / w)));
        break;
      case Op::Ite:
        operands = {of_width(1), first, of_width(w)};
        break;
      default:
        if (arity(op) == 2) operands[1] = of_width(w);
    }
    if ((arity(op) == 2 && op != Op::Concat && below(2) == 0)) std::swap(operands[0], operands[1]);
    if (op == Op::Ite && below(2) == 0) std::swap(operands[1], operands[2]);
    return push(op, operands, width, parameter);
  }
  std::size_t add_random(std::size_t first) {
    static const std::vector<Op> ops = bit_vector_operators();
    return add(ops[below(ops.size())], first);
  }

  /// The values of all requests; those of variables are taken from the assignment.
  std::vector<BitVector> values(const Assignment& assignment) const {
    std::vector<BitVector> result;
    for (const Request& r : requests_) {
      std::array<const BitVector*, 3> operands{};
      for (unsigned i = 0; i < arity(r.op); ++i) operands[i] = &result[r.operands[i]];
      if (r.op == Op::Variable)
        result.push_back(std::get<BitVector>(assignment.at(r.term)));
      else if (r.op == Op::Constant)
        result.push_back(r.value);
      else
        result.push_back(evaluate(r.op, std::span(operands).first(arity(r.op)), r.width, r.parameter));
    }
    return result;
  }
  /// The first request whose term has another value than was asked for, or size().
  std::size_t first_wrong(const Assignment& assignment) const {
    const std::vector<BitVector> expected = values(assignment);
    Evaluator evaluator(store_, assignment);
    for (std::size_t i = 0; i < size(); ++i)
      if (evaluator.bits(term(i)) != expected[i]) return i;
    return size();
  }

 private:
  struct Request {
    Op op;
    std::array<std::size_t, 3> operands;
    std::uint32_t width;
    std::uint32_t parameter;
    Term term;
    BitVector value;
  };

  std::size_t push(Request request) {
    by_width_[request.width].push_back(requests_.size());
    requests_.push_back(std::move(request));
    return requests_.size() - 1;
  }
  std::size_t push(Op op, const std::array<std::size_t, 3>& operands, std::uint32_t width, std::uint32_t parameter) {
    std::array<Term, 3> terms{};
    for (unsigned i = 0; i < arity(op); ++i) terms[i] = term(operands[i]);
    const Term t = store_.make(op, std::span(terms).first(arity(op)), width, parameter);
    return push({op, operands, width, parameter, t, {}});
  }
  std::size_t of_width(std::uint32_t w) {
    const std::vector<std::size_t>& known = by_width_[w];
    // Now and then a new constant, and always when the width has a single term.
    if (known.size() < 2 || below(6) == 0) return add_constant(BitVector(w, random_() >> below(64)));
    return known[below(known.size())];
  }

  TermStore& store_;
  std::mt19937_64 random_;
  std::uint32_t max_width_;
  std::vector<Request> requests_;
  std::map<std::uint32_t, std::vector<std::size_t>> by_width_;
};

}  // namespace plumb::term
