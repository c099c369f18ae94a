// How many characters a conversion makes is a sum of comparisons: a number has a digit more from each power of its base
// on. So a formula has no loop of divisions where the model has one.

#include "semantics/output.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace plumb::semantics {

using program::Function;
using program::GlobalObject;
using program::Instruction;
using program::Program;
using program::Value;
using program::ValueId;
using program::ValueKind;
using term::Term;
using term::TermStore;

namespace {

constexpr std::uint32_t kInt = 32;
/// Of widths and precisions that are followed.
constexpr std::uint64_t kMostField = 1U << 16;

/// A conversion without `*`, `#`, `'` and numbered arguments.
struct Conversion {
  bool has_sign = false;  ///< `+` or a blank
  std::uint64_t width = 0;
  std::optional<std::uint64_t> precision;
  std::string length;
  char kind = 0;
};

std::optional<std::uint64_t> number_at(std::string_view text, std::size_t& at) {
  std::uint64_t number = 0;
  for (; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0; ++at) {
    number = 10 * number + static_cast<std::uint64_t>(text[at] - '0');
    if (number > kMostField) return std::nullopt;
  }
  return number;
}

/// What follows a percent sign at `at`, which is moved behind it.
std::optional<Conversion> parse(std::string_view format, std::size_t& at) {
  Conversion made;
  for (; at < format.size() && std::string_view("-0+ ").find(format[at]) != std::string_view::npos; ++at)
    made.has_sign = made.has_sign || format[at] == '+' || format[at] == ' ';
  const std::optional<std::uint64_t> width = number_at(format, at);
  if (!width) return std::nullopt;
  made.width = *width;
  if (at < format.size() && format[at] == '.') {
    made.precision = number_at(format, ++at);
    if (!made.precision) return std::nullopt;
  }
  while (at < format.size() && std::string_view("hljzt").find(format[at]) != std::string_view::npos)
    made.length += format[at++];
  if (at == format.size()) return std::nullopt;
  made.kind = format[at++];
  return made;
}

class Counter {
 public:
  Counter(TermStore& store, const Program& program, const Function& caller, std::span<const ValueId> values,
          std::span<const Term> arguments)
      : store_(store), program_(program), caller_(caller), values_(values), arguments_(arguments) {}

  /// The characters that the format makes of the arguments from `next` on.
  std::optional<Term> count(std::string_view format, std::size_t next) {
    Term sum = number(0);
    std::uint64_t plain = 0;
    for (std::size_t at = 0; at < format.size();) {
      if (format[at++] != '%') {
        ++plain;
        continue;
      }
      const std::optional<Conversion> conversion = parse(format, at);
      if (!conversion) return std::nullopt;
      if (conversion->kind == '%' && at >= 2 && format[at - 2] == '%') {
        ++plain;
        continue;
      }
      if (next >= arguments_.size()) return std::nullopt;
      const std::optional<Term> made = converted(*conversion, next++);
      if (!made) return std::nullopt;
      sum = store_.add(sum, larger(*made, number(conversion->width)));
    }
    return store_.add(sum, number(plain));
  }

 private:
  Term number(std::uint64_t value) { return store_.constant(kInt, value); }
  Term larger(Term a, Term b) { return store_.ite(store_.ult(a, b), b, a); }

  std::optional<Term> converted(const Conversion& c, std::size_t argument) {
    switch (c.kind) {
      case 'd':
      case 'i':
        return integer(c, argument, 10, true);
      case 'u':
        return integer(c, argument, 10, false);
      case 'x':
      case 'X':
        return integer(c, argument, 16, false);
      case 'o':
        return integer(c, argument, 8, false);
      case 'c':
        return c.length.empty() && store_.width(arguments_[argument]) == kInt ? std::optional(number(1)) : std::nullopt;
      case 's':
        return text(c, argument);
      default:
        return std::nullopt;
    }
  }

  /// Of the argument, and of what is converted of it; 0 if it is none that is known.
  std::pair<std::uint32_t, std::uint32_t> widths(std::string_view length) const {
    const std::uint32_t word = program_.layout.pointer_width;
    if (length.empty()) return {kInt, kInt};
    if (length == "hh") return {kInt, 8};
    if (length == "h") return {kInt, 16};
    if (length == "l" || length == "z" || length == "t") return {word, word};
    if (length == "ll" || length == "j") return {64, 64};
    return {0, 0};
  }

  std::optional<Term> integer(const Conversion& c, std::size_t argument, std::uint64_t base, bool is_signed) {
    const auto [given, width] = widths(c.length);
    if (given == 0 || store_.width(arguments_[argument]) != given) return std::nullopt;
    const Term value = store_.extract(arguments_[argument], width - 1, 0);
    const Term zero = store_.zero(width);
    const Term is_negative = is_signed ? store_.slt(value, zero) : store_.boolean(false);
    const Term size = store_.ite(is_negative, store_.neg(value), value);
    Term digits = larger(digits_of(size, base), number(c.precision.value_or(1)));
    if (c.precision == 0) digits = store_.ite(store_.eq(value, zero), number(0), digits);
    const bool has_plus = is_signed && c.has_sign;
    const Term sign = has_plus ? number(1) : store_.zero_extend(is_negative, kInt);
    return store_.add(digits, sign);
  }

  Term digits_of(Term value, std::uint64_t base) {
    const std::uint32_t width = store_.width(value);
    const std::uint64_t most = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    Term digits = number(1);
    std::uint64_t count = 1;
    for (std::uint64_t power = base;; power *= base) {
      if (power > most) break;
      const Term has_more = store_.bit_not(store_.ult(value, store_.constant(width, power)));
      digits = store_.ite(has_more, number(++count), digits);
      if (power > most / base) break;
    }
    return digits;
  }

  std::optional<Term> text(const Conversion& c, std::size_t argument) {
    const Value& value = caller_.values[values_[argument]];
    if (!c.length.empty() || value.kind != ValueKind::GlobalAddress) return std::nullopt;
    const std::optional<std::string> known = program_.constant_text(value.index, value.offset);
    if (!known) return std::nullopt;
    return number(std::min<std::uint64_t>(known->size(), c.precision.value_or(known->size())));
  }

  TermStore& store_;
  const Program& program_;
  const Function& caller_;
  std::span<const ValueId> values_;
  std::span<const Term> arguments_;
};

bool is_stream(std::span<const Term> arguments, std::size_t position, std::span<const Term> streams) {
  return position < arguments.size() && std::ranges::find(streams, arguments[position]) != streams.end();
}

}  // namespace

bool is_result_used(const Function& caller, const Instruction& call) {
  for (std::uint32_t i = 0; i < call.result_count; ++i)
    if (std::ranges::find(caller.operands, call.first_result + i) != caller.operands.end()) return true;
  return false;
}

std::vector<program::GlobalId> standard_streams(const Program& program) {
  std::vector<program::GlobalId> found;
  for (program::GlobalId g = 0; g < program.globals.size(); ++g) {
    const GlobalObject& global = program.globals[g];
    if (global.is_model && (global.name.starts_with("standard_output") || global.name.starts_with("standard_error")))
      found.push_back(g);
  }
  return found;
}

std::optional<Term> output_result(TermStore& store, const Program& program, const Function& caller,
                                  const Instruction& call, std::span<const Term> arguments,
                                  std::span<const Term> streams) {
  if (call.kind != program::Kind::Call || call.result_count != 1) return std::nullopt;
  if (caller.values[call.first_result].width != kInt && program.functions[call.parameter].name != "fwrite")
    return std::nullopt;
  const std::string_view name = program.functions[call.parameter].name;
  const std::span<const ValueId> values = caller.operands_of(call);
  const auto text = [&](std::size_t position) -> std::optional<std::string> {
    if (position >= values.size() || caller.values[values[position]].kind != ValueKind::GlobalAddress)
      return std::nullopt;
    const Value& value = caller.values[values[position]];
    return program.constant_text(value.index, value.offset);
  };
  const auto is_output = [&](std::size_t position) { return is_stream(arguments, position, streams); };
  const auto byte = [&] { return store.zero_extend(store.extract(arguments[0], 7, 0), kInt); };
  const auto printed = [&](std::size_t position) -> std::optional<Term> {
    const std::optional<std::string> format = text(position);
    if (!format) return std::nullopt;
    return Counter(store, program, caller, values, arguments).count(*format, position + 1);
  };
  if (name == "putchar" && arguments.size() == 1) return byte();
  if ((name == "fputc" || name == "putc") && is_output(1)) return byte();
  if (name == "fputs" && is_output(1)) return store.one(kInt);
  if (name == "fflush" && is_output(0)) return store.zero(kInt);
  if (name == "puts") {
    const std::optional<std::string> line = text(0);
    return line ? std::optional(store.constant(kInt, line->size() + 1)) : std::nullopt;
  }
  if (name == "fwrite" && is_output(3)) {
    const Term none = store.zero(store.width(arguments[1]));
    return store.ite(store.eq(arguments[1], none), none, arguments[2]);
  }
  if (name == "printf") return printed(0);
  if (name == "fprintf" && is_output(0)) return printed(1);
  return std::nullopt;
}

std::optional<Term> written_size(const TermStore& store, Term descriptor, Term size) {
  if (!store.is_constant(descriptor)) return std::nullopt;
  const std::uint64_t number = store.value(descriptor).to_uint64();
  return number == 1 || number == 2 ? std::optional(size) : std::nullopt;
}

}  // namespace plumb::semantics
