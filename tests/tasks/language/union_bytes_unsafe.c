// The bytes of a word in memory, lowest first.
// Fails with: 1464395579
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

union word {
  unsigned int value;
  unsigned char bytes[4];
};

int main(void) {
  union word w;
  w.value = __VERIFIER_nondet_uint();
  unsigned int back = w.bytes[0] | w.bytes[1] << 8 | (unsigned int)w.bytes[3] << 16 | (unsigned int)w.bytes[3] << 24;
  __VERIFIER_assert(back == w.value);
  return 0;
}
