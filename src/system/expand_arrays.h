#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system/trace.h"

namespace plumb::system {

/// A system whose arrays have become their elements, a state or an input each (array_expansion.h): runs, bads and
/// constraints are the same. Where indices are constant, as they are behind the loops of a program that was unrolled,
/// nothing is left of the arrays.
struct CellSystem {
  /// What a state or an input of `system` stands for in the system with arrays.
  struct Place {
    std::size_t position = 0;
    std::optional<std::uint64_t> element;  ///< of an array

    friend bool operator==(const Place&, const Place&) = default;
  };

  System system;
  std::vector<Place> states;  ///< by position in `system`
  std::vector<Place> inputs;

  /// A trace of `system` as one of the system with arrays that it was made from. Elements that it does not choose are
  /// zero.
  Trace to_arrays(const System& with_arrays, const Trace& trace) const;
};

/// States, inputs, bads and constraints keep their order; an element is called NAME[index]. Wires that are arrays
/// become a wire an element. Throws Unsupported if there are more than `max_elements` in variables and array terms
/// together.
CellSystem expand_arrays(const System& system, std::uint64_t max_elements);

bool has_arrays(const System& system);  ///< among its states and inputs
/// Words and elements of all states and inputs; of an array with indices of more than 32 bits as if it had 32.
std::uint64_t cell_count(const System& system);

}  // namespace plumb::system
