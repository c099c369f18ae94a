#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "circuit/aig.h"

namespace plumb::circuit {

/// An AIGER file as it stands, with the file's literals: what the reader's two halves, parsing and building, share.
struct AigerText {
  enum Section : std::uint8_t { Inputs, Latches, Outputs, Bads, Constraints };
  static constexpr std::size_t kSections = 5;

  struct LatchLine {
    std::uint32_t literal;
    std::uint32_t next;
    LatchInit init;
  };
  struct AndLine {
    std::uint32_t literal;
    std::uint32_t operands[2];
  };

  std::uint32_t max_variable = 0;
  std::vector<std::uint32_t> inputs;
  std::vector<LatchLine> latches;
  std::vector<std::uint32_t> outputs;
  std::vector<std::uint32_t> bads;
  std::vector<std::uint32_t> constraints;
  std::vector<AndLine> ands;
  std::array<std::vector<std::string>, kSections> names;  ///< by section; empty, or one a line of the section
};

/// Checks all that can be seen line by line: syntax, counts, literals within the header's maximum, no variable defined
/// twice, operands of binary ands in order. Throws as read_aiger.
AigerText parse_aiger(std::string_view text, const std::string& file);

}  // namespace plumb::circuit
