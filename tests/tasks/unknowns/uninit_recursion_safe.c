// Each call has a variable of its own, which its callees do not change.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int sum(int depth) {
  int x;
  int before = x;
  if (depth > 0) sum(depth - 1);
  if (x != before) reach_error();
  return x;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 4) return 0;
  sum(n);
  return 0;
}
