// The signal may come before anybody waits: the flag is looked at; it is not.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int is_set;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t set = PTHREAD_COND_INITIALIZER;

void *waiter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&set, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *setter(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  is_set = 1;
  pthread_cond_signal(&set);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, waiter, NULL);
  pthread_create(&t1, NULL, setter, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
