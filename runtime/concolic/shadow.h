/*
 * Shadow memory: which expression each byte of memory has.
 *
 * Memory is cut into granules of 64 bytes; those with a symbolic byte are in a hash table, in an arena of fixed size. A
 * byte's entry says which byte of which expression it is, and what value it has: where memory holds another value, code
 * without instrumentation has overwritten it and the byte is concrete. __plumb_filter counts the granules of each slot.
 * Neighbouring granules have neighbouring buckets, so a short run touches few pages.
 */
#ifndef PLUMB_CONCOLIC_SHADOW_H
#define PLUMB_CONCOLIC_SHADOW_H

#include "state.h"

#pragma GCC visibility push(hidden)

#define PLUMB_GRANULE 64u
#define PLUMB_BUCKET_COUNT (1u << PLUMB_BUCKET_BITS)

struct plumb_granule {
  uint64_t symbolic; /* a bit a byte */
  uintptr_t number;  /* address / PLUMB_GRANULE */
  uint32_t next;     /* in the bucket or the free list: index + 1, or 0 */
  plumb_id ids[PLUMB_GRANULE];
  uint8_t indices[PLUMB_GRANULE]; /* in the expression */
  uint8_t totals[PLUMB_GRANULE];  /* bytes of the expression */
  uint8_t expected[PLUMB_GRANULE];
};

extern struct plumb_granule plumb_granules[PLUMB_GRANULE_COUNT];
extern uint32_t plumb_buckets[PLUMB_BUCKET_COUNT]; /* index + 1, or 0 */

/* The entry of one byte; id 0: concrete. */
struct plumb_shadow_byte {
  plumb_id id;
  uint8_t index;
  uint8_t total;
};

/* `count` up to PLUMB_GRANULE bits, the lowest. */
static inline uint64_t plumb_low_bits(uint32_t count) {
  return count >= PLUMB_GRANULE ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

static inline uint32_t plumb_granule_offset(const uint8_t* address) {
  return (uint32_t)((uintptr_t)address & (PLUMB_GRANULE - 1));
}

static inline uint32_t plumb_bucket_of(uintptr_t number) {
  return (uint32_t)((number ^ number >> PLUMB_BUCKET_BITS) & (PLUMB_BUCKET_COUNT - 1));
}

/* The granule with this number, null if it has no symbolic byte. */
static inline struct plumb_granule* plumb_find_granule(uintptr_t number) {
  uint32_t index = plumb_buckets[plumb_bucket_of(number)];
  while (index != 0) {
    struct plumb_granule* granule = &plumb_granules[index - 1];
    if (granule->number == number) return granule;
    index = granule->next;
  }
  return 0;
}

/* How many granules could still be made. */
uint32_t plumb_free_granules(void);

/*
 * Byte i of the range becomes byte i % element of expression id + stride * (i / element), which has `element` bytes;
 * its value is expected[i]. Without room the rest becomes concrete, which is recorded.
 */
void plumb_set_shadow(const uint8_t* address, size_t size, plumb_id id, uint32_t stride, uint32_t element,
                      const uint8_t* expected);
void plumb_clear_shadow(const uint8_t* address, size_t size);
/* After the copy. */
void plumb_copy_shadow(const uint8_t* to, const uint8_t* from, size_t size);
/* The entries of a range that lies in one granule; bytes that are not as expected are made concrete. Gives the bits of
   those that are symbolic; the others' entries are not set. */
uint64_t plumb_gather(const uint8_t* address, uint32_t size, struct plumb_shadow_byte* bytes);
int plumb_is_symbolic(const uint8_t* address, size_t size);
/* As __plumb_load(), inside the runtime. */
plumb_id plumb_load_shadow(const uint8_t* address, uint32_t size);

/* For a fresh start in the same process. */
void plumb_reset_shadow(void);

#pragma GCC visibility pop

#endif
