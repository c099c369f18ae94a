#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <sstream>
#include <vector>

#include "concolic/region/region_template.h"
#include "program/analysis/liveness.h"
#include "program/printer.h"
#include "region_reference.h"
#include "term/evaluator.h"

namespace plumb::concolic {

using instrument::LiveOut;
using instrument::MemoryCell;
using instrument::MemorySlot;
using instrument::RegionMark;

/// What was compared, so that a test can say that it was not nothing.
struct CheckCounts {
  std::uint64_t regions = 0, visits = 0, destinations = 0, faults = 0, values = 0, arguments = 0, cells = 0;
  std::uint64_t blocks = 0, side_entries = 0, largest = 0;
  std::uint64_t direct_edges = 0, switches = 0;  ///< from governors to destinations; governors
  std::uint64_t unmarked = 0;                    ///< visits without a symbolic mark
  std::uint64_t overflows = 0, shifts = 0;       ///< of the faults
};

/// Theorem 2.4.1 as a check: instances of a region's template against reference runs of the region.
class RegionCheck {
 public:
  RegionCheck(const program::Program& program, const RegionPlan& plan, std::mt19937& random, CheckCounts& counts)
      : program_(program),
        function_(program.functions[plan.function]),
        plan_(plan),
        random_(random),
        counts_(counts),
        template_(program, plan, store_),
        liveness_(function_, program::Uses(function_)) {
    for (std::uint32_t slot = 0; slot < plan.slots.size(); ++slot) {
      const bool has_cell =
          std::any_of(plan.cells.begin(), plan.cells.end(), [&](const MemoryCell& cell) { return cell.slot == slot; });
      EXPECT_EQ(plan.slots[slot].is_written, has_cell);
    }
    ++counts_.regions;
    counts_.blocks += plan.blocks.size();
    const std::set<program::BlockId> inside(plan.blocks.begin(), plan.blocks.end());
    for (program::BlockId b = 0; b < function_.blocks.size(); ++b)
      for (const program::Edge& edge : function_.successors(b))
        counts_.side_entries += inside.contains(edge.target) && b != plan.governor && !inside.contains(b);
    for (const program::Edge& edge : function_.successors(plan.governor))
      counts_.direct_edges += !inside.contains(edge.target);
    counts_.switches += function_.terminator(plan.governor).kind == program::Kind::Switch;
    counts_.largest = std::max<std::uint64_t>(counts_.largest, plan.blocks.size());
  }

  RegionTemplate& region() { return template_; }
  term::TermStore& store() { return store_; }

  /// One visit of the region; `run` stands at the end of the governor.
  void check(const ReferenceRun& run) {
    const std::vector<std::uint64_t> addresses = slot_addresses(run);
    if (!is_allowed(run, addresses)) return;
    ++counts_.visits;
    term::Assignment assignment;
    const RegionVisit visit = make_visit(run, addresses, assignment);
    ReferenceRun after = run;
    const ReferenceVisit expected = run_region(after, plan_);
    const RegionInstance instance = template_.instantiate(visit);
    term::Evaluator evaluator(store_, assignment);
    compare_guards(instance, expected, after, evaluator);
    check_marks(run, addresses);
    template_.instantiate(visit);
    if (!expected.destination || testing::Test::HasFailure()) return;
    const auto d = static_cast<std::uint32_t>(
        std::find(plan_.destinations.begin(), plan_.destinations.end(), *expected.destination) -
        plan_.destinations.begin());
    compare_outs(d, after, evaluator);
    compare_memory(d, run, after, addresses, evaluator);
  }

 private:
  bool coin() { return random_() % 2 == 0; }

  std::vector<std::uint64_t> slot_addresses(const ReferenceRun& run) const {
    std::vector<std::uint64_t> addresses;
    for (const MemorySlot& slot : plan_.slots)
      addresses.push_back(run.value(slot.base).to_uint64() + static_cast<std::uint64_t>(slot.offset));
    return addresses;
  }

  /// What the runtime checks before it takes the plain version: slots of unknown bases lie in objects, and what is
  /// written overlaps no other slot.
  bool is_allowed(const ReferenceRun& run, const std::vector<std::uint64_t>& addresses) const {
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      const bool is_inside = run.is_inside_object(addresses[i], plan_.slots[i].size);
      EXPECT_TRUE(is_inside || !plan_.slots[i].is_known) << "a known slot should lie in its object";
      if (!is_inside) return false;
      for (std::size_t k = 0; k < i; ++k) {
        const bool overlaps =
            addresses[i] < addresses[k] + plan_.slots[k].size && addresses[k] < addresses[i] + plan_.slots[i].size;
        EXPECT_FALSE(overlaps && plan_.slots[i].is_known && plan_.slots[k].is_known)
            << "known slots should not overlap";
        if (overlaps && (plan_.slots[i].is_written || plan_.slots[k].is_written)) return false;
      }
    }
    return true;
  }

  /// Some values as constants, others as variables with an assignment.
  term::Term term_for(const BitVector& value, term::Assignment& assignment) {
    if (coin()) return store_.constant(value);
    const term::Term variable = store_.variable(value.width(), "x");
    assignment[variable] = value;
    return variable;
  }

  RegionVisit make_visit(const ReferenceRun& run, const std::vector<std::uint64_t>& addresses,
                         term::Assignment& assignment) {
    RegionVisit visit;
    visit.slot_addresses = addresses;
    for (const program::ValueId v : plan_.ins) visit.ins.push_back(term_for(run.value(v), assignment));
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      semantics::TermBytes bytes({}, plan_.slots[i].size, {.order = run.order()});
      for (std::uint32_t at = 0; at < plan_.slots[i].size;) {
        const auto size = std::min<std::uint32_t>(1U << random_() % 4, plan_.slots[i].size - at);
        bytes.store(store_, at, term_for(BitVector(size * 8, run.load(addresses[i] + at, size)), assignment));
        at += size;
      }
      visit.slots.push_back(std::move(bytes));
    }
    return visit;
  }

  /// With constants for all that is marked, every guard is a constant.
  void check_marks(const ReferenceRun& run, const std::vector<std::uint64_t>& addresses) {
    if (random_() % 16 != 0) return;
    RegionVisit visit;
    visit.slot_addresses = addresses;
    for (const program::ValueId v : plan_.ins)
      visit.ins.push_back(store_.variable(function_.values[v].width, "unmarked"));
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      semantics::TermBytes bytes({}, plan_.slots[i].size, {.order = run.order()});
      for (std::uint32_t at = 0; at < plan_.slots[i].size; ++at)
        bytes.store(store_, at, store_.variable(8, "unmarked"));
      visit.slots.push_back(std::move(bytes));
    }
    for (const RegionMark& mark : plan_.marks) {
      if (mark.slot == program::kNone) visit.ins[mark.offset] = store_.constant(run.value(plan_.ins[mark.offset]));
      for (std::uint32_t k = 0; mark.slot != program::kNone && k < mark.size; ++k) {
        const std::uint64_t at = mark.offset + k;
        visit.slots[mark.slot].store(store_, at, store_.constant(8, run.load(addresses[mark.slot] + at, 1)));
      }
    }
    const RegionInstance instance = template_.instantiate(visit);
    ++counts_.unmarked;
    for (const auto& guards : {instance.destination_guards, instance.edge_guards, instance.fault_guards})
      for (const term::Term guard : guards) EXPECT_TRUE(store_.is_constant(guard)) << "a mark is missing" << describe();
  }

  void compare_guards(const RegionInstance& instance, const ReferenceVisit& expected, const ReferenceRun& after,
                      term::Evaluator& evaluator) {
    ASSERT_EQ(instance.destination_guards.size(), plan_.destinations.size());
    ASSERT_EQ(instance.edge_guards.size(), plan_.edges.size());
    ASSERT_EQ(instance.fault_guards.size(), template_.faults().size());
    counts_.destinations += expected.destination.has_value();
    for (std::size_t d = 0; d < plan_.destinations.size(); ++d)
      EXPECT_EQ(evaluator.is_true(instance.destination_guards[d]), expected.destination == plan_.destinations[d])
          << "destination " << plan_.destinations[d] << describe();
    for (std::size_t e = 0; e < plan_.edges.size(); ++e)
      EXPECT_EQ(evaluator.is_true(instance.edge_guards[e]),
                expected.edges.contains({plan_.edges[e].from, plan_.edges[e].index}))
          << "edge " << plan_.edges[e].from << " -> " << plan_.edges[e].to << describe();
    bool is_explained = !after.fault.has_value();
    for (std::size_t f = 0; f < instance.fault_guards.size(); ++f) {
      const RegionFault& fault = template_.faults()[f];
      const bool happened =
          after.fault && after.fault->instruction == fault.instruction && after.fault->kind == fault.kind;
      is_explained = is_explained || happened;
      counts_.faults += happened;
      counts_.overflows += happened && fault.kind == program::FaultKind::SignedOverflow;
      counts_.shifts += happened && fault.kind == program::FaultKind::ShiftOutOfRange;
      EXPECT_EQ(evaluator.is_true(instance.fault_guards[f]), happened)
          << "fault " << name(fault.kind) << " of instruction " << fault.instruction << describe();
    }
    EXPECT_TRUE(is_explained) << "a fault that the template does not know" << describe();
  }

  void compare_outs(std::uint32_t d, const ReferenceRun& after, term::Evaluator& evaluator) {
    const RegionTemplate::Outs outs = template_.outs(d);
    ASSERT_EQ(outs.values.size(), plan_.outs.size());
    const auto live = liveness_.live_in(plan_.destinations[d]);
    for (std::size_t i = 0; i < plan_.outs.size(); ++i) {
      const LiveOut& out = plan_.outs[i];
      if (out.destination != program::kNone && out.destination != d) {
        EXPECT_FALSE(outs.values[i]);
        continue;
      }
      ASSERT_TRUE(outs.values[i]);
      const bool is_value = out.destination == program::kNone;
      if (is_value && !std::binary_search(live.begin(), live.end(), out.value)) continue;
      ++(is_value ? counts_.values : counts_.arguments);
      EXPECT_EQ(evaluator.bits(outs.values[i]), after.value(out.value)) << "value " << out.value << describe();
    }
  }

  /// Cells have their values, and nothing else has changed.
  void compare_memory(std::uint32_t d, const ReferenceRun& before, const ReferenceRun& after,
                      const std::vector<std::uint64_t>& addresses, term::Evaluator& evaluator) {
    const RegionTemplate::Outs outs = template_.outs(d);
    ASSERT_EQ(outs.cells.size(), plan_.cells.size());
    std::set<std::uint64_t> covered;
    for (std::size_t i = 0; i < plan_.cells.size(); ++i) {
      const MemoryCell& cell = plan_.cells[i];
      const std::uint64_t address = addresses[cell.slot] + cell.offset;
      for (std::uint32_t k = 0; k < cell.size; ++k) covered.insert(address + k);
      ++counts_.cells;
      EXPECT_EQ(evaluator.bits(outs.cells[i]), BitVector(cell.size * 8, after.load(address, cell.size)))
          << "cell " << cell.offset << " of slot " << cell.slot << describe();
    }
    for (const auto& [address, byte] : before.memory)
      ASSERT_TRUE(covered.contains(address) || byte == after.memory.at(address)) << describe();
  }

  std::string describe() const {
    std::ostringstream text;
    text << " in the region of block " << plan_.governor << " of\n";
    program::print(text, program_, plan_.function);
    return text.str();
  }

  const program::Program& program_;
  const program::Function& function_;
  const RegionPlan& plan_;
  std::mt19937& random_;
  CheckCounts& counts_;
  term::TermStore store_;
  RegionTemplate template_;
  program::Liveness liveness_;
};

}  // namespace plumb::concolic
