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

int isspace(int byte);
int isdigit(int byte);
int isalpha(int byte);
int isalnum(int byte);
int tolower(int byte);
int toupper(int byte);

/// The value of a digit or letter in bases up to 36; 36 for what is neither.
static inline unsigned plumb_digit(int byte) {
  if (byte >= '0' && byte <= '9') return (unsigned)(byte - '0');
  if (byte >= 'a' && byte <= 'z') return (unsigned)(byte - 'a' + 10);
  if (byte >= 'A' && byte <= 'Z') return (unsigned)(byte - 'A' + 10);
  return 36;
}
