// Padding that nothing set need not be zero.
// Fails with: no input
// Uninitialised: pattern
#include <assert.h>
#include <string.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

struct padded {
  char c;
  int i;
};
int main(void) {
  struct padded s, t;
  memset(&t, 0, sizeof t);
  s.c = t.c = 1;
  s.i = t.i = 2;
  if (memcmp(&s, &t, sizeof s) != 0) reach_error();
  return 0;
}
