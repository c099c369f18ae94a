/* Linear search in as many of N arbitrary numbers as an input says finds the number where it is, and only there. */
#include <assert.h>

#ifndef N
#define N 127
#endif
#ifndef T
#define T int
#endif

extern char __VERIFIER_nondet_char(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

#define INPUT() (sizeof(T) == 1 ? (T)__VERIFIER_nondet_char() : (T)__VERIFIER_nondet_int())

static int linear_search(const T* t, int n, T v) {
  for (int i = 0; i < n; i++)
    if (t[i] == v) return i;
  return -1;
}

int main(void) {
  T t[N];
  for (int i = 0; i < N; i++) t[i] = INPUT();
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 0 && n <= N);
  T v = INPUT();
  int at = linear_search(t, n, v);
  if (at >= 0) {
    assert(at < n && t[at] == v);
  } else {
    for (int i = 0; i < n; i++) assert(t[i] != v);
  }
  return 0;
}
