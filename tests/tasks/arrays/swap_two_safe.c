// Swapping two places keeps the sum.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 6
int main(void) {
  unsigned char a[N];
  unsigned int sum = 0, after = 0;
  for (int i = 0; i < N; i++) sum += a[i] = __VERIFIER_nondet_uchar();
  unsigned int x = __VERIFIER_nondet_uint() % N, y = __VERIFIER_nondet_uint() % N;
  unsigned char t = a[x];
  a[x] = a[y];
  a[y] = t;
  for (int i = 0; i < N; i++) after += a[i];
  __VERIFIER_assert(sum == after);
  return 0;
}
