#pragma once

#include <vector>

#include "flatten/memory/plan.h"

namespace plumb::flatten {

/// Divides the objects of a plan's groups into parts, and makes the variables and tables that hold them.
class PartMaker {
 public:
  PartMaker(Memory::Plan& plan, const Budget& budget);

 private:
  void collect(InstanceId instance, program::InstructionId at);
  void add_access(const Group& group, std::uint32_t g, Progression offset, const AddressUse& use);
  /// Of accesses whose place is not known exactly: one part for what one of them may touch.
  void make_arrays(Group& group, const std::vector<PlannedAccess>& accesses);
  /// What is touched at known places alone, cut wherever an access begins or ends.
  void make_fields(Group& group, const std::vector<PlannedAccess>& accesses);
  void note_writes(Group& group, const std::vector<PlannedAccess>& accesses);
  void make_variables(Group& group);
  void make_variable(const Group& group, Part& part, std::vector<std::uint8_t>& bytes);
  /// Every object of the heap group starts with zeros, which slots do as they are used once.
  bool is_zeroed(const Group& group) const;
  std::vector<std::uint8_t> initial_bytes(const Group& group) const;
  Flattened::Source source_of(const Group& group, const Part& part, std::string& name) const;

  Memory::Plan& plan_;
  std::vector<std::vector<PlannedAccess>> accesses_;  ///< by group
  std::uint64_t bytes_ = 0;                           ///< of all variables
};

}  // namespace plumb::flatten
