#pragma once

#include "semantics/memory/term_bytes.h"
#include "term/term_store.h"

namespace plumb::concolic {

/// The address as an offset from the start of its object.
term::Term offset_in_object(term::TermStore& store, term::Term address, std::uint64_t base);

/// `count` bytes of the object at a symbolic offset. The result is right for all offsets where the access lies inside,
/// for others arbitrary. Needs an offset that can be inside (may_be() of such a value) and an object no part of which
/// is an array term.
term::Term read_object(term::TermStore& store, const semantics::TermBytes& object, term::Term offset,
                       std::uint32_t count);
/// The object after a write of a value (whole bytes) at a symbolic offset; likewise.
void write_object(term::TermStore& store, semantics::TermBytes& object, term::Term offset, term::Term value);

/// Do the low bits of the offset, where its shape shows them, and its upper bound allow this value?
bool may_be(const term::TermStore& store, term::Term offset, std::uint64_t value);

}  // namespace plumb::concolic
