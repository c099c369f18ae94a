#include "lang/smtlib/script.h"

namespace plumb::smtlib {
namespace {

bool ends_word(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '(' || c == ')' || c == ';'; }

/// Occurrences of `word` (or of words that start with it) where a command could stand, counted up to `enough`.
std::size_t count_words(std::string_view text, std::string_view word, bool as_prefix, std::size_t enough) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos && count < enough; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (at > 0 && ends_word(text[at - 1]) && (as_prefix || end == text.size() || ends_word(text[end]))) ++count;
  }
  return count;
}

}  // namespace

bool is_one_shot(std::string_view text) {
  return count_words(text, "check-sat", true, 2) <= 1 && count_words(text, "push", false, 1) == 0;
}

}  // namespace plumb::smtlib
