/*
 * What the concrete checks have found in this run, as records: each (kind, site, caller) once, and not without end.
 * The stream has one writer, the traced thread outside of the runtime; what others find waits until that one comes by.
 * A run that is cut goes on to tell its defects.
 */
#include "../checks/checks.h"
#include "state.h"

#define HASHED_FRAMES 4u

struct told {
  uint32_t kind;
  uint32_t site;
  uint32_t hash;
  uint32_t access;
  uint32_t object_kind;
  uint64_t address;
  uint64_t base;
  uint64_t size;
};

struct waiting {
  struct told defect;
  char is_ready;
};

static struct told told[PLUMB_MOST_TOLD];
static uint32_t told_count;
static uint32_t told_was_full;

/* What tells places of one site apart: on boards the site of the call of a model, if it was in one; else a sum of the
   call stack. No site has the highest bit. */
static uint32_t hash_of(const struct plumb_defect_record* defect) {
  const struct plumb_stack* stack = defect->kind == PLUMB_DEFECT_LEAK ? &defect->allocated : &defect->stack;
  uint32_t depth = stack->depth < HASHED_FRAMES ? stack->depth : HASHED_FRAMES;
  uint32_t hash = 0x811c9dc5u;
  uint32_t i;
  if (defect->kind != PLUMB_DEFECT_LEAK && __plumb_call_site != 0) return __plumb_call_site;
  for (i = 0; i < depth; ++i) {
    uint64_t frame = (uintptr_t)stack->frames[i];
    hash = (hash ^ (uint32_t)frame) * 0x01000193u;
    hash = (hash ^ (uint32_t)(frame >> 32)) * 0x01000193u;
  }
  return hash | 0x80000000u;
}

static int is_same(const struct told* a, const struct told* b) {
  return a->kind == b->kind && a->site == b->site && a->hash == b->hash;
}

/* Needs a thread that may write. Gives 0 if nothing was written. */
static int tell(const struct told* defect) {
  uint32_t* words;
  uint32_t i;
  for (i = 0; i < told_count; ++i)
    if (is_same(&told[i], defect)) return 0;
  if (told_count == PLUMB_MOST_TOLD) {
    if (!told_was_full && !plumb_is_cut) plumb_record_lost(PLUMB_PIN_FULL, 0);
    told_was_full = 1;
    return 0;
  }
  told[told_count++] = *defect;
  words = plumb_words(10);
  words[0] = plumb_head(PLUMB_DEFECT, defect->kind, defect->object_kind);
  words[1] = defect->site;
  words[2] = defect->access;
  words[3] = defect->hash;
  plumb_put_value(words + 4, defect->address);
  plumb_put_value(words + 6, defect->base);
  plumb_put_value(words + 8, defect->size);
  plumb_publish();
  return 1;
}

/* --- Of threads that may not write, and of signal handlers in the middle of a record --- */

static struct waiting waiting[PLUMB_MOST_WAITING];
PLUMB_FITS(told, sizeof told + sizeof waiting, PLUMB_SHARE_TOLD);
static uint32_t waiting_count; /* slots taken, may be more than there are */
static uint32_t waiting_told;
static volatile uint32_t waiting_was_full;

/* Without threads it is an interrupt that comes in between, and machines without an operating system may lack atomic
   instructions. */
#if defined(PLUMB_SINGLE_THREAD)
static uint32_t take_slot(void) { return waiting_count++; }
static void set_ready(uint32_t slot) {
  PLUMB_BARRIER();
  waiting[slot].is_ready = 1;
}
static int is_ready(uint32_t slot) { return waiting[slot].is_ready; }
#define AT_EXIT
#else
static uint32_t take_slot(void) { return __atomic_fetch_add(&waiting_count, 1, __ATOMIC_RELAXED); }
static void set_ready(uint32_t slot) { __atomic_store_n(&waiting[slot].is_ready, 1, __ATOMIC_RELEASE); }
static int is_ready(uint32_t slot) { return __atomic_load_n(&waiting[slot].is_ready, __ATOMIC_ACQUIRE); }
#define AT_EXIT __attribute__((destructor(101)))
#endif

static void wait_to_tell(const struct told* defect) {
  uint32_t slot;
  for (slot = 0; slot < PLUMB_MOST_WAITING; ++slot)
    if (is_ready(slot) && is_same(&waiting[slot].defect, defect)) return;
  slot = take_slot();
  if (slot >= PLUMB_MOST_WAITING) {
    waiting_was_full = 1;
    return;
  }
  waiting[slot].defect = *defect;
  set_ready(slot);
}

static void tell_waiting(void) {
  while (waiting_told < PLUMB_MOST_WAITING && is_ready(waiting_told)) tell(&waiting[waiting_told++].defect);
  if (!waiting_was_full) return;
  waiting_was_full = 0;
  if (!plumb_is_cut) plumb_record_lost(PLUMB_PIN_FULL, 0);
}

AT_EXIT void plumb_tell_waiting(void) {
  if (!waiting_was_full && (waiting_told == PLUMB_MOST_WAITING || !waiting[waiting_told].is_ready)) return;
  if (plumb_enter()) {
    tell_waiting();
    plumb_leave();
  } else if (plumb_is_cut) {
    tell_waiting();
  }
}

void plumb_tell_defect(const struct plumb_defect_record* defect) {
  struct told it;
  it.kind = defect->kind;
  it.site = defect->site;
  it.hash = hash_of(defect);
  it.access = defect->access;
  it.object_kind = defect->object_kind;
  it.address = defect->address;
  it.base = defect->object_base;
  it.size = defect->object_size;
  if (plumb_is_cut) {
    tell_waiting();
    tell(&it);
  } else if (plumb_enter()) {
    tell_waiting();
    plumb_record_beyond(defect);
    tell(&it);
    if (plumb_state.open_region != 0) {
      /* What the region's formula gives behind it is not what a run gives that goes on elsewhere. */
      plumb_record_error(PLUMB_ERROR_DEFECT, it.site);
      plumb_transport_fail(PLUMB_ERROR_DEFECT);
    }
    plumb_leave();
  } else {
    wait_to_tell(&it);
  }
}

void plumb_reset_told(void) {
  uint32_t i;
  told_count = 0;
  told_was_full = 0;
  waiting_count = 0;
  waiting_told = 0;
  waiting_was_full = 0;
  for (i = 0; i < PLUMB_MOST_WAITING; ++i) waiting[i].is_ready = 0;
}
