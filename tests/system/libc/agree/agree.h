#pragma once

/* Under plumb a function is called by name as its model; the C library's own comes from the linker. */

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <plumb/plumb.h>
#include <stdlib.h>
#include <string.h>

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_DEFAULT, #function))

/* Natively both are the same function, so that this is never confirmed there. */
#define MUST(condition)        \
  do {                         \
    if (!(condition)) abort(); \
  } while (0)

/* The same call of the model and of the library. */
#define SAME(function, ...) MUST(function(__VA_ARGS__) == REAL(function)(__VA_ARGS__))

static inline int sign_of(int value) { return (value > 0) - (value < 0); }
#define SAME_SIGN(function, ...) MUST(sign_of(function(__VA_ARGS__)) == sign_of(REAL(function)(__VA_ARGS__)))
