// A value put into a sorted row leaves it sorted.
// Fails with: 1 1 1 1 1 0
#include <assert.h>
extern void abort(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int condition);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
  if (!condition) {
    reach_error();
    abort();
  }
}

#define N 5
int main(void) {
  unsigned char row[N + 1];
  unsigned char last = 0;
  for (int i = 0; i < N; i++) {
    row[i] = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(row[i] >= last);
    last = row[i];
  }
  unsigned char value = __VERIFIER_nondet_uchar();
  int place = N;
  while (place > 1 && row[place - 1] > value) {
    row[place] = row[place - 1];
    place--;
  }
  row[place] = value;
  for (int i = 0; i < N; i++) __VERIFIER_assert(row[i] <= row[i + 1]);
  return 0;
}
