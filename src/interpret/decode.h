#pragma once

#include <vector>

#include "interpret/code.h"
#include "interpret/handlers.h"

namespace plumb::interpret {

using program::Check;
using program::Instruction;
using program::kNone;
using program::ValueId;

/// Makes the executable form of one function; see decode.cpp.
class Decoder {
 public:
  Decoder(const Code& code, FunctionId id, FunctionCode& out);
  void run();

 private:
  bool is_followed() const { return code_.program.checks.has(Check::Uninitialised); }  ///< by Definedness
  std::uint32_t new_slots(std::uint32_t width);
  Operand new_constant(std::span<const std::uint64_t> words);
  void assign_slots();
  bool is_thread_local(ValueId v) const;
  Operand constant_operand(ValueId v);
  Operand operand(ValueId v) const { return out_.operand_of[v]; }
  static bool is_constant(Operand o) { return (o & kPool) != 0; }
  std::uint64_t pool_word(Operand o) const { return out_.pool[o & ~kPool]; }
  std::vector<Operand> words(std::span<const ValueId> values) const;

  void decode_block(BlockId b);
  void add_thread_locals(InstructionId id, const Instruction& source);
  Decoded& append(InstructionId id, Handler handler);
  void add(InstructionId id, const Instruction& source);
  Handler simple_handler(const Instruction& source) const;
  void add_access(InstructionId id, const Instruction& source);
  void add_call(InstructionId id, const Instruction& source);
  void add_switch(InstructionId id, const Instruction& source);

  // decode_operator.cpp
  struct Binary {
    Form form;
    Operand a;
    Operand b;
    std::uint64_t immediate;
  };
  /// Nothing if both operands are constants.
  std::optional<Binary> binary(const Instruction& source) const;
  void add_operator(InstructionId id, const Instruction& source);
  bool add_special_operator(InstructionId id, const Instruction& source);
  /// A comparison and the branch on it as one; false if the two instructions are not that.
  bool add_compare_branch(InstructionId id, const Instruction& source);

  // decode_edge.cpp
  void decode_edge(std::size_t edge);

  const Code& code_;
  const Function& function_;
  FunctionCode& out_;
  std::uint32_t next_slot_ = 0;
  std::uint32_t spare_slot_ = kNone;  ///< that cuts cycles of moves
  std::vector<std::size_t> block_start_;
  std::vector<std::uint32_t> terminator_edges_;  ///< by index in the code: the first edge, or kNone
};

}  // namespace plumb::interpret
