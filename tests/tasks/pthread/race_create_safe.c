// main writes before the thread is made.
#include <assert.h>
#include <pthread.h>

int start;

void *thread(void *unused) {
  (void)unused;
  return (void *)(long)start;
}

int main(void) {
  pthread_t t;
  start = 3;
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, NULL);
  return 0;
}
