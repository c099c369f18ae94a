// All elements that a loop sets are set.
// Fails with: no input
#include <assert.h>
extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 1000
int main(void) {
  int a[N];
  int i = 0;
  while (i < N) {
    a[i] = 42;
    i = i + 1;
  }
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] == (i == 999 ? 43 : 42));
  return 0;
}
