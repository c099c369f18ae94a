/*
 * Frames for variables that pointers lead to, from a pool of the window. What a function has returned keeps its memory
 * and its poison until there is no other room: then the one that was left first goes first. Functions that longjmp
 * skips do not leave their frames; these are taken back when there is nothing else.
 */
#include "bare.h"

#pragma weak plumb_frame_refused

/* Behind the chunk's head: together 32 bytes, so that frames are aligned to 32. */
struct slot {
  const struct plumb_frame* frame; /* stays when it is left */
  uintptr_t stack;                 /* where the function is on the real stack; 0: left */
  struct slot* next;               /* of those that were left */
};
#define HEADER 32u

static struct plumb_pool pool;
static struct slot* oldest;
static struct slot* youngest;

static uintptr_t chunk_of(const struct slot* slot) { return (uintptr_t)slot - PLUMB_POOL_HEAD; }
static struct slot* slot_of(uintptr_t chunk) { return (struct slot*)(chunk + PLUMB_POOL_HEAD); }
static uintptr_t frame_of(const struct slot* slot) { return chunk_of(slot) + HEADER; }
static uintptr_t end_of(const struct slot* slot) { return frame_of(slot) + slot->frame->size; }

void plumb_reset_frames(void) {
  oldest = 0;
  youngest = 0;
  plumb_start_pool(&pool, (PLUMB_FRAMES_BEGIN + 31) & ~(uintptr_t)31, PLUMB_HEAP_BEGIN, 32);
  plumb_set_units(PLUMB_FRAMES_BEGIN, PLUMB_HEAP_BEGIN, PLUMB_POISON_STACK);
}

/* --- Entering and leaving --- */

static void leave(struct slot* slot) {
  plumb_set_units(frame_of(slot), plumb_round_up(end_of(slot)), PLUMB_POISON_RETURNED);
  slot->stack = 0;
  slot->next = 0;
  if (oldest == 0) {
    oldest = slot;
  } else {
    youngest->next = slot;
  }
  youngest = slot;
}

static void drop_oldest(void) {
  struct slot* slot = oldest;
  oldest = slot->next;
  plumb_set_units(frame_of(slot), plumb_round_up(end_of(slot)), PLUMB_POISON_STACK);
  plumb_give_to_pool(&pool, chunk_of(slot));
}

/* Functions below this one on the real stack have been left. */
static void take_back(uintptr_t stack) {
  uintptr_t chunk = 0;
  while ((chunk = plumb_next_of_pool(&pool, chunk)) != 0)
    if (slot_of(chunk)->stack != 0 && slot_of(chunk)->stack < stack) leave(slot_of(chunk));
}

static uintptr_t take(size_t size) {
  uintptr_t chunk = plumb_take_of_pool(&pool, size);
  while (chunk == 0 && oldest != 0) {
    drop_oldest();
    chunk = plumb_take_of_pool(&pool, size);
  }
  return chunk;
}

static void poison_frame(uintptr_t memory, const struct plumb_frame* frame) {
  uint32_t i;
  plumb_set_units(memory, plumb_round_up(memory + frame->size), PLUMB_POISON_STACK);
  for (i = 0; i < frame->count; ++i) {
    uintptr_t base = memory + frame->variables[i].offset;
    uintptr_t end = base + frame->variables[i].size;
    plumb_set_units(base, end & ~(PLUMB_UNIT - 1), 0);
    if (end % PLUMB_UNIT != 0) *PLUMB_ADDRESSABLE(end) = (int8_t)(end % PLUMB_UNIT);
  }
}

void* __plumb_enter_frame(const struct plumb_frame* frame) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  size_t size = HEADER - PLUMB_POOL_HEAD + (size_t)frame->size;
  uintptr_t chunk = take(size);
  struct slot* slot;
  if (chunk == 0) {
    take_back(stack);
    chunk = take(size);
  }
  if (chunk == 0) {
    if (plumb_frame_refused != 0) plumb_frame_refused();
    return 0;
  }
  slot = slot_of(chunk);
  slot->frame = frame;
  slot->stack = stack;
  poison_frame(frame_of(slot), frame);
  return (void*)frame_of(slot);
}

void __plumb_leave_frame(const struct plumb_frame* frame, void* memory) {
  struct slot* slot = slot_of((uintptr_t)memory - HEADER);
  if (memory != 0 && slot->stack != 0 && slot->frame == frame) leave(slot);
}

void __plumb_enter_scope(void* variable, size_t size) {
  uintptr_t base = (uintptr_t)variable;
  if (!plumb_is_in_frames(base)) return;
  plumb_set_units(base, (base + size) & ~(PLUMB_UNIT - 1), 0);
  plumb_poison_behind(base, size, plumb_round_up(base + size), PLUMB_POISON_STACK);
}

void __plumb_leave_scope(void* variable, size_t size) {
  uintptr_t base = (uintptr_t)variable;
  if (plumb_is_in_frames(base)) plumb_set_units(base, plumb_round_up(base + size), PLUMB_POISON_SCOPE);
}

/* --- Finding --- */

int plumb_is_in_frames(uintptr_t address) { return address - PLUMB_FRAMES_BEGIN < PLUMB_FRAMES_BYTES; }

/* The last slot that begins at or before the address. */
static const struct slot* find_slot(uintptr_t address) {
  uintptr_t found = 0;
  uintptr_t chunk = 0;
  if (!plumb_is_in_frames(address)) return 0;
  while ((chunk = plumb_next_of_pool(&pool, chunk)) != 0 && chunk <= address) found = chunk;
  return found != 0 ? slot_of(found) : 0;
}

static uintptr_t nearest_in(const struct slot* slot, uintptr_t address, struct plumb_found_variable* found) {
  uintptr_t nearest = UINTPTR_MAX;
  uint32_t i;
  for (i = 0; i < slot->frame->count; ++i) {
    const struct plumb_variable* variable = &slot->frame->variables[i];
    uintptr_t base = frame_of(slot) + variable->offset;
    uintptr_t end = base + variable->size;
    uintptr_t distance = address < base ? base - address : address < end ? 0 : address - end + 1;
    if (distance >= nearest) continue;
    nearest = distance;
    found->base = base;
    found->size = variable->size;
    found->site = variable->site;
  }
  return nearest;
}

int plumb_nearest_variable(uintptr_t address, struct plumb_found_variable* found) {
  const struct slot* slot = find_slot(address);
  return slot != 0 && nearest_in(slot, address, found) != UINTPTR_MAX;
}

int plumb_find_variable(uintptr_t address, struct plumb_found_variable* found) {
  const struct slot* slot = find_slot(address);
  return slot != 0 && slot->stack != 0 && nearest_in(slot, address, found) == 0;
}

int plumb_is_frame_live(uintptr_t address) {
  const struct slot* slot = find_slot(address);
  return slot != 0 && slot->stack != 0 && address < end_of(slot);
}

void plumb_visit_frames(uintptr_t stack, void (*visit)(uintptr_t begin, uintptr_t end)) {
  uintptr_t chunk = 0;
  while ((chunk = plumb_next_of_pool(&pool, chunk)) != 0) {
    const struct slot* slot = slot_of(chunk);
    if (slot->stack != 0 && slot->stack >= stack) visit(frame_of(slot), end_of(slot));
  }
}
