// Readers are counted; the first one keeps writers out and the last one lets them in.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

int readers, data, copy;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
sem_t room;

void *reader(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  if (++readers == 1) sem_wait(&room);
  pthread_mutex_unlock(&mutex);
  assert(data == copy);
  pthread_mutex_lock(&mutex);
  if (--readers == 0) sem_post(&room);
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void *writer(void *unused) {
  (void)unused;
  sem_wait(&room);
  data = 1;
  copy = 1;
  sem_post(&room);
  return NULL;
}

int main(void) {
  pthread_t t0, t1, t2;
  sem_init(&room, 0, 1);
  pthread_create(&t0, NULL, reader, NULL);
  pthread_create(&t1, NULL, reader, NULL);
  pthread_create(&t2, NULL, writer, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  pthread_join(t2, NULL);
  return 0;
}
