// A linear search finds what it says, in 1000 characters that may be anything.
#include <assert.h>
#include <stdlib.h>
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 1000
int main(void) {
  char *a = malloc(N);
  if (!a) return 0;
  char key = __VERIFIER_nondet_char();
  int at = -1;
  for (int i = 0; i < N; i++)
    if (a[i] == key) {
      at = i;
      break;
    }
  __VERIFIER_assert(at < 0 || a[at] == key);
  free(a);
  return 0;
}
