// <string.h>: the functions that make, copy and join strings, and the checked variants that _FORTIFY_SOURCE calls.

#include "host.h"
#include "text.h"

size_t strnlen(const char* text, size_t size);

char* stpcpy(char* restrict to, const char* restrict from) {
  for (; *from != 0; ++from) *to++ = *from;
  *to = 0;
  return to;
}

char* strcpy(char* restrict to, const char* restrict from) {
  stpcpy(to, from);
  return to;
}

char* stpncpy(char* restrict to, const char* restrict from, size_t size) {
  size_t length = strnlen(from, size);
  memcpy(to, from, length);
  memset(to + length, 0, size - length);
  return to + length;
}

char* strncpy(char* restrict to, const char* restrict from, size_t size) {
  stpncpy(to, from, size);
  return to;
}

char* strcat(char* restrict to, const char* restrict from) {
  stpcpy(to + strlen(to), from);
  return to;
}

char* strncat(char* restrict to, const char* restrict from, size_t size) {
  size_t length = strnlen(from, size);
  char* end = to + strlen(to);
  memcpy(end, from, length);
  end[length] = 0;
  return to;
}

size_t strlcpy(char* restrict to, const char* restrict from, size_t size) {
  size_t length = strlen(from);
  if (size > 0) {
    size_t copied = length < size ? length : size - 1;
    memcpy(to, from, copied);
    to[copied] = 0;
  }
  return length;
}

size_t strlcat(char* restrict to, const char* restrict from, size_t size) {
  size_t length = strnlen(to, size);
  if (length == size) return size + strlen(from);
  return length + strlcpy(to + length, from, size - length);
}

char* strndup(const char* text, size_t size) {
  size_t length = strnlen(text, size);
  char* copy = malloc(length + 1);
  if (copy == NULL) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char* strdup(const char* text) { return strndup(text, strlen(text)); }
char* __strdup(const char* text) { return strdup(text); }
char* __strndup(const char* text, size_t size) { return strndup(text, size); }

char* __stpcpy_chk(char* restrict to, const char* restrict from, size_t room) {
  if (strlen(from) >= room) abort();
  return stpcpy(to, from);
}

char* __strcpy_chk(char* restrict to, const char* restrict from, size_t room) {
  if (strlen(from) >= room) abort();
  return strcpy(to, from);
}

char* __strncpy_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return strncpy(to, from, size);
}

char* __stpncpy_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return stpncpy(to, from, size);
}

char* __strcat_chk(char* restrict to, const char* restrict from, size_t room) {
  if (strlen(to) + strlen(from) >= room) abort();
  return strcat(to, from);
}

char* __strncat_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (strlen(to) + strnlen(from, size) >= room) abort();
  return strncat(to, from, size);
}

size_t __strlcpy_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return strlcpy(to, from, size);
}

size_t __strlcat_chk(char* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return strlcat(to, from, size);
}
