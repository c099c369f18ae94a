// Blocks set and copied by functions of the library.
// Fails with: 16777216 0
#include <assert.h>
#include <string.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

struct record {
  char name[6];
  int value;
};

int main(void) {
  struct record a, b;
  memset(&a, 0, sizeof a);
  a.value = __VERIFIER_nondet_int();
  a.name[2] = __VERIFIER_nondet_char();
  memcpy(&b, &a, sizeof b - 1);
  __VERIFIER_assert(b.value == a.value && b.name[2] == a.name[2]);
  return 0;
}
