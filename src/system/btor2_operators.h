#pragma once

#include <cstdint>
#include <string_view>

#include "term/term_store.h"

namespace plumb::system {

/// What an operator of BTOR2 demands of its operands and gives.
enum class Btor2Shape : std::uint8_t {
  Unary,       ///< n to n
  Reduction,   ///< n to 1
  Logical,     ///< 1, 1 to 1
  Binary,      ///< n, n to n
  Comparison,  ///< n, n to 1
  Equality,    ///< two of one sort, arrays included, to 1
  Concat,      ///< n, m to n + m
  Read,        ///< array, index to element
  Write,       ///< array, index, element to array
  Ite,         ///< 1 and two of one sort to that sort
};

struct Btor2Operator {
  std::string_view name;
  Btor2Shape shape;
  term::Term (*make)(term::TermStore&, term::Term, term::Term, term::Term);
};

/// Operators whose operands are nodes alone (not sext, uext and slice); null if there is none of that name.
const Btor2Operator* find_btor2_operator(std::string_view name);
unsigned operand_count(Btor2Shape shape);

}  // namespace plumb::system
