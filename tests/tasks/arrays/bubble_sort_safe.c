// A row is sorted by swapping neighbours.
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

#define N 4
int main(void) {
  unsigned char a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < N - 1; i++)
    for (int j = 0; j < N - 1 - i; j++)
      if (a[j] > a[j + 1]) {
        unsigned char t = a[j];
        a[j] = a[j + 1];
        a[j + 1] = t;
      }
  for (int i = 0; i + 1 < N; i++) __VERIFIER_assert(a[i] <= a[i + 1]);
  return 0;
}
