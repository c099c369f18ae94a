#pragma once

#include <span>
#include <vector>

#include "program/analysis/call_graph.h"
#include "program/fault.h"
#include "program/program.h"

namespace plumb::program {

/// If one value of a function depends on input, so does another, or the memory that it points to.
struct ImpliedDependence {
  FunctionId function = kNone;
  ValueId from = kNone;
  ValueId to = kNone;
  bool is_memory = false;
};

/// Which values of a program can depend on its input: SymDIVINE's static analysis (Havel,
/// "Generic Platform for Explicit-Symbolic Verification", 2014, section 3.2.1). What does
/// not is "explicable": on a given path it has one value, so an engine with explicit control stores it as a number.
///
/// Input is what Nondet gives, what MakeSymbolic and reads of descriptor 0 (or of one not known) write, the arguments
/// of the entry and all memory that comes with them, external globals, and whatever functions without a body return or
/// can reach through what they are given. Undefined values count as input; memory never written does not, for it has a
/// fixed pattern. Addresses of objects do not, unless the object's size does.
///
/// Dependence is by data alone: a value that differs between paths, but not on one path, is explicable.
/// Interprocedural, flow-insensitive, sound for programs whose pointers stay in their objects (points_to.h),
/// near-linear.
class InputDependence {
 public:
  enum class Sources : std::uint8_t {
    All,
    Outside,     ///< only what no engine controls: all of the above but Nondet, MakeSymbolic and HostRead
    Controlled,  ///< only Nondet, MakeSymbolic and HostRead
  };
  /// `implied`: further dependences that the asker knows of, such as those on a condition that it will merge paths
  /// over.
  InputDependence(const Program& program, const CallGraph& calls, std::span<const ImpliedDependence> implied = {},
                  Sources sources = Sources::All);

  bool depends(FunctionId f, ValueId v) const { return value_[first_value_[f] + v]; }
  /// Some object that the value points into has content that depends on input. For the result of an instruction that
  /// allocates, that is the content of its objects.
  bool pointees_depend(FunctionId f, ValueId v) const { return pointees_[first_value_[f] + v]; }
  /// The content of the global.
  bool global_depends(GlobalId global) const { return global_[global]; }
  /// Instructions that ask for input: Nondet, MakeSymbolic, HostRead and HostSeek that may be of descriptor 0. In the
  /// program's order.
  std::span<const CodePoint> sources() const noexcept { return sources_; }

 private:
  std::vector<std::uint32_t> first_value_;  ///< by function
  std::vector<bool> value_;
  std::vector<bool> pointees_;
  std::vector<bool> global_;
  std::vector<CodePoint> sources_;
};

}  // namespace plumb::program
