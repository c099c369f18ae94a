// A linear search gives the first place, or the end if there is none.
// Fails with: 1
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

#define N 12
int main(void) {
  unsigned char a[N], wanted = __VERIFIER_nondet_uchar();
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
  int place = 0;
  while (place < N - 1 && a[place] != wanted) place++;
  for (int i = 0; i < place; i++) __VERIFIER_assert(a[i] != wanted);
  __VERIFIER_assert(place == N || a[place] == wanted);
  return 0;
}
