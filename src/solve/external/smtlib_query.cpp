// The printer gives a whole script with names that are unique in it. A process that stays alive needs names that are
// unique and the same over many scripts, so the script is cut into its commands and its symbols are replaced, token by
// token: declared ones by the handle of their variable, defined ones by the number of the batch and their own.
#include "solve/external/smtlib_query.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>

#include "base/error.h"
#include "term/smtlib_printer.h"
#include "term/traverse.h"

namespace plumb::solve {
namespace {

using term::Term;

/// Calls piece(text, is_symbol) for every token of a script and for what stands between them.
template <typename Piece>
void for_each_token(std::string_view text, Piece&& piece) {
  constexpr std::string_view kBreak = " \n\t\r()";
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at + 1;
    const bool is_symbol = kBreak.find(text[at]) == std::string_view::npos;
    if (text[at] == '|') {
      end = text.find('|', at + 1);
      INVARIANT(end != std::string_view::npos, "a printed script should close its quotes");
      ++end;
    } else if (is_symbol) {
      end = std::min(text.find_first_of(kBreak, at), text.size());
    }
    piece(text.substr(at, end - at), is_symbol);
    at = end;
  }
}

/// The commands of a script, each with its outer parentheses.
std::vector<std::string_view> commands(std::string_view script) {
  std::vector<std::string_view> result;
  std::size_t depth = 0;
  std::size_t start = 0;
  for_each_token(script, [&](std::string_view token, bool) {
    const auto at = static_cast<std::size_t>(token.data() - script.data());
    if (token == "(" && depth++ == 0) start = at;
    if (token == ")" && --depth == 0) result.push_back(script.substr(start, at + 1 - start));
  });
  return result;
}

/// The token of this number among the symbols of a command: 0 is the command's name.
std::string_view symbol_at(std::string_view command, std::size_t number) {
  std::string_view found;
  std::size_t count = 0;
  for_each_token(command, [&](std::string_view token, bool is_symbol) {
    if (is_symbol && count++ == number) found = token;
  });
  return found;
}

class Renaming {
 public:
  void add(std::string_view from, std::string to) { names_.emplace(from, std::move(to)); }
  void append(std::string& out, std::string_view command) const {
    bool is_head = true;  // a variable may be called as the command is
    for_each_token(command, [&](std::string_view token, bool is_symbol) {
      const auto found = is_symbol && !is_head ? names_.find(token) : names_.end();
      if (is_symbol) is_head = false;
      out += found == names_.end() ? token : std::string_view(found->second);
    });
    out += '\n';
  }
  const std::string& at(std::string_view from) const { return names_.at(from); }

 private:
  absl::flat_hash_map<std::string_view, std::string> names_;
};

/// Adds a Bool for each symbol in the check-sat-assuming command.
void add_indicators(std::string_view check, const Renaming& renaming, std::size_t number, SmtlibBatch& batch) {
  std::size_t position = 0;
  for_each_token(check, [&](std::string_view token, bool is_symbol) {
    if (!is_symbol || position++ == 0) return;
    std::string symbol = fmt::format("a{}.{}", number, position);
    fmt::format_to(std::back_inserter(batch.body), "(declare-const {} Bool)\n(assert (=> {} {}))\n", symbol, symbol,
                   renaming.at(token));
    batch.assumed.push_back(std::move(symbol));
  });
}

}  // namespace

std::string smtlib_symbol(Term variable) { return fmt::format("v{}", variable.id); }

SmtlibBatch print_batch(const term::TermStore& store, std::span<const Term> assertions,
                        std::span<const Term> assumptions, std::size_t number) {
  const std::string script = term::to_smtlib_script(store, assertions, assumptions);
  std::vector<Term> roots(assertions.begin(), assertions.end());
  roots.insert(roots.end(), assumptions.begin(), assumptions.end());
  const std::vector<Term> variables = term::support(store, roots);

  SmtlibBatch batch;
  Renaming renaming;
  for (const std::string_view command : commands(script)) {
    if (command.starts_with("(set-logic")) {
      batch.has_arrays = symbol_at(command, 1).find('A') != std::string_view::npos;
    } else if (command.starts_with("(declare-const ")) {
      INVARIANT(batch.declarations.size() < variables.size(), "a script should declare its variables only");
      const Term variable = variables[batch.declarations.size()];
      std::string symbol = smtlib_symbol(variable);
      batch.declarations.push_back(
          {variable, fmt::format("(declare-const {} {})\n", symbol, term::to_smtlib(store.sort(variable), true))});
      renaming.add(symbol_at(command, 1), std::move(symbol));
    } else if (command.starts_with("(check-sat")) {
      add_indicators(command, renaming, number, batch);
    } else {
      if (command.starts_with("(define-fun "))
        renaming.add(symbol_at(command, 1), fmt::format("d{}.{}", number, symbol_at(command, 1).substr(1)));
      renaming.append(batch.body, command);
    }
  }
  INVARIANT(batch.declarations.size() == variables.size(), "a script should declare all its variables");
  INVARIANT(batch.assumed.size() == assumptions.size(), "a script should name each of its assumptions");
  return batch;
}

std::string check_command(std::span<const std::string> assumed) {
  if (assumed.empty()) return "(check-sat)\n";
  return fmt::format("(check-sat-assuming ({}))\n", fmt::join(assumed, " "));
}

std::string value_command(std::span<const std::string> symbols) {
  return fmt::format("(get-value ({}))\n", fmt::join(symbols, " "));
}

}  // namespace plumb::solve
