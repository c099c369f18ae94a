#include <assert.h>
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int locked = 0, requests = 0, served = 0;
  while (__VERIFIER_nondet_int()) {
    assert(!locked);
    locked = 1;
    served = requests;
    if (__VERIFIER_nondet_int()) {
      requests++;
      locked = 0;
    }
    if (served == requests) break;
  }
  if (locked) locked = 0;
  assert(!locked);
  return 0;
}
