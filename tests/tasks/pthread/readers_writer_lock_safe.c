// Two halves are written under a read-write lock and read together.
#include <assert.h>
#include <pthread.h>

int left, right;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *writer(void *unused) {
  (void)unused;
  for (int k = 1; k <= 2; k++) {
    pthread_rwlock_wrlock(&lock);
    left = k;
    right = k;
    pthread_rwlock_unlock(&lock);
  }
  return NULL;
}

void *reader(void *unused) {
  (void)unused;
  pthread_rwlock_rdlock(&lock);
  assert(left == right);
  pthread_rwlock_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, writer, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_create(&t2, NULL, reader, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
