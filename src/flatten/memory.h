#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "flatten/flatten.h"
#include "flatten/instances.h"

namespace plumb::flatten {

/// The terms of memory's variables in the middle of a statement: what was assigned so far, or the variable itself.
class MemoryState {
 public:
  explicit MemoryState(const ControlGraph& graph) : graph_(&graph) {}
  Term get(std::size_t variable) const;
  void set(std::size_t variable, Term value);
  /// Of what was set, in the order of the variables; equal to the variable itself: left out.
  std::vector<ControlGraph::Assignment> assignments() const;

 private:
  const ControlGraph* graph_;
  std::vector<std::pair<std::size_t, Term>> set_;  ///< by rising position
};

/// The memory of a flattened program: which objects there are, where they lie, and which variables of the graph hold
/// their content. Every object has a fixed address, its number above its offset's bits (at least 32, with 32-bit
/// pointers 16), so that pointer arithmetic is arithmetic and an address tells its object; number 0 is null's. Parts of
/// objects whose accesses all have constant offsets are a variable a field, others an array of elements as wide as
/// their accesses allow; constants are terms. An access reaches the objects that the pointer may point to, no others.
///
/// All of its functions are for one statement: terms are over the graph's variables, inputs, and what the state holds.
/// `guard` is the condition that the instruction is executed at all; what it returns is meant under it. A run ends
/// where an access is not valid, or does not fit: what such an access reads or writes is not defined.
class Memory {
 public:
  /// Adds its variables to the graph (hidden ones; objects and fields with a name of the source are not), each with its
  /// place in Flattened::sources. Memory that becomes arbitrary in the middle of a run is read from new inputs of the
  /// graph, each with its place in Flattened::inputs. All arguments must outlive it. Throws OutOfBudget.
  Memory(const Program& program, const program::CallGraph& calls, const Instances& instances, const Options& options,
         Flattened& made, const Budget& budget);
  ~Memory();

  Term address_of_global(program::GlobalId global) const;
  Term address_of_function(program::FunctionId function) const;
  /// Of main's argv {"program", NULL}, and of its environment {NULL}.
  Term address_of_arguments() const;
  Term address_of_environment() const;

  /// A place in the program: an instance of a function, an instruction in it. `depth`: of a recursive instance, how
  /// many calls of its component were open when this one began, a term of any width; below Options::stack_depth.
  struct Place {
    InstanceId instance = 0;
    program::InstructionId instruction = program::kNone;
    Term depth;
  };
  /// Why the access, allocation or release at this place cannot be expressed, if it cannot ("an object of 4000000
  /// bytes"): to be asked first. The other functions need that there is no such reason.
  std::optional<std::string> gap(const Place& at) const;
  /// What the operand names, if it is certainly null or a constant text: "" if it is null or that is not decided.
  std::optional<std::string> name_at(const Place& at, std::size_t operand) const;
  /// The address of the indirect call there may be that of the function.
  bool may_call(const Place& at, program::FunctionId function) const;

  struct Loaded {
    Term value;
    Term is_valid;
  };
  /// The address is the value of the instruction's address operand.
  Loaded load(const MemoryState& state, const Place& at, Term address, std::uint32_t width) const;
  /// Writes under the guard; gives whether the address is valid.
  Term store(MemoryState& state, const Place& at, Term guard, Term address, Term value) const;
  /// So many bytes may be read or written at the address, which is the value of this operand: of what an intrinsic
  /// uses.
  Term can_use(const MemoryState& state, const Place& at, std::size_t operand, Term address, Term size,
               program::AccessKind kind) const;
  /// The second address lies in the object of the first, which is the value of operand 0, or just past its end; or they
  /// are the same.
  Term stays_inside(const MemoryState& state, const Place& at, Term from, Term to) const;
  struct Moved {
    Term is_valid;
    Term fits;  ///< so many bytes can be expressed (Limit::Kind::Unsupported, "a copy of so many bytes")
  };
  Moved copy(MemoryState& state, const Place& at, Term guard, Term to, Term from, Term size) const;
  Moved fill(MemoryState& state, const Place& at, Term guard, Term to, Term byte, Term size) const;

  struct Allocated {
    Term address;
    Term fits_count;  ///< an object is left (Limit::Kind::Heap)
    Term fits_size;   ///< the object is large enough (Limit::Kind::ObjectSize)

    /// Where it is not, null is given and nothing has to fit.
    void give_null_unless(term::TermStore& store, Term is_made) {
      address = store.ite(is_made, address, store.zero(store.width(address)));
      fits_count = store.implies(is_made, fits_count);
      fits_size = store.implies(is_made, fits_size);
    }
  };
  /// Of an Allocate (where fits_count is false, that is Limit::Kind::Stack); of a Malloc, Calloc (zeroed),
  /// AlignedAlloc. malloc never fails here.
  Allocated allocate_stack(MemoryState& state, const Place& at, Term guard, Term size) const;
  Allocated allocate_heap(MemoryState& state, const Place& at, Term guard, Term size, bool is_zeroed) const;
  /// The old content goes to the new object (semantics::realloc_request()); is_valid as of free().
  struct Reallocated {
    Allocated allocated;
    Term is_valid;
    Term fits;  ///< so much content can be copied, as of copy()
  };
  Reallocated reallocate(MemoryState& state, const Place& at, Term guard, Term address, Term size) const;
  /// Gives whether the address is null or that of a live heap object, which dies.
  Term free(MemoryState& state, const Place& at, Term guard, Term address) const;
  /// The call of the instance ends: its stack objects die. The place's instruction does not matter.
  void leave(MemoryState& state, const Place& at, Term guard) const;
  /// Of an EnterScope: the object lives, with arbitrary bytes. Of a LeaveScope: it does not live any more.
  void enter_scope(MemoryState& state, const Place& at, Term guard) const;
  void leave_scope(MemoryState& state, const Place& at, Term guard) const;
  /// Of an UnsetMemory: the object's bytes were never written. Gives what they are, as far as variables hold them.
  std::vector<Flattened::Creation::Bytes> unset(MemoryState& state, const Place& at, Term guard, Term address) const;
  /// Of a StackRestore: what was allocated since the StackSave dies.
  void restore_stack(MemoryState& state, const Place& at, Term guard) const;
  /// The program ends: an object that was allocated at `allocation` (a heap function's instruction, in any instance) is
  /// alive and cannot be reached from global objects. So it may be one that a local variable of a call that is open at
  /// exit() still points to.
  Term is_leaked(const MemoryState& state, CodePoint allocation) const;

  /// Bytes whose value is known to the user: fills a range with an input's value (MakeSymbolic of a known size).
  Term store_bytes(MemoryState& state, const Place& at, Term guard, Term address, Term value) const {
    return store(state, at, guard, address, value);
  }

  std::vector<std::string> assumptions() const;

  struct Plan;  ///< memory/plan.h

 private:
  std::unique_ptr<Plan> plan_;
};

}  // namespace plumb::flatten
