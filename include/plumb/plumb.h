/*
 * plumb.h: inputs, assumptions and checks in programs that plumb verifies.
 *
 *   int speed;
 *   plumb_symbolic(&speed, sizeof speed, "speed");   any value
 *   plumb_assume(speed >= 0 && speed < 200);         runs where it is false do not count
 *   plumb_check(brake(speed) <= 100);                a property: to hold in every run
 *
 * plumb knows these functions by their names; it defines __PLUMB__ when it compiles. Without plumb the program compiles
 * and runs as well, in C89 and later and in C++:
 *   - plumb_symbolic(&x, sizeof x, "x") takes the value from the environment variable PLUMB_x if there is one: a number
 *     (12, -3, 0x1f) for sizes of up to eight bytes, or the bytes in hexadecimal for any size (hex:00ff10). Otherwise
 *     the memory keeps its value;
 *   - plumb_nondet_int() and the like give the value of PLUMB_nondet_int, else 0;
 *   - an assumption that is false ends the program quietly with exit code 77 (PLUMB_ASSUME_EXIT changes it), which test
 *     drivers count as skipped;
 *   - a check that is false prints file, line and text on standard error and aborts.
 */
#ifndef PLUMB_PLUMB_H
#define PLUMB_PLUMB_H

#include <stddef.h>

#if defined(__PLUMB__)

#ifdef __cplusplus
extern "C" {
#endif

/* The size bytes at memory become a fresh input of that name, which may be null. */
void plumb_symbolic(void* memory, size_t size, const char* name);
void plumb_assume(int condition);
void plumb_check(int condition);

/* A fresh input of a type, without a name of its own. */
char plumb_nondet_char(void);
signed char plumb_nondet_schar(void);
unsigned char plumb_nondet_uchar(void);
short plumb_nondet_short(void);
unsigned short plumb_nondet_ushort(void);
int plumb_nondet_int(void);
unsigned int plumb_nondet_uint(void);
long plumb_nondet_long(void);
unsigned long plumb_nondet_ulong(void);
size_t plumb_nondet_size_t(void);
float plumb_nondet_float(void);
double plumb_nondet_double(void);

#ifdef __cplusplus
}
#endif

/* A condition may be wider than an int, or a pointer. */
#define plumb_assume(condition) plumb_assume((condition) != 0)
#define plumb_check(condition) plumb_check((condition) != 0)

#else /* without plumb */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLUMB_ASSUME_EXIT
#define PLUMB_ASSUME_EXIT 77
#endif

#if defined(__GNUC__)
#define PLUMB_UNUSED __attribute__((unused))
#else
#define PLUMB_UNUSED
#endif

/* The value of a hexadecimal digit, or -1. */
static PLUMB_UNUSED int plumb_digit_value(char digit) {
  const char* digits = "0123456789abcdef0123456789ABCDEF";
  const char* found = digit != 0 ? strchr(digits, digit) : NULL;
  return found != NULL ? (int)((found - digits) % 16) : -1;
}

static PLUMB_UNUSED void plumb_read_bytes(unsigned char* memory, size_t size, const char* text) {
  size_t i;
  for (i = 0; i < size; ++i) {
    int high = plumb_digit_value(text[0]);
    int low = high >= 0 ? plumb_digit_value(text[1]) : -1;
    if (low < 0) return;
    memory[i] = (unsigned char)(16 * high + low);
    text += 2;
  }
}

/* Reads a number digit by digit into the bytes, so that no type wider than C89 has is needed. */
static PLUMB_UNUSED void plumb_read_number(unsigned char* memory, size_t size, const char* text) {
  const unsigned short probe = 1;
  const int little = *(const unsigned char*)&probe == 1;
  int negative = text[0] == '-';
  int base = 10;
  size_t i;
  if (negative || text[0] == '+') ++text;
  if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text += 2;
  }
  memset(memory, 0, size);
  for (; plumb_digit_value(*text) >= 0 && plumb_digit_value(*text) < base; ++text) {
    int carry = plumb_digit_value(*text);
    for (i = 0; i < size; ++i) {
      unsigned char* byte = memory + (little ? i : size - 1 - i);
      carry += base * *byte;
      *byte = (unsigned char)(carry & 255);
      carry >>= 8;
    }
  }
  if (negative) {
    int carry = 1;
    for (i = 0; i < size; ++i) {
      unsigned char* byte = memory + (little ? i : size - 1 - i);
      carry += 255 - *byte;
      *byte = (unsigned char)(carry & 255);
      carry >>= 8;
    }
  }
}

static PLUMB_UNUSED void plumb_symbolic(void* memory, size_t size, const char* name) {
  char variable[128] = "PLUMB_";
  const char* text;
  if (name == NULL || strlen(name) >= sizeof variable - 6) return;
  strcpy(variable + 6, name);
  text = getenv(variable);
  if (text == NULL) return;
  if (strncmp(text, "hex:", 4) == 0) {
    plumb_read_bytes((unsigned char*)memory, size, text + 4);
  } else if (size <= 8) {
    plumb_read_number((unsigned char*)memory, size, text);
  }
}

static PLUMB_UNUSED void plumb_assume_int(int condition) {
  if (!condition) exit(PLUMB_ASSUME_EXIT);
}

static PLUMB_UNUSED void plumb_check_int(int condition, const char* text, const char* file, int line) {
  if (condition) return;
  fprintf(stderr, "%s:%d: plumb_check failed: %s\n", file, line, text);
  abort();
}

#define plumb_assume(condition) plumb_assume_int((condition) != 0)
#define plumb_check(condition) plumb_check_int((condition) != 0, #condition, __FILE__, __LINE__)

#define PLUMB_NONDET(type, name)                           \
  static PLUMB_UNUSED type plumb_nondet_##name(void) {     \
    type value = 0;                                        \
    plumb_symbolic(&value, sizeof value, "nondet_" #name); \
    return value;                                          \
  }
PLUMB_NONDET(char, char)
PLUMB_NONDET(signed char, schar)
PLUMB_NONDET(unsigned char, uchar)
PLUMB_NONDET(short, short)
PLUMB_NONDET(unsigned short, ushort)
PLUMB_NONDET(int, int)
PLUMB_NONDET(unsigned int, uint)
PLUMB_NONDET(long, long)
PLUMB_NONDET(unsigned long, ulong)
PLUMB_NONDET(size_t, size_t)

/* Numbers with a point: text as strtod reads it. */
static PLUMB_UNUSED double plumb_nondet_double(void) {
  const char* text = getenv("PLUMB_nondet_double");
  return text != NULL ? strtod(text, NULL) : 0;
}
static PLUMB_UNUSED float plumb_nondet_float(void) {
  const char* text = getenv("PLUMB_nondet_float");
  return text != NULL ? (float)strtod(text, NULL) : 0;
}
#undef PLUMB_NONDET

#endif /* __PLUMB__ */

/* int speed = plumb_symbolic_int("speed"): a named input as a value. */
#if defined(__GNUC__) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L) || defined(__cplusplus)
#define PLUMB_INLINE static __inline
#else
#define PLUMB_INLINE static
#endif
#define PLUMB_NAMED(type, suffix)                               \
  PLUMB_INLINE type plumb_symbolic_##suffix(const char* name) { \
    type value = 0;                                             \
    plumb_symbolic(&value, sizeof value, name);                 \
    return value;                                               \
  }
PLUMB_NAMED(char, char)
PLUMB_NAMED(signed char, schar)
PLUMB_NAMED(unsigned char, uchar)
PLUMB_NAMED(short, short)
PLUMB_NAMED(unsigned short, ushort)
PLUMB_NAMED(int, int)
PLUMB_NAMED(unsigned int, uint)
PLUMB_NAMED(long, long)
PLUMB_NAMED(unsigned long, ulong)
PLUMB_NAMED(size_t, size_t)
#undef PLUMB_NAMED

/* A named input between two bounds, both included. */
PLUMB_INLINE int plumb_symbolic_range(int low, int high, const char* name) {
  int value = low;
  plumb_symbolic(&value, sizeof value, name);
  plumb_assume(low <= value && value <= high);
  return value;
}

/* Codecomb's names: the variable becomes an input of its own name. */
#define PLUMB_VARIABLE(variable) plumb_symbolic(&(variable), sizeof(variable), #variable)
#define mksymbol_char(variable) PLUMB_VARIABLE(variable)
#define mksymbol_uchar(variable) PLUMB_VARIABLE(variable)
#define mksymbol_short(variable) PLUMB_VARIABLE(variable)
#define mksymbol_ushort(variable) PLUMB_VARIABLE(variable)
#define mksymbol_int(variable) PLUMB_VARIABLE(variable)
#define mksymbol_uint(variable) PLUMB_VARIABLE(variable)
#define mksymbol_long(variable) PLUMB_VARIABLE(variable)
#define mksymbol_ulong(variable) PLUMB_VARIABLE(variable)
#define mksymbol_float(variable) PLUMB_VARIABLE(variable)
#define mksymbol_double(variable) PLUMB_VARIABLE(variable)
#define mksymbol_array(variable) PLUMB_VARIABLE(variable)

#endif /* PLUMB_PLUMB_H */
