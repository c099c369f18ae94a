// A semaphore hands data over, but it is there from the start.
// Fails with: 406580
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t full;
int data;

void *sender(void *unused) {
  (void)unused;
  data = 1;
  sem_post(&full);
  return NULL;
}

void *receiver(void *unused) {
  (void)unused;
  sem_wait(&full);
  data = 2;
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  sem_init(&full, 0, 1);
  pthread_create(&t0, NULL, sender, NULL);
  pthread_create(&t1, NULL, receiver, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
