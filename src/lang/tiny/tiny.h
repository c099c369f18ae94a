#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lang/tiny/ast.h"
#include "system/control_graph.h"

namespace plumb::tiny {

/// Thrown for a program with mistakes: all that were found, in the order of their places. what() is the first one's
/// text with the others below it.
class Mistakes : public UserError {
 public:
  explicit Mistakes(std::vector<UserError> mistakes);
  const std::vector<UserError>& all() const noexcept { return mistakes_; }

 private:
  struct Ordered {
    std::vector<UserError> mistakes;
  };
  explicit Mistakes(Ordered ordered);

  std::vector<UserError> mistakes_;
};

/// Sizes and meanings that a program is read with. See docs/tiny.md.
struct Options {
  std::uint32_t int_width = 8;              ///< bits of an int, 1 to 64
  std::optional<std::uint64_t> array_size;  ///< of arrays of free size; by default the greatest int, at most 65535
  std::optional<std::uint64_t> stack_size;  ///< greatest depth of recursion; by default as array_size
  bool is_signed = false;
  bool check_index = true;
  bool check_overflow = true;
  bool check_division = true;
  bool check_recursion = true;
  /// Quantifiers become one expression where their range is bounded by constants or by the size of the arrays that
  /// their variable indexes; otherwise, and if this is false, loops.
  bool unroll_quantifiers = true;
  system::EncodingOptions encoding;  ///< how a run is cut in steps; a bound on their number

  std::uint64_t max_array_size() const;
  std::uint64_t max_stack_size() const;
};

struct Warning {
  SourceLocation location;
  std::string message;
};

/// Parses and checks. Throws Mistakes. What is allowed but unlikely to be meant goes to `warnings`.
Program parse(std::string_view text, const std::string& file, std::vector<Warning>& warnings);

/// What the widths and sizes of `options` make wrong: a number that does not fit, a range that is reversed, an array of
/// more elements than an index can name. Throws Mistakes.
void check_sizes(const Program& program, const Options& options);

/// The paper's preprocessing function rho (section 3.3.1): the same program without calls in expressions, recursion,
/// pre- and postconditions, and without quantifiers but those that lower() unrolls. A contract is a Block called `@pre
/// NAME` or `@post NAME`. Of a recursive function only variables that are live across a recursive call get a row a
/// level.
Program rho(const Program& program, const Options& options);

/// As source text; for what rho makes, in the notation of the paper's figures (fact::n[fact::sp + 1] = …).
std::string print(const Program& program);

/// A program as a control graph (Algorithm 1 before the program counter), with the way back to its source.
struct Lowered {
  system::ControlGraph graph;
  struct Property {
    std::string name;  ///< "postcondition ls", "index in bounds", "overflow", "division by zero", "recursion depth",
                       ///< "assertion at line 7", "termination within 40 steps"
    std::string kind;  ///< "postcondition", "index", "overflow", "division", "recursion", "assertion", "cover"
    /// Control can never come to its check, whatever the values: if it holds, it says nothing.
    bool is_unreachable = false;
  };
  std::vector<Property> properties;  ///< as graph.properties; positions are the same
  /// The property that fails when a run under the precondition comes to the end of the entry function: if it holds, all
  /// else holds vacuously. Nothing if the entry function has no end.
  std::optional<std::size_t> cover;
  /// The variable of the graph that holds a variable of the source when the run starts, for free globals, parameters of
  /// the entry function and locals of it that are declared once. By unique name.
  std::map<std::string, term::Term> inputs;
  /// Free choices during the run: the graph's input that a declaration (by unique name) or a nondet() (by "nondet@LINE:
  /// COLUMN") takes its value from.
  std::map<std::string, term::Term> choices;
};
Lowered lower(const Program& program, const Options& options);

}  // namespace plumb::tiny
