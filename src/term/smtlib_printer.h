#pragma once

#include <span>
#include <string>

#include "term/term_store.h"
#include "term/value.h"

namespace plumb::term {

/// SMT-LIB 2 text. Terms of width 1 are Bool wherever they can be: variables of width 1 are declared Bool, comparisons
/// and connectives stay Bool, and `(ite t #b1 #b0)` or `(= t #b1)` convert where an operator needs the other. Linear in
/// the size of the DAG: a subterm with several users is printed once, in a let.

/// One term; variables under their (quoted if need be) names.
std::string to_smtlib(const TermStore& store, Term t);
/// A script with set-logic, declarations, one define-fun for each shared subterm, assertions and check-sat
/// (check-sat-assuming if there are assumptions). Variables that share a name or would clash are renamed `name!1`, …
/// consistently.
std::string to_smtlib_script(const TermStore& store, std::span<const Term> assertions,
                             std::span<const Term> assumptions = {});
std::string to_smtlib(Sort sort, bool boolean);
/// `#b…` or `#x…`; arrays as stores into `(as const …)`.
std::string to_smtlib(const Value& value);
/// A symbol, in |…| if SMT-LIB demands it.
std::string quote_symbol(std::string_view name);

}  // namespace plumb::term
