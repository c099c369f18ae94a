// Writing one bit-field leaves the others as they are.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

struct bits {
  unsigned a : 3, b : 5, c : 9;
};
int main(void) {
  struct bits s;
  unsigned b = s.b;
  s.a = 5;
  s.c = 300;
  if (s.b != b || s.a != 5 || s.c != 300) reach_error();
  return 0;
}
