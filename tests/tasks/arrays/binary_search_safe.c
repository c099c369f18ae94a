// Halving finds what is there.
#include <assert.h>
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
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
  unsigned char a[N], last = 0;
  for (int i = 0; i < N; i++) {
    a[i] = __VERIFIER_nondet_uchar();
    if (a[i] < last) return 0;
    last = a[i];
  }
  int place = __VERIFIER_nondet_int();
  if (place < 0 || place >= N) return 0;
  unsigned char wanted = a[place];
  int low = 0, high = N - 1, found = 0;
  while (low <= high && !found) {
    int middle = (low + high) / 2;
    if (a[middle] == wanted) found = 1;
    else if (a[middle] < wanted) low = middle + 1;
    else high = middle - 1;
  }
  __VERIFIER_assert(found);
  return 0;
}
