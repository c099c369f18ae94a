#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "concolic/region/region_template.h"
#include "concolic/trace/path_recorder.h"
#include "concolic/trace/term_table.h"
#include "concolic/trace/trace_builder.h"
#include "instrument/subject.h"

namespace plumb::concolic {

using instrument::RegionEdge;

/// Visits of regions: reads the records of entry and exit, instantiates the region's template and makes a node of it.
/// Templates are made on first use. Not thread-safe.
class RegionTracer {
 public:
  RegionTracer(const Subject& subject, term::TermStore& store);

  void enter(StreamReader& reader, TermTable& terms);
  /// Needs is_inside(). `covered` as for TraceBuilder::build().
  void exit(StreamReader& reader, TermTable& terms, PathRecorder& path, std::span<const std::uint8_t> covered);
  /// The run ended inside. Needs is_inside().
  void abandon(const Trace& trace, PathRecorder& path, std::span<const std::uint8_t> covered);

  bool is_inside() const noexcept { return visit_.has_value(); }
  /// For a new stream.
  void clear() noexcept { visit_.reset(); }
  const std::vector<TraceBuilder::RegionCost>& costs() const noexcept { return costs_; }

 private:
  struct Visit {
    std::uint32_t region = 0;
    RegionInstance instance;
  };
  RegionTemplate& formula(std::uint32_t region);
  bool read_visit(StreamReader& reader, TermTable& terms, const RegionPlan& plan, RegionVisit& visit);
  /// All but the destination or fault that the run took. True if there are any, covered or not: which nodes a trace has
  /// must not depend on other runs.
  bool alternatives(PathRecorder& path, std::uint32_t destination, std::uint32_t fault,
                    std::span<const std::uint8_t> covered);
  EdgeId edge_of(const RegionPlan& plan, const RegionEdge& edge) const;

  const Subject& subject_;
  term::TermStore& store_;
  std::vector<std::unique_ptr<RegionTemplate>> templates_;
  std::vector<TraceBuilder::RegionCost> costs_;
  std::optional<Visit> visit_;
};

}  // namespace plumb::concolic
