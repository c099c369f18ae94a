// What is freed is where the block starts.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  char *block = malloc(10), *p = block;
  if (!block) return 0;
  while (p < block + 9 && __VERIFIER_nondet_bool()) p++;
  free(block);
  return 0;
}
