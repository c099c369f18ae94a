// A block is given back when a second one cannot be had.
// Fails with: 42
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  char *first = malloc(8);
  if (!first) return 0;
  if (__VERIFIER_nondet_int() == 42) {
    
    first = 0;
    return 1;
  }
  free(first);
  return 0;
}
