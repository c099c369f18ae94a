#pragma once

#include "instrument/subject.h"
#include "stream_writer.h"

namespace plumb::concolic {

using instrument::Subject;

/// Sites of sample_subject().
enum SampleSite : std::uint32_t {
  kBranchSite = 1,
  kSwitchSite,
  kCallSite,
  kAssumeSite,
  kCheckSite,
  kDivisionSite,
  kInnerSite
};

/// A subject without code but one function, `f(x, p)`: a region that is left for one of two destinations,
///
///     governor: branch x < 10, small, large
///     small:    *p = x + 1;   jump join(x)        (p: 4 bytes)
///     large:    branch x < 20, join(5), other     (kInnerSite)
///     join(y):  return y
///     other:    return x
///
/// with the ins x and x < 10, the slot *p, the out y and one cell. Global 0 is a constant table of 256 bytes: table[i]
/// = 255 - i.
Subject sample_subject();

/// A visit with the input of this id and value as x; *p is 0x04030201 at 0x2000.
void enter_sample_region(StreamWriter& w, const Subject& subject, std::uint32_t id, std::uint32_t value);

/// A stream with every kind of record that sample_subject() can be traced with.
StreamWriter sample_stream();

}  // namespace plumb::concolic
