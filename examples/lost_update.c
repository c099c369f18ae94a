/* Two threads count their visits without a lock. Build with -DLOCKED for the repair. */
#include <assert.h>
#include <pthread.h>

static int visits;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *unused) {
  (void)unused;
#ifdef LOCKED
  pthread_mutex_lock(&mutex);
#endif
  visits = visits + 1;
#ifdef LOCKED
  pthread_mutex_unlock(&mutex);
#endif
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, visit, NULL);
  pthread_create(&second, NULL, visit, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(visits == 2);
  (void)mutex;
  return 0;
}
