#pragma once

#include <string>

#include "system/system.h"

namespace plumb::prove {

using system::Sort;
using system::System;
using term::Term;

/// Counts up to `limit` while an input allows, then starts anew. Bad: `target` is reached.
inline System counter(std::uint32_t width, std::uint64_t limit, std::uint64_t target) {
  System system;
  auto& store = system.store();
  const Term count = system.add_state({width, 0}, "count");
  const Term go = system.add_input({1, 0}, "go");
  system.set_init(0, store.zero(width));
  const Term full = store.eq(count, store.constant(width, limit));
  const Term next = store.ite(full, store.zero(width), store.add(count, store.one(width)));
  system.set_next(0, store.ite(go, next, count));
  system.add_bad(store.eq(count, store.constant(width, target)), "target");
  return system;
}

/// A queue with an array, a head and a fill count; `guarded` refuses to push when it is full. Bad: more than 2^bits.
inline System fifo(std::uint32_t bits, bool guarded) {
  System system;
  auto& store = system.store();
  const Term cells = system.add_state({4, bits}, "cells");
  const Term head = system.add_state({bits, 0}, "head");
  const Term count = system.add_state({bits + 2, 0}, "count");
  const Term data = system.add_input({4, 0}, "data");
  const Term push = system.add_input({1, 0}, "push");
  const Term pop = system.add_input({1, 0}, "pop");
  const Term capacity = store.constant(bits + 2, std::uint64_t{1} << bits);
  system.set_init(1, store.zero(bits));
  system.set_init(2, store.zero(bits + 2));
  const Term has_room = guarded ? store.ult(count, capacity) : store.boolean(true);
  const Term pushes = store.bit_and(push, has_room);
  const Term pops = store.bit_and(pop, store.ult(store.zero(bits + 2), count));
  const Term tail = store.add(head, store.extract(count, bits - 1, 0));
  system.set_next(0, store.ite(pushes, store.store(cells, tail, data), cells));
  system.set_next(1, store.ite(pops, store.add(head, store.one(bits)), head));
  const Term up = store.ite(pushes, store.add(count, store.one(bits + 2)), count);
  system.set_next(2, store.ite(pops, store.sub(up, store.one(bits + 2)), up));
  system.add_bad(store.ult(capacity, count), "overflow");
  return system;
}

/// Round robin: a token moves, its owner is granted what it asks for. Bad: two grants at once. With `broken`, client 0
/// is granted at once when all ask.
inline System arbiter(std::uint32_t clients, bool broken) {
  System system;
  auto& store = system.store();
  const Term token = system.add_state({clients, 0}, "token");
  const Term grants = system.add_state({clients, 0}, "grants");
  const Term requests = system.add_input({clients, 0}, "requests");
  system.set_init(0, store.one(clients));
  system.set_init(1, store.zero(clients));
  system.set_next(0, store.rotate_left(token, store.one(clients)));
  Term granted = store.bit_and(token, requests);
  if (broken)
    granted = store.ite(store.eq(requests, store.ones(clients)), store.bit_or(granted, store.one(clients)), granted);
  system.set_next(1, granted);
  const Term less = store.sub(grants, store.one(clients));
  system.add_bad(store.distinct(store.bit_and(grants, less), store.zero(clients)), "two grants");
  return system;
}

/// A program: searches an array that never changes for an input value, from 0 on, and stops. Bad: it stops at an index
/// whose element is another one. `wrong` leaves out the last comparison.
inline System linear_search(std::uint32_t bits, bool wrong) {
  System system;
  auto& store = system.store();
  const Term array = system.add_state({bits, bits}, "array");
  const Term key = system.add_state({bits, 0}, "key");
  const Term index = system.add_state({bits, 0}, "index");
  const Term pc = system.add_state({2, 0}, "pc");
  system.set_next(0, array);
  system.set_next(1, key);
  system.set_init(2, store.zero(bits));
  system.set_init(3, store.zero(2));
  const Term searches = store.eq(pc, store.zero(2));
  const Term is_found = store.eq(store.select(array, index), key);
  const Term is_last = store.eq(index, store.ones(bits));
  const Term found = wrong ? store.bit_or(is_found, is_last) : is_found;
  const Term next_pc = store.ite(found, store.constant(2, 1), store.ite(is_last, store.constant(2, 2), store.zero(2)));
  const Term moves = store.bit_and(searches, store.bit_not(store.bit_or(found, is_last)));
  system.set_next(2, store.ite(moves, store.add(index, store.one(bits)), index));
  system.set_next(3, store.ite(searches, next_pc, pc));
  system.add_bad(store.bit_and(store.eq(pc, store.constant(2, 1)), store.bit_not(is_found)), "post");
  return system;
}

}  // namespace plumb::prove
