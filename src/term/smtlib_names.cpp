#include "term/smtlib_names.h"

#include <fmt/format.h>

#include <algorithm>

#include "term/smtlib_printer.h"

namespace plumb::term {
namespace {

using Words = absl::flat_hash_set<std::string_view>;

// No symbols at all unless quoted.
constexpr std::string_view kReserved =
    "BINARY DECIMAL HEXADECIMAL NUMERAL STRING _ ! as let exists forall match par lambda";

// A script cannot declare these again, quoted or not.
constexpr std::string_view kTheories =
    "true false not and or xor => = distinct ite select store const concat extract repeat zero_extend sign_extend "
    "rotate_left rotate_right ext_rotate_left ext_rotate_right bvnot bvneg bvand bvor bvnand bvnor bvxor bvxnor bvadd "
    "bvsub bvmul bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr bvult bvule bvugt bvuge bvslt bvsle bvsgt "
    "bvsge "
    "bvcomp bvnego bvuaddo bvsaddo bvumulo bvsmulo bvusubo bvssubo bvsdivo bvumul_noovfl bvsmul_noovfl bvsmul_noudfl "
    "bvredor bvredand bv2nat int2bv nat2bv Bool BitVec Array Int Real String + - * / < <= > >= abs div mod to_real "
    "to_int "
    "is_int iff implies if fp set";

Words split(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.insert(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

const Words& reserved_words() {
  static const Words words = split(kReserved);
  return words;
}

const Words& theory_symbols() {
  static const Words words = split(kTheories);
  return words;
}

bool is_symbol_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
}

}  // namespace

std::string SmtlibNames::unique(std::string_view name) {
  std::string spelling = quote_symbol(name);
  const bool free = !reserved_words().contains(name) && !theory_symbols().contains(name);
  if (free && used_.insert(spelling).second) return spelling;
  std::uint64_t& number = next_[spelling];
  do spelling = quote_symbol(fmt::format("{}!{}", name, ++number));
  while (!used_.insert(spelling).second);
  return spelling;
}

std::string SmtlibNames::fresh() {
  std::string spelling;
  do spelling = fmt::format("${}", ++last_);
  while (!used_.insert(spelling).second);
  return spelling;
}

std::string quote_symbol(std::string_view name) {
  const bool simple = !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
                      std::ranges::all_of(name, is_symbol_character) && !reserved_words().contains(name);
  if (simple) return std::string(name);
  std::string quoted = fmt::format("|{}|", name);
  // Neither character can be written between bars; SmtlibNames tells apart names that become equal by this.
  std::replace_if(quoted.begin() + 1, quoted.end() - 1, [](char c) { return c == '|' || c == '\\'; }, '_');
  return quoted;
}

}  // namespace plumb::term
