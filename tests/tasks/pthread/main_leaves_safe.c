// main leaves with pthread_exit, and the others go on until they are done.
#include <assert.h>
#include <pthread.h>

int steps;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *thread(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  steps++;
  assert(steps <= 2);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, NULL);
  pthread_detach(a);
  pthread_detach(b);
  pthread_exit(NULL);
}
