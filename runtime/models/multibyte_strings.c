// Multibyte strings to wide ones and back.

#include "host.h"
#include "text.h"
#include "wide.h"

enum { MostBytes = 6 };

// At most `size` characters of at most `limit` bytes; `from` goes on to what follows, to null behind the end of the
// string, and stays if there is nowhere to store.
static size_t widen(wchar_t* to, const char** from, size_t limit, size_t size, struct plumb_state* state) {
  struct plumb_state copy = *state;
  struct plumb_state* used = to != NULL ? state : &copy;
  const char* at = *from;
  const char* end = limit > (size_t)-1 - (uintptr_t)at ? (const char*)(uintptr_t)-1 : at + limit;
  size_t count = 0;
  for (; to == NULL || count < size; ++count) {
    if (at == end) break;
    wchar_t wide = 0;
    size_t bytes = mbrtowc(&wide, at, (size_t)(end - at) < MostBytes ? (size_t)(end - at) : MostBytes, used);
    if (bytes == (size_t)-1) {
      if (to != NULL) *from = at;
      return bytes;
    }
    if (bytes == (size_t)-2) {
      at = end;
      break;
    }
    if (to != NULL) to[count] = wide;
    if (wide == 0) {
      at = NULL;
      break;
    }
    at += bytes;
  }
  if (to != NULL) *from = at;
  return count;
}

size_t mbsnrtowcs(wchar_t* restrict to, const char** restrict from, size_t limit, size_t size, void* restrict state) {
  static struct plumb_state own;
  return widen(to, from, limit, size, state != NULL ? state : &own);
}

size_t mbsrtowcs(wchar_t* restrict to, const char** restrict from, size_t size, void* restrict state) {
  static struct plumb_state own;
  return widen(to, from, (size_t)-1, size, state != NULL ? state : &own);
}

size_t mbstowcs(wchar_t* restrict to, const char* restrict from, size_t size) {
  struct plumb_state state = {0, 0};
  const char* at = from;
  return widen(to, &at, (size_t)-1, size, &state);
}

// At most `limit` characters to at most `size` bytes, whole characters only.
static size_t narrow(char* to, const wchar_t** from, size_t limit, size_t size) {
  const wchar_t* at = *from;
  size_t count = 0;
  for (; limit > 0; --limit, ++at) {
    char bytes[MostBytes];
    if (to != NULL && count == size) break;
    size_t length = wcrtomb(bytes, *at, NULL);
    if (length == (size_t)-1) {
      if (to != NULL) *from = at;
      return length;
    }
    if (to != NULL && length > size - count) break;
    if (to != NULL) memcpy(to + count, bytes, length);
    if (*at == 0) {
      at = NULL;
      break;
    }
    count += length;
  }
  if (to != NULL) *from = at;
  return count;
}

size_t wcsnrtombs(char* restrict to, const wchar_t** restrict from, size_t limit, size_t size, void* restrict state) {
  (void)state;
  return narrow(to, from, limit, size);
}

size_t wcsrtombs(char* restrict to, const wchar_t** restrict from, size_t size, void* restrict state) {
  (void)state;
  return narrow(to, from, (size_t)-1, size);
}

size_t wcstombs(char* restrict to, const wchar_t* restrict from, size_t size) {
  const wchar_t* at = from;
  return narrow(to, &at, (size_t)-1, size);
}

size_t __mbsnrtowcs_chk(wchar_t* restrict to, const char** restrict from, size_t limit, size_t size,
                        void* restrict state, size_t room) {
  if (size > room) abort();
  return mbsnrtowcs(to, from, limit, size, state);
}

size_t __mbsrtowcs_chk(wchar_t* restrict to, const char** restrict from, size_t size, void* restrict state,
                       size_t room) {
  if (size > room) abort();
  return mbsrtowcs(to, from, size, state);
}

size_t __mbstowcs_chk(wchar_t* restrict to, const char* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return mbstowcs(to, from, size);
}

size_t __wcsnrtombs_chk(char* restrict to, const wchar_t** restrict from, size_t limit, size_t size,
                        void* restrict state, size_t room) {
  if (size > room) abort();
  return wcsnrtombs(to, from, limit, size, state);
}

size_t __wcsrtombs_chk(char* restrict to, const wchar_t** restrict from, size_t size, void* restrict state,
                       size_t room) {
  if (size > room) abort();
  return wcsrtombs(to, from, size, state);
}

size_t __wcstombs_chk(char* restrict to, const wchar_t* restrict from, size_t size, size_t room) {
  if (size > room) abort();
  return wcstombs(to, from, size);
}
