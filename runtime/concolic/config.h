/*
 * The sizes of all arenas of the runtime. Nothing is allocated: what these say is what a program with the runtime
 * takes, beside its own tables (coverage, modes, globals), the runtime's code and about 2 KiB of single variables.
 *
 * Without PLUMB_ARENA_BYTES sizes are those of hosts and of boards with Linux, where pages that nobody touches cost
 * nothing. With it, all arenas together take no more than so many bytes, by fixed shares; it is at least 16384, and a
 * power of two wastes the least. Bare metal has 262144 if nothing else is said.
 *
 * What does not fit goes on as concrete data or without a check, which is counted (PLUMB_PIN_FULL); no value changes.
 */
#ifndef PLUMB_CONCOLIC_CONFIG_H
#define PLUMB_CONCOLIC_CONFIG_H

#define PLUMB_BARE_ARENA_BYTES 262144u

#if defined(PLUMB_BARE_METAL)
#define PLUMB_SINGLE_THREAD
#if !defined(PLUMB_ARENA_BYTES)
#define PLUMB_ARENA_BYTES PLUMB_BARE_ARENA_BYTES
#endif
#endif

/*
 * Entries of __plumb_filter, a power of two, in a program with so many bytes of arenas (0: without a limit).
 * Instrumented code has the number in its instructions, so that the instrumenter asks here, too.
 */
#define PLUMB_FILTER_SIZE_OF(arena)            \
  ((arena) == 0 || (arena) >= 1048576u ? 8192u \
   : (arena) >= 524288u                ? 4096u \
   : (arena) >= 262144u                ? 2048u \
   : (arena) >= 131072u                ? 1024u \
   : (arena) >= 65536u                 ? 512u  \
   : (arena) >= 32768u                 ? 256u  \
                                       : 128u)
#define PLUMB_MASKS_SIZE_OF(arena) (8u * PLUMB_FILTER_SIZE_OF(arena))

#if !defined(PLUMB_ARENA_BYTES)

#define PLUMB_FILTER_SIZE PLUMB_FILTER_SIZE_OF(0)
#define PLUMB_BUCKET_BITS 15
#define PLUMB_GRANULE_COUNT 65536u
#define PLUMB_STACK_OBJECTS 65536u
#define PLUMB_GLOBAL_OBJECTS 65536u
#define PLUMB_HEAP_OBJECTS 262144u
#define PLUMB_HEAP_BUCKET_BITS 17
#define PLUMB_CONSTANT_SLOTS 128u
#define PLUMB_WATCH_SLOTS 256u
#define PLUMB_REGION_SLOTS 1024u
#define PLUMB_MOST_TOLD 64u
#define PLUMB_MOST_WAITING 16u
/* Of runtime/checks; its tables of entries and of kept stacks grow on demand. */
#define PLUMB_FIRST_ENTRIES 1024u
#define PLUMB_QUARANTINE_BYTES ((size_t)1 << 24)
#define PLUMB_NOWHERE_BYTES 65536u
#define PLUMB_KEPT_WORDS (1u << 20)
#define PLUMB_KEPT_BUCKETS (1u << 14)
#define PLUMB_FRAME_CLASS_BITS 22u
#define PLUMB_FRAME_WAITING_BYTES ((uint32_t)1 << 17)

#define PLUMB_FITS(name, bytes, share) struct plumb_fits_##name

#else

#if PLUMB_ARENA_BYTES < 16384
#error "PLUMB_ARENA_BYTES has to be at least 16384"
#endif

/* Shares, in 256ths. */
#define PLUMB_SHARE(part) ((PLUMB_ARENA_BYTES) / 256u * (part))
#define PLUMB_SHARE_GRANULES 68u
#define PLUMB_SHARE_BUCKETS 1u
#define PLUMB_SHARE_FILTER 19u
#define PLUMB_SHARE_STACK 2u
#define PLUMB_SHARE_GLOBALS 4u
#define PLUMB_SHARE_HEAP_TABLE 2u
#define PLUMB_SHARE_CONSTANTS 2u
#define PLUMB_SHARE_WATCHED 1u
#define PLUMB_SHARE_REGIONS 1u
#define PLUMB_SHARE_TOLD 3u
#define PLUMB_SHARE_ENTRIES 16u
#define PLUMB_SHARE_PADDED 4u
#define PLUMB_SHARE_NOWHERE 4u
#define PLUMB_SHARE_FRAMES 20u
#define PLUMB_SHARE_HEAP 55u
#define PLUMB_SHARE_MAP 10u /* more than an eighth of the three above */
#define PLUMB_SHARE_STREAM 20u
#define PLUMB_SHARE_INPUTS 8u
#define PLUMB_SHARE_LINK 8u /* both ways */

#if PLUMB_SHARE_GRANULES + PLUMB_SHARE_BUCKETS + PLUMB_SHARE_FILTER + PLUMB_SHARE_STACK + PLUMB_SHARE_GLOBALS +  \
        PLUMB_SHARE_HEAP_TABLE + PLUMB_SHARE_CONSTANTS + PLUMB_SHARE_WATCHED + PLUMB_SHARE_REGIONS +             \
        PLUMB_SHARE_TOLD + PLUMB_SHARE_ENTRIES + PLUMB_SHARE_PADDED + PLUMB_SHARE_NOWHERE + PLUMB_SHARE_FRAMES + \
        PLUMB_SHARE_HEAP + PLUMB_SHARE_MAP + PLUMB_SHARE_STREAM + PLUMB_SHARE_INPUTS + PLUMB_SHARE_LINK >        \
    256
#error "the shares of the arena are more than all of it"
#endif

/* Tables with powers of two of buckets; counts of others follow from the size of their elements. */
#define PLUMB_FILTER_SIZE PLUMB_FILTER_SIZE_OF(PLUMB_ARENA_BYTES)
#if PLUMB_ARENA_BYTES >= 1048576
#define PLUMB_BUCKET_BITS 9
#define PLUMB_HEAP_BUCKET_BITS 7
#elif PLUMB_ARENA_BYTES >= 262144
#define PLUMB_BUCKET_BITS 7
#define PLUMB_HEAP_BUCKET_BITS 5
#elif PLUMB_ARENA_BYTES >= 65536
#define PLUMB_BUCKET_BITS 5
#define PLUMB_HEAP_BUCKET_BITS 3
#else
#define PLUMB_BUCKET_BITS 3
#define PLUMB_HEAP_BUCKET_BITS 2
#endif
#define PLUMB_COUNT(part, type) (PLUMB_SHARE(part) / (uint32_t)sizeof(type))
#define PLUMB_GRANULE_COUNT PLUMB_COUNT(PLUMB_SHARE_GRANULES, struct plumb_granule)
#define PLUMB_STACK_OBJECTS PLUMB_COUNT(PLUMB_SHARE_STACK, struct plumb_object)
#define PLUMB_GLOBAL_OBJECTS PLUMB_COUNT(PLUMB_SHARE_GLOBALS, uint32_t)
#define PLUMB_HEAP_OBJECTS \
  ((PLUMB_SHARE(PLUMB_SHARE_HEAP_TABLE) - (4u << PLUMB_HEAP_BUCKET_BITS)) / (uint32_t)sizeof(struct heap_entry))
#define PLUMB_CONSTANT_SLOTS PLUMB_COUNT(PLUMB_SHARE_CONSTANTS, struct constant)
#define PLUMB_WATCH_SLOTS PLUMB_COUNT(PLUMB_SHARE_WATCHED, struct shown)
#define PLUMB_REGION_SLOTS PLUMB_COUNT(PLUMB_SHARE_REGIONS, const uint8_t*)
#define PLUMB_MOST_WAITING 1u
#define PLUMB_MOST_TOLD \
  ((PLUMB_SHARE(PLUMB_SHARE_TOLD) - (uint32_t)sizeof(struct waiting)) / (uint32_t)sizeof(struct told))
#define PLUMB_FIRST_ENTRIES PLUMB_COUNT(PLUMB_SHARE_ENTRIES, struct plumb_entry)
#define PLUMB_NOWHERE_BYTES (PLUMB_SHARE(PLUMB_SHARE_NOWHERE) & ~63u)
/* Boards with Linux whose arenas are bounded have the C library's heap under the checks, and kept stacks. */
#define PLUMB_QUARANTINE_BYTES ((size_t)PLUMB_SHARE(PLUMB_SHARE_HEAP) / 4)
#define PLUMB_KEPT_WORDS (PLUMB_SHARE(PLUMB_SHARE_STREAM) / (uint32_t)sizeof(void*))
#define PLUMB_KEPT_BUCKETS (1u << PLUMB_BUCKET_BITS)
#define PLUMB_FRAME_CLASS_BITS 20u
#define PLUMB_FRAME_WAITING_BYTES ((uint32_t)1 << 12)

/* Bare metal: one window of memory that the map of addressability covers, for the program's heap and frames. */
#define PLUMB_FRAMES_BYTES (PLUMB_SHARE(PLUMB_SHARE_FRAMES) & ~63u)
#define PLUMB_HEAP_BYTES (PLUMB_SHARE(PLUMB_SHARE_HEAP) & ~63u)
#define PLUMB_WINDOW_BYTES (PLUMB_NOWHERE_BYTES + PLUMB_FRAMES_BYTES + PLUMB_HEAP_BYTES)
#define PLUMB_PADDED_GLOBALS PLUMB_COUNT(PLUMB_SHARE_PADDED, uint16_t)
/* For runtime/board. */
#define PLUMB_STREAM_WORDS PLUMB_COUNT(PLUMB_SHARE_STREAM, uint32_t)
#define PLUMB_INPUT_BYTES PLUMB_SHARE(PLUMB_SHARE_INPUTS)
#define PLUMB_LINK_BYTES (PLUMB_SHARE(PLUMB_SHARE_LINK) / 2u)

/* What the arenas of a file take is no more than their share. */
#define PLUMB_FITS(name, bytes, share) typedef char plumb_fits_##name[(bytes) <= PLUMB_SHARE(share) ? 1 : -1]

#endif

#define PLUMB_MASKS_SIZE (8u * PLUMB_FILTER_SIZE)

#endif
