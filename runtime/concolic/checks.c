/*
 * Checks of what depends on input: records that say what is checked, so that the engine can look for inputs with which
 * it does not hold. An access is held against the object that its root pointer leads into, exactly: a bad address may
 * well lie in another object. What is wrong in this run is told by the concrete checks that follow in the code, but for
 * accesses at symbolic addresses, of which only this file knows the object.
 *
 * These records do not count towards the limit of path nodes, which is there for decisions.
 */
#include "../checks/checks.h"

#include "shadow.h"

/* What may be allocated without the run depending on its size; an allocation of more may fail. */
#define LARGEST_WATCHED ((size_t)1 << 24)

struct range {
  uint32_t defect;
  uint32_t width;
  uint32_t object;
  plumb_id value_id;
  uint64_t value;
  uint64_t base;
  plumb_id limit_id;
  uint64_t limit;
};

static uint64_t low_bits(uint64_t value, uint32_t width) {
  return width >= 64 ? value : value & (((uint64_t)1 << width) - 1);
}

static int holds(const struct range* range) {
  return low_bits(range->value - range->base, range->width) <= low_bits(range->limit, range->width);
}

static void record_range(uint32_t site, const struct range* range) {
  uint32_t* words;
  if ((range->value_id | range->limit_id) == 0) return;
  words = plumb_words(12);
  words[0] = plumb_head(PLUMB_RANGE, range->defect, range->width);
  words[1] = site;
  words[2] = (uint32_t)holds(range);
  words[3] = range->object;
  words[4] = range->value_id;
  plumb_put_value(words + 5, low_bits(range->value, range->width));
  plumb_put_value(words + 7, low_bits(range->base, range->width));
  words[9] = range->limit_id;
  plumb_put_value(words + 10, low_bits(range->limit, range->width));
  plumb_publish();
}

/* --- Objects --- */

/* One past the end belongs to the object too: there is room between objects. Base null: there is none. */
static struct plumb_object object_at(const uint8_t* address) {
  struct plumb_object found = plumb_find_object(address, 1);
  if (found.size == 0 && address != 0) found = plumb_find_object(address - 1, 1);
  if (found.size == 0) found.base = address != 0 && plumb_heap_number(address) != 0 ? address : 0;
  return found;
}

/* For ranges in the object; without a value and a limit. */
static struct range range_in(struct plumb_object object) {
  struct range range = {PLUMB_DEFECT_ARRAY, 0, 0, 0, 0, 0, 0, 0};
  uint64_t base = (uintptr_t)object.base;
  range.width = plumb_pointer_width();
  range.base = base;
  range.object = plumb_heap_number(object.base);
  if (range.object != 0) {
    range.defect = PLUMB_DEFECT_POINTER;
  } else {
    range.object = (uint32_t)(base ^ base >> 32) | PLUMB_KNOWN_OBJECT; /* no heap object's number */
  }
  return range;
}

static plumb_id watched_size(const struct range* range, struct plumb_object object) {
  return range->defect == PLUMB_DEFECT_POINTER ? plumb_watched_size(object.base) : 0;
}

static plumb_id combine(uint32_t op, plumb_id a, uint64_t a_value, plumb_id b, uint64_t b_value) {
  uint32_t width = plumb_pointer_width();
  if ((a | b) == 0) return 0;
  if (a == 0) a = plumb_constant(width, a_value);
  if (b == 0) b = plumb_constant(width, b_value);
  return plumb_operator(op, width, 0, a, b, 0);
}

/* The last access whose symbolic address was held against the size of its object. */
static uint32_t last_site;
static const void* last_address;
/* A defect that is told now was recorded as a failed range. */
static PLUMB_THREAD_LOCAL int is_access_recorded;

/* Neither the start nor the end of the access lies behind the object's end: with a size that depends on input that
   takes two ranges, for its difference to the size of the access may be negative. */
static void record_watched_access(uint32_t site, struct range range, uint32_t bytes) {
  record_range(site, &range);
  range.value_id = combine(PLUMB_OP_ADD, range.value_id, 0, 0, bytes);
  range.value += bytes;
  record_range(site, &range);
}

static void record_access(uint32_t site, plumb_id address_id, const uint8_t* address, uint32_t bytes,
                          struct plumb_object object) {
  struct range range = range_in(object);
  range.value_id = address_id;
  range.value = (uintptr_t)address;
  range.limit_id = watched_size(&range, object);
  range.limit = object.size;
  if (range.limit_id != 0) {
    record_watched_access(site, range, bytes);
    last_site = site;
    last_address = address;
  } else if (object.size >= bytes) {
    range.limit = object.size - bytes;
    record_range(site, &range);
  }
}

void __plumb_root(uint32_t site, plumb_id root_id, const void* root) {
  struct plumb_object object;
  struct range range;
  if (root_id == 0 || !plumb_enter()) return;
  object = object_at(root);
  if (object.base != 0) {
    range = range_in(object);
    range.defect = 0;
    range.value_id = root_id;
    range.value = (uintptr_t)root;
    range.limit = object.size;
    record_range(site, &range);
  }
  plumb_leave();
}

void* __plumb_access(uint32_t site, plumb_id address_id, void* address, uint32_t access, const void* root,
                     size_t size) {
  uint32_t bytes = access & ~PLUMB_ACCESS_WRITE;
  struct plumb_object object = {0, 0};
  if (size != 0) {
    object.base = root;
    object.size = size;
  }
  if (address_id != 0 && plumb_enter()) {
    if (size == 0) object = object_at(root);
    if (object.base != 0) record_access(site, address_id, address, bytes, object);
    plumb_leave();
  }
  if (object.base == 0) return address;
  if (object.size >= bytes && (uintptr_t)address - (uintptr_t)object.base <= object.size - bytes) return address;
  last_address = 0;
  is_access_recorded = 1;
  address = __plumb_bad_offset(site, address, access, object.base, object.size);
  is_access_recorded = 0;
  return address;
}

/* The room from the address to the object's end, where one of them may be symbolic. */
static void record_block(uint32_t site, plumb_id address_id, const uint8_t* address, plumb_id size_id, size_t size,
                         struct plumb_object object) {
  struct range range = range_in(object);
  plumb_id object_size_id = watched_size(&range, object);
  plumb_id end_id = combine(PLUMB_OP_ADD, object_size_id, 0, 0, range.base);
  if (address_id != 0) {
    range.value_id = address_id;
    range.value = (uintptr_t)address;
    range.limit_id = object_size_id;
    range.limit = object.size;
    record_range(site, &range);
  }
  range.limit_id = combine(PLUMB_OP_SUB, end_id, range.base + object.size, address_id, (uintptr_t)address);
  range.limit = object.size - (size_t)(address - object.base);
  range.value_id = size_id;
  range.value = size;
  range.base = 0;
  record_range(site, &range);
}

void __plumb_block(uint32_t site, plumb_id address_id, const void* address, plumb_id size_id, size_t size,
                   uint32_t is_write) {
  struct plumb_object object;
  (void)is_write;
  if ((address_id | size_id) == 0 || !plumb_enter()) return;
  object = object_at(address);
  if (object.base != 0) record_block(site, address_id, address, size_id, size, object);
  plumb_leave();
}

/* --- Objects whose size depends on input --- */

void __plumb_sized(const void* object, size_t size, plumb_id size_id) {
  uint32_t width = plumb_pointer_width();
  int is_watched = size <= LARGEST_WATCHED && object != 0;
  uint32_t* words;
  plumb_id limit;
  plumb_id condition;
  if (size_id == 0 || !plumb_enter() || !plumb_count_node()) return;
  limit = plumb_constant(width, LARGEST_WATCHED);
  condition = plumb_operator(PLUMB_OP_ULE, 1, 0, size_id, limit, 0);
  words = plumb_words(4);
  words[0] = plumb_head(PLUMB_BRANCH, 0, 0);
  words[1] = 0;
  words[2] = size > LARGEST_WATCHED;
  words[3] = condition;
  plumb_publish();
  if (!is_watched) plumb_record_pin(PLUMB_PIN_SIZE, 0, width, size_id, size);
  plumb_leave();
  if (is_watched) plumb_watch_object(object, size_id);
}

/* What accesses of a watched object showed of its size: one that lies inside and ends no farther than another that
   does, or ends beyond it and no nearer than another, shows nothing more. Objects that share a slot are told of more
   often than it takes. */
struct shown {
  const void* base;
  plumb_id size_id;
  uintptr_t farthest; /* end of one inside */
  uintptr_t nearest;  /* end of one beyond */
};
static struct shown shown[PLUMB_WATCH_SLOTS];

static void record_end(uint32_t site, uintptr_t end, struct plumb_object object, plumb_id size_id) {
  uint32_t slot = (uint32_t)((uintptr_t)object.base >> 4) % PLUMB_WATCH_SLOTS;
  int is_inside = end - (uintptr_t)object.base <= object.size;
  struct range range;
  if (shown[slot].base != object.base || shown[slot].size_id != size_id) {
    shown[slot].base = object.base;
    shown[slot].size_id = size_id;
    shown[slot].farthest = 0;
    shown[slot].nearest = UINTPTR_MAX;
  }
  if (is_inside ? end <= shown[slot].farthest : end >= shown[slot].nearest) return;
  if (is_inside) {
    shown[slot].farthest = end;
  } else {
    shown[slot].nearest = end;
  }
  range = range_in(object);
  range.value = end;
  range.limit_id = size_id;
  range.limit = object.size;
  record_range(site, &range);
}

void plumb_reset_check_records(void) {
  uint32_t i;
  last_site = 0;
  last_address = 0;
  is_access_recorded = 0;
  for (i = 0; i < PLUMB_WATCH_SLOTS; ++i) shown[i].base = 0;
}

void plumb_tell_watched(uint32_t site, const void* address, uint32_t access, const void* base, size_t size,
                        uint32_t size_id) {
  struct plumb_object object;
  if (size_id == 0 || plumb_state.open_region != 0 || !plumb_enter()) return;
  object.base = base;
  object.size = size;
  if (last_site == site && last_address == address) {
    last_address = 0;
  } else {
    record_end(site, (uintptr_t)address + (access & ~PLUMB_ACCESS_WRITE), object, size_id);
  }
  plumb_leave();
}

void plumb_record_beyond(const struct plumb_defect_record* defect) {
  struct plumb_object object;
  plumb_id size_id;
  uint32_t bytes = defect->access & ~PLUMB_ACCESS_WRITE;
  if (is_access_recorded || plumb_state.open_region != 0 || defect->kind != PLUMB_DEFECT_POINTER ||
      defect->object_kind != PLUMB_OBJECT_HEAP)
    return;
  object.base = (const uint8_t*)(uintptr_t)defect->object_base;
  object.size = (size_t)defect->object_size;
  size_id = plumb_watched_size(object.base);
  if (size_id == 0 || bytes == 0 || defect->address < defect->object_base) return;
  if (defect->address + bytes - defect->object_base > object.size)
    record_end(defect->site, (uintptr_t)defect->address + bytes, object, size_id);
}

/* --- Values --- */

static void check_value(uint32_t site, uint32_t defect, uint32_t width, plumb_id id, uint64_t value, uint64_t limit) {
  struct range range = {0, 0, 0, 0, 0, 0, 0, 0};
  range.defect = defect;
  range.width = width;
  range.value_id = id;
  range.value = value;
  range.limit = limit;
  record_range(site, &range);
}

/* No index is right for an array of no elements, whatever the inputs. */
void __plumb_index(uint32_t site, plumb_id index_id, uint64_t index, uint64_t count) {
  if (index_id == 0 || count == 0 || !plumb_enter()) return;
  check_value(site, PLUMB_DEFECT_INDEX, plumb_pointer_width(), index_id, index, count - 1);
  plumb_leave();
}

void __plumb_shift(uint32_t site, uint32_t width, plumb_id amount_id, uint64_t amount) {
  if (amount_id == 0 || !plumb_enter()) return;
  check_value(site, PLUMB_DEFECT_SHIFT, width, amount_id, amount, width - 1);
  plumb_leave();
}

void __plumb_alignment(uint32_t site, plumb_id address_id, const void* address, uint32_t alignment) {
  uint64_t mask = (uint64_t)alignment - 1;
  plumb_id low;
  if (address_id == 0 || alignment < 2 || !plumb_enter()) return;
  low = combine(PLUMB_OP_AND, address_id, 0, 0, mask);
  check_value(site, PLUMB_DEFECT_ALIGNMENT, plumb_pointer_width(), low, (uintptr_t)address & mask, 0);
  plumb_leave();
}

static int64_t signed_value(uint64_t value, uint32_t width) {
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (int64_t)((low_bits(value, width) ^ sign) - sign);
}

static int overflows(uint32_t op, uint32_t width, int64_t a, int64_t b) {
  int64_t result = 0;
  int is_wide = 0;
  switch (op) {
    case PLUMB_OP_ADD:
      is_wide = __builtin_add_overflow(a, b, &result);
      break;
    case PLUMB_OP_SUB:
      is_wide = __builtin_sub_overflow(a, b, &result);
      break;
    case PLUMB_OP_MUL:
      is_wide = __builtin_mul_overflow(a, b, &result);
      break;
    case PLUMB_OP_SDIV:
    case PLUMB_OP_SREM:
      return b == -1 && a == signed_value((uint64_t)1 << (width - 1), width);
  }
  return is_wide || result != signed_value((uint64_t)result, width);
}

void __plumb_overflow(uint32_t site, uint32_t op, uint32_t width, plumb_id a, uint64_t a_value, plumb_id b,
                      uint64_t b_value) {
  uint32_t* words;
  if ((a | b) == 0 || width == 0 || width > 64 || !plumb_enter()) return;
  words = plumb_words(9);
  words[0] = plumb_head(PLUMB_OVERFLOW, op, width);
  words[1] = site;
  words[2] = !overflows(op, width, signed_value(a_value, width), signed_value(b_value, width));
  words[3] = a;
  plumb_put_value(words + 4, low_bits(a_value, width));
  words[6] = b;
  plumb_put_value(words + 7, low_bits(b_value, width));
  plumb_publish();
  plumb_leave();
}
