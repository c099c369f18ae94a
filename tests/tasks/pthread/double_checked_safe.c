// Double-checked locking: who sees the flag sees the value.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int is_ready;
int value, calls;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  if (!is_ready) {
    pthread_mutex_lock(&mutex);
    if (!is_ready) {
      calls++;
      value = 42;
      is_ready = 1;
    }
    pthread_mutex_unlock(&mutex);
  }
  return value;
}

void *thread(void *unused) {
  (void)unused;
  assert(get() == 42);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  assert(calls == 1);
  return 0;
}
