// The position of the highest one by halving and by counting.
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
  unsigned int x = __VERIFIER_nondet_uint();
  if (x == 0) return 0;
  unsigned int rest = x, fast = 0;
  if (rest >= 1u << 16) { rest >>= 16; fast += 16; }
  if (rest >= 1u << 8) { rest >>= 8; fast += 8; }
  if (rest >= 1u << 4) { rest >>= 4; fast += 4; }
  if (rest >= 1u << 2) { rest >>= 2; fast += 2; }
  if (rest >= 1u << 1) fast += 1;
  unsigned int slow = 0;
  for (rest = x; rest > 1; rest >>= 1) slow++;
  __VERIFIER_assert(fast == slow);
  return 0;
}
