// Who waits inside of two monitors gives the outer one back first; it keeps it, and nobody comes in to wake it.
// Fails with: 5276937
#include <assert.h>
#include <pthread.h>

int is_there;
pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;

void *taker(void *unused) {
  (void)unused;
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  while (!is_there) pthread_cond_wait(&arrived, &inner);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return NULL;
}

void *giver(void *unused) {
  (void)unused;
  pthread_mutex_lock(&outer);
  pthread_mutex_lock(&inner);
  is_there = 1;
  pthread_cond_signal(&arrived);
  pthread_mutex_unlock(&inner);
  pthread_mutex_unlock(&outer);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, taker, NULL);
  pthread_create(&t1, NULL, giver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
