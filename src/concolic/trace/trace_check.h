#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "concolic/trace/trace.h"
#include "instrument/subject.h"

namespace plumb::concolic {

using instrument::Subject;

/// Holds a trace against its own run, a diagnosis of the whole way from the instrumentation to the terms: under the
/// run's inputs every condition is true, no alternative is, and edges inside of regions are those that the run covered.
/// `coverage`: of the run, by EdgeId. Gives what contradicts it, or nothing. Costs time by the size of the store.
std::string contradiction_of(const Subject& subject, const term::TermStore& store, const Trace& trace,
                             std::span<const std::uint8_t> coverage);

}  // namespace plumb::concolic
