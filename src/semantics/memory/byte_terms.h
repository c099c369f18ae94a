#pragma once

#include <cstdint>

#include "semantics/memory/concrete_bytes.h"
#include "term/term_store.h"

namespace plumb::semantics {

/// The value of two parts, one after the other in memory.
inline term::Term join_bytes(term::TermStore& terms, ByteOrder order, term::Term first, term::Term second) {
  if (!first) return second;
  return order == ByteOrder::Little ? terms.concat(second, first) : terms.concat(first, second);
}

/// Bytes [begin, end) of a value, counted in the order of memory.
inline term::Term part_of_bytes(term::TermStore& terms, ByteOrder order, term::Term value, std::uint64_t begin,
                                std::uint64_t end) {
  const std::uint64_t low = order == ByteOrder::Little ? begin : terms.width(value) / 8 - end;
  return terms.extract(value, static_cast<std::uint32_t>((low + end - begin) * 8 - 1),
                       static_cast<std::uint32_t>(low * 8));
}

}  // namespace plumb::semantics
