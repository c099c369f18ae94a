// Nothing bounds the size but its type.
// Fails with: 7 7
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  char *block = malloc(size);
  if (!block) return 1;
  if (at <= size) block[at] = 1;
  free(block);
  return 0;
}
