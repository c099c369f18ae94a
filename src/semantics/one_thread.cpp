#include "semantics/one_thread.h"

namespace plumb::semantics {

using term::Term;

Term HeldMutexes::is_held(Term address) {
  Term found = store_.boolean(false);
  for (const Term slot : slots_) found = store_.bit_or(found, store_.eq(slot, name(address)));
  return found;
}

Term HeldMutexes::replace(Term when, Term from, Term to) {
  for (Term& slot : slots_) {
    const Term is_it = store_.eq(slot, from);
    slot = store_.ite(store_.bit_and(when, is_it), to, slot);
    when = store_.bit_and(when, store_.bit_not(is_it));
  }
  return when;
}

HeldMutexes::Outcome HeldMutexes::call(Effect effect, std::span<const Term> operands) {
  const Term mutex = operands[effect == Effect::Wait ? 1 : 0];
  const Term free = store_.zero(store_.width(mutex));
  const Term held = is_held(mutex);
  const Term never = store_.boolean(false);
  switch (effect) {
    case Effect::Wait:  // nobody will wake it
      return {store_.bit_not(held), ThreadError::NotPermitted, held, never};
    case Effect::Unlock:
      replace(held, name(mutex), free);
      return {store_.bit_not(held), ThreadError::NotPermitted, never, never};
    default:
      break;
  }
  const Term is_full = replace(store_.bit_not(held), free, name(mutex));
  if (effect == Effect::TryLock) return {held, ThreadError::Busy, never, is_full};
  return {never, ThreadError::None, held, is_full};
}

Term thread_self(term::TermStore& store, Term any) {
  const Term zero = store.zero(store.width(any));
  return store.ite(store.eq(any, zero), store.one(store.width(any)), any);
}

}  // namespace plumb::semantics
