// The greatest element is not below any.
// Fails with: 9*0 1
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

#define N 10
int main(void) {
  int a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  int greatest = a[0];
  for (int i = 1; i < N - 1; i++)
    if (a[i] > greatest) greatest = a[i];
  for (int i = 0; i < N; i++) __VERIFIER_assert(a[i] <= greatest);
  return 0;
}
