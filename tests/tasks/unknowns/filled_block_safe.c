// A block of unknown size is filled as a whole.
#include <stdlib.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  if (size == 0 || size > 100000) return 0;
  char *block = malloc(size);
  if (!block) return 0;
  memset(block, 1, size);
  if (at < size && block[at] != 1) reach_error();
  free(block);
  return 0;
}
