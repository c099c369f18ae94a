// Producers and consumers wait for one condition, and all are woken; only one is woken, and it may be the wrong one.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>

int is_full;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *producer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (is_full) pthread_cond_wait(&changed, &mutex);
  is_full = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *consumer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!is_full) pthread_cond_wait(&changed, &mutex);
  is_full = 0;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2, t3;
  pthread_create(&t0, NULL, consumer, NULL);
  pthread_create(&t1, NULL, consumer, NULL);
  pthread_create(&t2, NULL, producer, NULL);
  pthread_create(&t3, NULL, producer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  pthread_join(t3, NULL);
  return 0;
}
