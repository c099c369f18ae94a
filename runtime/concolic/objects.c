/*
 * The live objects of the program, to find the one that an address leads into.
 *
 * Stack objects in frames and small heap objects are known to runtime/checks; those on the real stack are a stack that
 * functions cut back. Globals are sorted once. Large heap objects and mappings are in an open-addressing table where an
 * object of more than 2^(k-1) and at most 2^k bytes is filed under the aligned block of 2^k bytes that it starts in: at
 * most two such objects start in one block, and an address inside an object is in the block where it starts or the
 * next. So an inner address is found by a few probes for each size class in use, without a tree.
 */
#include "../checks/internal.h"
#include "shadow.h"

/* --- Stack --- */

uint32_t __plumb_stack_top;
static struct plumb_object stack_objects[PLUMB_STACK_OBJECTS];
static uint32_t stack_was_full;
static uint32_t frames_were_full;

void __plumb_stack_object(const void* base, size_t size) {
  uint32_t top = __plumb_stack_top;
  if (!plumb_enter()) return;
  if (top < PLUMB_STACK_OBJECTS) {
    stack_objects[top].base = base;
    stack_objects[top].size = size;
  } else if (!stack_was_full) {
    stack_was_full = 1;
    plumb_record_lost(PLUMB_PIN_FULL, 0);
  }
  __plumb_stack_top = top + 1;
  plumb_leave();
}

/* Of the traced thread. */
void plumb_frame_refused(void) {
  if (frames_were_full || !plumb_enter()) return;
  frames_were_full = 1;
  plumb_record_lost(PLUMB_PIN_FULL, 0);
  plumb_leave();
}

static int contains(struct plumb_object object, const uint8_t* address, size_t size) {
  return size <= object.size && (uintptr_t)address - (uintptr_t)object.base <= object.size - size;
}

/* From the youngest: frames that were left by longjmp may still be below. */
static struct plumb_object find_on_stack(const uint8_t* address, size_t size) {
  struct plumb_object none = {0, 0};
  uint32_t i = __plumb_stack_top < PLUMB_STACK_OBJECTS ? __plumb_stack_top : PLUMB_STACK_OBJECTS;
  while (i-- > 0)
    if (contains(stack_objects[i], address, size)) return stack_objects[i];
  return none;
}

/* --- Globals --- */

static uint32_t global_order[PLUMB_GLOBAL_OBJECTS]; /* indices in __plumb_globals, by rising base */
static uint32_t global_count;

static uintptr_t global_base(uint32_t position) { return (uintptr_t)__plumb_globals[global_order[position]].base; }

static void sift_down(uint32_t root, uint32_t count) {
  for (;;) {
    uint32_t child = 2 * root + 1;
    uint32_t swapped;
    if (child >= count) return;
    if (child + 1 < count && global_base(child) < global_base(child + 1)) ++child;
    if (global_base(root) >= global_base(child)) return;
    swapped = global_order[root];
    global_order[root] = global_order[child];
    global_order[child] = swapped;
    root = child;
  }
}

void plumb_prepare_objects(void) {
  uint32_t i;
  global_count = __plumb_global_count < PLUMB_GLOBAL_OBJECTS ? __plumb_global_count : PLUMB_GLOBAL_OBJECTS;
  for (i = 0; i < global_count; ++i) global_order[i] = i;
  for (i = global_count / 2; i-- > 0;) sift_down(i, global_count);
  for (i = global_count; i-- > 1;) {
    uint32_t largest = global_order[0];
    global_order[0] = global_order[i];
    global_order[i] = largest;
    sift_down(0, i);
  }
}

static struct plumb_object find_global(const uint8_t* address, size_t size) {
  struct plumb_object found = {0, 0};
  uint32_t low = 0;
  uint32_t high = global_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (global_base(middle) <= (uintptr_t)address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return found;
  found.base = __plumb_globals[global_order[low - 1]].base;
  found.size = __plumb_globals[global_order[low - 1]].size;
  if (!contains(found, address, size)) found.size = 0;
  return found;
}

/* --- Heap --- */

#define HEAP_BUCKETS (1u << PLUMB_HEAP_BUCKET_BITS)
#define SMALLEST_CLASS 4u
#define CLASSES (8u * (uint32_t)sizeof(size_t))

struct heap_entry {
  struct plumb_object object;
  uint32_t next; /* in the bucket or the free list: index + 1, or 0 */
};
static struct heap_entry heap_entries[PLUMB_HEAP_OBJECTS];
static uint32_t heap_buckets[HEAP_BUCKETS]; /* index + 1, or 0 */
static uint32_t used_entries;               /* from the start; some of them may be free again */
static uint32_t free_entries;               /* index + 1, or 0 */
static uint32_t class_counts[CLASSES];
PLUMB_FITS(heap_table, sizeof heap_entries + sizeof heap_buckets, PLUMB_SHARE_HEAP_TABLE);

static uint32_t class_of(size_t size) {
  uint32_t bits = SMALLEST_CLASS;
  while (bits < CLASSES - 1 && (size - 1) >> bits != 0) ++bits;
  return bits;
}

/* Neighbours for neighbouring blocks, so that a short run touches few pages; size classes are spread. */
static uint32_t* bucket_of(uintptr_t block, uint32_t size_class) {
  uint32_t mixed = (uint32_t)(block ^ block >> PLUMB_HEAP_BUCKET_BITS);
  return &heap_buckets[(mixed + size_class * 0x9e3779b1u) & (HEAP_BUCKETS - 1)];
}

/* The link to the entry of the object with this base, of this size class; null if there is none. */
static uint32_t* find_link(const void* base, uint32_t size_class) {
  uint32_t* link = bucket_of((uintptr_t)base >> size_class, size_class);
  for (; *link != 0; link = &heap_entries[*link - 1].next) {
    const struct plumb_object* object = &heap_entries[*link - 1].object;
    if (object->base == base && class_of(object->size) == size_class) return link;
  }
  return 0;
}

size_t plumb_remove_heap_object(const void* base) {
  uint32_t size_class;
  for (size_class = SMALLEST_CLASS; size_class < CLASSES; ++size_class) {
    uint32_t* link = class_counts[size_class] != 0 ? find_link(base, size_class) : 0;
    if (link != 0) {
      uint32_t index = *link;
      struct heap_entry* entry = &heap_entries[index - 1];
      *link = entry->next;
      entry->next = free_entries;
      free_entries = index;
      --class_counts[size_class];
      return entry->object.size;
    }
  }
  return 0;
}

static struct plumb_object find_in_block(uintptr_t block, uint32_t size_class, const uint8_t* address, size_t size) {
  struct plumb_object none = {0, 0};
  uint32_t index = *bucket_of(block, size_class);
  for (; index != 0; index = heap_entries[index - 1].next)
    if (contains(heap_entries[index - 1].object, address, size)) return heap_entries[index - 1].object;
  return none;
}

static struct plumb_object find_on_heap(const uint8_t* address, size_t size) {
  struct plumb_object found = {0, 0};
  uint32_t size_class;
  for (size_class = SMALLEST_CLASS; size_class < CLASSES; ++size_class) {
    uintptr_t block = (uintptr_t)address >> size_class;
    if (class_counts[size_class] == 0) continue;
    found = find_in_block(block, size_class, address, size);
    if (found.size == 0) found = find_in_block(block - 1, size_class, address, size);
    if (found.size != 0) break;
  }
  return found;
}

static struct plumb_object find_by_map(const uint8_t* address, size_t size) {
  struct plumb_object found = {0, 0};
  const struct plumb_block* block = plumb_find_block((uintptr_t)address, PLUMB_TABLE_SIZE + PLUMB_UNIT);
  if (block == 0) return found;
  found.base = (const uint8_t*)plumb_object_of(block);
  found.size = plumb_block_size(block);
  if (!contains(found, address, size)) found.size = 0;
  return found;
}

static struct plumb_object find_in_frames(const uint8_t* address, size_t size) {
  struct plumb_object found = {0, 0};
  struct plumb_found_variable variable;
  if (!plumb_find_variable((uintptr_t)address, &variable)) return found;
  found.base = (const uint8_t*)variable.base;
  found.size = variable.size;
  if (!contains(found, address, size)) found.size = 0;
  return found;
}

/* Code without instrumentation may have freed what was here. */
int plumb_add_heap_object(const void* base, size_t size) {
  uint32_t size_class = class_of(size);
  uint32_t* bucket = bucket_of((uintptr_t)base >> size_class, size_class);
  struct plumb_object stale = find_on_heap(base, 1);
  struct heap_entry* entry;
  uint32_t index;
  if (stale.size != 0) plumb_remove_heap_object(stale.base);
  if (free_entries != 0) {
    index = free_entries;
    free_entries = heap_entries[index - 1].next;
  } else if (used_entries < PLUMB_HEAP_OBJECTS) {
    index = ++used_entries;
  } else {
    return 0;
  }
  entry = &heap_entries[index - 1];
  entry->object.base = base;
  entry->object.size = size;
  entry->next = *bucket;
  *bucket = index;
  ++class_counts[size_class];
  return 1;
}

struct plumb_object plumb_find_object(const void* address, size_t size) {
  struct plumb_object found = find_global(address, size);
  if (found.size != 0) return found;
  if (plumb_is_in_frames((uintptr_t)address)) return find_in_frames(address, size);
  found = find_by_map(address, size);
  if (found.size == 0) found = find_on_heap(address, size);
  if (found.size == 0) found = find_on_stack(address, size);
  return found;
}

uint32_t plumb_heap_number(const void* base) { return plumb_block_number(base); }

void plumb_reset_objects(void) {
  uint32_t i;
  __plumb_stack_top = 0;
  stack_was_full = 0;
  frames_were_full = 0;
  used_entries = 0;
  free_entries = 0;
  for (i = 0; i < HEAP_BUCKETS; ++i) heap_buckets[i] = 0;
  for (i = 0; i < CLASSES; ++i) class_counts[i] = 0;
}
