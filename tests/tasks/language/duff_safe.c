// A loop that is entered in the middle of its body.
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

int main(void) {
  unsigned int count = __VERIFIER_nondet_uint(), done = 0;
  if (count == 0 || count > 20) return 0;
  unsigned int rounds = (count + 3) / 4;
  switch (count % 4) {
    case 0: do { done++; /* fall through */
    case 3: done++; /* fall through */
    case 2: done++; /* fall through */
    case 1: done++;
      } while (--rounds > 0);
  }
  __VERIFIER_assert(done == count);
  return 0;
}
