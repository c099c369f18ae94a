// The maximum of three inputs, by compare and swap.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

_Atomic unsigned char most;

void *offer(void *argument) {
  const unsigned char mine = *(unsigned char *)argument;
  unsigned char seen = most;
  while (seen < mine && !atomic_compare_exchange_strong(&most, &seen, mine)) {
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  unsigned char v[2] = {__VERIFIER_nondet_uchar(), __VERIFIER_nondet_uchar()};
  pthread_create(&t0, NULL, offer, &v[0]);
  pthread_create(&t1, NULL, offer, &v[1]);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(most >= v[0] && most >= v[1]);
  return 0;
}
