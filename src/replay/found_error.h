#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/subject.h"
#include "program/fault.h"
#include "replay/replayer.h"
#include "replay/run_end.h"
#include "result/defect/defect.h"
#include "result/test_case.h"

namespace plumb::replay {

using instrument::EdgeId;
using instrument::Site;
using instrument::SiteId;
using instrument::Subject;

/// A run that ended in an error (an assertion, a crash, a division by zero), or that showed a defect, whether or not it
/// went on. One a place and kind; a shorter input for the same place replaces it, as does one that shows the defect
/// before any other. What is wrong inside a model of a library function has as many places as the model has callers.
struct FoundError {
  RunEnd end = RunEnd::Error;  ///< Defect, or how the run ended
  int code = 0;                ///< of a Defect enum plumb_defect; enum plumb_error or the signal
  SiteId site = 0;             ///< where known; of a leak, of the allocation
  /// Tells places apart that have no site of their own. Of a signal: an edge. Of a Defect that is a leak or inside of a
  /// model: a hash of the call stack.
  EdgeId last_edge = program::kNone;
  bool is_after_another = false;  ///< of a Defect: the run had another one before; not known of an earlier session
  result::TestCase test;
  std::uint32_t test_number = 0;
  std::uint64_t runs = 0;
};
struct NamedError {
  program::FaultKind kind = program::FaultKind::Abort;
  std::string message;
};
/// What a run on a target told, each as the search would have found it.
std::vector<FoundError> errors_of(const Replay& replay, const result::TestCase& test);
/// What the error would be called if nothing but the traced run was known about it.
NamedError named(const FoundError& error);

/// The site of the call of a model that the error is in; 0: it is in none, or the run did not say. Only boards say.
SiteId site_of_model_call(const Subject& subject, const FoundError& error);

/// Where it is, as far as that is known; else site 0. What is wrong in a model is wrong where that is called.
const Site& site_of(const Subject& subject, const FoundError& error);

/// Kind, message, place and function as far as the search knows them.
result::Defect describe_found(const Subject& subject, const FoundError& error);

}  // namespace plumb::replay
