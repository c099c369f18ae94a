#include "semantics/memory/unwritten_bytes.h"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/memory/byte_terms.h"

namespace plumb::semantics {

using term::Term;

Term UnwrittenBytes::variable(term::Sort sort, ObjectId object, std::uint64_t offset) {
  all_.push_back(terms_.variable(sort, fmt::format("unwritten{}.{}", object, offset)));
  return all_.back();
}

Term UnwrittenBytes::next_part(ObjectId id, Object& object, std::uint64_t& offset, std::uint64_t end) {
  const std::uint64_t begin = offset;
  const auto next = object.pieces.upper_bound(begin);
  if (next != object.pieces.begin()) {
    const auto& [start, piece] = *std::prev(next);
    const std::uint64_t stop = start + terms_.width(piece) / 8;
    if (begin < stop) {
      offset = std::min(end, stop);
      return part_of_bytes(terms_, order_, piece, begin - start, offset - start);
    }
  }
  if (next != object.pieces.end()) end = std::min(end, next->first);
  if (!object.variable) {
    offset = end;
    const Term made = variable({static_cast<std::uint32_t>((end - begin) * 8), 0}, id, begin);
    object.pieces.emplace_hint(next, begin, made);
    return made;
  }
  const std::uint64_t unit = object.array.unit;
  const std::uint64_t element = begin / unit;
  offset = std::min(end, (element + 1) * unit);
  const Term index = terms_.constant(terms_.sort(object.variable).index_width, element);
  return part_of_bytes(terms_, order_, terms_.select(object.variable, index), begin - element * unit,
                       offset - element * unit);
}

Term UnwrittenBytes::bytes(ObjectId object, std::uint64_t offset, std::uint64_t count) {
  Object& found = objects_[object];
  const std::uint64_t end = offset + count;
  Term value;
  while (offset < end) value = join_bytes(terms_, order_, value, next_part(object, found, offset, end));
  return value;
}

std::vector<std::pair<std::uint64_t, Term>> UnwrittenBytes::of(ObjectId object) const {
  std::vector<std::pair<std::uint64_t, Term>> variables;
  const auto found = objects_.find(object);
  if (found == objects_.end()) return variables;
  if (found->second.variable) variables.emplace_back(0, found->second.variable);
  variables.insert(variables.end(), found->second.pieces.begin(), found->second.pieces.end());
  return variables;
}

UnwrittenBytes::Array UnwrittenBytes::array(ObjectId object, std::uint64_t unit, std::uint32_t index_width) {
  Object& found = objects_[object];
  if (found.variable) return found.array;
  found.variable = variable({static_cast<std::uint32_t>(unit * 8), index_width}, object, 0);
  found.array = {found.variable, unit};
  std::uint64_t done = 0;
  for (const auto& [start, piece] : found.pieces) {
    const std::uint64_t stop = start + terms_.width(piece) / 8;
    for (std::uint64_t at = std::max(done, start / unit * unit); at < stop; at += unit) {
      const Term index = terms_.constant(index_width, at / unit);
      found.array.term = terms_.store(found.array.term, index, bytes(object, at, unit));
      done = at + unit;
    }
  }
  return found.array;
}

}  // namespace plumb::semantics
