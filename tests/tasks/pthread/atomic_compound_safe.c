// `+=` of an atomic variable is one step.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char sum;
extern unsigned char __VERIFIER_nondet_uchar(void);

void *thread(void *argument) {
  const unsigned char amount = (unsigned char)(long)argument;
  sum += amount;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  const unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, thread, (void *)(long)a);
  pthread_create(&t1, NULL, thread, (void *)(long)b);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(sum == (unsigned char)(a + b));
  return 0;
}
