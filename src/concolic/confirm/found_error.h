#pragma once

#include <string>

#include "concolic/search/explore.h"
#include "concolic/subject.h"
#include "program/fault.h"
#include "result/defect/defect.h"

namespace plumb::concolic {

struct NamedError {
  program::FaultKind kind = program::FaultKind::Abort;
  std::string message;
};
/// What the error would be called if nothing but the traced run was known about it.
NamedError named(const FoundError& error);

/// Where it is, as far as that is known; else site 0.
const Site& site_of(const Subject& subject, const FoundError& error);

/// Kind, message, place and function as far as the search knows them.
result::Defect describe_found(const Subject& subject, const FoundError& error);

}  // namespace plumb::concolic
