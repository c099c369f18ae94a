// purpose: a thread that nobody wakes keeps the one that joins it waiting
// defect: deadlock line 12
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *unused) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
#ifdef FIXED
  ready = 1;
#endif
  pthread_create(&thread, NULL, wait_for_it, NULL);
  pthread_join(thread, NULL);
  return 0;
}
