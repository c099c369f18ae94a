// One token goes round between five, whoever is asked.
// Fails with: 0 1 2 3
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
  _Bool token[5] = {1, 0, 0, 0, 0};
  while (1) {
    unsigned int who = __VERIFIER_nondet_uint();
    if (who > 4) continue;
    if (token[who]) {
      if (who != 3) token[who] = 0;
      token[(who + 1) % 5] = 1;
    }
    int tokens = token[0] + token[1] + token[2] + token[3] + token[4];
    __VERIFIER_assert(tokens == 1);
  }
  return 0;
}
