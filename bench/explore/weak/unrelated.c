// Unrelated code: what the threads compute of inputs has nothing to do with what is asserted.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

int noise, steps, shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
  (void)unused;
  for (int k = 0; k < 10; k++) {
    const int value = __VERIFIER_nondet_int() & 255;
    if (value > 10) noise += value;
    steps++;
  }
  pthread_mutex_lock(&lock);
  shared++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(shared == 2);
  return 0;
}
