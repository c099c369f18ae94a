// A copied row equals its original, element by element.
// Fails with: 99*0 5
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

#define N 100
int main(void) {
  int a[N], b[N];
  int i;
  for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
  for (i = 0; i < N - 1; i++) b[i] = a[i];
  b[N - 1] = 0;
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] == b[i]);
  return 0;
}
