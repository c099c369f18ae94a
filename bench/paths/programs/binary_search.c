/* Binary search in N sorted numbers of type T finds the number where it is, and only there. */
#include <assert.h>

#ifndef N
#define N 16
#endif
#ifndef T
#define T short
#endif

extern short __VERIFIER_nondet_short(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int condition);

#define INPUT() (sizeof(T) == 2 ? (T)__VERIFIER_nondet_short() : (T)__VERIFIER_nondet_int())

static int binary_search(const T* t, int n, T v) {
  int low = 0, high = n - 1;
  while (low <= high) {
    int middle = (low + high) / 2;
    if (t[middle] == v) return middle;
    if (t[middle] > v)
      high = middle - 1;
    else
      low = middle + 1;
  }
  return -1;
}

int main(void) {
  T t[N];
  for (int i = 0; i < N; i++) t[i] = INPUT();
  for (int i = 0; i + 1 < N; i++) __VERIFIER_assume(t[i] <= t[i + 1]);
  T v = INPUT();
  int at = binary_search(t, N, v);
  if (at >= 0) {
    assert(at < N && t[at] == v);
  } else {
    for (int i = 0; i < N; i++) assert(t[i] != v);
  }
  return 0;
}
