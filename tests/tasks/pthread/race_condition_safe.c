// A condition and its mutex hand data over.
#include <assert.h>
#include <pthread.h>

int is_ready, data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

void *sender(void *unused) {
  (void)unused;
  data = 4;
  pthread_mutex_lock(&mutex);
  is_ready = 1;
  pthread_cond_signal(&ready);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *receiver(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!is_ready) pthread_cond_wait(&ready, &mutex);
  pthread_mutex_unlock(&mutex);
  int seen = data;
  return (void *)(long)seen;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, sender, NULL);
  pthread_create(&t1, NULL, receiver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
