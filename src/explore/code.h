#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "program/analysis/liveness.h"
#include "program/analysis/loops.h"
#include "program/program.h"

namespace plumb::explore {

using program::BlockId;
using program::FunctionId;
using program::InstructionId;
using program::kNone;
using program::Program;
using program::ValueId;

/// What states and steps need to know of a function beside its text. Made when it is first asked for.
class Code {
 public:
  explicit Code(const Program& program) : program_(program), functions_(program.functions.size()) {}

  struct Function {
    explicit Function(const program::Function& the_function);

    const program::Function& function;
    std::vector<BlockId> block_of;     ///< by instruction
    std::vector<bool> is_loop_header;  ///< by block; of irreducible cycles the blocks where back edges end
    bool has_variables_in_memory;      ///< semantics/visible.h
    std::vector<bool> is_meeting;      ///< by block: several edges lead to it

   private:
    friend class Code;
    program::Uses uses_;
    program::Liveness liveness_;
    std::vector<std::unique_ptr<std::vector<ValueId>>> before_;  ///< by instruction
    std::vector<std::unique_ptr<std::vector<ValueId>>> across_;
  };

  const Function& of(FunctionId f);
  /// Variables whose values are used from here on, the instruction itself included; by rising number.
  std::span<const ValueId> live_before(FunctionId f, InstructionId i);
  /// Those that are used after a call, but for its results.
  std::span<const ValueId> live_across(FunctionId f, InstructionId call);

 private:
  const Program& program_;
  std::vector<std::unique_ptr<Function>> functions_;
};

}  // namespace plumb::explore
