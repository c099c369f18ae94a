// Three threads add under one lock; the sum of all is seen only at the end, if nobody looks earlier.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>

int data;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void *add(void *amount) {
  pthread_mutex_lock(&mutex);
  data += (int)(long)amount;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *look(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  assert(data < 3);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  pthread_create(&t0, NULL, add, (void *)1);
  pthread_create(&t1, NULL, add, (void *)2);
  pthread_create(&t2, NULL, look, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
