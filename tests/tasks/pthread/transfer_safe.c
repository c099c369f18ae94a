// Money goes from one account to the other, and the sum stays the same for whoever looks under the lock.
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char first = 100, second = 100;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *transfer(void *amount) {
  pthread_mutex_lock(&mutex);
  first -= *(unsigned char *)amount;
  second += *(unsigned char *)amount;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *audit(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  const unsigned char sum = first + second;
  pthread_mutex_unlock(&mutex);
  assert(sum == 200);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  unsigned char amount = __VERIFIER_nondet_uchar() & 63;
  pthread_create(&t0, NULL, transfer, &amount);
  pthread_create(&t1, NULL, audit, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
