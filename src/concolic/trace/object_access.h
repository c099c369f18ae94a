#pragma once

#include "term/term_store.h"

namespace plumb::concolic {

/// The address as an offset from the start of its object.
term::Term offset_in_object(term::TermStore& store, term::Term address, std::uint64_t base);

/// Do the low bits of the offset, where its shape shows them, and its upper bound allow this value?
bool may_be(const term::TermStore& store, term::Term offset, std::uint64_t value);

}  // namespace plumb::concolic
