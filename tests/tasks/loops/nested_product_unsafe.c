// Nested loops run the product of their bounds.
// Fails with: 6 7
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  unsigned char rows = __VERIFIER_nondet_uchar() & 7, columns = __VERIFIER_nondet_uchar() & 7;
  unsigned int count = 0;
  for (unsigned char i = 0; i < rows; i++)
    for (unsigned char j = 0; j < columns; j++) {
      if (i != 5 || j != 6) count++;
    }
  __VERIFIER_assert(count == (unsigned int)rows * columns);
  return 0;
}
