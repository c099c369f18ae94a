#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lang/smtlib/reader.h"

// The parts of Reader around its term machine: punctuation, names and sorts.
namespace plumb::smtlib {

using Kind = Token::Kind;

void Reader::expect_open(std::string_view before_what) {
  const Token token = lexer_.next();
  if (token.kind != Kind::Open) lexer_.fail_expected(fmt::format("'(' before {}", before_what), token);
}

void Reader::expect_close() {
  const Token token = lexer_.next();
  if (token.kind != Kind::Close) lexer_.fail_expected("')'", token);
}

Token Reader::expect_symbol(std::string_view what) {
  const Token token = lexer_.next();
  if (token.kind != Kind::Symbol) lexer_.fail_expected(what, token);
  switch (symbols_->find(token.text).kind) {
    case Binding::Kind::Let:
    case Binding::Kind::Annotation:
    case Binding::Kind::Underscore:
    case Binding::Kind::As:
    case Binding::Kind::Reserved:
      lexer_.fail(token.offset, fmt::format("'{}' is a reserved word", token.text));
    default:
      return token;
  }
}

std::uint32_t Reader::expect_numeral(std::string_view what) {
  const Token token = lexer_.next();
  if (token.kind != Kind::Numeral) lexer_.fail_expected(what, token);
  std::uint64_t value = 0;
  for (const char digit : token.text) {
    value = value * 10 + static_cast<std::uint64_t>(digit - '0');
    if (value > std::numeric_limits<std::uint32_t>::max())
      lexer_.fail(token.offset, fmt::format("{} is too large: {}", what, token.text.substr(0, 40)));
  }
  return static_cast<std::uint32_t>(value);
}

void Reader::skip_expression() {
  std::size_t depth = 0;
  do {
    const Token token = lexer_.next();
    if (token.kind == Kind::Open) ++depth;
    if (token.kind == Kind::End || (token.kind == Kind::Close && depth == 0))
      lexer_.fail_expected("an s-expression", token);
    if (token.kind == Kind::Close) --depth;
  } while (depth > 0);
}

void Reader::define(const Token& name, const Binding& binding) {
  if (!symbols_->define(name.text, binding, global_))
    lexer_.fail(name.offset, fmt::format("'{}' is already defined", name.text),
                "choose another name, or pop the scope that it is defined in");
}

void Reader::define_macro(const Token& name, std::vector<TypedTerm> parameters, TypedTerm body) {
  Binding binding;
  binding.kind = Binding::Kind::Macro;
  binding.number = static_cast<std::uint32_t>(macros_.size());
  define(name, binding);
  macros_.emplace_back(store_, std::move(parameters), body, scratch_);
}

std::vector<NamedTerm> Reader::take_named() { return std::exchange(named_, {}); }

Type Reader::sort(const std::vector<std::string_view>& parameters) {
  std::vector<SortFrame> frames;
  std::vector<Type> operands;
  do {
    const Token token = lexer_.next();
    if (token.kind == Kind::Close && !frames.empty()) {
      const Type result = finish_sort(frames.back(), operands);
      operands.resize(frames.back().operands);
      frames.pop_back();
      operands.push_back(result);
    } else if (token.kind == Kind::Open) {
      const Token head = lexer_.next();
      if (head.kind != Kind::Symbol) lexer_.fail_expected("a sort", head);
      const SortDefinition* definition = symbols_->find_sort(head.text);
      if (head.text == "_")
        operands.push_back(indexed_sort());
      else if (head.text == "Array" || definition != nullptr)
        frames.push_back({head.offset, definition, operands.size()});
      else
        operands.push_back(atomic_sort(head, {}));  // throws: no such sort, or one that is not supported
    } else {
      operands.push_back(atomic_sort(token, parameters));
    }
  } while (!frames.empty());
  return operands.back();
}

Type Reader::indexed_sort() {
  const Token name = lexer_.next();
  if (name.kind != Kind::Symbol) lexer_.fail_expected("a sort", name);
  if (name.text != "BitVec")
    lexer_.fail_unsupported(name.offset, fmt::format("sort (_ {} …)", name.text.substr(0, 80)));
  const std::uint32_t offset = lexer_.peek().offset;
  const std::uint32_t width = expect_numeral("a width");
  if (width == 0 || width > BitVector::kMaxWidth)
    lexer_.fail(offset, fmt::format("a bit-vector of {} bits; 1 to {} are supported", width, BitVector::kMaxWidth));
  expect_close();
  return Type::bits(width);
}

Type Reader::atomic_sort(const Token& token, const std::vector<std::string_view>& parameters) {
  static constexpr std::string_view kForeign[] = {"Int",     "Real",    "String",  "RegLan",   "RoundingMode",
                                                  "Float16", "Float32", "Float64", "Float128", "Seq",
                                                  "Set",     "Bag",     "Tuple"};
  if (token.kind != Kind::Symbol) lexer_.fail_expected("a sort", token);
  const auto parameter = std::ranges::find(parameters, token.text);
  if (parameter != parameters.end()) return Type::parameter(static_cast<std::uint32_t>(parameter - parameters.begin()));
  if (token.text == "Bool") return Type::boolean();
  if (std::ranges::find(kForeign, token.text) != std::end(kForeign))
    lexer_.fail_unsupported(token.offset, fmt::format("sort {}", token.text));
  const SortDefinition* definition = symbols_->find_sort(token.text);
  if (definition == nullptr) lexer_.fail(token.offset, fmt::format("unknown sort '{}'", token.text.substr(0, 80)));
  if (definition->parameters != 0)
    lexer_.fail(token.offset, fmt::format("sort '{}' needs {} operands", token.text, definition->parameters));
  return definition->body;
}

Type Reader::finish_sort(const SortFrame& frame, std::vector<Type>& operands) {
  const std::size_t count = operands.size() - frame.operands;
  const std::size_t needed = frame.definition == nullptr ? 2 : frame.definition->parameters;
  if (count != needed) lexer_.fail(frame.offset, fmt::format("this sort needs {} operands, has {}", needed, count));
  const auto make_array = [&](const Type& index, const Type& element) {
    if (index.is_array() || element.is_array()) lexer_.fail_unsupported(frame.offset, "array of arrays");
    return Type::array(index, element);
  };
  const auto argument = [&](const Type& type) {
    return type.kind == Type::Kind::Parameter ? operands[frame.operands + type.width] : type;
  };
  if (frame.definition == nullptr) return make_array(operands[frame.operands], operands[frame.operands + 1]);
  const Type& body = frame.definition->body;
  return body.is_array() ? make_array(argument(body.index_type()), argument(body.element_type())) : argument(body);
}

}  // namespace plumb::smtlib
