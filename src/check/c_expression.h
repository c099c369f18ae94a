#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "term/term_store.h"

namespace plumb::check {

/// A variable of a C program, or an element or member of one: what a term's variable is called.
struct CVariable {
  std::string name;         ///< "x", "s.next"; of a term that is an array: of the C array
  bool is_signed = true;    ///< as declared; of an array its elements
  std::uint32_t width = 0;  ///< of its C type, an integer: at least the term's, which is its lowest bits
  std::uint64_t count = 0;  ///< of an array: how many elements it has
};
/// Nothing for what has no name where the expression is to stand.
using CNames = std::function<std::optional<CVariable>(term::Term variable)>;

/// A condition (a term of width 1) as an expression of C that is neither 0 in a state in which the term is true nor
/// anything else in one in which it is false, for a machine with int of 32 and long long of 64 bits. It has no side
/// effects and no undefined behaviour whatever the variables' values. Nothing if it has a variable without a name, has
/// no expression (values of more than 64 bits, whole arrays), or is too long to be of use.
std::optional<std::string> c_expression(const term::TermStore& store, term::Term condition, const CNames& names);

}  // namespace plumb::check
