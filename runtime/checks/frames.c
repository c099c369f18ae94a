/*
 * Frames beside the stack, for variables that pointers lead to: what a function
 * has returned keeps its own memory, and its poison, until many other frames of
 * its size class were used.
 *
 * Classes are powers of two. A class has a stretch of address space, cut into
 * slots of a header and the frame; free slots are a queue, and a slot that was
 * never used is taken while the queue is short, so that the memory of a shallow
 * program stays in the cache. Functions that longjmp or an exception skips do
 * not leave their frames: when a class is full, slots whose function's place on
 * the real stack has been left are taken back.
 */
#define _GNU_SOURCE
#include <signal.h>

#include "internal.h"

#pragma weak plumb_frame_refused

#define SMALLEST_BITS 6u
#define CLASSES 15u
#define CLASS_BITS PLUMB_FRAME_CLASS_BITS
#define CLASS_ROOM ((uintptr_t)1 << CLASS_BITS)
#define HEADER 32u
/* How many bytes of a class wait in its queue before one is used again, and how
 * many slots at least and at most. */
#define WAITING_BYTES PLUMB_FRAME_WAITING_BYTES
#define FEWEST_WAITING 2u
#define MOST_WAITING 1024u

struct slot {
  const struct plumb_frame* frame; /* stays when it is left */
  uintptr_t stack;                 /* where the function is on the real stack; 0: free */
  struct slot* next;               /* in the queue */
};

struct size_class {
  struct slot* first; /* of the queue */
  struct slot* last;
  uint32_t waiting;
  uint32_t used;     /* slots from the start, free again or not */
  uint32_t limit;    /* slots */
  uint32_t enough;   /* to wait */
  uint32_t patience; /* how often a full class is not searched again */
};

static struct size_class classes[CLASSES];
static uintptr_t area; /* 0: no frames */
/* The queues are being changed: a signal handler that comes in between goes
 * without frames. */
static volatile uint32_t is_busy;

static uint32_t stride_of(uint32_t index) { return HEADER + (1u << (SMALLEST_BITS + index)); }

static struct slot* slot_at(uint32_t index, uint32_t number) {
  return (struct slot*)(area + index * CLASS_ROOM + (uintptr_t)number * stride_of(index));
}

static uintptr_t frame_of(const struct slot* slot) { return (uintptr_t)slot + HEADER; }

void plumb_prepare_frames(void) {
  uint32_t i;
  for (i = 0; i < CLASSES; ++i) {
    uint32_t enough = WAITING_BYTES / stride_of(i);
    classes[i].limit = (uint32_t)(CLASS_ROOM / stride_of(i));
    classes[i].enough = enough < FEWEST_WAITING ? FEWEST_WAITING : enough > MOST_WAITING ? MOST_WAITING : enough;
  }
  area = (uintptr_t)plumb_map_memory(CLASSES * CLASS_ROOM);
}

/* --- Entering and leaving --- */

/* All of it first: that is a few words, and variables that have been there need
 * not be told apart. */
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

static void free_slot(struct size_class* class, struct slot* slot) {
  slot->stack = 0;
  slot->next = 0;
  if (class->first == 0) {
    class->first = slot;
  } else {
    class->last->next = slot;
  }
  class->last = slot;
  ++class->waiting;
}

/* A handler's stack may lie anywhere, above the frames that it has interrupted
 * too. */
static int is_on_signal_stack(void) {
  stack_t stack;
  return sigaltstack(0, &stack) != 0 || (stack.ss_flags & SS_ONSTACK) != 0;
}

/* Functions below this one on the real stack have been left. One at the same
   place has not: it may have been put into the same machine code. */
static void take_back(uint32_t index, uintptr_t stack) {
  struct size_class* class = &classes[index];
  uint32_t i;
  if (plumb_stack_end(stack) == 0 || is_on_signal_stack()) return;
  for (i = 0; i < class->used; ++i) {
    struct slot* slot = slot_at(index, i);
    if (slot->stack == 0 || slot->stack >= stack || plumb_stack_end(slot->stack) == 0) continue;
    plumb_set_units(frame_of(slot), plumb_round_up(frame_of(slot) + slot->frame->size), PLUMB_POISON_RETURNED);
    free_slot(class, slot);
  }
}

/* The room around frames is poisoned for good. */
static struct slot* new_slot(uint32_t index) {
  struct slot* slot = slot_at(index, classes[index].used++);
  plumb_set_units((uintptr_t)slot, (uintptr_t)slot + stride_of(index), PLUMB_POISON_STACK);
  return slot;
}

static struct slot* take_slot(uint32_t index, uintptr_t stack) {
  struct size_class* class = &classes[index];
  struct slot* slot = class->first;
  if (class->waiting < class->enough || slot == 0) {
    if (class->used < class->limit) return new_slot(index);
    if (slot == 0) {
      if (class->patience != 0) {
        --class->patience;
        return 0;
      }
      take_back(index, stack);
      slot = class->first;
      if (slot == 0) {
        class->patience = class->limit;
        return 0;
      }
    }
  }
  class->first = slot->next;
  --class->waiting;
  return slot;
}

static void* refuse(void) {
  if (plumb_frame_refused != 0) plumb_frame_refused();
  return 0;
}

void* __plumb_enter_frame(const struct plumb_frame* frame) {
  uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
  uint32_t size = frame->size - 1;
  uint32_t index = size >> SMALLEST_BITS == 0 ? 0 : 32 - (uint32_t)__builtin_clz(size) - SMALLEST_BITS;
  struct slot* slot;
  if (PLUMB_UNLIKELY(!plumb_is_first_thread || area == 0 || index >= CLASSES || is_busy)) return refuse();
  is_busy = 1;
  slot = take_slot(index, stack);
  if (slot != 0) {
    slot->frame = frame;
    slot->stack = stack;
  }
  is_busy = 0;
  if (PLUMB_UNLIKELY(slot == 0)) return refuse();
  poison_frame(frame_of(slot), frame);
  return (void*)frame_of(slot);
}

void __plumb_leave_frame(const struct plumb_frame* frame, void* memory) {
  struct slot* slot = (struct slot*)((uintptr_t)memory - HEADER);
  if (memory == 0 || PLUMB_UNLIKELY(slot->stack == 0 || slot->frame != frame)) return;
  plumb_set_units((uintptr_t)memory, plumb_round_up((uintptr_t)memory + frame->size), PLUMB_POISON_RETURNED);
  is_busy = 1;
  free_slot(&classes[((uintptr_t)slot - area) >> CLASS_BITS], slot);
  is_busy = 0;
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

int plumb_is_in_frames(uintptr_t address) { return area != 0 && address - area < CLASSES * CLASS_ROOM; }

/* The slot that has the address; `before`: the one before that. */
static const struct slot* find_slot(uintptr_t address, uint32_t before) {
  uint32_t index = (uint32_t)((address - area) >> CLASS_BITS);
  uint32_t number;
  if (!plumb_is_in_frames(address)) return 0;
  number = (uint32_t)((address - area) % CLASS_ROOM / stride_of(index));
  return number >= before && number - before < classes[index].used ? slot_at(index, number - before) : 0;
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

/* Between two frames: the nearer one, of those that are live if any is. */
int plumb_nearest_variable(uintptr_t address, struct plumb_found_variable* found) {
  const struct slot* slot = find_slot(address, 0);
  const struct slot* other = find_slot(address, 1);
  struct plumb_found_variable of_other;
  uintptr_t distance;
  if (slot != 0 && address >= frame_of(slot)) return nearest_in(slot, address, found) != UINTPTR_MAX;
  if (slot == 0 || (other != 0 && other->stack != 0 && slot->stack == 0))
    return other != 0 && nearest_in(other, address, found) != UINTPTR_MAX;
  distance = nearest_in(slot, address, found);
  if (other != 0 && other->stack != 0 && nearest_in(other, address, &of_other) < distance) *found = of_other;
  return distance != UINTPTR_MAX;
}

int plumb_find_variable(uintptr_t address, struct plumb_found_variable* found) {
  const struct slot* slot = find_slot(address, 0);
  return slot != 0 && slot->stack != 0 && address >= frame_of(slot) && nearest_in(slot, address, found) == 0;
}

int plumb_is_frame_live(uintptr_t address) {
  const struct slot* slot = find_slot(address, 0);
  return slot != 0 && slot->stack != 0;
}

void plumb_visit_frames(uintptr_t stack, void (*visit)(uintptr_t begin, uintptr_t end)) {
  int is_left = plumb_stack_end(stack) != 0;
  uint32_t index;
  uint32_t i;
  for (index = 0; index < CLASSES; ++index)
    for (i = 0; i < classes[index].used; ++i) {
      const struct slot* slot = slot_at(index, i);
      if (slot->stack == 0 || (is_left && slot->stack < stack && plumb_stack_end(slot->stack) != 0)) continue;
      visit(frame_of(slot), frame_of(slot) + slot->frame->size);
    }
}
