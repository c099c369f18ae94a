// A copy has the padding of the original.
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
  s.c = 1;
  memcpy(&t, &s, sizeof s);
  if (memcmp(&s, &t, sizeof s) != 0) reach_error();
  return 0;
}
