/*
 * The table of heap objects, and which of them an address leads to. Headers
 * have a poison of their own: whether an address is an object's first is seen
 * at once, and from inside of an object a walk back over the map leads to its
 * header.
 */
#include "internal.h"

/* --- The table --- */

static struct plumb_entry first_entries[PLUMB_FIRST_ENTRIES];
PLUMB_FITS(entries, sizeof first_entries, PLUMB_SHARE_ENTRIES);
struct plumb_entry* plumb_entries = first_entries;
uint32_t plumb_entry_count;
uint32_t plumb_program_count;
struct plumb_range plumb_heap = {UINTPTR_MAX, 0};
static uint32_t entry_room = PLUMB_FIRST_ENTRIES;
static uint32_t free_entries; /* index + 1 */
static uint32_t allocations;

/* The old table stays: it is half as large. */
static int grow(void) {
  struct plumb_entry* grown = 0;
  uint32_t i;
  if (entry_room < UINT32_MAX / 4) grown = plumb_map_memory(2 * (size_t)entry_room * sizeof *grown);
  if (grown == 0) return 0;
  for (i = 0; i < plumb_entry_count; ++i) grown[i] = plumb_entries[i];
  plumb_entries = grown;
  entry_room *= 2;
  return 1;
}

/* Which objects a library has kept from other runs is not to be seen in the numbers of the program's own. */
#if defined(PLUMB_BARE_METAL)
#define FIRST_OF_LIBRARY 0x40000000u
static uint32_t number_of(uint32_t entry, int is_program) {
  return is_program ? ++allocations : FIRST_OF_LIBRARY + entry;
}
#else
static uint32_t number_of(uint32_t entry, int is_program) {
  (void)entry, (void)is_program;
  return ++allocations;
}
#endif

uint32_t plumb_take_entry(void) {
  uint32_t taken = free_entries;
  if (taken != 0) {
    free_entries = plumb_entries[taken - 1].link;
  } else if (plumb_entry_count < entry_room || grow()) {
    taken = ++plumb_entry_count;
  } else {
    return 0;
  }
  plumb_entries[taken - 1].number = number_of(taken, __plumb_call_site != 0);
  plumb_entries[taken - 1].size_id = 0;
  plumb_entries[taken - 1].site = 0;
  return taken;
}

void plumb_free_entry(uint32_t index) {
  plumb_entries[index].block = 0;
  plumb_entries[index].link = free_entries;
  free_entries = index + 1;
}

#if defined(PLUMB_BARE_METAL)
void plumb_reset_entries(int (*keeps)(uint32_t index)) {
  uint32_t i = plumb_entry_count;
  plumb_entry_count = 0;
  plumb_program_count = 0;
  plumb_heap.begin = UINTPTR_MAX;
  plumb_heap.end = 0;
  free_entries = 0;
  allocations = 0;
  while (i-- > 0) {
    if (keeps(i)) {
      plumb_entries[i].number = number_of(i + 1, 0);
      plumb_entries[i].size_id = 0;
      if (plumb_entry_count == 0) plumb_entry_count = i + 1;
    } else if (plumb_entry_count != 0) {
      plumb_free_entry(i);
    }
  }
}
#endif

/* --- Finding --- */

#define UNITS sizeof(plumb_word)
#define EACH(value) ((value) * UINT64_C(0x0101010101010101))

static int has_head(const uint8_t* at) {
  uint64_t other = *(const plumb_word*)(const void*)at ^ EACH(PLUMB_POISON_HEAD);
  return ((other - EACH(1)) & ~other & EACH(0x80)) != 0;
}

static struct plumb_block* block_with_head_before(const uint8_t* unit) {
  return plumb_block_at(((uintptr_t)unit - PLUMB_MAP_OFFSET) << PLUMB_UNIT_BITS);
}

int plumb_is_object(uintptr_t address) {
  if (!plumb_is_mapped) return 1;
  return address >= plumb_heap.begin && address <= plumb_heap.end && address % PLUMB_CHUNK_ALIGNMENT == 0 &&
         plumb_unit(address - PLUMB_UNIT) == PLUMB_POISON_HEAD && plumb_unit(address) != PLUMB_POISON_HEAD;
}

struct plumb_block* plumb_block_before(uintptr_t address, uintptr_t reach) {
  uintptr_t lowest = plumb_heap.begin - PLUMB_UNIT;
  const uint8_t* at = (const uint8_t*)PLUMB_ADDRESSABLE(address);
  const uint8_t* first = (const uint8_t*)PLUMB_ADDRESSABLE(address - lowest < reach ? lowest : address - reach);
  if (address < plumb_heap.begin || plumb_heap.end == 0) return 0;
  while (at >= first && *at == PLUMB_POISON_HEAD) --at;
  while (at >= first && (size_t)(at - first) >= UNITS && !has_head(at - (UNITS - 1))) at -= UNITS;
  while (at >= first && *at != PLUMB_POISON_HEAD) --at;
  return at >= first ? block_with_head_before(at + 1) : 0;
}

struct plumb_block* plumb_block_behind(uintptr_t address, uintptr_t reach) {
  uintptr_t highest = plumb_heap.end;
  const uint8_t* at = (const uint8_t*)PLUMB_ADDRESSABLE(address);
  const uint8_t* last = (const uint8_t*)PLUMB_ADDRESSABLE(highest - address < reach ? highest : address + reach);
  if (address >= highest) return 0;
  while (at <= last && *at != PLUMB_POISON_HEAD) ++at;
  if (at > last) return 0;
  while (*at == PLUMB_POISON_HEAD) ++at;
  return block_with_head_before(at);
}

struct plumb_block* plumb_find_block(uintptr_t address, uintptr_t reach) {
  struct plumb_block* block;
  uint8_t unit;
  if (address < plumb_heap.begin || address >= plumb_heap.end) return 0;
  unit = plumb_unit(address);
  if (unit >= PLUMB_UNIT && unit != PLUMB_POISON_WATCHED) return 0;
  block = plumb_block_before(address, reach);
  if (block == 0 || !plumb_is_live(block)) return 0;
  return address - plumb_object_of(block) < plumb_block_size(block) ? block : 0;
}

struct plumb_block* plumb_search_block(uintptr_t address, uintptr_t behind) {
  uint32_t i;
  for (i = 0; i < plumb_entry_count; ++i) {
    struct plumb_block* block = plumb_entries[i].block;
    if (block != 0 && address - plumb_object_of(block) < plumb_block_size(block) + behind) return block;
  }
  return 0;
}

uint32_t plumb_block_number(const void* object) {
  const struct plumb_block* block = plumb_block_at((uintptr_t)object);
  return plumb_is_mapped && plumb_is_object((uintptr_t)object) && plumb_is_live(block) ? plumb_entry_of(block)->number
                                                                                       : 0;
}

/* --- Objects whose size depends on input --- */

void plumb_watch_object(const void* base, uint32_t size_id) {
  struct plumb_block* block = plumb_block_at((uintptr_t)base);
  if (base == 0 || !plumb_is_object((uintptr_t)base) || !plumb_is_live(block)) return;
  plumb_entry_of(block)->size_id = size_id;
  plumb_set_units((uintptr_t)base, plumb_round_up((uintptr_t)base + plumb_block_size(block)), PLUMB_POISON_WATCHED);
}

uint32_t plumb_watched_size(const void* base) {
  const struct plumb_block* block = plumb_block_at((uintptr_t)base);
  return plumb_is_object((uintptr_t)base) && plumb_is_live(block) ? plumb_entry_of(block)->size_id : 0;
}
