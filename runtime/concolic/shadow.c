/* The table of granules, and ranges of shadow memory: set, clear, copy, gather. */
#include "shadow.h"

uint8_t __plumb_filter[PLUMB_FILTER_SIZE];
uint8_t __plumb_masks[PLUMB_MASKS_SIZE + 1];
struct plumb_granule plumb_granules[PLUMB_GRANULE_COUNT];
uint32_t plumb_buckets[PLUMB_BUCKET_COUNT];
PLUMB_FITS(filter, sizeof __plumb_filter + sizeof __plumb_masks, PLUMB_SHARE_FILTER);
PLUMB_FITS(granules, sizeof plumb_granules, PLUMB_SHARE_GRANULES);
PLUMB_FITS(buckets, sizeof plumb_buckets, PLUMB_SHARE_BUCKETS);

static uint32_t used_granules; /* of the arena, from its start; some of them may be free again */
static uint32_t free_list;     /* index + 1, or 0 */
static uint32_t live_granules;

/* A slot that was full once stays so: its count is not known any more. */
#define SATURATED 255u

static uint8_t* filter_slot(uintptr_t number) { return &__plumb_filter[number & (PLUMB_FILTER_SIZE - 1)]; }

static uintptr_t granule_number(const uint8_t* address) { return (uintptr_t)address >> PLUMB_GRANULE_BITS; }

uint32_t plumb_free_granules(void) { return PLUMB_GRANULE_COUNT - live_granules; }

void plumb_reset_shadow(void) {
  uint32_t i;
  for (i = 0; i < PLUMB_BUCKET_COUNT; ++i) plumb_buckets[i] = 0;
  for (i = 0; i < PLUMB_FILTER_SIZE; ++i) __plumb_filter[i] = 0;
  for (i = 0; i <= PLUMB_MASKS_SIZE; ++i) __plumb_masks[i] = 0;
  used_granules = 0;
  free_list = 0;
  live_granules = 0;
}

/* A granule that was not there, without symbolic bytes; null if the arena is full. */
static struct plumb_granule* make_granule(uintptr_t number) {
  uint32_t* bucket = &plumb_buckets[plumb_bucket_of(number)];
  uint8_t* slot = filter_slot(number);
  struct plumb_granule* granule;
  uint32_t index;
  if (free_list != 0) {
    index = free_list;
    free_list = plumb_granules[index - 1].next;
  } else if (used_granules < PLUMB_GRANULE_COUNT) {
    index = ++used_granules;
  } else {
    return 0;
  }
  granule = &plumb_granules[index - 1];
  granule->symbolic = 0;
  granule->number = number;
  granule->next = *bucket;
  *bucket = index;
  ++live_granules;
  if (*slot != SATURATED) ++*slot;
  return granule;
}

static void drop_granule(struct plumb_granule* granule) {
  uint32_t* link = &plumb_buckets[plumb_bucket_of(granule->number)];
  uint8_t* slot = filter_slot(granule->number);
  uint32_t index = (uint32_t)(granule - plumb_granules) + 1;
  while (*link != index) link = &plumb_granules[*link - 1].next;
  *link = granule->next;
  granule->next = free_list;
  free_list = index;
  --live_granules;
  if (*slot != SATURATED) --*slot;
}

/* Granules that share a slot share its masks: what another one needs stays. */
static void set_symbolic(struct plumb_granule* granule, uint64_t symbolic) {
  uint8_t* masks = &__plumb_masks[8 * (granule->number & (PLUMB_FILTER_SIZE - 1))];
  int is_alone = *filter_slot(granule->number) == 1;
  uint32_t i;
  for (i = 0; i < 8; ++i) {
    uint8_t mask = (uint8_t)(symbolic >> 8 * i);
    mask = is_alone ? mask : (uint8_t)(masks[i] | mask);
    if (masks[i] != mask) masks[i] = mask;
  }
  if (masks == __plumb_masks) masks[PLUMB_MASKS_SIZE] = masks[0];
  granule->symbolic = symbolic;
  if (symbolic == 0) drop_granule(granule);
}

static void clear_bits(uintptr_t number, uint64_t bits) {
  struct plumb_granule* granule;
  if (*filter_slot(number) == 0) return;
  granule = plumb_find_granule(number);
  if (granule != 0) set_symbolic(granule, granule->symbolic & ~bits);
}

/* How much of the range lies in the granule of its first byte. */
static uint32_t first_part(const uint8_t* address, size_t size) {
  uint32_t room = PLUMB_GRANULE - plumb_granule_offset(address);
  return size < room ? (uint32_t)size : room;
}

void plumb_clear_shadow(const uint8_t* address, size_t size) {
  while (size != 0 && live_granules != 0) {
    uint32_t part = first_part(address, size);
    clear_bits(granule_number(address), plumb_low_bits(part) << plumb_granule_offset(address));
    address += part;
    size -= part;
  }
}

void plumb_set_shadow(const uint8_t* address, size_t size, plumb_id id, uint32_t stride, uint32_t element,
                      const uint8_t* expected) {
  uint32_t index = 0;
  while (size != 0) {
    uint32_t part = first_part(address, size);
    uint32_t offset = plumb_granule_offset(address);
    struct plumb_granule* granule = plumb_find_granule(granule_number(address));
    uint32_t i;
    if (granule == 0) granule = make_granule(granule_number(address));
    if (granule == 0) {
      plumb_clear_shadow(address, size);
      plumb_record_lost(PLUMB_PIN_FULL, 0);
      return;
    }
    for (i = 0; i < part; ++i) {
      granule->ids[offset + i] = id;
      granule->indices[offset + i] = (uint8_t)index;
      granule->totals[offset + i] = (uint8_t)element;
      granule->expected[offset + i] = expected[i];
      if (++index == element) {
        index = 0;
        id += stride;
      }
    }
    set_symbolic(granule, granule->symbolic | plumb_low_bits(part) << offset);
    address += part;
    expected += part;
    size -= part;
  }
}

uint64_t plumb_gather(const uint8_t* address, uint32_t size, struct plumb_shadow_byte* bytes) {
  uint32_t offset = plumb_granule_offset(address);
  struct plumb_granule* granule = plumb_find_granule(granule_number(address));
  uint64_t overwritten = 0;
  uint64_t symbolic;
  uint64_t rest;
  if (granule == 0) return 0;
  symbolic = granule->symbolic >> offset & plumb_low_bits(size);
  for (rest = symbolic; rest != 0; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    if (granule->expected[offset + i] != address[i]) overwritten |= (uint64_t)1 << i;
    bytes[i].id = granule->ids[offset + i];
    bytes[i].index = granule->indices[offset + i];
    bytes[i].total = granule->totals[offset + i];
  }
  if (overwritten != 0) set_symbolic(granule, granule->symbolic & ~(overwritten << offset));
  return symbolic & ~overwritten;
}

int plumb_is_symbolic(const uint8_t* address, size_t size) {
  struct plumb_shadow_byte bytes[PLUMB_GRANULE];
  while (size != 0 && live_granules != 0) {
    uint32_t part = first_part(address, size);
    if (*filter_slot(granule_number(address)) != 0 && plumb_gather(address, part, bytes) != 0) return 1;
    address += part;
    size -= part;
  }
  return 0;
}

/* Both ranges lie in one granule each, perhaps the same. The values of the source may be gone already; what the copy
   has is what counts. Gives 0 if there is no room. */
static int copy_part(const uint8_t* to, const uint8_t* from, uint32_t size) {
  struct plumb_granule* source = plumb_find_granule(granule_number(from));
  struct plumb_granule* target;
  struct plumb_shadow_byte bytes[PLUMB_GRANULE];
  uint32_t from_offset = plumb_granule_offset(from);
  uint32_t to_offset = plumb_granule_offset(to);
  uint64_t symbolic = source != 0 ? source->symbolic >> from_offset & plumb_low_bits(size) : 0;
  uint64_t rest;
  for (rest = symbolic; rest != 0; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    bytes[i].id = source->ids[from_offset + i];
    bytes[i].index = source->indices[from_offset + i];
    bytes[i].total = source->totals[from_offset + i];
    if (source->expected[from_offset + i] != to[i]) symbolic &= ~((uint64_t)1 << i);
  }
  if (symbolic == 0) {
    clear_bits(granule_number(to), plumb_low_bits(size) << to_offset);
    return 1;
  }
  target = plumb_find_granule(granule_number(to));
  if (target == 0) target = make_granule(granule_number(to));
  if (target == 0) return 0;
  for (rest = symbolic; rest != 0; rest &= rest - 1) {
    uint32_t i = (uint32_t)__builtin_ctzll(rest);
    target->ids[to_offset + i] = bytes[i].id;
    target->indices[to_offset + i] = bytes[i].index;
    target->totals[to_offset + i] = bytes[i].total;
    target->expected[to_offset + i] = to[i];
  }
  set_symbolic(target, (target->symbolic & ~(plumb_low_bits(size) << to_offset)) | symbolic << to_offset);
  return 1;
}

void plumb_copy_shadow(const uint8_t* to, const uint8_t* from, size_t size) {
  int is_backward = (uintptr_t)to > (uintptr_t)from && (uintptr_t)to - (uintptr_t)from < size;
  int is_full = 0;
  size_t done = 0;
  if (live_granules == 0 || to == from) return;
  while (done < size) {
    uint32_t part;
    size_t begin;
    if (is_backward) {
      size_t end = size - done;
      uint32_t to_part = plumb_granule_offset(to + end - 1) + 1;
      uint32_t from_part = plumb_granule_offset(from + end - 1) + 1;
      part = to_part < from_part ? to_part : from_part;
      if (part > end) part = (uint32_t)end;
      begin = end - part;
    } else {
      part = first_part(to + done, first_part(from + done, size - done));
      begin = done;
    }
    if ((*filter_slot(granule_number(to + begin)) | *filter_slot(granule_number(from + begin))) != 0)
      is_full |= !copy_part(to + begin, from + begin, part);
    done += part;
  }
  if (is_full) plumb_record_lost(PLUMB_PIN_FULL, 0);
}

/* Bits of the granule's bytes that may be symbolic. */
static uint64_t granule_mask(uintptr_t number) {
  const uint8_t* masks = &__plumb_masks[8 * (number & (PLUMB_FILTER_SIZE - 1))];
  uint64_t mask = 0;
  uint32_t i;
  for (i = 0; i < 8; ++i) mask |= (uint64_t)masks[i] << 8 * i;
  return mask;
}

/* Granules from here on whose slots are empty, as many as one look at the filter tells: up to 8. */
static uint32_t empty_granules(uintptr_t number) {
  const uint8_t* slot = filter_slot(number);
  uint64_t eight;
  if (slot + 8 > __plumb_filter + PLUMB_FILTER_SIZE) return *slot == 0;
  __builtin_memcpy(&eight, slot, sizeof eight);
  return eight == 0 ? 8 : *slot == 0;
}

static int is_range_concrete(uintptr_t first, uintptr_t last) {
  uintptr_t end = last >> PLUMB_GRANULE_BITS;
  uintptr_t number = first >> PLUMB_GRANULE_BITS;
  if (end - number > PLUMB_FILTER_SIZE) end = number + PLUMB_FILTER_SIZE; /* once around tells all */
  while (number <= end) {
    uint32_t empty = empty_granules(number);
    if (empty == 0) {
      uint64_t mask = granule_mask(number);
      if (number == first >> PLUMB_GRANULE_BITS) mask &= ~plumb_low_bits((uint32_t)(first & (PLUMB_GRANULE - 1)));
      if (number == last >> PLUMB_GRANULE_BITS) mask &= plumb_low_bits((uint32_t)(last & (PLUMB_GRANULE - 1)) + 1);
      if (mask != 0) return 0;
      empty = 1;
    }
    number += empty;
  }
  return 1;
}

uint32_t __plumb_is_concrete(const void* start, uint64_t step, uint64_t count, uint64_t size) {
  const uint64_t large = (uint64_t)1 << 31;
  uint64_t first = (uintptr_t)start;
  uint64_t way = step * count;
  int is_back = (step >> 63) != 0;
  uint64_t last;
  /* Below 8 steps the look costs more than it saves; above, the products could wrap. */
  if (count < 8 || count >= large || step + large >= 2 * large || size == 0) return 0;
  last = is_back ? first : first + way;
  if (is_back) first += way;
  last += size - 1;
  if (last < first || last > UINTPTR_MAX) return 0;
  return live_granules == 0 || is_range_concrete((uintptr_t)first, (uintptr_t)last);
}
