// What a branch found of a variable that nothing set stays true.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }

int main(void) {
  int x;
  if (x == 5) {
    if (x != 5) reach_error();
  } else if (x > 5) {
    int n = __VERIFIER_nondet_int();
    if (n > 0 && x <= 5) reach_error();
  }
  return 0;
}
