// A block is as large as an input says.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  if (size > 1000000) return 0;
  char *block = malloc(size);
  if (!block) return 1;
  if (at < size) block[at] = 1;
  free(block);
  return 0;
}
