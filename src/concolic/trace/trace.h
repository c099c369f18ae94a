#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "instrument/subject.h"
#include "replay/seen_defect.h"
#include "result/test_case.h"
#include "term/term_store.h"

namespace plumb::concolic {

using instrument::EdgeId;
using replay::SeenDefect;

/// Another way that the run could have gone at a node.
struct Alternative {
  enum class Kind : std::uint8_t {
    Edge,         ///< the other edge of a branch or switch; index: its edge
    Destination,  ///< another destination of a region; index: in RegionPlan::destinations
    InnerEdge,    ///< an edge inside a region; index: in RegionPlan::edges. Worth a query only while it is not covered
    Target,       ///< another target of a call through a pointer
    /// A check fails, a divisor is zero. Index: of a region in RegionTemplate::faults(), of a check enum plumb_defect
    Violation,
    Assumption,  ///< an assumption or check that failed in this run holds, a divisor that was zero is not; index as
                 ///< above
  };
  Kind kind = Kind::Edge;
  std::uint32_t index = 0;
  term::Term condition;          ///< together with the conditions of all nodes before this one
  EdgeId edge = program::kNone;  ///< that would be covered, where it is one
  /// Of a Violation: a condition with which less can go wrong (just beyond the object), asked for if there is a choice.
  term::Term near = {};
};

/// One decision of a run that depends on input: LLSPLAT's BrNode and BmcNode, and what constrains the path besides.
struct PathNode {
  enum class Kind : std::uint8_t {
    Branch,  ///< BrNode: branch or switch
    Region,  ///< BmcNode
    CallTarget,
    Assume,
    Check,
    Division,
    Constraint,  ///< a pin, or the bounds of a symbolic address: holds on this path, has no alternative
  };
  Kind kind = Kind::Branch;
  std::uint32_t site = 0;  ///< SiteId; of a Region its index in Subject::regions
  /// Edge, destination (kNone for a region that was not left), the low half of a call's target, both halves of a pinned
  /// value or of the address of the object folded into one; of the others 1 if what they ask for held.
  std::uint32_t taken = 0;
  term::Term condition;  ///< true in this run, given those of the nodes before
  std::uint32_t first_alternative = 0;
  std::uint32_t alternative_count = 0;
  /// Of all decisions up to and with this one: two runs with the same prefix have the same.
  std::uint64_t prefix = 0;
  struct Checked {
    std::uint32_t defect = 0;  ///< what is wrong if it does not hold, enum plumb_defect, and then the run goes on; 0: a
                               ///< property, which ends it
    /// Tells the object that is accessed from others: another input may lead into another one, which is no violation.
    std::uint32_t object = 0;
  };
  Checked checked = {};  ///< of a Check
};

/// Symbolic data that went on as concrete, by reason and what it happened at.
struct LostPrecision {
  std::uint32_t reason = 0;   ///< enum plumb_pin_reason
  std::uint32_t subject = 0;  ///< as there
  friend auto operator<=>(const LostPrecision&, const LostPrecision&) = default;
};

/// A run as constraints over its inputs. Nodes that are always so are left out: those whose condition is constant, but
/// for regions with alternatives (a region with one destination has edges inside). Terms belong to the builder's store.
struct Trace {
  std::vector<PathNode> nodes;
  std::vector<Alternative> alternatives;
  std::vector<result::TestInput> inputs;  ///< all that the program asked for, with the bytes it got
  /// Variables of the inputs: by input, then element.
  std::vector<std::vector<term::Term>> variables;
  std::map<LostPrecision, std::uint64_t> lost;
  std::vector<SeenDefect> defects;  ///< in their order
  std::uint32_t region_visits = 0;
  bool is_cut = false;      ///< at the limit of nodes; the run went on
  bool is_complete = true;  ///< false: the stream broke off or made no sense; `problem` says where
  std::string problem;

  std::span<const Alternative> alternatives_of(const PathNode& node) const {
    return {alternatives.data() + node.first_alternative, node.alternative_count};
  }
};

}  // namespace plumb::concolic
