#pragma once

#include <absl/container/flat_hash_map.h>

#include <vector>

#include "flatten/memory/plan.h"

namespace plumb::flatten {

/// Makes the groups of a plan, but for their parts.
class ObjectMaker {
 public:
  explicit ObjectMaker(Memory::Plan& plan);

 private:
  /// The instruction may be executed again within the same call.
  bool is_in_cycle(program::FunctionId f, program::InstructionId instruction);
  void find_repetition();
  ObjectId leader(ObjectId o);
  /// Heap objects that one access may reach are in one group, so that it chooses a slot and not among groups.
  void join_heap_objects();
  void place(ObjectId o);
  bool has_known_size(ObjectId o) const;
  void finish(Group& group);
  std::size_t add_slots(const Group& group, std::uint32_t width, const char* what, Term init);
  /// Stack objects whose address may be somewhere when their call has ended, and heap objects that are freed.
  void find_deaths();
  /// The holder may be there when the stack object is not any more.
  bool outlives(ObjectId holder, ObjectId held);
  /// By instance: a call of this one may lead to it.
  const std::vector<bool>& callees_of(InstanceId caller);
  void lay_out();

  Memory::Plan& plan_;
  std::vector<std::vector<bool>> in_cycle_;  ///< by function, then block; empty if not asked for yet
  std::vector<bool> instance_repeated_;
  std::vector<ObjectId> leader_;  ///< union and find
  absl::flat_hash_map<ObjectId, bool> is_freed_;
  absl::flat_hash_map<InstanceId, std::vector<bool>> reached_;  ///< what callees_of() knows
};

}  // namespace plumb::flatten
