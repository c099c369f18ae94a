// The C library's assert, with messages printed on the way.
// Fails with: 1 -1
#include <assert.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
  int level = 0;
  while (__VERIFIER_nondet_bool()) {
    int change = __VERIFIER_nondet_int();
    if (change > 0 && level < 10) level++;
    else if (change < 0 && level > -1) level--;
    printf("level %d\n", level);
    assert(level >= 0 && level <= 10);
  }
  puts("over");
  return 0;
}
