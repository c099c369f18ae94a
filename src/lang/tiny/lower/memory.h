#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lang/tiny/rho/build.h"

namespace plumb::tiny {

using term::Sort;
using term::Term;
using term::TermStore;

/// The variables of a rho'd program as variables of its control graph. Arrays of more dimensions are stored row by row;
/// indices are as wide as the number of elements needs.
class Memory {
 public:
  struct Cell {
    Term term;                         ///< null for wires and constants, and for what no statement refers to
    std::uint32_t width = 1;           ///< of the scalar or of an element
    std::vector<std::uint64_t> sizes;  ///< by dimension; none for a scalar
    std::size_t position = 0;          ///< in ControlGraph::variables

    std::uint64_t elements() const;
  };

  /// `is_live`: the functions that the entry reaches.
  Memory(const Program& program, const Options& options, const std::vector<bool>& is_live, system::ControlGraph& graph);

  const Cell& cell(VariableId variable) const { return cells_[variable]; }
  /// The bits that an index of the cell has.
  std::uint32_t index_width(const Cell& cell) const;
  /// Of quantified variables that became loops: one bit for the sign and one for the value behind the last.
  std::uint32_t quantified_width() const { return options_.int_width + 2; }
  std::uint32_t stack_pointer_width() const;

  /// The run may start with any value of it.
  void make_free(VariableId variable);
  void set_init(VariableId variable, Term value);
  /// Zeros, of a cell's sort.
  Term zero(const Cell& cell) const;
  Term all_true(const Cell& cell) const;

  /// A hidden variable that no variable of the program stands for.
  Term add_hidden(Sort sort, std::string name, std::uint64_t elements, Term init);

 private:
  std::uint32_t width_of(const Variable& variable) const;
  void add(VariableId variable);

  const Program& program_;
  const Options& options_;
  system::ControlGraph& graph_;
  std::vector<Cell> cells_;
};

/// Bits to tell `count` values apart, at least one.
std::uint32_t bits_for(std::uint64_t count);

}  // namespace plumb::tiny
