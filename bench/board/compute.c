// purpose: runs that take a while, so that a second board is worth having; 256 paths. With WAIT they take it without using a
// core, as on boards with a processor of their own
#include <plumb/plumb.h>
#include <time.h>

#ifndef ROUNDS
#define ROUNDS 1000000
#endif

static inline unsigned compute(unsigned x) {
  for (int i = 0; i < ROUNDS; i++) x = x * 1664525u + 1013904223u + (x >> 7);
  return x;
}

int main(void) {
  char keys[4];
  int found = 0;
#ifdef WAIT
  struct timespec pause = {0, WAIT};
  nanosleep(&pause, 0);
#else
  volatile unsigned result = compute(1);
  (void)result;
#endif
  plumb_symbolic(keys, sizeof keys, "keys");
  for (int i = 0; i < 4; i++) {
    if (keys[i] == 'a') found += 1;
    else if (keys[i] == 'b') found += 2;
    else if (keys[i] == 'c') found += 3;
  }
  return found;
}
