// A row is sorted by looking for the smallest of the rest.
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

#define N 4
int main(void) {
  unsigned char a[N];
  for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < N; i++) {
    int least = i;
    for (int j = i + 1; j < N; j++)
      if (a[j] < a[least]) least = j;
    unsigned char t = a[i];
    a[i] = a[least];
    a[least] = t;
  }
  int k = __VERIFIER_nondet_int();
  if (k >= 0 && k < N - 1) __VERIFIER_assert(a[k] <= a[k + 1]);
  return 0;
}
