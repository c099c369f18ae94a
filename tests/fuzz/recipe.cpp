#include "recipe.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "term/smtlib_printer.h"

namespace plumb::fuzz {

using term::ArrayValue;
using term::Op;
using term::Sort;
using term::Term;
using term::Value;

namespace {

class Builder {
 public:
  Builder(std::mt19937_64& random, const RecipeOptions& options, std::vector<Step>& steps)
      : random_(random), options_(options), steps_(steps) {}

  void run() {
    const std::uint32_t main_width = pick(options_.widths);
    for (int i = 0; i < 3; ++i) leaf(Op::Variable, {main_width, 0});
    leaf(Op::Variable, {1, 0});
    leaf(Op::Variable, {pick(options_.widths), 0});
    if (options_.arrays && chance(3)) arrays_ = Sort{pick({1U, 8U, 33U}), pick({1U, 3U, 8U, 32U})};
    if (arrays_.is_array()) {
      leaf(Op::Variable, arrays_);
      leaf(Op::Variable, arrays_);
      leaf(Op::Variable, {arrays_.index_width, 0});
    }
    while (steps_.size() < options_.steps) add_step();
  }

 private:
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  template <typename T>
  T pick(const std::vector<T>& from) {
    return from[random_() % from.size()];
  }
  std::uint32_t pick(std::initializer_list<std::uint32_t> from) { return pick(std::vector(from)); }

  void leaf(Op op, Sort sort) {
    Step step{op, sort, {}, 0, BitVector(sort.width, 0), sort.is_array()};
    if (op == Op::Constant) step.value = random_bits(random_, sort.width);
    steps_.push_back(std::move(step));
  }

  void push(Op op, Sort sort, std::vector<std::size_t> operands, std::uint32_t parameter = 0) {
    Step step{op, sort, std::move(operands), parameter, BitVector(), sort.is_array()};
    for (const std::size_t i : step.operands) step.has_arrays = step.has_arrays || steps_[i].has_arrays;
    steps_.push_back(std::move(step));
  }

  /// A recent step of this sort more often than an old one; a new constant if there is none or now and then.
  std::size_t operand(Sort sort) {
    std::vector<std::size_t> candidates;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].sort == sort) candidates.push_back(i);
    if (!sort.is_array() && (candidates.empty() || chance(6))) {
      leaf(Op::Constant, sort);
      return steps_.size() - 1;
    }
    INVARIANT(!candidates.empty(), "arrays should have been declared");
    const std::size_t last = candidates.size() - 1;
    return candidates[chance(2) ? last - random_() % std::min<std::size_t>(last + 1, 4)
                                : random_() % candidates.size()];
  }

  std::size_t any_bits() {
    for (;;) {
      const std::size_t i = chance(2) ? random_() % steps_.size()
                                      : steps_.size() - 1 - random_() % std::min<std::size_t>(steps_.size(), 6);
      if (!steps_[i].sort.is_array()) return i;
    }
  }

  void add_step() {
    if (arrays_.is_array() && chance(3)) return add_array_step();
    const Op op = static_cast<Op>(2 + random_() % (static_cast<unsigned>(Op::Ite) - 1));
    const std::size_t a = any_bits();
    const Sort sort = steps_[a].sort;
    const std::uint32_t widest = *std::max_element(options_.widths.begin(), options_.widths.end());
    const bool hard = (op >= Op::Mul && op <= Op::Smod) || op == Op::UmulOverflow || op == Op::SmulOverflow ||
                      op == Op::RotateLeft || op == Op::RotateRight;
    if (hard && sort.width > options_.max_hard_width) return;
    switch (op) {
      case Op::Ite: {
        const std::size_t c = operand({1, 0});
        const std::size_t b = operand(sort);
        return push(op, sort, {c, a, b});
      }
      case Op::Concat: {
        const std::size_t b = any_bits();
        if (sort.width + steps_[b].sort.width > widest + 4) return;
        return push(op, {sort.width + steps_[b].sort.width, 0}, {a, b});
      }
      case Op::Extract: {
        const auto low = static_cast<std::uint32_t>(chance(2) ? 0 : random_() % sort.width);
        const auto width = static_cast<std::uint32_t>(1 + random_() % (sort.width - low));
        return push(op, {width, 0}, {a}, low);
      }
      case Op::ZeroExtend:
      case Op::SignExtend: {
        const std::uint32_t width = pick(options_.widths);
        return width < sort.width ? void() : push(op, {width, 0}, {a});
      }
      case Op::Repeat: {
        const auto times = static_cast<std::uint32_t>(1 + random_() % 4);
        return sort.width * times > widest ? void() : push(op, {sort.width * times, 0}, {a});
      }
      default:
        break;
    }
    const Sort result = term::is_predicate(op) ? Sort{1, 0} : sort;
    if (term::arity(op) == 1) return push(op, result, {a});
    const std::size_t b = operand(sort);
    push(op, result, chance(2) ? std::vector{a, b} : std::vector{b, a});
  }

  void add_array_step() {
    const std::size_t array = operand(arrays_);
    const Sort element{arrays_.width, 0};
    switch (random_() % 8) {
      case 0:
        return push(Op::Eq, {1, 0}, {array, operand(arrays_)});
      case 1: {
        const std::size_t c = operand({1, 0});
        return push(Op::Ite, arrays_, {c, array, operand(arrays_)});
      }
      case 2: {
        const std::size_t e = operand(element);
        return push(Op::ConstantArray, arrays_, {e}, arrays_.index_width);
      }
      case 3:
      case 4: {
        const std::size_t i = operand({arrays_.index_width, 0});
        const std::size_t e = operand(element);
        return push(Op::Store, arrays_, {array, i, e});
      }
      default: {
        const std::size_t i = operand({arrays_.index_width, 0});
        return push(Op::Select, element, {array, i});
      }
    }
  }

  std::mt19937_64& random_;
  const RecipeOptions& options_;
  std::vector<Step>& steps_;
  Sort arrays_;
};

Value evaluate_array_step(const Step& step, const std::vector<Value>& values) {
  const auto array = [&](std::size_t i) -> const ArrayValue& { return std::get<ArrayValue>(values[step.operands[i]]); };
  const auto bits = [&](std::size_t i) -> const BitVector& { return std::get<BitVector>(values[step.operands[i]]); };
  switch (step.op) {
    case Op::Select:
      return array(0).at(bits(1));
    case Op::Store: {
      ArrayValue result = array(0);
      result.elements.insert_or_assign(bits(1), bits(2));
      return result;
    }
    case Op::ConstantArray:
      return ArrayValue{step.parameter, bits(0), {}};
    case Op::Eq:
      return BitVector(1, array(0) == array(1) ? 1 : 0);
    default:
      return bits(0).is_one() ? values[step.operands[1]] : values[step.operands[2]];
  }
}

std::string sort_text(Sort sort) {
  if (sort.is_array()) return fmt::format("(Array (_ BitVec {}) (_ BitVec {}))", sort.index_width, sort.width);
  return fmt::format("(_ BitVec {})", sort.width);
}

/// Overflow of signed arithmetic, computed in a width that has room for it.
std::string signed_overflow_text(std::string_view op, std::uint32_t width, std::uint32_t extra, const std::string& a,
                                 const std::string& b) {
  const std::string wide = fmt::format("({} ((_ sign_extend {}) {}) ((_ sign_extend {}) {}))", op, extra, a, extra, b);
  return fmt::format("(not (= {} ((_ sign_extend {}) ((_ extract {} 0) {}))))", wide, extra, width - 1, wide);
}

std::string step_text(const Step& step, const std::vector<Step>& steps) {
  std::vector<std::string> x;
  for (const std::size_t i : step.operands) x.push_back(fmt::format("s{}", i));
  const std::uint32_t w = step.operands.empty() ? step.sort.width : steps[step.operands[0]].sort.width;
  const auto binary = [&](std::string_view name) { return fmt::format("({} {} {})", name, x[0], x[1]); };
  const auto predicate = [](const std::string& condition) { return fmt::format("(ite {} #b1 #b0)", condition); };
  const std::string min = fmt::format("(concat #b1 {})", w > 1 ? "#b" + std::string(w - 1, '0') : "");
  const std::string least = w > 1 ? min : "#b1";
  switch (step.op) {
    case Op::Constant:
      return "#b" + step.value.to_binary();
    case Op::Variable:
      return {};
    case Op::Not:
      return fmt::format("(bvnot {})", x[0]);
    case Op::Neg:
      return fmt::format("(bvneg {})", x[0]);
    case Op::And:
      return binary("bvand");
    case Op::Or:
      return binary("bvor");
    case Op::Xor:
      return binary("bvxor");
    case Op::Add:
      return binary("bvadd");
    case Op::Sub:
      return binary("bvsub");
    case Op::Mul:
      return binary("bvmul");
    case Op::Udiv:
      return binary("bvudiv");
    case Op::Urem:
      return binary("bvurem");
    case Op::Sdiv:
      return binary("bvsdiv");
    case Op::Srem:
      return binary("bvsrem");
    case Op::Smod:
      return binary("bvsmod");
    case Op::Shl:
      return binary("bvshl");
    case Op::Lshr:
      return binary("bvlshr");
    case Op::Ashr:
      return binary("bvashr");
    case Op::RotateLeft:
      return binary("ext_rotate_left");
    case Op::RotateRight:
      return binary("ext_rotate_right");
    case Op::Eq:
      return predicate(binary("="));
    case Op::Ult:
      return predicate(binary("bvult"));
    case Op::Ule:
      return predicate(binary("bvule"));
    case Op::Slt:
      return predicate(binary("bvslt"));
    case Op::Sle:
      return predicate(binary("bvsle"));
    case Op::NegOverflow:
      return predicate(fmt::format("(= {} {})", x[0], least));
    case Op::UaddOverflow:
      return fmt::format("((_ extract {} {}) (bvadd (concat #b0 {}) (concat #b0 {})))", w, w, x[0], x[1]);
    case Op::UsubOverflow:
      return fmt::format("((_ extract {} {}) (bvsub (concat #b0 {}) (concat #b0 {})))", w, w, x[0], x[1]);
    case Op::UmulOverflow: {
      const std::string wide = fmt::format("(bvmul ((_ zero_extend {}) {}) ((_ zero_extend {}) {}))", w, x[0], w, x[1]);
      return predicate(fmt::format("(not (= ((_ extract {} {}) {}) (_ bv0 {})))", 2 * w - 1, w, wide, w));
    }
    case Op::SaddOverflow:
      return predicate(signed_overflow_text("bvadd", w, 1, x[0], x[1]));
    case Op::SsubOverflow:
      return predicate(signed_overflow_text("bvsub", w, 1, x[0], x[1]));
    case Op::SmulOverflow:
      return predicate(signed_overflow_text("bvmul", w, w, x[0], x[1]));
    case Op::SdivOverflow:
      return predicate(fmt::format("(and (= {} {}) (= {} (bvnot (_ bv0 {}))))", x[0], least, x[1], w));
    case Op::Concat:
      return binary("concat");
    case Op::Extract:
      return fmt::format("((_ extract {} {}) {})", step.parameter + step.sort.width - 1, step.parameter, x[0]);
    case Op::ZeroExtend:
      return fmt::format("((_ zero_extend {}) {})", step.sort.width - w, x[0]);
    case Op::SignExtend:
      return fmt::format("((_ sign_extend {}) {})", step.sort.width - w, x[0]);
    case Op::Repeat:
      return fmt::format("((_ repeat {}) {})", step.sort.width / w, x[0]);
    case Op::Ite:
      return fmt::format("(ite (= {} #b1) {} {})", x[0], x[1], x[2]);
    case Op::Select:
      return binary("select");
    case Op::Store:
      return fmt::format("(store {} {} {})", x[0], x[1], x[2]);
    case Op::ConstantArray:
      return fmt::format("((as const {}) {})", sort_text(step.sort), x[0]);
  }
  return {};
}

}  // namespace

BitVector random_bits(std::mt19937_64& random, std::uint32_t width) {
  switch (random() % 10) {
    case 0:
      return BitVector(width, 0);
    case 1:
      return BitVector(width, 1);
    case 2:
      return BitVector::ones(width);
    case 3:
      return BitVector::min_signed(width);
    case 4:
      return BitVector::max_signed(width);
    case 5:
      return BitVector(width, 1).shl(static_cast<std::uint32_t>(random() % width));
    case 6:
      return BitVector(width, random() % 16);
    case 7:
      return BitVector(width, width - 2 + random() % 4);
    default:
      break;
  }
  std::vector<std::uint64_t> words((width + 63) / 64);
  for (auto& word : words) word = random();
  return BitVector::from_words(width, words);
}

Recipe Recipe::random(std::mt19937_64& random, const RecipeOptions& options) {
  Recipe recipe;
  Builder(random, options, recipe.steps_).run();
  return recipe;
}

std::vector<Value> Recipe::random_inputs(std::mt19937_64& random) const {
  std::vector<Value> inputs;
  for (const Step& step : steps_) {
    if (step.op != Op::Variable) continue;
    if (!step.sort.is_array()) {
      inputs.emplace_back(random_bits(random, step.sort.width));
      continue;
    }
    ArrayValue array{step.sort.index_width, random_bits(random, step.sort.width), {}};
    for (std::size_t i = random() % 4; i-- > 0;)
      array.elements.insert_or_assign(random_bits(random, step.sort.index_width), random_bits(random, step.sort.width));
    inputs.emplace_back(std::move(array));
  }
  return inputs;
}

std::vector<Value> Recipe::evaluate(const std::vector<Value>& inputs) const {
  std::vector<Value> values;
  values.reserve(steps_.size());
  std::size_t next_input = 0;
  for (const Step& step : steps_) {
    if (step.op == Op::Variable) {
      values.push_back(inputs[next_input++]);
      continue;
    }
    if (step.op == Op::Constant) {
      values.emplace_back(step.value);
      continue;
    }
    const bool on_arrays = step.op == Op::Select || step.sort.is_array() ||
                           (step.op == Op::Eq && steps_[step.operands[0]].sort.is_array());
    if (on_arrays) {
      values.push_back(evaluate_array_step(step, values));
      continue;
    }
    std::vector<const BitVector*> operands;
    for (const std::size_t i : step.operands) operands.push_back(&std::get<BitVector>(values[i]));
    values.emplace_back(term::evaluate(step.op, operands, step.sort.width, step.parameter));
  }
  return values;
}

std::vector<Term> Recipe::build(term::TermStore& store) const {
  std::vector<Term> terms;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (step.op == Op::Variable) {
      terms.push_back(store.variable(step.sort, fmt::format("s{}", i)));
    } else if (step.op == Op::Constant) {
      terms.push_back(store.constant(step.value));
    } else {
      std::vector<Term> operands;
      for (const std::size_t operand : step.operands) operands.push_back(terms[operand]);
      terms.push_back(store.make(step.op, operands, step.sort.width, step.parameter));
    }
  }
  return terms;
}

std::string Recipe::to_smtlib() const {
  std::string text;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].op == Op::Variable)
      text += fmt::format("(declare-fun s{} () {})\n", i, sort_text(steps_[i].sort));
    else
      text += fmt::format("(define-fun s{} () {} {})\n", i, sort_text(steps_[i].sort), step_text(steps_[i], steps_));
  }
  return text;
}

}  // namespace plumb::fuzz
