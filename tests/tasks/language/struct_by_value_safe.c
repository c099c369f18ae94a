// A structure is passed and returned by value.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

struct pair {
  int first, second;
};
static struct pair swapped(struct pair p) {
  int t = p.first;
  p.first = p.second;
  p.second = t;
  return p;
}

int main(void) {
  struct pair given = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int()};
  struct pair result = swapped(given);
  __VERIFIER_assert(result.first == given.second && result.second == given.first);
  return 0;
}
