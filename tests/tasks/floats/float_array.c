// A mean of floats.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  float values[4], sum = 0;
  for (int i = 0; i < 4; i++) {
    values[i] = (float)(__VERIFIER_nondet_int() & 7);
    sum += values[i];
  }
  __VERIFIER_assert(sum / 4 <= 7.0f);
  return 0;
}
