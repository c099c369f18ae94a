// A row of zeros, one of them set, read at any place.
// Fails with: 0 0
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 64
int a[N];
int main(void) {
  unsigned int set = __VERIFIER_nondet_uint(), read = __VERIFIER_nondet_uint();
  if (set >= N || read >= N) return 0;
  a[set] = 1;
  if (set != read + 1) __VERIFIER_assert(a[read] == 0);
  return 0;
}
