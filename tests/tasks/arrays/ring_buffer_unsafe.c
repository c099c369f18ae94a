// A ring buffer gives back what was put in, in order.
// Fails with: 1 1 1 1 1 0
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 4
int main(void) {
  unsigned char ring[N];
  unsigned int head = 0, count = 0;
  unsigned char next_in = 0, next_out = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      if (count < N + 1) {
        ring[(head + count) % N] = next_in++;
        count++;
      }
    } else if (count > 0) {
      __VERIFIER_assert(ring[head] == next_out);
      next_out++;
      head = (head + 1) % N;
      count--;
    }
  }
  return 0;
}
