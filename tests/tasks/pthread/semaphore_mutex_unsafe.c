// A semaphore of one as a mutex; it starts at two.
// Fails with: 11027915
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t semaphore;
int inside;

void *thread(void *unused) {
  (void)unused;
  sem_wait(&semaphore);
  inside++;
  assert(inside == 1);
  inside--;
  sem_post(&semaphore);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  sem_init(&semaphore, 0, 2);
  pthread_create(&t0, NULL, thread, NULL);
  pthread_create(&t1, NULL, thread, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
