#include "system/expand_arrays.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/system/random_system.h"

namespace plumb::system {
namespace {

/// The bads and constraints of a run, by step.
std::vector<std::vector<Value>> properties_of(const System& system, const Trace& trace) {
  std::vector<std::vector<Value>> result;
  for (std::vector<Value>& values : reference_run(system, trace, false))
    result.emplace_back(values.begin() + static_cast<std::ptrdiff_t>(system.states().size()), values.end());
  return result;
}

TEST(ExpandArrays, RunsKeepTheirBadsAndConstraintsOnRandomSystems) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const System system = RandomSystem(seed).make();
    const CellSystem cells = expand_arrays(system, 1U << 20);
    cells.system.check();
    EXPECT_FALSE(has_arrays(cells.system));
    EXPECT_EQ(cells.system.states().size() + cells.system.inputs().size(), cell_count(system));
    const Trace trace = random_trace(cells.system, seed, 6);
    const Trace widened = cells.to_arrays(system, trace);
    EXPECT_EQ(properties_of(system, widened), properties_of(cells.system, trace));
  }
}

TEST(ExpandArrays, ElementsAreNamedAndPlacedByIndex) {
  System system;
  auto& store = system.store();
  const Term array = system.add_state({4, 2}, "a");
  const Term index = system.add_input({2, 0}, "i");
  system.set_init(0, store.constant_array(2, store.constant(4, 5)));
  system.set_next(0, store.store(array, index, store.zero(4)));
  system.add_bad(store.eq(store.select(array, index), store.zero(4)), "zero");
  system.add_wire(array, "w");
  const CellSystem cells = expand_arrays(system, 100);
  ASSERT_EQ(cells.system.states().size(), 4U);
  EXPECT_EQ(cells.system.state_name(2), "a[2]");
  EXPECT_EQ(cells.states[2], (CellSystem::Place{0, 2}));
  EXPECT_EQ(cells.inputs[0], (CellSystem::Place{0, std::nullopt}));
  ASSERT_EQ(cells.system.wires().size(), 4U);
  EXPECT_EQ(cells.system.wires()[3].name, "w[3]");
}

TEST(ExpandArrays, AnArrayThatIsTooLargeIsRefusedByName) {
  System system;
  system.add_state({8, 40}, "memory");
  try {
    expand_arrays(system, 1U << 20);
    FAIL() << "should have been refused";
  } catch (const Unsupported& error) {
    EXPECT_NE(error.message().find("memory"), std::string::npos);
  }
}

}  // namespace
}  // namespace plumb::system
