#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flatten/memory.h"
#include "flatten/memory/pointers.h"

namespace plumb::flatten {

inline constexpr std::size_t kNoVariable = SIZE_MAX;
/// What argv[0] is.
inline constexpr std::string_view kProgramName = "program";
inline constexpr std::uint64_t kFunctionDistance = 16;  ///< of their addresses

/// Bytes of objects that are represented alike: one field, or elements of equal size of which there is an array.
struct Part {
  std::uint64_t start = 0;    ///< in bytes
  std::uint64_t element = 1;  ///< size of an element in bytes
  std::uint64_t count = 1;    ///< of elements; 1: a field
  bool is_written = false;
  std::string name;
  /// Of the graph; an array if there are several elements or several objects. None if the content is in `table`.
  std::size_t variable = kNoVariable;
  std::uint32_t index_bits = 0;  ///< of an element's index
  std::vector<Term> table;       ///< a term an element, if nothing writes here

  std::uint64_t end() const noexcept { return start + element * count; }
};

/// Objects that are represented together, a slot each: one global; the objects of one Allocate, by the depth of calls;
/// the heap objects that one pointer may point to.
struct Group {
  AbstractObject::Kind kind = AbstractObject::Kind::Global;
  std::vector<ObjectId> members;
  std::uint64_t size = 0;   ///< of the largest
  std::uint32_t slots = 1;  ///< objects
  std::uint32_t slot_bits = 0;
  std::uint32_t room_bits = 32;  ///< of an offset in an address
  std::uint64_t base = 0;        ///< the address of the first slot; the others follow in steps of 2^room_bits
  bool is_constant = false;      ///< writes are faults
  bool is_by_depth = false;      ///< the slot is the depth of the call
  std::vector<Part> parts;       ///< by rising start, apart from each other: all bytes that are ever accessed
  std::optional<std::string> gap;

  // Variables of the graph, or kNoVariable; with several slots arrays.
  std::size_t sizes = kNoVariable;  ///< if it is not the same for all objects and runs
  /// On the stack: left by its call. On the heap: not made yet, or freed; if nothing can be freed, `there` alone.
  std::size_t dead = kNoVariable;
  std::size_t there = kNoVariable;  ///< was made
  std::size_t sites = kNoVariable;  ///< by which of the members, if several share the slots
  std::size_t open = kNoVariable;   ///< of an Allocate in a loop: was made and not released yet
  std::size_t left = kNoVariable;   ///< of an Allocate with a LeaveScope: it was left, and not entered since
  std::size_t next = kNoVariable;   ///< the slot of the next heap object, from first_free on
  std::uint32_t first_free = 0;
  bool is_zeroed = false;  ///< all of them come from calloc, so the variables start with zeros
};

/// What an instruction does to one object, at most. Offsets are such that all of it is inside.
struct PlannedAccess {
  Progression offset;
  std::uint64_t size = 0;
  bool is_write = false;
  bool is_bulk = false;  ///< of CopyMemory and FillMemory: says little about elements
};

/// An operand that is an address, and how many bytes are accessed there.
struct AddressUse {
  std::size_t position = 0;
  Progression size;
  bool is_write = false;
  bool is_bulk = false;
  bool is_release = false;  ///< of realloc, which takes all of an object with it
  bool is_probe = false;    ///< the bytes must be there, and are neither read nor written
};
struct Memory::Plan {
  Plan(const Program& program, const program::CallGraph& calls, const Instances& instances, const Options& options,
       Flattened& made, const Budget& budget);

  term::TermStore& store() const { return made.graph.store(); }
  const program::Function& function(InstanceId i) const { return program.functions[instances[i].function]; }
  const Group& group_of(ObjectId object) const { return groups[group[object]]; }
  Term address(std::uint64_t value) const { return store().constant(pointer_width, value); }
  std::uint64_t address_of(ObjectId object) const;
  /// At most, in bytes.
  std::uint64_t size_of(ObjectId object) const;
  std::size_t variable_count() const { return made.graph.variables.size(); }
  /// Hidden unless the source has a name for it.
  std::size_t add_variable(term::Sort sort, std::string name, Term init, std::uint64_t elements,
                           Flattened::Source source);
  /// A new input of the graph, of an instruction that makes memory arbitrary.
  Term fresh(term::Sort sort, std::string name, InstanceId instance, program::InstructionId at) const;

  const Program& program;
  const program::CallGraph& calls;
  const Instances& instances;
  const Options& options;
  Flattened& made;
  std::uint32_t pointer_width;
  Pointers pointers;
  std::uint64_t functions_base = 0;  ///< the address of the first function
  std::vector<Group> groups;
  std::vector<std::uint32_t> group;                ///< by object
  std::vector<std::optional<std::uint32_t>> slot;  ///< by heap object whose instruction is executed once: its own
  std::vector<bool> is_repeated;  ///< by Stack or Heap object: its instruction may be executed more than once
  std::vector<bool> is_in_loop;   ///< by Stack object: within one call
  std::vector<std::vector<std::uint32_t>> stack_groups;  ///< by instance: those of its Allocates
};
/// Of an EnterScope or LeaveScope.
ObjectId scoped_object(const Memory::Plan& plan, InstanceId instance, program::InstructionId at);
std::vector<AddressUse> address_uses(const Memory::Plan& plan, InstanceId instance, program::InstructionId instruction);

/// Where in each group an access of so many bytes through an operand may be, as far as it is valid.
struct PlannedSpots {
  std::vector<std::pair<std::uint32_t, Progression>> spots;  ///< group and offset
  bool is_trusted = false;                                   ///< it is always in one of them
};
PlannedSpots planned_spots(const Memory::Plan& plan, InstanceId instance, program::InstructionId at,
                           std::size_t operand, std::uint64_t size, bool is_write);

}  // namespace plumb::flatten
