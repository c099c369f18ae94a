// A counter that is changed under the lock of writers, under that of readers.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int counter;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *thread(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  counter++;
  pthread_rwlock_unlock(&lock);
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
