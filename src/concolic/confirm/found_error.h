#pragma once

#include <string>

#include "concolic/search/search.h"
#include "instrument/subject.h"
#include "program/fault.h"
#include "result/defect/defect.h"

namespace plumb::concolic {

using instrument::Site;

struct NamedError {
  program::FaultKind kind = program::FaultKind::Abort;
  std::string message;
};
/// What the error would be called if nothing but the traced run was known about it.
NamedError named(const FoundError& error);

/// The signal says that the program did something wrong, and not that somebody wants it to end.
bool is_crash(int signal);
std::string signal_name(int signal);  ///< "SIGSEGV"

/// The site of the call of a model that the error is in; 0: it is in none, or the run did not say. Only boards say.
SiteId site_of_model_call(const Subject& subject, const FoundError& error);

/// Where it is, as far as that is known; else site 0. What is wrong in a model is wrong where that is called.
const Site& site_of(const Subject& subject, const FoundError& error);

/// Kind, message, place and function as far as the search knows them.
result::Defect describe_found(const Subject& subject, const FoundError& error);

}  // namespace plumb::concolic
