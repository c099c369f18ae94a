// Records on the heap, found again through pointers.
// Fails with: 1
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

struct record {
  int key;
  struct record *other;
};

int main(void) {
  struct record *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 0;
  a->key = __VERIFIER_nondet_int();
  b->key = a->key & ~1;
  a->other = b;
  b->other = a;
  a->other->other->key ^= 1;
  __VERIFIER_assert(a->key != b->key);
  __VERIFIER_assert(a != b);
  return 0;
}
