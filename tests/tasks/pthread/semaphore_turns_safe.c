// Two semaphores let two threads take turns.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t ping, pong;
int position;

void *even(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sem_wait(&ping);
    assert(position % 2 == 0);
    position++;
    sem_post(&pong);
  }
  return NULL;
}

void *odd(void *unused) {
  (void)unused;
  for (int k = 0; k < 2; k++) {
    sem_wait(&pong);
    assert(position % 2 == 1);
    position++;
    sem_post(&ping);
  }
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_create(&t0, NULL, even, NULL);
  pthread_create(&t1, NULL, odd, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
