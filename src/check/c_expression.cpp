// Terms as C. Bit-vectors are computed in `unsigned int` up to 32 bits and in `unsigned long long` above, where
// arithmetic wraps as that of terms does; widths in between are cut by a mask. That is a term's word. Comparisons use
// numbers instead, texts of whatever integer type that have the value of the term, read as signed or unsigned: the name
// of a variable is one, so that most invariants read as people write them.
//
// Terms share parts and texts do not: each term gets its texts once, in one pass from the leaves, and texts beyond a
// length that nobody would read make the whole expression fail.
#include "check/c_expression.h"

#include <fmt/format.h>

#include "term/traverse.h"

namespace plumb::check {

using term::Op;
using term::Term;
using term::TermStore;

namespace {

constexpr std::size_t kLongest = 2000;

/// How strongly a condition's text holds together.
enum class Binding : std::uint8_t { Atom, Comparison, And, Or };

struct Condition {
  std::string text;
  Binding binding = Binding::Atom;
};

/// The texts of a term; an empty one means that there is none.
struct Texts {
  // Of width 1
  Condition is_true;
  Condition is_false;
  // Of all widths; those of numbers and words can be operands as they are
  std::string word;             ///< of type unsigned int or unsigned long long, by width
  std::string unsigned_number;  ///< of any integer type
  std::string signed_number;
  bool prefers_signed = false;
  bool is_constant = false;
};

std::uint64_t mask_of(std::uint32_t width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }
bool is_long(std::uint32_t width) { return width > 32; }
std::string_view word_type(std::uint32_t width) { return is_long(width) ? "unsigned long long" : "unsigned int"; }
std::string word_constant(std::uint32_t width, std::uint64_t value) {
  return fmt::format("{}{}", value, is_long(width) ? "ULL" : "U");
}

std::string number_constant(std::uint64_t value) {
  constexpr std::uint64_t kLargestInt = 0x7fff'ffff;
  if (value <= kLargestInt) return std::to_string(value);
  return fmt::format("{}{}", value, value <= 0xffff'ffff ? "U" : "ULL");
}

std::string number_constant(std::int64_t value) {
  constexpr std::int64_t kSmallestInt = -0x8000'0000LL;
  if (value == INT64_MIN) return "(-9223372036854775807LL - 1)";
  if (value == kSmallestInt) return "(-2147483647 - 1)";
  const bool is_wide = value < kSmallestInt || value > 0x7fff'ffff;
  return value < 0 ? fmt::format("({}{})", value, is_wide ? "LL" : "")
                   : fmt::format("{}{}", value, is_wide ? "LL" : "");
}

std::string_view exact_type(std::uint32_t width, bool is_signed) {
  switch (width) {
    case 8:
      return is_signed ? "signed char" : "unsigned char";
    case 16:
      return is_signed ? "short" : "unsigned short";
    case 32:
      return is_signed ? "int" : "unsigned int";
    case 64:
      return is_signed ? "long long" : "unsigned long long";
    default:
      return {};
  }
}

/// Cut to the width, if its type is wider.
std::string cut(std::string word, std::uint32_t width) {
  if (width == 32 || width == 64) return word;
  return fmt::format("({} & {})", word, word_constant(width, mask_of(width)));
}

std::string joined(const Condition& condition, Binding least) {
  return condition.binding > least ? fmt::format("({})", condition.text) : condition.text;
}

class Printer {
 public:
  Printer(const TermStore& store, const CNames& names) : store_(store), names_(names) {}

  std::optional<std::string> print(Term condition) {
    bool has_all = true;
    term::TermSet seen;
    term::post_order(store_, std::span(&condition, 1), seen, [&](Term t) {
      if (!has_all) return;
      texts_[t] = store_.is_array(t) ? Texts{} : texts_of(t);
      has_all = store_.is_array(t) || is_usable(texts_.at(t));
    });
    if (!has_all || texts_.at(condition).is_true.text.empty()) return std::nullopt;
    return texts_.at(condition).is_true.text;
  }

 private:
  static bool is_usable(const Texts& texts) {
    return (!texts.word.empty() || !texts.is_true.text.empty()) && texts.word.size() <= kLongest &&
           texts.is_true.text.size() <= kLongest && texts.is_false.text.size() <= kLongest &&
           texts.signed_number.size() <= kLongest;
  }

  const Texts& child(Term t, unsigned i) const { return texts_.at(store_.child(t, i)); }

  Texts texts_of(Term t) {
    const std::uint32_t width = store_.width(t);
    if (width > 64) return {};
    if (width == 1) return condition_of(t);
    switch (store_.op(t)) {
      case Op::Constant:
        return constant(store_.value(t).to_uint64(), width);
      case Op::Variable: {
        const std::optional<CVariable> variable = names_(t);
        return variable ? named(variable->name, *variable, width) : Texts{};
      }
      case Op::Select:
        return element(t, width);
      case Op::SignExtend:
        return sign_extended(t, width);
      case Op::Concat:
        if (store_.is_constant(store_.child(t, 0)) && store_.value(store_.child(t, 0)).is_zero())
          return zero_extended(t, width);
        break;
      default:
        break;
    }
    return computed(word_of(t, width), width);
  }

  // --- Leaves ---

  static Texts constant(std::uint64_t value, std::uint32_t width) {
    Texts made;
    made.word = word_constant(width, value);
    made.unsigned_number = number_constant(value);
    const unsigned unused = 64 - width;
    made.signed_number = number_constant(static_cast<std::int64_t>(value << unused) >> unused);
    made.is_constant = true;
    return made;
  }

  static Texts named(const std::string& name, const CVariable& variable, std::uint32_t width) {
    Texts whole = of_type(name, variable.is_signed, variable.width);
    if (variable.width == width || whole.word.empty()) return whole;
    if (variable.width < width) return {};
    std::string word =
        is_long(variable.width) && !is_long(width) ? fmt::format("({}){}", word_type(width), whole.word) : whole.word;
    return computed(cut(std::move(word), width), width);
  }

  static Texts of_type(const std::string& name, bool is_signed, std::uint32_t width) {
    Texts made;
    if (exact_type(width, is_signed).empty()) return made;
    made.prefers_signed = is_signed;
    made.unsigned_number = is_signed ? fmt::format("({}){}", exact_type(width, false), name) : name;
    made.signed_number = is_signed ? name : fmt::format("({}){}", exact_type(width, true), name);
    made.word =
        width == 32 || width == 64 ? made.unsigned_number : fmt::format("(unsigned int){}", made.unsigned_number);
    return made;
  }

  Texts element(Term t, std::uint32_t width) const {
    const Term array = store_.child(t, 0);
    const Term index = store_.child(t, 1);
    if (!store_.is_variable(array) || !store_.is_constant(index)) return {};
    const std::optional<CVariable> variable = names_(array);
    const BitVector position = store_.value(index);
    if (!variable || position.width() > 64 || position.to_uint64() >= variable->count) return {};
    return named(fmt::format("{}[{}]", variable->name, position.to_uint64()), *variable, width);
  }

  // --- Words ---

  static Texts computed(std::string word, std::uint32_t width) {
    Texts made;
    if (word.empty()) return made;
    made.unsigned_number = word;
    if (const std::string_view type = exact_type(width, true); !type.empty()) {
      made.signed_number = fmt::format("({}){}", type, word);
    } else {
      const std::uint32_t unused = (is_long(width) ? 64 : 32) - width;
      made.signed_number =
          fmt::format("(({})({} << {}) >> {})", is_long(width) ? "long long" : "int", word, unused, unused);
    }
    made.word = std::move(word);
    return made;
  }

  Texts sign_extended(Term t, std::uint32_t width) const {
    const Texts& from = child(t, 0);
    if (from.signed_number.empty()) return {};
    Texts made = computed(cut(fmt::format("({}){}", word_type(width), from.signed_number), width), width);
    made.signed_number = from.signed_number;
    made.prefers_signed = from.prefers_signed;
    return made;
  }

  Texts zero_extended(Term t, std::uint32_t width) const {
    const Texts& from = child(t, 1);
    Texts made = computed(fmt::format("({}){}", word_type(width), from.word), width);
    // A number that is wider than what it is of is not negative.
    made.unsigned_number = from.unsigned_number;
    made.signed_number = fmt::format("({}){}", is_long(width) ? "long long" : "int", from.unsigned_number);
    return made;
  }

  std::string word_of(Term t, std::uint32_t width) const {
    const auto word = [&](unsigned i) -> const std::string& { return child(t, i).word; };
    const std::uint32_t from = store_.arity(t) > 0 ? store_.width(store_.child(t, 0)) : 0;
    switch (store_.op(t)) {
      case Op::Not:
        return cut(fmt::format("~{}", word(0)), width);
      case Op::Neg:
        return cut(fmt::format("({} - {})", word_constant(width, 0), word(0)), width);
      case Op::And:
        return fmt::format("({} & {})", word(0), word(1));
      case Op::Xor:
        return fmt::format("({} ^ {})", word(0), word(1));
      case Op::Add:
        return cut(fmt::format("({} + {})", word(0), word(1)), width);
      case Op::Mul:
        return cut(fmt::format("({} * {})", word(0), word(1)), width);
      case Op::Udiv:
        return fmt::format("({1} != 0 ? {0} / {1} : {2})", word(0), word(1), word_constant(width, mask_of(width)));
      case Op::Urem:
        return fmt::format("({1} != 0 ? {0} % {1} : {0})", word(0), word(1));
      case Op::Shl:
      case Op::Lshr:
      case Op::Ashr:
        return shift(t, width);
      case Op::Concat:
        return fmt::format("(({}){} << {} | {})", word_type(width), word(0), store_.width(store_.child(t, 1)), word(1));
      case Op::Extract:
        if (from > 64) return {};
        return cut(fmt::format("({})({} >> {})", word_type(width), word(0), store_.parameter(t)), width);
      case Op::Ite:
        return fmt::format("({} ? {} : {})", joined(child(t, 0).is_true, Binding::Comparison), word(1), word(2));
      default:
        return {};
    }
  }

  /// C leaves open what a shift by the width or more does.
  std::string shift(Term t, std::uint32_t width) const {
    const Texts& value = child(t, 0);
    const Texts& amount = child(t, 1);
    const Op op = store_.op(t);
    std::string beyond = op == Op::Ashr ? fmt::format("({} < 0 ? {} : {})", value.signed_number,
                                                      word_constant(width, mask_of(width)), word_constant(width, 0))
                                        : word_constant(width, 0);
    // A number may be of a narrower type than its width.
    const std::string number = fmt::format("({}){}", is_long(width) ? "long long" : "int", value.signed_number);
    std::string shifted =
        op == Op::Ashr ? cut(fmt::format("({})({} >> {})", word_type(width), number, amount.word), width)
                       : cut(fmt::format("({} {} {})", value.word, op == Op::Shl ? "<<" : ">>", amount.word), width);
    if (store_.is_constant(store_.child(t, 1)))
      return store_.value(store_.child(t, 1)).to_uint64() < width ? shifted : beyond;
    return fmt::format("({} < {} ? {} : {})", amount.word, word_constant(width, width), shifted, beyond);
  }

  // --- Conditions ---

  static Texts condition(Condition is_true, Condition is_false) {
    Texts made;
    if (is_true.text.empty() || is_false.text.empty()) return made;
    made.word = fmt::format("(unsigned int)({})", is_true.text);
    made.unsigned_number = fmt::format("({})", is_true.text);
    made.signed_number = fmt::format("-({})", is_true.text);
    made.is_true = std::move(is_true);
    made.is_false = std::move(is_false);
    return made;
  }

  static Texts compared(const std::string& a, const std::string& b, std::string_view op, std::string_view opposite) {
    if (a.empty() || b.empty()) return {};
    return condition({fmt::format("{} {} {}", a, op, b), Binding::Comparison},
                     {fmt::format("{} {} {}", a, opposite, b), Binding::Comparison});
  }

  /// A constant stands on the right, as people write it.
  Texts less(Term t, std::string Texts::* number) const {
    const Texts& a = child(t, 0);
    const Texts& b = child(t, 1);
    return a.is_constant ? compared(b.*number, a.*number, ">", "<=") : compared(a.*number, b.*number, "<", ">=");
  }

  Texts bit(Term t) const {
    const std::uint32_t width = store_.width(store_.child(t, 0));
    if (width > 64) return {};
    const Texts& of = child(t, 0);
    if (store_.parameter(t) + 1 == width) return compared(of.signed_number, "0", "<", ">=");
    if (store_.parameter(t) == 0) return compared(fmt::format("({} & 1)", of.word), "0", "!=", "==");
    return compared(fmt::format("({} >> {} & 1)", of.word, store_.parameter(t)), "0", "!=", "==");
  }

  Texts equality(Term t) const {
    if (store_.is_array(store_.child(t, 0))) return {};
    const Texts& a = child(t, 0);
    const Texts& b = child(t, 1);
    if (store_.width(store_.child(t, 0)) == 1) return same(a, b);
    const Texts& first = a.is_constant ? b : a;
    const Texts& second = a.is_constant ? a : b;
    const bool is_signed = (first.prefers_signed || first.is_constant) && (second.prefers_signed || second.is_constant);
    return is_signed ? compared(first.signed_number, second.signed_number, "==", "!=")
                     : compared(first.unsigned_number, second.unsigned_number, "==", "!=");
  }

  static Texts same(const Texts& a, const Texts& b) {
    const std::string left = joined(a.is_true, Binding::Atom);
    const std::string right = joined(b.is_true, Binding::Atom);
    if (left.empty() || right.empty()) return {};
    return compared(fmt::format("!{}", joined({a.is_true.text, Binding::Or}, Binding::Atom)),
                    fmt::format("!{}", joined({b.is_true.text, Binding::Or}, Binding::Atom)), "==", "!=");
  }

  static Texts both(const Texts& a, const Texts& b) {
    return condition(
        {fmt::format("{} && {}", joined(a.is_true, Binding::And), joined(b.is_true, Binding::And)), Binding::And},
        {fmt::format("{} || {}", joined(a.is_false, Binding::Comparison), joined(b.is_false, Binding::Comparison)),
         Binding::Or});
  }

  static Texts negated(const Texts& a) { return condition(a.is_false, a.is_true); }

  /// Of products of up to 32 bits, which long long holds.
  Texts overflow(Term t) const {
    const std::uint32_t width = store_.width(store_.child(t, 0));
    if (width > 32) return {};
    const Texts& a = child(t, 0);
    const Texts& b = child(t, 1);
    if (store_.op(t) == Op::UmulOverflow)
      return compared(fmt::format("(unsigned long long){} * {}", a.word, b.word), word_constant(64, mask_of(width)),
                      ">", "<=");
    const std::string product = fmt::format("(long long){} * {}", a.signed_number, b.signed_number);
    const auto largest = static_cast<std::int64_t>(mask_of(width - 1));
    return condition(
        {fmt::format("{0} > {1} || {0} < {2}", product, number_constant(largest), number_constant(-largest - 1)),
         Binding::Or},
        {fmt::format("{0} <= {1} && {0} >= {2}", product, number_constant(largest), number_constant(-largest - 1)),
         Binding::And});
  }

  Texts condition_of(Term t) const {
    switch (store_.op(t)) {
      case Op::Variable: {
        const std::optional<CVariable> variable = names_(t);
        if (!variable) return {};
        const std::string word = of_type(variable->name, variable->is_signed, variable->width).word;
        return word.empty() ? Texts{} : compared(fmt::format("({} & 1)", word), "0", "!=", "==");
      }
      case Op::Constant:
        return store_.is_true(t) ? condition({"1"}, {"0"}) : condition({"0"}, {"1"});
      case Op::Not:
        return negated(child(t, 0));
      case Op::And:
      case Op::Mul:
        return both(child(t, 0), child(t, 1));
      case Op::Xor:
      case Op::Add:
        return negated(same(child(t, 0), child(t, 1)));
      case Op::Eq:
        return equality(t);
      case Op::Ult:
        return less(t, &Texts::unsigned_number);
      case Op::Slt:
        return less(t, &Texts::signed_number);
      case Op::UmulOverflow:
      case Op::SmulOverflow:
        return overflow(t);
      case Op::Extract:
        return bit(t);
      case Op::Ite: {
        const Condition& when = child(t, 0).is_true;
        const Texts& a = child(t, 1);
        const Texts& b = child(t, 2);
        const auto choice = [&](const Condition& then_text, const Condition& else_text) {
          return Condition{fmt::format("({} ? {} : {})", joined(when, Binding::Comparison),
                                       joined(then_text, Binding::Comparison), joined(else_text, Binding::Comparison))};
        };
        return condition(choice(a.is_true, b.is_true), choice(a.is_false, b.is_false));
      }
      default:
        return {};
    }
  }

  const TermStore& store_;
  const CNames& names_;
  term::TermMap<Texts> texts_;
};

}  // namespace

std::optional<std::string> c_expression(const TermStore& store, Term condition, const CNames& names) {
  return Printer(store, names).print(condition);
}

}  // namespace plumb::check
