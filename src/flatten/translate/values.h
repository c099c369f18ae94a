#pragma once

#include <absl/container/flat_hash_map.h>
#include <absl/container/flat_hash_set.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flatten/flatten.h"
#include "flatten/instances.h"
#include "flatten/memory.h"

namespace plumb::flatten {

using program::Function;
using program::FunctionId;
using program::Instruction;
using program::InstructionId;
using program::Kind;
using program::kNone;
using program::Value;
using program::ValueId;
using program::ValueKind;

/// An SSA value of an instance.
struct ValuePlace {
  InstanceId instance = 0;
  program::ValueId value = 0;
  friend bool operator==(const ValuePlace&, const ValuePlace&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const ValuePlace& p) {
    return H::combine(std::move(h), p.instance, p.value);
  }
};

/// Which variables of the graph hold the values that live from one statement to another. A variable is made when a
/// value is asked for outside of the statement that defines it; parameters of inlined instances are their arguments and
/// have none, nor have the results of an inlined one that returns in one place alone.
class Values {
 public:
  /// All arguments must outlive it.
  Values(const Program& program, const Instances& instances, const Memory& memory, Flattened& result);

  const program::Function& function(InstanceId instance) const {
    return program_.functions[instances_[instance].function];
  }
  const program::Value& value(ValuePlace place) const { return function(place.instance).values[place.value]; }

  /// The value that this one is a name for in an inlined call; itself if it is none.
  ValuePlace origin(ValuePlace place) const;
  /// The results of the call are values of its callee.
  bool is_transparent(InstanceId caller, const program::Instruction& call, program::InstructionId id) const;

  /// Of a constant or an address; null of anything else.
  Term constant(ValuePlace origin) const;
  /// A parameter of the entry that is the same in every run.
  void set_constant(ValuePlace place, Term term) { constants_[place] = term; }
  /// The variable's position in the graph. Needs an origin that is not a constant and not Undefined.
  std::size_t variable(ValuePlace origin);
  std::optional<std::size_t> existing_variable(ValuePlace origin) const;
  /// A variable without a value of the source.
  std::size_t add_hidden(term::Sort sort, std::string name, std::uint64_t elements = 0);

 private:
  /// What is known about a function whatever the instance.
  struct FunctionInfo {
    program::InstructionId only_return = program::kNone;
    std::vector<bool> is_loop_head;  ///< by block
    absl::flat_hash_map<std::string, std::uint32_t> name_counts;
  };
  const FunctionInfo& info(program::FunctionId f) const;
  /// The source's variable that the value is of; empty if that is not sure.
  std::string source_name(ValuePlace place) const;

  const Program& program_;
  const Instances& instances_;
  const Memory& memory_;
  Flattened& result_;
  absl::flat_hash_map<ValuePlace, std::size_t> variables_;
  absl::flat_hash_map<ValuePlace, Term> constants_;
  mutable absl::flat_hash_map<program::FunctionId, std::unique_ptr<FunctionInfo>> infos_;
};

}  // namespace plumb::flatten
