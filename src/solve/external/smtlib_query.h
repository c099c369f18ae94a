#pragma once

#include <span>
#include <string>
#include <vector>

#include "term/term_store.h"

namespace plumb::solve {

/// Assertions and assumptions as pieces of SMT-LIB text for a solver process. Symbols do not depend on the names of
/// variables: a variable is `v` and its handle, and a definition has the number of its batch in it, so batches can
/// follow each other in one process.
struct SmtlibBatch {
  struct Declaration {
    term::Term variable;
    std::string command;
  };
  std::vector<Declaration> declarations;  ///< of all variables below the terms, by handle
  std::string body;                       ///< definitions, assertions, and a Bool that implies each assumption
  std::vector<std::string> assumed;       ///< that Bool, for each assumption
  bool has_arrays = false;
};

std::string smtlib_symbol(term::Term variable);

/// Linear in the DAG below the terms. Uses the store, so call it in the store's thread.
SmtlibBatch print_batch(const term::TermStore& store, std::span<const term::Term> assertions,
                        std::span<const term::Term> assumptions, std::size_t number);

/// `(check-sat)`, or `(check-sat-assuming (…))` if there is something assumed.
std::string check_command(std::span<const std::string> assumed);
/// `(get-value (…))`. Needs a symbol.
std::string value_command(std::span<const std::string> symbols);

}  // namespace plumb::solve
