#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "circuit/abc_driver.h"

namespace plumb::circuit {

// What ABC prints and writes. Nothing here throws for what is malformed: it is not there.

enum class AbcStatus : std::uint8_t { None, Holds, Violated, Undecided, Contradictory };
/// The Status line of print_status, if the sentence of the prover says the same.
AbcStatus read_abc_status(std::string_view output);

/// The sizes that print_stats printed, one behind each mark. Fewer if one is malformed.
std::vector<AigSize> read_abc_sizes(std::string_view output, std::string_view mark);

/// The names of an AIGER file's latches, in order.
std::optional<std::vector<std::string>> read_latch_names(const std::filesystem::path& file);

/// A file of write_cex -n.
std::optional<AbcCounterexample> read_abc_counterexample(const std::filesystem::path& file, const AbcModel& model);

/// A file of pdr -d: cubes that are not reachable. Each becomes an output that excludes it.
std::optional<AbcInvariant> read_pdr_invariant(const std::filesystem::path& file, const AbcModel& model);

/// A file of int -i: interpolants over the latches with these names. What is reachable is in one of them.
std::optional<AbcInvariant> read_interpolants(const std::filesystem::path& file, const std::vector<std::string>& names,
                                              const AbcModel& model);

}  // namespace plumb::circuit
