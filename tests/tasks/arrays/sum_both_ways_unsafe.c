// The sum from the left is the sum from the right.
// Fails with: 1
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

#define N 20
int main(void) {
  unsigned int a[N], forth = 0, back = 0;
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uint();
  for (int i = 0; i < N; i++) forth += a[i];
  for (int i = N - 1; i > 0; i--) back += a[i];
  __VERIFIER_assert(forth == back);
  return 0;
}
