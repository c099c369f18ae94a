/*
 * Memory as instrumented code sees it. A load of what was stored gives the same expression back; any other combination
 * of bytes is put together by extracts and concatenations, as few as possible.
 */
#include "shadow.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define IS_BIG_ENDIAN 1
#else
#define IS_BIG_ENDIAN 0
#endif

#define WIDEST 8u

static uint64_t value_of_bytes(const uint8_t* bytes, uint32_t size) {
  uint64_t value = 0;
  uint32_t i;
  for (i = 0; i < size; ++i) value |= (uint64_t)bytes[i] << 8 * (IS_BIG_ENDIAN ? size - 1 - i : i);
  return value;
}

static void bytes_of_value(uint8_t* bytes, uint32_t size, uint64_t value) {
  uint32_t i;
  for (i = 0; i < size; ++i) bytes[i] = (uint8_t)(value >> 8 * (IS_BIG_ENDIAN ? size - 1 - i : i));
}

/* The `size` bytes of the expression from byte `index`. */
static plumb_id extract_bytes(struct plumb_shadow_byte first, uint32_t size) {
  uint32_t low = IS_BIG_ENDIAN ? (uint32_t)first.total - first.index - size : first.index;
  if (size == first.total) return first.id;
  return plumb_operator(PLUMB_OP_EXTRACT, 8 * size, 8 * low, first.id, 0, 0);
}

/* How many bytes from `begin` are one constant or one piece of an expression. */
static uint32_t piece_at(const struct plumb_shadow_byte* bytes, uint32_t begin, uint32_t size) {
  const struct plumb_shadow_byte first = bytes[begin];
  uint32_t end = begin + 1;
  while (end < size && bytes[end].id == first.id &&
         (first.id == 0 || (bytes[end].total == first.total && bytes[end].index == first.index + (end - begin))))
    ++end;
  return end - begin;
}

static plumb_id assemble(const uint8_t* address, const struct plumb_shadow_byte* bytes, uint32_t size) {
  plumb_id made = 0;
  uint32_t begin = 0;
  while (begin < size) {
    uint32_t count = piece_at(bytes, begin, size);
    plumb_id piece = bytes[begin].id == 0 ? plumb_constant(8 * count, value_of_bytes(address + begin, count))
                                          : extract_bytes(bytes[begin], count);
    begin += count;
    if (made == 0) {
      made = piece;
    } else {
      plumb_id high = IS_BIG_ENDIAN ? made : piece;
      plumb_id low = IS_BIG_ENDIAN ? piece : made;
      made = plumb_operator(PLUMB_OP_CONCAT, 8 * begin, 0, high, low, 0);
    }
  }
  return made;
}

static plumb_id load_pieces(const uint8_t* address, uint32_t size) {
  struct plumb_shadow_byte bytes[WIDEST];
  uint32_t room = PLUMB_GRANULE - plumb_granule_offset(address);
  uint32_t first = size < room ? size : room;
  uint64_t symbolic = plumb_gather(address, first, bytes);
  uint32_t i;
  if (first < size) symbolic |= plumb_gather(address + first, size - first, bytes + first) << first;
  if (symbolic == 0) return 0;
  for (i = 0; i < size; ++i)
    if ((symbolic >> i & 1) == 0) bytes[i].id = 0;
  return assemble(address, bytes, size);
}

/* Are the bytes from `offset` of the granule one whole expression, with the values they should have? */
static int is_whole(const struct plumb_granule* granule, uint32_t offset, const uint8_t* address, uint32_t size) {
  uint32_t i;
  if ((~(granule->symbolic >> offset) & plumb_low_bits(size)) != 0) return 0;
  for (i = 0; i < size; ++i)
    if (granule->ids[offset + i] != granule->ids[offset] || granule->indices[offset + i] != i ||
        granule->totals[offset + i] != size || granule->expected[offset + i] != address[i])
      return 0;
  return 1;
}

plumb_id plumb_load_shadow(const uint8_t* address, uint32_t size) {
  uint32_t offset = plumb_granule_offset(address);
  if (offset + size <= PLUMB_GRANULE) {
    const struct plumb_granule* granule = plumb_find_granule((uintptr_t)address >> PLUMB_GRANULE_BITS);
    if (granule == 0 || (granule->symbolic >> offset & plumb_low_bits(size)) == 0) return 0;
    if (is_whole(granule, offset, address, size)) return granule->ids[offset];
  }
  return load_pieces(address, size);
}

plumb_id __plumb_load(const void* address, uint32_t size) {
  plumb_id id;
  if (!plumb_enter()) return 0;
  id = plumb_load_shadow(address, size);
  plumb_leave();
  return id;
}

static void store_shadow(const uint8_t* address, uint32_t size, plumb_id id, const uint8_t* expected) {
  if (id == 0) {
    plumb_clear_shadow(address, size);
  } else {
    plumb_set_shadow(address, size, id, 0, size, expected);
  }
}

void __plumb_store(const void* address, uint32_t size, plumb_id id) {
  if (!plumb_enter()) return;
  store_shadow(address, size, id, address);
  plumb_leave();
}

void __plumb_copied(const void* to, const void* from, size_t size) {
  if (!plumb_enter()) return;
  plumb_copy_shadow(to, from, size);
  plumb_leave();
}

void __plumb_filled(const void* to, size_t size, plumb_id byte) {
  if (!plumb_enter()) return;
  if (byte == 0) {
    plumb_clear_shadow(to, size);
  } else {
    plumb_set_shadow(to, size, byte, 0, 1, to);
  }
  plumb_leave();
}

void __plumb_cleared(const void* address, size_t size) {
  if (!plumb_enter()) return;
  plumb_clear_shadow(address, size);
  plumb_leave();
}

/* --- Symbolic addresses --- */

/* The object that the access lies in, if it is one that is accessed exactly; else size 0. */
static struct plumb_object accessed_object(const uint8_t* address, uint32_t size, const uint8_t* base,
                                           size_t object_size) {
  struct plumb_object object = {0, 0};
  if (base == 0) {
    object = plumb_find_object(address, size);
  } else if (size <= object_size && (uintptr_t)address - (uintptr_t)base <= object_size - size) {
    object.base = base;
    object.size = object_size;
  }
  if (object.size > plumb_state.max_object) object.size = 0;
  return object;
}

static void put_access(uint32_t kind, uint32_t size, plumb_id address_id, const uint8_t* address) {
  uint32_t* words = plumb_words(4);
  words[0] = plumb_head(kind, 0, 8 * size);
  words[1] = address_id;
  plumb_put_value(words + 2, (uintptr_t)address);
}

static void pin_address(uint32_t site, plumb_id address_id, const uint8_t* address) {
  plumb_record_pin(PLUMB_PIN_ADDRESS, site, plumb_pointer_width(), address_id, (uintptr_t)address);
}

plumb_id __plumb_read(uint32_t site, plumb_id address_id, const void* address, uint32_t size, const void* base,
                      size_t object_size, uint32_t constant) {
  struct plumb_object object;
  plumb_id made;
  if (!plumb_enter()) return 0;
  object = accessed_object(address, size, base, object_size);
  if (address_id == 0 || object.size == 0) {
    if (address_id != 0) pin_address(site, address_id, address);
    made = plumb_load_shadow(address, size);
  } else {
    put_access(PLUMB_READ, size, address_id, address);
    if (constant != 0) {
      plumb_put_known_object(object.base, constant - 1);
    } else {
      plumb_put_object(object.base, (uint32_t)object.size);
    }
    plumb_publish();
    made = plumb_make_ids(1);
  }
  plumb_leave();
  return made;
}

/* After the record: each byte of the object has an expression. The store itself is still to come. */
static void set_written_object(struct plumb_object object, const uint8_t* address, uint32_t size,
                               const uint8_t* value) {
  size_t offset = (size_t)(address - object.base);
  plumb_id first = plumb_make_ids((uint32_t)object.size);
  plumb_set_shadow(object.base, offset, first, 1, 1, object.base);
  plumb_set_shadow(address, size, first + (plumb_id)offset, 1, 1, value);
  offset += size;
  plumb_set_shadow(object.base + offset, object.size - offset, first + (plumb_id)offset, 1, 1, object.base + offset);
}

void __plumb_write(uint32_t site, plumb_id address_id, const void* address, uint32_t size, plumb_id id, uint64_t value,
                   const void* base, size_t object_size) {
  struct plumb_object object;
  uint8_t bytes[WIDEST];
  uint32_t* words;
  if (!plumb_enter()) return;
  bytes_of_value(bytes, size, value);
  object = accessed_object(address, size, base, object_size);
  if (address_id == 0 || object.size == 0) {
    if (address_id != 0) pin_address(site, address_id, address);
    store_shadow(address, size, id, bytes);
  } else {
    put_access(PLUMB_WRITE, size, address_id, address);
    words = plumb_words(3);
    words[0] = id;
    plumb_put_value(words + 1, value);
    plumb_put_object(object.base, (uint32_t)object.size);
    plumb_publish();
    set_written_object(object, address, size, bytes);
  }
  plumb_leave();
}
