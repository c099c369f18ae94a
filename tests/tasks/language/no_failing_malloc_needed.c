// What a null pointer would do is tested for.
#include <assert.h>
#include <stdlib.h>
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int *p = malloc(sizeof *p);
  if (p == 0) return 1;
  *p = 5;
  int value = *p;
  free(p);
  __VERIFIER_assert(value == 5);
  return 0;
}
