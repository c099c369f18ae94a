// Data first, then the flag.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

atomic_int flag;
unsigned char data, copy;

void *sender(void *unused) {
  (void)unused;
  data = copy;
  flag = 1;
  return NULL;
}

void *receiver(void *unused) {
  (void)unused;
  if (flag) assert(data == copy);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  copy = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, sender, NULL);
  pthread_create(&t1, NULL, receiver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
