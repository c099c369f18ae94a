// pthread_once calls a function once.
#include <assert.h>
#include <pthread.h>

int calls;
pthread_once_t once = PTHREAD_ONCE_INIT;
static void set_up(void) { calls++; }

void *thread(void *unused) {
  (void)unused;
  pthread_once(&once, set_up);
  assert(calls == 1);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
