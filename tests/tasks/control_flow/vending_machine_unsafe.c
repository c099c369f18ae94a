// A machine gives no more than was paid for.
// Fails with: 5*50 2
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
  unsigned int paid = 0, credit = 0, given = 0;
  while (given < 1000 && paid < 60000) {
    unsigned int coin = __VERIFIER_nondet_uint();
    switch (coin) {
      case 5: case 10: case 20: case 50:
        credit += coin;
        paid += coin;
        break;
      case 1: /* the button */
        if (credit >= 30) {
          credit -= 30;
          given++;
        }
        break;
      case 2: /* money back */
        paid -= credit > 200 ? 200 : credit;
        credit = 0;
        break;
      default: break;
    }
    __VERIFIER_assert(paid == credit + 30 * given);
  }
  return 0;
}
