#pragma once

#include <string>

#include "instrument/subject.h"

namespace plumb::instrument {

/// A sum of all that makes runs of a subject what they are: its code, the content of its globals, and its sites. Two
/// subjects with the same number their edges and regions alike, so what a campaign knows of one holds for the other.
/// Names of files do not count.
std::string fingerprint(const Subject& subject);

}  // namespace plumb::instrument
