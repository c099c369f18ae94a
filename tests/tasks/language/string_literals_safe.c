// A word is looked for in a table of strings.
#include <assert.h>
#include <string.h>
extern void abort(void);
extern unsigned int __VERIFIER_nondet_uint(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

static const char *const words[] = {"plumb", "line", "bob"};

int main(void) {
  unsigned int k = __VERIFIER_nondet_uint();
  if (k >= 3) return 0;
  __VERIFIER_assert(strlen(words[k]) >= 3);
  __VERIFIER_assert(strcmp(words[k], "level") != 0);
  return 0;
}
