// Branching data: each of 16 inputs of a thread is a branch, and what comes of it is only added up.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int sum;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
  (void)unused;
  int own = 0;
  for (int i = 0; i < 16; i++)
    if (__VERIFIER_nondet_int()) own |= 1 << i;
  pthread_mutex_lock(&lock);
  sum += own;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(sum >= 0 && sum <= 2 * 65535);
  return 0;
}
