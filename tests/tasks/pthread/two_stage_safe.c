// The second value is written after the first, under two locks, and a reader that saw the first checks the second.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t ma = PTHREAD_MUTEX_INITIALIZER, mb = PTHREAD_MUTEX_INITIALIZER;
int value1, value2;

void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&ma);
  value1 = 1;
  pthread_mutex_lock(&mb);
  value2 = value1 + 1;
  pthread_mutex_unlock(&mb);
  pthread_mutex_unlock(&ma);
  return NULL;
}

void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&ma);
  const int first = value1;
  pthread_mutex_unlock(&ma);
  if (first == 0) return NULL;
  pthread_mutex_lock(&mb);
  const int second = value2;
  pthread_mutex_unlock(&mb);
  assert(second == first + 1);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, writer, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
