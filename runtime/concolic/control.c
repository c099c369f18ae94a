/* What the path depends on, what ends a run, and what calls hand over. */
#include "shadow.h"

plumb_id __plumb_arguments[PLUMB_ARGUMENTS];
plumb_id __plumb_results[PLUMB_RESULTS];
const void* __plumb_callee;

static void record_node(uint32_t kind, uint32_t site, uint32_t detail, plumb_id id) {
  uint32_t* words = plumb_words(4);
  words[0] = plumb_head(kind, 0, 0);
  words[1] = site;
  words[2] = detail;
  words[3] = id;
  plumb_publish();
}

/* The caller does not leave the runtime then, so that this thread records nothing more. */
int plumb_count_node(void) {
  if (plumb_state.nodes >= plumb_state.max_nodes) {
    *plumb_words(1) = plumb_head(PLUMB_CUT, 0, 0);
    plumb_publish();
    plumb_is_cut = 1;
    return 0;
  }
  ++plumb_state.nodes;
  return 1;
}

void __plumb_branch(uint32_t site, uint32_t edge, plumb_id condition) {
  if (condition == 0 || !plumb_enter() || !plumb_count_node()) return;
  record_node(PLUMB_BRANCH, site, edge, condition);
  plumb_leave();
}

void __plumb_switch(uint32_t site, uint32_t edge, plumb_id value) {
  if (value == 0 || !plumb_enter() || !plumb_count_node()) return;
  record_node(PLUMB_SWITCH, site, edge, value);
  plumb_leave();
}

void __plumb_call_target(uint32_t site, plumb_id id, const void* target) {
  uint32_t* words;
  if (id == 0 || !plumb_enter() || !plumb_count_node()) return;
  words = plumb_words(5);
  words[0] = plumb_head(PLUMB_CALL_TARGET, 0, 0);
  words[1] = site;
  words[2] = id;
  plumb_put_value(words + 3, (uintptr_t)target);
  plumb_publish();
  plumb_leave();
}

void __plumb_assume(uint32_t site, uint32_t held, plumb_id id) {
  if (held != 0 && id == 0) return;
  if (plumb_enter()) {
    if (id != 0 && plumb_count_node()) record_node(PLUMB_ASSUME, site, held != 0, id);
    if (held == 0) plumb_end_run(PLUMB_END_ASSUME);
    if (!plumb_is_cut) plumb_leave();
  } else if (held == 0) {
    if (plumb_is_cut) plumb_end_run(PLUMB_END_ASSUME);
    plumb_transport_end(PLUMB_END_ASSUME);
  }
}

static PLUMB_NORETURN void fail(uint32_t error, uint32_t site) {
  plumb_record_error(error, site);
  plumb_transport_fail(error);
}

/* Outside the trace, or in a thread or process that has none. */
static PLUMB_NORETURN void fail_unrecorded(uint32_t error, uint32_t site) {
  if (plumb_is_cut) fail(error, site);
  plumb_transport_fail(error);
}

/* A failure is told even at the limit of nodes. */
void __plumb_check(uint32_t site, uint32_t held, plumb_id id) {
  if (held != 0 && id == 0) return;
  if (plumb_enter()) {
    if (held != 0 && !plumb_count_node()) return;
    if (id != 0) record_node(PLUMB_CHECK, site, held != 0, id);
    if (held == 0) fail(PLUMB_ERROR_CHECK, site);
    plumb_leave();
  } else if (held == 0) {
    fail_unrecorded(PLUMB_ERROR_CHECK, site);
  }
}

void __plumb_divisor(uint32_t site, plumb_id id, uint64_t value) {
  uint32_t* words;
  if (value != 0 && id == 0) return;
  if (plumb_enter()) {
    if (value != 0 && !plumb_count_node()) return;
    if (id != 0) {
      words = plumb_words(3);
      words[0] = plumb_head(PLUMB_DIVISOR, 0, 0);
      words[1] = site;
      words[2] = id;
      plumb_publish();
    }
    if (value == 0) fail(PLUMB_ERROR_DIVISION, site);
    plumb_leave();
  } else if (value == 0) {
    fail_unrecorded(PLUMB_ERROR_DIVISION, site);
  }
}

void __plumb_error(uint32_t kind, uint32_t site) {
  if (kind == PLUMB_ERROR_ABORT && plumb_transport.is_abort_handled()) plumb_transport_fail(kind);
  if (plumb_enter()) fail(kind, site);
  fail_unrecorded(kind, site);
}

void __plumb_missing(const char* name) {
  (void)name;
  if (plumb_enter() || plumb_is_cut) plumb_end_run(PLUMB_END_MISSING);
  plumb_transport_end(PLUMB_END_MISSING);
}

void __plumb_pin(uint32_t reason, uint32_t subject, uint32_t width, plumb_id id, uint64_t value) {
  if (id == 0 || !plumb_enter()) return;
  plumb_record_pin(reason, subject, width, id, value);
  plumb_leave();
}

void __plumb_lost(uint32_t reason, uint32_t subject) {
  if (!plumb_enter()) return;
  plumb_record_lost(reason, subject);
  plumb_leave();
}

/* Without a known object the bytes of the pointer's granule tell. */
void __plumb_escaped(uint32_t function, const void* pointer) {
  const uint8_t* address = pointer;
  struct plumb_object object;
  size_t size;
  if (!plumb_enter()) return;
  object = plumb_find_object(pointer, 1);
  size =
      object.size != 0 ? object.size - (size_t)(address - object.base) : PLUMB_GRANULE - plumb_granule_offset(address);
  if (plumb_is_symbolic(address, size)) plumb_record_lost(PLUMB_PIN_MEMORY, function);
  plumb_leave();
}
