#pragma once

#include <absl/container/flat_hash_map.h>

#include <memory>
#include <string>
#include <vector>

#include "program/analysis/unwinding_plan.h"
#include "program/goal.h"
#include "program/platform.h"
#include "unroll/memory.h"
#include "unroll/shared_accesses.h"
#include "unroll/unroll.h"

namespace plumb::unroll {

/// An event of an unrolling: something that happens when a block is executed, in a call and an iteration.
struct EventId {
  std::uint32_t place = 0;  ///< of World::place()
  program::InstructionId instruction = 0;
  std::uint32_t part = 0;  ///< where an instruction makes several things
  friend bool operator==(const EventId&, const EventId&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const EventId& e) {
    return H::combine(std::move(h), e.place, e.instruction, e.part);
  }
};

/// What stays from one bound to the next: terms, addresses and inputs. An execution to a greater bound repeats what the
/// one before did; as equal events have equal variables and objects, it finds the same terms, which the solver knows.
class World {
 public:
  World(const Program& the_program, const Options& the_options);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  const Program& program;
  const program::Platform platform;
  const Options& options;
  TermStore terms;
  Paths paths;
  Objects objects;
  UnwrittenBytes unwritten;
  Resolver resolver;
  MemoryState initial;               ///< before the first instruction
  SharedAccesses shared_accesses;    ///< of threads
  std::vector<Term> output_streams;  ///< the addresses of semantics::standard_streams()

  const program::UnwindingPlan& plan(program::FunctionId function);
  Term address_of(const program::Value& value);  ///< of a GlobalAddress or FunctionAddress
  program::FunctionId function_of(ObjectId object) const { return objects[object].index; }
  ObjectId object_of(program::GlobalId global) const { return global_objects_[global]; }
  /// `extern int table[];`: it has some room here, and what is beyond that is not known to be beyond the object.
  bool has_unknown_size(ObjectId object) const;
  /// argc, argv, envp.
  std::vector<Term> arguments_of_main(MemoryState& memory);

  /// A number for a list of numbers that says where an event is.
  std::uint32_t place(std::vector<std::uint32_t> description);
  /// The variable of an event; made at the first call.
  Term variable(const EventId& event, std::uint32_t width, const std::string& name);
  /// Likewise the object; nothing if there is no room.
  std::optional<ObjectId> object(const EventId& event, ObjectKind kind, std::uint64_t capacity,
                                 std::uint32_t alignment);
  /// Of an object that begins to live again: who its unwritten bytes are asked of, which no address leads to.
  ObjectId life(const EventId& event);
  std::uint32_t pointer_width() const noexcept { return program.layout.pointer_width; }
  Term pointer_constant(std::uint64_t value) { return terms.constant(pointer_width(), value); }

 private:
  void lay_out_globals();
  TermBytes initial_content(program::GlobalId global, ObjectId object);

  std::vector<std::unique_ptr<program::UnwindingPlan>> plans_;
  std::vector<ObjectId> function_objects_;
  std::vector<ObjectId> global_objects_;
  std::vector<ObjectId> argument_objects_;
  absl::flat_hash_map<std::vector<std::uint32_t>, std::uint32_t> places_;
  absl::flat_hash_map<EventId, Term> variables_;
  absl::flat_hash_map<EventId, std::vector<ObjectId>> objects_of_;
  absl::flat_hash_map<EventId, ObjectId> lives_;
};

}  // namespace plumb::unroll
