#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "concolic/trace/trace.h"
#include "instrument/subject.h"
#include "result/test_case.h"

namespace plumb::concolic {

using instrument::SiteId;

/// By region: 1 to summarise it. Traces of different epochs have different nodes for the same path.
struct Modes {
  std::uint32_t epoch = 0;
  std::vector<std::uint8_t> bytes;
};

/// Runs with and without summaries have different nodes for the same path. A search in which both are made has a tree
/// of paths for each: what is known of one says nothing about the other.
enum class TreeId : std::uint8_t { Regions, Paths };

/// An edge inside of a region that a path shall take besides its decisions.
struct Via {
  std::uint32_t node = program::kNone;   ///< of the region on the path; kNone: there is no such demand
  std::uint32_t index = program::kNone;  ///< of the InnerEdge alternative
  EdgeId edge = program::kNone;
  explicit operator bool() const noexcept { return node != program::kNone; }
};

/// A run that was made, as far as it takes to make it again.
struct Origin {
  std::uint64_t number = 0;          ///< of the run, from 1
  std::vector<std::uint8_t> inputs;  ///< of result::pack_inputs()
  TreeId tree = TreeId::Regions;
  std::shared_ptr<const Modes> modes;
  std::uint32_t max_nodes = 0;
  std::uint64_t random_seed = 0;
  std::uint32_t new_edges = 0;  ///< that it covered first
  std::uint32_t node_count = 0;
  std::uint64_t prefix = 0;  ///< of its last node; 0 if it has none
  Via via;                   ///< of a run whose assumption failed: the edge that it was made for
  /// Of such a run: the edges it took that no run that counts had taken.
  std::vector<EdgeId> uncounted;

  std::vector<result::TestInput> unpacked_inputs() const;
};

/// A way that no run went yet, as concrete data: the nodes of `origin` before `node` and then an alternative. Any
/// worker can take it, by running the origin again if it has not its trace.
struct Candidate {
  std::shared_ptr<const Origin> origin;
  std::uint64_t before = 0;  ///< prefix of the nodes before; 0 if there are none
  std::uint64_t key = 0;     ///< of (before, node, alternative): two candidates with the same lead to the same paths
  std::uint64_t target = 0;  ///< of (site, alternative): where it leads, whatever the path
  std::uint32_t node = 0;
  std::uint32_t visit = 1;  ///< of the site on this path, from 1
  std::uint32_t site = 0;   ///< as PathNode::site
  std::uint32_t index = 0;  ///< as Alternative::index
  EdgeId edge = program::kNone;
  PathNode::Kind node_kind = PathNode::Kind::Branch;
  Alternative::Kind kind = Alternative::Kind::Edge;
  /// A run that took an edge inside of a region ended in a failed assumption and does not count: the ways that lead on
  /// from there are tried with the same edge, until a run counts.
  Via via;
  PathNode::Checked checked;  ///< as of the node
  /// The alternative is that a Constraint does not hold: another value than the pinned one, an address outside of the
  /// object. Asked for last; unless it is refuted, paths are left out.
  bool is_escape = false;
  std::uint32_t taken = 0;  ///< as PathNode::taken, of the origin
  /// Of an alternative that only says "elsewhere" (an escape, another target of a call): runs that came to the node and
  /// went other ways than the origin, which are not asked for again. Filled when the candidate is taken. Of a defect:
  /// runs that were to show it but came into other objects.
  std::vector<std::shared_ptr<const Origin>> siblings;
  std::uint8_t attempts = 0;  ///< that ended without an answer

  bool is_elsewhere() const noexcept { return is_escape || kind == Alternative::Kind::Target; }
  /// A check fails, and the run goes on.
  bool is_defect() const noexcept { return kind == Alternative::Kind::Violation && checked.defect != 0 && !is_escape; }
};

/// The order in which visits of a site are tried: 1, 2, 4, 8, …, then the others. In a loop, an unsatisfiable query at
/// one visit says little about the far ones, and these cost more.
struct VisitRank {
  bool is_between = false;
  std::uint32_t visit = 0;
  explicit VisitRank(std::uint32_t v) : is_between((v & (v - 1)) != 0), visit(v) {}
  friend auto operator<=>(const VisitRank&, const VisitRank&) = default;
};

/// Candidates of a trace, by node, then in the order of the alternatives.
struct Enumeration {
  std::vector<Candidate> candidates;
  std::vector<std::uint64_t> taken;  ///< keys of the ways that the run itself went
  bool is_bounded = false;           ///< `max_loop` left some out
};
/// All from node `first` on, but for edges inside of regions that are covered (by EdgeId). `max_loop`: visits of a site
/// whose alternatives are taken; 0: all.
Enumeration enumerate(const Trace& trace, const std::shared_ptr<const Origin>& origin, std::size_t first,
                      std::uint32_t max_loop, std::span<const std::uint8_t> covered);
/// Those of them that lead on from `via`, with that demand.
std::vector<Candidate> enumerate_via(const std::vector<Candidate>& candidates, const Via& via);

/// The conditions that lead there, last the alternative's. Needs reaches(); empty if the trace has not the alternative
/// any more (an edge inside of a region that was covered meanwhile).
std::vector<term::Term> query_of(term::TermStore& store, const Trace& trace, const Candidate& candidate);
/// Alternative::near of the candidate's alternative, or null. Needs a query_of() that is not empty.
term::Term near_of(const Trace& trace, const Candidate& candidate);
/// The trace comes to the candidate's node on its prefix.
bool reaches(const Trace& trace, const Candidate& candidate);

/// Candidate::target of a violation that shows this defect (enum plumb_defect) at the site.
std::uint64_t defect_target(SiteId site, std::uint32_t defect);

std::uint64_t mix(std::uint64_t a, std::uint64_t b);

}  // namespace plumb::concolic
