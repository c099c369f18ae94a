// Functions called through a table by an index that was checked.
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }
static int same(int x) { return x; }
static int (*const table[])(int) = {up, down, same};

int main(void) {
  int x = 0;
  for (int i = 0; i < 10; i++) {
    unsigned int k = __VERIFIER_nondet_uint();
    if (k >= sizeof table / sizeof *table) continue;
    x = table[k](x);
  }
  __VERIFIER_assert(x >= -10 && x <= 10);
  return 0;
}
