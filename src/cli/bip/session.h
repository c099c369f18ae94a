#pragma once

#include <istream>

#include "cli/bip/subject.h"

namespace plumb::cli {

/// `plumb bip --interactive`: shows what can happen and does what is asked for, line by line, until `q` or the end of
/// `in`. `prompts`: somebody types. Returns the exit code, as emulate() does.
int run_session(const BipSubject& subject, const BipOptions& options, const Context& context, std::istream& in,
                bool prompts);

}  // namespace plumb::cli
