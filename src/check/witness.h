#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/loop_invariant.h"
#include "replay/counterexample.h"

namespace plumb::check {

using replay::Counterexample;

/// What a witness says of its task.
struct WitnessTask {
  std::vector<std::string> files;   ///< as given
  std::vector<std::string> hashes;  ///< SHA-256 of each, in hexadecimal
  std::string specification;        ///< "CHECK( init(main()), LTL(G ! call(reach_error())) )"
  std::string data_model;           ///< "ILP32", "LP64"
  std::string version{};            ///< of the producer, this program
};

/// In SV-COMP's witness format 2.0 (YAML): a violation sequence whose waypoints are the returns of the input functions
/// with their values and the target; a set of loop invariants. Source files are read for the closing parentheses that
/// the format wants; without them there are lines alone. Inputs that no function returned, or that are no integers,
/// have no waypoint. `time` is as in ISO 8601; it and `seed` make the uuid.
std::string violation_witness(const WitnessTask& task, const Counterexample& counterexample, const std::string& time,
                              std::uint64_t seed);
/// In SV-COMP's witness format 1.0 (GraphML), which has threads: an automaton whose edges are what the threads do to
/// each other, one after the other (Counterexample::lanes), with the thread, the line and the threads that are created,
/// up to the violation. Threads have their numbers from 0.
std::string concurrent_witness(const WitnessTask& task, const Counterexample& counterexample, const std::string& time);
std::string correctness_witness(const WitnessTask& task, const std::vector<LoopInvariant>& invariants,
                                const std::string& time, std::uint64_t seed);

}  // namespace plumb::check
