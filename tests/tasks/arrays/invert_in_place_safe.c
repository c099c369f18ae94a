// A row turned round in place twice is the row.
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

#define N 7
void turn(unsigned char *row, int size) {
  for (int i = 0, j = size - 1; i < j; i++, j--) {
    unsigned char t = row[i];
    row[i] = row[j];
    row[j] = t;
  }
}

int main(void) {
  unsigned char row[N], kept[N];
  for (int i = 0; i < N; i++) kept[i] = row[i] = __VERIFIER_nondet_uchar();
  turn(row, N);
  __VERIFIER_assert(row[0] == kept[N - 1]);
  turn(row, N);
  for (int i = 0; i < N; i++) __VERIFIER_assert(row[i] == kept[i]);
  return 0;
}
