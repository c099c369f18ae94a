// LLSPLAT's BmcNode (section 2.4.3): the node of a visit is the guard of the destination that the run took. Where
// LLSPLAT has the other destinations as targets, we add the edges inside the region and its faults, as their guards are
// there.
#include "concolic/trace/region_tracer.h"

#include <fmt/core.h>

#include <utility>

#include "base/error.h"
#include "term/evaluator.h"

namespace plumb::concolic {

using instrument::MemorySlot;
using instrument::Site;
using instrument::SiteId;

using program::kNone;
using term::Term;

RegionTracer::RegionTracer(const Subject& subject, term::TermStore& store)
    : subject_(subject), store_(store), templates_(subject.regions.size()), costs_(subject.regions.size()) {}

RegionTemplate& RegionTracer::formula(std::uint32_t region) {
  std::unique_ptr<RegionTemplate>& result = templates_[region];
  if (!result) result = std::make_unique<RegionTemplate>(subject_.program, subject_.regions[region], store_);
  return *result;
}

bool RegionTracer::read_visit(StreamReader& reader, TermTable& terms, const RegionPlan& plan, RegionVisit& visit) {
  const program::Function& function = subject_.program.functions[plan.function];
  for (const program::ValueId in : plan.ins) {
    const std::uint32_t id = reader.word();
    const std::uint64_t value = reader.value();
    const Term t = terms.term_or_value(reader, id, value, function.values[in].width);
    if (reader.has_failed()) return false;
    visit.ins.push_back(t);
  }
  for (const MemorySlot& slot : plan.slots) {
    std::uint64_t address = 0;
    semantics::TermBytes content = terms.object(reader, address);
    if (reader.has_failed()) return false;
    if (content.size() != slot.size) {
      reader.fail(fmt::format("a slot of {} bytes has {}", slot.size, content.size()));
      return false;
    }
    visit.slots.push_back(std::move(content));
    visit.slot_addresses.push_back(address);
  }
  return true;
}

void RegionTracer::enter(StreamReader& reader, TermTable& terms) {
  const std::uint32_t region = reader.region();
  if (reader.has_failed()) return;
  RegionVisit visit;
  if (!read_visit(reader, terms, subject_.regions[region], visit)) return;
  const std::uint32_t before = store_.size();
  visit_.emplace(region, formula(region).instantiate(visit));
  ++costs_[region].visits;
  costs_[region].terms += store_.size() - before;
}

EdgeId RegionTracer::edge_of(const RegionPlan& plan, const RegionEdge& edge) const {
  const SiteId id = subject_.terminator_sites[plan.function][edge.from];
  if (id == 0) return kNone;
  const Site& site = subject_.sites[id];
  return site.first_edge != kNone && edge.index < site.edge_count ? site.first_edge + edge.index : kNone;
}

bool RegionTracer::alternatives(PathRecorder& path, std::uint32_t destination, std::uint32_t fault,
                                std::span<const std::uint8_t> covered) {
  const RegionPlan& plan = subject_.regions[visit_->region];
  const RegionInstance& instance = visit_->instance;
  bool has_any = false;
  const auto add = [&](Alternative::Kind kind, std::uint32_t index, Term condition, EdgeId edge = kNone) {
    has_any = has_any || !store_.is_false(condition);
    if (edge >= covered.size() || covered[edge] == 0) path.alternative(kind, index, condition, edge);
  };
  for (std::uint32_t d = 0; d < plan.destinations.size(); ++d)
    if (d != destination) add(Alternative::Kind::Destination, d, instance.destination_guards[d]);
  for (std::uint32_t e = 0; e < plan.edges.size(); ++e) {
    const EdgeId edge = edge_of(plan, plan.edges[e]);
    // An edge that every visit takes was taken by this one.
    if (edge == kNone || store_.is_true(instance.edge_guards[e])) continue;
    add(Alternative::Kind::InnerEdge, e, instance.edge_guards[e], edge);
  }
  for (std::uint32_t f = 0; f < instance.fault_guards.size(); ++f)
    if (f != fault) add(Alternative::Kind::Violation, f, instance.fault_guards[f]);
  return has_any;
}

void RegionTracer::exit(StreamReader& reader, TermTable& terms, PathRecorder& path,
                        std::span<const std::uint8_t> covered) {
  INVARIANT(is_inside(), "a region should be entered before it is left");
  const std::uint32_t region = reader.region();
  const std::uint32_t destination = reader.word();
  if (reader.has_failed()) return;
  if (region != visit_->region || destination >= subject_.regions[region].destinations.size()) {
    return reader.fail("it leaves a region that was not entered, or for no destination of it");
  }
  const bool has_choice = alternatives(path, destination, kNone, covered);
  path.node(PathNode::Kind::Region, region, destination, visit_->instance.destination_guards[destination], has_choice);
  visit_.reset();
  if (reader.has_failed()) return;
  const std::uint32_t before = store_.size();
  const RegionTemplate::Outs outs = formula(region).outs(destination);
  costs_[region].terms += store_.size() - before;
  for (const Term t : outs.values) terms.add(t);
  for (const Term t : outs.cells) terms.add(t);
}

void RegionTracer::abandon(const Trace& trace, PathRecorder& path, std::span<const std::uint8_t> covered) {
  INVARIANT(is_inside(), "a region should be entered before it is abandoned");
  const std::vector<Term>& faults = visit_->instance.fault_guards;
  std::uint32_t fault = 0;
  if (!faults.empty()) {
    const term::Assignment inputs = assignment_of(store_, trace);
    term::Evaluator evaluator(store_, inputs);
    while (fault < faults.size() && !evaluator.is_true(faults[fault])) ++fault;
  }
  // Otherwise it was ended from outside (out of time, killed), of which the inputs say nothing.
  const bool is_explained = fault < faults.size();
  alternatives(path, kNone, is_explained ? fault : kNone, covered);
  path.node(PathNode::Kind::Region, visit_->region, kNone, is_explained ? faults[fault] : store_.boolean(true), true);
  visit_.reset();
}

}  // namespace plumb::concolic
