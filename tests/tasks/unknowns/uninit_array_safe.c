// Elements that nothing set do not change, whichever is written.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int a[8], n = __VERIFIER_nondet_int();
  if (n < 0 || n >= 7) return 0;
  int before = a[n + 1];
  a[n] = 3;
  if (a[n + 1] != before || a[n] != 3) reach_error();
  return 0;
}
