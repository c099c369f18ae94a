// A linear search finds what it says, in 65 ints that may be anything.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 65
int main(void) {
  int *a = malloc(N * sizeof *a);
  if (!a) return 0;
  int key = __VERIFIER_nondet_int(), at = -1;
  for (int i = 0; i < N; i++)
    if (a[i] == key) {
      at = i;
      break;
    }
  __VERIFIER_assert(at < 0 || a[at] == key);
  free(a);
  return 0;
}
