// An inner variable hides an outer one of the same name.
#include <assert.h>
extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

int main(void) {
  int x = 1, total = 0;
  for (int i = 0; i < 4; i++) {
    int x = i * 10;
    total += x;
  }
  __VERIFIER_assert(x == 1 && total == 60);
  return 0;
}
