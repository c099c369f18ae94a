// A field of an element that is chosen at run time.
// Fails with: 0 1 101 0 0 0 0 0 0
#include <assert.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

struct account {
  unsigned char owner;
  unsigned short money;
};

int main(void) {
  struct account accounts[3] = {{1, 100}, {2, 100}, {3, 100}};
  for (int i = 0; i < 3; i++) {
    unsigned int from = __VERIFIER_nondet_uint() % 3, to = __VERIFIER_nondet_uint() % 3;
    unsigned short sum = __VERIFIER_nondet_uchar();
    if (accounts[from].money + 1 < sum) continue;
    accounts[from].money -= sum;
    accounts[to].money += sum;
  }
  __VERIFIER_assert(accounts[0].money + accounts[1].money + accounts[2].money == 300);
  for (int i = 0; i < 3; i++) __VERIFIER_assert(accounts[i].owner == i + 1 && accounts[i].money <= 300);
  return 0;
}
