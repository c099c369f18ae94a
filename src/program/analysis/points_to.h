#pragma once

#include <span>
#include <vector>

#include "program/analysis/value_flow.h"
#include "program/program.h"

namespace plumb::program {

/// Which memory objects a value can point into, coarsely: objects (globals, one for each instruction that allocates,
/// the variadic arguments of each function, memory from outside) fall into classes, and a value points into the objects
/// of one class or into none. Flow- and context-insensitive, one content an object, near-linear.
///
/// Sound for programs whose pointers stay in the objects they were derived from: a sum with a pointer points where the
/// pointer does, whatever the other operand, and floating point arithmetic makes no pointers. All memory that comes
/// with the entry's arguments, external globals and functions without a body is one object, `outside`; so is all
/// memory at addresses that come from no object (device registers), `absolute`.
class PointsTo {
 public:
  using ClassId = std::uint32_t;

  PointsTo(const Program& program, const ValueFlow& flow);

  std::uint32_t class_count() const noexcept { return class_count_; }
  /// kNone if the value points to nothing, and is no address that is accessed. Of an instruction that allocates, the
  /// class of its result is that of the object.
  ClassId pointees(FunctionId f, ValueId v) const { return class_of_value_[flow_.value(f, v)]; }
  ClassId of_global(GlobalId global) const { return class_of_global_[global]; }
  /// Of the arguments beyond the parameters; kNone unless f is variadic.
  ClassId of_variadic(FunctionId f) const { return class_of_variadic_[f]; }
  ClassId outside() const noexcept { return outside_; }

 private:
  const ValueFlow& flow_;
  std::uint32_t class_count_ = 0;
  std::vector<ClassId> class_of_value_;
  std::vector<ClassId> class_of_global_;
  std::vector<ClassId> class_of_variadic_;
  ClassId outside_ = kNone;
};

/// The operands of an instruction through which it reads or writes memory, as positions.
std::span<const std::uint32_t> address_operands(const Instruction& instruction);

}  // namespace plumb::program
