// <string.h>: the functions on blocks of bytes.

#include "host.h"
#include "text.h"

typedef unsigned char byte_t;

void* memcpy(void* restrict to, const void* restrict from, size_t size) {
  byte_t* target = to;
  const byte_t* source = from;
  for (size_t i = 0; i < size; ++i) target[i] = source[i];
  return to;
}

void* mempcpy(void* restrict to, const void* restrict from, size_t size) {
  memcpy(to, from, size);
  return (byte_t*)to + size;
}

void* memmove(void* to, const void* from, size_t size) {
  byte_t* target = to;
  const byte_t* source = from;
  if ((uintptr_t)target <= (uintptr_t)source) {
    for (size_t i = 0; i < size; ++i) target[i] = source[i];
  } else {
    for (size_t i = size; i > 0; --i) target[i - 1] = source[i - 1];
  }
  return to;
}

void* memccpy(void* restrict to, const void* restrict from, int last, size_t size) {
  byte_t* target = to;
  const byte_t* source = from;
  for (size_t i = 0; i < size; ++i) {
    target[i] = source[i];
    if (source[i] == (byte_t)last) return target + i + 1;
  }
  return NULL;
}

void* memset(void* to, int byte, size_t size) {
  byte_t* target = to;
  for (size_t i = 0; i < size; ++i) target[i] = (byte_t)byte;
  return to;
}

void explicit_bzero(void* to, size_t size) { memset(to, 0, size); }

int memcmp(const void* a, const void* b, size_t size) {
  const byte_t* left = a;
  const byte_t* right = b;
  for (size_t i = 0; i < size; ++i) {
    if (left[i] != right[i]) return left[i] - right[i];
  }
  return 0;
}

void* memchr(const void* bytes, int byte, size_t size) {
  const byte_t* at = bytes;
  for (size_t i = 0; i < size; ++i) {
    if (at[i] == (byte_t)byte) return (void*)(at + i);
  }
  return NULL;
}

void* memrchr(const void* bytes, int byte, size_t size) {
  const byte_t* at = bytes;
  for (size_t i = size; i > 0; --i) {
    if (at[i - 1] == (byte_t)byte) return (void*)(at + i - 1);
  }
  return NULL;
}

void* rawmemchr(const void* bytes, int byte) {
  const byte_t* at = bytes;
  while (*at != (byte_t)byte) ++at;
  return (void*)at;
}

void* memmem(const void* bytes, size_t size, const void* wanted, size_t wanted_size) {
  const byte_t* at = bytes;
  for (size_t i = 0; wanted_size <= size && i <= size - wanted_size; ++i) {
    if (memcmp(at + i, wanted, wanted_size) == 0) return (void*)(at + i);
  }
  return NULL;
}

void* memfrob(void* bytes, size_t size) {
  byte_t* at = bytes;
  for (size_t i = 0; i < size; ++i) at[i] ^= 42;
  return bytes;
}

void* __memcpy_chk(void* restrict to, const void* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return memcpy(to, from, size);
}

void* __memmove_chk(void* to, const void* from, size_t size, size_t room) {
  if (size > room) abort();
  return memmove(to, from, size);
}

void* __mempcpy_chk(void* restrict to, const void* restrict from, size_t size, size_t room) {
  return (byte_t*)__memcpy_chk(to, from, size, room) + size;
}

void* __memset_chk(void* to, int byte, size_t size, size_t room) {
  if (size > room) abort();
  return memset(to, byte, size);
}

void __explicit_bzero_chk(void* to, size_t size, size_t room) { __memset_chk(to, 0, size, room); }
