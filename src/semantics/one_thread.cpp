#include "semantics/one_thread.h"

namespace plumb::semantics {

using term::Term;

Term HeldMutexes::is_held(Term address) {
  Term found = store_.boolean(false);
  for (const Term slot : slots_) found = store_.bit_or(found, store_.eq(slot, name(address)));
  return found;
}

HeldMutexes::Locked HeldMutexes::lock(Term guard, Term address) {
  const Term held = is_held(address);
  Term is_wanted = store_.bit_and(guard, store_.bit_not(held));
  for (Term& slot : slots_) {
    const Term is_free = store_.eq(slot, store_.zero(store_.width(slot)));
    const Term is_taken = store_.bit_and(is_wanted, is_free);
    slot = store_.ite(is_taken, name(address), slot);
    is_wanted = store_.bit_and(is_wanted, store_.bit_not(is_free));
  }
  return {held, is_wanted};
}

Term HeldMutexes::unlock(Term guard, Term address) {
  const Term held = is_held(address);
  for (Term& slot : slots_) {
    const Term is_it = store_.bit_and(guard, store_.eq(slot, name(address)));
    slot = store_.ite(is_it, store_.zero(store_.width(slot)), slot);
  }
  return held;
}

}  // namespace plumb::semantics
