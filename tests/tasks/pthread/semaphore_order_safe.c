// Two semaphores are taken in one order.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t printer, scanner;

void *first(void *unused) {
  (void)unused;
  sem_wait(&printer);
  sem_wait(&scanner);
  sem_post(&scanner);
  sem_post(&printer);
  return NULL;
}

void *second(void *unused) {
  (void)unused;
  sem_wait(&printer);
  sem_wait(&scanner);
  sem_post(&scanner);
  sem_post(&printer);
  return NULL;
}

int main(void) {
  pthread_t t0, t1;
  sem_init(&printer, 0, 1);
  sem_init(&scanner, 0, 1);
  pthread_create(&t0, NULL, first, NULL);
  pthread_create(&t1, NULL, second, NULL);
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  return 0;
}
