// Memory of calloc is zero.
// Fails with: 10 9
#include <assert.h>
#include <stdlib.h>
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned int size = __VERIFIER_nondet_uint();
  if (size == 0 || size > 10) return 0;
  int *block = calloc(size, sizeof *block);
  if (!block) return 0;
  unsigned int k = __VERIFIER_nondet_uint();
  if (k < size) __VERIFIER_assert(block[k] == (k == 9));
  free(block);
  return 0;
}
