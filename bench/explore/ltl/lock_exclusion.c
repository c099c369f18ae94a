// A mutex keeps two threads apart.
// Formula: G !(in0 == 1 && in1 == 1)
// Expected: holds
#include <pthread.h>
#include <stdatomic.h>

_Atomic unsigned char in0, in1;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *first(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&m);
    in0 = 1;
    in0 = 0;
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&m);
    in1 = 1;
    in1 = 0;
    pthread_mutex_unlock(&m);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
