#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "frontend/lower/lower_module.h"
#include "program/function_builder.h"

namespace plumb::frontend {

using program::FunctionBuilder;
using program::kNone;
using program::kSynthetic;

/// A function with its body; one that has none stays without, but for a library function whose address is taken.
Function lower_function(ModuleLowering& module, const llvm::Function& source);

/// The scalars of an LLVM value.
using Parts = llvm::SmallVector<ValueId, 4>;
using BlockSet = llvm::DenseSet<const llvm::BasicBlock*>;

/// Lowers one body. The methods stand in the file of their subject: lower_function.cpp (blocks and values),
/// lower_control.cpp, lower_arithmetic.cpp, lower_floats.cpp, lower_bits.cpp, lower_memory.cpp, lower_addresses.cpp,
/// lower_vectors.cpp, lower_calls.cpp, lower_intrinsics.cpp. They throw Unlowerable, which ends the block in a Halt.
class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, const llvm::Function& source);

  void declare_signature();
  /// Lowers what can be reached within `blocks`; gives the blocks that were. If that is fewer, the result is not a
  /// function yet: a Halt cut some off, so do it again with those alone.
  BlockSet lower_body(const BlockSet& blocks);
  /// One block that does what a call of the function would.
  void make_library_body(const LibraryFunction& library);
  /// One block that says what has no lowering.
  void make_refused_body(const Unlowerable& reason);
  Function finish() { return builder_.finish(); }
  /// SV-COMP's functions whose name says that no other thread runs while they do.
  bool is_atomic_section() const;
  /// Adds what became of the source's blocks and values.
  void record(LoweringMap& map) const;

 private:
  // Values and blocks
  void add_blocks(const BlockSet& blocks);
  void lower_block(const llvm::BasicBlock& block);
  void lower_instruction(const llvm::Instruction& instruction);
  bool lower_computation(const llvm::Instruction& instruction);
  Location location_of(const llvm::Instruction& instruction);
  void name_variables(const llvm::Instruction& instruction);
  void name_variable(const llvm::Value* value, const llvm::DILocalVariable& variable);
  Parts parts(const llvm::Value& value);
  Parts constant_parts(const llvm::Constant& constant);
  Parts expression_parts(const llvm::ConstantExpr& expression);
  ValueId scalar(const llvm::Value& value);
  void define(const llvm::Value& value, llvm::ArrayRef<ValueId> parts);
  const Shape& shape(const llvm::Value& value) { return module_.shapes().of(value.getType()); }
  std::uint32_t pointer_width() const { return module_.pointer_width(); }
  ValueId pointer_sized(std::uint64_t value) { return builder_.constant(pointer_width(), value); }
  bool is_big_endian() const { return module_.layout().isBigEndian(); }
  /// The value of two parts, one after the other in memory.
  ValueId join(ValueId first, ValueId second) {
    return is_big_endian() ? builder_.op(term::Op::Concat, {first, second})
                           : builder_.op(term::Op::Concat, {second, first});
  }
  std::optional<BitVector> known(ValueId value);
  ValueId resize(ValueId value, std::uint32_t width, bool is_signed = false);

  // Control
  bool lower_terminator(const llvm::Instruction& instruction);
  FunctionBuilder::Target target(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void lower_branch(const llvm::BranchInst& branch);
  void lower_switch(const llvm::SwitchInst& instruction);
  void lower_indirect_branch(const llvm::IndirectBrInst& instruction);
  /// Splits the block: what `body` makes happens only where the condition is 1.
  template <typename Body>
  void when(ValueId condition, Body body);

  // Integers, casts, comparisons
  Parts binary(const llvm::BinaryOperator& instruction);
  ValueId integer_binary(const llvm::BinaryOperator& instruction, ValueId a, ValueId b);
  Parts cast(const llvm::CastInst& instruction) {
    return cast(instruction.getOpcode(), *instruction.getOperand(0), instruction.getType());
  }
  Parts cast(unsigned opcode, const llvm::Value& from, llvm::Type* to);
  ValueId cast_scalar(unsigned opcode, ValueId value, llvm::Type* from, const Part& to);
  Parts reinterpret(const Parts& parts, const Shape& to);
  Parts compare(llvm::CmpInst::Predicate predicate, const llvm::Value& a, const llvm::Value& b);
  ValueId compare_integers(llvm::CmpInst::Predicate predicate, ValueId a, ValueId b);
  Parts select(const llvm::SelectInst& instruction);
  Parts extract_value(const llvm::ExtractValueInst& instruction);
  Parts insert_value(const llvm::InsertValueInst& instruction);

  // Floats
  ValueId float_op(FloatOp op, llvm::ArrayRef<ValueId> operands, std::uint32_t width, llvm::Type* format);
  ValueId float_binary(unsigned opcode, ValueId a, ValueId b, llvm::Type* format);
  ValueId compare_floats(llvm::CmpInst::Predicate predicate, ValueId a, ValueId b, llvm::Type* format);
  ValueId math(const MathFunction& function, llvm::ArrayRef<ValueId> operands, llvm::Type* format, std::uint32_t width);
  ValueId float_extremum(bool is_minimum, ValueId a, ValueId b, llvm::Type* format);
  ValueId float_class(ValueId value, llvm::Type* format, unsigned mask);
  ValueId saturating_to_integer(ValueId value, llvm::Type* format, std::uint32_t width, bool is_signed);
  ValueId integer_power(ValueId base, ValueId exponent, llvm::Type* format);
  bool lower_constrained(const llvm::CallBase& call, llvm::Intrinsic::ID id);

  // Bits
  ValueId population(ValueId value);
  ValueId leading_zeros(ValueId value);
  ValueId trailing_zeros(ValueId value);
  ValueId swap_bytes(ValueId value);
  ValueId reverse_bits(ValueId value);
  ValueId funnel_shift(ValueId high, ValueId low, ValueId amount, bool is_left);
  ValueId absolute(ValueId value);
  ValueId extremum(llvm::Intrinsic::ID id, ValueId a, ValueId b);
  ValueId saturating(llvm::Intrinsic::ID id, ValueId a, ValueId b);
  ValueId three_way(bool is_signed, ValueId a, ValueId b, std::uint32_t width);
  bool lower_bit_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_overflow_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);

  // Memory
  bool lower_memory(const llvm::Instruction& instruction);
  Parts load_parts(llvm::Type* type, ValueId address, llvm::Align alignment, std::uint16_t flags = 0);
  void store_parts(llvm::Type* type, ValueId address, const Parts& parts, llvm::Align alignment,
                   std::uint16_t flags = 0);
  void lower_allocation(const llvm::AllocaInst& allocation);
  void lower_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void lower_update(const llvm::AtomicRMWInst& update);
  ValueId updated(const llvm::AtomicRMWInst& update, ValueId old, ValueId operand);
  void lower_va_arg(const llvm::VAArgInst& instruction);

  // Addresses
  ValueId offset_address(ValueId base, std::int64_t offset);
  Parts address(const llvm::GEPOperator& gep);
  ValueId address_of_lane(const llvm::GEPOperator& gep, std::uint32_t lane);
  ValueId lane_of(const llvm::Value& value, std::uint32_t lane);
  void check_indices(const llvm::GetElementPtrInst& gep);
  /// Of addresses that the source computes, where that is asked for.
  void check_pointer(const llvm::GEPOperator& gep);
  /// Likewise those that are constants among the operands, or given to a phi node behind a terminator.
  void check_constant_pointers(const llvm::Instruction& instruction);

  // Vectors
  bool lower_vector(const llvm::Instruction& instruction);
  Parts extract_element(const llvm::ExtractElementInst& instruction);
  Parts insert_element(const llvm::InsertElementInst& instruction);
  Parts shuffle(const llvm::ShuffleVectorInst& instruction);
  bool lower_vector_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  ValueId reduced(llvm::Intrinsic::ID id, ValueId a, ValueId b, llvm::Type* format);
  bool lower_reduction(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  void lower_masked(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  ValueId load_when(ValueId condition, llvm::Type* type, ValueId address, llvm::Align alignment, ValueId otherwise);

  // Calls
  void lower_call(const llvm::CallBase& call);
  void lower_unset(const llvm::CallBase& call, const std::string& site);
  void lower_assembly(const llvm::CallBase& call, const llvm::InlineAsm& assembly);
  /// What only its machine can do, in code that is not interpreted: a place that no region has, and results from
  /// outside. Gives false for x86, whose code must not go on there.
  bool lower_opaque(const llvm::CallBase& call);
  Parts arguments(const llvm::CallBase& call);
  void add_variadic(const llvm::CallBase& call, unsigned argument, Parts& operands, std::uint64_t& offset);
  ValueId copy_by_value(const llvm::CallBase& call, unsigned argument);
  void allocate_copies(const BlockSet& blocks);
  void direct_call(const llvm::CallBase& call, const llvm::Function& callee);
  /// The source has declared the callee with parameters or a result of other widths than the call has.
  bool has_other_types(const llvm::CallBase& call, const llvm::Function& callee, const Parts& given);
  void indirect_call(const llvm::CallBase& call, const Parts& given);
  Parts call_results(ValueId first, llvm::ArrayRef<std::uint32_t> widths, const Shape& wanted);
  Parts library_call(const LibraryFunction& library, const llvm::Function& callee, llvm::ArrayRef<ValueId> operands,
                     llvm::ArrayRef<llvm::Type*> types, const Shape& result);
  Parts intrinsic_call(Intrinsic intrinsic, const llvm::Function& callee, llvm::ArrayRef<ValueId> operands,
                       const Shape& result);
  ValueId intrinsic(Intrinsic intrinsic, llvm::ArrayRef<ValueId> operands, std::uint32_t width = 0,
                    std::uint32_t parameter = kNone);
  /// One of no operands and no result.
  void mark(Intrinsic intrinsic, std::uint16_t flags = 0);
  std::uint32_t letter_width(char letter) const;

  // LLVM's intrinsics
  void lower_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_memory_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  ValueId load_relative(const llvm::Value& table, const llvm::Value& offset);
  bool lower_float_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_plain_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  /// Markers of a lifetime: false if it is not certain whose.
  bool lower_scope(const llvm::CallBase& call, llvm::Intrinsic::ID id);
  bool lower_stack_intrinsic(const llvm::CallBase& call, llvm::Intrinsic::ID id);

  ModuleLowering& module_;
  const llvm::Function& source_;
  FunctionBuilder builder_;
  Location function_location_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockId> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, BlockId> last_blocks_;  ///< where their terminators went
  llvm::SmallVector<const llvm::BasicBlock*> reached_;            ///< by edges made so far, to be lowered
  struct Range {
    std::uint32_t first;
    std::uint32_t count;
  };
  llvm::DenseMap<const llvm::Value*, Range> values_;
  std::vector<ValueId> value_parts_;
  llvm::DenseSet<ValueId> variables_;  ///< named after a variable of the source
  /// Room for arguments passed by value, one a size, alignment and position.
  std::map<std::tuple<std::uint64_t, std::uint64_t, unsigned>, ValueId> copies_;
};

template <typename Body>
void FunctionLowering::when(ValueId condition, Body body) {
  const BlockId inside = builder_.add_block();
  const BlockId after = builder_.add_block();
  builder_.branch(condition, {inside, {}}, {after, {}}, kSynthetic);
  builder_.select(inside);
  body();
  builder_.jump({after, {}});
  builder_.select(after);
}

}  // namespace plumb::frontend
