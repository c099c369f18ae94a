#pragma once

// Functions of <string.h>, <ctype.h> and <stdlib.h> that the models use of each other. Only names that ISO C reserves:
// a program may have its own function of any other name.

#include <stddef.h>

void* memcpy(void* restrict to, const void* restrict from, size_t size);
void* memmove(void* to, const void* from, size_t size);
void* memset(void* to, int byte, size_t size);
void* memchr(const void* bytes, int byte, size_t size);
int memcmp(const void* a, const void* b, size_t size);
size_t strlen(const char* text);
size_t strspn(const char* text, const char* accepted);
size_t strcspn(const char* text, const char* rejected);
int strncmp(const char* a, const char* b, size_t size);
char* strchr(const char* text, int byte);
char* strerror(int number);

int isalnum(int byte);
int isalpha(int byte);
int iscntrl(int byte);
int isdigit(int byte);
int isgraph(int byte);
int islower(int byte);
int isprint(int byte);
int ispunct(int byte);
int isspace(int byte);
int isupper(int byte);
int isxdigit(int byte);
int tolower(int byte);
int toupper(int byte);

/// Marks one of two ways that shall not be put into one formula: what is decided there (a place, a length, a base) must
/// not depend on input afterwards.
static inline void plumb_apart(void) {
  volatile char mark = 0;
  (void)mark;
}

/// The value of a digit or letter in bases up to 36; 36 for what is neither.
static inline unsigned plumb_digit(int byte) {
  if (byte >= '0' && byte <= '9') return (unsigned)(byte - '0');
  if (byte >= 'a' && byte <= 'z') return (unsigned)(byte - 'a' + 10);
  if (byte >= 'A' && byte <= 'Z') return (unsigned)(byte - 'A' + 10);
  return 36;
}

/// A number that digits are added to.
struct plumb_number {
  unsigned long long magnitude;
  int overflow;  // the magnitude is not what it should be
  int count;     // of digits
};

/// Compares only where the number can be too large, so that there is nothing to decide before.
static inline void plumb_add_digit(struct plumb_number* number, unsigned digit, unsigned base) {
  const unsigned long long most = ~0ull;
  int safe = base <= 16 ? 16 : 12;
  if (number->count++ >= safe) {
    unsigned long long limit = most / base;
    if (number->magnitude > limit || (number->magnitude == limit && digit > most % base)) {
      plumb_apart();
      number->overflow = 1;
    }
  }
  number->magnitude = number->magnitude * base + digit;
}
