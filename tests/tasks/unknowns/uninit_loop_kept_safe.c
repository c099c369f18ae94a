// A variable of the outer block keeps its value from one iteration to the next.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x, first = x;
  for (int i = 0; i < 3; i++) {
    if (x != first) reach_error();
  }
  return 0;
}
