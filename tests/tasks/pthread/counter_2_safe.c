// Two threads count under a mutex.
#include <assert.h>
#include <pthread.h>

int counter;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *with_mutex(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    pthread_mutex_lock(&mutex);
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}

void *last(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, with_mutex, NULL);
  pthread_create(&t1, NULL, last, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(counter == 3);
  return 0;
}
