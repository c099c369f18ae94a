// Fibonacci's numbers, the slow way.
#include "overhead.h"

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static unsigned work(unsigned start, unsigned input) {
#ifdef SHARED
  fibonacci(input & 1);
#else
  (void)input;
#endif
  return fibonacci(36 + start);
}
