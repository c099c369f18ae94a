// What comes from outside goes through a queue of one place, in order; the producer does not wait until it is free.
// Fails with: 5276937 5 6
#include <assert.h>
#include <pthread.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

unsigned char place, values[2];
int is_full;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *producer(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&mutex);
    place = values[k];
    is_full = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *consumer(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&mutex);
    while (!is_full) pthread_cond_wait(&changed, &mutex);
    assert(place == values[k]);
    is_full = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  values[0] = __VERIFIER_nondet_uchar();
  values[1] = __VERIFIER_nondet_uchar();
  pthread_create(&t0, NULL, producer, NULL);
  pthread_create(&t1, NULL, consumer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
