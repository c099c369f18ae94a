#include "concolic/trace/object_access.h"

#include "term/selection.h"

namespace plumb::concolic {

using term::Term;
using term::TermStore;

Term offset_in_object(TermStore& store, Term address, std::uint64_t base) {
  const std::uint32_t width = store.width(address);
  // The store makes a concatenation of an aligned base and a small index; the sum that it was cancels the base.
  if (store.op(address) == term::Op::Concat && store.is_constant(store.child(address, 0))) {
    const Term low = store.child(address, 1);
    const std::uint64_t high = store.value(store.child(address, 0)).to_uint64() << store.width(low);
    return store.add(store.zero_extend(low, width), store.constant(width, high - base));
  }
  return store.sub(address, store.constant(width, base));
}

bool may_be(const TermStore& store, Term offset, std::uint64_t value) {
  const term::LowBits low = term::known_low_bits(store, offset);
  return term::LowBits::of(low.count, value).value == low.value && value <= store.upper_bound(offset);
}

}  // namespace plumb::concolic
