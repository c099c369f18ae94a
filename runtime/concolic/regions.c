/*
 * Visits of regions that are summarised. The region itself runs as plain code; what it gets is recorded when it is
 * entered, and when it is left its results have the expressions of the region's formula. A visit with concrete data
 * alone leaves no record; one whose conditions are all concrete goes per-path. The formula speaks of separate stretches
 * of memory that exist on every path, which is checked here.
 */
#include "../checks/checks.h"
#include "shadow.h"

/* Where the slots of the open region are. */
static const uint8_t* open_slots[PLUMB_REGION_SLOTS];

static int is_visit_symbolic(const struct plumb_region* region, const plumb_id* ids, const void* const* slots) {
  uint32_t i;
  for (i = 0; i < region->in_count; ++i)
    if (ids[i] != 0) return 1;
  for (i = 0; i < region->slot_count; ++i)
    if (plumb_is_symbolic(slots[i], region->slots[i].size)) return 1;
  return 0;
}

static int is_choice_symbolic(const struct plumb_region* region, const plumb_id* ids, const void* const* slots) {
  uint32_t i;
  for (i = 0; i < region->mark_count; ++i) {
    const struct plumb_mark* mark = &region->marks[i];
    if (mark->slot == PLUMB_IN ? ids[mark->offset] != 0
                               : plumb_is_symbolic((const uint8_t*)slots[mark->slot] + mark->offset, mark->size))
      return 1;
  }
  return 0;
}

static int overlap(const struct plumb_region* region, const void* const* slots, uint32_t i, uint32_t j) {
  uintptr_t first = (uintptr_t)slots[i];
  uintptr_t second = (uintptr_t)slots[j];
  return first < second ? second - first < region->slots[i].size : first - second < region->slots[j].size;
}

static int are_slots_separate(const struct plumb_region* region, const void* const* slots) {
  uint32_t i;
  uint32_t j;
  for (i = 0; i < region->slot_count; ++i)
    for (j = 0; region->slots[i].is_written != 0 && j < region->slot_count; ++j)
      if (j != i && overlap(region, slots, i, j)) return 0;
  return 1;
}

/* An object whose size depends on input may be too small with another one, which the formula does not know. */
static int are_slots_live(const struct plumb_region* region, const void* const* slots) {
  uint32_t i;
  for (i = 0; i < region->slot_count; ++i) {
    struct plumb_object object;
    if (region->slots[i].is_known != 0) continue;
    object = plumb_find_object(slots[i], region->slots[i].size);
    if (object.size == 0) return 0;
    if (plumb_heap_number(object.base) != 0 && plumb_watched_size(object.base) != 0) return 0;
  }
  return 1;
}

static int has_room(const struct plumb_region* region) {
  uint64_t needed = 0;
  uint32_t i;
  if (region->slot_count > PLUMB_REGION_SLOTS) return 0;
  for (i = 0; i < region->slot_count; ++i)
    if (region->slots[i].is_written != 0) needed += region->slots[i].size / PLUMB_GRANULE + 2;
  return needed <= plumb_free_granules();
}

static void record_enter(const struct plumb_region* region, const plumb_id* ids, const uint64_t* values,
                         const void* const* slots) {
  uint32_t* words = plumb_words(2);
  uint32_t i;
  words[0] = plumb_head(PLUMB_REGION_ENTER, 0, 0);
  words[1] = region->index;
  for (i = 0; i < region->in_count; ++i) {
    words = plumb_words(3);
    words[0] = ids[i];
    plumb_put_value(words + 1, values[i]);
  }
  for (i = 0; i < region->slot_count; ++i) {
    plumb_put_object(slots[i], region->slots[i].size);
    open_slots[i] = slots[i];
  }
  plumb_publish();
  plumb_state.open_region = region;
}

uint32_t __plumb_region_enter(const struct plumb_region* region, const plumb_id* ids, const uint64_t* values,
                              const void* const* slots, const plumb_id* slot_ids) {
  uint32_t way = PLUMB_PATH;
  uint32_t i;
  if (!plumb_enter()) return PLUMB_PLAIN;
  plumb_state.open_region = 0;
  for (i = 0; i < region->slot_count && slot_ids[i] == 0; ++i) {
  }
  if (i == region->slot_count) {
    if (!is_visit_symbolic(region, ids, slots)) {
      way = PLUMB_PLAIN;
    } else if (is_choice_symbolic(region, ids, slots) && are_slots_live(region, slots) &&
               are_slots_separate(region, slots) && has_room(region)) {
      if (!plumb_count_node()) return PLUMB_PLAIN;
      record_enter(region, ids, values, slots);
      way = PLUMB_PLAIN;
    }
  }
  plumb_leave();
  return way;
}

/* Memory holds what the region wrote. */
static void set_cells(const struct plumb_region* region, plumb_id id) {
  uint32_t i;
  for (i = 0; i < region->cell_count; ++i) {
    const struct plumb_cell* cell = &region->cells[i];
    const uint8_t* address = open_slots[cell->slot] + cell->offset;
    plumb_set_shadow(address, cell->size, id + i, 0, cell->size, address);
  }
}

plumb_id __plumb_region_exit(const struct plumb_region* region, uint32_t destination) {
  plumb_id first = 0;
  if (!plumb_enter()) return 0;
  if (plumb_state.open_region == region) {
    uint32_t* words = plumb_words(3);
    words[0] = plumb_head(PLUMB_REGION_EXIT, 0, 0);
    words[1] = region->index;
    words[2] = destination;
    plumb_publish();
    first = plumb_make_ids(region->out_count + region->cell_count);
    set_cells(region, first + region->out_count);
    plumb_state.open_region = 0;
  }
  plumb_leave();
  return first;
}
