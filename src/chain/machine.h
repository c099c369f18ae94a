#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <vector>

#include "chain/expression.h"
#include "chain/value.h"

namespace plumb::chain {

/// Expressions as flat instructions over one array of slots: the variables of the state first, then temporaries, then
/// constants. An expression is a stretch of instructions without calls; what need not be evaluated is jumped over.
/// Compile everything, then finish(); afterwards run() may be called from several threads, with a Frame each.
class Machine {
 public:
  /// The pool must outlive it; of an exact one, values that would be doubles are numbers of fractions.
  Machine(const ExpressionPool& pool, std::size_t variables)
      : pool_(pool), fractions_(pool.fractions().get()), variables_(variables) {}

  /// A compiled expression, to be read after finish(). One that is a constant or a variable has no instructions.
  struct Code {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    std::uint32_t result = 0;  ///< slot
  };
  using Handle = std::uint32_t;
  Handle compile(Expression e);
  void finish();
  const Code& operator[](Handle handle) const noexcept { return codes_[handle]; }

  struct Frame {
    std::vector<Value> slots;
    Fault fault = Fault::None;  ///< of the last run(); kept until it is cleared
  };
  Frame frame() const;
  /// The value over the variables that are in the frame's first slots.
  Value run(Handle handle, Frame& frame) const noexcept {
    const Code& code = codes_[handle];
    if (code.first != code.last) execute(code, frame);
    return frame.slots[code.result];
  }

 private:
  enum class Opcode : std::uint8_t {
    AddInt,
    SubtractInt,
    LessInt,
    LessEqualInt,
    Equal,
    Not,
    MinInt,
    MaxInt,  // that cannot fault, or rarely
    AddReal,
    SubtractReal,
    MultiplyReal,
    LessReal,
    LessEqualReal,
    EqualReal,
    ToDouble,
    General,      ///< by apply()
    Exact,        ///< by FractionTable::apply()
    Move,         ///< result = a
    JumpIfFalse,  ///< to instruction `b` if slot `a` is zero
    JumpIfTrue,
    Jump,
  };
  struct Instruction {
    Opcode opcode;
    Op op;
    Type type;  ///< of the operands
    std::uint32_t result;
    std::uint32_t a;
    std::uint32_t b;
  };
  using Known = absl::flat_hash_map<std::uint32_t, std::uint32_t>;  ///< slots of expressions by handle

  std::uint32_t emit(Expression e);
  std::uint32_t emit_lazy(const ExpressionPool::Node& node);
  /// Into `result`; what is computed there is not known to code behind.
  void emit_branch(Expression e, std::uint32_t result);
  std::uint32_t constant_slot(const ExpressionPool::Node& node);
  std::uint32_t temporary() { return kTemporary | next_temporary_++; }
  Opcode opcode(Op op, Type operands) const;
  void execute(const Code& code, Frame& frame) const noexcept;

  static constexpr std::uint32_t kTemporary = 1U << 30;  ///< marks of slots before finish() knows their places
  static constexpr std::uint32_t kConstant = 1U << 31;

  const ExpressionPool& pool_;
  FractionTable* fractions_;  ///< null: doubles
  std::size_t variables_;
  std::vector<Instruction> code_;
  std::vector<Code> codes_;
  absl::flat_hash_map<std::uint32_t, Handle> compiled_;  ///< by expression
  std::vector<Value> constants_;
  absl::flat_hash_map<std::uint64_t, std::uint32_t> constant_slots_;
  std::vector<Known> known_;  ///< by depth of branches
  std::uint32_t next_temporary_ = 0;
  std::uint32_t temporaries_ = 0;
};

}  // namespace plumb::chain
