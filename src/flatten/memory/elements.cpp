#include "flatten/memory/access.h"
#include "term/selection.h"

namespace plumb::flatten {

using term::Op;
using term::TermStore;

namespace {

/// Of sums and products that an index is looked for in.
constexpr unsigned kDepth = 8;

Term index_of(TermStore& store, Term slot, Term index) {
  if (!slot) return index;
  return index ? store.concat(slot, index) : slot;
}

Term narrowed(TermStore& store, Term a, std::uint32_t width, unsigned depth) {
  if (store.width(a) == width) return a;
  if (depth > 0 && (store.op(a) == Op::Add || store.op(a) == Op::Mul)) {
    const Term x = narrowed(store, store.child(a, 0), width, depth - 1);
    const Term y = narrowed(store, store.child(a, 1), width, depth - 1);
    return store.op(a) == Op::Add ? store.add(x, y) : store.mul(x, y);
  }
  if (depth > 0 && store.op(a) == Op::Neg) return store.neg(narrowed(store, store.child(a, 0), width, depth - 1));
  return store.extract(a, width - 1, 0);
}

/// a / 2^shift if that is exact for every value, at `width`; null if it does not show.
Term divided(TermStore& store, Term a, std::uint32_t shift, std::uint32_t width, unsigned depth) {
  const auto rest = [&](Term t) { return divided(store, t, shift, width, depth - 1); };
  if (store.is_constant(a)) {
    const BitVector value = store.value(a);
    return value.extract(shift - 1, 0).is_zero() ? store.constant(value.extract(shift + width - 1, shift)) : Term{};
  }
  if (depth == 0) return {};
  switch (store.op(a)) {
    case Op::Add: {
      const Term x = rest(store.child(a, 0));
      const Term y = x ? rest(store.child(a, 1)) : Term{};
      return y ? store.add(x, y) : Term{};
    }
    case Op::Mul:
      for (const unsigned i : {0U, 1U}) {
        const Term x = rest(store.child(a, i));
        if (x) return store.mul(x, narrowed(store, store.child(a, 1 - i), width, depth - 1));
      }
      return {};
    case Op::Neg: {
      const Term x = rest(store.child(a, 0));
      return x ? store.neg(x) : Term{};
    }
    case Op::Ite: {
      const Term x = rest(store.child(a, 1));
      const Term y = x ? rest(store.child(a, 2)) : Term{};
      return y ? store.ite(store.child(a, 0), x, y) : Term{};
    }
    case Op::Concat: {
      const Term low = store.child(a, 1);
      if (!store.is_constant(low) || store.width(low) < shift) return {};
      const bool is_exact = store.value(low).extract(shift - 1, 0).is_zero();
      return is_exact ? store.extract(a, shift + width - 1, shift) : Term{};
    }
    default:
      return {};
  }
}

}  // namespace

Term shifted_down(TermStore& store, Term a, std::uint32_t shift, std::uint32_t width) {
  if (shift == 0) return narrowed(store, a, width, kDepth);
  if (const Term exact = divided(store, a, shift, width, kDepth)) return exact;
  // What is exact in a sum can be taken out: it brings nothing to the bits below.
  Term sum = store.zero(width);
  for (unsigned i = 0; i < kDepth && store.op(a) == Op::Add; ++i) {
    unsigned other = 1;
    Term exact = divided(store, store.child(a, 0), shift, width, kDepth);
    if (!exact) {
      exact = divided(store, store.child(a, 1), shift, width, kDepth);
      other = 0;
    }
    if (!exact) break;
    sum = store.add(sum, exact);
    a = store.child(a, other);
  }
  return store.add(sum, store.extract(narrowed(store, a, shift + width, kDepth), shift + width - 1, shift));
}

Term element(const Memory::Plan& plan, const MemoryState& state, const Part& part, Term slot, Term index) {
  TermStore& store = plan.store();
  const Term place = index_of(store, slot, index);
  if (part.variable == kNoVariable) return index ? term::select_by_bits(store, index, part.table) : part.table.front();
  const Term content = state.get(part.variable);
  return place ? store.select(content, place) : content;
}

void set_element(const Memory::Plan& plan, MemoryState& state, const Part& part, Term slot, Term index, Term guard,
                 Term value) {
  TermStore& store = plan.store();
  const Term place = index_of(store, slot, index);
  if (part.variable == kNoVariable) return;
  const Term content = state.get(part.variable);
  const Term written = place ? store.store(content, place, value) : value;
  state.set(part.variable, store.ite(guard, written, content));
}

Term slot_value(const Memory::Plan& plan, const MemoryState& state, std::size_t variable, Term slot) {
  const Term content = state.get(variable);
  return slot ? plan.store().select(content, slot) : content;
}

void set_slot_value(const Memory::Plan& plan, MemoryState& state, std::size_t variable, Term slot, Term guard,
                    Term value) {
  TermStore& store = plan.store();
  const Term content = state.get(variable);
  state.set(variable, store.ite(guard, slot ? store.store(content, slot, value) : value, content));
}

}  // namespace plumb::flatten
