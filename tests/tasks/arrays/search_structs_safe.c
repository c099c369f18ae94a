// A linear search finds what it says, in 300 structures that may be anything.
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

#define N 300
struct item {
  int id;
  short kind;
  int value;
};
int main(void) {
  struct item *a = malloc(N * sizeof *a);
  if (!a) return 0;
  int key = __VERIFIER_nondet_int(), at = -1;
  for (int i = 0; i < N; i++)
    if (a[i].id == key) {
      at = i;
      break;
    }
  __VERIFIER_assert(at < 0 || a[at].id == key);
  free(a);
  return 0;
}
