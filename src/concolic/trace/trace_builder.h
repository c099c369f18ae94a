#pragma once

#include <memory>
#include <span>

#include "concolic/trace/trace.h"
#include "instrument/subject.h"
#include "term/value.h"

namespace plumb::concolic {

using instrument::Subject;

/// The values that the run of a trace had: of its variables, from its inputs.
term::Assignment assignment_of(const term::TermStore& store, const Trace& trace);

/// Makes traces of record streams. Variables are kept between runs (the same input, size and element give the same
/// variable), so runs share terms; region templates are made on first use. Every record is checked before it is
/// believed. One a worker, with a store of its own; not thread-safe.
class TraceBuilder {
 public:
  TraceBuilder(const Subject& subject, term::TermStore& store);
  ~TraceBuilder();
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  /// `covered`, by EdgeId: edges inside regions that are not 0 there are no alternatives; empty: all are.
  Trace build(std::span<const std::uint32_t> stream, std::span<const std::uint8_t> covered = {});

  /// The inputs of `parent` with the values that the model gives; variables it does not mention keep theirs.
  static std::vector<result::TestInput> inputs_of(const term::TermStore& store, const Trace& parent,
                                                  const term::Assignment& model);
  /// Does every condition hold under the trace's own inputs? Gives the first node where it does not, or nodes.size().
  /// Costs time and memory by the size of the store.
  static std::size_t first_false_node(const term::TermStore& store, const Trace& trace);
  /// The same of a trace of this builder, at a cost by the size of the trace.
  std::size_t first_false_node(const Trace& trace);

  /// By region: visits instantiated and terms made for them, for the cost model.
  struct RegionCost {
    std::uint64_t visits = 0;
    std::uint64_t terms = 0;
  };
  const std::vector<RegionCost>& region_costs() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumb::concolic
