#pragma once

#include <memory>
#include <span>
#include <vector>

#include "instrument/regions/region_plan.h"
#include "program/fault.h"
#include "semantics/memory/term_bytes.h"
#include "term/term_store.h"

namespace plumb::concolic {

using instrument::RegionPlan;

/// What a region gets on one visit.
struct RegionVisit {
  std::vector<term::Term> ins;                ///< by RegionPlan::ins, of their widths
  std::vector<semantics::TermBytes> slots;    ///< by RegionPlan::slots: their content on entry
  std::vector<std::uint64_t> slot_addresses;  ///< by RegionPlan::slots: where they are in this run
};

/// A way to go wrong inside a region.
struct RegionFault {
  program::InstructionId instruction = program::kNone;
  program::FaultKind kind{};
};

/// The summary of one visit: all executions from the governor to any destination (Theorem 2.4.1 of LLSPLAT).
struct RegionInstance {
  std::vector<term::Term>
      destination_guards;                ///< by RegionPlan::destinations: the region is left there, without a fault
  std::vector<term::Term> edge_guards;   ///< by RegionPlan::edges: the edge is taken, without a fault before it
  std::vector<term::Term> fault_guards;  ///< by RegionTemplate::faults(): this is the first fault
};

/// The formula of a region, made once and instantiated a visit: block guards, edge guards, phi as ite, a version of
/// memory a block. Exactly one of all destination and fault guards is true for any values of the ins. Terms belong to
/// the store, which must outlive it. Not thread-safe.
class RegionTemplate {
 public:
  RegionTemplate(const program::Program& program, const RegionPlan& plan, term::TermStore& store);
  ~RegionTemplate();

  const RegionPlan& plan() const noexcept;
  std::span<const RegionFault> faults() const noexcept;
  /// Number of terms in the formula: what a visit costs at most.
  std::size_t size() const noexcept;

  RegionInstance instantiate(const RegionVisit& visit);
  /// Of the visit that was instantiated last: the outs and cells if the region was left at this destination. Arguments
  /// of other destinations are null terms; values that are not defined on every way to it, which nobody can use there,
  /// are 0.
  struct Outs {
    std::vector<term::Term> values;  ///< by RegionPlan::outs
    std::vector<term::Term> cells;   ///< by RegionPlan::cells
  };
  Outs outs(std::uint32_t destination);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::concolic
