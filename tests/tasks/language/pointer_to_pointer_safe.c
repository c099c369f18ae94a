// A pointer is set through a pointer to it.
#include <assert.h>
extern void abort(void);
extern _Bool __VERIFIER_nondet_bool(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static void choose(int **place, int *first, int *second, int is_first) { *place = is_first ? first : second; }

int main(void) {
  int a = 1, b = 2, *p = &a;
  int is_first = __VERIFIER_nondet_bool();
  choose(&p, &a, &b, is_first);
  *p = 10;
  __VERIFIER_assert(a + b == (is_first ? 12 : 11));
  return 0;
}
