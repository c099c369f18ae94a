// A spin lock of pthread.h protects a list's length; it is read without it.
// Fails with: 4984085
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int length;

void *push(void *unused) {
  (void)unused;
  pthread_spin_lock(&lock);
  length++;
  pthread_spin_unlock(&lock);
  return NULL;
}

void *look(void *unused) {
  (void)unused;
  const int seen = length;
  return (void *)(long)seen;
}

int main(void) {
  pthread_t t0, t1;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&t0, NULL, push, NULL);
  pthread_create(&t1, NULL, look, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
