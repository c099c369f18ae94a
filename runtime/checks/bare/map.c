/*
 * What may be accessed, without a map of the whole address space: heap and frames lie in a window that has one; the
 * room behind globals is found in their table, which is sorted once; address 0 and what the board does not have are
 * known by number. Everything else is memory of others: the stack, the firmware's own data, registers.
 */
#include "bare.h"
#include "board_ranges.h"

uint8_t plumb_window[PLUMB_WINDOW_BYTES] __attribute__((aligned(64)));
uint8_t plumb_units[PLUMB_WINDOW_BYTES / 8u + 8u];
PLUMB_FITS(window, sizeof plumb_window, PLUMB_SHARE_NOWHERE + PLUMB_SHARE_FRAMES + PLUMB_SHARE_HEAP);
PLUMB_FITS(map, sizeof plumb_units, PLUMB_SHARE_MAP);

uint32_t plumb_is_mapped;
uint32_t plumb_is_first_thread;

static int is_in_window(uintptr_t address) { return address - (uintptr_t)plumb_window < PLUMB_WINDOW_BYTES; }

/* --- Globals --- */

/* Indices by rising address. Those that do not fit are looked at one by one. */
static uint16_t order[PLUMB_PADDED_GLOBALS];
static uint32_t sorted_count;
PLUMB_FITS(padded, sizeof order, PLUMB_SHARE_PADDED);

static uintptr_t base_at(uint32_t position) { return (uintptr_t)__plumb_padded_globals[order[position]].base; }

static void sift_down(uint32_t root, uint32_t count) {
  for (;;) {
    uint32_t child = 2 * root + 1;
    uint16_t swapped;
    if (child >= count) return;
    if (child + 1 < count && base_at(child) < base_at(child + 1)) ++child;
    if (base_at(root) >= base_at(child)) return;
    swapped = order[root];
    order[root] = order[child];
    order[child] = swapped;
    root = child;
  }
}

static void sort_globals(void) {
  uint32_t count = plumb_global_count();
  uint32_t i;
  if (count > PLUMB_PADDED_GLOBALS) count = PLUMB_PADDED_GLOBALS;
  if (count > UINT16_MAX) count = UINT16_MAX;
  sorted_count = count;
  for (i = 0; i < count; ++i) order[i] = (uint16_t)i;
  for (i = count / 2; i-- > 0;) sift_down(i, count);
  for (i = count; i-- > 1;) {
    uint16_t largest = order[0];
    order[0] = order[i];
    order[i] = largest;
    sift_down(0, i);
  }
}

/* How many of the sorted ones begin at or before the address. */
static uint32_t count_before(uintptr_t address) {
  uint32_t low = 0;
  uint32_t high = sorted_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (base_at(middle) <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static const struct plumb_padded_global* last_before(uintptr_t address) {
  uint32_t position = count_before(address);
  return position != 0 ? &__plumb_padded_globals[order[position - 1]] : 0;
}

static int has(const struct plumb_padded_global* global, uintptr_t address) {
  return global != 0 && address - (uintptr_t)global->base < global->room;
}

/* The one that has the address, with its room; null if there is none. */
static const struct plumb_padded_global* global_with(uintptr_t address) {
  const struct plumb_padded_global* found = last_before(address);
  uint32_t i;
  if (has(found, address)) return found;
  for (i = sorted_count; i < plumb_global_count(); ++i)
    if (has(&__plumb_padded_globals[i], address)) return &__plumb_padded_globals[i];
  return 0;
}

/* The first address of a global behind this one. */
static uintptr_t next_global(uintptr_t address) {
  uint32_t position = count_before(address);
  uintptr_t next = position < sorted_count ? base_at(position) : UINTPTR_MAX;
  uint32_t i;
  for (i = sorted_count; i < plumb_global_count(); ++i) {
    uintptr_t base = (uintptr_t)__plumb_padded_globals[i].base;
    if (base > address && base < next) next = base;
  }
  return next;
}

/* --- Questions --- */

uint8_t plumb_unit(uintptr_t address) {
  const struct plumb_padded_global* global;
  uintptr_t unit = address & ~(PLUMB_UNIT - 1);
  uintptr_t end;
  if (is_in_window(address)) return *(const uint8_t*)PLUMB_ADDRESSABLE(address);
  if (address < PLUMB_NULL_SIZE) return PLUMB_POISON_NULL;
  global = global_with(address);
  if (global == 0) return 0;
  end = (uintptr_t)global->base + global->size;
  if (unit >= end) return PLUMB_POISON_GLOBAL;
  return end - unit >= PLUMB_UNIT ? 0 : (uint8_t)(end - unit);
}

/* Ranges that follow each other are one. */
uintptr_t plumb_reach(uintptr_t address) {
  uintptr_t at = address;
  uint32_t i = 0;
  if (plumb_board_range_count == 0) return UINTPTR_MAX - address;
  while (i < plumb_board_range_count) {
    const struct plumb_board_range* range = &plumb_board_ranges[i++];
    if (at < range->begin || (range->end != 0 && at >= range->end)) continue;
    if (range->end == 0) return UINTPTR_MAX - address;
    at = range->end;
    i = 0;
  }
  return at - address;
}

static uintptr_t end_of_watched(uintptr_t address) {
  const struct plumb_block* block = plumb_block_before(address, (uintptr_t)-1);
  return block != 0 ? plumb_object_of(block) + plumb_block_size(block) : address;
}

/* Where something else begins to be said of addresses, outside of the window and of globals. */
static uintptr_t next_border(uintptr_t address) {
  uintptr_t border = next_global(address);
  if (address < (uintptr_t)plumb_window && (uintptr_t)plumb_window < border) border = (uintptr_t)plumb_window;
  return border;
}

static uintptr_t step_outside(uintptr_t at) {
  const struct plumb_padded_global* global = global_with(at);
  uintptr_t end;
  if (at < PLUMB_NULL_SIZE) return at;
  if (global == 0) return next_border(at);
  end = (uintptr_t)global->base + global->size;
  return at < end ? end : at;
}

/* Behind what may be accessed from here, at least as far as the unit's end; the address itself if it may not. */
static uintptr_t step_in_window(uintptr_t at, int* is_watched) {
  uint8_t unit = *(const uint8_t*)PLUMB_ADDRESSABLE(at);
  uintptr_t start = at & ~(PLUMB_UNIT - 1);
  if (unit == 0) return start + PLUMB_UNIT;
  if (unit == PLUMB_POISON_WATCHED) {
    *is_watched = 1;
    return end_of_watched(at);
  }
  return unit < PLUMB_UNIT && at < start + unit ? start + unit : at;
}

uintptr_t plumb_first_bad(uintptr_t begin, uintptr_t end, int* is_watched) {
  uintptr_t at = begin;
  while (at < end) {
    uintptr_t next = is_in_window(at) ? step_in_window(at, is_watched) : step_outside(at);
    if (next <= at) return at;
    at = next;
  }
  return end;
}

void* plumb_map_memory(size_t size) {
  (void)size;
  return 0;
}

/* --- Before runs --- */

void plumb_begin_checks(void) {
  plumb_is_first_thread = 1;
  sort_globals();
  plumb_reset_checks();
}

void plumb_reset_checks(void) {
  plumb_is_mapped = 1;
  plumb_set_units((uintptr_t)plumb_window, PLUMB_FRAMES_BEGIN, 0);
  plumb_mark_kept();
  plumb_reset_heap();
  plumb_reset_frames();
  plumb_reset_leaks();
}
