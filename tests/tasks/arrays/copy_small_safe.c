// A copied row of bytes equals its original.
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 8
int main(void) {
  unsigned char a[N], b[N];
  int i;
  for (i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
  for (i = 0; i < N; i++) b[i] = a[i];
  for (i = 0; i < N; i++) __VERIFIER_assert(a[i] == b[i]);
  return 0;
}
