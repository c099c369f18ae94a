// A block is freed once on every way.
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  char *block = malloc(4);
  if (!block) return 0;
  int is_freed = 0;
  if (__VERIFIER_nondet_bool()) {
    free(block);
    is_freed = 1;
  }
  if (!is_freed) free(block);
  return 0;
}
