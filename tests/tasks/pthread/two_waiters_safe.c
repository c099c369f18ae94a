// Two threads wait for the same event, and all are woken.
#include <assert.h>
#include <pthread.h>

int is_open;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t opened = PTHREAD_COND_INITIALIZER;

void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  while (!is_open) pthread_cond_wait(&opened, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *opener(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  is_open = 1;
  pthread_cond_broadcast(&opened);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, waiter, NULL);
  pthread_create(&t1, NULL, waiter, NULL);
  pthread_create(&t2, NULL, opener, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
