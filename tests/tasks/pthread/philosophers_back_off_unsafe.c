// Philosophers that put the first fork back if the second is taken; one waits for it.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

void *polite(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_lock(&b) == 0) break;
    pthread_mutex_unlock(&a);
  }
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return NULL;
}

void *stubborn(void *unused) {
  (void)unused;
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, polite, NULL);
  pthread_create(&t1, NULL, stubborn, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
