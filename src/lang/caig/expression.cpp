#include "lang/caig/expression.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

namespace plumb::caig {

namespace {

using Kind = Token::Kind;

constexpr int kTernary = 1;
constexpr int kUnary = 20;

/// 0 if the symbol is no binary operator.
int precedence_of(std::string_view text) {
  static const absl::flat_hash_map<std::string_view, int> table = {
      {"->", 2}, {"||", 3}, {"&&", 4},  {"|", 5},   {"^", 6},  {"&", 7},  {"==", 8}, {"!=", 8}, {"<", 9},  {"<=", 9},
      {">", 9},  {">=", 9}, {"<<", 10}, {">>", 10}, {"+", 11}, {"-", 11}, {"*", 12}, {"/", 12}, {"%", 12},
  };
  const auto it = table.find(text);
  return it == table.end() ? 0 : it->second;
}

std::optional<unsigned> argument_count(std::string_view function) {
  static const absl::flat_hash_map<std::string_view, unsigned> table = {
      {"ult", 2},    {"slt", 2},   {"udiv", 2},  {"urem", 2}, {"sdiv", 2}, {"srem", 2},  {"lshr", 2},  {"ashr", 2},
      {"concat", 2}, {"umulo", 2}, {"smulo", 2}, {"sext", 2}, {"zext", 2}, {"array", 2}, {"store", 3}, {"extract", 3},
  };
  const auto it = table.find(function);
  return it == table.end() ? std::nullopt : std::optional(it->second);
}

/// The index as wide as the array's, and whether it is within (null if it always is).
std::pair<Term, Term> fitted(TermStore& store, Term array, std::uint64_t elements, Term index) {
  const std::uint32_t width = store.sort(array).index_width;
  const std::uint32_t needed = std::max(width, store.width(index));
  const Term wide = store.zero_extend(index, needed);
  Term within;
  if (needed > width || elements < std::uint64_t{1} << width)
    within = store.ult(wide, store.constant(needed, elements));
  return {store.extract(wide, width - 1, 0), within};
}

}  // namespace

std::uint32_t index_width_for(std::uint64_t elements) {
  return elements <= 2 ? 1 : static_cast<std::uint32_t>(std::bit_width(elements - 1));
}

Term read_element(TermStore& store, Term array, std::uint64_t elements, Term index) {
  const auto [fits, within] = fitted(store, array, elements, index);
  const Term last = store.constant(store.width(fits), elements - 1);
  return store.select(array, within ? store.ite(within, fits, last) : fits);
}

Term write_element(TermStore& store, Term array, std::uint64_t elements, Term index, Term element) {
  const auto [fits, within] = fitted(store, array, elements, index);
  const Term written = store.store(array, fits, element);
  return within ? store.ite(within, written, array) : written;
}

Term ExpressionReader::read(std::size_t begin, std::size_t end, Sort sort) {
  Operand result = read_all(begin, end);
  if (!result.term) {
    if (sort.is_array()) tokens_.fail(begin, fmt::format("expected {}, found a number", describe(sort)));
    resolve(result, sort.width);
  }
  if (store_.sort(result.term) != sort)
    tokens_.fail(begin, fmt::format("expected {}, found {}", describe(sort), describe(store_.sort(result.term))));
  return result.term;
}

Term ExpressionReader::read_index(std::size_t begin, std::size_t end, std::uint64_t elements) {
  Operand result = read_all(begin, end);
  return index(result, elements);
}

Term ExpressionReader::index(Operand& operand, std::uint64_t elements) {
  if (operand.term) return bits(operand);
  // A number is as wide as it needs to be here, so a place that does not exist can be told at once.
  resolve(operand, 64);
  if (store_.value(operand.term).to_uint64() >= elements)
    tokens_.fail(operand.token, fmt::format("index {}{} is outside of the {} elements", operand.is_negative ? "-" : "",
                                            tokens_[operand.token].text, elements));
  return operand.term;
}

std::string ExpressionReader::describe(Sort sort) const {
  const std::string element = sort.width == 1 ? "bool" : fmt::format("int<{}>", sort.width);
  return sort.is_array() ? fmt::format("an array of {}", element) : element;
}

ExpressionReader::Operand ExpressionReader::read_all(std::size_t begin, std::size_t end) {
  operands_.clear();
  operators_.clear();
  expects_operand_ = true;
  for (std::size_t i = begin; i < end; ++i) {
    if (expects_operand_)
      read_operand(i, end);
    else
      read_operator(i);
  }
  if (expects_operand_) tokens_.fail_expected(end, "an expression");
  reduce(kTernary);
  if (!operators_.empty()) {
    const bool is_choice = operators_.back().kind == Operator::Kind::Question;
    tokens_.fail_expected(end, is_choice ? "':'" : operators_.back().kind == Operator::Kind::Index ? "']'" : "')'");
  }
  return pop();
}

void ExpressionReader::read_operand(std::size_t& i, std::size_t end) {
  const Token& token = tokens_[i];
  if (token.kind == Kind::Number) {
    operands_.push_back({{}, i, false, 0});
    expects_operand_ = false;
  } else if (token.kind == Kind::Sized) {
    read_sized(i);
  } else if (token.is("(")) {
    operators_.push_back({Operator::Kind::Paren, token.text, 0, i, operands_.size()});
  } else if (token.is("!") || token.is("~") || token.is("-")) {
    operators_.push_back({Operator::Kind::Unary, token.text, kUnary, i, operands_.size()});
  } else if (token.kind == Kind::Identifier) {
    const bool is_call = i + 1 < end && tokens_[i + 1].is("(") && !names_.contains(token.text);
    if (!is_call) {
      read_name(i);
      return;
    }
    if (!argument_count(token.text)) tokens_.fail(i, fmt::format("there is no function '{}'", token.text));
    operators_.push_back({Operator::Kind::Call, token.text, 0, i, operands_.size()});
    ++i;
  } else {
    tokens_.fail_expected(i, "an expression");
  }
}

void ExpressionReader::read_name(std::size_t i) {
  const std::string_view name = tokens_[i].text;
  expects_operand_ = false;
  const auto it = names_.find(name);
  if (it != names_.end()) {
    const Symbol& symbol = symbols_[it->second];
    operands_.push_back({symbol.term, i, false, symbol.elements});
  } else if (tokens_[i].is("true") || tokens_[i].is("false")) {
    operands_.push_back({store_.boolean(name == "true"), i, false, 0});
  } else {
    tokens_.fail(i, fmt::format("'{}' is not declared", name));
  }
}

void ExpressionReader::read_sized(std::size_t i) {
  const std::string_view text = tokens_[i].text;
  const std::size_t quote = text.find('\'');
  std::uint64_t width = 0;
  for (const char c : text.substr(0, quote)) {
    if (c < '0' || c > '9') tokens_.fail(i, fmt::format("'{}' is no width", text.substr(0, quote)));
    width = std::min<std::uint64_t>(width * 10 + static_cast<std::uint64_t>(c - '0'), BitVector::kMaxWidth + 1);
  }
  if (width == 0 || width > BitVector::kMaxWidth)
    tokens_.fail(i, fmt::format("expected a width from 1 to {}", BitVector::kMaxWidth));
  const char base = quote + 1 < text.size() ? text[quote + 1] : '\0';
  const unsigned radix = base == 'd' ? 10 : base == 'h' ? 16 : base == 'b' ? 2 : 0;
  const auto value = radix == 0 ? std::nullopt
                                : BitVector::parse(static_cast<std::uint32_t>(width),
                                                   text.substr(std::min(quote + 2, text.size())), radix);
  if (!value)
    tokens_.fail(i, fmt::format("'{}' is no number of {} bits", text, width), "write 8'd10, 8'h0a or 8'b1010");
  operands_.push_back({store_.constant(*value), i, false, 0});
  expects_operand_ = false;
}

void ExpressionReader::read_operator(std::size_t i) {
  const Token& token = tokens_[i];
  if (token.is(")") || token.is("]")) {
    close(i);
    return;
  }
  if (token.is("[")) {
    operators_.push_back({Operator::Kind::Index, token.text, 0, i, operands_.size()});
    expects_operand_ = true;
    return;
  }
  if (token.is(",")) {
    comma(i);
    return;
  }
  if (token.is("?")) {
    reduce(kTernary + 1);
    operators_.push_back({Operator::Kind::Question, token.text, 0, i, operands_.size()});
  } else if (token.is(":")) {
    reduce(kTernary);
    if (operators_.empty() || operators_.back().kind != Operator::Kind::Question)
      tokens_.fail(i, "':' without '?' before it");
    operators_.back().kind = Operator::Kind::Colon;
    operators_.back().precedence = kTernary;
  } else {
    const int precedence = token.kind == Kind::Symbol ? precedence_of(token.text) : 0;
    if (precedence == 0) tokens_.fail_expected(i, "an operator");
    // An implication binds to the right, all others to the left.
    reduce(token.is("->") ? precedence + 1 : precedence);
    operators_.push_back({Operator::Kind::Binary, token.text, precedence, i, operands_.size()});
  }
  expects_operand_ = true;
}

void ExpressionReader::comma(std::size_t i) {
  reduce(kTernary);
  if (operators_.empty() || operators_.back().kind != Operator::Kind::Call) tokens_.fail_expected(i, "an operator");
  expects_operand_ = true;
}

void ExpressionReader::close(std::size_t i) {
  reduce(kTernary);
  const bool is_index = tokens_[i].is("]");
  if (operators_.empty()) tokens_.fail(i, fmt::format("'{}' closes nothing", tokens_[i].text));
  const Operator open = operators_.back();
  if (open.kind == Operator::Kind::Question) tokens_.fail_expected(i, "':'");
  if ((open.kind == Operator::Kind::Index) != is_index) tokens_.fail_expected(i, is_index ? "')'" : "']'");
  operators_.pop_back();
  if (open.kind == Operator::Kind::Call) {
    apply_call(open);
  } else if (is_index) {
    Operand position = pop();
    Operand array = pop();
    if (!array.term || !store_.is_array(array.term)) tokens_.fail(array.token, "expected an array before '['");
    operands_.push_back(
        {read_element(store_, array.term, array.elements, index(position, array.elements)), array.token, false, 0});
  }
}

void ExpressionReader::reduce(int precedence) {
  while (!operators_.empty() && operators_.back().precedence >= precedence) {
    const Operator op = operators_.back();
    operators_.pop_back();
    apply(op);
  }
}

void ExpressionReader::apply(const Operator& op) {
  if (op.kind == Operator::Kind::Unary)
    apply_unary(op);
  else if (op.kind == Operator::Kind::Binary)
    apply_binary(op);
  else
    apply_choice(op);
}

ExpressionReader::Operand ExpressionReader::pop() {
  const Operand result = operands_.back();
  operands_.pop_back();
  return result;
}

void ExpressionReader::apply_unary(const Operator& op) {
  Operand a = pop();
  if (op.text == "-" && !a.term) {
    a.is_negative = !a.is_negative;
    operands_.push_back(a);
    return;
  }
  Term result;
  if (op.text == "!")
    result = store_.bit_not(boolean(a));
  else
    result = op.text == "~" ? store_.bit_not(bits(a)) : store_.neg(bits(a));
  operands_.push_back({result, op.token, false, 0});
}

void ExpressionReader::apply_binary(const Operator& op) {
  Operand b = pop();
  Operand a = pop();
  Term result;
  if (op.text == "&&" || op.text == "||" || op.text == "->") {
    const Term x = boolean(a);
    const Term y = boolean(b);
    result = op.text == "&&" ? store_.bit_and(x, y) : op.text == "||" ? store_.bit_or(x, y) : store_.implies(x, y);
  } else {
    unify(a, b, op.token);
    const bool is_equality = op.text == "==" || op.text == "!=";
    if (!is_equality && store_.is_array(a.term)) tokens_.fail(a.token, fmt::format("'{}' takes no arrays", op.text));
    result = binary(op.text, a.term, b.term);
  }
  operands_.push_back({result, a.token, false, 0});
}

Term ExpressionReader::binary(std::string_view text, Term a, Term b) {
  const bool is_signed = options_.is_signed;
  const auto less = [&](Term x, Term y) { return is_signed ? store_.slt(x, y) : store_.ult(x, y); };
  if (text == "==") return store_.eq(a, b);
  if (text == "!=") return store_.distinct(a, b);
  if (text == "<") return less(a, b);
  if (text == ">") return less(b, a);
  if (text == "<=") return store_.bit_not(less(b, a));
  if (text == ">=") return store_.bit_not(less(a, b));
  if (text == "|") return store_.bit_or(a, b);
  if (text == "^") return store_.bit_xor(a, b);
  if (text == "&") return store_.bit_and(a, b);
  if (text == "<<") return store_.shl(a, b);
  if (text == ">>") return is_signed ? store_.ashr(a, b) : store_.lshr(a, b);
  if (text == "+") return store_.add(a, b);
  if (text == "-") return store_.sub(a, b);
  if (text == "*") return store_.mul(a, b);
  if (text == "/") return is_signed ? store_.sdiv(a, b) : store_.udiv(a, b);
  INVARIANT(text == "%", "a binary operator should be in the table");
  return is_signed ? store_.srem(a, b) : store_.urem(a, b);
}

void ExpressionReader::apply_choice(const Operator& op) {
  Operand else_operand = pop();
  Operand then_operand = pop();
  Operand condition = pop();
  const Term c = boolean(condition);
  unify(then_operand, else_operand, op.token);
  if (then_operand.elements != else_operand.elements)
    tokens_.fail(else_operand.token, "a choice needs arrays with the same number of elements");
  operands_.push_back(
      {store_.ite(c, then_operand.term, else_operand.term), condition.token, false, then_operand.elements});
}

void ExpressionReader::apply_call(const Operator& op) {
  const unsigned expected = *argument_count(op.text);
  const std::size_t count = operands_.size() - op.operands;
  if (count != expected)
    tokens_.fail(op.token, fmt::format("'{}' takes {} arguments, found {}", op.text, expected, count));
  Arguments a;
  for (unsigned i = expected; i-- > 0;) a[i] = pop();
  Operand result{{}, op.token, false, 0};
  if (op.text == "extract" || op.text == "zext" || op.text == "sext") {
    result.term = resized(op.text, a);
  } else if (op.text == "concat") {
    const Term high = bits(a[0]);
    const Term low = bits(a[1]);
    if (store_.width(high) + store_.width(low) > BitVector::kMaxWidth)
      tokens_.fail(op.token, fmt::format("more than {} bits", BitVector::kMaxWidth));
    result.term = store_.concat(high, low);
  } else if (op.text == "array") {
    result.elements = plain_number(a[0]);
    if (result.elements == 0 || result.elements > kMaxElements)
      tokens_.fail(a[0].token, fmt::format("expected from 1 to {} elements", kMaxElements));
    result.term = store_.constant_array(index_width_for(result.elements), bits(a[1]));
  } else if (op.text == "store") {
    result.elements = a[0].elements;
    result.term = stored(a);
  } else {
    static const absl::flat_hash_map<std::string_view, Term (TermStore::*)(Term, Term)> makers = {
        {"ult", &TermStore::ult},
        {"slt", &TermStore::slt},
        {"udiv", &TermStore::udiv},
        {"urem", &TermStore::urem},
        {"sdiv", &TermStore::sdiv},
        {"srem", &TermStore::srem},
        {"lshr", &TermStore::lshr},
        {"ashr", &TermStore::ashr},
        {"umulo", &TermStore::umul_overflow},
        {"smulo", &TermStore::smul_overflow},
    };
    unify(a[0], a[1], op.token);
    result.term = (store_.*makers.at(op.text))(bits(a[0]), bits(a[1]));
  }
  operands_.push_back(result);
}

Term ExpressionReader::resized(std::string_view function, Arguments& a) {
  const Term x = bits(a[0]);
  const std::uint64_t first = plain_number(a[1]);
  if (function == "extract") {
    const std::uint64_t low = plain_number(a[2]);
    if (first >= store_.width(x) || low > first)
      tokens_.fail(a[1].token, fmt::format("bits {} to {} are not within {} bits", first, low, store_.width(x)));
    return store_.extract(x, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(low));
  }
  if (first < store_.width(x) || first > BitVector::kMaxWidth)
    tokens_.fail(a[1].token, fmt::format("expected a width from {} to {}", store_.width(x), BitVector::kMaxWidth));
  const auto width = static_cast<std::uint32_t>(first);
  return function == "zext" ? store_.zero_extend(x, width) : store_.sign_extend(x, width);
}

Term ExpressionReader::stored(Arguments& a) {
  if (!a[0].term || !store_.is_array(a[0].term)) tokens_.fail(a[0].token, "expected an array");
  const Sort element{store_.width(a[0].term), 0};
  const Term position = index(a[1], a[0].elements);
  if (!a[2].term) resolve(a[2], element.width);
  if (store_.sort(a[2].term) != element)
    tokens_.fail(a[2].token, fmt::format("expected {}, found {}", describe(element), describe(store_.sort(a[2].term))));
  return write_element(store_, a[0].term, a[0].elements, position, a[2].term);
}

void ExpressionReader::unify(Operand& a, Operand& b, std::size_t token) {
  if (!a.term && !b.term) resolve(a, options_.int_width);
  Operand& number = a.term ? b : a;
  const Operand& other = a.term ? a : b;
  if (!number.term && !store_.is_array(other.term)) resolve(number, store_.width(other.term));
  if (!number.term) tokens_.fail(number.token, "an array and a number do not go together");
  if (store_.sort(a.term) != store_.sort(b.term))
    tokens_.fail(token, fmt::format("'{}' has {} on its left and {} on its right", tokens_[token].text,
                                    describe(store_.sort(a.term)), describe(store_.sort(b.term))));
}

void ExpressionReader::resolve(Operand& operand, std::uint32_t width) {
  std::string_view digits = tokens_[operand.token].text;
  unsigned base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  const auto value = BitVector::parse(width, digits, base);
  const bool fits = value && (!operand.is_negative || value->is_zero() || (-*value).sign());
  if (!fits)
    tokens_.fail(operand.token, fmt::format("'{}{}' is no number of {} bits", operand.is_negative ? "-" : "",
                                            tokens_[operand.token].text, width));
  operand.term = store_.constant(operand.is_negative ? -*value : *value);
}

Term ExpressionReader::bits(Operand& operand) {
  if (!operand.term) resolve(operand, options_.int_width);
  if (store_.is_array(operand.term)) tokens_.fail(operand.token, "an array is used as a scalar");
  return operand.term;
}

Term ExpressionReader::boolean(Operand& operand) {
  if (!operand.term) resolve(operand, 1);
  if (store_.sort(operand.term) != Sort{1, 0})
    tokens_.fail(operand.token, fmt::format("expected bool, found {}", describe(store_.sort(operand.term))));
  return operand.term;
}

std::uint64_t ExpressionReader::plain_number(const Operand& operand) {
  const auto value =
      operand.term || operand.is_negative ? std::nullopt : BitVector::parse(64, tokens_[operand.token].text, 10);
  if (!value) tokens_.fail(operand.token, "expected a number");
  return value->to_uint64();
}

}  // namespace plumb::caig
