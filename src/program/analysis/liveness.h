#pragma once

#include <span>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// Variables are parameters, block arguments and results; constants and addresses are not. A block argument is defined
/// at the start of its block; the arguments of an edge are used by the terminator they leave from.
bool is_variable(const Value& value) noexcept;

/// Where the variables of a function are defined and used. Linear.
class Uses {
 public:
  explicit Uses(const Function& function);

  /// The entry for parameters, kNone for what is not a variable.
  BlockId definition(ValueId v) const { return definition_[v]; }
  /// Blocks that use the variable, by rising index, each once.
  std::span<const BlockId> users(ValueId v) const { return {users_.data() + start_[v], users_.data() + start_[v + 1]}; }

 private:
  std::vector<BlockId> definition_;
  std::vector<std::uint32_t> start_;
  std::vector<BlockId> users_;
};

/// What a set of blocks exchanges with the rest of its function; each by rising index.
struct LiveValues {
  std::vector<ValueId> ins;   ///< defined outside, used inside
  std::vector<ValueId> outs;  ///< defined inside, used outside
};
/// Costs the operands of the blocks and the uses of what they define, times a logarithm.
LiveValues live_values(const Function& function, const Uses& uses, std::span<const BlockId> blocks);

/// Which variables a block begins and ends with. Time and memory are of the order of the sets, so ask Uses where whole
/// sets are not needed.
class Liveness {
 public:
  Liveness(const Function& function, const Uses& uses);

  /// Live before the block's arguments get their values: defined before, used here or on some path from here. By
  /// rising index, as below.
  std::span<const ValueId> live_in(BlockId b) const { return row(in_start_, in_, b); }
  /// Live into at least one successor; what the terminator passes on edges is used here, not there.
  std::span<const ValueId> live_out(BlockId b) const { return row(out_start_, out_, b); }

 private:
  static std::span<const ValueId> row(const std::vector<std::size_t>& start, const std::vector<ValueId>& values,
                                      BlockId b) {
    return {values.data() + start[b], values.data() + start[b + 1]};
  }
  std::vector<std::size_t> in_start_, out_start_;
  std::vector<ValueId> in_, out_;
};

}  // namespace plumb::program
