/*
 * What comes here when an inline test fails: the exact test, and if there is
 * something wrong, what it is. The poison of the first bad byte gives the kind;
 * the object is the one that the access began in, else the nearest, one that is
 * live before one that is not. The access then goes to a place of the runtime's
 * own.
 */
#include "internal.h"

/* How far from a bad address an object is looked for: more than there is room
 * around any. */
#define REACH ((uintptr_t)1 << 16)
#define SUBSTITUTE_SIZE 256u
/* A block may be larger than what can be looked at; all of it would take too
 * long. */
#define LARGEST_LOOK ((size_t)1 << 30)

#if defined(PLUMB_BARE_METAL)
static uint8_t* const nowhere = plumb_window;
#else
static uint8_t nowhere[PLUMB_NOWHERE_BYTES] __attribute__((aligned(64)));
#endif
/* Apart from each other, so that a read gives zeros whatever was written. */
static uint8_t read_place[SUBSTITUTE_SIZE] __attribute__((aligned(64)));
static uint8_t write_place[SUBSTITUTE_SIZE] __attribute__((aligned(64)));

static int is_within(uintptr_t address, const uint8_t* place, size_t size) { return address - (uintptr_t)place < size; }

static int is_substitute(uintptr_t address) {
  return is_within(address, nowhere, PLUMB_NOWHERE_BYTES) || is_within(address, read_place, sizeof read_place) ||
         is_within(address, write_place, sizeof write_place);
}

static void clear(uint8_t* place, size_t size) {
  size_t i;
  for (i = 0; i < size; ++i) place[i] = 0;
}

void* __plumb_nowhere(void) {
  clear(nowhere, PLUMB_NOWHERE_BYTES);
  return nowhere;
}

static void* substitute(uint32_t access) {
  if ((access & ~PLUMB_ACCESS_WRITE) > SUBSTITUTE_SIZE) return __plumb_nowhere();
  if ((access & PLUMB_ACCESS_WRITE) != 0) return write_place;
  clear(read_place, sizeof read_place);
  return read_place;
}

/* --- Which object --- */

static void set_object(struct plumb_defect_record* record, uint32_t kind, uintptr_t base, size_t size) {
  record->object_kind = kind;
  record->object_base = base;
  record->object_size = size;
}

void plumb_describe_block(struct plumb_defect_record* record, const struct plumb_block* block) {
  if (block == 0) return;
  set_object(record, PLUMB_OBJECT_HEAP, plumb_object_of(block), plumb_block_size(block));
  plumb_kept_stack(&record->allocated, block->allocated);
  if (!plumb_is_live(block)) plumb_kept_stack(&record->freed, plumb_entry_of(block)->freed);
}

static uintptr_t distance_to(const struct plumb_block* block, uintptr_t address) {
  uintptr_t object = plumb_object_of(block);
  uintptr_t end = object + plumb_block_size(block);
  if (address < object) return object - address;
  return address < end ? 0 : address - end + 1;
}

static const struct plumb_block* nearest_block(uintptr_t address) {
  const struct plumb_block* before = plumb_block_before(address, REACH);
  const struct plumb_block* behind = plumb_block_behind(address, REACH);
  if (before == 0) before = plumb_search_block(address, REACH); /* a large one, whose header is out of reach */
  if (before == 0 || behind == 0) return before != 0 ? before : behind;
  /* The unit that an object ends in is its own. */
  if (plumb_unit(address) < PLUMB_UNIT || distance_to(before, address) == 0) return before;
  if (plumb_is_live(before) != plumb_is_live(behind)) return plumb_is_live(before) ? before : behind;
  return distance_to(before, address) <= distance_to(behind, address) ? before : behind;
}

static const struct plumb_padded_global* nearest_global(uintptr_t address) {
  const struct plumb_padded_global* found = 0;
  uintptr_t nearest = UINTPTR_MAX;
  uint32_t count = plumb_global_count();
  uint32_t i;
  for (i = 0; i < count; ++i) {
    const struct plumb_padded_global* global = &__plumb_padded_globals[i];
    uintptr_t base = (uintptr_t)global->base;
    uintptr_t end = base + global->size;
    uintptr_t distance = address < base ? base - address : address < end ? 0 : address - end + 1;
    if (distance >= nearest) continue;
    nearest = distance;
    found = global;
  }
  return nearest < REACH ? found : 0;
}

static void describe_variable(struct plumb_defect_record* record, uintptr_t address) {
  struct plumb_found_variable variable;
  if (!plumb_nearest_variable(address, &variable)) return;
  set_object(record, PLUMB_OBJECT_STACK, variable.base, variable.size);
  record->a = variable.site;
}

static void describe_global(struct plumb_defect_record* record, uintptr_t address) {
  const struct plumb_padded_global* global = nearest_global(address);
  if (global != 0) set_object(record, PLUMB_OBJECT_GLOBAL, (uintptr_t)global->base, global->size);
}

/* --- What is wrong --- */

/* A unit of which some bytes may be accessed does not say whose it is. */
static uint8_t poison_at(uintptr_t address) {
  uint8_t poison = plumb_unit(address);
  const struct plumb_padded_global* global;
  if (plumb_is_in_frames(address)) {
    if (poison == PLUMB_POISON_SCOPE) return PLUMB_POISON_SCOPE;
    return poison == PLUMB_POISON_RETURNED && !plumb_is_frame_live(address) ? PLUMB_POISON_RETURNED
                                                                            : PLUMB_POISON_STACK;
  }
  if (poison == PLUMB_POISON_HEAD || poison == PLUMB_POISON_WATCHED) return PLUMB_POISON_HEAP;
  if (poison >= PLUMB_UNIT) return poison;
  global = nearest_global(address);
  return global != 0 && address - (uintptr_t)global->base < global->room ? PLUMB_POISON_GLOBAL : PLUMB_POISON_HEAP;
}

/* The poison may have stayed when the quarantine had no room for the object any more. */
static void describe_freed(struct plumb_defect_record* record, uintptr_t bad) {
  const struct plumb_block* block = nearest_block(bad);
  if (block != 0 && !plumb_is_live(block) && distance_to(block, bad) == 0) plumb_describe_block(record, block);
}

static void classify(struct plumb_defect_record* record, uintptr_t begin, uintptr_t bad) {
  /* The bytes before the bad one are in the object that was meant. */
  uintptr_t meant = bad > begin ? bad - 1 : bad;
  switch (poison_at(bad)) {
    case PLUMB_POISON_NULL:
      record->kind = PLUMB_DEFECT_NULL;
      break;
    case PLUMB_POISON_HEAP:
      record->kind = PLUMB_DEFECT_POINTER;
      plumb_describe_block(record, nearest_block(meant));
      break;
    case PLUMB_POISON_FREED:
      record->kind = PLUMB_DEFECT_FREED;
      describe_freed(record, bad);
      break;
    case PLUMB_POISON_RETURNED:
      record->kind = PLUMB_DEFECT_RETURNED;
      describe_variable(record, bad);
      break;
    case PLUMB_POISON_SCOPE:
      record->kind = PLUMB_DEFECT_SCOPE;
      describe_variable(record, bad);
      break;
    case PLUMB_POISON_STACK:
      record->kind = PLUMB_DEFECT_ARRAY;
      describe_variable(record, meant);
      break;
    default:
      record->kind = PLUMB_DEFECT_ARRAY;
      describe_global(record, meant);
  }
}

static void start_record(struct plumb_defect_record* record, uint32_t site, uint32_t access, const void* address,
                         struct plumb_caller caller) {
  clear((uint8_t*)record, sizeof *record);
  record->site = site;
  record->access = access;
  record->address = (uintptr_t)address;
  plumb_take_stack(&record->stack, caller);
}

static void tell_wild(uint32_t site, const void* address, uint32_t access, struct plumb_caller caller) {
  struct plumb_defect_record record;
  start_record(&record, site, access, address, caller);
  record.kind = (uintptr_t)address < PLUMB_NULL_SIZE ? PLUMB_DEFECT_NULL : PLUMB_DEFECT_WILD;
  plumb_tell_defect(&record);
}

static void tell_access(uint32_t site, const void* address, uint32_t access, uintptr_t bad,
                        struct plumb_caller caller) {
  struct plumb_defect_record record;
  start_record(&record, site, access, address, caller);
  classify(&record, (uintptr_t)address, bad);
  plumb_tell_defect(&record);
}

static void tell_watched(uint32_t site, uintptr_t address, uint32_t access) {
  const struct plumb_block* block = plumb_block_before(address, (uintptr_t)-1);
  if (block == 0 || !plumb_is_live(block)) return;
  plumb_tell_watched(site, (const void*)address, access, (const void*)plumb_object_of(block), plumb_block_size(block),
                     plumb_entry_of(block)->size_id);
}

/* --- Accesses --- */

void* __plumb_bad_access(uint32_t site, void* address, uint32_t access) {
  struct plumb_caller caller = PLUMB_CALLER;
  uintptr_t begin = (uintptr_t)address;
  uintptr_t size = access & ~PLUMB_ACCESS_WRITE;
  int is_watched = 0;
  uintptr_t bad;
  if (size > plumb_reach(begin)) {
    tell_wild(site, address, access, caller);
    return substitute(access);
  }
  bad = plumb_first_bad(begin, begin + size, &is_watched);
  if (bad != begin + size) {
    tell_access(site, address, access, bad, caller);
    return substitute(access);
  }
  if (is_watched) tell_watched(site, begin, access);
  return address;
}

uint32_t __plumb_check_block(uint32_t site, const void* address, size_t size, uint32_t is_write) {
  struct plumb_caller caller = PLUMB_CALLER;
  uintptr_t begin = (uintptr_t)address;
  uintptr_t look = size < LARGEST_LOOK ? size : LARGEST_LOOK;
  uint32_t access = (uint32_t)(size < ~PLUMB_ACCESS_WRITE ? size : ~PLUMB_ACCESS_WRITE);
  int is_watched = 0;
  uintptr_t bad;
  if (is_write) access |= PLUMB_ACCESS_WRITE;
  if (size == 0) return 1;
  if (size > plumb_reach(begin)) look = 1;
  if (plumb_reach(begin) == 0) {
    tell_wild(site, address, access, caller);
    return 0;
  }
  bad = plumb_first_bad(begin, begin + look, &is_watched);
  if (bad != begin + look) {
    tell_access(site, address, access, bad, caller);
    return 0;
  }
  if (size > plumb_reach(begin)) {
    tell_wild(site, address, access, caller);
    return 0;
  }
  if (is_watched) tell_watched(site, begin, access);
  return 1;
}

void __plumb_bad_index(uint32_t site, uint64_t index, uint64_t count) {
  struct plumb_caller caller = PLUMB_CALLER;
  struct plumb_defect_record record;
  start_record(&record, site, 0, 0, caller);
  record.kind = PLUMB_DEFECT_INDEX;
  record.a = index;
  record.b = count;
  plumb_tell_defect(&record);
}

void* __plumb_bad_offset(uint32_t site, void* address, uint32_t access, const void* base, size_t size) {
  struct plumb_caller caller = PLUMB_CALLER;
  struct plumb_defect_record record;
  struct plumb_found_variable variable;
  const struct plumb_block* block = plumb_find_block((uintptr_t)base, PLUMB_UNIT);
  if (is_substitute((uintptr_t)address)) return address;
  start_record(&record, site, access, address, caller);
  record.kind = PLUMB_DEFECT_ARRAY;
  if (block != 0) {
    record.kind = PLUMB_DEFECT_POINTER;
    plumb_describe_block(&record, block);
  } else if (plumb_is_global((uintptr_t)base)) {
    set_object(&record, PLUMB_OBJECT_GLOBAL, (uintptr_t)base, size);
  } else {
    set_object(&record, PLUMB_OBJECT_STACK, (uintptr_t)base, size);
    if (plumb_nearest_variable((uintptr_t)base, &variable)) record.a = variable.site;
  }
  plumb_tell_defect(&record);
  return substitute(access);
}

void __plumb_bad_value(uint32_t site, uint32_t defect, uint64_t a, uint64_t b) {
  struct plumb_caller caller = PLUMB_CALLER;
  struct plumb_defect_record record;
  start_record(&record, site, 0, 0, caller);
  record.kind = defect;
  record.a = a;
  record.b = b;
  plumb_tell_defect(&record);
}

void plumb_tell_bad_free(uint32_t defect, const void* address, struct plumb_caller caller) {
  struct plumb_defect_record record;
  struct plumb_found_variable variable;
  const struct plumb_padded_global* global = nearest_global((uintptr_t)address);
  const struct plumb_block* block = 0;
  start_record(&record, __plumb_call_site, 0, address, caller);
  record.kind = defect;
  if (defect == PLUMB_DEFECT_DOUBLE_FREE) {
    block = plumb_block_at((uintptr_t)address);
  } else if (plumb_reach((uintptr_t)address) != 0) {
    block = plumb_search_block((uintptr_t)address, 0);
  }
  if (block != 0) {
    plumb_describe_block(&record, block);
  } else if (plumb_nearest_variable((uintptr_t)address, &variable)) {
    set_object(&record, PLUMB_OBJECT_STACK, variable.base, variable.size);
    record.a = variable.site;
  } else if (global != 0 && (uintptr_t)address - (uintptr_t)global->base < global->size) {
    set_object(&record, PLUMB_OBJECT_GLOBAL, (uintptr_t)global->base, global->size);
  }
  plumb_tell_defect(&record);
}

/* --- Questions --- */

size_t __plumb_room(const void* address, size_t size) {
  uintptr_t begin = (uintptr_t)address;
  uintptr_t end;
  int is_watched = 0;
  if (plumb_reach(begin) == 0 || size == 0) return 0;
  end = begin + (size < plumb_reach(begin) ? size : plumb_reach(begin));
  if (end - begin > LARGEST_LOOK) end = begin + LARGEST_LOOK;
  end = plumb_first_bad(begin, end, &is_watched);
  if (!is_watched) return end - begin;
  for (end = begin; plumb_unit(end) != PLUMB_POISON_WATCHED; end = (end & ~(PLUMB_UNIT - 1)) + PLUMB_UNIT) {
  }
  return end - begin;
}
