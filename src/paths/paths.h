#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>

#include "base/budget.h"
#include "paths/options.h"
#include "paths/statistics.h"
#include "program/goal.h"
#include "program/program.h"
#include "result/test_case.h"
#include "unroll/unroll.h"

namespace plumb::paths {

/// A decider that looks for one path to an event instead of making one formula of all: constraint-based bounded model
/// checking. `statistics` must outlive it.
unroll::DeciderMaker decider(const Options& options, Statistics& statistics);

/// The annotated graphs of goals, of a program that is unwound so far: one for each place where an unrolling meets a
/// violation. As text, or in the language of Graphviz.
enum class GraphForm : std::uint8_t { Text, Dot };
void show_graphs(std::ostream& out, const program::Program& program, std::span<const program::Goal> goals,
                 std::uint64_t unwind, GraphForm form, const Budget& budget);

/// A test for each feasible path to where a goal is decided: for each list of outcomes of the branches before that some
/// run makes. Calls on_path until all are known. Throws OutOfBudget.
void find_paths(const program::Program& program, std::span<const program::Goal> goals, std::uint64_t unwind,
                const Budget& budget,
                const std::function<void(std::size_t goal, const result::TestCase& test)>& on_path);

}  // namespace plumb::paths
