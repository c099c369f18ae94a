#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "lang/verilog/cells.h"

namespace plumb::verilog {

/// A node of what Yosys parsed, before it simplifies anything. The descendants of a node stand behind it, up to `end`.
struct Node {
  std::string type;        ///< "ADD", "IDENTIFIER"; an attribute is "ATTR"
  std::string name;        ///< without the backslash before it; empty if it has none
  std::string text;        ///< the rest: "signed", "input", "bits='0101'(4)"
  std::string source;      ///< "file.v:3.5-3.20"; empty if Yosys has none for it
  std::size_t parent = 0;  ///< its own index for a module
  std::size_t end = 0;

  bool has(std::string_view word) const;
  /// Binary digits of a constant, most significant first.
  std::string_view bits() const;
};

/// The modules of a design as they stand in the source: loops that generate are not unrolled, parameters not replaced.
class Syntax {
 public:
  /// From a dump of Yosys (read_verilog -dump_ast1 -no_dump_ptr). The texts must outlive it.
  Syntax(const std::string& dump, const Texts& texts);

  std::span<const Node> nodes() const noexcept { return nodes_; }
  const Node& operator[](std::size_t i) const { return nodes_[i]; }
  std::vector<std::size_t> children(std::size_t node) const;
  /// Of all types named, below and at `node`.
  std::vector<std::size_t> find(std::size_t node, std::span<const std::string_view> types) const;
  /// The node's own, or that of the nearest node around it that has one.
  SourceLocation place(std::size_t node) const;

  /// Modules and interfaces.
  std::span<const std::size_t> modules() const noexcept { return modules_; }
  /// The modules with that name and all that they instantiate, in any generate branch.
  std::vector<std::size_t> reachable(std::string_view top) const;
  /// Names of modules that no other instantiates.
  std::vector<std::string> tops() const;

 private:
  const Texts& texts_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> modules_;
};

/// The design as the preprocessor leaves it, from the same dump, in tokens: what Yosys reads and does not keep. Of
/// comments only those that turn translation off and on.
struct SourceToken {
  std::string_view text;
  SourceLocation place;  ///< of its line
};
std::vector<SourceToken> tokens_of(const std::string& dump);

}  // namespace plumb::verilog
