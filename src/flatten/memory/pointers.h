#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "flatten/instances.h"
#include "term/progression.h"

namespace plumb::flatten {

using term::Progression;

/// Of an AbstractObject, in Pointers::objects().
using ObjectId = std::uint32_t;

/// What a pointer can point to: a global, a function, what main is given, or all that one instruction of one instance
/// allocates.
struct AbstractObject {
  enum class Kind : std::uint8_t { Global, Function, ProgramName, Arguments, Environment, Stack, Heap };
  Kind kind = Kind::Global;
  std::uint32_t index = program::kNone;                 ///< of the global or function
  InstanceId instance = program::kNone;                 ///< of Stack and Heap
  program::InstructionId instruction = program::kNone;  ///< likewise
};

/// Where in an object.
struct Pointee {
  ObjectId object = 0;
  Progression offset;
  friend bool operator==(const Pointee&, const Pointee&) = default;
};

/// What is known of a value. It is a number in `number`, or the address of one of the pointees.
struct Known {
  Progression number;
  bool has_other = false;         ///< it may be a number at all, arbitrary ones included
  std::vector<Pointee> pointees;  ///< by rising object, each once

  static Known anything();        ///< but no pointer
  bool join(const Known& other);  ///< tells whether anything changed
  void add(const Pointee& pointee);
  void loosen();            ///< forgets bounds
  Known somewhere() const;  ///< any number, or anywhere in the objects
};
bool join_pointees(std::vector<Pointee>& to, std::span<const Pointee> from);

/// What a pure operator gives; `operands` as known where it stands. Pointers stay in their objects: a sum with a
/// pointer points where the pointer does.
Known apply_operator(const program::Function& function, const program::Instruction& instruction,
                     std::span<const Known> operands);

/// Indices that a CheckIndex has passed before an instruction of its block: by instruction and operand's position, how
/// many values are left.
class CheckedOperands {
 public:
  explicit CheckedOperands(const program::Function& function);
  std::optional<std::uint64_t> count(program::InstructionId instruction, std::size_t position) const;

 private:
  absl::flat_hash_map<std::pair<program::InstructionId, std::size_t>, std::uint64_t> counts_;
};

/// The pointers that an object holds, by word of a pointer's size; those `anywhere` may be in each of them.
struct HeldPointers {
  struct Word {
    std::int64_t index;
    std::vector<Pointee> pointees;
  };
  std::vector<Word> words;  ///< by rising index
  std::vector<Pointee> anywhere;

  void read(const Progression& offset, std::uint32_t bytes, std::uint32_t word, std::vector<Pointee>& found) const;
  /// Tells whether anything changed.
  bool write(const Progression& offset, std::uint32_t bytes, std::uint32_t word, std::span<const Pointee> stored);
};
/// A write to at most so many words goes to each of them, another one anywhere.
inline constexpr std::int64_t kWords = 64;

/// An inclusion-based points-to analysis of the instances of a program: with contexts, since inlined calls are apart;
/// with fields, since what is stored at different words of an object is; with offsets, as ranges, so that what an
/// access can touch is known; flow-insensitive, but that an index is below what a CheckIndex before it in its block
/// says. Sound as program::PointsTo is: pointers stay in the objects that they were derived from.
class Pointers {
 public:
  Pointers(const Program& program, const program::CallGraph& calls, const Instances& instances, const Budget& budget);

  std::span<const AbstractObject> objects() const noexcept { return objects_; }
  ObjectId global(program::GlobalId g) const { return g; }
  ObjectId function(program::FunctionId f) const { return static_cast<ObjectId>(program_.globals.size() + f); }
  ObjectId program_name() const { return function(static_cast<program::FunctionId>(program_.functions.size())); }
  ObjectId arguments() const { return program_name() + 1; }
  ObjectId environment() const { return program_name() + 2; }
  /// Of an instruction that allocates; kNone for others.
  ObjectId allocated(InstanceId instance, program::InstructionId instruction) const;

  const Known& value(InstanceId instance, program::ValueId v) const { return values_[first_value_[instance] + v]; }
  /// What the instruction's operand can be there: as value(), but for a check before it.
  Known operand(InstanceId instance, program::InstructionId instruction, std::size_t position) const;
  /// What the instruction of a Stack or Heap object asks for, in bytes.
  Progression allocated_size(ObjectId object) const;
  /// The objects whose addresses may be held by this one.
  std::vector<ObjectId> held_by(ObjectId object) const;
  /// What the instance may return.
  const std::vector<Known>& results(InstanceId instance) const { return results_[instance]; }

 private:
  friend class PointerAnalysis;
  const Program& program_;
  const Instances& instances_;
  std::vector<AbstractObject> objects_;
  std::vector<std::size_t> first_value_;  ///< by instance
  std::vector<Known> values_;
  std::vector<std::vector<Known>> results_;  ///< by instance
  std::vector<HeldPointers> contents_;       ///< by object
  absl::flat_hash_map<std::pair<InstanceId, program::InstructionId>, ObjectId> allocated_;
  std::vector<std::optional<CheckedOperands>> checked_;  ///< by function, of those that have instances
};

/// The block that an instruction is in.
program::BlockId block_of(const program::Function& function, program::InstructionId instruction);

}  // namespace plumb::flatten
