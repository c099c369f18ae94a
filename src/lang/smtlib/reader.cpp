// A stack machine for terms. A frame is what an open parenthesis started: an application, a let, an annotation; its
// operands wait on one common stack of values. A closing parenthesis replaces the operands of the innermost frame by
// its value. The time is linear in the text but for let, which costs two hash operations a binding, and macros, which
// cost what they make.
#include "lang/smtlib/reader.h"

#include <absl/container/flat_hash_set.h>
#include <fmt/format.h>

namespace plumb::smtlib {

using Kind = Token::Kind;

Reader::Reader(term::TermStore& store, std::string_view text, const std::string& file, const Budget& budget)
    : store_(store), lexer_(text, file), budget_(budget), applier_(store, lexer_, budget) {
  reset_symbols();
}

void Reader::reset_symbols() {
  symbols_.emplace();
  macros_.clear();
  Binding binding;
  binding.kind = Binding::Kind::Value;
  for (const bool value : {false, true}) {
    binding.value = {store_.boolean(value), Type::boolean()};
    symbols_->define(value ? "true" : "false", binding, true);
  }
}

TypedTerm Reader::term() {
  const std::size_t base = operands_.size();
  do {
    step();
  } while (!frames_.empty());
  INVARIANT(operands_.size() == base + 1, "a term should leave one value");
  const TypedTerm result = operands_.back();
  operands_.pop_back();
  return result;
}

TypedTerm Reader::boolean_term(std::string_view what) {
  const std::uint32_t offset = lexer_.peek().offset;
  const TypedTerm result = term();
  if (!result.type.is_bool()) lexer_.fail(offset, fmt::format("{}: needs Bool, has {}", what, result.type.to_string()));
  return result;
}

void Reader::recover() {
  std::size_t bound = 0;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (frames_[i].kind != Frame::Kind::LetBody) continue;
    const std::size_t end = i + 1 < frames_.size() ? frames_[i + 1].let_names : let_names_.size();
    bound += end - frames_[i].let_names;
  }
  symbols_->unshadow(bound);
  frames_.clear();
  operands_.clear();
  let_names_.clear();
  named_.clear();
  inside_macro_ = false;
}

void Reader::step() {
  constexpr std::uint32_t kStepsBetweenChecks = 4096;
  if (++steps_ % kStepsBetweenChecks == 0) budget_.check();
  const Token token = lexer_.next();
  switch (token.kind) {
    case Kind::Open:
      open(token);
      break;
    case Kind::Close:
      if (frames_.empty() || (frames_.back().kind != Frame::Kind::Apply && frames_.back().kind != Frame::Kind::Macro))
        lexer_.fail_expected("a term", token);
      finish_application();
      break;
    default:
      atom(token);
  }
}

void Reader::atom(const Token& token) {
  switch (token.kind) {
    case Kind::Symbol:
      symbol(token);
      break;
    case Kind::Hexadecimal:
      constant(token, 16);
      break;
    case Kind::Binary:
      constant(token, 2);
      break;
    case Kind::Numeral:
      lexer_.fail_unsupported(token.offset, fmt::format("integer constant {}", token.text.substr(0, 40)));
    case Kind::Decimal:
      lexer_.fail_unsupported(token.offset, "real constant");
    case Kind::String:
      lexer_.fail_unsupported(token.offset, "string constant");
    default:
      lexer_.fail_expected("a term", token);
  }
}

void Reader::symbol(const Token& token) {
  const Binding binding = symbols_->find(token.text);
  if (binding.kind == Binding::Kind::Value) return push_value(binding.value);
  if (binding.kind == Binding::Kind::Macro || binding.kind == Binding::Kind::Operator)
    lexer_.fail(token.offset, fmt::format("'{}' needs operands: ({} …)", token.text, token.text));
  fail_unknown(token, binding);
}

void Reader::fail_unknown(const Token& token, const Binding& binding) {
  if (binding.kind == Binding::Kind::Foreign)
    lexer_.fail_unsupported(token.offset, fmt::format("operator '{}'", token.text));
  if (binding.kind == Binding::Kind::Quantifier) lexer_.fail_unsupported(token.offset, fmt::format("'{}'", token.text));
  if (binding.kind != Binding::Kind::None)
    lexer_.fail(token.offset, fmt::format("'{}' is a reserved word", token.text));
  lexer_.fail(token.offset, fmt::format("unknown symbol '{}'", token.text.substr(0, 80)),
              "declare it with declare-const or declare-fun");
}

void Reader::constant(const Token& token, unsigned base) {
  const std::uint64_t width = std::uint64_t{token.text.size()} * (base == 16 ? 4 : 1);
  if (width > BitVector::kMaxWidth)
    lexer_.fail(token.offset,
                fmt::format("a constant of {} bits, more than the {} that are supported", width, BitVector::kMaxWidth));
  const auto narrow = static_cast<std::uint32_t>(width);
  push_value({store_.constant(*BitVector::parse(narrow, token.text, base)), Type::bits(narrow)});
}

void Reader::open(const Token& parenthesis) {
  const Token token = lexer_.next();
  if (token.kind == Kind::Symbol) return open_symbol(token);
  if (token.kind == Kind::Open) return open_compound();
  if (token.kind == Kind::Close) lexer_.fail(parenthesis.offset, "() is not a term");
  lexer_.fail_expected("an operator", token);
}

void Reader::open_symbol(const Token& token) {
  const Binding binding = symbols_->find(token.text);
  Frame frame;
  frame.operands = operands_.size();
  frame.let_names = let_names_.size();
  frame.head.offset = token.offset;
  switch (binding.kind) {
    case Binding::Kind::Operator:
      frame.head.op = &operators()[binding.number];
      if (frame.head.op->indices != 0)
        lexer_.fail(token.offset, fmt::format("'{0}' needs {1}: ((_ {0} …) …)", token.text,
                                              frame.head.op->indices == 1 ? "an index" : "two indices"));
      frames_.push_back(frame);
      return;
    case Binding::Kind::Macro:
      frame.kind = Frame::Kind::Macro;
      frame.macro = binding.number;
      frames_.push_back(frame);
      return;
    case Binding::Kind::Let:
      return open_let(token);
    case Binding::Kind::Annotation:
      frame.kind = Frame::Kind::Annotation;
      frames_.push_back(frame);
      return;
    case Binding::Kind::Underscore:
      return push_value(indexed_constant());
    case Binding::Kind::As:
      return push_value(qualified_symbol());
    case Binding::Kind::Value:
      lexer_.fail(token.offset,
                  fmt::format("'{}' has sort {} and takes no operands", token.text, binding.value.type.to_string()));
    default:
      fail_unknown(token, binding);
  }
}

TypedTerm Reader::qualified_symbol() {
  const Token name = expect_symbol("a symbol");
  const Binding binding = symbols_->find(name.text);
  if (binding.kind != Binding::Kind::Value) fail_unknown(name, binding);
  if (sort() != binding.value.type)
    lexer_.fail(name.offset, fmt::format("'{}' has sort {}", name.text, binding.value.type.to_string()));
  expect_close();
  return binding.value;
}

void Reader::open_compound() {
  const Token token = lexer_.next();
  const Binding binding = token.kind == Kind::Symbol ? symbols_->find(token.text) : Binding{};
  Frame frame;
  frame.operands = operands_.size();
  frame.let_names = let_names_.size();
  if (binding.kind == Binding::Kind::Underscore)
    frame.head = indexed_operator(token.offset);
  else if (binding.kind == Binding::Kind::As)
    frame.head = constant_array_operator(token.offset);
  else
    lexer_.fail_expected("'_' or 'as' after '(('", token);
  frames_.push_back(frame);
}

void Reader::open_let(const Token& token) {
  Frame frame;
  frame.kind = Frame::Kind::LetBindings;
  frame.operands = operands_.size();
  frame.let_names = let_names_.size();
  frame.head.offset = token.offset;
  frames_.push_back(frame);
  expect_open("the bindings of let");
  next_let_binding(frames_.back());
}

void Reader::push_value(const TypedTerm& value) {
  operands_.push_back(value);
  value_done();
}

void Reader::value_done() {
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    switch (frame.kind) {
      case Frame::Kind::Apply:
      case Frame::Kind::Macro:
        return;
      case Frame::Kind::LetBindings:
        expect_close();
        next_let_binding(frame);
        return;
      case Frame::Kind::LetBody:
        expect_close();
        symbols_->unshadow(let_names_.size() - frame.let_names);
        let_names_.resize(frame.let_names);
        frames_.pop_back();
        break;
      case Frame::Kind::Annotation:
        finish_annotation(frame);
        frames_.pop_back();
        break;
    }
  }
}

void Reader::next_let_binding(Frame& frame) {
  const Token token = lexer_.next();
  if (token.kind == Kind::Open) {
    let_names_.push_back(expect_symbol("the name of a let binding"));
    return;
  }
  if (token.kind != Kind::Close) lexer_.fail_expected("'(' or ')'", token);
  // Bindings are parallel: no value sees a name of its own let.
  const std::size_t count = let_names_.size() - frame.let_names;
  if (count == 0) lexer_.fail(token.offset, "let: needs a binding");
  absl::flat_hash_set<std::string_view> names;
  for (std::size_t i = 0; i < count; ++i) {
    const Token& name = let_names_[frame.let_names + i];
    if (count > 1 && !names.insert(name.text).second)
      lexer_.fail(name.offset, fmt::format("let: '{}' is bound twice", name.text));
    Binding binding;
    binding.kind = Binding::Kind::Value;
    binding.value = operands_[frame.operands + i];
    symbols_->shadow(name.text, binding);
  }
  operands_.resize(frame.operands);
  frame.kind = Frame::Kind::LetBody;
}

void Reader::finish_application() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  const std::span<const TypedTerm> operands = std::span<const TypedTerm>(operands_).subspan(frame.operands);
  TypedTerm result;
  if (frame.kind == Frame::Kind::Apply) {
    result = applier_.apply(frame.head, operands);
  } else {
    const Macro& macro = macros_[frame.macro];
    const std::span<const TypedTerm> parameters = macro.parameters();
    if (operands.size() != parameters.size())
      lexer_.fail(frame.head.offset, fmt::format("needs {} operands, has {}", parameters.size(), operands.size()));
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (operands[i].type != parameters[i].type)
        lexer_.fail(frame.head.offset, fmt::format("operand {} has sort {}, not {}", i + 1,
                                                   operands[i].type.to_string(), parameters[i].type.to_string()));
    result = {macro.instantiate(store_, operands, budget_), macro.type()};
  }
  operands_.resize(frame.operands);
  push_value(result);
}

void Reader::finish_annotation(Frame& frame) {
  const TypedTerm value = operands_.back();
  INVARIANT(operands_.size() == frame.operands + 1, "an annotation should hold one term");
  Token token = lexer_.next();
  if (token.kind != Kind::Keyword) lexer_.fail_expected("an attribute such as :named", token);
  while (token.kind == Kind::Keyword) {
    if (token.text == ":named") {
      name_term(expect_symbol("a name after :named"), value);
    } else if (const Kind next = lexer_.peek().kind; next != Kind::Keyword && next != Kind::Close) {
      skip_expression();
    }
    token = lexer_.next();
  }
  if (token.kind != Kind::Close) lexer_.fail_expected("an attribute or ')'", token);
}

void Reader::name_term(const Token& name, const TypedTerm& value) {
  if (inside_macro_) lexer_.fail(name.offset, "a term inside a function with parameters cannot be named");
  Binding binding;
  binding.kind = Binding::Kind::Value;
  binding.value = value;
  define(name, binding);
  named_.push_back({name.text, value});
}

TypedTerm Reader::indexed_constant() {
  const Token name = expect_symbol("bvN after '_'");
  const std::string_view digits = name.text.starts_with("bv") ? name.text.substr(2) : std::string_view{};
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
    const Binding binding = symbols_->find(name.text);
    if (binding.kind == Binding::Kind::Operator)
      lexer_.fail(name.offset, fmt::format("'{}' needs operands", name.text));
    lexer_.fail_unsupported(name.offset, fmt::format("(_ {} …)", name.text.substr(0, 80)));
  }
  const std::uint32_t offset = lexer_.peek().offset;
  const std::uint32_t width = expect_numeral("a width");
  if (width == 0 || width > BitVector::kMaxWidth)
    lexer_.fail(offset, fmt::format("a bit-vector of {} bits; 1 to {} are supported", width, BitVector::kMaxWidth));
  const std::string_view significant = digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1));
  // A digit is worth more than three bits, so longer numbers need not be converted to see that they do not fit.
  const std::optional<BitVector> value =
      significant.size() > width / 3 + 1 ? std::nullopt : BitVector::parse(width, significant, 10);
  if (!value) lexer_.fail(name.offset, fmt::format("'{}' does not fit in {} bits", name.text.substr(0, 40), width));
  expect_close();
  return {store_.constant(*value), Type::bits(width)};
}

Head Reader::indexed_operator(std::uint32_t offset) {
  const Token name = expect_symbol("an operator after '_'");
  const Binding binding = symbols_->find(name.text);
  if (binding.kind != Binding::Kind::Operator) {
    if (binding.kind == Binding::Kind::None || binding.kind == Binding::Kind::Foreign)
      lexer_.fail_unsupported(name.offset, fmt::format("(_ {} …)", name.text.substr(0, 80)));
    lexer_.fail(name.offset, fmt::format("'{}' takes no indices", name.text));
  }
  Head head;
  head.op = &operators()[binding.number];
  head.offset = offset;
  if (head.op->indices == 0) lexer_.fail(name.offset, fmt::format("'{}' takes no indices", name.text));
  for (unsigned i = 0; i < head.op->indices; ++i) head.indices[i] = expect_numeral("an index");
  expect_close();
  return head;
}

Head Reader::constant_array_operator(std::uint32_t offset) {
  static constexpr Operator kConstantArray{"const", Shape::ConstantArray};
  const Token name = lexer_.next();
  if (name.kind != Kind::Symbol || name.text != "const") lexer_.fail_expected("'const' after '((as'", name);
  const std::uint32_t sort_offset = lexer_.peek().offset;
  Head head{&kConstantArray, offset, {0, 0}, sort()};
  if (!head.type.is_array())
    lexer_.fail(sort_offset, fmt::format("const: {} is not an array sort", head.type.to_string()));
  expect_close();
  return head;
}

}  // namespace plumb::smtlib
