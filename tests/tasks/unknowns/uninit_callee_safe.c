// A callee that gets the address sees the value that the caller sees.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

static int read(const int *p) { return *p; }
int main(void) {
  int x;
  int seen = read(&x);
  if (seen != x || read(&x) != seen) reach_error();
  return 0;
}
