// calloc() of an unknown number of elements gives zeros.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
  unsigned count = __VERIFIER_nondet_uint(), at = __VERIFIER_nondet_uint();
  if (count > 10000) return 0;
  int *numbers = calloc(count, sizeof *numbers);
  if (!numbers) return 0;
  if (at < count && numbers[at] != 0) reach_error();
  free(numbers);
  return 0;
}
