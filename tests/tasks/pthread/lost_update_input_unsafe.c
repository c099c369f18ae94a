// A balance is changed by amounts that come from outside; one withdrawal reads it before it has the lock.
// Fails with: 11027915 251 253 254
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char balance;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *deposit(void *amount) {
  pthread_mutex_lock(&mutex);
  balance += *(unsigned char *)amount;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *withdraw(void *amount) {
  const unsigned char before = balance;
  pthread_mutex_lock(&mutex);
  balance = before - *(unsigned char *)amount;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  balance = __VERIFIER_nondet_uchar();
  const unsigned char start = balance;
  pthread_create(&t0, NULL, deposit, &a);
  pthread_create(&t1, NULL, withdraw, &b);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(balance == (unsigned char)(start + a - b));
  return 0;
}
