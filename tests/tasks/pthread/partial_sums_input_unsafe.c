// Two threads sum the halves of a row of inputs; the halves overlap.
// Fails with: 5276937 5 6 5 3
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char row[4];
unsigned sums[2];

void *sum(void *argument) {
  const long half = (long)argument;
  for (int k = 0; k < 3 - half; k++) sums[half] += row[2 * half + k];
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  for (int k = 0; k < 4; k++) row[k] = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, sum, (void *)0);
  pthread_create(&t1, NULL, sum, (void *)1);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(sums[0] + sums[1] == (unsigned)(row[0] + row[1] + row[2] + row[3]));
  return 0;
}
