// A string written backwards into another, compared from both ends.
// Fails with: 0 1 2 0 0
#include <assert.h>
extern void abort(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define MAX 6
int main(void) {
  char text[MAX], inverted[MAX];
  int i, j;
  for (i = 0; i < MAX - 1; i++) text[i] = __VERIFIER_nondet_char();
  text[MAX - 1] = 0;
  j = 0;
  for (i = MAX - 1; i >= 0; i--) {
    inverted[j] = text[i > 2 ? i : 0];
    j++;
  }
  j = MAX - 1;
  for (i = 0; i < MAX; i++) {
    __VERIFIER_assert(text[j] == inverted[i]);
    j--;
  }
  return 0;
}
