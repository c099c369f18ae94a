#pragma once

#include <absl/container/flat_hash_map.h>

#include <initializer_list>
#include <span>
#include <tuple>
#include <vector>

#include "program/program.h"

namespace plumb::program {

/// Makes the body of a Function. Blocks can be created in any order and filled in any order, an instruction goes to
/// the end of the selected block; finish() lays everything out and gives the function back. Constants are shared.
class FunctionBuilder {
 public:
  explicit FunctionBuilder(std::string name);

  ValueId add_parameter(std::uint32_t width, bool is_pointer = false, std::string name = {});
  void add_result(std::uint32_t width);  ///< of the function
  Function& function() noexcept { return function_; }

  BlockId add_block(std::string name = {});
  ValueId add_block_argument(BlockId block, std::uint32_t width, bool is_pointer = false, std::string name = {});
  void select(BlockId block) { current_ = block; }
  BlockId selected() const noexcept { return current_; }
  /// The selected block has its terminator.
  bool is_terminated() const;
  void set_location(Location location) { location_ = location; }
  void set_name(ValueId value, std::string name);
  void set_pointer(ValueId value) { function_.values[value].is_pointer = true; }
  std::uint32_t width(ValueId value) const { return function_.values[value].width; }

  ValueId constant(const BitVector& value);
  ValueId constant(std::uint32_t width, std::uint64_t value) { return constant(BitVector(width, value)); }
  ValueId global_address(GlobalId global, std::uint32_t pointer_width, std::int64_t offset = 0);
  ValueId function_address(FunctionId function, std::uint32_t pointer_width);
  ValueId undefined(std::uint32_t width);

  /// A pure operator; constant operands are folded. `width`: of the result, as in term::Op; 0 takes what the operands
  /// give (the first operand's, or 1 for predicates, or the branches' for Ite, or the sum for Concat).
  ValueId op(term::Op op, std::initializer_list<ValueId> operands, std::uint32_t width = 0, std::uint32_t parameter = 0,
             std::uint16_t flags = 0);
  ValueId float_op(FloatOp op, std::span<const ValueId> operands, std::uint32_t width);
  ValueId load(ValueId address, std::uint32_t width, std::uint32_t alignment, std::uint16_t flags = 0);
  void store(ValueId address, ValueId value, std::uint32_t alignment, std::uint16_t flags = 0);
  ValueId allocate(ValueId size, std::uint32_t alignment);
  /// Any other instruction; the results are consecutive values, the first is returned (kNone if there are none).
  ValueId emit(Kind kind, std::uint8_t code, std::span<const ValueId> operands,
               std::span<const std::uint32_t> result_widths = {}, std::uint32_t parameter = kNone,
               std::uint16_t flags = 0);

  struct Target {
    BlockId block;
    std::vector<ValueId> arguments;
  };
  void jump(Target target);
  void branch(ValueId condition, Target if_true, Target if_false, std::uint16_t flags = 0);
  void switch_on(ValueId value, std::span<const ValueId> cases, std::span<const Target> targets, Target otherwise);
  void return_values(std::span<const ValueId> values);
  void halt(HaltReason reason, std::uint32_t message = kNone);
  /// Gives edges that were made without arguments theirs: lowering knows the values of a phi only at the end.
  /// `edge`: the n-th of the terminator of `block`.
  void set_edge_arguments(BlockId block, std::uint32_t edge, std::vector<ValueId> arguments);

  /// Needs every block to have a terminator. The builder is empty afterwards.
  Function finish();

 private:
  struct PendingBlock {
    std::string name;
    std::vector<Instruction> instructions;
    std::vector<ValueId> arguments;
    std::vector<Target> edges;  ///< of the terminator
  };
  ValueId add_value(Value value, std::string name = {});
  Instruction& append(Kind kind, std::uint8_t code, std::span<const ValueId> operands);

  Function function_;
  std::vector<PendingBlock> pending_;
  BlockId current_ = kNone;
  Location location_;
  absl::flat_hash_map<std::string, ValueId> constants_;
  absl::flat_hash_map<std::tuple<ValueKind, std::uint32_t, std::int64_t>, ValueId> addresses_;
};

}  // namespace plumb::program
