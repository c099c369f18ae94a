// A variable and the lock that belongs to it; the reader takes that of another variable.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int x, y;
pthread_mutex_t of_x = PTHREAD_MUTEX_INITIALIZER, of_y = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *unused) {
  (void)unused;
  pthread_mutex_lock(&of_x);
  x = 1;
  pthread_mutex_unlock(&of_x);
  return NULL;
}

void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&of_y);
  const int seen = x;
  pthread_mutex_unlock(&of_y);
  return (void *)(long)seen;
}

int main(void) {
  pthread_t t0, t1;
  pthread_create(&t0, NULL, writer, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
