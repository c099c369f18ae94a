// Each element gets its index.
// Fails with: 10
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

#define N 16
int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = i;
  for (int i = 0; i < N; i++) a[i] += i < 9 ? i : 9;
  int k = __VERIFIER_nondet_int();
  if (k < 0 || k >= N) return 0;
  __VERIFIER_assert(a[k] == 2 * k);
  return 0;
}
