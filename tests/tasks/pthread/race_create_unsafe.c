// main writes before the thread is made, behind it.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int start;

void *thread(void *unused) {
  (void)unused;
  return (void *)(long)start;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  start = 3;
  pthread_join(t, NULL);
  return 0;
}
