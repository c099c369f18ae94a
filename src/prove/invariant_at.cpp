#include "prove/invariant_at.h"

#include <algorithm>

#include "base/error.h"
#include "prove/guess/premise.h"
#include "prove/invariant.h"
#include "prove/problem.h"
#include "term/substitution.h"

namespace plumb::prove {

std::vector<Term> invariant_at(System& system, const Certificate& certificate, std::size_t state,
                               const BitVector& value) {
  INVARIANT(state < system.states().size(), "the state should be one of the system's");
  if (certificate.invariant.empty()) return {};
  term::TermStore& store = system.store();
  const Term invariant = read_invariant(system, state_symbols(system), certificate.invariant, Budget());
  term::Substitution fixed(store);
  fixed.add(system.states()[state].variable, store.constant(value));
  std::vector<Term> result = conjuncts_of(store, fixed.apply(invariant));
  if (std::ranges::any_of(result, [&](Term t) { return store.is_false(t); })) return {store.boolean(false)};
  return result;
}

}  // namespace plumb::prove
